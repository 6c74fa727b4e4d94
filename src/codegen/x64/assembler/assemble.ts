/**
 * A program as bytes: each instruction is encoded, jumps are made as short as they can be, labels and constants get their places.
 *
 * Jumps begin short, and those whose label turns out to be too far become long, until none is; since none becomes short again, this ends.
 * Calls are always long. Constants follow the code, the ones with the greatest alignment first, so that little is left empty.
 */
import { CodeBuffer, type Fixup } from './code-buffer.ts';
import { encode } from './encode.ts';
import type { EncodingOptions, Instruction } from './instruction.ts';
import { printInstruction } from './print.ts';
import type { MachineCode, Program } from './program.ts';
import { conditions } from './tables/control.ts';

/** Jumps by mnemonic: the number of the condition, -1 for always. */
const jumps = new Map<string, number>([['jmp', -1]]);
conditions.forEach((names, number) => {
  for (const name of names) jumps.set(`j${name}`, number);
});

/** The canonical name of a jump, `je` for `jz`. */
export function jumpName(mnemonic: string): string {
  const number = jumps.get(mnemonic);
  return number === undefined || number < 0 ? mnemonic : `j${conditions[number]![0]}`;
}

/** A part of the program whose length is known, or one that depends on places. */
type Piece =
  | { readonly kind: 'bytes'; readonly start: number; end: number; readonly fixups: readonly Fixup[] }
  | { readonly kind: 'jump'; readonly condition: number; readonly target: number; isLong: boolean }
  | { readonly kind: 'call'; readonly target: number }
  | { readonly kind: 'align'; readonly bytes: number }
  | { readonly kind: 'label'; readonly label: number };

/** No-ops of one to nine bytes, as the processors' makers recommend. */
const noOperations: readonly (readonly number[])[] = [
  [0x90],
  [0x66, 0x90],
  [0x0f, 0x1f, 0x00],
  [0x0f, 0x1f, 0x40, 0x00],
  [0x0f, 0x1f, 0x44, 0x00, 0x00],
  [0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
  [0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
  [0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
  [0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/**
 * @throws Error for an instruction that cannot be encoded and for a label that is used and has no place: bugs of whoever made the program
 */
export function assemble(program: Program, options: EncodingOptions): MachineCode {
  const buffer = new CodeBuffer();
  const pieces = program.items.map((item): Piece => {
    if (item.kind !== 'instruction') return item;
    const { instruction } = item;
    const [first] = instruction.operands;
    if (first?.kind === 'label') return jumpPiece(instruction, first.label);
    const start = buffer.length;
    const before = buffer.fixups.length;
    encode(buffer, instruction, options);
    return { kind: 'bytes', start, end: buffer.length, fixups: buffer.fixups.slice(before) };
  });
  const labels = new Array<number>(program.labelCount).fill(-1);
  const places = new Array<number>(pieces.length).fill(0);
  let end = layOut(pieces, places, labels);
  while (lengthen(pieces, places, labels)) end = layOut(pieces, places, labels);

  const constants = layOutConstants(program, end);
  const bytes = new Uint8Array(constants.end);
  const view = new DataView(bytes.buffer);
  const placeOf = (kind: Fixup['kind'], target: number): number => {
    const place = kind === 'label' ? labels[target] : constants.places[target];
    if (place === undefined || place < 0) throw new Error(`x64: ${kind} ${target} has no place`);
    return place;
  };
  pieces.forEach((piece, index) => {
    const at = places[index]!;
    if (piece.kind === 'bytes') {
      bytes.set(buffer.bytes.subarray(piece.start, piece.end), at);
      for (const { kind, target, offset, at: inside, end } of piece.fixups) {
        const from = at + end - piece.start;
        view.setInt32(at + inside - piece.start, placeOf(kind, target) + offset - from, true);
      }
    } else if (piece.kind === 'jump') {
      writeJump(bytes, view, at, piece, placeOf('label', piece.target));
    } else if (piece.kind === 'call') {
      bytes[at] = 0xe8;
      view.setInt32(at + 1, placeOf('label', piece.target) - at - 5, true);
    } else if (piece.kind === 'align') {
      fill(bytes, at, places[index + 1] ?? end);
    }
  });
  program.constants.forEach((constant, index) => {
    bytes.set(constant.bytes, constants.places[index]!);
  });
  return {
    bytes,
    constantsAt: constants.start,
    constants: constants.places,
    labels,
    places,
  };
}

function jumpPiece(instruction: Instruction, target: number): Piece {
  if (instruction.mnemonic === 'call') return { kind: 'call', target };
  const condition = jumps.get(instruction.mnemonic);
  if (condition === undefined || instruction.operands.length > 1) {
    throw new Error(`x64: cannot encode '${printInstruction(instruction)}': it is no jump`);
  }
  return { kind: 'jump', condition, target, isLong: false };
}

function lengthOf(piece: Piece, at: number): number {
  switch (piece.kind) {
    case 'bytes':
      return piece.end - piece.start;
    case 'jump':
      return piece.isLong ? (piece.condition < 0 ? 5 : 6) : 2;
    case 'call':
      return 5;
    case 'align':
      return -at & (piece.bytes - 1);
    case 'label':
      return 0;
  }
}

/** Gives all pieces their places; returns the end. */
function layOut(pieces: readonly Piece[], places: number[], labels: number[]): number {
  let at = 0;
  pieces.forEach((piece, index) => {
    places[index] = at;
    if (piece.kind === 'label') labels[piece.label] = at;
    at += lengthOf(piece, at);
  });
  return at;
}

/** Makes jumps long whose target is too far; false if there are none. */
function lengthen(pieces: readonly Piece[], places: readonly number[], labels: readonly number[]): boolean {
  let changed = false;
  pieces.forEach((piece, index) => {
    if (piece.kind !== 'jump' || piece.isLong) return;
    const distance = labels[piece.target]! - places[index]! - 2;
    if (distance >= -128 && distance <= 127) return;
    piece.isLong = true;
    changed = true;
  });
  return changed;
}

function writeJump(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  { condition, isLong }: Extract<Piece, { kind: 'jump' }>,
  target: number,
): void {
  if (!isLong) {
    bytes[at] = condition < 0 ? 0xeb : 0x70 | condition;
    view.setInt8(at + 1, target - at - 2);
  } else if (condition < 0) {
    bytes[at] = 0xe9;
    view.setInt32(at + 1, target - at - 5, true);
  } else {
    bytes[at] = 0x0f;
    bytes[at + 1] = 0x80 | condition;
    view.setInt32(at + 2, target - at - 6, true);
  }
}

function fill(bytes: Uint8Array, from: number, to: number): void {
  let at = from;
  while (at < to) {
    const length = Math.min(to - at, noOperations.length);
    bytes.set(noOperations[length - 1]!, at);
    at += length;
  }
}

/** Places for the constants behind the code. The whole then begins at a multiple of the greatest alignment. */
function layOutConstants(
  program: Program,
  codeEnd: number,
): { start: number; end: number; places: readonly number[] } {
  const { constants } = program;
  const places = new Array<number>(constants.length).fill(0);
  const order = constants.map((_, index) => index);
  order.sort((left, right) => constants[right]!.alignment - constants[left]!.alignment || left - right);
  let at = codeEnd;
  let start = -1;
  for (const index of order) {
    const { alignment, bytes } = constants[index]!;
    at += -at & (alignment - 1);
    if (start < 0) start = at;
    places[index] = at;
    at += bytes.length;
  }
  return { start: start < 0 ? codeEnd : start, end: at, places };
}
