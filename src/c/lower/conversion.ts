/** C's conversions between arithmetic types, lane by lane on vectors. */
import { splatOf, zeroOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';
import { bool, type Type, vectorType } from '../../ir/types.ts';
import type { Cast } from '../ast.ts';
import { elementOf } from '../type-facts.ts';
import type { ArithmeticType, CType } from '../types.ts';
import { functionPointer } from './calls.ts';
import { conditionOf, evaluate, value } from './expression.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { handleFrom, isHandle, namedHandle } from './handle.ts';
import { memoryPlaceOf, placeOf, readPlace } from './place.ts';

/** How a conversion rounds and what it does out of range, where that is not C's default. */
export interface ConversionOptions {
  readonly rounding?: ir.RoundingMode | undefined;
  readonly saturate?: boolean;
}

/** The value of a cast, or nothing for a cast to void. */
export function lowerCast(fn: FunctionLowering, cast: Cast): ir.Value | undefined {
  const { builder } = fn;
  const { operand } = cast;
  const to = cast.type.type;
  switch (cast.cast) {
    case 'load':
      return namedHandle(fn, operand) ?? readPlace(fn, placeOf(fn, operand, true));
    case 'decay':
      return memoryPlaceOf(fn, operand).pointer;
    case 'same':
      if (to.kind === 'void') return undefined;
      if (isHandle(fn, to)) {
        return operand.type.type.kind === 'opaque' ? value(fn, operand) : handleFrom(fn, operand, to);
      }
      // A zero that stands for a handle, as in `event_t e = 0`.
      return integerOfWidth(fn, value(fn, operand), operand.type.type, fn.typeOf(to));
    case 'integral':
    case 'integral-to-floating':
    case 'floating-to-integral':
    case 'floating':
      return convertArithmetic(fn, value(fn, operand), operand.type.type, to);
    case 'to-bool':
      return builder.convert('zext', conditionOf(fn, operand), fn.typeOf(to));
    case 'splat':
      return splat(fn, value(fn, operand), to);
    case 'bool-splat': {
      const element = elementOf(to)!;
      const lane = builder.convert('sext', conditionOf(fn, operand), fn.typeOf(element));
      return splat(fn, lane, to);
    }
    case 'reinterpret':
      return reinterpret(fn, value(fn, operand), fn.typeOf(to));
    case 'null':
      return zero(fn, fn.typeOf(to));
    case 'pointer':
      return value(fn, operand);
    case 'space':
      return pointerInSpace(fn, value(fn, operand), fn.typeOf(to));
    case 'pointer-to-integral':
      return pointerToInteger(fn, value(fn, operand), to);
    case 'integral-to-pointer': {
      const address = integerOfWidth(fn, value(fn, operand), operand.type.type, builder.addressType);
      return builder.convert('itop', address, fn.typeOf(to));
    }
    case 'function':
      return functionPointer(fn, operand);
    case 'void':
      if (namedHandle(fn, operand)) return undefined;
      if (operand.lvalue && operand.type.type.kind !== 'void') placeOf(fn, operand);
      else evaluate(fn, operand);
      return undefined;
  }
}

/** A value of one arithmetic (or vector) type as another of the same lanes. */
export function convertArithmetic(
  fn: FunctionLowering,
  input: ir.Value,
  from: CType,
  to: CType,
  options: ConversionOptions = {},
): ir.Value {
  const { builder } = fn;
  if (to.kind === 'vector' && from.kind !== 'vector') {
    return splat(fn, convertArithmetic(fn, input, from, to.element, options), to);
  }
  const source = elementOf(from);
  const target = elementOf(to);
  if (!source || !target || source === target) return input;
  const type = fn.typeOf(to);
  if (target.name === 'bool') return builder.convert('zext', isNonZero(fn, input), type);
  if (!source.floating && !target.floating) {
    return options.saturate
      ? saturateInteger(fn, input, source, target, type)
      : resizeInteger(fn, input, source, target, type);
  }
  if (!source.floating) {
    return builder.convert(source.signed ? 'stof' : 'utof', input, type, rounded(options));
  }
  if (!target.floating) {
    const saturate = options.saturate ? { saturate: true } : {};
    return builder.convert(target.signed ? 'ftos' : 'ftou', input, type, {
      ...rounded(options),
      ...saturate,
    });
  }
  return target.size > source.size
    ? builder.convert('fwiden', input, type)
    : builder.convert('fnarrow', input, type, rounded(options));
}

function rounded(options: ConversionOptions): { rounding?: ir.RoundingMode } {
  return options.rounding ? { rounding: options.rounding } : {};
}

function resizeInteger(
  fn: FunctionLowering,
  input: ir.Value,
  source: ArithmeticType,
  target: ArithmeticType,
  type: Type,
): ir.Value {
  if (source.size === target.size) return input;
  if (source.size > target.size) return fn.builder.convert('trunc', input, type);
  return fn.builder.convert(source.signed ? 'sext' : 'zext', input, type);
}

/** Clamps to what the target holds, in the source's type, before the width changes. */
function saturateInteger(
  fn: FunctionLowering,
  input: ir.Value,
  source: ArithmeticType,
  target: ArithmeticType,
  type: Type,
): ir.Value {
  const { builder } = fn;
  const [sourceLow, sourceHigh] = integerRange(source);
  const [targetLow, targetHigh] = integerRange(target);
  let clamped = input;
  if (sourceLow < targetLow) {
    clamped = builder.binary('smax', clamped, builder.integer(input.type, targetLow));
  }
  if (sourceHigh > targetHigh) {
    const smaller = source.signed ? 'smin' : 'umin';
    clamped = builder.binary(smaller, clamped, builder.integer(input.type, targetHigh));
  }
  return resizeInteger(fn, clamped, source, target, type);
}

function integerRange(type: ArithmeticType): readonly [low: bigint, high: bigint] {
  const bits = BigInt(type.size * 8);
  if (!type.signed) return [0n, (1n << bits) - 1n];
  return [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}

/** An integer value as `type`, an IR integer of any width. */
export function integerOfWidth(fn: FunctionLowering, input: ir.Value, from: CType, type: Type): ir.Value {
  const source = elementOf(from);
  if (input.type.kind !== 'int' || type.kind !== 'int' || input.type.bits === type.bits) return input;
  if (input.type.bits > type.bits) return fn.builder.convert('trunc', input, type);
  return fn.builder.convert(source?.signed ? 'sext' : 'zext', input, type);
}

function pointerToInteger(fn: FunctionLowering, pointer: ir.Value, to: CType): ir.Value {
  const { builder } = fn;
  const address = builder.convert('ptoi', pointer, builder.addressType);
  const type = fn.typeOf(to);
  if (type.kind !== 'int' || type.bits === builder.addressType.bits) return address;
  return builder.convert(type.bits > builder.addressType.bits ? 'zext' : 'trunc', address, type);
}

/** The same address as a pointer into another space. */
export function pointerInSpace(fn: FunctionLowering, pointer: ir.Value, type: Type): ir.Value {
  return pointer.type === type ? pointer : fn.builder.convert('space', pointer, type);
}

/** A scalar in every lane of a vector type. */
function splat(fn: FunctionLowering, scalar: ir.Value, to: CType): ir.Value {
  const type = fn.typeOf(to);
  return type.kind === 'vector' ? fn.builder.splat(scalar, type) : scalar;
}

/** The same bytes as another type. Between vectors of 3 and 4 elements only the common bytes mean anything. */
function reinterpret(fn: FunctionLowering, input: ir.Value, type: Type): ir.Value {
  const { builder } = fn;
  if (input.type === type) return input;
  if (input.type.kind === 'pointer' || type.kind === 'pointer') {
    return type.kind === 'pointer'
      ? builder.convert('itop', input, type)
      : builder.convert('ptoi', input, type);
  }
  const wide = input.type.kind === 'vector' && input.type.lanes === 3;
  const narrow = type.kind === 'vector' && type.lanes === 3;
  if (wide === narrow) return builder.convert('bitcast', input, type);
  if (wide) return builder.convert('bitcast', builder.shuffle(input, input, [0, 1, 2, -1]), type);
  const four = builder.convert('bitcast', input, vectorType(type.kind === 'vector' ? type.element : bool, 4));
  return builder.shuffle(four, four, [0, 1, 2]);
}

/** Zero, or a null pointer. */
export function zero(fn: FunctionLowering, type: Type): ir.Value {
  return fn.builder.constant(type, splatOf(type, zeroOf(type)));
}

/** Which lanes (or whether the scalar) differ from zero, as truth values. */
export function isNonZero(fn: FunctionLowering, input: ir.Value): ir.Value {
  const element = input.type.kind === 'vector' ? input.type.element : input.type;
  if (element === bool) return input;
  return fn.builder.compare(element.kind === 'float' ? 'fne' : 'ne', input, zero(fn, input.type));
}

/** Truth values as the type comparisons have in C: int 1 or 0, or -1 or 0 in each lane. */
export function fromTruth(fn: FunctionLowering, truth: ir.Value, to: CType): ir.Value {
  return fn.builder.convert(to.kind === 'vector' ? 'sext' : 'zext', truth, fn.typeOf(to));
}

/** The truth values of lanes whose sign bit is set. */
export function signBits(fn: FunctionLowering, input: ir.Value): ir.Value {
  return fn.builder.compare('slt', input, zero(fn, input.type));
}
