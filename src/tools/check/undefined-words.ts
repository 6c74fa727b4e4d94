/** How reports speak of bytes that were never set: by the members of structs, as far as the program tells of them. */
import type { HostLayout } from '../../ir/ir.ts';
import { partWith, unsetMembers } from './layouts.ts';
import type { Base, CopySource } from './sites.ts';

/** Members that are named in one message. */
const mostNamed = 4;

/** What a program calls bytes of an object, `p.w` or `a[3].w`; the object's name where it says no more. */
export function nameAt(
  base: Base | undefined,
  offset: number | undefined,
  bytes: number,
): string | undefined {
  if (!base) return undefined;
  if (base.kind === 'image' || offset === undefined || offset < 0) return base.name;
  const { layout, start, name } = shapeAt(base, offset);
  const member = layout ? partWith(layout, offset - start, bytes) : '';
  return name === undefined ? withoutName(member, layout) : `${name}${member}`;
}

/** Bytes that a copy has stored and that were never set. */
export interface StoredUnset {
  /** What a message says was never set: `'p.w' was`. */
  readonly text: string;
  readonly isSeveral: boolean;
  /** Whether nothing of what was copied was set, be it a struct or a number on its own. */
  readonly isWhole: boolean;
}

/**
 * What to say of a copy of bytes some of which are undefined; undefined if nothing, for nobody can tell whether they are of any use.
 * @param isUndefined whether a byte of the object is
 */
export function storedUnset(
  { base, hasArrays }: CopySource,
  offset: number,
  bytes: number,
  isUndefined: (byte: number) => boolean,
): StoredUnset | undefined {
  if (bytes === 0) return undefined;
  const shape = base && base.kind !== 'image' ? shapeAt(base, offset) : undefined;
  if (!shape?.layout) {
    // Without a layout nobody knows what is padding.
    const isWhole = Array.from({ length: bytes }, (_, at) => offset + at).every(isUndefined);
    const text = `${shape?.name ? `'${shape.name}'` : 'what is copied'} was`;
    return isWhole ? { text, isSeveral: false, isWhole } : undefined;
  }
  const { layout, start, name } = shape;
  const copied = {
    offset: offset - start,
    bytes,
    hasArrays,
    isUndefined: (byte: number) => isUndefined(start + byte),
  };
  const { members, isWhole } = unsetMembers(layout, copied);
  if (isWhole) {
    const what = partWith(layout, copied.offset, bytes);
    // Async copies take structs apart.
    const isMember = what.includes('.');
    const text = `'${name === undefined ? withoutName(what, layout) : `${name}${what}`}' was`;
    return { text, isSeveral: false, isWhole: !isMember };
  }
  if (members.length === 0) return undefined;
  const named = members.slice(0, mostNamed).map((member) => {
    return `'${name === undefined ? withoutName(member, layout) : `${name}${member}`}'`;
  });
  const more = members.length - named.length;
  if (more > 0) named.push(`${more} other ${more === 1 ? 'member' : 'members'}`);
  const last = named.pop()!;
  const text = named.length === 0 ? last : `${named.join(', ')} and ${last}`;
  const isSeveral = members.length > 1;
  return { text: `${text} ${isSeveral ? 'were' : 'was'}`, isSeveral, isWhole };
}

/** The layout that an offset into an object is in, where that begins, and what the program calls it; nothing for what it has no name for. */
function shapeAt(
  base: Exclude<Base, { kind: 'image' }>,
  offset: number,
): { layout: HostLayout | undefined; start: number; name: string | undefined } {
  if (base.kind === 'variable') {
    const { declared, name } = base;
    const isNamed = declared === undefined || declared.span !== undefined;
    return { layout: declared?.layout, start: 0, name: isNamed ? name : undefined };
  }
  const { name, pointee } = base;
  if (!pointee || pointee.size === 0) return { layout: undefined, start: 0, name };
  const index = Math.floor(offset / pointee.size);
  return { layout: pointee, start: index * pointee.size, name: `${name}[${index}]` };
}

/** `w of struct P`, for a value that no variable holds. */
function withoutName(member: string, layout: HostLayout | undefined): string {
  let struct = layout;
  while (struct?.kind === 'array') struct = struct.element;
  const name = struct?.kind === 'struct' && struct.name !== '' ? `struct ${struct.name}` : 'a struct';
  return member === '' ? name : `${member.replace(/^\./, '')} of ${name}`;
}
