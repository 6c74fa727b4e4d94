/** .br files as modules: the Node loader, the Vite plugin, the types beside them; and the tagged template. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brook } from 'millrace/brook';
import { brookFiles } from 'millrace/brook/vite';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const folder = resolve('test/brook/imported');

describe('the Node loader', () => {
  const node = (file: string) =>
    run(process.execPath, ['--import', 'millrace/brook/register', join(folder, file)], { cwd: resolve('.') });

  it('imports kernels from a file, with its headers', async () => {
    // 2 a * 0.5 + 1, summed up over 1 to 4.
    expect((await node('app.js')).stdout).toBe('14 BR_NO_ERROR\n');
  }, 60_000);

  it('refuses files with mistakes, in the words of brcc', async () => {
    const failure = await node('wrong.js').catch((error: { readonly stderr: string }) => error);
    expect(failure.stderr).toContain(
      'wrong.br(1) : ERROR--1: In Binary expression: Mismatched operands: both must have same type',
    );
  }, 60_000);
});

describe('the Vite plugin', () => {
  it('makes modules of files, and their types', async () => {
    const place = mkdtempSync(join(tmpdir(), 'millrace-vite-'));
    try {
      for (const name of ['scale.br', 'factor.h', 'app.js'])
        writeFileSync(join(place, name), readFileSync(join(folder, name)));
      const result = await build({
        root: place,
        logLevel: 'silent',
        configFile: false,
        plugins: [brookFiles()],
        build: {
          write: false,
          minify: false,
          lib: { entry: join(place, 'app.js'), formats: ['es'] },
          rollupOptions: { external: ['millrace/brook'] },
        },
      });
      const [{ output }] = result as unknown as [{ output: [{ code: string }] }];
      expect(output[0].code).toContain('kernel float scaled(float a) { return a * 2.0f; }');
      expect(output[0].code).not.toContain('./scale.br');
      expect(readFileSync(join(place, 'scale.d.br.ts'), 'utf8')).toBe(`// Made by Millrace from scale.br.
import type { BrookKernelOf, BrookModule, Stream } from 'millrace/brook';

/** A new stream of a type, on the device of the kernels; sizes with x, the fastest, first. */
export declare const stream: BrookModule['stream'];

/** \`kernel void scale(float a<>, float2 by, out float b<>)\` */
export declare const scale: BrookKernelOf<[a: Stream, by: readonly number[] | ArrayBufferView, b: Stream]>;

/** \`reduce void total(float a<>, reduce float r<>)\` */
export declare const total: BrookKernelOf<[a: Stream, r: Stream | ArrayBufferView]>;

//# ${'sourceMappingURL'}=scale.d.br.ts.map
`);
      const { sources } = JSON.parse(readFileSync(join(place, 'scale.d.br.ts.map'), 'utf8')) as {
        sources: string[];
      };
      expect(sources).toEqual(['scale.br']);
    } finally {
      rmSync(place, { recursive: true });
    }
  }, 60_000);

  it('ends the build at mistakes, and leaves other files alone', () => {
    const plugin = brookFiles({ declarations: false });
    const messages: string[] = [];
    const context = {
      error(message: string): never {
        throw new Error(message);
      },
      warn: (message: string) => void messages.push(message),
    };
    const transform = (code: string, id: string) => plugin.transform.call(context, code, id);
    expect(() => transform(readFileSync(join(folder, 'wrong.br'), 'utf8'), '/a/wrong.br')).toThrow(
      '/a/wrong.br(1) : ERROR--1: In Binary expression',
    );
    expect(transform('let a;', '/a/b.js')).toBeUndefined();
    expect(transform('text', '/a/b.br?raw')).toBeUndefined();
    expect(messages).toEqual([]);
  });
});

describe('a tagged template', () => {
  it('takes values as text', () => {
    const factor = 3;
    const { kernels, stream } = brook`
      kernel void scale(float a<>, out float b<>) { b = a * ${factor}.0f; }`;
    const [a, b] = [stream('float', [2]), stream('float', [2])];
    a.read(Float32Array.of(1, -2));
    kernels['scale']!(a, b);
    const out = new Float32Array(2);
    b.write(out);
    expect([...out]).toEqual([3, -6]);
    expect(() => brook`kernel void f(float a<>, out float b<>) { b = ${'nothing'}; }`).toThrow(
      'nothing not defined',
    );
  });
});
