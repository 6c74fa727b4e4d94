/**
 * Texts in IR, damaged: each is refused with diagnostics whose places lie in the text, or is a program that every back end takes or
 * refuses in its own words. MILLRACE_MUTATIONS says how many are tried.
 */
import { describe, expect, it } from 'vitest';
import { generateKernel } from '../../conformance/generator/generate.ts';
import { compileIr } from '../../src/build/compile-ir.ts';
import { OpenCLCError, writeOpenCLC } from '../../src/codegen/opencl-c/write-opencl-c.ts';
import { compileModule } from '../../src/codegen/wasm/module/compile-module.ts';
import { CodegenError } from '../../src/codegen/wasm/module/error.ts';
import type { Module } from '../../src/ir/ir.ts';
import { printModule } from '../../src/ir/print.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { OptimiseError, optimise } from '../../src/passes/pipeline.ts';
import { Random } from '../support/random.ts';

const count = Number(process.env['MILLRACE_MUTATIONS'] ?? 600);

const mixed = `
struct Point { float4 where; uchar tag[3]; };
constant int table[5] = {1, 2, 3, 4, 5};
constant int *constant middle = &table[2];
float helper(global float *x, int n) { float s = 0; for (int i = 0; i < n; i++) { if (x[i] > 9) break; s += x[i]; } return s; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void mixed(global float *x, struct Point p, local int *l, long big, float3 v) {
  l[get_local_id(0)] = p.tag[1]; barrier(CLK_LOCAL_MEM_FENCE);
  switch (l[0] & 3) { case 0: case 2: x[1] = helper(x, *middle); break; case 1: x[2] = v.y * fabs(p.where.x); default: x[3] = (float)(big / 7); }
}
kernel void pixels(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
  write_imagef(out, (int2)(get_global_id(0), get_global_id(1)), read_imagef(in, s, (float2)(0.5f, 0.5f)));
}`;

const textOf = (source: string): string => {
  // as a unit, so that the library does not stand in each of them
  const { module, log } = compileOpenCL(source, { isUnit: true });
  if (!module) throw new Error(log);
  return printModule(module);
};

const originals = [
  textOf(mixed),
  textOf(
    'kernel void saxpy(float a, global const float *x, global float *y) { size_t i = get_global_id(0); y[i] += a * x[i]; }',
  ),
  ...[1, 2, 3].map((seed) => textOf(generateKernel(seed, { size: 'small' }).source)),
];

const words = originals.flatMap((text) => text.match(/[%@$]?[\w.]+|[^\s\w]/g) ?? []);
const strange = [
  ...[
    '-1',
    '9999999999999999',
    '1e400',
    'nan',
    '4294967296',
    '""',
    '"\\u0000"',
    '{',
    '}',
    '(',
    '%',
    '@',
    '//',
    '\0',
  ],
  ...[
    'struct("a", 4, 4, '.repeat(2000),
    'if %c {\n'.repeat(3000),
    'array('.repeat(5000),
    'i32x3',
    'opaque<x>',
    'imported("a", "b")',
  ],
  ...[
    'size=9007199254740991',
    'align=0',
    'align=65536',
    'hosted',
    'work-group',
    'interchanged',
    'block',
    'aggregate(4294967295, 1)',
  ],
];

function damage(text: string, random: Random): string {
  let damaged = text;
  const times = 1 + random.below(3);
  for (let time = 0; time < times; time += 1) {
    const at = random.below(damaged.length + 1);
    const length = 1 + random.below(random.below(4) === 0 ? 60 : 6);
    const lines = damaged.split('\n');
    const line = random.below(lines.length);
    switch (random.below(8)) {
      case 0:
        damaged = damaged.slice(0, at) + damaged.slice(at + length);
        break;
      case 1:
        damaged = damaged.slice(0, at) + random.pick(words) + damaged.slice(at);
        break;
      case 2:
        lines.splice(line, 1);
        damaged = lines.join('\n');
        break;
      case 3:
        lines.splice(line, 0, random.pick(lines));
        damaged = lines.join('\n');
        break;
      case 4: {
        // one word for another
        const parts = damaged.split(/([%@$]?[\w.]+)/);
        parts[1 + 2 * random.below(Math.max(1, (parts.length - 1) >> 1))] = random.pick(words);
        damaged = parts.join('');
        break;
      }
      case 5:
        damaged = damaged.slice(0, at) + random.pick(strange) + damaged.slice(at);
        break;
      case 6: {
        const other = random.below(lines.length);
        [lines[line], lines[other]] = [lines[other]!, lines[line]!];
        damaged = lines.join('\n');
        break;
      }
      default:
        damaged = damaged.slice(0, at);
    }
  }
  return damaged;
}

function tryBackEnds(module: Module): void {
  try {
    writeOpenCLC(module, { addressBits: 32, doubles: true, halves: true });
  } catch (error) {
    if (!(error instanceof OpenCLCError)) throw error;
  }
  try {
    optimise(module);
    const { bytes } = compileModule(module, { shared: true });
    expect(WebAssembly.validate(bytes as BufferSource)).toBe(true);
  } catch (error) {
    if (!(error instanceof OptimiseError || error instanceof CodegenError)) throw error;
  }
}

describe('damaged texts in IR', () => {
  it(`are told their mistakes, or compile: ${count} of them`, { timeout: 60_000 + count * 100 }, async () => {
    let survivors = 0;
    for (let seed = 0; seed < count; seed += 1) {
      if (seed % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      const random = new Random(seed);
      const text = damage(random.pick(originals), random);
      try {
        const { module, diagnostics } = compileIr(text, { name: 'x.ir' });
        for (const { span, message } of diagnostics.list) {
          expect(message).not.toBe('');
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
        expect(module === undefined).toBe(diagnostics.errorCount > 0);
        if (!module) continue;
        survivors += 1;
        if (survivors % 3 === 0) tryBackEnds(module);
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
      }
    }
    expect(survivors).toBeGreaterThan(count / 50);
  });
});
