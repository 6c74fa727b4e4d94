/**
 * How machine code travels: as a WebAssembly module without functions, so that the wasm device's runtime, which keeps, caches and hands out modules,
 * need not know of it. A section of its own has either the code, as it is built and cached, or the addresses of kernels, as threads are
 * told of them once the host has put the code into pages; another one the functions that the code imports.
 *
 * The first launches of a kernel may run baseline code (devices/wasm/baseline), which is WebAssembly: a module without these sections.
 */

/** Code of kernels, where each begins, in the order of `WasmProgram.kernels`, and what it imports, in the order of its table. */
export interface NativeCode {
  readonly bytes: Uint8Array;
  readonly entries: readonly number[];
  readonly imports: readonly NativeImport[];
}

/** A function that takes so many numbers of 32 bits and gives one. */
export interface NativeImport {
  readonly name: string;
  readonly parameters: number;
}

const codeSection = 'millrace.x64';
const addressSection = 'millrace.x64.addresses';
const importSection = 'millrace.x64.imports';

/** Magic number and version. */
const empty = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** The module that holds machine code. */
export function encodeNative({ bytes, entries, imports }: NativeCode): Uint8Array {
  const content = new Uint8Array(4 + 4 * entries.length + bytes.length);
  const view = new DataView(content.buffer);
  view.setUint32(0, entries.length, true);
  entries.forEach((entry, index) => {
    view.setUint32(4 + 4 * index, entry, true);
  });
  content.set(bytes, 4 + 4 * entries.length);
  return moduleWith([
    [codeSection, content],
    [importSection, json(imports)],
  ]);
}

/** The machine code that a module holds; undefined if it is WebAssembly. */
export function decodeNative(bytes: Uint8Array): NativeCode | undefined {
  const module = new WebAssembly.Module(bytes as BufferSource);
  if (WebAssembly.Module.customSections(module, codeSection).length === 0) return undefined;
  const view = new DataView(sectionOf(module, codeSection));
  const count = view.getUint32(0, true);
  const entries = Array.from({ length: count }, (_, index) => view.getUint32(4 + 4 * index, true));
  return { bytes: new Uint8Array(view.buffer, 4 + 4 * count), entries, imports: importsOf(module) };
}

/** The module that says where code is that has been put into memory at an address. */
export function encodePlaced({ entries, imports }: NativeCode, address: bigint): Uint8Array {
  const addresses = new BigUint64Array(entries.map((entry) => address + BigInt(entry)));
  return moduleWith([
    [addressSection, new Uint8Array(addresses.buffer)],
    [importSection, json(imports)],
  ]);
}

/** Whether a module is one of {@link encodePlaced}, not WebAssembly. */
export function isPlaced(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.customSections(module, addressSection).length > 0;
}

/** Where the kernels are, of a module of {@link encodePlaced}. */
export function addressesIn(module: WebAssembly.Module): bigint[] {
  return [...new BigUint64Array(sectionOf(module, addressSection))];
}

/** What the code of either form imports. */
export function importsOf(module: WebAssembly.Module): readonly NativeImport[] {
  return JSON.parse(new TextDecoder().decode(sectionOf(module, importSection))) as NativeImport[];
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function sectionOf(module: WebAssembly.Module, name: string): ArrayBuffer {
  const [section] = WebAssembly.Module.customSections(module, name);
  if (!section) throw new Error(`native: a module without the section ${name}`);
  return section;
}

function moduleWith(sections: readonly (readonly [name: string, content: Uint8Array])[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from(empty)];
  for (const [name, content] of sections) {
    const title = new TextEncoder().encode(name);
    const inner = [...leb(title.length), ...title];
    parts.push(Uint8Array.of(0, ...leb(inner.length + content.length), ...inner), content);
  }
  const module = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    module.set(part, at);
    at += part.length;
  }
  return module;
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}
