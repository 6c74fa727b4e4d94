/** Registers, constants and numbers as listings write them. */
import { knownNumbers } from '../bundles.ts';
import type { Channel } from '../operations.ts';
import type { Operand, Place } from '../program.ts';
import type { Cursor } from './cursor.ts';

/** Numbers of registers, constants and buffers that fit into an instruction. */
const mostRegisters = 127;
const mostConstants = 4095;
const mostBuffers = 15;

/** What an operand may lead to: the literals of its bundle, which it may add to, and the bundle before. */
export interface BundleContext {
  readonly literals: (number | undefined)[];
  /** As it is numbered in the text. */
  readonly previous: number | undefined;
}

export function register(cursor: Cursor): number {
  if (cursor.word(/R(?=\d)/y) === '') cursor.lost('expected a register');
  return cursor.number('the number of a register', mostRegisters);
}

/** One of x, y, z and w behind a point. */
function channel(cursor: Cursor): Channel {
  cursor.expect('.');
  const letter = cursor.read(/[xyzw]/y);
  if (letter === '') cursor.lost('expected x, y, z or w');
  return 'xyzw'.indexOf(letter) as Channel;
}

/** `R0.x`, `T1.w`. */
export function place(cursor: Cursor): Place {
  if (cursor.accept('T')) {
    const index = cursor.number('the number of a clause temporary', 3);
    return { file: 'temporary', index, channel: channel(cursor) };
  }
  return { file: 'general', index: register(cursor), channel: channel(cursor) };
}

/** Up to four of x, y, z, w and `_` behind a point; all four where nothing is. */
export function swizzle(cursor: Cursor): (Channel | undefined)[] {
  if (!cursor.accept('.')) return [0, 1, 2, 3];
  const letters = cursor.read(/[xyzw_]{1,4}/y);
  if (letters === '') cursor.lost('expected some of x, y, z, w and _');
  return [0, 1, 2, 3].map((at) => {
    const index = 'xyzw'.indexOf(letters.charAt(at) || '_');
    return index < 0 ? undefined : (index as Channel);
  });
}

/** What an ALU instruction reads. */
export function operand(cursor: Cursor, bundle: BundleContext): Operand {
  const known = knownNumber(cursor);
  if (known !== undefined) return { kind: 'number', bits: known, literal: undefined };
  const negate = cursor.accept('-');
  const absolute = cursor.accept('|');
  const plain = plainOperand(cursor, bundle);
  if (absolute) cursor.expect('|');
  return { ...plain, ...(negate ? { negate } : {}), ...(absolute ? { absolute } : {}) };
}

function plainOperand(cursor: Cursor, bundle: BundleContext): Operand {
  const known = knownNumber(cursor);
  if (known !== undefined) return { kind: 'number', bits: known, literal: undefined };
  if (cursor.accept('(')) return literal(cursor, bundle);
  const start = cursor.here();
  switch (cursor.word(/PV|PS|CB|(?=[RT]\d)/y)) {
    case 'PV':
      previous(cursor, bundle, start);
      return { kind: 'previous', slot: (['x', 'y', 'z', 'w'] as const)[channel(cursor)] };
    case 'PS':
      previous(cursor, bundle, start);
      return { kind: 'previous', slot: 't' };
    case 'CB': {
      const buffer = cursor.number('the number of a constant buffer', mostBuffers);
      cursor.expect('[');
      const index = cursor.number('the number of a constant', mostConstants);
      cursor.expect(']');
      return { kind: 'constant', buffer, index, channel: channel(cursor) };
    }
    default:
      return { kind: 'place', ...place(cursor) };
  }
}

function previous(cursor: Cursor, bundle: BundleContext, start: number): void {
  const number = Number(cursor.read(/\d+/y) || Number.NaN);
  if (bundle.previous === undefined)
    cursor.fail(start, 'there is no bundle before this one in the clause, whose results could be taken');
  if (number !== bundle.previous)
    cursor.fail(start, `only results of the bundle before, ${bundle.previous}, can be taken`);
}

/** `(0x40000000, 2f).x`: the bits count, the float is for readers. */
function literal(cursor: Cursor, { literals }: BundleContext): Operand {
  const start = cursor.here();
  const hex = cursor.word(/0[xX][0-9a-fA-F]{1,8}(?![0-9a-fA-F])/y);
  if (hex === '') cursor.lost('expected the bits of a number, 0x and up to eight digits');
  const bits = Number(hex) | 0;
  if (cursor.accept(',')) cursor.word(/[-+\w.]+/y);
  cursor.expect(')');
  const at = channel(cursor);
  if (literals[at] !== undefined && literals[at] !== bits)
    cursor.fail(start, `literal ${'xyzw'[at]} of the bundle is another number already`);
  literals[at] = bits;
  return { kind: 'number', bits, literal: at };
}

const known = [...knownNumbers].sort(([, a], [, b]) => b.length - a.length);

function knownNumber(cursor: Cursor): number | undefined {
  cursor.here();
  const { text } = cursor.file;
  for (const [bits, name] of known) {
    if (!text.startsWith(name, cursor.offset)) continue;
    if (/[\w.]/.test(text.charAt(cursor.offset + name.length))) continue;
    cursor.offset += name.length;
    return bits;
  }
  return undefined;
}
