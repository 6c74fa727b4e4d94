/** What is compiled when a program is built, and what when a kernel of it is first wanted. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileForWasm } from '../../../src/devices/wasm/compile-kernels.ts';
import { LocalWasmDevice } from '../../../src/devices/wasm/local-wasm-device.ts';
import { onMachines } from '../../../src/devices/wasm/on-machines.ts';
import type { OpenWasmDevice } from '../../../src/devices/wasm/open-wasm-device.ts';
import { localDevice, WasmDevice } from '../../../src/devices/wasm/wasm-device.ts';
import type { WasmDeviceProgram } from '../../../src/devices/wasm/wasm-program.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import type { Triple } from '../../../src/runtime/command.ts';
import { Context } from '../../../src/runtime/context.ts';
import { BuildFailure, type ProgramInput } from '../../../src/runtime/device.ts';

localDevice.provide(LocalWasmDevice);

/** The kernels of each module that was compiled, in order. */
let compiled: string[][] = [];
let fails = false;
const device = new WasmDevice({
  compile: (module, options, ...rest) => {
    compiled.push(module.functions.filter(({ kind }) => kind === 'kernel').map(({ name }) => name));
    if (fails) throw new BuildFailure('error: too large\n');
    return compileForWasm(module, options, ...rest);
  },
  onMachines: () => onMachines,
});
const context = new Context([device], { shared: false });

afterEach(() => {
  compiled = [];
  fails = false;
});

function build(source: string, input: Partial<ProgramInput> = {}, buildOptions = ''): WasmDeviceProgram {
  const lower = () => compileOpenCL(source, { buildOptions }).module!;
  const whole = { source, options: '', isChecked: true, lower, ...input };
  return (context.opened(device) as OpenWasmDevice).build(whole) as WasmDeviceProgram;
}

const two = `
constant int table[3] = {1, 2, 3};
__attribute__((noinline)) int helper(int x) { return table[x & 1] + x; }
kernel void a(global int *p, int x) { p[get_global_id(0)] = helper(x); }
kernel void b(global int *p, local float4 *l) { barrier(CLK_LOCAL_MEM_FENCE); p[0] = helper(p[1]); a(p, 3); }`;

describe('a program', () => {
  it('is compiled kernel by kernel, each when it is first asked about', () => {
    const program = build(two);
    const [a, b] = program.kernels;
    expect(a!.parameters.map(({ kind, size }) => [kind, size])).toEqual([
      ['global', 4],
      ['value', 4],
    ]);
    expect(b!.parameters.map(({ kind }) => kind)).toEqual(['global', 'local']);
    expect(compiled).toEqual([]);
    expect(b!.localBytes).toBe(0);
    expect(compiled).toEqual([['b']]);
    expect(b!.code.name).toBe('b');
    expect(a!.maxWorkGroupSize).toBeGreaterThan(0);
    expect(compiled).toEqual([['b'], ['a']]);
    expect(a!.refuses([1, 1, 1], 0)).toBeUndefined();
    expect(compiled).toHaveLength(2);
    program.release();
  });

  it('with variables in global memory is compiled as a whole, for its kernels share them', () => {
    const source = `global int count = 7;
      kernel void add(int x) { count += x; }
      kernel void get(global int *p) { *p = count; }`;
    const program = build(source, {}, '-cl-std=CL2.0');
    expect(program.globalVariableBytes).toBe(4);
    expect(program.kernels[1]!.part).toBe(program.kernels[0]!.part);
    expect(compiled).toEqual([['add', 'get']]);
    expect(program.kernels.map(({ index }) => index)).toEqual([0, 1]);
    program.release();
  });

  it('is compiled in the build if that is asked for', () => {
    build(two, { isEarly: true }).release();
    expect(compiled).toHaveLength(2);
    compiled = [];
    process.env['MILLRACE_EARLY'] = '1';
    build(two).release();
    delete process.env['MILLRACE_EARLY'];
    expect(compiled).toHaveLength(2);
  });

  it('that is remembered is neither read nor compiled again, as far as it has been', () => {
    const kept = new Map<string, Uint8Array>();
    const code = {
      find: (variant: string) => kept.get(variant),
      keep: (variant: string, bytes: () => Uint8Array) => void kept.set(variant, bytes()),
    };
    const first = build(two, { code });
    expect(first.kernels[1]!.code.name).toBe('b');
    let reads = 0;
    const lower = () => {
      reads += 1;
      return compileOpenCL(two, {}).module!;
    };
    const second = build(two, { code, lower });
    expect(second.kernels.map(({ parameters }) => JSON.stringify(parameters))).toEqual(
      first.kernels.map(({ parameters }) => JSON.stringify(parameters)),
    );
    expect(second.kernels[1]!.code).toEqual(first.kernels[1]!.code);
    expect([reads, compiled]).toEqual([0, [['b']]]);
    expect(second.kernels[0]!.code.name).toBe('a');
    expect([reads, compiled]).toEqual([1, [['b'], ['a']]]);
  });

  it('that may be too large is tried in the build', () => {
    const struct = (bytes: number) =>
      `typedef struct { char a[${bytes}]; } S; kernel void k(S s, global char *o) { o[0] = s.a[0]; }`;
    expect(() => build(struct(4096))).toThrow(BuildFailure);
    expect(() => build(struct(4092))).not.toThrow();
    const long = `int h(int x, global int *p) { ${'x ^= p[x & 7];'.repeat(100)} return x; }
      kernel void k(global int *p) { ${'p[0] = h(p[1], p);'.repeat(30)} }`;
    compiled = [];
    build(long).release();
    expect(compiled).toEqual([['k']]);
  });

  it('that turns out to be too large says so in each launch', () => {
    const program = build(two);
    fails = true;
    for (let round = 0; round < 2; round += 1) {
      expect(() => program.kernels[0]!.code).toThrowError(
        expect.objectContaining({ name: 'CL_OUT_OF_RESOURCES', message: 'error: too large' }),
      );
    }
    fails = false;
    expect(program.kernels[0]!.code.name).toBe('a');
  });

  it('that is one kernel is compiled from its source as it was, after a failure too', () => {
    const program = build('kernel void k(global float *p) { p[get_global_id(0)] = sin(p[0]); }');
    fails = true;
    expect(() => program.kernels[0]!.code).toThrow('too large');
    fails = false;
    expect(program.kernels[0]!.code.name).toBe('k');
  });
});

describe('a kernel that is better interchanged', () => {
  // Also where the tests run without vectors.
  const forced = process.env['MILLRACE_VECTORISE'];
  beforeEach(() => {
    delete process.env['MILLRACE_VECTORISE'];
  });
  afterEach(() => {
    if (forced !== undefined) process.env['MILLRACE_VECTORISE'] = forced;
  });

  const source = `kernel void k(global const int *a, global int *b, int n) {
    int row = get_global_id(0), column = get_global_id(1);
    b[row * n + column] = a[row * n + column];
  }`;
  /** What a launch of these sizes runs. */
  const swapIn = (program: WasmDeviceProgram, global: Triple, local?: Triple): string | undefined =>
    program.kernels[0]!.forLaunch([], global, local).code.attributes.interchange;

  it.each<[string, string | undefined, Triple, Triple?]>([
    ['is so for launches with many rows', 'done', [64, 64, 1], [8, 8, 1]],
    ['is so where the device chooses groups', 'done', [1, 16, 1]],
    ['stays as it is for few rows', 'better', [64, 15, 1]],
    ['stays as it is for groups with few', 'better', [64, 64, 1], [64, 1, 1]],
  ])('%s', (_, expected, global, local) => {
    const program = build(source);
    expect(swapIn(program, global, local)).toBe(expected);
    expect(swapIn(program, global, local)).toBe(expected);
    expect(compiled).toHaveLength(1);
    program.release();
  });

  /** With a loop in it groups stay apart, and what their rows have next to whole vectors runs one by one. */
  const product = `kernel void k(global const float *a, global const float *b, global float *c, int n) {
    int row = get_global_id(0), column = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[row * n + i] * b[i * n + column];
    c[row * n + column] = sum;
  }`;
  it.each<[string, string, string, Triple, (Triple | undefined)?, string?]>([
    ['in groups of whole vectors', product, 'done', [96, 96, 1], [16, 24, 1]],
    ['not in groups of half as much again', product, 'better', [96, 96, 1], [16, 12, 1]],
    ['not in groups of one more', product, 'better', [72, 72, 1], [8, 9, 1]],
    ['where vectors divide the range', product, 'done', [300, 1000, 1]],
    ['where nothing divides the range but a group has room for all of it', product, 'done', [300, 509, 1]],
    ['not where nothing divides the range', product, 'better', [300, 5003, 1]],
    ['where groups may be cut', product, 'done', [300, 509, 1], undefined, '-cl-std=CL2.0'],
    ['not where much is cut', product, 'better', [64, 23, 1], [16, 16, 1], '-cl-std=CL2.0'],
    ['in any groups if they run as one', source, 'done', [96, 96, 1], [16, 12, 1]],
    ['whatever divides the range if they run as one', source, 'done', [300, 509, 1]],
  ])('is so %s', (_, text, expected, global, local, buildOptions) => {
    const program = build(text, {}, buildOptions);
    expect(swapIn(program, global, local)).toBe(expected);
    expect(swapIn(program, global, local)).toBe(expected);
    program.release();
  });

  it('runs in whole vectors where the device chooses groups', () => {
    const program = build(product);
    const kernel = program.kernels[0]!.forLaunch([], [300, 1000, 1], undefined);
    const [rows, columns] = kernel.chooseLocalSize(2, [300, 1000, 1]);
    expect(columns % 8).toBe(0);
    expect([300 % rows, 1000 % columns]).toEqual([0, 0]);
    program.release();
  });

  it('is compiled both ways for launches of both kinds, whichever comes first', () => {
    const [many, few]: [Triple, Triple] = [
      [64, 64, 1],
      [64, 1, 1],
    ];
    for (const [first, second] of [
      [many, few],
      [few, many],
    ] as const) {
      compiled = [];
      const program = build(source);
      const found = [first, second, first].map((global) => swapIn(program, global));
      expect(found).toEqual(first === many ? ['done', 'better', 'done'] : ['better', 'done', 'better']);
      expect(compiled).toHaveLength(2);
      program.release();
    }
  });

  it('is compiled once if it is better as it is', () => {
    const program = build(source.replaceAll('row * n + column', 'column * n + row'));
    expect(swapIn(program, [64, 64, 1])).toBeUndefined();
    expect(swapIn(program, [64, 1, 1])).toBeUndefined();
    expect(program.kernels[0]!.code.attributes.interchange).toBeUndefined();
    expect(compiled).toHaveLength(1);
    program.release();
  });

  it.each([
    ['without optimisation', { options: '-cl-opt-disable' }],
    ['without vectors', {}],
  ])('is never so %s', (how, input) => {
    if (how === 'without vectors') process.env['MILLRACE_VECTORISE'] = '0';
    const program = build(source, input);
    delete process.env['MILLRACE_VECTORISE'];
    expect(swapIn(program, [64, 64, 1])).not.toBe('done');
    program.release();
  });

  it('is remembered in both forms', () => {
    const kept = new Map<string, Uint8Array>();
    const code = {
      find: (variant: string) => kept.get(variant),
      keep: (variant: string, bytes: () => Uint8Array) => void kept.set(variant, bytes()),
    };
    for (const times of [2, 0]) {
      compiled = [];
      const program = build(source, { code });
      expect(swapIn(program, [64, 64, 1])).toBe('done');
      expect(swapIn(program, [64, 1, 1])).toBe('better');
      expect(compiled).toHaveLength(times);
      program.release();
    }
  });
});

it('parameters are where the code has them', () => {
  const source = `
    typedef struct { char c; double d; } S;
    kernel void k(char a, float3 b, S s, global int *p, constant int *c, local char *l, double16 d, long e) {
      p[0] = a + b.x + s.d + c[0] + d.s3 + e; l[0] = 1; }
    kernel void images(read_only image2d_t a, char x, sampler_t s, write_only image3d_t b, ulong y) {
      float4 f = read_imagef(a, s, (float2)(x, 2)); write_imagef(b, (int4)(x), f * y); }`;
  const program = build(source);
  for (const { parameters, code } of program.kernels) {
    expect(parameters.map(({ size, align }) => [size, align])).toEqual(
      code.parameters.map(({ size, align }) => [size, align]),
    );
  }
  const [k, images] = program.kernels;
  expect(k!.parameters.map(({ kind }) => kind)).toEqual(k!.code.parameters.map(({ kind }) => kind));
  expect(images!.parameters.map(({ kind }) => kind)).toEqual(['image', 'value', 'sampler', 'image', 'value']);
  program.release();
});
