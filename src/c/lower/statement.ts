/** Lowers statements: C's control flow becomes regions, blocks and loops. */
import { i32, pointerType } from '../../ir/types.ts';
import type {
  DeclarationStatement,
  DoStatement,
  ElseIf,
  Expression,
  ForStatement,
  IfStatement,
  ReturnStatement,
  Statement,
  VariableDeclaration,
  WhileStatement,
} from '../ast.ts';
import { substatements } from '../substatements.ts';
import { blockOf } from './blocks.ts';
import { integerOfWidth } from './conversion.ts';
import { conditionOf, constantCondition, evaluate, value } from './expression.ts';
import type { BreakTarget, FunctionLowering } from './function-lowering.ts';
import { handleOf, isHandle } from './handle.ts';
import { initialize } from './initializer.ts';
import { lowerStatementList } from './statement-list.ts';
import { lowerSwitch } from './switch.ts';

export function lowerStatement(fn: FunctionLowering, statement: Statement): void {
  if (fn.isDead) return;
  const { builder } = fn;
  builder.span = statement.span;
  switch (statement.kind) {
    case 'compound': {
      const { mayContract, visible } = fn;
      if (statement.forbidsContraction) fn.mayContract = false;
      lowerStatementList(fn, statement.statements);
      fn.mayContract = mayContract;
      // At the brace that ends the function its variables are still there.
      if (statement !== fn.declaration.body) fn.visible = visible;
      return;
    }
    case 'declaration':
      lowerDeclaration(fn, statement);
      return;
    case 'expression': {
      const { expression } = statement;
      if (expression) fn.marked(statement.span, () => evaluate(fn, expression));
      return;
    }
    case 'if':
      lowerIf(fn, statement);
      return;
    case 'while':
    case 'for':
      lowerLoop(fn, statement);
      return;
    case 'do':
      lowerDo(fn, statement);
      return;
    case 'switch':
      lowerSwitch(fn, statement);
      return;
    case 'break':
      leaveFor(fn, statement, fn.breakTarget);
      return;
    case 'continue':
      leaveFor(fn, statement, fn.continueTarget);
      return;
    case 'return':
      fn.marked(statement.span, () => lowerReturn(fn, statement));
      return;
    case 'goto': {
      if (fn.marked(statement.span, () => jumpTo(fn, statement.label))) return;
      fn.error(statement.span, `cannot compile this goto to '${statement.label}'`);
      fn.unreachable();
      return;
    }
    case 'label':
      lowerStatementList(fn, [statement]);
      return;
    case 'case':
    case 'default':
      // Its switch could not take it as one of its cases and has said so.
      lowerStatement(fn, statement.body);
      return;
  }
}

/** So many `else if` nest in one another. More stand in a row, for what comes after lowering walks regions by recursion. */
const longestNest = 64;

function lowerIf(fn: FunctionLowering, statement: IfStatement): void {
  const arms: readonly ElseIf[] = [statement, ...statement.elseIfs];
  const last = () => {
    if (statement.else) lowerStatement(fn, statement.else);
  };
  if (arms.length > longestNest) {
    // Each arm leaves the block, so that what follows it is what is done otherwise.
    fn.inBlock((block) => {
      const leave = () => {
        if (!fn.isDead) fn.breakTo(block);
      };
      for (const arm of arms) {
        lowerArm(
          fn,
          arm,
          () => {
            lowerStatement(fn, arm.then);
            leave();
          },
          () => {},
        );
        if (fn.isDead) return;
      }
      last();
    });
    return;
  }
  const from = (index: number): void => {
    const arm = arms[index];
    if (!arm) last();
    else
      lowerArm(
        fn,
        arm,
        () => lowerStatement(fn, arm.then),
        () => from(index + 1),
      );
  };
  from(0);
}

function lowerArm(
  fn: FunctionLowering,
  { condition, span }: ElseIf,
  then: () => void,
  otherwise: () => void,
): void {
  fn.builder.span = span;
  const known = constantCondition(condition);
  if (known === true) then();
  else if (known === false) otherwise();
  else
    fn.branch(
      fn.marked(condition.span, () => conditionOf(fn, condition)),
      then,
      otherwise,
    );
}

function leaveFor(fn: FunctionLowering, statement: Statement, target: BreakTarget | undefined): void {
  if (!target) throw new Error(`${statement.kind} outside of what it leaves`);
  fn.marked(statement.span, () => fn.breakTo(target));
}

/** Goes on at a label; false if nothing around knows it. */
export function jumpTo(fn: FunctionLowering, label: string): boolean {
  const target = fn.labels.get(label);
  if (target?.block) fn.breakTo(target.block);
  else if (target?.loop) fn.continueTo(target.loop);
  else if (target?.state) {
    const { variable, index, loop } = target.state;
    fn.builder.store(variable, fn.builder.integer(i32, index), 4);
    fn.continueTo(loop);
  }
  return target !== undefined;
}

function lowerDeclaration(fn: FunctionLowering, statement: DeclarationStatement): void {
  for (const variable of statement.variables) {
    // Its scope begins before its initializer (C99, 6.2.1 7).
    fn.show(variable);
    fn.marked(variable.span, () => lowerVariable(fn, variable));
  }
}

function lowerVariable(fn: FunctionLowering, variable: VariableDeclaration): void {
  const { type } = variable;
  if (variable.storage === 'extern' || variable.storage === 'typedef') return;
  if (fn.isTable(variable)) return;
  if (type.type.kind === 'block') {
    if (variable.initializer) fn.blocks.set(variable, blockOf(fn, variable.initializer));
    return;
  }
  if (fn.module.options.isHosted && fn.isGlobal(variable)) return;
  if (isHandle(fn, type.type)) {
    // Where it is used it is a constant, unless it is another name of a parameter.
    const handle = variable.initializer && handleOf(fn, variable.initializer);
    if (handle) fn.bindHandle(variable, handle);
    return;
  }
  fn.builder.span = variable.span;
  if (type.type.kind === 'array' && type.type.count) {
    const { count, element } = type.type;
    const { builder } = fn;
    const elements = integerOfWidth(fn, value(fn, count), count.type.type, builder.addressType);
    const size = builder.integer(builder.addressType, fn.module.sizeOf(element.type));
    fn.makeVariableLength(variable, builder.binary('imul', elements, size));
    return;
  }
  const address = fn.addressOf(variable);
  if (!variable.initializer || address.type.kind !== 'pointer' || address.type.space !== 'private') return;
  initialize(fn, address, variable.align, type.type, variable.initializer);
}

/** Lowers the body of a loop, in which `continue` leads to the end of the body. */
function lowerBody(fn: FunctionLowering, body: Statement, breakTarget: BreakTarget): void {
  const { breakTarget: outerBreak, continueTarget: outerContinue } = fn;
  // What one iteration puts on the stack is gone before the next.
  const stack = declaresVariableLength(body)
    ? fn.builder.call(fn.module.hostInstruction('stack.pointer', [], pointerType('private')), [])
    : undefined;
  fn.inBlock((block) => {
    fn.breakTarget = breakTarget;
    fn.continueTarget = block;
    lowerStatement(fn, body);
  });
  if (stack && !fn.isDead) {
    const restore = fn.module.hostInstruction('stack.restore', [pointerType('private')], undefined);
    fn.builder.call(restore, [stack]);
  }
  fn.breakTarget = outerBreak;
  fn.continueTarget = outerContinue;
}

function declaresVariableLength(statement: Statement): boolean {
  if (statement.kind === 'declaration') {
    return statement.variables.some(
      ({ type: { type } }) => type.kind === 'array' && type.count !== undefined,
    );
  }
  return substatements(statement).some(declaresVariableLength);
}

function breakUnless(fn: FunctionLowering, condition: Expression | undefined, target: BreakTarget): void {
  if (!condition || constantCondition(condition) === true) return;
  if (constantCondition(condition) === false) {
    fn.breakTo(target);
    return;
  }
  fn.branch(
    fn.marked(condition.span, () => conditionOf(fn, condition)),
    () => {},
    () => fn.breakTo(target),
  );
}

function lowerLoop(fn: FunctionLowering, statement: WhileStatement | ForStatement): void {
  const step = statement.kind === 'for' ? statement.step : undefined;
  const { visible } = fn;
  if (statement.kind === 'for' && statement.initial) lowerStatement(fn, statement.initial);
  const lower = () =>
    fn.inLoop(
      statement.unroll,
      (loop) => {
        breakUnless(fn, statement.condition, loop);
        if (fn.isDead) return;
        lowerBody(fn, statement.body, loop);
        if (step && !fn.isDead) fn.marked(step.span, () => evaluate(fn, step), false);
      },
      'continue',
    );
  // Where a condition is computed each time, control comes to that.
  const isEndless = !statement.condition || constantCondition(statement.condition) === true;
  if (isEndless) fn.marked(statement.span, lower);
  else lower();
  fn.visible = visible;
}

function lowerDo(fn: FunctionLowering, statement: DoStatement): void {
  if (constantCondition(statement.condition) === false) {
    // do { ... } while (0), as macros are written: break and continue both leave it.
    fn.inBlock((block) => lowerBody(fn, statement.body, block));
    return;
  }
  fn.inLoop(
    statement.unroll,
    (loop) => {
      lowerBody(fn, statement.body, loop);
      if (!fn.isDead) breakUnless(fn, statement.condition, loop);
    },
    'continue',
  );
}

function lowerReturn(fn: FunctionLowering, statement: ReturnStatement): void {
  const { builder } = fn;
  if (!statement.value) {
    builder.return(fn.fn.result ? builder.undefined(fn.fn.result) : undefined);
  } else if (fn.resultPointer) {
    const type = statement.value.type.type;
    const size = builder.integer(builder.addressType, fn.module.sizeOf(type));
    builder.copy(fn.resultPointer, value(fn, statement.value), size, fn.module.alignOf(type));
    builder.return();
  } else {
    const result = evaluate(fn, statement.value);
    builder.return(fn.fn.result ? result : undefined);
  }
  fn.terminated();
}
