/** Modules made to work on a shared memory: tiny ones, by the bytes. */
import { describe, expect, it } from 'vitest';
import { memoryImport, shareMemory, tableName } from '../../src/chost/share-memory.ts';

const section = (id: number, ...content: number[]): number[] => [id, content.length, ...content];
const text = (value: string): number[] => [value.length, ...new TextEncoder().encode(value)];

const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Types () -> i32 and i32 -> i32; functions `size` and `grow` with the instructions that they are named for. */
const types = section(1, 2, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f);
const functions = section(3, 2, 0, 1);
const exports = section(7, 2, ...text('size'), 0, 0, ...text('grow'), 0, 1);
const code = section(10, 2, 4, 0, 0x3f, 0, 0x0b, 6, 0, 0x20, 0, 0x40, 0, 0x0b);
const memoryOfTwoPages = section(5, 1, 0, 2);

interface Exports {
  size(): number;
  grow(pages: number): number;
}

function instantiate(...sections: number[][]): {
  memory: WebAssembly.Memory;
  exports: WebAssembly.Exports & Exports;
} {
  const {
    bytes,
    memory: from,
    initialPages,
  } = shareMemory(new Uint8Array([...head, ...sections.flat()]), 100);
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: 100, shared: true });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    [from.module]: { [from.name]: memory },
  });
  return { memory, exports: instance.exports as WebAssembly.Exports & Exports };
}

describe('shareMemory', () => {
  it('takes the end of the memory for what the module has been given itself', () => {
    const { memory, exports: module } = instantiate(types, functions, memoryOfTwoPages, exports, code);
    expect(module.size()).toBe(2);
    // Somebody else takes three pages, 2 to 4.
    expect(memory.grow(3)).toBe(2);
    expect(module.size()).toBe(2);
    expect(module.grow(0)).toBe(2);
    // The module's own come behind them.
    expect(module.grow(4)).toBe(5);
    expect(module.size()).toBe(9);
    expect(memory.grow(0)).toBe(9);
    expect(module.grow(92)).toBe(-1);
    expect(module.size()).toBe(9);
  });

  it('shares a memory that is imported, and keeps its name', () => {
    const imported = section(2, 1, ...text('env'), ...text('memory'), 2, 0, 3);
    const { exports: module } = instantiate(types, imported, functions, exports, code);
    expect(module.size()).toBe(3);
  });

  it('keeps data where it is, and exports the table of functions', () => {
    const table = section(4, 1, 0x70, 0, 2);
    const elements = section(9, 1, 0, 0x41, 0, 0x0b, 1, 0);
    const data = section(11, 1, 0, 0x41, 16, 0x0b, 3, 7, 8, 9);
    const { memory, exports: module } = instantiate(
      types,
      functions,
      table,
      memoryOfTwoPages,
      exports,
      elements,
      code,
      data,
    );
    expect([...new Uint8Array(memory.buffer, 15, 5)]).toEqual([0, 7, 8, 9, 0]);
    const pointers = module[tableName] as WebAssembly.Table;
    expect((pointers.get(0) as () => number)()).toBe(2);
    expect(pointers.get(1)).toBe(null);
  });

  it('imports the memory of a module that had its own', () => {
    const shared = shareMemory(
      new Uint8Array([...head, ...types, ...functions, ...memoryOfTwoPages, ...exports, ...code]),
      100,
    );
    expect(WebAssembly.Module.imports(new WebAssembly.Module(shared.bytes))).toEqual([
      { ...memoryImport, kind: 'memory' },
    ]);
    expect(shared.initialPages).toBe(2);
  });

  it('refuses what is no such module', () => {
    const refused = (bytes: readonly number[]) => () => shareMemory(new Uint8Array(bytes), 100);
    expect(refused([])).toThrow('it ends in the middle');
    expect(refused([1, 2, 3, 4, 5, 6, 7, 8])).toThrow('it is no module of WebAssembly');
    expect(refused([...head, ...types, ...functions, ...exports, ...code])).toThrow(
      'it must have one memory',
    );
    expect(refused([...head, 1, 50, 1])).toThrow('it has been cut off');
    expect(refused([...head, ...section(5, 1, 4, 2)])).toThrow('addresses of 64 bits');
    const unknown = section(10, 2, 4, 0, 0x3f, 0, 0x0b, 3, 0, 0xff, 0x0b);
    expect(refused([...head, ...types, ...functions, ...memoryOfTwoPages, ...exports, ...unknown])).toThrow(
      'it has an instruction that is not known here: 0xff',
    );
  });
});
