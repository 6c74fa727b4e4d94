/** What brcc writes: the TypeScript of a module, and messages in its own form. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
\t                                                         ^
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

  it('does what the options of the guide say, or says what they cannot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-brcc-'));
    const options = { cwd: folder };
    const brccOf = (...words: string[]) =>
      run(process.execPath, [command, 'brcc', ...words, 'k.br'], options);
    const inFolder = (name: string): string => readFileSync(join(folder, name), 'utf8');
    try {
      mkdirSync(join(folder, 'inc'));
      writeFileSync(join(folder, 'inc', 'n.h'), '#define N 3.0f\n');
      writeFileSync(
        join(folder, 'k.br'),
        '#include "n.h"\n\nkernel void f(float a<>, out float b<>) {\n  b = a * N;\n}\n',
      );
      // -I, -i and their order.
      for (const flag of ['-I', '-i']) {
        expect((await brccOf(flag, 'inc', '-o', 'plain', '-k')).stderr).toBe('');
        expect(inFolder('plain.ts')).toContain('b = a * 3.0f;');
      }
      const il = inFolder('plain_f.il');
      expect(inFolder('plain.ts') + inFolder('plain.cl')).not.toContain('#line');
      // -l and -n l.
      await brccOf('-I', 'inc', '-l', '-k', '-o', 'lines');
      expect(inFolder('lines.ts')).toContain('#line 3 "k.br"\nkernel void f');
      expect(inFolder('lines.cl')).toContain('#line 4 "k.br"\n');
      await brccOf('-I', 'inc', '-l', '-n', 'l', '-k', '-o', 'none');
      expect([inFolder('none.ts'), inFolder('none.cl')]).toEqual([
        inFolder('plain.ts'),
        inFolder('plain.cl'),
      ]);
      await expect(brccOf('-n', 'x')).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('-n x'),
      });
      // -s: the same IL.
      expect((await brccOf('-I', 'inc', '-k', '-s', '-o', 'list')).stderr).toBe('');
      const list = inFolder('list_f.il');
      const written = [...list.matchAll(/'(\\?.|\\n)'/gs)].map(([, one]) =>
        one!.replace('\\n', '\n').replace('\\0', ''),
      );
      expect(list).toMatch(/^'i', 'l', '_', /);
      expect(written.join('')).toBe(il);
      expect((await brccOf('-I', 'inc', '-s')).stderr).toBe('k.br: -s: without -k no IL is written\n');
      // -p
      expect((await brccOf('-I', 'inc', '-k', '-p', 'CPU', '-o', 'cpu')).stderr).toBe(
        'k.br: -p cpu: the module that is written runs on cpu and on cal devices alike\n',
      );
      expect([existsSync(join(folder, 'cpu_f.il')), existsSync(join(folder, 'cpu.cl'))]).toEqual([
        false,
        true,
      ]);
      expect((await brccOf('-I', 'inc', '-kp', 'CAL', '-pcpu', '-o', 'both')).stderr).toBe('');
      expect(inFolder('both_f.il')).toBe(il);
      await expect(brccOf('-p', 'gpu')).rejects.toMatchObject({ code: 2 });
      // What there is nothing for here.
      expect((await brccOf('-I', 'inc', '-re', '-x')).stderr.split('\n')).toEqual([
        'k.br: -r: there is no address virtualization to disable: streams of every size run without',
        'k.br: -e: the module is TypeScript and has no C++ header for extern "C"',
        'k.br: -x: without -a types are checked strongly, which turns -w and -x off',
        '',
      ]);
      // -f and -b.
      const { stderr } = await brccOf('-I', 'inc', '-fb');
      expect(stderr).toContain("k.br(3):1: identifier 'kernel'\nk.br(3):8: identifier 'void'\n");
      expect(stderr).toContain("k.br(4):11: float '3.0f'\n");
      expect(stderr.slice(stderr.indexOf('kernel, name'))).toBe(`kernel, name 'f', result void, at k.br(3):1
  parameters[0], name 'a', type float, isStream, at k.br(3):21
  parameters[1], name 'b', type float, out, isStream, at k.br(3):36
  body[0]: expression, at k.br(4):3
    expression: assignment, operator '=', at k.br(4):3
      target: name, name 'b', at k.br(4):3
      value: binary, operator '*', at k.br(4):7
        left: name, name 'a', at k.br(4):7
        right: number, text '3.0f', isFloating, at k.br(4):11
`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);

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
          'k.br(2) : ERROR--1: Problem with variable in kernel: K not defined\n\tStatement: b = a * K;\n\t                   ^\n',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
