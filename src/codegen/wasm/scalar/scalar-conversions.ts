/**
 * Conversions of scalars, with every rounding mode and saturation. As in `scalar-operations.ts` the work is done on
 * the stack, so that lanes of vectors can use it.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FloatType, IntType, Type } from '../../../ir/types.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { wasmTypeOf } from '../kernel/value-layout.ts';
import { roundingCodes } from '../module/runtime-functions.ts';
import { convertHalf } from './half-functions.ts';
import { signExtend, zeroExtend } from './scalar-operations.ts';

/** Pushes the result of a scalar conversion. */
export function emitConvert(fc: FunctionCompiler, convert: ir.Convert): void {
  const operand = convert.operands[0]!;
  const { type } = convert.results[0]!;
  if ((convert.fn === 'sext' || convert.fn === 'zext') && pushExtended(fc, convert.fn, operand, type)) return;
  fc.push(operand);
  applyConvert(fc, convert, operand.type, type);
}

/** Extensions of deferred narrow loads and truncations need no step between. */
function pushExtended(fc: FunctionCompiler, fn: 'sext' | 'zext', operand: Value, type: Type): boolean {
  const definition = fc.pendingDefinition(operand);
  if (!definition || operand.type.kind !== 'int') return false;
  const { bits } = operand.type;
  const suffix = fn === 'sext' ? 's' : 'u';
  const wasm = wasmTypeOf(type) as 'i32' | 'i64';
  if (definition.op === 'load' && (bits < 32 || wasm === 'i64')) {
    fc.takePending(fc.info(operand));
    const offset = fc.pushAddress(definition.operands[0]!);
    const name =
      bits === 32 ? (`i64.load32_${suffix}` as const) : (`${wasm}.load${bits as 8 | 16}_${suffix}` as const);
    fc.code.access = definition;
    fc.code.memory(name, offset, Math.min(definition.align, bits / 8));
    fc.code.access = undefined;
    fc.releaseOperands(definition);
    signExtend(fc.code, type);
    return true;
  }
  const isTruncation = definition.op === 'convert' && definition.fn === 'trunc';
  if (isTruncation && fn === 'zext' && bits < 32 && wasmTypeOf(definition.operands[0]!.type) === 'i32') {
    fc.takePending(fc.info(operand));
    fc.push(definition.operands[0]!);
    fc.releaseOperands(definition);
    zeroExtend(fc.code, operand.type);
    if (wasm === 'i64') fc.code.op('i64.extend_i32_u');
    return true;
  }
  return false;
}

/** Replaces the operand on the stack by its conversion. */
export function applyConvert(fc: FunctionCompiler, convert: ir.Convert, from: Type, to: Type): void {
  const { code } = fc;
  switch (convert.fn) {
    case 'sext':
    case 'zext':
      applyExtension(fc, convert.fn, from, to);
      return;
    case 'trunc':
      if (wasmTypeOf(from) === 'i64' && wasmTypeOf(to) === 'i32') code.op('i32.wrap_i64');
      signExtend(code, to);
      return;
    case 'stof':
    case 'utof':
      intToFloat(fc, convert.fn === 'stof', from, to as FloatType, convert.rounding ?? 'rte');
      return;
    case 'ftos':
    case 'ftou':
      floatToInt(fc, convert, from as FloatType, to as IntType);
      return;
    case 'fwiden':
      if ((from as FloatType).bits === 16) convertHalf(code, 'f16_to_f32');
      if ((to as FloatType).bits === 64) code.op('f64.promote_f32');
      return;
    case 'fnarrow':
      if ((from as FloatType).bits === 32 && (to as FloatType).bits === 16 && isNearest(convert)) {
        convertHalf(code, 'f32_to_f16');
        return;
      }
      if ((from as FloatType).bits === 32) code.op('f64.promote_f32');
      doubleTo(fc, to as FloatType, convert.rounding ?? 'rte');
      return;
    case 'bitcast':
      applyBitcast(fc, from, to);
      return;
    case 'ptoi':
    case 'itop':
    case 'space':
      return;
  }
}

function applyExtension(fc: FunctionCompiler, fn: 'sext' | 'zext', from: Type, to: Type): void {
  const { code } = fc;
  const isWide = wasmTypeOf(to) === 'i64' && wasmTypeOf(from) === 'i32';
  if (from.kind === 'bool') {
    if (fn === 'sext') {
      const truth = code.toTemporary('i32');
      code.i32(0);
      code.get(truth);
      code.op('i32.sub');
      code.release(truth);
    }
  } else if (fn === 'zext') zeroExtend(code, from);
  if (isWide) code.op(fn === 'sext' ? 'i64.extend_i32_s' : 'i64.extend_i32_u');
}

function applyBitcast(fc: FunctionCompiler, from: Type, to: Type): void {
  const pair = `${wasmTypeOf(from)}>${wasmTypeOf(to)}`;
  if (pair === 'i32>f32') fc.code.op('f32.reinterpret_i32');
  else if (pair === 'f32>i32') fc.code.op('i32.reinterpret_f32');
  else if (pair === 'i64>f64') fc.code.op('f64.reinterpret_i64');
  else if (pair === 'f64>i64') fc.code.op('i64.reinterpret_f64');
}

function isNearest({ rounding = 'rte' }: ir.Convert): boolean {
  return rounding === 'rte';
}

/** f64 on the stack to a narrower float. */
function doubleTo(fc: FunctionCompiler, to: FloatType, rounding: ir.RoundingMode): void {
  const { code } = fc;
  if (to.bits === 64) return;
  if (to.bits === 32 && rounding === 'rte') {
    code.op('f32.demote_f64');
    return;
  }
  code.i32(roundingCodes[rounding]);
  code.call(fc.module.runtimeFunction(to.bits === 32 ? 'f64_to_f32' : 'f64_to_f16'));
}

function intToFloat(
  fc: FunctionCompiler,
  isSigned: boolean,
  from: Type,
  to: FloatType,
  rounding: ir.RoundingMode,
): void {
  const { code } = fc;
  const sign = isSigned ? 's' : 'u';
  if (!isSigned) zeroExtend(code, from);
  const isLong = wasmTypeOf(from) === 'i64';
  if (to.bits !== 16 && rounding === 'rte') {
    code.op(`f${to.bits}.convert_${isLong ? 'i64' : 'i32'}_${sign}`);
    return;
  }
  if (rounding === 'rte') {
    // Integers below the largest half are exact floats, and those above are infinite either way.
    code.op(`f32.convert_${isLong ? 'i64' : 'i32'}_${sign}`);
    convertHalf(code, 'f32_to_f16');
    return;
  }
  if (!isLong) {
    // Exact in double; then one rounding.
    code.op(`f64.convert_i32_${sign}`);
    doubleTo(fc, to, rounding);
    return;
  }
  if (to.bits === 16) {
    // What double cannot hold exactly is far beyond the largest half.
    code.op(`f64.convert_i64_${sign}`);
    doubleTo(fc, to, rounding);
    return;
  }
  if (isSigned) {
    code.i32(roundingCodes[rounding]);
    code.call(fc.module.runtimeFunction(`s64_to_f${to.bits}`));
  } else {
    code.i32(rounding === 'rtp' ? 1 : 0);
    code.call(fc.module.runtimeFunction(`u64_to_f${to.bits}`));
  }
}

const roundingInstructions = { rte: 'nearest', rtp: 'ceil', rtn: 'floor' } as const;

function floatToInt(fc: FunctionCompiler, convert: ir.Convert, from: FloatType, to: IntType): void {
  const { code } = fc;
  if (from.bits === 16) convertHalf(code, 'f16_to_f32');
  const float = from.bits === 64 ? 'f64' : 'f32';
  const rounding = convert.rounding ?? 'rtz';
  if (rounding !== 'rtz') code.op(`${float}.${roundingInstructions[rounding]}`);
  const int = to.bits === 64 ? 'i64' : 'i32';
  const isSigned = convert.fn === 'ftos';
  code.op(`${int}.trunc_sat_${float}_${isSigned ? 's' : 'u'}`);
  if (to.bits >= 32) return;
  if (convert.saturate) {
    const limit = 2 ** (isSigned ? to.bits - 1 : to.bits);
    clamp(fc, limit - 1, isSigned ? 'i32.lt_s' : 'i32.lt_u');
    if (isSigned) clamp(fc, -limit, 'i32.gt_s');
  }
  signExtend(code, to);
}

function clamp(fc: FunctionCompiler, limit: number, within: 'i32.lt_s' | 'i32.lt_u' | 'i32.gt_s'): void {
  const { code } = fc;
  const x = code.toTemporary('i32');
  code.get(x);
  code.i32(limit);
  code.get(x);
  code.i32(limit);
  code.op(within);
  code.op('select');
  code.release(x);
}
