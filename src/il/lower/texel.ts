/** Elements of resources: between memory and four components of 32 bits. */
import type * as ir from '../../ir/ir.ts';
import { f16, f32, i8, i16, i32, vectorType } from '../../ir/types.ts';
import type { Code, Kind } from './code.ts';
import type { ComponentType, ElementFormat } from './interface.ts';

/** How a number is stored. */
interface Storage {
  /** of a component; of packed formats, of the whole element */
  readonly bytes: 1 | 2 | 4 | 8;
  readonly encoding: 'words' | 'half' | 'integer' | 'normalised' | 'packed';
  readonly isSigned: boolean;
  /** of packed formats: the bits of the components, red first, which ends at bit 0 with blue */
  readonly fields: readonly number[];
}

const storage = (
  bytes: Storage['bytes'],
  encoding: Storage['encoding'],
  { isSigned = false, fields = [] }: Partial<Storage> = {},
): Storage => ({ bytes, encoding, isSigned, fields });

const signed = { isSigned: true };

const storages: Readonly<Record<ComponentType, Storage>> = {
  unorm8: storage(1, 'normalised'),
  snorm8: storage(1, 'normalised', signed),
  unorm16: storage(2, 'normalised'),
  snorm16: storage(2, 'normalised', signed),
  uint8: storage(1, 'integer'),
  sint8: storage(1, 'integer', signed),
  uint16: storage(2, 'integer'),
  sint16: storage(2, 'integer', signed),
  float16: storage(2, 'half'),
  float32: storage(4, 'words'),
  int32: storage(4, 'words', signed),
  float64: storage(8, 'words'),
  unorm565: storage(2, 'packed', { fields: [5, 6, 5] }),
  unorm555: storage(2, 'packed', { fields: [5, 5, 5] }),
  unorm101010: storage(4, 'packed', { fields: [10, 10, 10] }),
};

/** Bytes of an element. */
export function elementBytes({ type, components }: ElementFormat): number {
  const { bytes, encoding } = storages[type];
  return encoding === 'packed' ? bytes : bytes * components;
}

/** Whether components are integers to programs: they are never filtered, and what the format lacks is an integer, too. */
export const isInteger = ({ type }: ElementFormat): boolean =>
  type === 'int32' || storages[type].encoding === 'integer';

/** How an element looks to those who show memory. */
export function elementLayout({ type, components }: ElementFormat): ir.HostLayout {
  const { bytes, encoding, isSigned } = storages[type];
  if (encoding === 'packed') return { kind: 'integer', size: bytes, signed: false };
  const element: ir.HostLayout = type.startsWith('float')
    ? { kind: 'float', size: bytes as 2 | 4 | 8 }
    : { kind: 'integer', size: bytes, signed: isSigned };
  return components === 1
    ? element
    : { kind: 'vector', element, lanes: components, size: bytes * components };
}

/**
 * Reads an element. Components that the format lacks are 0, and w is 1 (of doubles 0).
 * @param kind how words are wanted
 */
export function loadElement(code: Code, format: ElementFormat, pointer: ir.Value, kind: Kind): ir.Value[] {
  const values = loadComponents(code, format, pointer, kind);
  while (values.length < 4) {
    const isLast = values.length === 3 && format.type !== 'float64';
    if (isInteger(format)) values.push(code.int(isLast ? 1 : 0));
    else values.push(format.type === 'float64' ? code.int(0) : code.float(isLast ? 1 : 0));
  }
  return values;
}

function loadComponents(code: Code, format: ElementFormat, pointer: ir.Value, kind: Kind): ir.Value[] {
  const { encoding, fields, bytes } = storages[format.type];
  if (encoding === 'words') return loadWords(code, format, pointer, kind);
  if (encoding !== 'packed') {
    return Array.from({ length: format.components }, (_, component) =>
      loadSmall(code, storages[format.type], code.moved(pointer, component * bytes)),
    );
  }
  const word =
    bytes === 4 ? code.load(i32, pointer, 4) : code.convert('zext', code.load(i16, pointer, 2), i32);
  return fields.map((bits, component) => {
    const field = code.binary(
      'and',
      shifted(code, 'ushr', word, placeOf(fields, component)),
      code.int(2 ** bits - 1),
    );
    return code.binary('fdiv', code.convert('stof', field, f32), code.float(2 ** bits - 1));
  });
}

/** The lowest bit of a packed component. */
const placeOf = (fields: readonly number[], component: number): number =>
  fields.slice(component + 1).reduce((sum, bits) => sum + bits, 0);

const shifted = (code: Code, fn: 'shl' | 'ushr', value: ir.Value, places: number): ir.Value =>
  places === 0 ? value : code.binary(fn, value, code.int(places));

function loadWords(code: Code, format: ElementFormat, pointer: ir.Value, kind: Kind): ir.Value[] {
  const count = elementBytes(format) / 4;
  const word = kind === 'float' ? f32 : i32;
  if (count === 1) return [code.load(word, pointer, 4)];
  const vector = code.load(vectorType(word, count as 2 | 4), pointer, count * 4);
  return Array.from({ length: count }, (_, lane) => code.extract(vector, lane));
}

/** A number of 8 or 16 bits. */
function loadSmall(code: Code, { bytes, encoding, isSigned }: Storage, pointer: ir.Value): ir.Value {
  if (encoding === 'half') return code.convert('fwiden', code.load(f16, pointer, bytes), f32);
  const small = code.load(bytes === 1 ? i8 : i16, pointer, bytes);
  const integer = code.convert(isSigned ? 'sext' : 'zext', small, i32);
  if (encoding === 'integer') return integer;
  const number = code.convert('stof', integer, f32);
  const scaled = code.binary('fdiv', number, code.float(largestOf(bytes * 8, isSigned)));
  return isSigned ? code.binary('fmax', scaled, code.float(-1)) : scaled;
}

/** Writes the components that the format has, of four. */
export function storeElement(
  code: Code,
  format: ElementFormat,
  pointer: ir.Value,
  values: readonly ir.Value[],
): void {
  const kind = storages[format.type];
  if (kind.encoding === 'words') storeWords(code, elementBytes(format) / 4, pointer, values);
  else if (kind.encoding === 'packed') storePacked(code, kind, pointer, values);
  else {
    for (let component = 0; component < format.components; component += 1) {
      storeSmall(code, kind, code.moved(pointer, component * kind.bytes), values[component]!);
    }
  }
}

function storeWords(code: Code, count: number, pointer: ir.Value, values: readonly ir.Value[]): void {
  const words = values.slice(0, count);
  if (count === 1) {
    code.store(pointer, words[0]!, 4);
    return;
  }
  const isFloat = words.every((word) => word.type === f32);
  const element = isFloat ? f32 : i32;
  const lanes = words.map((word) => code.as(isFloat ? 'float' : 'int', word));
  code.store(pointer, code.build(vectorType(element, count as 2 | 4), lanes), count * 4);
}

/** Out of range, numbers become the nearest one there is. */
function storeSmall(
  code: Code,
  { bytes, encoding, isSigned }: Storage,
  pointer: ir.Value,
  value: ir.Value,
): void {
  if (encoding === 'half') {
    code.store(pointer, code.convert('fnarrow', code.asFloat(value), f16), bytes);
    return;
  }
  const bits = bytes * 8;
  const number =
    encoding === 'integer'
      ? limited(code, code.asInt(value), bits, isSigned)
      : normalised(code, code.asFloat(value), bits, isSigned);
  code.store(pointer, code.convert('trunc', number, bytes === 1 ? i8 : i16), bytes);
}

/** A fraction as a number of so many bits, rounded to the nearest. */
function normalised(code: Code, value: ir.Value, bits: number, isSigned: boolean): ir.Value {
  const clamped = code.clamped(value, isSigned ? -1 : 0, 1);
  const scaled = code.binary('fmul', clamped, code.float(largestOf(bits, isSigned)));
  return code.convert('ftos', code.unary('frint', scaled), i32, { saturate: true });
}

function limited(code: Code, value: ir.Value, bits: number, isSigned: boolean): ir.Value {
  const largest = largestOf(bits, isSigned);
  if (!isSigned) return code.binary('umin', value, code.int(largest));
  return code.binary('smax', code.binary('smin', value, code.int(largest)), code.int(-largest - 1));
}

/** Bits that no component has become 0. */
function storePacked(
  code: Code,
  { bytes, fields }: Storage,
  pointer: ir.Value,
  values: readonly ir.Value[],
): void {
  const word = fields
    .map((bits, component) => {
      const field = normalised(code, code.asFloat(values[component]!), bits, false);
      return shifted(code, 'shl', field, placeOf(fields, component));
    })
    .reduce((whole, field) => code.binary('or', whole, field));
  code.store(pointer, bytes === 4 ? word : code.convert('trunc', word, i16), bytes);
}

const largestOf = (bits: number, isSigned: boolean): number => 2 ** (isSigned ? bits - 1 : bits) - 1;
