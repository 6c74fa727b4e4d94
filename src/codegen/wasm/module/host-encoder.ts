/**
 * Writes the sections of a program for the host: what `encoder.ts` writes for kernels, and imported functions, a table of
 * the functions that pointers lead to, the stack pointer, and the initial data.
 */
import { ByteBuffer } from './byte-buffer.ts';
import {
  type EncodedFunction,
  type FunctionSignature,
  functionBody,
  type ImportedFunction,
  type MemoryImport,
  nameSection,
  section,
  sectionIds,
  typeCodes,
} from './encoder.ts';

export interface HostProgram {
  readonly imports: readonly ImportedFunction[];
  /** Functions come after the imports in the order of their indices. */
  readonly functions: readonly EncodedFunction[];
  /** The indices of the functions in the table, from place 1 on; at place 0 is nothing. */
  readonly table: readonly number[];
  readonly types: TypeTable;
  readonly memory: MemoryImport & { readonly minimumPages: number };
  /** First values of the globals, all of 32 bits; 0 is the stack pointer. */
  readonly globals: readonly number[];
  readonly data: { readonly address: number; readonly bytes: Uint8Array };
}

/** The function types of a module, each once. */
export class TypeTable {
  readonly #indices = new Map<string, number>();
  readonly #list: FunctionSignature[] = [];

  indexOf(signature: FunctionSignature): number {
    const key = `${signature.parameters.join()}:${signature.results.join()}`;
    let index = this.#indices.get(key);
    if (index === undefined) {
      index = this.#list.push(signature) - 1;
      this.#indices.set(key, index);
    }
    return index;
  }

  get list(): readonly FunctionSignature[] {
    return this.#list;
  }
}

const exportKinds = { function: 0, table: 1, memory: 2 } as const;

/** The module; see `compile-host.ts` for what it imports and exports. */
export function encodeHostProgram(program: HostProgram): Uint8Array {
  const { imports, functions, table, types, memory, globals, data } = program;
  const importTypes = imports.map(({ signature }) => types.indexOf(signature));
  const functionTypes = functions.map(({ signature }) => types.indexOf(signature));

  const module = new ByteBuffer(65536);
  module.bytes(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00));
  const add = (id: number, fill: (out: ByteBuffer) => void): void => {
    const out = new ByteBuffer(1024);
    fill(out);
    section(module, id, out);
  };

  add(sectionIds.type, (out) => {
    out.u32(types.list.length);
    for (const { parameters, results } of types.list) {
      out.byte(0x60);
      for (const list of [parameters, results]) {
        out.u32(list.length);
        for (const type of list) out.byte(typeCodes[type]);
      }
    }
  });
  add(sectionIds.import, (out) => {
    out.u32(1 + imports.length);
    out.name('env');
    out.name('memory');
    out.byte(0x02);
    out.byte(memory.shared ? 0x03 : 0x01);
    out.u32(memory.minimumPages);
    out.u32(memory.maximumPages);
    imports.forEach(({ module: from, name }, index) => {
      out.name(from);
      out.name(name);
      out.byte(0x00);
      out.u32(importTypes[index]!);
    });
  });
  add(sectionIds.function, (out) => {
    out.u32(functions.length);
    for (const type of functionTypes) out.u32(type);
  });
  add(sectionIds.table, (out) => {
    out.u32(1);
    out.byte(0x70); // funcref
    out.byte(0x00);
    out.u32(1 + table.length);
  });
  add(sectionIds.global, (out) => {
    out.u32(globals.length);
    for (const value of globals) {
      out.byte(typeCodes.i32);
      out.byte(0x01); // mutable
      constant(out, value);
    }
  });
  add(sectionIds.export, (out) => {
    const exported = functions.flatMap(({ exportName }, index) =>
      exportName === undefined ? [] : [{ exportName, index: imports.length + index }],
    );
    out.u32(2 + exported.length);
    out.name('memory');
    out.byte(exportKinds.memory);
    out.u32(0);
    out.name('__indirect_function_table');
    out.byte(exportKinds.table);
    out.u32(0);
    for (const { exportName, index } of exported) {
      out.name(exportName);
      out.byte(exportKinds.function);
      out.u32(index);
    }
  });
  if (table.length > 0) {
    add(sectionIds.element, (out) => {
      out.u32(1);
      out.u32(0);
      constant(out, 1);
      out.u32(table.length);
      for (const index of table) out.u32(index);
    });
  }
  add(sectionIds.code, (out) => {
    out.u32(functions.length);
    for (const one of functions) out.sized(functionBody(one));
  });
  if (data.bytes.length > 0) {
    add(sectionIds.data, (out) => {
      out.u32(1);
      out.u32(0);
      constant(out, data.address);
      out.u32(data.bytes.length);
      out.bytes(data.bytes);
    });
  }
  const names = imports.map(({ name }) => name);
  section(module, sectionIds.custom, nameSection(functions, names));
  return module.toBytes();
}

/** A constant expression. */
function constant(out: ByteBuffer, value: number): void {
  out.byte(0x41);
  out.s32(value);
  out.byte(0x0b);
}
