/**
 * Reads images. What is read is checked by writing it again: an image is right if that gives the same bytes, so that no header,
 * note or gap can say anything else than the programs do. The programs themselves are read as every text in IL is.
 */

import { crc32 } from '../../../build/crc32.ts';
import { Diagnostics } from '../../../source/diagnostics.ts';
import { renderDiagnostics } from '../../../source/render.ts';
import type { CALtarget } from '../constants.ts';
import { failed } from '../error.ts';
import { targetName } from '../features.ts';
import * as elf from './elf.ts';
import { type Encoding, programOf, shaderOf } from './encoding.ts';
import { type ReadEncoding, writeImage } from './write.ts';

/** An image has as many encodings as there are targets, at most. */
const mostEncodings = 64;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The encodings of an image; `bytes` is not kept.
 * @throws CalError CAL_RESULT_ERROR if it is none of ours, or damaged
 */
export function readImage(bytes: Uint8Array): ReadEncoding[] {
  const reader = new Reader(bytes);
  const isElf = elf.identification.every((byte, index) => bytes[index] === byte);
  if (!isElf || reader.half(16) !== elf.executableType || reader.half(18) !== elf.machine)
    throw failed('these bytes are no image of CAL');
  const segmentsAt = reader.word(28);
  if (reader.half(44) === 0 || reader.word(segmentsAt) !== elf.dictionarySegment)
    throw failed('the image has no dictionary of encodings');
  const dictionaryAt = reader.word(segmentsAt + 4);
  const count = reader.word(segmentsAt + 16) / elf.entryBytes;
  if (!(count >= 1 && count <= mostEncodings) || !Number.isInteger(count))
    throw failed('the image has no encodings, or too many');
  const encodings: ReadEncoding[] = [];
  for (let index = 0; index < count; index += 1) {
    encodings.push(readEncoding(reader, dictionaryAt + index * elf.entryBytes));
  }
  const again = writeImage(encodings);
  if (again.length !== bytes.length || again.some((byte, index) => byte !== bytes[index]))
    throw failed('the image is damaged: its headers and its programs do not agree');
  return encodings;
}

function readEncoding(reader: Reader, entryAt: number): ReadEncoding {
  const target: CALtarget = reader.word(entryAt);
  const type = reader.word(entryAt + 4);
  const start = reader.word(entryAt + 8);
  const end = start + reader.word(entryAt + 12);
  if (targetName(target) === undefined)
    throw failed(`the image has an encoding for the unknown target ${target}`);
  const note = findOwnNote(reader, start, end);
  if (note === undefined) throw failed('the image has no program in IL: it was made by another compiler');
  const [version, optimised, length, sum] = [0, 4, 8, 12].map((offset) => reader.word(note + offset));
  if (version !== elf.formatVersion) throw failed('the image was made by another version of Millrace');
  const text = reader.bytes(end - length!, length!);
  if (crc32(text) !== sum) throw failed('the image is damaged: a program is not what it was');
  const source = textOf(text);
  const diagnostics = new Diagnostics();
  const program = programOf({ source }, diagnostics);
  if (!program) throw failed(`a program of the image is wrong\n${renderDiagnostics(diagnostics.list)}`);
  const shader = shaderOf(program);
  if (elf.encodingTypes[shader] !== type) throw failed('the image calls a program what it is not');
  const encoding: Encoding = { target, shader, isOptimised: optimised === 1, source };
  return { encoding, program };
}

/** Where the content of our own note is. */
function findOwnNote(reader: Reader, start: number, end: number): number | undefined {
  let at = start;
  while (at + 20 <= end) {
    const size = reader.word(at + 4);
    const isOwn = reader.name(at + 12) === elf.ownNotes && reader.word(at + 8) === elf.ownNoteType;
    if (reader.word(at) !== 8) return undefined;
    if (isOwn) return at + 20;
    at += 20 + size;
  }
  return undefined;
}

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw failed('the image is damaged: a program is no text');
  }
}

/** Numbers at places, each of which may be outside. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  half(at: number): number {
    this.#check(at, 2);
    return this.#view.getUint16(at, true);
  }

  word(at: number): number {
    this.#check(at, 4);
    return this.#view.getUint32(at, true);
  }

  /** Seven characters and a NUL; undefined for anything else. */
  name(at: number): string | undefined {
    const bytes = this.bytes(at, 8);
    return bytes[7] === 0 ? String.fromCharCode(...bytes.subarray(0, 7)) : undefined;
  }

  /** Copied, since a decoder takes no shared memory. */
  bytes(at: number, length: number): Uint8Array {
    this.#check(at, length);
    return this.#bytes.slice(at, at + length);
  }

  #check(at: number, length: number): void {
    if (at < 0 || length < 0 || at + length > this.#bytes.length)
      throw failed('the image is damaged: it ends too early');
  }
}
