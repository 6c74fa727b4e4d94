/** Code pages, what the processor has, and the form in which machine code travels. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assemble } from '../../../src/codegen/x64/assembler/assemble.ts';
import { general, instruction } from '../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../src/codegen/x64/assembler/program.ts';
import { placeCode } from '../../../src/devices/native/code-pages.ts';
import { openGuard } from '../../../src/devices/native/memory-guard.ts';
import {
  addressesIn,
  decodeNative,
  encodeNative,
  encodePlaced,
} from '../../../src/devices/native/native-module.ts';
import {
  type Cpuid,
  featuresOf,
  processorFault,
  processorFeatures,
} from '../../../src/devices/native/processor-features.ts';
import { openSystem, type System } from '../../../src/devices/native/system.ts';

const system = openSystem();
const runs = typeof system !== 'string' && process.arch === 'x64';

/** How the system's own list of mappings says an address may be used. */
function accessOf(address: bigint): string | undefined {
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const [, from, to, access] = /^([0-9a-f]+)-([0-9a-f]+) (\S{4})/.exec(line) ?? [];
    if (from && address >= BigInt(`0x${from}`) && address < BigInt(`0x${to}`)) return access;
  }
  return undefined;
}

it('keeps machine code in a module that engines take', () => {
  const code = {
    bytes: Uint8Array.from({ length: 300 }, (_, index) => index),
    entries: [0, 16, 288],
    imports: [{ name: 'enqueue_kernel', parameters: 9 }],
  };
  const module = encodeNative(code);
  expect(WebAssembly.validate(module as BufferSource)).toBe(true);
  expect(decodeNative(module)).toEqual(code);
});

describe.skipIf(!runs)('code pages (skipped without koffi, and where it is not Linux on x86-64)', () => {
  const machine = system as System;

  it('can be called, are never writable and executable, and are gone when they are released', () => {
    const program = new Program();
    // edi + esi
    program.append(
      instruction('mov', general(0, 32), general(7, 32)),
      instruction('add', general(0, 32), general(6, 32)),
      instruction('ret'),
    );
    const seen: (string | undefined)[] = [];
    const watched: System = {
      ...machine,
      copy: (to, bytes) => {
        seen.push(accessOf(to));
        machine.copy(to, bytes);
      },
    };
    const pages = placeCode(assemble(program, { avx512: false }).bytes, watched);
    seen.push(accessOf(pages.address));
    const add = machine.function(pages.address, 'int32_t', ['int32_t', 'int32_t']);
    expect(add(40, 2)).toBe(42);
    expect(add(-40, 2)).toBe(-38);
    pages.release();
    pages.release();
    expect(seen).toEqual(['rw-p', 'r-xp']);
    expect(accessOf(pages.address) ?? '').not.toContain('x');
  });

  it('throws where the system refuses, and keeps nothing', () => {
    const freed: bigint[] = [];
    const refusing: System = {
      ...machine,
      protect: () => false,
      unmap: (address, bytes) => {
        freed.push(address);
        machine.unmap(address, bytes);
      },
    };
    expect(() => placeCode(new Uint8Array(4), refusing)).toThrow('refuses to execute');
    expect(freed.length).toBe(1);
    expect(() => placeCode(new Uint8Array(4), { ...machine, map: () => -1n })).toThrow('no 4096 bytes');
  });

  it('are found by the addresses that threads are told', () => {
    const code = { bytes: new Uint8Array(32).fill(0xc3), entries: [0, 16], imports: [] };
    const pages = placeCode(code.bytes);
    const placed = encodePlaced(code, pages.address);
    expect(addressesIn(new WebAssembly.Module(placed as BufferSource))).toEqual([
      pages.address,
      pages.address + 16n,
    ]);
    expect(accessOf(pages.address)).toBe('r-xp');
    pages.release();
  });

  it.each([1, 300, 65536])(
    'open 4 GiB and a guard behind a memory of %i pages, which still grows',
    (initial) => {
      const memory = new WebAssembly.Memory({ initial, maximum: 65536, shared: true });
      const start = machine.addressOf(new Uint8Array(memory.buffer));
      const end = start + 2n ** 32n;
      const guard = 2n ** 28n;
      expect(openGuard(memory, { ...machine, isMapped: () => false })).toContain('reserves nothing');
      expect(openGuard(memory, { ...machine, isReadable: () => true })).toContain('reserves nothing');
      expect(openGuard(memory, 'no koffi')).toBe('no koffi');
      expect(accessOf(end)).toBe('---p');
      expect(openGuard(memory)).toBeUndefined();
      expect(accessOf(end - 1n)).toMatch(/^rw-/);
      expect(accessOf(end + guard - 1n)).toMatch(/^rw-/);
      expect(accessOf(end + guard)).toBe('---p');
      expect(openGuard(memory)).toBeUndefined();
      if (initial < 65536) {
        expect(memory.grow(7)).toBe(initial);
        expect(memory.buffer.byteLength).toBe((initial + 7) * 65536);
        expect(machine.addressOf(new Uint8Array(memory.buffer))).toBe(start);
        expect(accessOf(end + guard - 1n)).toMatch(/^rw-/);
      }
    },
  );

  it.skipIf(!existsSync('/proc/cpuinfo'))('know the processor as the system does', () => {
    const info = readFileSync('/proc/cpuinfo', 'utf8');
    const flags = new Set(/^flags\s*:\s*(.*)$/m.exec(info)![1]!.split(' '));
    const all = (...names: string[]): boolean => names.every((name) => flags.has(name));
    const features = processorFeatures();
    if (typeof features === 'string') throw new Error(features);
    // Not LZCNT ('abm'): some systems under Firecracker leave it out of their list, where CPUID has it and it works.
    const avx2 = all('avx2', 'fma', 'f16c', 'bmi1', 'bmi2', 'popcnt');
    const avx512 =
      avx2 && process.env['MILLRACE_AVX512'] !== '0' && all('avx512f', 'avx512bw', 'avx512dq', 'avx512vl');
    expect(features).toEqual({
      vendor: /^vendor_id\s*:\s*(\S+)/m.exec(info)![1],
      avx2,
      avx512,
    });
  });

  it('leave AVX-512 off if the environment says so', () => {
    const before = process.env['MILLRACE_AVX512'];
    process.env['MILLRACE_AVX512'] = '0';
    try {
      expect(processorFeatures()).toMatchObject({ avx512: false });
    } finally {
      if (before === undefined) delete process.env['MILLRACE_AVX512'];
      else process.env['MILLRACE_AVX512'] = before;
    }
  });
});

describe('what CPUID says', () => {
  /** A processor with everything, less the bits of `without` (leaf, register, bit). */
  const processor =
    (without: readonly (readonly [leaf: number, register: number, bit: number])[] = []): Cpuid =>
    (leaf) => {
      const answers: Readonly<Record<number, [number, number, number, number]>> = {
        0: [16, 0x756e6547, 0x6c65746e, 0x49656e69],
        1: [0x000506e3, 0, -1, -1],
        7: [0, -1, -1, -1],
        2147483648: [0x80000008 | 0, 0, 0, 0],
        2147483649: [0, 0, -1, -1],
      };
      const words = answers[leaf]!;
      for (const [where, register, bit] of without) if (where === leaf) words[register]! &= ~(1 << bit);
      return words;
    };

  it('is read as the manual has it', () => {
    expect(featuresOf(processor(), () => 0xe7)).toMatchObject({
      vendor: 'GenuineIntel',
      avx2: true,
      avx512: true,
    });
  });

  it('counts only with the registers that the system keeps', () => {
    expect(featuresOf(processor(), () => 0x07)).toMatchObject({ avx2: true, avx512: false });
    expect(featuresOf(processor(), () => 0x03)).toMatchObject({ avx2: false, avx512: false });
    expect(featuresOf(processor([[1, 2, 27]]), () => 0xe7)).toMatchObject({ avx2: false });
  });

  it('gives no device without any part of AVX2, and a sentence why', () => {
    for (const [register, bit] of [
      [1, 3],
      [1, 5],
      [1, 8],
    ] as const) {
      expect(featuresOf(processor([[7, register, bit]]), () => 0xe7).avx2).toBe(false);
    }
    for (const bit of [12, 23, 28, 29])
      expect(featuresOf(processor([[1, 2, bit]]), () => 0xe7).avx2).toBe(false);
    const without = featuresOf(processor([[0x80000001, 2, 5]]), () => 0xe7);
    expect(processorFault(without)).toContain('AVX2');
    expect(processorFault(featuresOf(processor(), () => 0xe7))).toBeUndefined();
    for (const bit of [16, 17, 30, 31]) {
      expect(featuresOf(processor([[7, 1, bit]]), () => 0xe7)).toMatchObject({ avx2: true, avx512: false });
    }
  });
});
