/**
 * Arithmetic on scalars. Each operation is written for operands that lie on the wasm stack, so that the same code
 * serves scalar values and single lanes of vectors that have no vector instruction. i8, i16 and f16 come and go in
 * the sign-extended form of `value-layout.ts`; f16 is computed in f32, which rounds correctly for one operation.
 */
import { oppositeOf } from '../../../ir/comparisons.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { Type } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { wasmTypeOf } from '../kernel/value-layout.ts';
import type { CodeWriter } from '../module/code-writer.ts';
import { convertHalf } from './half-functions.ts';

/** The instructions whose lanes or scalars this file computes. */
export type Arithmetic = ir.Unary | ir.Binary | ir.FusedMultiplyAdd | ir.Compare | ir.Select;

/** Pushes the result of a scalar instruction. */
export function emitScalar(fc: FunctionCompiler, instruction: Arithmetic): void {
  const { operands } = instruction;
  if (instruction.op === 'compare' && pushCompareWithZero(fc, instruction)) return;
  if (instruction.op === 'select') {
    fc.push(operands[1]!);
    fc.push(operands[2]!);
    pushCondition(fc, operands[0]!, false);
    fc.code.op('select');
    return;
  }
  if (instruction.op === 'fma' && emitFma(fc, instruction)) return;
  for (const operand of operands) fc.push(operand);
  applyScalar(fc, instruction, operands[0]!.type);
}

/** In the first lane of vectors, where the engine has an exact one: it has none for scalars. */
function emitFma(fc: FunctionCompiler, { operands }: Arithmetic): boolean {
  const { bits } = operands[0]!.type as { bits: number };
  const { hasFma, ownRoutines } = fc.module.options;
  if (bits === 16 || !hasFma || ownRoutines?.has(`fma_f${bits}`)) return false;
  const shape = bits === 32 ? 'f32x4' : 'f64x2';
  for (const operand of operands) {
    fc.push(operand);
    fc.code.op(`${shape}.splat`);
  }
  fc.code.op(`${shape}.relaxed_madd`);
  fc.code.lane(`${shape}.extract_lane`, 0);
  return true;
}

/** Replaces the operands on the stack (select: a, b, condition) by the result; `type` is that of the first. */
export function applyScalar(fc: FunctionCompiler, instruction: Arithmetic, type: Type): void {
  switch (instruction.op) {
    case 'unary':
      applyUnary(fc, instruction.fn, type);
      return;
    case 'binary':
      applyBinary(fc, instruction.fn, type, divisorIsSafe(fc, instruction.operands[1]!));
      return;
    case 'compare':
      applyCompare(fc, instruction.fn, type);
      return;
    case 'fma':
      fc.code.call(fc.module.runtimeFunction(`fma_f${(type as { bits: number }).bits}`));
      return;
    case 'select':
      fc.code.op('select');
  }
}

/** Whether a divisor is known to be neither zero nor minus one, in every lane. */
function divisorIsSafe(fc: FunctionCompiler, divisor: Value): boolean {
  const definition = fc.definition(divisor);
  if (definition?.op !== 'constant') return false;
  const lanes = Array.isArray(definition.value) ? definition.value : [definition.value];
  return lanes.every((one) => Number(one) !== 0 && Number(one) !== -1);
}

function narrowBits(type: Type): 8 | 16 | undefined {
  return type.kind === 'int' && type.bits < 32 ? (type.bits as 8 | 16) : undefined;
}

/** Brings an i32 on the stack back to the sign-extended form of a narrow type. */
export function signExtend(code: CodeWriter, type: Type): void {
  const bits = narrowBits(type);
  if (bits) code.op(bits === 8 ? 'i32.extend8_s' : 'i32.extend16_s');
}

/** Clears the bits above a narrow type. */
export function zeroExtend(code: CodeWriter, type: Type): void {
  const bits = narrowBits(type);
  if (!bits) return;
  code.i32(bits === 8 ? 0xff : 0xffff);
  code.op('i32.and');
}

const isHalf = (type: Type): boolean => type.kind === 'float' && type.bits === 16;

function halfToSingle(fc: FunctionCompiler): void {
  convertHalf(fc.code, 'f16_to_f32');
}

function singleToHalf(fc: FunctionCompiler): void {
  convertHalf(fc.code, 'f32_to_f16');
}

function constant(code: CodeWriter, wasm: 'i32' | 'i64', value: number): void {
  if (wasm === 'i32') code.i32(value);
  else code.i64(BigInt(value));
}

const floatUnary = {
  fneg: 'neg',
  fabs: 'abs',
  fsqrt: 'sqrt',
  ffloor: 'floor',
  fceil: 'ceil',
  ftrunc: 'trunc',
  frint: 'nearest',
} as const;

function applyUnary(fc: FunctionCompiler, fn: ir.UnaryFunction, type: Type): void {
  const { code } = fc;
  const wasm = wasmTypeOf(type) as 'i32' | 'i64' | 'f32' | 'f64';
  switch (fn) {
    case 'not':
      if (type.kind === 'bool') code.op('i32.eqz');
      else {
        constant(code, wasm as 'i32', -1);
        code.op(`${wasm as 'i32' | 'i64'}.xor`);
      }
      return;
    case 'clz':
    case 'ctz':
    case 'popcount': {
      const int = wasm as 'i32' | 'i64';
      const bits = narrowBits(type);
      if (bits && fn === 'ctz') {
        code.i32(1 << bits);
        code.op('i32.or');
      } else zeroExtend(code, type);
      code.op(fn === 'popcount' ? `${int}.popcnt` : `${int}.${fn}`);
      if (bits && fn === 'clz') {
        code.i32(32 - bits);
        code.op('i32.sub');
      }
      return;
    }
    default:
      if (!isHalf(type)) {
        code.op(`${wasm as 'f32' | 'f64'}.${floatUnary[fn]}`);
        return;
      }
      if (fn === 'fneg' || fn === 'fabs') {
        code.i32(fn === 'fneg' ? -0x8000 : 0x7fff);
        code.op(fn === 'fneg' ? 'i32.xor' : 'i32.and');
        return;
      }
      halfToSingle(fc);
      code.op(`f32.${floatUnary[fn]}`);
      singleToHalf(fc);
  }
}

function applyBinary(fc: FunctionCompiler, fn: ir.BinaryFunction, type: Type, safeDivisor: boolean): void {
  if (type.kind === 'float') applyFloatBinary(fc, fn, type);
  else applyIntBinary(fc, fn, type, safeDivisor);
}

function applyFloatBinary(fc: FunctionCompiler, fn: ir.BinaryFunction, type: Type): void {
  const { code } = fc;
  if (isHalf(type)) {
    if (fn === 'fcopysign') {
      code.i32(-0x8000);
      code.op('i32.and');
      const sign = code.toTemporary('i32');
      code.i32(0x7fff);
      code.op('i32.and');
      code.get(sign);
      code.op('i32.or');
      code.release(sign);
      return;
    }
    const b = code.toTemporary('i32');
    halfToSingle(fc);
    code.get(b);
    halfToSingle(fc);
    code.release(b);
    applyFloat(code, fn, 'f32');
    singleToHalf(fc);
    return;
  }
  applyFloat(code, fn, wasmTypeOf(type) as 'f32' | 'f64');
}

const floatBinary: Partial<Record<ir.BinaryFunction, 'add' | 'sub' | 'mul' | 'div' | 'copysign'>> = {
  fadd: 'add',
  fsub: 'sub',
  fmul: 'mul',
  fdiv: 'div',
  fcopysign: 'copysign',
};

function applyFloat(code: CodeWriter, fn: ir.BinaryFunction, wasm: 'f32' | 'f64'): void {
  const direct = floatBinary[fn];
  if (direct) {
    code.op(`${wasm}.${direct}`);
    return;
  }
  // b where b is the lesser (greater) or a is NaN, else a: a NaN in b compares false and leaves a.
  const b = code.toTemporary(wasm);
  const a = code.toTemporary(wasm);
  code.get(b);
  code.get(a);
  code.get(b);
  code.get(a);
  code.op(fn === 'fmin' ? `${wasm}.lt` : `${wasm}.gt`);
  code.get(a);
  code.get(a);
  code.op(`${wasm}.ne`);
  code.op('i32.or');
  code.op('select');
  code.release(a);
  code.release(b);
}

const intBinary: Partial<Record<ir.BinaryFunction, 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor'>> = {
  iadd: 'add',
  isub: 'sub',
  imul: 'mul',
  and: 'and',
  or: 'or',
  xor: 'xor',
};

function applyIntBinary(fc: FunctionCompiler, fn: ir.BinaryFunction, type: Type, safeDivisor: boolean): void {
  const { code } = fc;
  const int = wasmTypeOf(type) as 'i32' | 'i64';
  const bits = narrowBits(type);
  const direct = intBinary[fn];
  if (direct) {
    code.op(`${int}.${direct}`);
    if (direct === 'add' || direct === 'sub' || direct === 'mul') signExtend(code, type);
    return;
  }
  switch (fn) {
    case 'sdiv':
    case 'srem':
    case 'udiv':
    case 'urem':
      applyDivision(code, fn, type, int, safeDivisor);
      return;
    case 'shl':
    case 'sshr':
    case 'ushr':
      if (bits) {
        code.i32(bits - 1);
        code.op('i32.and');
        if (fn === 'ushr') onSecond(code, int, () => zeroExtend(code, type));
      }
      code.op(fn === 'shl' ? `${int}.shl` : fn === 'sshr' ? `${int}.shr_s` : `${int}.shr_u`);
      if (fn !== 'sshr') signExtend(code, type);
      return;
    case 'rotl': {
      if (!bits) {
        code.op(`${int}.rotl`);
        return;
      }
      code.i32(bits - 1);
      code.op('i32.and');
      const count = code.toTemporary('i32');
      zeroExtend(code, type);
      const x = code.toTemporary('i32');
      code.get(x);
      code.get(count);
      code.op('i32.shl');
      code.get(x);
      code.i32(bits);
      code.get(count);
      code.op('i32.sub');
      code.op('i32.shr_u');
      code.op('i32.or');
      signExtend(code, type);
      code.release(x);
      code.release(count);
      return;
    }
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax': {
      // Sign extension keeps the unsigned order too, so narrow types need no preparation.
      const b = code.toTemporary(int);
      const a = code.toTemporary(int);
      code.get(a);
      code.get(b);
      code.get(a);
      code.get(b);
      const compare = fn.endsWith('min') ? 'lt' : 'gt';
      code.op(fn.startsWith('s') ? `${int}.${compare}_s` : `${int}.${compare}_u`);
      code.op('select');
      code.release(a);
      code.release(b);
      return;
    }
    case 'smulhi':
    case 'umulhi':
      applyMultiplyHigh(fc, fn, type);
      return;
    default:
      throw new Error(`codegen: ${fn} is not an integer operation`);
  }
}

/** Applies `body` to the second value from the top. */
function onSecond(code: CodeWriter, int: 'i32' | 'i64', body: () => void): void {
  const top = code.toTemporary(int);
  body();
  code.get(top);
  code.release(top);
}

/** WebAssembly traps where the IR says "any value": divisors that would are replaced by one. */
function applyDivision(
  code: CodeWriter,
  fn: 'sdiv' | 'srem' | 'udiv' | 'urem',
  type: Type,
  int: 'i32' | 'i64',
  safeDivisor: boolean,
): void {
  const isSigned = fn === 'sdiv' || fn === 'srem';
  const isNarrow = narrowBits(type) !== undefined;
  if (!isSigned && isNarrow) {
    zeroExtend(code, type);
    onSecond(code, int, () => zeroExtend(code, type));
  }
  if (!safeDivisor) {
    const b = code.toTemporary(int);
    if (fn === 'sdiv' && !isNarrow) {
      const a = code.toTemporary(int);
      code.get(a);
      constant(code, int, 1);
      code.get(b);
      code.get(b);
      code.op(`${int}.eqz`);
      code.get(b);
      constant(code, int, -1);
      code.op(`${int}.eq`);
      code.get(a);
      if (int === 'i32') code.i32(-0x80000000);
      else code.i64(-0x8000000000000000n);
      code.op(`${int}.eq`);
      code.op('i32.and');
      code.op('i32.or');
      code.op('select');
      code.release(a);
    } else {
      code.get(b);
      constant(code, int, 1);
      code.get(b);
      if (int === 'i64') {
        constant(code, int, 0);
        code.op('i64.ne');
      }
      code.op('select');
    }
    code.release(b);
  }
  const operation = fn.endsWith('div') ? 'div' : 'rem';
  code.op(isSigned ? `${int}.${operation}_s` : `${int}.${operation}_u`);
  signExtend(code, type);
}

function applyMultiplyHigh(fc: FunctionCompiler, fn: 'smulhi' | 'umulhi', type: Type): void {
  const { code } = fc;
  const bits = (type as { bits: number }).bits;
  if (bits === 64) {
    code.call(fc.module.runtimeFunction(`${fn}64`));
    return;
  }
  const isSigned = fn === 'smulhi';
  if (bits === 32) {
    const extend = isSigned ? 'i64.extend_i32_s' : 'i64.extend_i32_u';
    const b = code.toTemporary('i32');
    code.op(extend);
    code.get(b);
    code.op(extend);
    code.op('i64.mul');
    code.i64(32n);
    code.op('i64.shr_u');
    code.op('i32.wrap_i64');
    code.release(b);
    return;
  }
  if (!isSigned) {
    zeroExtend(code, type);
    onSecond(code, 'i32', () => zeroExtend(code, type));
  }
  code.op('i32.mul');
  code.i32(bits);
  code.op(isSigned ? 'i32.shr_s' : 'i32.shr_u');
  signExtend(code, type);
}

/** The WebAssembly operator, behind its type, of each comparison of integers. */
export const intCompare = {
  eq: 'eq',
  ne: 'ne',
  slt: 'lt_s',
  sle: 'le_s',
  sgt: 'gt_s',
  sge: 'ge_s',
  ult: 'lt_u',
  ule: 'le_u',
  ugt: 'gt_u',
  uge: 'ge_u',
} as const;

/** And of floats. */
export const floatCompare = { feq: 'eq', fne: 'ne', flt: 'lt', fle: 'le', fgt: 'gt', fge: 'ge' } as const;

type IntCompare = keyof typeof intCompare;

/** Whether the comparison is one of integers (or pointers). */
export function isIntCompare(fn: ir.CompareFunction): fn is IntCompare {
  return Object.hasOwn(intCompare, fn);
}

function applyCompare(fc: FunctionCompiler, fn: ir.CompareFunction, type: Type): void {
  const { code } = fc;
  const wasm = wasmTypeOf(type);
  if (isIntCompare(fn)) {
    code.op(`${wasm as 'i32' | 'i64'}.${intCompare[fn]}`);
    return;
  }
  if (isHalf(type)) {
    const b = code.toTemporary('i32');
    halfToSingle(fc);
    code.get(b);
    halfToSingle(fc);
    code.release(b);
  }
  code.op(`${wasm === 'f64' ? 'f64' : 'f32'}.${floatCompare[fn]}`);
}

function isZero(fc: FunctionCompiler, value: Value): boolean {
  const definition = fc.definition(value);
  return definition?.op === 'constant' && !Array.isArray(definition.value) && Number(definition.value) === 0;
}

/** x == 0 has an instruction of its own. */
function pushCompareWithZero(fc: FunctionCompiler, compare: ir.Compare): boolean {
  const [a, b] = compare.operands as [Value, Value];
  if (compare.fn !== 'eq' || !isZero(fc, b)) return false;
  fc.push(a);
  fc.code.op(wasmTypeOf(a.type) === 'i64' ? 'i64.eqz' : 'i32.eqz');
  return true;
}

/** Pushes a truth value, or its opposite, for a branch or a select: any other than 0 counts as true. */
export function pushCondition(fc: FunctionCompiler, value: Value, negate: boolean): void {
  const definition = fc.pendingDefinition(value);
  if (definition?.op === 'unary' && definition.fn === 'not') {
    fc.takePending(fc.info(value));
    pushCondition(fc, definition.operands[0]!, !negate);
    fc.releaseOperands(definition);
    return;
  }
  if (definition?.op === 'compare' && isIntCompare(definition.fn)) {
    const fn = negate ? oppositeOf(definition.fn)! : definition.fn;
    const [a, b] = definition.operands as [Value, Value];
    const isLong = wasmTypeOf(a.type) === 'i64';
    fc.takePending(fc.info(value));
    fc.push(a);
    if (isZero(fc, b) && fn === 'eq') fc.code.op(isLong ? 'i64.eqz' : 'i32.eqz');
    else if (!(isZero(fc, b) && fn === 'ne' && !isLong)) {
      fc.push(b);
      applyCompare(fc, fn, a.type);
    }
    fc.releaseOperands(definition);
    return;
  }
  fc.push(value);
  if (negate) fc.code.op('i32.eqz');
}
