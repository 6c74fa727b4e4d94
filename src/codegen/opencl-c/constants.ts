/** Program-scope variables: constant tables, as numbers of the type that the program reads them as. */
import type * as ir from '../../ir/ir.ts';
import { type FloatType, type IntType, sizeOf, type Type } from '../../ir/types.ts';
import type { TypedObject } from './addresses.ts';
import { typeText } from './c-types.ts';
import { OpenCLCError } from './error.ts';
import { type Expression, unary } from './expression.ts';
import { scalarLiteral } from './literals.ts';
import type { NameScope } from './names.ts';
import { wordOf } from './variables.ts';

/** How wide lines of numbers get. */
const lineLength = 100;

export class Constants {
  readonly #names = new Map<ir.GlobalVariable, string>();
  readonly #elements = new Map<ir.GlobalVariable, Type>();
  readonly #addressBits: 32 | 64;

  /** @param typesOf the types that the program accesses a variable as */
  constructor(
    used: readonly ir.GlobalVariable[],
    typesOf: (global: ir.GlobalVariable) => ReadonlySet<Type>,
    scope: NameScope,
    addressBits: 32 | 64,
  ) {
    this.#addressBits = addressBits;
    for (const global of used) {
      if (global.space !== 'constant') {
        throw new OpenCLCError(`'${global.name}': variables in global memory need OpenCL C 2.0`);
      }
      this.#names.set(global, scope.unique(global.name));
      if (global.relocations.length === 0) this.#elements.set(global, elementFor(global, typesOf(global)));
    }
  }

  objectOf(global: ir.GlobalVariable): TypedObject | undefined {
    const element = this.#elements.get(global);
    return element && { name: this.#nameOf(global), element, signed: false };
  }

  /** The address as that of bytes. */
  addressOf(global: ir.GlobalVariable): Expression {
    const name = this.#nameOf(global);
    return unary(`(constant uchar *)${global.relocations.length > 0 ? '&' : ''}${name}`);
  }

  #nameOf(global: ir.GlobalVariable): string {
    const name = this.#names.get(global);
    if (name === undefined) throw new Error(`codegen: ${global.name} is not in the program`);
    return name;
  }

  /** The definitions, each after those whose addresses it holds. */
  texts(): string[] {
    const texts: string[] = [];
    const state = new Map<ir.GlobalVariable, 'begun' | 'done'>();
    const define = (global: ir.GlobalVariable): void => {
      if (state.get(global) === 'done') return;
      if (state.get(global) === 'begun') {
        throw new OpenCLCError(
          `constants that hold each other's addresses, such as '${global.name}', cannot be written`,
        );
      }
      state.set(global, 'begun');
      for (const { target } of global.relocations) if (target !== global) define(target);
      state.set(global, 'done');
      texts.push(this.#definition(global));
    };
    for (const global of this.#names.keys()) define(global);
    return texts;
  }

  #definition(global: ir.GlobalVariable): string {
    if (global.relocations.length > 0) return this.#record(global);
    const element = this.#elements.get(global)!;
    const numbers = numbersOf(global.bytes, element);
    const length = Math.max(1, Math.ceil(global.size / sizeOf(element)));
    const aligned = attribute(global.align, sizeOf(element));
    const left = `constant ${typeText(element)} ${this.#nameOf(global)}[${length}]${aligned}`;
    return `${left} = {${listText(numbers)}};`;
  }

  /** Bytes with addresses among them: a struct of both. */
  #record(global: ir.GlobalVariable): string {
    const size = this.#addressBits / 8;
    const members: string[] = [];
    const values: string[] = [];
    const bytes = (from: number, to: number): void => {
      if (from >= to) return;
      const element = wordOf(to - from, from === 0 ? global.align : from & -from);
      const numbers = numbersOf(global.bytes.subarray(from, to), element);
      members.push(`${typeText(element)} words${members.length}[${(to - from) / sizeOf(element)}];`);
      values.push(`{ ${numbers.join(', ')} }`);
    };
    let at = 0;
    const sorted = [...global.relocations].sort((a, b) => a.offset - b.offset);
    for (const { offset, target, addend } of sorted) {
      if (offset % size !== 0) {
        throw new OpenCLCError(`'${global.name}' holds an address that is not aligned`);
      }
      bytes(at, offset);
      members.push(`constant uchar *address${members.length};`);
      const moved = addend === 0 ? '' : addend < 0 ? ` - ${-addend}` : ` + ${addend}`;
      values.push(this.addressOf(target).text + moved);
      at = offset + size;
    }
    bytes(at, global.size);
    const name = this.#nameOf(global);
    const aligned = attribute(global.align, size);
    return `constant struct { ${members.join(' ')} } ${name}${aligned} = {${listText(values)}};`;
  }
}

function attribute(align: number, natural: number): string {
  return align > natural ? ` __attribute__((aligned(${align})))` : '';
}

/** The type that the program reads, if the bytes are whole numbers of it and read back as they are. */
function elementFor({ size, align, bytes }: ir.GlobalVariable, types: ReadonlySet<Type>): Type {
  const [only] = types;
  const fallback = wordOf(size, align);
  if (types.size !== 1 || !only || (only.kind !== 'int' && only.kind !== 'float')) return fallback;
  if (size % sizeOf(only) !== 0 || (only.kind === 'float' && only.bits === 16)) return fallback;
  return only.kind === 'float' && hasNaN(bytes, only) ? fallback : only;
}

/** A NaN's bits would be lost. */
function hasNaN(bytes: Uint8Array, type: FloatType): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += type.bits / 8) {
    if (Number.isNaN(type.bits === 64 ? view.getFloat64(at, true) : view.getFloat32(at, true))) return true;
  }
  return false;
}

/** The numbers in the bytes, at least one. Zeros at the end are left out, for C puts them there: a large table may be nothing else. */
function numbersOf(bytes: Uint8Array, type: Type): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  if (end === 0) return ['0'];
  for (let at = 0; at < end; at += sizeOf(type)) texts.push(numberAt(view, at, type as IntType | FloatType));
  return texts;
}

function numberAt(view: DataView, at: number, type: IntType | FloatType): string {
  if (type.kind === 'float') {
    const value = type.bits === 64 ? view.getFloat64(at, true) : view.getFloat32(at, true);
    return scalarLiteral(type, value, false).text;
  }
  if (type.bits === 64) return scalarLiteral(type, view.getBigInt64(at, true), false).text;
  if (type.bits === 32) return scalarLiteral(type, view.getInt32(at, true), false).text;
  return String(type.bits === 16 ? view.getUint16(at, true) : view.getUint8(at));
}

/** Items between braces, on one line or on as many as they need. */
function listText(items: readonly string[]): string {
  const whole = items.join(', ');
  if (whole.length < lineLength - 30) return ` ${whole} `;
  const lines: string[] = [];
  let line = ' ';
  for (const item of items) {
    if (line.length + item.length > lineLength && line !== ' ') {
      lines.push(line);
      line = ' ';
    }
    line += ` ${item},`;
  }
  lines.push(line);
  return `\n${lines.join('\n')}\n`;
}
