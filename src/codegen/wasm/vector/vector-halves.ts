/** Vectors of half: four lanes at a time become floats, are computed with, and are rounded back. */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { VectorType } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import type { OpName } from '../module/opcodes.ts';
import { convertHalf } from '../scalar/half-functions.ts';

/** Halves in a v128. */
const lanesInPart = 8;

const upperHalf = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/** The low sixteen bits of the lanes of two vectors of four. */
const lowBits = [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29];

export function isHalfVector(type: VectorType): boolean {
  return type.element.kind === 'float' && type.element.bits === 16;
}

/** Pushes four lanes of a vector of half, lanes `4 * quad` and up, as floats. */
function pushWidened(fc: FunctionCompiler, value: Value, quad: number): void {
  fc.push(value, quad >> 1);
  widen(fc, (quad & 1) === 1);
}

/** Replaces eight halves on the stack by four of them as floats. */
function widen(fc: FunctionCompiler, upper: boolean): void {
  const { code } = fc;
  if (upper) {
    const halves = code.toTemporary('v128');
    code.get(halves);
    code.get(halves);
    code.shuffle(upperHalf);
    code.release(halves);
  }
  convertHalf(code, 'f16x4_to_f32x4');
}

/** Rounds four floats on the stack to halves, in the low bits of four lanes. */
function narrow(fc: FunctionCompiler): void {
  convertHalf(fc.code, 'f32x4_to_f16x4');
}

/** Pushes one part made of four lanes at a time, each in the low bits of a lane of 32; `pushQuad` pushes such four. */
function vectorPart(
  fc: FunctionCompiler,
  type: VectorType,
  part: number,
  pushQuad: (quad: number) => void,
): void {
  const { code } = fc;
  const first = part * 2;
  pushQuad(first);
  if (type.lanes - part * lanesInPart > 4) pushQuad(first + 1);
  else {
    const low = code.toTemporary('v128');
    code.get(low);
    code.get(low);
    code.release(low);
  }
  code.shuffle(lowBits);
}

/** Pushes one part of a vector of half; `pushFloats` pushes lanes `4 * quad` and up as floats, to be rounded. */
function pushNarrowed(
  fc: FunctionCompiler,
  type: VectorType,
  part: number,
  pushFloats: (quad: number) => void,
): void {
  vectorPart(fc, type, part, (quad) => {
    pushFloats(quad);
    narrow(fc);
  });
}

/** Pushes one part of an operation that is one on floats; `apply` replaces two (or one) vectors of float by the result. */
export function emitOnFloats(
  fc: FunctionCompiler,
  operands: readonly Value[],
  part: number,
  apply: () => void,
  isComparison = false,
): void {
  const type = operands[0]!.type as VectorType;
  const [a, b = a] = operands as [Value, Value?];
  fc.withLocal(a, part, (x) => {
    const both = (y: number): void => {
      vectorPart(fc, type, part, (quad) => {
        for (const local of operands.length > 1 ? [x, y] : [x]) {
          fc.code.get(local);
          widen(fc, (quad & 1) === 1);
        }
        apply();
        if (!isComparison) narrow(fc);
      });
    };
    if (b === a) both(x);
    else fc.withLocal(b, part, both);
  });
}

/** Bits that each lane is combined with: signs and magnitudes need no float. */
export function pushLaneMask(fc: FunctionCompiler, bits: number): void {
  const bytes = new Uint8Array(16);
  for (let at = 0; at < 16; at += 2) {
    bytes[at] = bits & 0xff;
    bytes[at + 1] = bits >> 8;
  }
  fc.code.v128(bytes);
}

/** The larger or smaller of two vectors of float on the stack; the other where one is NaN. */
export function applyMinMax(fc: FunctionCompiler, fn: 'fmin' | 'fmax'): void {
  const { code } = fc;
  const y = code.toTemporary('v128');
  const x = code.toTemporary('v128');
  code.get(y);
  code.get(x);
  code.get(y);
  code.op(fn === 'fmin' ? 'f32x4.pmin' : 'f32x4.pmax');
  code.get(x);
  code.get(x);
  code.op('f32x4.ne');
  code.op('v128.bitselect');
  code.release(x);
  code.release(y);
}

/** Conversions between halves and what has floats on the way; false for the others. */
export function emitHalfConversion(
  fc: FunctionCompiler,
  convert: ir.Convert,
  operand: Value,
  to: VectorType,
  part: number,
): boolean {
  const from = operand.type as VectorType;
  const { code } = fc;
  const isNearest = (convert.rounding ?? 'rte') === 'rte';
  if (convert.fn === 'fwiden' && isHalfVector(from)) {
    const isSingle = to.element.kind === 'float' && to.element.bits === 32;
    pushWidened(fc, operand, isSingle ? part : part >> 1);
    if (isSingle) return true;
    if (part % 2 === 1) {
      const floats = code.toTemporary('v128');
      code.get(floats);
      code.get(floats);
      code.shuffle(upperHalf);
      code.release(floats);
    }
    code.op('f64x2.promote_low_f32x4');
    return true;
  }
  if (convert.fn === 'fnarrow' && isHalfVector(to) && isNearest) {
    if (from.element.kind !== 'float' || from.element.bits !== 32) return false;
    pushNarrowed(fc, to, part, (quad) => fc.push(operand, quad));
    return true;
  }
  if ((convert.fn === 'stof' || convert.fn === 'utof') && isHalfVector(to) && isNearest) {
    if (from.element.kind !== 'int') return false;
    const { bits } = from.element;
    const sign = convert.fn === 'stof' ? 's' : 'u';
    // Integers below the largest half are exact floats, and those above are infinite either way.
    if (bits === 32) {
      pushNarrowed(fc, to, part, (quad) => {
        fc.push(operand, quad);
        code.op(`f32x4.convert_i32x4_${sign}`);
      });
      return true;
    }
    if (bits !== 16) return false;
    fc.withLocal(operand, part, (integers) => {
      pushNarrowed(fc, to, part, (quad) => {
        code.get(integers);
        code.op(`i32x4.extend_${quad & 1 ? 'high' : 'low'}_i16x8_${sign}` as OpName);
        code.op(`f32x4.convert_i32x4_${sign}`);
      });
    });
    return true;
  }
  return false;
}
