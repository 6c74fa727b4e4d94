/**
 * Values as people read them: a name, a C type, one line of text, and what they are made of: the components of vectors, the
 * elements of arrays, the fields of structs, what pointers lead to.
 */
import type { Dialect } from '../../c/dialect.ts';
import { arithmeticOf, sizeOf } from '../../c/type-facts.ts';
import { printType } from '../../c/type-printer.ts';
import type { ArithmeticType, QualifiedType } from '../../c/types.ts';
import { halfFromBits } from '../../ir/half.ts';
import type { Allocation, Memory } from '../../ir/interpreter/memory.ts';

export type IntegerBase = 'decimal' | 'hexadecimal' | 'binary';

export interface DebugValue {
  readonly name: string;
  /** As C writes it. */
  readonly type: string;
  /** One line. */
  readonly text: string;
  /** An expression that means it, where there is one. */
  readonly expression: string;
  /** Its place in the launch's memory; undefined for what is only a value. */
  readonly address: number | undefined;
  readonly bytes: number;
  /** How many values it is made of; for a pointer to a buffer, how many elements lie behind it. */
  readonly count: number;
  /** Some of them, from number `from` on. */
  children(from?: number, count?: number): DebugValue[];
}

/** Bytes somewhere: of the launch's memory, or a value's own. */
export interface Bytes {
  readonly view: DataView;
  readonly offset: number;
  readonly address: number | undefined;
  /** Where it is known which bytes were set: ones for those that were. */
  readonly written: Uint8Array | undefined;
}

/** Elements that one line shows. */
const shownElements = 12;

export function bytesIn(allocation: Allocation, address: number): Bytes {
  return {
    view: allocation.view,
    offset: address - allocation.start,
    address,
    written: allocation.written,
  };
}

export class ValueReader {
  readonly #memory: Memory;
  readonly #dialect: Dialect;
  readonly #addressBytes: 4 | 8;

  constructor(memory: Memory, dialect: Dialect, addressBits: 32 | 64) {
    this.#memory = memory;
    this.#dialect = dialect;
    this.#addressBytes = addressBits === 32 ? 4 : 8;
  }

  sizeOf(type: QualifiedType): number {
    return sizeOf(type.type, this.#addressBytes);
  }

  typeName(type: QualifiedType): string {
    return printType(type, this.#dialect);
  }

  /** A value of a type in bytes that hold it; `expression` is what it is called in full. */
  read(
    name: string,
    expression: string,
    type: QualifiedType,
    bytes: Bytes,
    base: IntegerBase = 'decimal',
  ): DebugValue {
    const parts = this.#partsOf(expression, type, bytes);
    const { address } = bytes;
    return {
      name,
      type: this.typeName(type),
      text: this.#text(type, bytes, base, 0),
      expression,
      address,
      bytes: type.type.kind === 'void' || type.type.kind === 'opaque' ? 0 : this.sizeOf(type),
      count: parts.count,
      children: (from = 0, count = parts.count) => {
        const children: DebugValue[] = [];
        const end = Math.min(parts.count, from + count);
        for (let index = from; index < end; index += 1) {
          const part = parts.part(index);
          children.push(this.read(part.name, part.expression, part.type, part.bytes, base));
        }
        return children;
      },
    };
  }

  /** Something that is no bytes, such as an image. */
  opaque(name: string, type: QualifiedType, text: string): DebugValue {
    return {
      name,
      type: this.typeName(type),
      text,
      expression: name,
      address: undefined,
      bytes: 0,
      count: 0,
      children: () => [],
    };
  }

  #partsOf(expression: string, type: QualifiedType, bytes: Bytes): Parts {
    const inner = type.type;
    switch (inner.kind) {
      case 'vector': {
        const { element, lanes } = inner;
        return {
          count: lanes,
          part: (index) => {
            const name = lanes <= 4 ? 'xyzw'[index]! : `s${index.toString(16)}`;
            return {
              name,
              expression: `${expression}.${name}`,
              type: { ...type, alias: undefined, align: undefined, type: element },
              bytes: moved(bytes, index * element.size),
            };
          },
        };
      }
      case 'array': {
        const size = this.sizeOf(inner.element);
        return {
          count: inner.length ?? 0,
          part: (index) => ({
            name: `[${index}]`,
            expression: `${expression}[${index}]`,
            type: inner.element,
            bytes: moved(bytes, index * size),
          }),
        };
      }
      case 'record': {
        const fields = inner.fields ?? [];
        return {
          count: fields.length,
          part: (index) => {
            const { name, type: fieldType, offset } = fields[index]!;
            return {
              name: name ?? '<anonymous>',
              expression: name === undefined ? expression : `${expression}.${name}`,
              type: fieldType,
              bytes: moved(bytes, offset),
            };
          },
        };
      }
      case 'pointer': {
        const target = this.#target(inner.pointee, bytes);
        if (!target) return noParts;
        const { allocation, address, size, count } = target;
        const isOne = count === 1;
        return {
          count,
          part: (index) => ({
            name: isOne ? `*${expression}` : `[${index}]`,
            expression: isOne ? `(*${expression})` : `${expression}[${index}]`,
            type: inner.pointee,
            bytes: bytesIn(allocation, address + index * size),
          }),
        };
      }
      default:
        return noParts;
    }
  }

  /** What a pointer leads to: whole elements from there to the end of the object. */
  #target(
    pointee: QualifiedType,
    bytes: Bytes,
  ): { allocation: Allocation; address: number; size: number; count: number } | undefined {
    const { kind } = pointee.type;
    if (kind === 'void' || kind === 'function' || kind === 'opaque') return undefined;
    const size = this.sizeOf(pointee);
    const address = this.#addressIn(bytes);
    const allocation = this.#memory.at(address);
    if (!allocation || size === 0) return undefined;
    const count = Math.floor((allocation.start + allocation.size - address) / size);
    return count > 0 ? { allocation, address, size, count } : undefined;
  }

  /** The pointer that lies somewhere. */
  addressAt(address: number): number {
    const allocation = this.#memory.at(address);
    return allocation ? this.#addressIn(bytesIn(allocation, address)) : 0;
  }

  #addressIn({ view, offset }: Bytes): number {
    return this.#addressBytes === 4 ? view.getUint32(offset, true) : Number(view.getBigUint64(offset, true));
  }

  #text(type: QualifiedType, bytes: Bytes, base: IntegerBase, depth: number): string {
    const inner = type.type;
    if (inner.kind === 'void') return 'void';
    if (isUnset(bytes, this.sizeOf(type))) return 'not set';
    switch (inner.kind) {
      case 'vector':
      case 'array':
      case 'record': {
        const parts = this.#partsOf('', type, bytes);
        const [open, close] = inner.kind === 'vector' ? '()' : '{}';
        const shown = inner.kind === 'vector' ? parts.count : shownElements;
        if (depth > 3) return `${open}...${close}`;
        const texts: string[] = [];
        for (let index = 0; index < Math.min(parts.count, shown); index += 1) {
          const { name, type: partType, bytes: part } = parts.part(index);
          const text = this.#text(partType, part, base, depth + 1);
          texts.push(inner.kind === 'record' ? `${name} = ${text}` : text);
        }
        if (parts.count > shown) texts.push('...');
        return `${open}${texts.join(', ')}${close}`;
      }
      case 'pointer':
        return this.#pointerText(inner.pointee, bytes, base, depth);
      default: {
        const arithmetic = arithmeticOf(inner.kind === 'atomic' ? inner.value : inner);
        return arithmetic ? numberText(arithmetic, bytes, base) : hex(this.#addressIn(bytes));
      }
    }
  }

  /** Which object it leads to and how far in, and what is there. */
  #pointerText(pointee: QualifiedType, bytes: Bytes, base: IntegerBase, depth: number): string {
    const address = this.#addressIn(bytes);
    if (address === 0) return 'null';
    const allocation = this.#memory.at(address);
    if (!allocation) return `${hex(address)}, where nothing is`;
    const target = this.#target(pointee, bytes);
    const past = address - allocation.start;
    const at = target && past % target.size === 0 ? `[${past / target.size}]` : ` + ${past} bytes`;
    const where = `&${allocation.name}${past === 0 ? '' : at}`;
    if (!target || depth > 0) return where;
    const texts: string[] = [];
    for (let index = 0; index < Math.min(target.count, shownElements); index += 1) {
      const element = bytesIn(target.allocation, target.address + index * target.size);
      texts.push(this.#text(pointee, element, base, depth + 1));
    }
    if (target.count > shownElements) texts.push('...');
    return `${where} = {${texts.join(', ')}}`;
  }
}

interface Parts {
  readonly count: number;
  part(index: number): {
    readonly name: string;
    readonly expression: string;
    readonly type: QualifiedType;
    readonly bytes: Bytes;
  };
}

const noParts: Parts = {
  count: 0,
  part: () => {
    throw new Error('a value without parts');
  },
};

function moved(bytes: Bytes, by: number): Bytes {
  const { address } = bytes;
  return { ...bytes, offset: bytes.offset + by, address: address === undefined ? undefined : address + by };
}

function isUnset({ written, offset }: Bytes, size: number): boolean {
  if (!written || size === 0) return false;
  for (let index = offset; index < offset + size; index += 1) if (written[index] !== 0) return false;
  return true;
}

function hex(address: number): string {
  return `0x${address.toString(16)}`;
}

function numberText(
  { name, floating, signed, size }: ArithmeticType,
  { view, offset }: Bytes,
  base: IntegerBase,
): string {
  if (floating) return floatText(floatAt(view, offset, size), size);
  if (name === 'bool') return view.getUint8(offset) === 0 ? 'false' : 'true';
  const unsigned =
    size === 8
      ? view.getBigUint64(offset, true)
      : BigInt(
          size === 4
            ? view.getUint32(offset, true)
            : size === 2
              ? view.getUint16(offset, true)
              : view.getUint8(offset),
        );
  if (base === 'hexadecimal') return `0x${unsigned.toString(16).padStart(2 * size, '0')}`;
  if (base === 'binary') return `0b${unsigned.toString(2).padStart(8 * size, '0')}`;
  const value = signed ? BigInt.asIntN(8 * size, unsigned) : unsigned;
  const isLetter = name === 'char' && value >= 32n && value < 127n;
  return isLetter ? `${value} '${String.fromCharCode(Number(value))}'` : `${value}`;
}

export function floatAt(view: DataView, offset: number, size: number): number {
  if (size === 8) return view.getFloat64(offset, true);
  return size === 4 ? view.getFloat32(offset, true) : halfFromBits(view.getUint16(offset, true));
}

/** The shortest decimal that is this number of its size. */
function floatText(value: number, size: number): string {
  if (Object.is(value, -0)) return '-0';
  if (size === 8 || !Number.isFinite(value)) return String(value);
  for (let digits = size === 2 ? 3 : 6; digits <= 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}
