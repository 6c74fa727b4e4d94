/** Values that nobody uses: what clang warns of under -Wunused-value and -Wunused-comparison. */
import type { BuiltinCall, Expression } from '../ast.ts';
import { isComparison } from '../constant-arithmetic.ts';
import type { Checker } from './checker.ts';

/**
 * Warns if an expression whose value is dropped does nothing else than compute it. `message` replaces the usual words,
 * which depend on the kind of expression.
 */
export function warnUnused(checker: Checker, expression: Expression, message?: string): void {
  // Macros are used as statements and as expressions alike; clang says nothing of their values either.
  if (expression.span.expansion !== undefined) return;
  switch (expression.kind) {
    case 'assignment':
    case 'increment':
    case 'call':
    case 'statement-expression':
    case 'error':
      return;
    case 'builtin-call':
      if (isOnlyComputed(expression)) {
        const usual = 'ignoring return value of function declared with const attribute';
        checker.warning(expression.span, 'unused-value', message ?? usual);
      }
      return;
    case 'comma':
      warnUnused(checker, expression.right, message);
      return;
    case 'cast':
      if (expression.cast === 'void') return;
      if (!expression.isWritten) {
        warnUnused(checker, expression.operand, message);
        return;
      }
      break;
    case 'conditional':
      if (hasEffect(expression.then) || hasEffect(expression.else)) return;
      break;
    case 'binary':
      if (isComparison(expression.operator)) {
        const { operator } = expression;
        const kind = operator === '==' ? 'equality' : operator === '!=' ? 'inequality' : 'relational';
        const [option, usual] = ['unused-comparison', `${kind} comparison result unused`];
        const span = expression.operatorSpan ?? expression.span;
        checker.warning(span, message ? 'unused-value' : option, message ?? usual);
        return;
      }
      if ((expression.operator === '&&' || expression.operator === '||') && hasEffect(expression.right))
        return;
      break;
  }
  if (expression.type.isVolatile || expression.type.type.kind === 'void') return;
  const isOperation = expression.kind === 'binary' && expression.operatorSpan !== undefined;
  const span = isOperation && message === undefined ? expression.operatorSpan : expression.span;
  checker.warning(span, 'unused-value', message ?? 'expression result unused');
}

/** Whether a call can do nothing but give its result: it is handed numbers alone, and its arguments are all known. */
function isOnlyComputed({ arguments: given, parameters, type }: BuiltinCall): boolean {
  return (
    type.type.kind !== 'void' &&
    given.length === parameters.length &&
    parameters.every(({ type: { kind } }) => kind === 'arithmetic' || kind === 'vector')
  );
}

function hasEffect(expression: Expression): boolean {
  switch (expression.kind) {
    case 'assignment':
    case 'increment':
    case 'call':
    case 'builtin-call':
      return true;
    case 'cast':
      return expression.cast === 'void' || hasEffect(expression.operand);
    case 'comma':
      return hasEffect(expression.right);
    case 'binary':
      return hasEffect(expression.right);
    case 'conditional':
      return hasEffect(expression.then) || hasEffect(expression.else);
    case 'statement-expression':
      return true;
    default:
      return false;
  }
}
