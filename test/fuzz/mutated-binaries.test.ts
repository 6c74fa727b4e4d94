/**
 * Program binaries damaged in every way, their checksums made right again: each is refused with a BinaryError, or is a
 * program that every back end takes or refuses in its own words. MILLRACE_MUTATIONS says how many are tried.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generateKernel } from '../../conformance/generator/generate.ts';
import { crc32 } from '../../src/build/crc32.ts';
import {
  BinaryError,
  type BinaryKind,
  decodeProgram,
  encodeProgram,
  moduleOf,
} from '../../src/build/program-binary.ts';
import { OpenCLCError, writeOpenCLC } from '../../src/codegen/opencl-c/write-opencl-c.ts';
import { compileModule } from '../../src/codegen/wasm/module/compile-module.ts';
import { CodegenError } from '../../src/codegen/wasm/module/error.ts';
import type { Module } from '../../src/ir/ir.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { linkOpenCL } from '../../src/opencl/link.ts';
import { OptimiseError, optimise } from '../../src/passes/pipeline.ts';
import { Random } from '../support/random.ts';

const count = Number(process.env['MILLRACE_MUTATIONS'] ?? 800);

const saxpy =
  'kernel void saxpy(float a, global const float *x, global float *y) { size_t i = get_global_id(0); y[i] += a * x[i]; }';
const mixed = `
struct Point { float4 where; uchar tag[3]; };
constant int table[5] = {1, 2, 3, 4, 5};
constant int *constant middle = &table[2];
float helper(global float *x, int n) { float s = 0; for (int i = 0; i < n; i++) { if (x[i] > 9) break; s += x[i]; } return s; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void mixed(global float *x, struct Point p, local int *l, long big, float3 v) {
  l[get_local_id(0)] = p.tag[1]; barrier(CLK_LOCAL_MEM_FENCE);
  switch (l[0] & 3) { case 0: case 2: x[1] = helper(x, *middle); break; case 1: x[2] = v.y * sin(p.where.x); default: x[3] = (float)(big / 7); }
}`;

const binaryOf = (kind: BinaryKind, source: string): Uint8Array => {
  const { module, log } = compileOpenCL(source, { isUnit: kind !== 'executable' });
  if (!module) throw new Error(log);
  return encodeProgram(kind, '-D X=1', [module]);
};

const originals: Uint8Array[] = [
  binaryOf('executable', saxpy),
  binaryOf('executable', mixed),
  binaryOf('object', mixed),
  binaryOf('library', readFileSync('test/execution/barriers.cl', 'utf8')),
  ...[1, 2, 3, 4].map((seed) => binaryOf('executable', generateKernel(seed, { size: 'small' }).source)),
];

const headerBytes = 14;

/** A damaged copy with a right checksum. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  let damaged = [...bytes];
  const times = 1 + random.below(3);
  for (let time = 0; time < times; time += 1) {
    const at = headerBytes + random.below(Math.max(1, damaged.length - headerBytes));
    const length = 1 + random.below(random.below(4) === 0 ? 40 : 3);
    switch (random.below(8)) {
      case 0:
        damaged.splice(at, length);
        break;
      case 1:
        damaged.splice(at, 0, ...damaged.slice(at, at + length));
        break;
      case 2:
        damaged = damaged.slice(0, at);
        break;
      case 3: {
        const other = random.pick(originals);
        const from = random.below(other.length);
        damaged.splice(at, random.below(length + 1), ...other.slice(from, from + length));
        break;
      }
      case 4:
        damaged.splice(at, 1, 0xff, 0xff, 0xff, 0xff, 0x0f);
        break;
      case 5:
        damaged[at] = random.pick([0, 1, 2, 0x7f, 0x80, 0xff]);
        break;
      case 6:
        damaged[at] = (damaged[at] ?? 0) + (random.below(2) === 0 ? 1 : -1);
        break;
      default:
        damaged[at] = (damaged[at] ?? 0) ^ (1 << random.below(8));
    }
  }
  const result = Uint8Array.from(damaged);
  if (result.length >= headerBytes)
    new DataView(result.buffer).setUint32(10, crc32(result.subarray(headerBytes)), true);
  return result;
}

/** The module of a binary, or undefined if it is refused. */
function read(bytes: Uint8Array): { kind: BinaryKind; module: Module } | undefined {
  try {
    const binary = decodeProgram(bytes);
    return { kind: binary.kind, module: moduleOf(binary, 32) };
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error;
    expect(error.message).not.toBe('');
    return undefined;
  }
}

describe('damaged binaries', () => {
  it(`are refused, or compile: ${count} of them`, { timeout: 60_000 + count * 100 }, async () => {
    let survivors = 0;
    for (let seed = 0; seed < count; seed += 1) {
      // The runner's messages want an answer now and then.
      if (seed % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      const random = new Random(seed);
      const bytes = damage(random.pick(originals), random);
      try {
        if (!tryBinary(bytes, survivors % 4 === 0)) continue;
        survivors += 1;
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
      }
    }
    // Some damage does no harm, or the test would look at refusals only.
    expect(survivors).toBeGreaterThan(count / 50);
  });

  it('without a right checksum are all refused', () => {
    const [original] = originals;
    for (let at = 0; at < original!.length; at += 1) {
      const bytes = original!.slice();
      bytes[at]! ^= 0x10;
      // The byte that says the kind is not covered: another kind is another program.
      if (at !== 9) expect(() => decodeProgram(bytes), String(at)).toThrow(BinaryError);
      expect(() => decodeProgram(original!.subarray(0, at)), String(at)).toThrow(BinaryError);
    }
  });
});

/** Whether the binary is taken; `compiles` says whether the back ends try it too. */
function tryBinary(bytes: Uint8Array, compiles: boolean): boolean {
  const first = read(bytes);
  if (!first) return false;
  const linked = first.kind === 'executable' ? first.module : linkOpenCL([first.module], false).module;
  if (!linked || !compiles) return true;
  try {
    writeOpenCLC(linked, { addressBits: 32, doubles: true, halves: true });
  } catch (error) {
    if (!(error instanceof OpenCLCError)) throw error;
  }
  try {
    optimise(linked);
    const { bytes: code } = compileModule(linked, { shared: true });
    expect(WebAssembly.validate(code as BufferSource)).toBe(true);
  } catch (error) {
    if (!(error instanceof OptimiseError || error instanceof CodegenError)) throw error;
  }
  return true;
}
