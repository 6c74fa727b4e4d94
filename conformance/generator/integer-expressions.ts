/** Integer scalars: C's operators with all their promotions, kept clear of what C leaves undefined. */
import { integerBuiltin, integerFromVector } from './builtin-calls.ts';
import { condition, conversion, expression, leaf } from './expressions.ts';
import { anyType, chance, firstOf, pick, type Site } from './site.ts';
import { type Expression, expr, guard } from './syntax.ts';
import {
  commonInteger,
  elementBytes,
  isInteger,
  isSigned,
  typeName,
  uint,
  unsignedOf,
  type ValueType,
  valueType,
} from './types.ts';

export function integerExpression(site: Site, type: ValueType, depth: number): Expression | undefined {
  const made = firstOf<Expression>(site, [
    () => sum(site, depth),
    () => sum(site, depth),
    () => bits(site, depth),
    () => shift(site, depth),
    () => division(site, depth),
    () => unary(site, depth),
    () => condition(site, depth),
    () => chain(site),
    () => conversion(site, type, depth),
    () => integerBuiltin(site, type, depth),
    () => integerBuiltin(site, type, depth),
    () => integerFromVector(site, depth),
  ]);
  return made && castTo(type, made);
}

function castTo(type: ValueType, value: Expression): Expression {
  if (value.type.element === type.element) return value;
  return expr(type)`(${typeName(type)})${value}`;
}

function operand(site: Site, depth: number): Expression {
  const type = anyType(site, (candidate) => candidate.lanes === 1 && isInteger(candidate.element));
  return expression(site, type, depth);
}

function resultOf(left: Expression, right: Expression): ValueType {
  return valueType(commonInteger(left.type.element, right.type.element));
}

/** Made unsigned as wide as the computation, so that it wraps. */
function wrapping(value: Expression, common: ValueType): Expression {
  const type = valueType(unsignedOf(elementBytes(common.element)));
  return guard(type)`(${typeName(type)})${value}`;
}

function sum(site: Site, depth: number): Expression {
  const operator = pick(site, ['+', '-', '*']);
  let left = operand(site, depth);
  let right = operand(site, depth);
  const common = resultOf(left, right);
  const areNarrow = [left, right].every(({ type }) => elementBytes(type.element) < 4);
  const fits =
    areNarrow && (operator !== '*' || left.type.element !== 'ushort' || right.type.element !== 'ushort');
  if (isSigned(common.element) && !fits) {
    if (chance(site, 50)) left = wrapping(left, common);
    else right = wrapping(right, common);
  }
  return expr(resultOf(left, right))`(${left} ${operator} ${right})`;
}

function bits(site: Site, depth: number): Expression {
  const left = operand(site, depth);
  const right = operand(site, depth);
  return expr(resultOf(left, right))`(${left} ${pick(site, ['&', '|', '^'])} ${right})`;
}

/** Counts are taken modulo the width (OpenCL 1.2, 6.3 j), so any will do. */
function shift(site: Site, depth: number): Expression {
  const value = operand(site, depth);
  const count = operand(site, depth);
  const type = valueType(commonInteger(value.type.element, 'char'));
  return expr(type)`(${value} ${pick(site, ['<<', '>>'])} ${count})`;
}

function division(site: Site, depth: number): Expression {
  const operator = pick(site, ['/', '%']);
  const left = operand(site, depth);
  const right = operand(site, depth);
  const common = resultOf(left, right);
  const promoted = valueType(commonInteger(right.type.element, 'char'));
  const divisor = isSigned(common.element)
    ? guard(promoted)`((${right} & ${pick(site, ['0x3f', '0x7f', '3'])}) | 1)`
    : guard(promoted)`(${right} | 1)`;
  return expr(common)`(${left} ${operator} ${divisor})`;
}

function unary(site: Site, depth: number): Expression {
  const value = operand(site, depth);
  const promoted = valueType(commonInteger(value.type.element, 'char'));
  const operator = pick(site, ['-', '~', '+', '!']);
  if (operator === '!') return expr(valueType('int'))`(!${value})`;
  if (operator === '-' && elementBytes(value.type.element) >= 4 && isSigned(promoted.element)) {
    const unsigned = wrapping(value, promoted);
    return expr(unsigned.type)`(- ${unsigned})`;
  }
  return expr(promoted)`(${operator} ${value})`;
}

/** Operators without parentheses, which bind as the grammar says. */
function chain(site: Site): Expression {
  const operators = [
    '+',
    '-',
    '*',
    '&',
    '|',
    '^',
    '<<',
    '>>',
    '<',
    '>',
    '<=',
    '>=',
    '==',
    '!=',
    '&&',
    '||',
    '?',
  ];
  const type = uint;
  let text = expr(type)`${leaf(site, type)}`;
  const length = 2 + site.program.random.below(4);
  for (let index = 0; index < length; index++) {
    const operator = pick(site, operators);
    text =
      operator === '?'
        ? expr(type)`${text} ? ${leaf(site, type)} : ${leaf(site, type)}`
        : expr(type)`${text} ${operator} ${leaf(site, type)}`;
  }
  return expr(type)`(uint)(${text})`;
}
