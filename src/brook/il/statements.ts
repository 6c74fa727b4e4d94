/** Statements of checked kernels in IL. */
import type { TypedStatement } from '../check/tree.ts';
import type { ElementType } from '../types.ts';
import { read } from './code.ts';
import { condition, emitAll, localRegisters, moveAll } from './expressions.ts';
import type { Scope } from './scope.ts';
import { writeLanes } from './values.ts';

/** Adds statements of a function that returns what it returns in `result`, one register a leaf. */
export function emitStatements(
  scope: Scope,
  body: readonly TypedStatement[],
  result: readonly string[],
): void {
  for (const statement of body) emitStatement(scope, statement, result);
}

function emitStatement(scope: Scope, statement: TypedStatement, result: readonly string[]): void {
  const { code } = scope;
  switch (statement.kind) {
    case 'block':
      emitStatements(scope, statement.body, result);
      return;
    case 'variable': {
      const { local, value } = statement;
      const registers = localRegisters(scope, local);
      if (value) moveAll(scope, registers, local.type, emitAll(scope, value));
      return;
    }
    case 'expression':
      emitAll(scope, statement.value);
      return;
    case 'if':
      code.add(`if_logicalnz ${read(condition(scope, statement.condition))}`);
      emitStatement(scope, statement.yes, result);
      if (statement.no) {
        code.add('else');
        emitStatement(scope, statement.no, result);
      }
      code.add('endif');
      return;
    case 'for':
      emitStatements(scope, statement.first, result);
      loop(scope, statement, result);
      return;
    case 'while':
      loop(scope, statement, result);
      return;
    case 'do':
      doLoop(scope, statement, result);
      return;
    case 'return':
      if (statement.value) {
        const { value } = statement;
        moveAll(scope, result, value.type as ElementType, emitAll(scope, value));
      }
      code.add('ret_dyn');
      return;
    case 'break':
    case 'continue':
      code.add(statement.kind);
  }
}

type WhileLoop = Extract<TypedStatement, { readonly kind: 'while' | 'do' }>;
type Loop = WhileLoop | Extract<TypedStatement, { readonly kind: 'for' }>;

function loop(scope: Scope, statement: Loop, result: readonly string[]): void {
  const { code } = scope;
  const { body, condition: test } = statement;
  const step = statement.kind === 'for' ? statement.step : undefined;
  // `continue` goes to the loop's first instruction: then the step stands there, from the second turn on.
  const isContinued = step !== undefined && continues(body);
  const isLater = code.fresh();
  if (isContinued) writeLanes(code, isLater, 'x', code.bits(0));
  code.add('whileloop');
  if (isContinued) {
    code.add(`if_logicalnz ${isLater}.x000`);
    emitAll(scope, step);
    code.add('endif');
    writeLanes(code, isLater, 'x', code.bits(1));
  }
  if (test) code.add(`break_logicalz ${read(condition(scope, test))}`);
  emitStatement(scope, body, result);
  if (step && !isContinued) emitAll(scope, step);
  code.add('endloop');
}

/** The condition stands before the second turn and those behind it, where `continue` goes, too. */
function doLoop(scope: Scope, statement: WhileLoop, result: readonly string[]): void {
  const { code } = scope;
  const isLater = code.fresh();
  writeLanes(code, isLater, 'x', code.bits(0));
  code.add('whileloop');
  code.add(`if_logicalnz ${isLater}.x000`);
  code.add(`break_logicalz ${read(condition(scope, statement.condition))}`);
  code.add('endif');
  writeLanes(code, isLater, 'x', code.bits(1));
  emitStatement(scope, statement.body, result);
  code.add('endloop');
}

/** Whether a loop's body goes on with its next turn somewhere; loops inside have their own. */
function continues(statement: TypedStatement): boolean {
  switch (statement.kind) {
    case 'continue':
      return true;
    case 'block':
      return statement.body.some(continues);
    case 'if':
      return continues(statement.yes) || (statement.no !== undefined && continues(statement.no));
    default:
      return false;
  }
}
