/**
 * How machine code travels: as a WebAssembly module without functions, so that the wasm device's runtime, which keeps, caches and hands out modules,
 * need not know of it. A section of its own has either the code, as it is built and cached, or the addresses of kernels, as threads are
 * told of them once the host has put the code into pages.
 */
import { placeCode } from './code-pages.ts';
import { openGuard } from './memory-guard.ts';

/** Code of kernels, and where each begins, in the order of `WasmProgram.kernels`. */
export interface NativeCode {
  readonly bytes: Uint8Array;
  readonly entries: readonly number[];
}

const codeSection = 'millrace.x64';
const addressSection = 'millrace.x64.addresses';

/** Magic number and version. */
const empty = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** The module that holds machine code. */
export function encodeNative({ bytes, entries }: NativeCode): Uint8Array {
  const content = new Uint8Array(4 + 4 * entries.length + bytes.length);
  const view = new DataView(content.buffer);
  view.setUint32(0, entries.length, true);
  entries.forEach((entry, index) => {
    view.setUint32(4 + 4 * index, entry, true);
  });
  content.set(bytes, 4 + 4 * entries.length);
  return moduleWith(codeSection, content);
}

/** The machine code that a module holds. */
export function decodeNative(module: Uint8Array): NativeCode {
  const view = new DataView(sectionOf(new WebAssembly.Module(module as BufferSource), codeSection));
  const count = view.getUint32(0, true);
  const entries = Array.from({ length: count }, (_, index) => view.getUint32(4 + 4 * index, true));
  return { bytes: new Uint8Array(view.buffer, 4 + 4 * count), entries };
}

/**
 * Puts a module's code into pages, for kernels over this memory, and gives the module that tells threads where it is, in the place of the one that was built.
 * @throws Error if the memory cannot be made safe for it: whoever opens the device asks {@link openGuard} first
 */
export function placeNative(
  module: Uint8Array,
  memory: WebAssembly.Memory,
): { readonly bytes: Uint8Array; release(): void } {
  const fault = openGuard(memory);
  if (fault) throw new Error(fault);
  const { bytes, entries } = decodeNative(module);
  const pages = placeCode(bytes);
  const addresses = new BigUint64Array(entries.map((entry) => pages.address + BigInt(entry)));
  return {
    bytes: moduleWith(addressSection, new Uint8Array(addresses.buffer)),
    release: () => pages.release(),
  };
}

/** Where the kernels are, of a module that {@link placeNative} made. */
export function addressesIn(module: WebAssembly.Module): bigint[] {
  return [...new BigUint64Array(sectionOf(module, addressSection))];
}

function sectionOf(module: WebAssembly.Module, name: string): ArrayBuffer {
  const [section] = WebAssembly.Module.customSections(module, name);
  if (!section) throw new Error(`native: a module without the section ${name}`);
  return section;
}

function moduleWith(name: string, content: Uint8Array): Uint8Array {
  const title = new TextEncoder().encode(name);
  const length = [...leb(title.length), ...title].length + content.length;
  const head = [...empty, 0, ...leb(length), ...leb(title.length), ...title];
  const module = new Uint8Array(head.length + content.length);
  module.set(head);
  module.set(content, head.length);
  return module;
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}
