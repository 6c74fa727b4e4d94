/** What the bytes of structs and arrays are: members by their names, and the padding between them. */
import type { HostLayout } from '../../ir/ir.ts';

type StructLayout = Extract<HostLayout, { kind: 'struct' }>;

/** Stretches of padding that are told apart in one object. */
export const mostPadding = 64;

/** Bytes in a row. */
export interface Stretch {
  readonly offset: number;
  readonly bytes: number;
}

/** Layouts leave out addresses, which hosts cannot write: a gap of so many bytes may be one. */
const addressBytes = 4;

/** The bytes that surely belong to no member, if there are at most so many stretches of them; undefined if there are more. */
export function paddingOf(layout: HostLayout, most: number): Stretch[] | undefined {
  const found: Stretch[] = [];
  return addPadding(layout, 0, found, most) ? found : undefined;
}

function addPadding(layout: HostLayout, start: number, found: Stretch[], most: number): boolean {
  const add = (offset: number, end: number): boolean => {
    const isAddress = Math.ceil(offset / addressBytes) * addressBytes + addressBytes <= end;
    if (end > offset && (layout.kind === 'vector' || !isAddress))
      found.push({ offset: start + offset, bytes: end - offset });
    return found.length <= most;
  };
  switch (layout.kind) {
    case 'vector':
      return add(layout.lanes * layout.element.size, layout.size);
    case 'array': {
      if (!hasPadding(layout.element)) return true;
      for (let index = 0; index < layout.length; index += 1) {
        if (!addPadding(layout.element, start + index * layout.element.size, found, most)) return false;
      }
      return true;
    }
    case 'struct': {
      if (isUnion(layout)) {
        // What no member reaches.
        const end = Math.max(0, ...layout.fields.map((field) => field.offset + field.layout.size));
        return add(end, layout.size);
      }
      let end = 0;
      for (const { offset, layout: inner } of inOrder(layout)) {
        if (!add(end, offset) || !addPadding(inner, start + offset, found, most)) return false;
        end = offset + inner.size;
      }
      return add(end, layout.size);
    }
    default:
      return true;
  }
}

function hasPadding(layout: HostLayout): boolean {
  return paddingOf(layout, 0) === undefined;
}

/** Members that lie over one another. */
function isUnion(layout: StructLayout): boolean {
  let end = 0;
  for (const { offset, layout: inner } of inOrder(layout)) {
    if (offset < end) return true;
    end = offset + inner.size;
  }
  return false;
}

function inOrder({ fields }: StructLayout): StructLayout['fields'] {
  return [...fields].sort((a, b) => a.offset - b.offset);
}

/** How a program names the innermost part that holds all the bytes: `.w`, `[2].at.x`; empty where that is the whole, or a union. */
export function partWith(layout: HostLayout, offset: number, bytes: number): string {
  if (offset < 0 || offset + bytes > layout.size) return '';
  if (layout.kind === 'array') {
    const { element } = layout;
    const index = Math.floor(offset / element.size);
    const inside = offset - index * element.size;
    return inside + bytes > element.size ? '' : `[${index}]${partWith(element, inside, bytes)}`;
  }
  if (layout.kind !== 'struct' || isUnion(layout)) return '';
  const field = layout.fields.find(
    ({ offset: start, layout: { size } }) => offset >= start && offset + bytes <= start + size,
  );
  if (!field) return '';
  const inner = partWith(field.layout, offset - field.offset, bytes);
  return field.name === '' ? inner : `.${field.name}${inner}`;
}

/** Of bytes that were copied, what was never set. */
export interface CopiedBytes extends Stretch {
  /** Whether a byte, counted from the beginning of the layout, is undefined. */
  readonly isUndefined: (byte: number) => boolean;
  /** Whether arrays count of which nothing is set; else elements may have been left out because nobody needs them. */
  readonly hasArrays: boolean;
}

/** What copied bytes lack. */
export interface Unset {
  /** Members that were never set, as {@link partWith} names them. Of unions nobody knows which is meant. */
  readonly members: readonly string[];
  /** Whether nothing of it was set. */
  readonly isWhole: boolean;
}

export function unsetMembers(layout: HostLayout, copied: CopiedBytes): Unset {
  const end = copied.offset + copied.bytes;
  const members: string[] = [];
  /** @param isObject whether it is a variable, or an element of one: no part of a struct */
  const visit = (part: HostLayout, start: number, name: string, isObject: boolean): void => {
    if (start >= end || start + part.size <= copied.offset) return;
    if (part.kind === 'struct' && !isUnion(part)) {
      for (const { name: field, offset, layout: inner } of part.fields) {
        visit(inner, start + offset, field === '' ? name : `${name}.${field}`, false);
      }
      return;
    }
    // No program copies an array as such, only an element of one, or the struct around it.
    if (part.kind === 'array' && (isObject || start < copied.offset || start + part.size > end)) {
      const { element, length } = part;
      const first = Math.max(0, Math.floor((copied.offset - start) / element.size));
      const behind = Math.min(length, Math.ceil((end - start) / element.size));
      for (let index = first; index < behind; index += 1) {
        visit(element, start + index * element.size, `${name}[${index}]`, isObject);
      }
      return;
    }
    if (part.kind === 'struct') return;
    const counts =
      part.kind === 'array'
        ? copied.hasArrays && isUnset(part, start, copied)
        : bytesOf(part, start).some(copied.isUndefined);
    if (counts) members.push(name);
  };
  visit(layout, 0, '', true);
  return { members, isWhole: isAllUnset(layout, copied) };
}

/** Whether all copied bytes are undefined but those that belong to no member. */
function isAllUnset(layout: HostLayout, { offset, bytes, isUndefined }: CopiedBytes): boolean {
  const defined = new Set<number>();
  for (let byte = offset; byte < offset + bytes; byte += 1) if (!isUndefined(byte)) defined.add(byte);
  if (defined.size === 0) return true;
  if (defined.size === bytes) return false;
  for (const { offset: start, bytes: length } of paddingOf(layout, mostPadding) ?? []) {
    for (let byte = start; byte < start + length; byte += 1) defined.delete(byte);
  }
  return defined.size === 0;
}

/** Whether no byte of it is set, padding aside. */
function isUnset(part: HostLayout, start: number, copied: CopiedBytes): boolean {
  if (part.kind === 'struct') {
    // The bytes of members in unions are looked at more than once.
    return part.fields.every(({ offset, layout }) => isUnset(layout, start + offset, copied));
  }
  if (part.kind !== 'array') return bytesOf(part, start).every(copied.isUndefined);
  for (let index = 0; index < part.length; index += 1) {
    if (!isUnset(part.element, start + index * part.element.size, copied)) return false;
  }
  return part.length > 0;
}

/** The bytes of a number or vector. */
function bytesOf(part: Exclude<HostLayout, StructLayout | { kind: 'array' }>, start: number): number[] {
  const bytes = part.kind === 'vector' ? part.lanes * part.element.size : part.size;
  return Array.from({ length: bytes }, (_, index) => start + index);
}
