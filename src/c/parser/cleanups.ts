/**
 * `__attribute__((cleanup(f)))` (GNU): `f(&variable)` is called where the variable's scope is left, however that is. The calls become
 * statements: at the end of the block, and before each `break`, `continue` and `return` that leaves it.
 */
import type { Span } from '../../source/span.ts';
import type { Attribute, Expression, Statement, VariableDeclaration } from '../ast.ts';
import { discarded } from '../check/assignment-operators.ts';
import { checkNamedCall } from '../check/calls.ts';
import { isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import { reference } from '../check/names.ts';
import { checkAddressOf } from '../check/unary.ts';
import { alignOfObject, withSpace } from '../type-facts.ts';
import type { Parser } from './parser.ts';

/** Notes the call for a variable that has just been declared. */
export function noteCleanup(
  parser: Parser,
  variable: VariableDeclaration,
  attributes: readonly Attribute[],
): void {
  const { checker } = parser;
  const attribute = attributes.find(({ name }) => name === 'cleanup');
  if (attribute === undefined) return;
  const [name] = attribute.arguments;
  const isAutomatic =
    variable.scope === 'function' && variable.storage !== 'static' && variable.storage !== 'extern';
  if (!isAutomatic) {
    checker.warning(
      attribute.span,
      'ignored-attributes',
      "'cleanup' attribute only applies to local variables",
    );
    return;
  }
  if (typeof name !== 'string' || checker.scopes.lookup(name)?.kind !== 'functions') {
    checker.error(attribute.span, "'cleanup' argument is not a function");
    return;
  }
  const { span } = attribute;
  const call = checkNamedCall(
    checker,
    name,
    span,
    [checkAddressOf(checker, reference(variable, span), span)],
    span,
  );
  if (!isError(call)) checker.function?.cleanups.push(discarded(call));
}

/** How many calls were noted before a block, loop or switch begins. */
export function cleanupsBefore(parser: Parser): number {
  return parser.checker.function?.cleanups.length ?? 0;
}

/** The calls for what was declared since, the last first. */
function callsSince(parser: Parser, before: number, span: Span): Statement[] {
  const calls = parser.checker.function?.cleanups.slice(before) ?? [];
  return calls.reverse().map((expression) => ({ kind: 'expression', expression, span }));
}

/** Ends a block: adds the calls to its statements, and forgets them. */
export function endCleanups(parser: Parser, before: number, statements: Statement[], span: Span): void {
  statements.push(...callsSince(parser, before, span));
  const { cleanups } = parser.checker.function ?? {};
  if (cleanups) cleanups.length = before;
}

/** `statement` leaves all that began since; the calls come before it. */
export function withCleanups(parser: Parser, before: number, statement: Statement): Statement {
  const calls = callsSince(parser, before, statement.span);
  if (calls.length === 0) return statement;
  if (statement.kind !== 'return' || !statement.value || statement.value.type.type.kind === 'void')
    return { kind: 'compound', statements: [...calls, statement], span: statement.span };
  // What is returned is computed first.
  const kept = keep(parser, statement.value);
  const leave: Statement = { ...statement, value: kept.value };
  return { kind: 'compound', statements: [kept.declaration, ...calls, leave], span: statement.span };
}

/** A variable without a name that keeps a value. */
export function keep(
  parser: Parser,
  value: Expression,
): { readonly declaration: Statement; readonly value: Expression } {
  const { checker } = parser;
  const { span } = value;
  const variable: VariableDeclaration = {
    kind: 'variable',
    name: 'result',
    type: withSpace(
      { ...value.type, isConst: false },
      checker.dialect.defaultSpace('local', value.type.type),
    ),
    storage: 'none',
    scope: 'function',
    align: alignOfObject(value.type, checker.dialect.addressBytes),
    initializer: value,
    span,
  };
  return {
    declaration: { kind: 'declaration', variables: [variable], span },
    value: toValue(checker, reference(variable, span)),
  };
}

/** A goto may leave the scope of such a variable, which is not followed. */
export function refuseGoto(parser: Parser, span: Span): void {
  const { checker } = parser;
  if (checker.function && checker.function.cleanups.length > 0)
    checker.error(span, "cannot compile this goto: a variable with the attribute 'cleanup' is in scope");
}
