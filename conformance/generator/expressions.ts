/** Expressions of any type: which way to make one, and the ways that all types share. */
import { floatExpression } from './float-expressions.ts';
import { callHelper } from './helper-calls.ts';
import { integerExpression } from './integer-expressions.ts';
import { literal } from './literals.ts';
import { lanesOf, readPlace } from './places.ts';
import { anyType, chance, firstOf, knownFunction, pick, type Site } from './site.ts';
import { type Expression, expr, guard } from './syntax.ts';
import {
  elementBytes,
  isFloat,
  isInteger,
  isSigned,
  sameType,
  signedOf,
  typeName,
  uint,
  unsignedOf,
  type ValueType,
  valueType,
} from './types.ts';
import { vectorExpression } from './vector-expressions.ts';

/** An expression of exactly this type, with that many levels of operators at most. */
export function expression(site: Site, type: ValueType, depth: number): Expression {
  site.work.cost += site.iterations * type.lanes;
  if (depth <= 0 || site.work.cost > site.work.maximum || chance(site, 15)) return leaf(site, type);
  const made = firstOf(site, [
    () => callHelper(site, type, depth - 1),
    () => lanesOf(site, type, depth - 1),
    () => effect(site, type, depth - 1),
    () => reinterpretation(site, type, depth - 1),
    () => choice(site, type, depth - 1),
    ...Array.from({ length: 6 }, () => () => operation(site, type, depth)),
  ]);
  return made ?? leaf(site, type);
}

function operation(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (type.lanes > 1) return vectorExpression(site, type, depth - 1);
  if (isFloat(type.element)) return floatExpression(site, type, depth - 1);
  if (type.element === 'bool') return expr(type)`(bool)${condition(site, depth - 1)}`;
  return integerExpression(site, type, depth - 1);
}

/** A variable, a constant, or who the work-item is. */
export function leaf(site: Site, type: ValueType): Expression {
  const made = firstOf<Expression>(site, [
    () => readPlace(site, type, 0),
    () => readPlace(site, type, 0),
    () => readPlace(site, type, 0),
    () => query(site, type),
    () => widened(site, type),
  ]);
  return made && chance(site, 85) ? made : literal(site.program.random, type);
}

/** An integer variable of another type. */
function widened(site: Site, type: ValueType): Expression | undefined {
  if (type.lanes > 1 || type.element === 'bool') return undefined;
  const other = anyType(site, (candidate) => candidate.lanes === 1 && isInteger(candidate.element));
  const place = readPlace(site, other, 0);
  return place && expr(type)`(${typeName(type)})${place}`;
}

const dimensions = ['3', '2', '2u', '1', '0', '0'];

function query(site: Site, type: ValueType): Expression | undefined {
  if (!sameType(type, uint) || !site.mayAskWho) return undefined;
  const names = ['group_id', 'num_groups', 'global_size', 'local_size', 'global_offset'];
  if (!site.isUniform) names.push('global_id', 'local_id', 'global_id', 'local_id');
  site.work.asksWho = true;
  return expr(
    type,
  )`(uint)get_${pick(site, names)}(${pick(site, site.program.isForPocl ? dimensions.slice(1) : dimensions)})`;
}

/** Something to test: an int that is mostly 0 or 1. */
export function condition(site: Site, depth: number): Expression {
  const type = anyType(site, (candidate) => candidate.lanes === 1);
  const make = (): Expression => expression(site, type, depth - 1);
  const int = valueType('int');
  switch (depth <= 0 ? 0 : site.program.random.below(5)) {
    case 1:
      return expr(int)`(${condition(site, depth - 1)} && ${condition(site, depth - 1)})`;
    case 2:
      return expr(int)`(${condition(site, depth - 1)} || ${condition(site, depth - 1)})`;
    case 3:
      return expr(int)`!${asCondition(make())}`;
    default:
      return expr(int)`(${make()} ${pick(site, ['<', '>', '<=', '>=', '==', '!='])} ${make()})`;
  }
}

function asCondition(operand: Expression): Expression {
  return expr(operand.type)`(${operand})`;
}

/** `c ? a : b` and `(a, b)`. */
function choice(site: Site, type: ValueType, depth: number): Expression | undefined {
  const make = (): Expression => expression(site, type, depth);
  if (chance(site, 20)) {
    const other = anyType(site, () => true);
    return expr(type)`((void)${asCondition(expression(site, other, depth))}, ${make()})`;
  }
  // The usual arithmetic conversions of equal types widen narrow ones.
  const cast = type.lanes === 1 ? `(${typeName(type)})` : '';
  return expr(type)`${cast}(${condition(site, depth)} ? ${make()} : ${make()})`;
}

/** A variable that nothing else touches changes in the middle of an expression. */
function effect(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (site.isUniform) return undefined;
  const at = site.effects.findIndex((variable) => sameType(variable.type, type));
  if (at < 0) return undefined;
  const [variable] = site.effects.splice(at, 1);
  const { name } = variable!;
  const isUnsigned = isInteger(type.element) && (!isSigned(type.element) || elementBytes(type.element) < 4);
  const value = (): Expression => expression(site, type, depth);
  const ways: (() => Expression)[] = [() => expr(type)`(${name} = ${value()})`];
  if (isInteger(type.element)) {
    ways.push(() => expr(type)`(${name} ${pick(site, ['^=', '|=', '&='])} ${value()})`);
    ways.push(() => expr(type)`(${name} ${pick(site, ['<<=', '>>='])} ${value()})`);
  }
  if (
    isInteger(type.element) &&
    !isSigned(type.element) &&
    (type.lanes > 1 || elementBytes(type.element) >= 4)
  ) {
    ways.push(() => expr(type)`(${name} ${pick(site, ['+=', '-=', '*='])} ${value()})`);
  }
  if (isUnsigned && (type.lanes === 1 || !isSigned(type.element))) {
    ways.push(() => expr(type)`${name}${pick(site, ['++', '--'])}`);
    ways.push(() => expr(type)`${pick(site, ['++', '--'])}${name}`);
  }
  return pick(site, ways)();
}

/** `as_T(x)`, where the bits of x and of the result are sure. */
function reinterpretation(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (type.element === 'bool' || type.lanes === 3) return undefined;
  const bytes = elementBytes(type.element) * type.lanes;
  const name = typeName(type);
  if (isFloat(type.element)) {
    // Exponents below that of infinity.
    const bits = valueType(unsignedOf(elementBytes(type.element)), type.lanes);
    const mask = type.element === 'float' ? '0xbfffffffu' : '0xbfffffffffffffffUL';
    return expr(type)`as_${name}(${guard(bits)`(${expression(site, bits, depth)} & ${mask})`})`;
  }
  const source = anyType(
    site,
    (candidate) =>
      elementBytes(candidate.element) * candidate.lanes === bytes &&
      candidate.lanes !== 3 &&
      candidate.element !== 'bool',
  );
  const value = expression(site, source, depth);
  if (!isFloat(source.element)) return expr(type)`as_${name}(${value})`;
  return expr(type)`as_${name}(${guard(source)`${knownFunction(site, source)}(${value})`})`;
}

/** `convert_T(x)` and its relatives, or undefined where C has none. */
export function conversion(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (type.element === 'bool') return undefined;
  const source = anyType(site, (candidate) => candidate.lanes === type.lanes && candidate.element !== 'bool');
  const value = expression(site, source, depth);
  const name = typeName(type);
  const rounding = pick(site, ['', '', '_rte', '_rtz', '_rtp', '_rtn']);
  if (isFloat(type.element)) return expr(type)`convert_${name}${rounding}(${value})`;
  if (!isFloat(source.element)) {
    return expr(type)`convert_${name}${pick(site, ['', '_sat'])}${rounding}(${value})`;
  }
  if (chance(site, 60)) return expr(type)`convert_${name}_sat${rounding}(${value})`;
  // Without _sat, the value must fit.
  const suffix = source.element === 'float' ? 'f' : '';
  const lowest = isSigned(type.element) ? `-100.0${suffix}` : `0.0${suffix}`;
  const inRange = guard(source)`fmin(fmax(${value}, ${lowest}), 100.0${suffix})`;
  return chance(site, 30) && type.lanes === 1
    ? expr(type)`(${name})${inRange}`
    : expr(type)`convert_${name}${rounding}(${inRange})`;
}

/** The integers that comparisons of such vectors give and selections between them want. */
export function maskType(type: ValueType, signed = true): ValueType {
  const bytes = elementBytes(type.element);
  return valueType(signed ? signedOf(bytes) : unsignedOf(bytes), type.lanes);
}
