/**
 * Arithmetic, comparison and selection on vectors, one v128 at a time where WebAssembly has the instruction, and lane
 * by lane where it has not. Lanes beyond a vector's last are computed too where that is harmless.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { VectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { elementBits, intShape } from '../kernel/value-layout.ts';
import type { OpName } from '../module/opcodes.ts';
import {
  type Arithmetic,
  applyScalar,
  floatCompare,
  intCompare,
  isIntCompare,
} from '../scalar/scalar-operations.ts';
import { byteSumsName } from './byte-sums-routine.ts';
import type { LaneBits } from './constant-division.ts';
import { pushMask } from './vector-conversions.ts';
import { emitDivision, isDivision } from './vector-division.ts';
import { applyMinMax, emitOnFloats, isHalfVector, pushLaneMask } from './vector-halves.ts';
import { scalarise, scalarOf } from './vector-lanes.ts';
import { emitByteProduct, emitUpperProduct, emitWideMultiple } from './vector-products.ts';
import { emitRotation, emitShift } from './vector-shifts.ts';

/** Pushes one part of a vector operation. */
export function emitVectorOperation(fc: FunctionCompiler, instruction: Arithmetic, part: number): void {
  if (emitCombined(fc, instruction, part) || emitNative(fc, instruction, part)) return;
  const order = instruction.op === 'select' ? [1, 2, 0] : instruction.operands.map((_, index) => index);
  const type = scalarOf(instruction.operands[0]!.type);
  scalarise(fc, instruction, part, order, () => applyScalar(fc, instruction, type));
}

function emitNative(fc: FunctionCompiler, instruction: Arithmetic, part: number): boolean {
  const { operands } = instruction;
  switch (instruction.op) {
    case 'unary':
      return emitUnary(fc, instruction.fn, operands[0]!, part);
    case 'binary':
      return emitBinary(fc, instruction.fn, operands as [Value, Value], part);
    case 'compare':
      return emitCompare(fc, instruction.fn, operands as [Value, Value], part);
    case 'select':
      emitSelect(fc, instruction, part);
      return true;
    case 'fma':
      return emitFma(fc, instruction, part);
  }
}

/** Where the engine has no exact one, it is computed lane by lane. */
function emitFma(fc: FunctionCompiler, { operands }: Arithmetic, part: number): boolean {
  const shape = floatShape(operands[0]!.type as VectorType);
  if (!shape || !fc.module.options.hasFma) return false;
  for (const operand of operands) fc.push(operand, part);
  fc.code.op(`${shape}.relaxed_madd`);
  return true;
}

/** What one instruction does together with what computes the operands. */
function emitCombined(fc: FunctionCompiler, instruction: Arithmetic, part: number): boolean {
  const combined = fc.plan.combined.get(instruction);
  if (!combined) return false;
  if (combined.name === 'andnot') {
    const { maskBits } = fc.info(instruction.results[0]!);
    for (const operand of combined.operands) {
      const isMask = (operand.type as VectorType).element.kind === 'bool';
      if (isMask) pushMask(fc, operand, maskBits, part);
      else fc.push(operand, part);
    }
    fc.code.op('v128.andnot');
    return true;
  }
  for (const operand of combined.operands) fc.push(operand, part);
  fc.code.op(`${floatShape(combined.operands[0].type as VectorType)!}.${combined.name}`);
  return true;
}

const floatUnary: Partial<Record<ir.UnaryFunction, string>> = {
  fneg: 'neg',
  fabs: 'abs',
  fsqrt: 'sqrt',
  ffloor: 'floor',
  fceil: 'ceil',
  ftrunc: 'trunc',
  frint: 'nearest',
};

/** The float shape of a vector, or undefined for halves and other elements. */
function floatShape(type: VectorType): 'f32x4' | 'f64x2' | undefined {
  if (type.element.kind !== 'float' || type.element.bits === 16) return undefined;
  return type.element.bits === 32 ? 'f32x4' : 'f64x2';
}

function emitUnary(fc: FunctionCompiler, fn: ir.UnaryFunction, x: Value, part: number): boolean {
  const type = x.type as VectorType;
  if (fn === 'not') {
    fc.push(x, part);
    fc.code.op('v128.not');
    return true;
  }
  if (fn === 'popcount') {
    return emitBitCounts(fc, elementBits(type), x, part);
  }
  const shape = floatShape(type);
  const name = floatUnary[fn];
  if (name && isHalfVector(type)) {
    if (fn === 'fneg' || fn === 'fabs') {
      fc.push(x, part);
      pushLaneMask(fc, fn === 'fneg' ? 0x8000 : 0x7fff);
      fc.code.op(fn === 'fneg' ? 'v128.xor' : 'v128.and');
    } else emitOnFloats(fc, [x], part, () => fc.code.op(`f32x4.${name}` as OpName));
    return true;
  }
  if (!shape || !name) return false;
  fc.push(x, part);
  fc.code.op(`${shape}.${name}` as OpName);
  return true;
}

/**
 * The bits of bytes, added up in pairs until lanes are as wide as they should be.
 * @returns false, having written nothing, where counting in two scalars is quicker than adding up the bytes of 64-bit lanes
 */
function emitBitCounts(fc: FunctionCompiler, bits: number, x: Value, part: number): boolean {
  const { code, module } = fc;
  if (bits === 64 && !module.options.ownRoutines?.has(byteSumsName)) return false;
  fc.push(x, part);
  code.op('i8x16.popcnt');
  if (bits === 64) {
    code.call(module.runtimeFunction(byteSumsName));
    return true;
  }
  if (bits > 8) code.op('i16x8.extadd_pairwise_i8x16_u');
  if (bits > 16) code.op('i32x4.extadd_pairwise_i16x8_u');
  return true;
}

const bitwise: Partial<Record<ir.BinaryFunction, OpName>> = {
  and: 'v128.and',
  or: 'v128.or',
  xor: 'v128.xor',
};

const floatBinary: Partial<Record<ir.BinaryFunction, 'add' | 'sub' | 'mul' | 'div'>> = {
  fadd: 'add',
  fsub: 'sub',
  fmul: 'mul',
  fdiv: 'div',
};

const minMax: Partial<Record<ir.BinaryFunction, string>> = {
  smin: 'min_s',
  smax: 'max_s',
  umin: 'min_u',
  umax: 'max_u',
};

function emitBinary(
  fc: FunctionCompiler,
  fn: ir.BinaryFunction,
  operands: readonly [Value, Value],
  part: number,
): boolean {
  const [a, b] = operands;
  const type = a.type as VectorType;
  const plain = (name: OpName): true => {
    pushBoth(fc, a, b, part);
    fc.code.op(name);
    return true;
  };
  const bits = bitwise[fn];
  if (bits) return plain(bits);
  if (isHalfVector(type)) return emitHalfBinary(fc, fn, a, b, part);
  if (type.element.kind === 'float') {
    const shape = floatShape(type);
    if (!shape) return false;
    const direct = floatBinary[fn];
    if (direct) return plain(`${shape}.${direct}`);
    if (fn === 'fcopysign') {
      pushBoth(fc, b, a, part);
      fc.code.v128(signMask(shape));
      fc.code.op('v128.bitselect');
      return true;
    }
    if (fn === 'fmin' || fn === 'fmax') {
      emitFloatMinMax(fc, fn, a, b, part);
      return true;
    }
    return false;
  }
  const shape = intShape(elementBits(type));
  if (isDivision(fn)) {
    const bits = elementBits(type);
    return bits !== 64 && emitDivision(fc, fn, a, b, bits as LaneBits, part);
  }
  switch (fn) {
    case 'iadd':
      return plain(`${shape}.add`);
    case 'isub':
      return plain(`${shape}.sub`);
    case 'imul':
      if (shape === 'i8x16') emitByteProduct(fc, a, b, part);
      else if (shape !== 'i64x2' || !emitWideMultiple(fc, a, b, part)) return plain(`${shape}.mul`);
      return true;
    case 'smulhi':
    case 'umulhi':
      if (shape !== 'i32x4') return false;
      emitUpperProduct(fc, fn === 'smulhi' ? 's' : 'u', a, b, part);
      return true;
    case 'rotl':
      return emitRotation(fc, shape, a, b, part);
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax':
      return shape === 'i64x2' ? false : plain(`${shape}.${minMax[fn]}` as OpName);
    case 'shl':
    case 'sshr':
    case 'ushr':
      return emitShift(fc, fn, shape, a, b, part);
    default:
      return false;
  }
}

function emitHalfBinary(
  fc: FunctionCompiler,
  fn: ir.BinaryFunction,
  a: Value,
  b: Value,
  part: number,
): boolean {
  const direct = floatBinary[fn];
  if (direct) emitOnFloats(fc, [a, b], part, () => fc.code.op(`f32x4.${direct}`));
  else if (fn === 'fmin' || fn === 'fmax') emitOnFloats(fc, [a, b], part, () => applyMinMax(fc, fn));
  else if (fn === 'fcopysign') {
    pushBoth(fc, b, a, part);
    pushLaneMask(fc, 0x8000);
    fc.code.op('v128.bitselect');
  } else return false;
  return true;
}

function pushBoth(fc: FunctionCompiler, a: Value, b: Value, part: number): void {
  fc.push(a, part);
  // Masks of different comparisons may differ in width; the first decides.
  if ((b.type as VectorType).element.kind === 'bool') pushMask(fc, b, fc.info(a).maskBits, part);
  else fc.push(b, part);
}

function signMask(shape: 'f32x4' | 'f64x2'): Uint8Array {
  const bytes = new Uint8Array(16);
  for (let at = shape === 'f32x4' ? 3 : 7; at < 16; at += shape === 'f32x4' ? 4 : 8) bytes[at] = 0x80;
  return bytes;
}

/** pmin gives a where b is NaN; where a is NaN the answer is b. */
function emitFloatMinMax(fc: FunctionCompiler, fn: 'fmin' | 'fmax', a: Value, b: Value, part: number): void {
  const { code } = fc;
  const shape = floatShape(a.type as VectorType)!;
  const name = `${shape}.${fn === 'fmin' ? 'pmin' : 'pmax'}` as const;
  // The first operand stays where the second is NaN, so all is well if it is a number. Which of two zeros stays does not matter.
  const inFront = isNumber(fc, a) ? a : isNumber(fc, b) ? b : undefined;
  if (inFront) {
    fc.push(inFront, part);
    fc.push(inFront === a ? b : a, part);
    code.op(name);
    return;
  }
  fc.withLocal(a, part, (x) =>
    fc.withLocal(b, part, (y) => {
      code.get(y);
      code.get(x);
      code.get(y);
      code.op(name);
      code.get(x);
      code.get(x);
      code.op(`${shape}.ne`);
      code.op('v128.bitselect');
    }),
  );
}

/** Whether it is a constant that has a number in every lane. */
function isNumber(fc: FunctionCompiler, value: Value): boolean {
  const definition = fc.definition(value);
  if (definition?.op !== 'constant') return false;
  return [definition.value].flat().every((lane) => !Number.isNaN(lane));
}

const compareNames = { ...intCompare, ...floatCompare };

function emitCompare(
  fc: FunctionCompiler,
  fn: ir.CompareFunction,
  operands: readonly [Value, Value],
  part: number,
): boolean {
  const [a, b] = operands;
  const type = a.type as VectorType;
  if (type.element.kind === 'bool') {
    pushBoth(fc, a, b, part);
    fc.code.op('v128.xor');
    if (fn === 'eq') fc.code.op('v128.not');
    return true;
  }
  const name = compareNames[fn];
  if (!isIntCompare(fn)) {
    const shape = floatShape(type);
    if (!shape) {
      emitOnFloats(fc, [a, b], part, () => fc.code.op(`f32x4.${name}` as OpName), true);
      return true;
    }
    pushBoth(fc, a, b, part);
    fc.code.op(`${shape}.${name}` as OpName);
    return true;
  }
  const shape = intShape(elementBits(type));
  if (shape === 'i64x2' && name.endsWith('_u')) return false;
  pushBoth(fc, a, b, part);
  fc.code.op(`${shape}.${name}` as OpName);
  return true;
}

function emitSelect(fc: FunctionCompiler, select: ir.Select, part: number): void {
  const [condition, a, b] = select.operands as [Value, Value, Value];
  const type = a.type as VectorType;
  const bits = type.element.kind === 'bool' ? fc.info(a).maskBits : elementBits(type);
  const kept =
    condition.type.kind !== 'vector' ? undefined : isZero(fc, b) ? a : isZero(fc, a) ? b : undefined;
  if (kept) {
    // The other is zero where this one is not wanted.
    if (type.element.kind === 'bool') pushMask(fc, kept, bits, part);
    else fc.push(kept, part);
    pushMask(fc, condition, bits, part);
    fc.code.op(kept === a ? 'v128.and' : 'v128.andnot');
    return;
  }
  pushBoth(fc, a, b, part);
  if (condition.type.kind !== 'vector') {
    // One condition for all lanes.
    fc.push(condition);
    fc.code.op('select');
    return;
  }
  pushMask(fc, condition, bits, part);
  fc.code.op('v128.bitselect');
}

/** Whether it is a constant of nothing but zero bits. */
function isZero(fc: FunctionCompiler, value: Value): boolean {
  const definition = fc.definition(value);
  if (definition?.op !== 'constant') return false;
  return [definition.value].flat().every((lane) => lane === 0n || lane === false || Object.is(lane, 0));
}
