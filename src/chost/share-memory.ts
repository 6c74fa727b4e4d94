/**
 * Makes a module of WebAssembly work on a shared memory that it is given. Programs that are compiled for WASI in the ordinary
 * way define a memory of their own, which no other thread can see.
 *
 *   - The memory becomes an import, shared, with a maximum. Indices stay, and so do exports and segments.
 *   - The table of functions is exported, so that pointers to functions can be called from outside.
 *   - `memory.size` answers with the end of what the program itself has been given. Others grow the memory too (device
 *     memory comes from there), and a malloc that asks for the end when it begins would take theirs. `memory.grow`
 *     becomes a call of a function that remembers that end.
 */
import { opcode, Reader, readInstruction } from './instructions.ts';

/** The import that stands for the memory, where the module had one of its own. */
export const memoryImport = { module: 'millrace', name: 'memory' } as const;

/** What the table of functions is exported as; clang's linker calls it so too. */
export const tableName = '__indirect_function_table';

/** A module that can be given a shared memory. */
export interface SharedModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The name of the memory that it imports. */
  readonly memory: { readonly module: string; readonly name: string };
  /** Pages that it needs at the start. */
  readonly initialPages: number;
  /** Of a program with threads: the module of all threads but the first, which leaves the variables as they are. */
  readonly others?: Uint8Array<ArrayBuffer> | undefined;
}

/** What programs start threads with (wasi-threads): a pointer to a number. */
export const threadImport = { module: 'wasi', name: 'thread-spawn' } as const;

/**
 * Threads cannot keep the end of the memory in a global, of which each has its own: they ask for so many pages, 0 for the end, by the
 * function that starts threads, with a number that no pointer to a thread's arguments has.
 */
export const growRequest = 0xffff0000;

/** Numbers of sections, in their order (5.5.2); 12, data count, stands before code. */
const section = {
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  code: 10,
  data: 11,
} as const;
const order = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];

const kinds = { function: 0, table: 1, memory: 2, global: 3 } as const;

/**
 * @param maximumPages of the memory that it will be given
 * @throws Error, in words that go on after "FILE is no program that can run here: "
 */
export function shareMemory(bytes: Uint8Array, maximumPages: number): SharedModule {
  const parts = split(bytes);
  const imports = readImports(entriesOf(parts, section.import), maximumPages);
  const own = entriesOf(parts, section.memory);
  if (own.count + (imports.memory ? 1 : 0) !== 1) throw new Error('it must have one memory');
  const memory = imports.memory ?? { ...memoryImport, initialPages: limits(own.reader).minimum };
  if (!imports.memory) {
    const shared = [...text(memory.module), ...text(memory.name), kinds.memory, 3];
    imports.entries.push([...shared, ...leb(memory.initialPages), ...leb(maximumPages)]);
  }
  parts.delete(section.memory);
  parts.set(section.import, vector(imports.entries));

  const types = entriesOf(parts, section.type);
  const functions = entriesOf(parts, section.function);
  const globals = entriesOf(parts, section.global);
  const end = imports.globals + globals.count;
  const grow = imports.functions + functions.count;
  // A function from an i32 to an i32, a global that begins as the memory does.
  append(parts, section.type, types, [0x60, 1, 0x7f, 1, 0x7f]);
  append(parts, section.function, functions, leb(types.count));
  const isThreaded = imports.thread >= 0;
  if (!isThreaded)
    append(parts, section.global, globals, [0x7f, 1, 0x41, ...signed(memory.initialPages), 0x0b]);
  const replacement = isThreaded
    ? { size: [0x41, 0, 0x10, ...leb(grow)], grow: growByThreads(imports.thread) }
    : { size: [0x23, ...leb(end)], grow: growFunction(end) };
  parts.set(section.code, rewriteCode(entriesOf(parts, section.code), grow, replacement));
  if (imports.tables + entriesOf(parts, section.table).count > 0) exportTable(parts);
  const made = { bytes: join(bytes, parts), memory, initialPages: memory.initialPages };
  if (!isThreaded) return made;
  const data = entriesOf(parts, section.data);
  parts.set(section.data, withoutPlaces(data));
  return { ...made, others: join(bytes, parts) };
}

/** Segments that would be copied when an instance is made become such as wait to be asked for. */
function withoutPlaces({ count, reader }: Entries): Uint8Array {
  const pieces: Piece[] = [leb(count)];
  for (let index = 0; index < count; index += 1) {
    const kind = reader.number();
    if (kind === 2) reader.skipNumber();
    if (kind !== 1) while (readInstruction(reader) !== 0x0b);
    const start = reader.at;
    const length = reader.number();
    reader.skip(length);
    pieces.push([1], reader.bytes.subarray(start, reader.at));
  }
  return concatenated(pieces);
}

/** The end of the memory, or more of it, by the function that starts threads. */
function growByThreads(thread: number): number[] {
  return [
    // no locals; a request of more pages than there are in all is -1
    ...[0, 0x20, 0, 0x41, ...signed(0xffff), 0x4b, 0x04, 0x7f, 0x41, 0x7f, 0x05],
    // i32.const 0xffff0000, which is -65536
    ...[0x20, 0, 0x41, 0x80, 0x80, 0x7c, 0x72, 0x10, ...leb(thread), 0x0b, 0x0b],
  ];
}

type Parts = Map<number, readonly number[] | Uint8Array>;

/** Sections by their numbers. Custom ones are left out but for names, which stay right as no index changes. */
function split(bytes: Uint8Array): Parts {
  const reader = new Reader(bytes);
  const magic = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  if (magic.some((byte) => reader.byte() !== byte)) throw new Error('it is no module of WebAssembly');
  const parts: Parts = new Map();
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.number();
    const content = bytes.subarray(reader.at, reader.at + size);
    if (content.length < size) throw new Error('it has been cut off');
    if (id !== 0) parts.set(id, content);
    else if (isNames(content)) parts.set(0, content);
    reader.skip(size);
  }
  return parts;
}

function isNames(content: Uint8Array): boolean {
  return [...text('name')].every((byte, index) => content[index] === byte);
}

interface Entries {
  readonly count: number;
  /** At the first entry. */
  readonly reader: Reader;
}

function entriesOf(parts: Parts, id: number): Entries {
  const reader = new Reader(Uint8Array.from(parts.get(id) ?? [0]));
  return { count: reader.number(), reader };
}

/** Adds one entry behind those of a section. */
function append(parts: Parts, id: number, { count, reader }: Entries, entry: readonly number[]): void {
  const rest = reader.bytes.subarray(reader.at);
  parts.set(id, concatenated([leb(count + 1), rest, entry]));
}

interface Imports {
  readonly entries: (readonly number[])[];
  readonly functions: number;
  readonly tables: number;
  readonly globals: number;
  readonly memory: (SharedModule['memory'] & { readonly initialPages: number }) | undefined;
  /** The function that starts threads; -1 if there is none. */
  readonly thread: number;
}

/** The entries as they will be: a memory that is imported becomes a shared one. */
function readImports({ count, reader }: Entries, maximumPages: number): Imports {
  const counts = [0, 0, 0, 0, 0];
  const entries: (readonly number[])[] = [];
  let memory: Imports['memory'];
  let thread = -1;
  for (let index = 0; index < count; index += 1) {
    const start = reader.at;
    const module = readText(reader);
    const name = readText(reader);
    const kindAt = reader.at;
    const kind = reader.byte();
    if (kind === kinds.function && module === threadImport.module && name === threadImport.name)
      thread = counts[0]!;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === kinds.function) reader.skipNumber();
    else if (kind === kinds.table) {
      reader.skip(1);
      limits(reader);
    } else if (kind === kinds.global) reader.skip(2);
    else if (kind === kinds.memory) {
      const { minimum } = limits(reader);
      memory = { module, name, initialPages: minimum };
      const head = [...reader.bytes.subarray(start, kindAt)];
      entries.push([...head, kind, 3, ...leb(minimum), ...leb(maximumPages)]);
      continue;
    } else if (kind === 4) {
      reader.skip(1);
      reader.skipNumber();
    } else throw new Error(`it imports ${module}.${name}, which is nothing known here`);
    entries.push([...reader.bytes.subarray(start, reader.at)]);
  }
  return { entries, functions: counts[0]!, tables: counts[1]!, globals: counts[3]!, memory, thread };
}

function limits(reader: Reader): { readonly minimum: number } {
  const flags = reader.byte();
  if (flags > 3) throw new Error('its memory has addresses of 64 bits');
  const minimum = reader.number();
  if (flags & 1) reader.skipNumber();
  return { minimum };
}

/** Adds the table to what is exported, unless it is. */
function exportTable(parts: Parts): void {
  const entries = entriesOf(parts, section.export);
  const { count } = entries;
  const reader = new Reader(entries.reader.bytes, entries.reader.at);
  for (let index = 0; index < count; index += 1) {
    if (readText(reader) === tableName) return;
    reader.skip(1);
    reader.skipNumber();
  }
  append(parts, section.export, entries, [...text(tableName), kinds.table, 0]);
}

/** What stands for `memory.size`, and the function that `memory.grow` calls. */
interface Replacement {
  readonly size: readonly number[];
  readonly grow: readonly number[];
}

/** All functions with their uses of the memory's size replaced, and the function that grows it behind them. */
function rewriteCode({ count, reader }: Entries, grow: number, replacement: Replacement): Uint8Array {
  const pieces: Piece[] = [leb(count + 1)];
  for (let index = 0; index < count; index += 1) {
    const size = reader.number();
    const body = reader.bytes.subarray(reader.at, reader.at + size);
    reader.skip(size);
    const replaced = rewriteBody(body, grow, replacement.size);
    pieces.push(leb(replaced.length), replaced);
  }
  pieces.push(leb(replacement.grow.length), replacement.grow);
  return concatenated(pieces);
}

function rewriteBody(body: Uint8Array, grow: number, size: readonly number[]): Uint8Array {
  const reader = new Reader(body);
  for (let groups = reader.number(); groups > 0; groups -= 1) {
    reader.skipNumber();
    reader.skip(1);
  }
  const pieces: Piece[] = [];
  let kept = 0;
  while (reader.at < body.length) {
    const start = reader.at;
    const code = readInstruction(reader);
    if (code !== opcode.memorySize && code !== opcode.memoryGrow) continue;
    const replacement = code === opcode.memorySize ? size : [0x10, ...leb(grow)];
    pieces.push(body.subarray(kept, start), replacement);
    kept = reader.at;
  }
  return kept === 0 ? body : concatenated([...pieces, body.subarray(kept)]);
}

/** Growing by nothing asks for the end, as `memory.size` does. */
function growFunction(end: number): number[] {
  const global = leb(end);
  return [
    // One local, i32: the old size.
    ...[1, 1, 0x7f],
    // if the parameter is 0: the end
    ...[0x20, 0, 0x45, 0x04, 0x7f, 0x23, ...global, 0x05],
    // else grow, and unless that gives -1 the end is the old size and the parameter
    ...[
      0x20,
      0,
      0x40,
      0,
      0x22,
      1,
      0x41,
      0x7f,
      0x47,
      0x04,
      0x40,
      0x20,
      1,
      0x20,
      0,
      0x6a,
      0x24,
      ...global,
      0x0b,
    ],
    // either way the result is the old size
    ...[0x20, 1, 0x0b, 0x0b],
  ];
}

function join(original: Uint8Array, parts: Parts): Uint8Array<ArrayBuffer> {
  const pieces: Piece[] = [original.subarray(0, 8)];
  for (const id of [...order, 0]) {
    const content = parts.get(id);
    if (content) pieces.push([id], leb(content.length), content);
  }
  return concatenated(pieces);
}

type Piece = readonly number[] | Uint8Array;

function concatenated(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

function vector(entries: readonly (readonly number[])[]): Uint8Array {
  return concatenated([leb(entries.length), ...entries]);
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

/** A signed LEB128 number that is not negative: its last byte must not look so. */
function signed(value: number): number[] {
  const bytes = leb(value);
  const last = bytes.at(-1)!;
  return last < 0x40 ? bytes : [...bytes.slice(0, -1), last | 0x80, 0];
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...leb(bytes.length), ...bytes];
}

function readText(reader: Reader): string {
  const length = reader.number();
  const bytes = reader.bytes.subarray(reader.at, reader.at + length);
  reader.skip(length);
  return new TextDecoder().decode(bytes);
}
