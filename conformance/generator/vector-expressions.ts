/** Vectors: operators lane by lane, literals from parts, selection, shuffles, loads. */
import { vectorBuiltin } from './builtin-calls.ts';
import { conversion, expression, maskType } from './expressions.ts';
import { floatExpression } from './float-expressions.ts';
import { constant } from './literals.ts';
import { findAccess } from './places.ts';
import { anyType, chance, firstOf, pick, type Site } from './site.ts';
import { type Expression, expr, guard } from './syntax.ts';
import {
  type DataType,
  elementBytes,
  isFloat,
  isSigned,
  type Lanes,
  typeName,
  unsignedOf,
  type ValueType,
  valueType,
} from './types.ts';

export function vectorExpression(site: Site, type: ValueType, depth: number): Expression | undefined {
  const own = isFloat(type.element)
    ? () => floatExpression(site, type, depth)
    : () => integerVector(site, type, depth);
  return firstOf<Expression>(site, [
    own,
    own,
    own,
    own,
    () => build(site, type, depth),
    () => build(site, type, depth),
    () => conversion(site, type, depth),
    () => selection(site, type, depth),
    () => shuffle(site, type, depth),
    () => load(site, type, depth),
    () => vectorBuiltin(site, type, depth),
  ]);
}

function integerVector(site: Site, type: ValueType, depth: number): Expression | undefined {
  const name = typeName(type);
  const make = (): Expression => expression(site, type, depth);
  const scalar = (): Expression => expression(site, valueType(type.element), depth);
  /** One operand may be a scalar, which goes to all lanes. */
  const either = (): Expression => (chance(site, 15) ? scalar() : make());
  return firstOf<Expression>(site, [
    () => {
      const operator = pick(site, ['+', '-', '*']);
      if (!isSigned(type.element)) return expr(type)`(${make()} ${operator} ${either()})`;
      const unsigned = valueType(unsignedOf(elementBytes(type.element)), type.lanes);
      const wrapping = (): Expression => guard(unsigned)`as_${typeName(unsigned)}(${make()})`;
      return expr(type)`as_${name}(${wrapping()} ${operator} ${wrapping()})`;
    },
    () => expr(type)`(${make()} ${pick(site, ['&', '|', '^'])} ${either()})`,
    () => expr(type)`(${make()} ${pick(site, ['<<', '>>'])} ${either()})`,
    () => {
      const divisor = isSigned(type.element)
        ? guard(type)`((${make()} & ${constant(type, 63)}) | ${constant(type, 1)})`
        : guard(type)`(${make()} | ${constant(type, 1)})`;
      return expr(type)`(${make()} ${pick(site, ['/', '%'])} ${divisor})`;
    },
    () => expr(type)`(~${make()})`,
    () => (isSigned(type.element) ? undefined : expr(type)`(- ${make()})`),
    () => comparison(site, type, depth),
    () => comparison(site, type, depth),
  ]);
}

/** Comparisons and logic of vectors: -1 in the lanes where it holds. */
function comparison(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (!isSigned(type.element)) return undefined;
  const operands = anyType(
    site,
    (candidate) =>
      candidate.lanes === type.lanes &&
      elementBytes(candidate.element) === elementBytes(type.element) &&
      candidate.element !== 'bool',
  );
  const make = (): Expression => expression(site, operands, depth);
  const operators = ['<', '>', '<=', '>=', '==', '!='];
  if (isFloat(operands.element)) {
    const names = ['isequal', 'isnotequal', 'isgreater', 'isgreaterequal', 'isless', 'islessequal'];
    if (chance(site, 30)) {
      const name = pick(site, [...names, 'islessgreater', 'isordered', 'isunordered']);
      return expr(type)`${name}(${make()}, ${make()})`;
    }
    if (chance(site, 15))
      return expr(type)`${pick(site, ['isfinite', 'isinf', 'isnan', 'isnormal'])}(${make()})`;
  } else if (chance(site, 40)) {
    if (chance(site, 30)) return expr(type)`(!${expr(operands)`(${make()})`})`;
    return expr(type)`(${make()} ${pick(site, ['&&', '||'])} ${make()})`;
  }
  return expr(type)`(${make()} ${pick(site, operators)} ${make()})`;
}

/** `(int4)(a, v.xy, 3)`: parts in any cut. */
function build(site: Site, type: ValueType, depth: number): Expression {
  if (chance(site, 20)) {
    return expr(type)`(${typeName(type)})(${expression(site, valueType(type.element), depth)})`;
  }
  const result = expr(type)`(${typeName(type)})(`;
  for (let left: number = type.lanes; left > 0; ) {
    const sizes = ([1, 2, 3, 4, 8] as const).filter((size) => size <= left && size < type.lanes);
    const size: Lanes = pick(site, sizes);
    result.parts.push(expression(site, valueType(type.element, size), depth - 1));
    left -= size;
    if (left > 0) result.parts.push(', ');
  }
  result.parts.push(')');
  return result;
}

function selection(site: Site, type: ValueType, depth: number): Expression {
  const mask = expression(site, maskType(type, chance(site, 70)), depth);
  const make = (): Expression => expression(site, type, depth);
  if (chance(site, 50)) return expr(type)`select(${make()}, ${make()}, ${mask})`;
  return expr(type)`(${mask} ? ${make()} : ${make()})`;
}

function shuffle(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (type.lanes === 3) return undefined;
  const source = anyType(site, ({ element, lanes }) => element === type.element && lanes > 1 && lanes !== 3);
  const mask = expression(site, maskType(type, false), depth);
  const from = expression(site, source, depth);
  if (chance(site, 50)) return expr(type)`shuffle(${from}, ${mask})`;
  return expr(type)`shuffle2(${from}, ${expression(site, source, depth)}, ${mask})`;
}

/** `vload4(i, p)` from an array that has room. */
function load(site: Site, type: ValueType, depth: number): Expression | undefined {
  const isSource = (candidate: DataType): boolean =>
    candidate.kind === 'array' &&
    candidate.length >= type.lanes &&
    candidate.element.kind === 'value' &&
    candidate.element.lanes === 1 &&
    candidate.element.element === type.element;
  const found = findAccess(site, isSource, depth);
  if (found?.type.kind !== 'array') return undefined;
  const array = expr(type)``;
  array.parts.push(...found.parts);
  const places = 2 ** Math.floor(Math.log2(found.type.length / type.lanes));
  const indexType = valueType('uint');
  const index = guard(indexType)`${expression(site, indexType, depth - 1)} & ${places - 1}`;
  return { type, parts: [`vload${type.lanes}(`, index, ', ', ...array.parts, ')'], isGuard: false };
}
