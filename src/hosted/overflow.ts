/** `__builtin_add_overflow` and its like (GNU): arithmetic as in numbers of any size, and whether the result fits its place. */
import type { BuiltinResolution } from '../c/dialect.ts';
import type { FunctionLowering } from '../c/lower/function-lowering.ts';
import { arithmeticOf, pointerTo } from '../c/type-facts.ts';
import { type ArithmeticType, arithmeticTypes, type QualifiedType, unqualified } from '../c/types.ts';
import type * as ir from '../ir/ir.ts';
import { i8, i32, i64, pointerType } from '../ir/types.ts';
import { type Emit, found, noMatch } from './builtin.ts';

const { int, uint, long, ulong, bool } = arithmeticTypes;

const operators: Readonly<Record<string, string>> = { add: '+', sub: '-', mul: '*' };

/** Those for one type: `sadd`, `umull`, `ssubll`. */
const typed: Readonly<Record<string, ArithmeticType>> = {
  s: int,
  sl: int,
  sll: long,
  u: uint,
  ul: uint,
  ull: ulong,
};

const pattern = /^__builtin_([su])?(add|sub|mul)(l|ll)?_overflow$/;

export function isOverflowBuiltin(name: string): boolean {
  const parts = pattern.exec(name);
  return parts !== null && (parts[1] !== undefined || parts[3] === undefined);
}

function isIntegerType(type: ArithmeticType | undefined): type is ArithmeticType {
  return type !== undefined && !type.floating && type.name !== 'bool';
}

export function resolveOverflow(name: string, types: readonly QualifiedType[]): BuiltinResolution {
  const [, sign, operation, width = ''] = pattern.exec(name)!;
  const operator = operators[operation!]!;
  if (sign !== undefined) {
    const type = typed[sign + width]!;
    const place = unqualified(pointerTo({ ...unqualified(type), space: 'private' }));
    const parameters = [unqualified(type), unqualified(type), place];
    return found(name, types, parameters, unqualified(bool), emitter(operator, type, type, type));
  }
  const [a, b] = types.map(({ type }) => arithmeticOf(type));
  const place = types[2]?.type;
  const result =
    place?.kind === 'pointer' && !place.pointee.isConst ? arithmeticOf(place.pointee.type) : undefined;
  const isFine = types.length === 3 && a && b && !a.floating && !b.floating && isIntegerType(result);
  if (!isFine) return noMatch([`'${name}' takes two integers and a pointer to an integer`]);
  return found(name, types, types, unqualified(bool), emitter(operator, a, b, result));
}

function emitter(operator: string, a: ArithmeticType, b: ArithmeticType, result: ArithmeticType): Emit {
  return (fn, [left, right, place]) => {
    const { builder } = fn;
    const wide = fn.temporary(ulong, 'wide');
    const types = [i32, i64, i32, i64, i32, i32, i32, pointerType('private')];
    const overflows = fn.module.externalFunction('__overflows', types, i32);
    const flag = builder.call(overflows, [
      builder.integer(i32, operator.charCodeAt(0)),
      ...wideOperand(fn, left!, a),
      ...wideOperand(fn, right!, b),
      builder.integer(i32, 8 * result.size),
      builder.integer(i32, result.signed ? 1 : 0),
      wide,
    ])!;
    const low = builder.load(i64, wide, 8);
    builder.store(
      place!,
      result.size === 8 ? low : builder.convert('trunc', low, fn.typeOf(result)),
      result.size,
    );
    return builder.convert('trunc', flag, i8);
  };
}

/** The number in 64 bits, and whether it is below zero. */
function wideOperand(fn: FunctionLowering, value: ir.Value, type: ArithmeticType): [ir.Value, ir.Value] {
  const { builder } = fn;
  const wide = type.size === 8 ? value : builder.convert(type.signed ? 'sext' : 'zext', value, i64);
  if (!type.signed) return [wide, builder.integer(i32, 0)];
  return [wide, builder.convert('zext', builder.compare('slt', wide, builder.integer(i64, 0)), i32)];
}
