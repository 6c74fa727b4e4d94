/**
 * What one call of printf prints: the meaning of the IR's `printf`, the same for all devices. Values come in the form
 * in which the interpreter holds them, and the result is a string of bytes, as formats are.
 */
import type { RuntimeValue, Scalar } from '../interpreter/values.ts';
import { elementOf, type Type } from '../types.ts';
import { floatText } from './float-text.ts';
import { type Conversion, type FormatPiece, floatSpecifiers, integerSpecifiers } from './format.ts';

/** One argument. Integers are in the signed reading, pointers numbers. */
export interface PrintfValue {
  readonly type: Type;
  readonly value: RuntimeValue;
}

/** Reads the bytes of a string up to its end; undefined where there is none. */
export type StringReader = (address: number) => string | undefined;

/** The text of a call. Arguments that the format does not ask for are left out; missing ones print nothing. */
export function printfText(
  pieces: readonly FormatPiece[],
  values: readonly PrintfValue[],
  readString: StringReader,
): string {
  let text = '';
  let next = 0;
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      text += piece.text;
      continue;
    }
    const argument = values[next];
    next += 1;
    if (argument) text += argumentText(piece, argument, readString);
  }
  return text;
}

function argumentText(
  conversion: Conversion,
  { type, value }: PrintfValue,
  readString: StringReader,
): string {
  const lanes: readonly Scalar[] = typeof value === 'object' ? value : [value];
  const shown = conversion.lanes === 1 ? lanes.slice(0, 1) : lanes.slice(0, conversion.lanes);
  return shown.map((lane) => laneText(conversion, elementOf(type), lane, readString)).join(',');
}

function laneText(conversion: Conversion, type: Type, value: Scalar, readString: StringReader): string {
  const { specifier } = conversion;
  if (integerSpecifiers.includes(specifier)) return integerText(conversion, type, value);
  if (floatSpecifiers.includes(specifier)) return floatingText(conversion, Number(value));
  if (specifier === 'c') return pad(conversion, '', String.fromCharCode(Number(toInteger(value) & 0xffn)));
  if (specifier === 'p') {
    const address = BigInt.asUintN(64, toInteger(value));
    return pad(conversion, '', address === 0n ? '(nil)' : `0x${address.toString(16)}`);
  }
  // Only strings in constant memory are still what they were when the text is made.
  const isConstant = type.kind === 'pointer' && type.space === 'constant';
  const whole = isConstant ? readString(Number(value)) : '(not a string)';
  return pad(conversion, '', (whole ?? '(null)').slice(0, conversion.precision));
}

function toInteger(value: Scalar): bigint {
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
  return BigInt(value);
}

function integerText(conversion: Conversion, type: Type, value: Scalar): string {
  const { flags, length, specifier } = conversion;
  const own = type.kind === 'int' ? type.bits : 64;
  const bits = length === 'hh' ? 8 : length === 'h' ? 16 : own;
  const isSigned = specifier === 'd' || specifier === 'i';
  const given = toInteger(value);
  const number = isSigned ? BigInt.asIntN(bits, given) : BigInt.asUintN(bits, given);
  const radix = specifier === 'o' ? 8 : specifier === 'x' || specifier === 'X' ? 16 : 10;
  let digits = (number < 0n ? -number : number).toString(radix);
  if (conversion.precision !== undefined) {
    digits = number === 0n && conversion.precision === 0 ? '' : digits.padStart(conversion.precision, '0');
  }
  let prefix = isSigned ? signText(number < 0n, flags) : '';
  if (flags.includes('#')) {
    if (specifier === 'o' && !digits.startsWith('0')) digits = `0${digits}`;
    if (radix === 16 && number !== 0n) prefix = '0x';
  }
  const text = pad(conversion, prefix, digits, conversion.precision === undefined);
  return specifier === 'X' ? text.toUpperCase() : text;
}

function floatingText(conversion: Conversion, value: number): string {
  const { flags, precision, specifier } = conversion;
  const style = specifier.toLowerCase() as 'f' | 'e' | 'g' | 'a';
  const digits = floatText(value, { style, precision, alternate: flags.includes('#') });
  const isHexadecimal = digits.startsWith('0x');
  const prefix = signText(value < 0 || Object.is(value, -0), flags) + (isHexadecimal ? '0x' : '');
  const text = pad(conversion, prefix, isHexadecimal ? digits.slice(2) : digits, Number.isFinite(value));
  return specifier === style ? text : text.toUpperCase();
}

function signText(isNegative: boolean, flags: string): string {
  if (isNegative) return '-';
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

/** To the width: spaces before, with flag `-` after, with flag `0` zeros between the sign and the digits. */
function pad({ flags, width }: Conversion, prefix: string, digits: string, mayTakeZeros = false): string {
  if (flags.includes('-')) return (prefix + digits).padEnd(width);
  if (mayTakeZeros && flags.includes('0')) return prefix + digits.padStart(width - prefix.length, '0');
  return (prefix + digits).padStart(width);
}
