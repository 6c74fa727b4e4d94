/** Floating-point scalars and vectors, with operations that IEEE 754 and OpenCL fix to the last bit. */
import { condition, conversion, expression } from './expressions.ts';
import { constant } from './literals.ts';
import { anyType, firstOf, knownFunction, pick, type Site } from './site.ts';
import { type Expression, expr, guard } from './syntax.ts';
import { isFloat, typeName, type ValueType, valueType } from './types.ts';

export function floatExpression(site: Site, type: ValueType, depth: number): Expression | undefined {
  const make = (): Expression => expression(site, type, depth);
  const name = typeName(type);
  const zero = constant(type, 0);
  return firstOf<Expression>(site, [
    () => expr(type)`(${make()} ${pick(site, ['+', '-', '*'])} ${make()})`,
    () => expr(type)`(${make()} ${pick(site, ['+', '-', '*'])} ${make()})`,
    () => expr(type)`(-${expr(type)`(${make()})`})`,
    () => quotient(site, type, depth),
    () => conversion(site, type, depth),
    () => conversion(site, type, depth),
    () => fromOther(site, type, depth),
    () => expr(type)`${pick(site, ['fabs', 'floor', 'ceil', 'trunc', 'rint', 'round'])}(${make()})`,
    () => expr(type)`fma(${make()}, ${make()}, ${make()})`,
    // Which zero fmin and fmax give is not said; adding zero makes it positive.
    () => guard(type)`(${pick(site, ['fmin', 'fmax'])}(${make()}, ${make()}) + ${zero})`,
    // A NaN's sign is anyone's.
    () => expr(type)`copysign(${make()}, ${guard(type)`${knownFunction(site, type)}(${make()})`})`,
    () => expr(type)`sign(${make()})`,
    () => expr(type)`step(${make()}, ${make()})`,
    () => scaled(site, type, depth),
    () => {
      const known = (): Expression => guard(type)`${knownFunction(site, type)}(${make()})`;
      return guard(type)`(${pick(site, ['min', 'max'])}(${known()}, ${known()}) + ${zero})`;
    },
    () => {
      if (type.element !== 'double') return undefined;
      return expr(type)`sqrt(fabs(${make()}))`;
    },
    () => {
      if (type.lanes > 1) return undefined;
      return expr(type)`(${name})${condition(site, depth)}`;
    },
  ]);
}

/** Division is exact by powers of two, and correctly rounded for doubles. */
function quotient(site: Site, type: ValueType, depth: number): Expression {
  const value = expression(site, type, depth);
  if (type.element === 'double') return expr(type)`(${value} / ${expression(site, type, depth)})`;
  return guard(type)`(${value} / ${constant(type, pick(site, [2, 4, -8, 0.5]))})`;
}

/** The other floating-point type, cast. */
function fromOther(site: Site, type: ValueType, depth: number): Expression | undefined {
  if (type.lanes > 1) return undefined;
  const source = anyType(site, (candidate) => candidate.lanes === 1 && isFloat(candidate.element));
  return expr(type)`(${typeName(type)})${expr(source)`(${expression(site, source, depth)})`}`;
}

function scaled(site: Site, type: ValueType, depth: number): Expression {
  const powers = valueType('int', type.lanes);
  const power = guard(
    powers,
  )`((${expression(site, powers, depth)} & ${constant(powers, 31)}) - ${constant(powers, 16)})`;
  return expr(type)`ldexp(${expression(site, type, depth)}, ${power})`;
}
