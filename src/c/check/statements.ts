/** Rules of statements: labels, jumps, returns, and values that nobody uses (C99, 6.8). */
import { nearestName } from '../../source/nearest-name.ts';
import type { Span } from '../../source/span.ts';
import type { Expression, FunctionDeclaration, ReturnStatement } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import { wrapInteger } from '../constant-arithmetic.ts';
import { arithmeticOf, isInteger } from '../type-facts.ts';
import { arithmeticTypes, type CType, type FunctionType } from '../types.ts';
import { discarded } from './assignment-operators.ts';
import { convertForAssignment } from './assignments.ts';
import { inferResult } from './blocks.ts';
import { type Checker, errorExpression, isError, type SwitchContext } from './checker.ts';
import { promote, toValue } from './conversions.ts';
import { warnUnused } from './unused.ts';

/** The value of a switch, promoted. The labels that follow are converted to its type. */
export function beginSwitch(checker: Checker, expression: Expression): Expression {
  const value = promote(toValue(checker, expression));
  let result = value;
  if (!isError(value) && !isInteger(value.type.type)) {
    result = checker.wrong(
      value.span,
      `statement requires expression of integer type ('${checker.show(value.type)}' invalid)`,
    );
  }
  checker.function?.switches.push({
    type: result.type.type,
    cases: [],
    defaultSpan: undefined,
    isBroken: isError(result),
  });
  return result;
}

export function endSwitch(checker: Checker): void {
  const context = checker.function?.switches.pop();
  if (context !== undefined) reportDuplicates(checker, context);
}

/** Labels are compared when all are known, sorted, so that many labels do not take long. */
function reportDuplicates(checker: Checker, context: SwitchContext): void {
  const sorted = context.cases.map((label, index) => ({ ...label, index }));
  sorted.sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : a.index - b.index));
  let reach: (typeof sorted)[number] | undefined;
  for (const label of sorted) {
    if (reach !== undefined && label.low <= reach.high) {
      checker.error(label.span, `duplicate case value '${label.low}'`, [
        { message: 'previous case defined here', span: reach.span },
      ]);
    }
    if (reach === undefined || label.high > reach.high) reach = label;
  }
}

/** The bounds of `case low:` or `case low ... high:`; undefined if they are wrong, which has been reported. */
export function checkCase(
  checker: Checker,
  low: Expression,
  high: Expression | undefined,
  span: Span,
): { low: bigint; high: bigint } | undefined {
  const switches = checker.function?.switches;
  const context = switches?.[switches.length - 1];
  if (context === undefined) {
    checker.error(span, "'case' statement not in switch statement");
    return undefined;
  }
  const from = caseValue(checker, low, context.type);
  const to = high === undefined ? from : caseValue(checker, high, context.type);
  if (from === undefined || to === undefined || context.isBroken) return undefined;
  if (to < from) {
    checker.warning(span, 'case-range', 'empty case range specified');
  } else {
    context.cases.push({ low: from, high: to, span: low.span });
  }
  return { low: from, high: to };
}

function caseValue(checker: Checker, expression: Expression, type: CType): bigint | undefined {
  const value = toValue(checker, expression);
  if (isError(value)) return undefined;
  if (!isInteger(value.type.type)) {
    checker.error(
      value.span,
      `integer constant expression must have integer type, not '${checker.show(value.type)}'`,
    );
    return undefined;
  }
  const constant = evaluateConstant(value, checker.dialect.addressBytes);
  if (constant?.kind !== 'integer') {
    checker.error(value.span, 'expression is not an integer constant expression');
    return undefined;
  }
  const to = arithmeticOf(type) ?? arithmeticTypes.int;
  const wrapped = wrapInteger(constant.value, to);
  if (wrapped !== constant.value) {
    checker.warning(
      value.span,
      'switch',
      `overflow converting case value to switch condition type (${constant.value} to ${wrapped})`,
    );
  }
  return wrapped;
}

export function checkDefault(checker: Checker, span: Span): boolean {
  const switches = checker.function?.switches;
  const context = switches?.[switches.length - 1];
  if (context === undefined) {
    checker.error(span, "'default' statement not in switch statement");
    return false;
  }
  if (context.defaultSpan !== undefined) {
    checker.error(span, 'multiple default labels in one switch', [
      { message: 'previous case defined here', span: context.defaultSpan },
    ]);
    return false;
  }
  context.defaultSpan = span;
  return true;
}

export function checkBreak(checker: Checker, span: Span): boolean {
  const context = checker.function;
  if (context !== undefined && (context.loops > 0 || context.switches.length > 0)) return true;
  checker.error(span, "'break' statement not in loop or switch statement");
  return false;
}

export function checkContinue(checker: Checker, span: Span): boolean {
  if ((checker.function?.loops ?? 0) > 0) return true;
  checker.error(span, "'continue' statement not in loop statement");
  return false;
}

export function declareLabel(checker: Checker, label: string, span: Span): void {
  const labels = checker.function?.labels;
  const known = labels?.get(label);
  if (known !== undefined) {
    checker.error(span, `redefinition of label '${label}'`, [
      { message: 'previous definition is here', span: known },
    ]);
    return;
  }
  labels?.set(label, span);
  const context = checker.function;
  if (context && context.switches.length > 0 && nearestName(label, ['default']) !== undefined) {
    context.mistypedDefaults.push({ label, span });
  }
}

/** `return;` or `return value;` in the function being read. */
export function checkReturn(
  checker: Checker,
  value: Expression | undefined,
  span: Span,
  keyword: Span,
): ReturnStatement {
  const declaration = checker.function?.declaration;
  if (declaration === undefined) return { kind: 'return', value: undefined, span };
  if (checker.function?.block?.infersResult) {
    return { kind: 'return', value: inferResult(checker, checker.function.block, value, keyword), span };
  }
  const { result } = declaration.type.type as FunctionType;
  if (value === undefined) {
    if (result.type.kind !== 'void') {
      checker.error(keyword, `non-void function '${declaration.name}' should return a value`);
    }
    return { kind: 'return', value: undefined, span };
  }
  if (result.type.kind === 'void') return returnFromVoid(checker, declaration, value, span);
  return { kind: 'return', value: convertForAssignment(checker, value, result, 'returning'), span };
}

function returnFromVoid(
  checker: Checker,
  declaration: FunctionDeclaration,
  value: Expression,
  span: Span,
): ReturnStatement {
  if (!isError(value) && value.type.type.kind !== 'void') {
    checker.error(value.span, `void function '${declaration.name}' should not return a value`);
    return { kind: 'return', value: errorExpression(value.span), span };
  }
  return { kind: 'return', value, span };
}

/** An expression that stands as a statement: evaluated for its effects, with a warning if it has none. */
export function checkExpressionStatement(checker: Checker, expression: Expression): Expression {
  if (isError(expression)) return expression;
  warnUnused(checker, expression);
  return discarded(expression);
}
