/** Pointers and what they point to as C text: `data[i]`, `*(global float *)(p + 12)`. */
import type * as ir from '../../ir/ir.ts';
import { i8, type Type } from '../../ir/types.ts';
import { spaceName, typeText } from './c-types.ts';
import { binary, type Expression, precedence, primary, unary, within } from './expression.ts';
import type { ValueWriter } from './value-writer.ts';

/** An object whose elements C can index: a parameter, an array. */
export interface TypedObject {
  readonly name: string;
  /** The C type of the elements and the IR type that is the same. */
  readonly element: Type | undefined;
  readonly signed: boolean;
}

/** The bytes that a pointer is moved by, read as signed: an address may be moved down. */
function distance(writer: ValueWriter, value: ir.Value): Expression {
  const definition = writer.inlinedDefinition(value);
  if (definition?.op === 'constant') return constantDistance(definition);
  // What is never negative needs no cast.
  if (definition?.op === 'query') return writer.value(value);
  if (definition?.op === 'convert' && value.type.kind !== 'vector') {
    const [source] = definition.operands;
    const isInteger = source!.type.kind === 'int';
    if (isInteger && definition.fn === 'zext') return writer.unsigned(source!);
    if (isInteger && definition.fn === 'sext') return writer.signed(source!);
  }
  return writer.signed(value);
}

function constantDistance({ value }: ir.Constant): Expression {
  const bytes = BigInt(value as number | bigint);
  return bytes < 0n ? unary(String(bytes), true) : primary(String(bytes), true);
}

/** `p + 4`, `p - 4`. */
export function offsetPointer(writer: ValueWriter, pointer: ir.Value, bytes: ir.Value): Expression {
  const base = writer.value(pointer);
  const by = distance(writer, bytes);
  if (by.text === '0') return base;
  if (by.text.startsWith('-') && /^-\d+$/.test(by.text)) {
    return binary('-', precedence.add, base, primary(by.text.slice(1)));
  }
  return binary('+', precedence.add, base, by);
}

/** The value that is multiplied to make `bytes` a multiple of `size`, as an index. */
function indexOf(writer: ValueWriter, bytes: ir.Value, size: number): Expression | undefined {
  const definition = writer.inlinedDefinition(bytes);
  if (definition?.op === 'constant') {
    const value = BigInt(definition.value as number | bigint);
    if (value % BigInt(size) !== 0n) return undefined;
    const index = value / BigInt(size);
    return index < 0n ? unary(String(index), true) : primary(String(index), true);
  }
  if (size === 1) return distance(writer, bytes);
  if (definition?.op !== 'binary') return undefined;
  const [a, b] = definition.operands as [ir.Value, ir.Value];
  if (definition.fn === 'shl')
    return constantOf(writer, b) === BigInt(Math.log2(size)) ? distance(writer, a) : undefined;
  if (definition.fn !== 'imul') return undefined;
  if (constantOf(writer, b) === BigInt(size)) return distance(writer, a);
  return constantOf(writer, a) === BigInt(size) ? distance(writer, b) : undefined;
}

function constantOf(writer: ValueWriter, value: ir.Value): bigint | undefined {
  const definition = writer.inlinedDefinition(value);
  if (definition?.op !== 'constant' || typeof definition.value === 'object') return undefined;
  return BigInt(definition.value);
}

/** The type of a pointer to elements: `global uint *`. */
export function pointerTo(
  writer: ValueWriter,
  pointer: ir.Value,
  element: Type | string,
  isVolatile = false,
): string {
  const space = spaceName(writer.spaceOf(pointer));
  const prefix = isVolatile ? 'volatile ' : '';
  if (typeof element === 'string') return `${prefix}${space} ${element} *`;
  // A pointer in memory: its own space is after the star.
  if (element.kind === 'pointer') return `${typeText(element)} ${prefix}${space} *`;
  return `${prefix}${space} ${typeText(element)} *`;
}

/** A pointer as one to elements, for the functions that take such. */
export function typedPointer(
  writer: ValueWriter,
  pointer: ir.Value,
  element: Type | string,
  isVolatile = false,
): Expression {
  const object = writer.objectOf(pointer);
  if (object && typeof element !== 'string' && object.element === element && !isVolatile && !object.signed) {
    return primary(object.name);
  }
  if (!object && element === i8 && !isVolatile) return writer.value(pointer);
  const type = pointerTo(writer, pointer, element, isVolatile);
  return unary(`(${type})${object ? object.name : within(writer.value(pointer), precedence.unary)}`);
}

/** What a pointer points to, as something of the type that can be read and assigned. */
export function target(
  writer: ValueWriter,
  pointer: ir.Value,
  element: Type | string,
  size: number,
  isVolatile: boolean,
): Expression {
  const definition = writer.inlinedDefinition(pointer);
  let base = pointer;
  let index: Expression | undefined;
  if (definition?.op === 'offset') {
    const [from, bytes] = definition.operands as [ir.Value, ir.Value];
    index = indexOf(writer, bytes, size);
    if (index) base = from;
  }
  const object = writer.objectOf(base);
  const fits = object && object.element === element && !isVolatile;
  if (fits && (index || definition?.op !== 'offset')) {
    return primary(`${object.name}[${index?.text ?? '0'}]`, object.signed);
  }
  const typed = typedPointer(writer, base, element, isVolatile);
  if (index && index.text !== '0') return primary(`${within(typed, precedence.primary)}[${index.text}]`);
  return unary(`*${within(typed, precedence.unary)}`);
}
