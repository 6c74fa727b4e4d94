/** Writes images. One and the same program always gives the same bytes: see read.ts. */

import { crc32 } from '../../../build/crc32.ts';
import { declarationsOf, registerOperands } from '../../../il/declarations.ts';
import type { Program } from '../../../il/tree.ts';
import * as elf from './elf.ts';
import type { Encoding } from './encoding.ts';

/** An encoding with its tree, from which its notes are made. */
export interface ReadEncoding {
  readonly encoding: Encoding;
  readonly program: Program;
}

const encoder = new TextEncoder();

/** The bytes of an image. */
export function writeImage(encodings: readonly ReadEncoding[]): Uint8Array {
  const names = sectionNames();
  const parts = encodings.map(({ encoding, program }) => ({
    encoding,
    notes: notesOf(encoding, program),
    text: encoder.encode(encoding.source),
  }));
  const segmentCount = 1 + 2 * parts.length;
  const sectionCount = 2 + 2 * parts.length;
  const segmentsAt = elf.headerBytes;
  const dictionaryAt = segmentsAt + segmentCount * elf.segmentBytes;
  const namesAt = dictionaryAt + parts.length * elf.entryBytes;
  const sectionsAt = align(namesAt + names.bytes.length);
  let end = sectionsAt + sectionCount * elf.sectionBytes;
  const placed = parts.map((part) => {
    const notesAt = end;
    const textAt = notesAt + part.notes.length;
    end = align(textAt + part.text.length);
    return { ...part, notesAt, textAt };
  });
  const out = new Writer(end);
  out.at(0);
  out.bytes(elf.identification);
  out.halves(elf.executableType, elf.machine);
  out.words(elf.elfVersion, 0, segmentsAt, sectionsAt, elf.elfFlags);
  out.halves(elf.headerBytes, elf.segmentBytes, segmentCount, elf.sectionBytes, sectionCount, 1);
  const segment = (type: number, offset: number, size: number, flags: number): void =>
    out.words(type, offset, 0, 0, size, 0, flags, 0);
  segment(elf.dictionarySegment, dictionaryAt, parts.length * elf.entryBytes, 0);
  for (const { notesAt, textAt, notes, text } of placed) {
    segment(elf.noteSegment, notesAt, notes.length, 0);
    segment(elf.loadSegment, textAt, text.length, elf.readAndRun);
  }
  for (const { encoding, notesAt, textAt, text } of placed) {
    const type = elf.encodingTypes[encoding.shader];
    out.words(encoding.target, type, notesAt, textAt + text.length - notesAt, 0);
  }
  out.bytes(names.bytes);
  out.at(sectionsAt);
  const section = (name: number, type: number, offset: number, size: number): void =>
    out.words(name, type, 0, 0, offset, size, 0, 0, type === elf.noSection ? 0 : 1, 0);
  section(0, elf.noSection, 0, 0);
  section(names.names, elf.namesSection, namesAt, names.bytes.length);
  for (const { notesAt, textAt, notes, text } of placed) {
    section(names.note, elf.noteSection, notesAt, notes.length);
    section(names.text, elf.bitsSection, textAt, text.length);
  }
  for (const { notesAt, textAt, notes, text } of placed) {
    out.at(notesAt);
    out.bytes(notes);
    out.at(textAt);
    out.bytes(text);
  }
  return out.result;
}

/** What CAL's loaders want to know of a program, and what ours does. */
function notesOf(encoding: Encoding, program: Program): Uint8Array {
  const { resources, outputs, constantBuffers } = declarationsOf(program);
  const numbers = (list: Iterable<number>): number[] => [...new Set(list)].sort((a, b) => a - b);
  const text = encoder.encode(encoding.source);
  const notes: (readonly [name: string, type: number, words: readonly number[]])[] = [
    [elf.calNotes, elf.noteTypes.inputs, numbers(resources.keys())],
    [elf.calNotes, elf.noteTypes.outputs, numbers(outputs.map(({ register }) => register.number ?? 0))],
    [elf.calNotes, elf.noteTypes.globalBuffers, usesGlobal(program) ? [0] : []],
    [
      elf.calNotes,
      elf.noteTypes.constantBuffers,
      numbers(constantBuffers.keys()).flatMap((index) => [index, constantBuffers.get(index)!.size >>> 0]),
    ],
    [
      elf.ownNotes,
      elf.ownNoteType,
      [elf.formatVersion, encoding.isOptimised ? 1 : 0, text.length, crc32(text)],
    ],
  ];
  const out = new Writer(notes.reduce((size, [, , words]) => size + 12 + 8 + words.length * 4, 0));
  for (const [name, type, words] of notes) {
    out.words(8, words.length * 4, type);
    out.bytes(encoder.encode(`${name}\0`));
    out.words(...words);
  }
  return out.result;
}

function usesGlobal({ items }: Program): boolean {
  for (const item of items) {
    if (item.kind !== 'instruction') continue;
    for (const { register } of registerOperands(item.operands)) if (register.kind === 'g') return true;
  }
  return false;
}

function sectionNames(): { bytes: Uint8Array; names: number; note: number; text: number } {
  const bytes = encoder.encode('\0.shstrtab\0.note\0.amdil\0');
  return { bytes, names: 1, note: 11, text: 17 };
}

const align = (offset: number): number => (offset + 3) & ~3;

/** Little-endian numbers one after another. */
class Writer {
  readonly result: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(size: number) {
    this.result = new Uint8Array(size);
    this.#view = new DataView(this.result.buffer);
  }

  at(position: number): void {
    this.#position = position;
  }

  bytes(values: ArrayLike<number>): void {
    this.result.set(values, this.#position);
    this.#position += values.length;
  }

  halves(...values: number[]): void {
    for (const value of values) {
      this.#view.setUint16(this.#position, value, true);
      this.#position += 2;
    }
  }

  words(...values: number[]): void {
    for (const value of values) {
      this.#view.setUint32(this.#position, value, true);
      this.#position += 4;
    }
  }
}
