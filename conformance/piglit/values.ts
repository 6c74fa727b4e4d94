/** The values in a test: read into bytes for the device, and compared with what came back. */
import { halfToNumber, numberToHalf } from '../support/half.ts';

const elementSizes = {
  bool: 1,
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  long: 8,
  ulong: 8,
  half: 2,
  float: 4,
  double: 8,
} as const;

export type ElementName = keyof typeof elementSizes;

/** `float3[8]`: three values an element, which in memory takes four places. */
export interface ValueShape {
  readonly element: ElementName;
  readonly lanes: number;
  readonly places: number;
  readonly length: number;
}

export interface Tolerance {
  readonly amount: number;
  readonly inUlps: boolean;
}

/** Reads `int`, `float4` or `float4[8]`. */
export function readShape(text: string): ValueShape {
  const match = /^([a-z_]+?)(\d+)?(?:\[(\d+)\])?$/.exec(text.replace(/^size_t/, 'uint'));
  const element = match?.[1] ?? '';
  if (!match || !Object.hasOwn(elementSizes, element)) throw new Error(`unknown type '${text}'`);
  const lanes = Number(match[2] ?? 1);
  return {
    element: element as ElementName,
    lanes,
    places: lanes === 3 ? 4 : lanes,
    length: Number(match[3] ?? 1),
  };
}

export function byteLength(shape: ValueShape): number {
  return shape.length * shape.places * elementSizes[shape.element];
}

function isFloating(element: ElementName): element is 'half' | 'float' | 'double' {
  return element === 'half' || element === 'float' || element === 'double';
}

const hexFloat = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)$/i;

function readNumber(word: string): number {
  const plain = word.replace(/f$/i, (suffix) => (/^[+-]?(0x|inf)/i.test(word) ? suffix : ''));
  if (/^[+-]?nan$/i.test(plain)) return Number.NaN;
  if (/^[+-]?inf(inity)?$/i.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity;
  const hex = hexFloat.exec(plain);
  if (hex) {
    const digits = Number.parseInt(`${hex[2]}${hex[3]}`, 16);
    const value = digits * 2 ** (Number(hex[4]) - 4 * hex[3]!.length);
    return hex[1] === '-' ? -value : value;
  }
  const negative = plain.startsWith('-0x') || plain.startsWith('-0X');
  const value = negative ? -Number(plain.slice(1)) : Number(plain);
  if (Number.isNaN(value)) throw new Error(`'${word}' is no number`);
  return value;
}

function readInteger(word: string): bigint {
  if (word === 'true' || word === 'false') return word === 'true' ? 1n : 0n;
  const negative = word.startsWith('-');
  const digits = word.replace(/^[+-]/, '').replace(/[ul]+$/i, '');
  const value = /^\d+$|^0x[0-9a-f]+$/i.test(digits) ? BigInt(digits) : BigInt(Math.trunc(readNumber(digits)));
  return negative ? -value : value;
}

function write(view: DataView, at: number, element: ElementName, word: string): void {
  if (isFloating(element) && /^-nan$/i.test(word)) {
    // JavaScript's NaN has no sign to give.
    const bits = { half: 0xfe00n, float: 0xffc00000n, double: 0xfff8000000000000n }[element];
    writeWhole(view, at, elementSizes[element], bits);
    return;
  }
  if (element === 'half') view.setUint16(at, numberToHalf(readNumber(word)), true);
  else if (element === 'float') view.setFloat32(at, readNumber(word), true);
  else if (element === 'double') view.setFloat64(at, readNumber(word), true);
  else writeWhole(view, at, elementSizes[element], readInteger(word));
}

function writeWhole(view: DataView, at: number, size: number, value: bigint): void {
  if (size === 8) view.setBigUint64(at, BigInt.asUintN(64, value), true);
  else if (size === 4) view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
  else if (size === 2) view.setUint16(at, Number(BigInt.asUintN(16, value)), true);
  else view.setUint8(at, Number(BigInt.asUintN(8, value)));
}

/**
 * The bytes of a list of values, or of one that `repeat` repeats.
 * @throws Error for values that are too few, too many or not of the type
 */
export function encodeValues(shape: ValueShape, words: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(byteLength(shape));
  const view = new DataView(bytes.buffer);
  const repeats = words[0] === 'repeat';
  const list = repeats ? words.slice(1) : words;
  const count = shape.length * shape.lanes;
  if (list.length === 0 || (!repeats && list.length !== count)) {
    throw new Error(`${list.length} values for ${count} places`);
  }
  const size = elementSizes[shape.element];
  for (let index = 0; index < count; index += 1) {
    const place = Math.floor(index / shape.lanes) * shape.places + (index % shape.lanes);
    write(view, place * size, shape.element, list[index % list.length]!);
  }
  return bytes;
}

/** The distance of neighbouring numbers of a format around `x`. */
function ulpOf(x: number, element: 'half' | 'float' | 'double'): number {
  const [bits, lowest] = { half: [10, -14], float: [23, -126], double: [52, -1022] }[element] as [
    number,
    number,
  ];
  const exponent = x === 0 ? lowest : Math.max(Math.floor(Math.log2(Math.abs(x))), lowest);
  return 2 ** Math.max(exponent - bits, -1074);
}

function isClose(
  got: number,
  want: number,
  tolerance: Tolerance,
  element: 'half' | 'float' | 'double',
): boolean {
  if (got === want) return true;
  if (!Number.isFinite(want) || !Number.isFinite(got)) return false;
  const allowed = tolerance.inUlps ? tolerance.amount * ulpOf(want, element) : tolerance.amount;
  return Math.abs(got - want) <= allowed;
}

function readFloat(view: DataView, at: number, element: 'half' | 'float' | 'double'): number {
  if (element === 'half') return halfToNumber(view.getUint16(at, true));
  return element === 'float' ? view.getFloat32(at, true) : view.getFloat64(at, true);
}

function readWhole(view: DataView, at: number, element: ElementName): bigint {
  const size = elementSizes[element];
  const isUnsigned = element.startsWith('u') || element === 'bool';
  if (size === 8) return isUnsigned ? view.getBigUint64(at, true) : view.getBigInt64(at, true);
  if (size === 4) return BigInt(isUnsigned ? view.getUint32(at, true) : view.getInt32(at, true));
  if (size === 2) return BigInt(isUnsigned ? view.getUint16(at, true) : view.getInt16(at, true));
  return BigInt(isUnsigned ? view.getUint8(at) : view.getInt8(at));
}

/** Where a test's values differ from those that came back; the first of each kind, in words. */
export interface Comparison {
  /** More than the tolerance. */
  readonly difference?: string;
  /**
   * A number where NaN was written. Piglit's own checker lets that pass, and the generated tests count on it: they
   * write NaN for whatever Python refused to compute, such as lgamma(0), which is infinite.
   */
  readonly numberForNaN?: string;
}

export function compareValues(
  shape: ValueShape,
  got: Uint8Array,
  want: Uint8Array,
  tolerance: Tolerance,
): Comparison {
  if (got.length !== want.length) return { difference: `${got.length} bytes, not ${want.length}` };
  const gotView = new DataView(got.buffer, got.byteOffset, got.length);
  const wantView = new DataView(want.buffer, want.byteOffset, want.length);
  const size = elementSizes[shape.element];
  let numberForNaN: string | undefined;
  for (let index = 0; index < shape.length * shape.lanes; index += 1) {
    const at = (Math.floor(index / shape.lanes) * shape.places + (index % shape.lanes)) * size;
    if (isFloating(shape.element)) {
      const [a, b] = [readFloat(gotView, at, shape.element), readFloat(wantView, at, shape.element)];
      if (Number.isNaN(b)) {
        if (!Number.isNaN(a)) numberForNaN ??= `value ${index} is ${a}, not ${b}`;
      } else if (!isClose(a, b, tolerance, shape.element)) {
        return { difference: `value ${index} is ${a}, not ${b}` };
      }
    } else {
      const [a, b] = [readWhole(gotView, at, shape.element), readWhole(wantView, at, shape.element)];
      const distance = a > b ? a - b : b - a;
      if (distance > BigInt(Math.floor(tolerance.amount))) {
        return { difference: `value ${index} is ${a}, not ${b}` };
      }
    }
  }
  return numberForNaN === undefined ? {} : { numberForNaN };
}
