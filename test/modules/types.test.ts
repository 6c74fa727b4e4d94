/** The types of files with kernels, under TypeScript's strict rules, and the maps that lead from them into the files. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KernelModule, kernelModule, readRequest } from '../../src/modules/index.ts';
import { hasTypes } from '../support/built-types.ts';
import { makeProject, type Project } from './project.ts';

const source = `typedef struct { float2 at; int weight[3]; } body;
struct light { float power; body of[2]; };

/* Sums up.
 * In one group. */
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void sum(global const float4 *in, local float *scratch, global float *out) { *out = scratch[0] + in[0].x; }

// Of everything.
// In two lines.
kernel void all(float4 by, long big, struct light l, body b, constant ushort *table, global uchar4 *pixels,
                global double *d, global body *bodies, global long *longs, read_only image2d_t picture, sampler_t how,
                global half *halves, bool2_t in) { *d = by.x; }

kernel void new(int unused) {}
`.replace('bool2_t in', 'uint in');

function made(text: string, id = '/kernels/all.cl', files: Record<string, string> = {}): KernelModule {
  return kernelModule(readRequest(id)!, text, { files: { read: (path) => files[path] } });
}

const declarationsOf = (module: KernelModule): string => [...module.declarations.values()][0] ?? module.log;

describe('declarations', () => {
  const text = declarationsOf(made(source));

  it('have a function for each kernel, with its comment and how it is declared', () => {
    expect(text).toContain(`/**
 * Sums up.
 * In one group.
 *
 * \`kernel void sum(global const float4 *in, local float *scratch, global float *out)\`
 */
export declare function sum(range: LaunchRange, in_: Pointer<Float32Array | Uint32Array>, scratch: LocalMemory, out: Pointer<Float32Array | Uint32Array>): Promise<LaunchTimes>;`);
    expect(text).toContain(' * Of everything.\n * In two lines.\n *\n');
    expect(text).toContain('export declare function newKernel(range: LaunchRange, unused: Scalar)');
  });

  it('have a type for each kind of parameter', () => {
    const [, parameters] = /function all\(range: LaunchRange, (.*)\): Promise/.exec(text)!;
    expect(parameters!.split(/, (?=\w+: )/)).toEqual([
      'by: Vector<4>',
      'big: Scalar',
      'l: Struct<light>',
      'b: Struct<body>',
      'table: Pointer<Uint16Array | Int16Array>',
      'pixels: Pointer<Uint32Array>',
      'd: Pointer<Float64Array | BigUint64Array>',
      'bodies: Pointer<ArrayBufferView>',
      'longs: Pointer<BigInt64Array | BigUint64Array>',
      'picture: ImageArgument',
      'how: Sampler',
      'halves: Pointer<Uint16Array>',
      'in_: Scalar',
    ]);
    expect(text).toContain(`export type body = {
  readonly at: Vector<2>;
  readonly weight: Vector<3>;
};`);
    expect(text).toContain('readonly of: Vector<2, Struct<body>>;');
  });

  it('of pipes', () => {
    const module = made(
      'kernel void p(read_only pipe int a, global int *b) {}',
      '/p.cl?options=-cl-std=CL2.0',
    );
    expect(declarationsOf(module)).toContain('a: DevicePipe');
  });

  it('have a map that leads from names to names', () => {
    const module = made(source);
    const [[path, declarations], [, map]] = [...module.declarations] as [[string, string], [string, string]];
    expect(path).toBe(resolve('/kernels/all.d.cl.ts'));
    expect(declarations).toMatch(/\n\/\/# sourceMappingURL=all\.d\.cl\.ts\.map\n$/);
    const parsed = new SourceMap(JSON.parse(map));
    for (const name of ['sum', 'all']) {
      const lines = declarations.split('\n');
      const line = lines.findIndex((each) => each.includes(`function ${name}(`));
      const entry = parsed.findEntry(line, lines[line]!.indexOf(name)) as {
        originalSource: string;
        originalLine: number;
        originalColumn: number;
      };
      expect(entry.originalSource).toBe('all.cl');
      expect(source.split('\n')[entry.originalLine]!.slice(entry.originalColumn)).toMatch(
        new RegExp(`^${name}\\(`),
      );
    }
  });

  it('lead into the header that a kernel is in', () => {
    const headers = { '/kernels/h.h': '\nkernel void k(global int *p) {}\n' };
    const module = made('#include "h.h"\n', '/kernels/a.cl', headers);
    expect(module.headers).toEqual(['/kernels/h.h']);
    const map = JSON.parse(module.declarations.get(resolve('/kernels/a.d.cl.ts.map'))!) as {
      sources: string[];
    };
    expect(map.sources).toEqual(['h.h']);
  });
});

describe('requests', () => {
  it('have options, a device and more', () => {
    const { path, query, options, problems } = readRequest(
      '/a/b.cl?options=-DN=8+-w&options=-g&device=webgpu&timeout=50&t=17',
      { options: '-DM', prefer: 'gpu' },
    )!;
    expect({ path, query, options, problems }).toEqual({
      path: '/a/b.cl',
      query: '?options=-DN=8 -w&options=-g&device=webgpu&timeout=50',
      options: { options: '-DM -DN=8 -w -g', device: 'webgpu', prefer: undefined, timeout: 50 },
      problems: [],
    });
    const { code } = made(
      'kernel void k(global int *p) { *p = N; }',
      '/k.cl?options=-DN=8&device=webgpu&timeout=50',
    );
    expect(code).toContain("device: 'webgpu', timeout: 50 }");
  });

  it('that are for others are left to them', () => {
    for (const id of ['/a/b.cl?raw', '/a/b.br?url', '/a/b.clc', '/a/cl', '\0virtual.cl'])
      expect(readRequest(id), id).toBeUndefined();
  });

  it('with mistakes are errors', () => {
    expect(made('', '/k.cl?devise=x').log).toContain("a query has no 'devise'");
    expect(made('', '/k.cl?prefer=cpu').log).toContain('only prefer=gpu is possible');
    expect(made('kernel void k() {}', '/k.cl?options=-what').log).toMatch(/-what/);
    expect(made('', '/k.br?load').log).toContain("'load' is not for Brook+");
    expect(made('', '/k.il?i0=float').log).toContain('i0=float: a format is written float32x4');
  });

  it('hold code for addresses of 64 bits only if they are for drivers', () => {
    const text = 'kernel void k(global int *p) { *p = 1; }';
    const bytes = (query: string): number =>
      /loadProgram\(\s*'([^']+)'/.exec(made(text, `/k.cl${query}`).code!)![1]!.length;
    expect(bytes('?drivers')).toBeGreaterThan(1.4 * bytes(''));
    expect(bytes('?device=icd:0')).toBe(bytes('?drivers'));
    expect(bytes('?device=interpreter')).toBe(bytes(''));
  });
});

describe.runIf(hasTypes)('TypeScript, strict', { timeout: 60_000 }, () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject({ '@types/node': resolve('node_modules/@types/node') });
    project.write('all.cl', source);
    project.write('plain.cl', 'kernel void k(float a, global float *x) { *x = a; }\n');
    for (const id of ['all.cl', 'plain.cl', 'plain.cl?load', 'plain.cl?options=-DN=8']) {
      const request = readRequest(project.path(id))!;
      for (const [path, text] of kernelModule(request).declarations)
        project.write(path.slice(project.folder.length + 1), text);
    }
  });
  afterAll(() => project?.remove());

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('refuses wrong arguments, with module %s', (module, moduleResolution) => {
    const right = `import { all, sum, type body } from './all.cl';
import { k, program } from './plain.cl';
import { k as eight } from './plain.cl?options=-DN=8';
import { load } from './plain.cl?load';
import { local, sampler, type Kernel, type Program } from 'millrace/kernels';
const f = new Float32Array(4);
const b: body = { at: [1, 2], weight: [1, 2, 3] };
const p: Program = program;
await sum({ global: [64] }, f, local(256), program.buffer(4));
await all({ global: [1] }, [1, 2, 3, 4], 2n ** 40n, { power: 1, of: [b, b] }, b, new Uint16Array(1), new Uint8Array(4),
  null, new Uint8Array(20), new BigInt64Array(1),
  { width: 1, height: 1, data: new Uint8Array(4), order: 'RGBA', type: 'UNORM_INT8' }, sampler({}), new Uint16Array(1), 1);
await eight({ global: [1] }, 1, f);
const l = await load({ prefer: 'gpu' });
await l.k({ global: [1] }, 1, f);
const anyKernel: Kernel = p.kernel('k');
export const names: readonly string[] = [k.name, ...k.parameters.map(({ name }) => name), anyKernel.name];
`;
    const wrongs = [
      "await k({ global: [1] }, 'one', f);",
      'await k({ global: [1] }, 1);',
      'await k({ global: [1] }, 1, new Float64Array(1));',
      'await k({ global: [1] }, 1, new Int32Array(1));',
      'await k([1], 1, f);',
      'await l.k({ global: [1] }, f, 1);',
      'await eight({ global: [1] }, 1, f, f);',
      'await sum({ global: [64] }, f, 256, f);',
      'export const c: body = { at: [1, 2, 3], weight: [1, 2, 3] };',
      'export const d: body = { at: [1, 2] };',
    ];
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      target: 'ES2022',
      lib: ['ES2023', 'DOM'],
      module,
      moduleResolution,
      noEmit: true,
      allowArbitraryExtensions: true,
      types: ['node'],
    };
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    project.write('main.ts', right + wrongs.join('\n'));
    const { stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], {
      cwd: project.folder,
      encoding: 'utf8',
    });
    const lines = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(
      ([, file, line]) => `${file} ${line}`,
    );
    const first = right.split('\n').length;
    expect(lines, stdout).toEqual(wrongs.map((_, index) => `main.ts ${first + index}`));
    expect(readFileSync(project.path('all.d.cl.ts'), 'utf8')).toContain('export type light');
  });
});
