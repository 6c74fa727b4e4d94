/** What brcc writes: the TypeScript of a module, and messages in its own form. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { brcc } from '../../../src/api/brook/generate-module.ts';

const source = `#include "host.h"
#define SCALE 2.0f
typedef struct Pair_t { float a; float2 b; } Pair;
kernel float twice(float a) { return a * SCALE; }
kernel void scale(float a<>, float k, float4 v, Pair p, float g[][], out float b<>) { b = twice(a) * k + v.x + p.a + g[0][0]; }
kernel void stream(float a<>, out float b[]) { b[instance().x] = a; }
reduce void total(float a<>, reduce float r<>) { r += a; }
int main(void) { return 0; }
`;

describe('the module that brcc writes', () => {
  it('has the kernels as functions, and their text without the host part', () => {
    expect(brcc('folder/scale.br', source).module).toBe(`// Made by millrace brcc from scale.br.
import { type BrookKernelOf, brook, type Stream } from 'millrace/brook';

const source = \`
typedef struct Pair_t { float a; float2 b; } Pair;
kernel float twice(float a) { return a * 2.0f; }
kernel void scale(float a<>, float k, float4 v, Pair p, float g[][], out float b<>) { b = twice(a) * k + v.x + p.a + g[0][0]; }
kernel void stream(float a<>, out float b[]) { b[instance().x] = a; }
reduce void total(float a<>, reduce float r<>) { r += a; }
\`;

const { kernels, stream } = brook(source, { name: "scale.br" });

/** A new stream of a type, on the device of the kernels; sizes with x, the fastest, first. */
export { stream };

/** \`kernel void scale(float a<>, float k, float4 v, Pair_t p, float g[][], out float b<>)\` */
export const scale = kernels['scale'] as BrookKernelOf<[a: Stream, k: number, v: readonly number[] | ArrayBufferView, p: ArrayBufferView, g: Stream, b: Stream]>;

/** \`kernel void stream(float a<>, out float b[])\` */
export const streamKernel = kernels['stream'] as BrookKernelOf<[a: Stream, b: Stream]>;

/** \`reduce void total(float a<>, reduce float r<>)\` */
export const total = kernels['total'] as BrookKernelOf<[a: Stream, r: Stream | ArrayBufferView]>;
`);
  });

  it('is not written where there are errors', () => {
    const { module, log } = brcc('k.br', 'kernel void f(float a<>, out float b<>) { b = a + 1; }');
    expect(module).toBeUndefined();
    expect(
      log,
    ).toBe(`k.br(1) : ERROR--1: In Binary expression: Mismatched operands: both must have same type and same number of components
\tStatement: kernel void f(float a<>, out float b<>) { b = a + 1; }
`);
  });

  it('comes with warnings as -a, -w and -x want them', () => {
    const weak = 'kernel void f(float a<>, out float b<>) { b = a + 1; }';
    const first = (options: Parameters<typeof brcc>[2]): string =>
      brcc('k.br', weak, options).log.split('\n')[0]!;
    expect(first({ strongTypes: false })).toBe('');
    const words =
      'In Binary expression: implicit conversion from right type to left type: possible lose of data';
    expect(first({ strongTypes: false, warningLevel: 1 })).toBe(`k.br(1) : WARN--1: ${words}`);
    const asErrors = { strongTypes: false, warningLevel: 1, warningsAreErrors: true };
    expect(first(asErrors)).toBe(`k.br(1) : WARNING AS ERROR--1: ${words}`);
    expect(brcc('k.br', weak, asErrors).module).toBeUndefined();
  });
});

describe('the command', () => {
  const command = resolve('dist/millrace.js');
  const run = promisify(execFile);

  it('takes the options of brcc', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-brcc-'));
    try {
      writeFileSync(join(folder, 'k.br'), 'kernel void f(float a<>, out float b<>) {\n  b = a * K;\n}\n');
      const options = { cwd: folder };
      const args = ['-c', '-k', '-l', '-p', 'cpu', '-p', 'cal', '-D', 'K=3.0f', '-o', 'out', 'k.br'];
      const good = await run(process.execPath, [command, 'brcc', ...args], options);
      expect(good.stderr).toBe('');
      expect(readFileSync(join(folder, 'out.ts'), 'utf8')).toContain('b = a * 3.0f;');
      expect(readFileSync(join(folder, 'out.cl'), 'utf8')).toContain('kernel void brook_kernel_f(');
      expect(readFileSync(join(folder, 'out_f.il'), 'utf8')).toMatch(/^il_ps_2_0\n.*\n##!!BRCC\n##narg:2\n/s);
      writeFileSync(join(folder, 'r.br'), 'kernel void r(double a<>, out double b<>) { b = exp(a); }\n');
      const without = await run(process.execPath, [command, 'brcc', '-k', 'r.br'], options);
      expect(without.stderr).toBe("r.br: no IL for the kernel 'r': there is no exp of doubles in IL\n");
      writeFileSync(join(folder, 'host.c'), 'int main(void) { return 0; }\n');
      const empty = await run(process.execPath, [command, 'brcc', 'host.c'], options);
      expect(empty.stderr).toBe('host.c: no kernel in it: the module that is written has none either\n');
      const fails = (...words: string[]): Promise<unknown> =>
        run(process.execPath, [command, 'brcc', ...words], options).catch((error: unknown) => error);
      expect(await fails('-pp', '-D', 'K=3.0f', 'k.br')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'Follow signed integer semantics (only decimal format) for macro value',
        ),
      });
      const bad = await fails('k.br');
      expect(bad).toMatchObject({
        code: 1,
        stderr:
          'k.br(2) : ERROR--1: Problem with variable in kernel: K not defined\n\tStatement: b = a * K;\n',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
