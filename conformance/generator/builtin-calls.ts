/** Calls of OpenCL C's integer, common and relational functions, with arguments for which their results are fixed. */
import { expression, maskType } from './expressions.ts';
import { literal } from './literals.ts';
import { anyType, chance, firstOf, pick, type Site } from './site.ts';
import { type Expression, expr, guard } from './syntax.ts';
import {
  elementBytes,
  isFloat,
  isInteger,
  isSigned,
  signedOf,
  uint,
  unsignedOf,
  type ValueType,
  valueType,
} from './types.ts';

/** A call that gives this integer type, scalar or vector. */
export function integerBuiltin(site: Site, type: ValueType, depth: number): Expression | undefined {
  const make = (): Expression => expression(site, type, depth);
  const { element, lanes } = type;
  if (!isInteger(element)) return undefined;
  const bytes = elementBytes(element);
  return firstOf<Expression>(site, [
    () => {
      const names = ['add_sat', 'sub_sat', 'hadd', 'rhadd', 'mul_hi', 'rotate', 'max', 'min'];
      return expr(type)`${pick(site, names)}(${make()}, ${make()})`;
    },
    () => expr(type)`${pick(site, ['clz', 'popcount'])}(${make()})`,
    () => expr(type)`${pick(site, ['mad_hi', 'mad_sat', 'bitselect'])}(${make()}, ${make()}, ${make()})`,
    () => clamped(site, type, depth),
    () => {
      if (isSigned(element)) return undefined;
      const source = valueType(chance(site, 50) ? element : signedOf(bytes), lanes);
      const other = (): Expression => expression(site, source, depth);
      return chance(site, 30) ? expr(type)`abs(${other()})` : expr(type)`abs_diff(${other()}, ${other()})`;
    },
    () => {
      if (bytes === 1) return undefined;
      const half = bytes / 2;
      const high = valueType(isSigned(element) ? signedOf(half) : unsignedOf(half), lanes);
      const low = valueType(unsignedOf(half), lanes);
      return expr(type)`upsample(${expression(site, high, depth)}, ${expression(site, low, depth)})`;
    },
    () => {
      if (bytes !== 4) return undefined;
      // Within 24 bits, and the product within 32.
      const small = (): Expression => guard(type)`(${make()} & 0x7fff)`;
      if (chance(site, 50)) return expr(type)`mul24(${small()}, ${small()})`;
      return expr(type)`mad24(${small()}, ${small()}, ${small()})`;
    },
    () => {
      const mask = expression(site, maskType(type, chance(site, 70)), depth);
      return expr(type)`select(${make()}, ${make()}, ${mask})`;
    },
    () =>
      lanes > 1
        ? expr(type)`${pick(site, ['max', 'min'])}(${make()}, ${expression(site, valueType(element), depth)})`
        : undefined,
  ]);
}

/** clamp wants its bounds in order. */
function clamped(site: Site, type: ValueType, depth: number): Expression {
  const low = literal(site.program.random, type);
  const high = literal(site.program.random, type);
  const bounds = guard(type)`min(${low}, ${high}), max(${low}, ${high})`;
  return expr(type)`clamp(${expression(site, type, depth)}, ${bounds})`;
}

/** Calls that give an int for a vector or a float. */
export function integerFromVector(site: Site, depth: number): Expression | undefined {
  const int = valueType('int');
  return firstOf<Expression>(site, [
    () => {
      const source = anyType(site, ({ element }) => isInteger(element) && isSigned(element));
      return expr(int)`${pick(site, ['any', 'all'])}(${expression(site, source, depth)})`;
    },
    () => {
      const source = anyType(site, ({ element, lanes }) => isFloat(element) && lanes === 1);
      const make = (): Expression => expression(site, source, depth);
      const names = [
        'isequal',
        'isnotequal',
        'isgreater',
        'isless',
        'islessequal',
        'isordered',
        'isunordered',
      ];
      if (chance(site, 70)) return expr(int)`${pick(site, names)}(${make()}, ${make()})`;
      return expr(int)`${pick(site, ['isfinite', 'isinf', 'isnan', 'isnormal'])}(${make()})`;
    },
    () => {
      const source = anyType(site, () => true);
      return expr(uint)`(uint)sizeof(${expression({ ...site, effects: [] }, source, 1)})`;
    },
  ]);
}

/** Calls that give a vector. */
export function vectorBuiltin(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (isInteger(type.element)) return integerBuiltin(site, type, depth);
  const make = (): Expression => expression(site, type, depth);
  return chance(site, 50)
    ? expr(type)`fma(${make()}, ${make()}, ${make()})`
    : expr(type)`step(${expression(site, valueType(type.element), depth)}, ${make()})`;
}
