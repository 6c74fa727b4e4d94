/** Statements of checked kernels in IL. */
import type { TypedStatement } from '../check/tree.ts';
import { read, spread } from './code.ts';
import { condition, emit, type Scope, valueType, writeLanes } from './expressions.ts';

/** Adds statements of a function that returns what it returns in `result`. */
export function emitStatements(scope: Scope, body: readonly TypedStatement[], result: string): void {
  for (const statement of body) emitStatement(scope, statement, result);
}

function emitStatement(scope: Scope, statement: TypedStatement, result: string): void {
  const { code } = scope;
  switch (statement.kind) {
    case 'block':
      emitStatements(scope, statement.body, result);
      return;
    case 'variable': {
      const { local, value } = statement;
      const { width } = valueType(local.type);
      const register = scope.locals.get(local) ?? code.fresh();
      scope.locals.set(local, register);
      if (value) code.move(register, spread(emit(scope, value), width));
      return;
    }
    case 'expression':
      emit(scope, statement.value);
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
        const { width } = valueType(statement.value.type);
        code.move(result, spread(emit(scope, statement.value), width));
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

function loop(scope: Scope, statement: Loop, result: string): void {
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
    emit(scope, step);
    code.add('endif');
    writeLanes(code, isLater, 'x', code.bits(1));
  }
  if (test) code.add(`break_logicalz ${read(condition(scope, test))}`);
  emitStatement(scope, body, result);
  if (step && !isContinued) emit(scope, step);
  code.add('endloop');
}

/** The condition stands before the second turn and those behind it, where `continue` goes, too. */
function doLoop(scope: Scope, statement: WhileLoop, result: string): void {
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
