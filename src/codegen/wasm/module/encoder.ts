/**
 * Writes a WebAssembly module's sections: types, imports, functions, exports, code and names. It knows the
 * binary format and nothing of IR; `compile-module.ts` fills it.
 */
import type { AccessMark } from '../memory/access-sites.ts';
import { ByteBuffer } from './byte-buffer.ts';

/** A WebAssembly value type. */
export type WasmType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** The byte that stands for a value type. */
export const typeCodes: Readonly<Record<WasmType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

export interface FunctionSignature {
  readonly parameters: readonly WasmType[];
  readonly results: readonly WasmType[];
}

/** A finished function: its signature, its local declarations and its instructions with the final `end`. */
export interface EncodedFunction {
  readonly name: string;
  readonly signature: FunctionSignature;
  /** The types of the locals after the parameters. */
  readonly locals: readonly WasmType[];
  /** Names of parameters and locals, by index; absent where there is none. */
  readonly localNames: ReadonlyMap<number, string>;
  readonly code: ByteBuffer;
  /** What its memory instructions are for, in the order of their places. */
  readonly marks?: readonly AccessMark[];
  /** The name under which the module exports it. */
  readonly exportName?: string | undefined;
}

export interface MemoryImport {
  readonly shared: boolean;
  readonly maximumPages: number;
}

export const sectionIds = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  global: 6,
  export: 7,
  element: 9,
  code: 10,
  data: 11,
} as const;

/** A function that a module imports: numbered before those that it defines. */
export interface ImportedFunction {
  readonly module: string;
  readonly name: string;
  readonly signature: FunctionSignature;
}

/**
 * A module that imports `env.memory`, the immutable i32 `env.constants` and perhaps functions, and defines functions.
 * @param placed is told at which byte of the module the code of each function begins, one after another
 */
export function encodeModule(
  functions: readonly EncodedFunction[],
  memory: MemoryImport,
  withNames: boolean,
  imports: readonly ImportedFunction[] = [],
  placed: (fn: EncodedFunction, start: number) => void = () => {},
): Uint8Array {
  const module = new ByteBuffer(4096);
  module.bytes(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00));

  const signatures = new Map<string, number>();
  const types = new ByteBuffer();
  const typeIndex = (signature: FunctionSignature): number => {
    const key = `${signature.parameters.join()}:${signature.results.join()}`;
    const known = signatures.get(key);
    if (known !== undefined) return known;
    types.byte(0x60);
    types.u32(signature.parameters.length);
    for (const type of signature.parameters) types.byte(typeCodes[type]);
    types.u32(signature.results.length);
    for (const type of signature.results) types.byte(typeCodes[type]);
    signatures.set(key, signatures.size);
    return signatures.size - 1;
  };
  const importTypes = imports.map((one) => typeIndex(one.signature));
  const functionTypes = functions.map((one) => typeIndex(one.signature));

  const typeSection = new ByteBuffer();
  typeSection.u32(signatures.size);
  typeSection.bytes(types.view());
  section(module, sectionIds.type, typeSection);

  section(module, sectionIds.import, importSection(memory, imports, importTypes));

  const declarations = new ByteBuffer();
  declarations.u32(functions.length);
  for (const type of functionTypes) declarations.u32(type);
  section(module, sectionIds.function, declarations);

  const exports = new ByteBuffer();
  exports.u32(functions.filter((one) => one.exportName !== undefined).length);
  functions.forEach((one, index) => {
    if (one.exportName === undefined) return;
    exports.name(one.exportName);
    exports.byte(0x00);
    exports.u32(imports.length + index);
  });
  section(module, sectionIds.export, exports);

  const code = new ByteBuffer(4096);
  code.u32(functions.length);
  const ends = functions.map((one) => {
    code.sized(functionBody(one));
    return code.length;
  });
  section(module, sectionIds.code, code);
  const sectionStart = module.length - code.length;
  functions.forEach((one, index) => {
    placed(one, sectionStart + ends[index]! - one.code.length);
  });

  const imported = imports.map(({ name }) => name);
  if (withNames) section(module, sectionIds.custom, nameSection(functions, imported));
  return module.toBytes();
}

export function section(module: ByteBuffer, id: number, content: ByteBuffer): void {
  module.byte(id);
  module.sized(content);
}

function importSection(
  memory: MemoryImport,
  functions: readonly ImportedFunction[],
  types: readonly number[],
): ByteBuffer {
  const imports = new ByteBuffer();
  imports.u32(2 + functions.length);
  imports.name('env');
  imports.name('memory');
  imports.byte(0x02);
  imports.byte(memory.shared ? 0x03 : 0x01);
  imports.u32(0);
  imports.u32(memory.maximumPages);
  imports.name('env');
  imports.name('constants');
  imports.byte(0x03);
  imports.byte(typeCodes.i32);
  imports.byte(0x00);
  functions.forEach(({ module, name }, index) => {
    imports.name(module);
    imports.name(name);
    imports.byte(0x00);
    imports.u32(types[index]!);
  });
  return imports;
}

/** Local declarations run-length encoded, then the instructions. */
export function functionBody(one: EncodedFunction): ByteBuffer {
  const runs: { type: WasmType; count: number }[] = [];
  for (const type of one.locals) {
    const last = runs.at(-1);
    if (last?.type === type) last.count++;
    else runs.push({ type, count: 1 });
  }
  const body = new ByteBuffer(one.code.length + 16);
  body.u32(runs.length);
  for (const run of runs) {
    body.u32(run.count);
    body.byte(typeCodes[run.type]);
  }
  body.bytes(one.code.view());
  return body;
}

/** The custom section `name`: module-level function names (1), those of imports first, and local names (2). */
export function nameSection(
  functions: readonly EncodedFunction[],
  imported: readonly string[] = [],
): ByteBuffer {
  const content = new ByteBuffer(1024);
  content.name('name');

  const functionNames = new ByteBuffer(512);
  const names = [...imported, ...functions.map(({ name }) => name)];
  functionNames.u32(names.length);
  names.forEach((name, index) => {
    functionNames.u32(index);
    functionNames.name(name);
  });
  content.byte(1);
  content.sized(functionNames);

  const localNames = new ByteBuffer(512);
  localNames.u32(functions.length);
  functions.forEach((one, index) => {
    localNames.u32(imported.length + index);
    localNames.u32(one.localNames.size);
    const sorted = [...one.localNames].sort((a, b) => a[0] - b[0]);
    for (const [local, name] of sorted) {
      localNames.u32(local);
      localNames.name(name);
    }
  });
  content.byte(2);
  content.sized(localNames);
  return content;
}
