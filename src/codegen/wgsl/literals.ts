/** Constants as WGSL text. What WGSL refuses as a constant (infinity, NaN) or may flush (denormals) goes through its bits. */

import { bitsOfHalf } from '../../ir/half.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { built } from './types.ts';

const view = new DataView(new ArrayBuffer(8));
const leastNormal = 2 ** -126;

/** @param use names a function of the runtime that the text calls */
export function literal(type: Type, value: ir.Constant['value'], use: (name: 'f32_of_bits') => void): string {
  const element = elementOf(type);
  const one = (each: number | bigint | boolean): string => {
    if (element.kind === 'bool') return each ? 'true' : 'false';
    if (element.kind === 'float' && element.bits === 32) return floatLiteral(Number(each), use);
    if (element.kind === 'float' && element.bits === 16) return `${bitsOfHalf(Number(each))}u`;
    if (element.kind === 'float') {
      view.setFloat64(0, Number(each), true);
      return pair(view.getBigUint64(0, true));
    }
    if (element.kind === 'int' && element.bits === 64) return pair(BigInt.asUintN(64, BigInt(each)));
    const bits = element.kind === 'int' ? element.bits : 32;
    return unsignedLiteral(Number(BigInt.asUintN(bits, BigInt(each))));
  };
  return Array.isArray(value) ? built(type, value.map(one)) : one(value as number | bigint | boolean);
}

export function unsignedLiteral(value: number): string {
  return value > 0xffff ? `0x${value.toString(16)}u` : `${value}u`;
}

function pair(bits: bigint): string {
  return `vec2<u32>(${unsignedLiteral(Number(bits & 0xffff_ffffn))}, ${unsignedLiteral(Number(bits >> 32n))})`;
}

function floatLiteral(value: number, use: (name: 'f32_of_bits') => void): string {
  if (Number.isFinite(value) && (Math.abs(value) >= leastNormal || Object.is(value, 0))) {
    const text = String(value);
    return /[.e]/.test(text) ? `${text}f` : `${text}.0f`;
  }
  view.setFloat32(0, value, true);
  use('f32_of_bits');
  return `f32_of_bits(${unsignedLiteral(view.getUint32(0, true))})`;
}
