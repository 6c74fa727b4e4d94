/** JavaScript values as the bytes of by-value kernel arguments, by the layout that the compiler reports. */
import { bitsOfHalf } from '../ir/half.ts';
import type { HostLayout } from '../ir/ir.ts';
import { shown } from '../source/shown.ts';
import { bytesOf } from './device-memory.ts';

/**
 * A value for a by-value parameter: number, lanes or elements, fields by name, or the bytes themselves. Halves are numbers
 * too, or in a Uint16Array their bits.
 */
export type HostValue =
  | number
  | bigint
  | boolean
  | ArrayBufferView
  | readonly HostValue[]
  | { readonly [field: string]: HostValue };

/** Thrown with a text that begins with the place inside the value, if it is not the value itself. */
export class ValueError extends Error {}

/** The bytes of `value` in the layout. @throws ValueError if it does not fit */
export function encodeValue(layout: HostLayout, value: HostValue): Uint8Array {
  const bytes = new Uint8Array(layout.size);
  write(new DataView(bytes.buffer), 0, layout, value, '');
  return bytes;
}

/** How a layout is called in messages. */
function describeLayout(layout: HostLayout): string {
  switch (layout.kind) {
    case 'integer':
      return `${layout.size === 1 ? 'an' : 'a'} ${layout.size * 8}-bit ${layout.signed ? 'signed' : 'unsigned'} integer`;
    case 'float':
      return `a ${layout.size * 8}-bit float`;
    case 'vector':
      return `a vector of ${layout.lanes} lanes`;
    case 'array':
      return `an array of ${layout.length} elements`;
    case 'struct':
      return layout.name === '' ? 'a struct' : `struct ${layout.name}`;
  }
}

/** How a message begins: `.inner[2]: `, or with nothing if it is about the value itself. */
function inside(place: string): string {
  return place === '' ? '' : `${place}: `;
}

function write(view: DataView, at: number, layout: HostLayout, value: HostValue, place: string): void {
  const fail: () => never = () => {
    throw new ValueError(`${inside(place)}${shown(value)} is not ${describeLayout(layout)}`);
  };
  if (layout.kind === 'integer' || layout.kind === 'float') {
    writeScalar(view, at, layout, typeof value === 'boolean' ? Number(value) : value, fail);
    return;
  }
  if (layout.kind === 'struct') {
    if (ArrayBuffer.isView(value)) {
      copyBytes(view, at, layout.size, value, fail);
      return;
    }
    if (typeof value !== 'object' || Array.isArray(value)) fail();
    const fields = value as { readonly [field: string]: HostValue };
    for (const name of Object.keys(fields)) {
      if (!layout.fields.some((field) => field.name === name)) {
        const known = layout.fields.map((field) => field.name).join(', ');
        const struct = layout.name === '' ? 'the struct' : `struct ${layout.name}`;
        throw new ValueError(`${inside(place)}${struct} has no field '${name}' (it has ${known})`);
      }
    }
    for (const field of layout.fields) {
      const part = fields[field.name];
      if (part === undefined) throw new ValueError(`${inside(place)}field '${field.name}' is missing`);
      write(view, at + field.offset, field.layout, part, `${place}.${field.name}`);
    }
    return;
  }
  const { element } = layout;
  const count = layout.kind === 'vector' ? layout.lanes : layout.length;
  if (typeof value !== 'object') fail();
  if (value instanceof Uint16Array && element.kind === 'float' && element.size === 2) {
    // The bits of halves, as buffers have them; three lanes take the room of four.
    if (value.length !== count) fail();
    new Uint16Array(view.buffer, at, count).set(value);
    return;
  }
  const elements = elementsOf(value);
  if (elements === undefined) {
    if (!ArrayBuffer.isView(value)) fail();
    copyBytes(view, at, layout.size, value as ArrayBufferView, fail);
    return;
  }
  if (elements.length !== count) {
    if (ArrayBuffer.isView(value) && value.byteLength === layout.size) {
      copyBytes(view, at, layout.size, value, fail);
      return;
    }
    throw new ValueError(`${inside(place)}${elements.length} elements given for ${describeLayout(layout)}`);
  }
  for (let index = 0; index < count; index += 1) {
    write(view, at + index * element.size, element, elements[index]!, `${place}[${index}]`);
  }
}

function elementsOf(value: object): ArrayLike<HostValue> | undefined {
  if (Array.isArray(value)) return value as readonly HostValue[];
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return value as unknown as ArrayLike<number>;
  return undefined;
}

function copyBytes(
  view: DataView,
  at: number,
  size: number,
  value: ArrayBufferView,
  fail: () => never,
): void {
  if (value.byteLength !== size) fail();
  new Uint8Array(view.buffer).set(bytesOf(value), at);
}

function writeScalar(
  view: DataView,
  at: number,
  layout: Extract<HostLayout, { kind: 'integer' | 'float' }>,
  value: HostValue,
  fail: () => never,
): void {
  if (ArrayBuffer.isView(value)) {
    copyBytes(view, at, layout.size, value, fail);
    return;
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') fail();
  if (layout.kind === 'float') {
    const number = Number(value);
    if (layout.size === 8) view.setFloat64(at, number, true);
    else if (layout.size === 4) view.setFloat32(at, number, true);
    else view.setUint16(at, bitsOfHalf(number), true);
    return;
  }
  if (typeof value === 'number' && !Number.isInteger(value)) fail();
  if (layout.size === 8) {
    const big = BigInt(value);
    if (big < -(1n << 63n) || big >= 1n << 64n) fail();
    view.setBigInt64(at, BigInt.asIntN(64, big), true);
    return;
  }
  const number = Number(value);
  const bits = layout.size * 8;
  // Both readings of the bits are accepted: -1 for a uint, 0xff000000 for an int.
  if (number < -(2 ** (bits - 1)) || number >= 2 ** bits) fail();
  if (layout.size === 4) view.setInt32(at, number | 0, true);
  else if (layout.size === 2) view.setInt16(at, number, true);
  else view.setInt8(at, number);
}
