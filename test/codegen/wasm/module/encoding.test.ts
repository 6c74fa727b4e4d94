import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../../../src/codegen/wasm/module/byte-buffer.ts';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { nameOfOpcode, type OpName, opcodes } from '../../../../src/codegen/wasm/module/opcodes.ts';
import { runtimeFunction } from '../../../../src/codegen/wasm/module/runtime-functions.ts';
import { f32, i32, i64 } from '../../../../src/ir/types.ts';
import { globalPointer, items, kernelModule, launch } from '../harness.ts';

function hex(write: (buffer: ByteBuffer) => void): string {
  const buffer = new ByteBuffer(1);
  write(buffer);
  return Buffer.from(buffer.toBytes()).toString('hex');
}

describe('numbers', () => {
  // The examples of the WebAssembly and DWARF specifications, and the ends of the ranges.
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [624485, 'e58e26'],
    [0xffffffff, 'ffffffff0f'],
  ])('unsigned %d', (value, expected) => expect(hex((buffer) => buffer.u32(value))).toBe(expected));

  it.each([
    [0, '00'],
    [63, '3f'],
    [64, 'c000'],
    [-1, '7f'],
    [-64, '40'],
    [-65, 'bf7f'],
    [-123456, 'c0bb78'],
    [0x7fffffff, 'ffffffff07'],
    [-0x80000000, '8080808078'],
  ])('signed %d', (value, expected) => {
    expect(hex((buffer) => buffer.s32(value))).toBe(expected);
    expect(hex((buffer) => buffer.s64(BigInt(value)))).toBe(expected);
  });

  it('signed 64-bit ends', () => {
    expect(hex((buffer) => buffer.s64(2n ** 63n - 1n))).toBe('ffffffffffffffffff00');
    expect(hex((buffer) => buffer.s64(-(2n ** 63n)))).toBe('8080808080808080807f');
  });
});

describe('opcodes', () => {
  it('are all different, so that a listing names them', () => {
    for (const name of Object.keys(opcodes) as OpName[]) expect(nameOfOpcode(opcodes[name])).toBe(name);
  });
});

describe('modules', () => {
  const module = kernelModule([globalPointer, f32, i64], (b, out, x, n) => {
    items(b, () => {
      const at = b.offset(out!, b.binary('imul', b.query('global_id', 0), b.integer(i32, 16)));
      b.store(b.offset(at, b.integer(i32, 8)), b.fma(x!, x!, b.convert('stof', n!, f32)), 4);
    });
  });

  it('say what a device must know', () => {
    const { kernels, constants } = compileModule(module, { shared: true });
    expect(constants).toEqual({
      size: 0,
      align: 1,
      bytes: new Uint8Array(0),
      variableBytes: 0,
      relocations: [],
    });
    expect(kernels).toEqual([
      {
        name: 'k',
        title: "kernel 'k'",
        exportName: 'k',
        parameters: [
          { kind: 'global', offset: 0, size: 4, align: 4 },
          { kind: 'value', offset: 4, size: 4, align: 4 },
          { kind: 'value', offset: 8, size: 8, align: 8 },
        ],
        argumentBytes: 16,
        fixedBytes: 0,
        localBytes: 0,
        privateBytes: 0,
        perItemBytes: 0,
        usesPrintf: false,
        usesBarrier: false,
        lanes: 1,
        joinsGroups: true,
        mayWait: false,
        rows: 1,
        groupsTogether: 1,
        attributes: {},
      },
    ]);
  });

  it('are valid with and without names, shared or not', () => {
    for (const shared of [true, false]) {
      for (const names of [true, false]) {
        const { bytes } = compileModule(module, { shared, names, maximumPages: 100 });
        expect(WebAssembly.validate(bytes as BufferSource)).toBe(true);
        expect(listModule(bytes)).toContain(`(memory 0 100${shared ? ' shared' : ''})`);
        expect(
          WebAssembly.Module.customSections(new WebAssembly.Module(bytes as BufferSource), 'name'),
        ).toHaveLength(names ? 1 : 0);
      }
    }
  });

  it('contain the runtime functions they call, and no others', () => {
    const text = listModule(compileModule(module, { shared: true }).bytes);
    const functions = [...text.matchAll(/\(func \$(\w+)/g)].map((match) => match[1]);
    expect(functions).toEqual(['k', 'fma_f32', 'sum_odd']);
    for (const name of functions.slice(1)) expect(runtimeFunction(name!).name).toBe(name);
  });

  it('of long straight code and deep expressions', () => {
    const count = 20_000;
    const long = kernelModule([globalPointer], (b, out) => {
      let x = b.load(i32, out!, 4);
      for (let i = 0; i < count; i++) x = b.binary('iadd', x, b.integer(i32, i & 7));
      b.store(out!, x, 4);
    });
    const cell = Int32Array.of(5);
    launch(long, 'k', { global: [1], local: [1] }, [new Uint8Array(cell.buffer)]);
    let expected = 5;
    for (let i = 0; i < count; i++) expected += i & 7;
    expect(cell[0]).toBe(expected);
  });
});
