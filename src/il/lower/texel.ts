/** Elements of resources: between memory and four components of 32 bits. */
import type * as ir from '../../ir/ir.ts';
import { f32, i8, i16, i32, vectorType } from '../../ir/types.ts';
import type { Code, Kind } from './code.ts';
import type { Results } from './context.ts';
import type { ElementFormat } from './interface.ts';

/** Bytes of an element. */
export function elementBytes({ type, components }: ElementFormat): number {
  const sizes = { unorm8: 1, snorm8: 1, unorm16: 2, snorm16: 2, float32: 4, int32: 4, float64: 8 } as const;
  return sizes[type] * components;
}

/** How an element looks to those who show memory. */
export function elementLayout({ type, components }: ElementFormat): ir.HostLayout {
  const size = (elementBytes({ type, components }) / components) as 1 | 2 | 4 | 8;
  const isFloat = type === 'float32' || type === 'float64';
  const element: ir.HostLayout = isFloat
    ? { kind: 'float', size: size as 4 | 8 }
    : { kind: 'integer', size, signed: type === 'int32' || type === 'snorm8' || type === 'snorm16' };
  return components === 1 ? element : { kind: 'vector', element, lanes: components, size: size * components };
}

/** What is stored in whole words, which are read and written as they are. */
const isWords = ({ type }: ElementFormat): boolean =>
  type === 'float32' || type === 'int32' || type === 'float64';

/**
 * Reads an element. Components that the format lacks are 0, and w is 1 (of doubles 0).
 * @param kind how words are wanted
 */
export function loadElement(code: Code, format: ElementFormat, pointer: ir.Value, kind: Kind): ir.Value[] {
  const values = isWords(format)
    ? loadWords(code, format, pointer, kind)
    : loadNormalised(code, format, pointer);
  while (values.length < 4) {
    const isLast = values.length === 3 && format.type !== 'float64';
    if (format.type === 'int32') values.push(code.int(isLast ? 1 : 0));
    else values.push(format.type === 'float64' ? code.int(0) : code.float(isLast ? 1 : 0));
  }
  return values;
}

function loadWords(code: Code, format: ElementFormat, pointer: ir.Value, kind: Kind): ir.Value[] {
  const count = elementBytes(format) / 4;
  const word = kind === 'float' ? f32 : i32;
  if (count === 1) return [code.load(word, pointer, 4)];
  const vector = code.load(vectorType(word, count as 2 | 4), pointer, count * 4);
  return Array.from({ length: count }, (_, lane) => code.extract(vector, lane));
}

function loadNormalised(code: Code, { type, components }: ElementFormat, pointer: ir.Value): ir.Value[] {
  const bits = type.endsWith('8') ? 8 : 16;
  const isSigned = type.startsWith('snorm');
  const values: ir.Value[] = [];
  for (let component = 0; component < components; component += 1) {
    const address = code.moved(pointer, (component * bits) / 8);
    const small = code.load(bits === 8 ? i8 : i16, address, bits / 8);
    const number = code.convert('stof', code.convert(isSigned ? 'sext' : 'zext', small, i32), f32);
    const scaled = code.binary('fdiv', number, code.float(largestOf(bits, isSigned)));
    values.push(isSigned ? code.binary('fmax', scaled, code.float(-1)) : scaled);
  }
  return values;
}

/** Writes those components that there are and that the format has. */
export function storeElement(code: Code, format: ElementFormat, pointer: ir.Value, values: Results): void {
  if (isWords(format)) storeWords(code, elementBytes(format) / 4, pointer, values);
  else storeNormalised(code, format, pointer, values);
}

function storeWords(code: Code, count: number, pointer: ir.Value, values: Results): void {
  const words = values.slice(0, count);
  if (count > 1 && words.every((word) => word !== undefined)) {
    const isFloat = words.every((word) => word.type === f32);
    const element = isFloat ? f32 : i32;
    const lanes = words.map((word) => code.as(isFloat ? 'float' : 'int', word));
    code.store(pointer, code.build(vectorType(element, count as 2 | 4), lanes), count * 4);
    return;
  }
  words.forEach((word, component) => {
    if (word) code.store(code.moved(pointer, component * 4), word, 4);
  });
}

function storeNormalised(
  code: Code,
  { type, components }: ElementFormat,
  pointer: ir.Value,
  values: Results,
): void {
  const bits = type.endsWith('8') ? 8 : 16;
  const isSigned = type.startsWith('snorm');
  for (let component = 0; component < components; component += 1) {
    const value = values[component];
    if (!value) continue;
    const clamped = code.clamped(code.asFloat(value), isSigned ? -1 : 0, 1);
    const scaled = code.binary('fmul', clamped, code.float(largestOf(bits, isSigned)));
    const number = code.convert('ftos', code.unary('frint', scaled), i32, { saturate: true });
    const address = code.moved(pointer, (component * bits) / 8);
    code.store(address, code.convert('trunc', number, bits === 8 ? i8 : i16), bits / 8);
  }
}

const largestOf = (bits: number, isSigned: boolean): number => 2 ** (isSigned ? bits - 1 : bits) - 1;
