/** Separate compilation and linking (OpenCL 1.2, 5.6.3) through the built package, on every device of the machine. */
import {
  CL,
  type CLContext,
  type CLDevice,
  type CLProgram,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const kernelSource = `
#include "shared/tables.h"
extern constant float weights[COUNT];
float weigh(float x, int i);
kernel void weigh_all(global float *out, global const float *in) {
  int i = get_global_id(0);
  out[i] = weigh(in[i], i % COUNT) + native_sqrt(weights[0]);
}`;
const headerSource = '#define COUNT 4\n';
const helperSource = `
#include <shared/tables.h>
constant float weights[COUNT] = {16, 1, 2, 3};
float weigh(float x, int i) { return x * weights[i]; }`;

const input = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
/** x * weights[i % 4] + sqrt(16) */
const expected = [20, 6, 10, 16, 84, 10, 18, 28];

let context: CLContext;
beforeEach(() => {
  context = createContext();
});
afterEach(() => context.releaseAll());

function compiled(source: string, options = '', within = context): CLProgram {
  const program = within.createProgram(source);
  const header = within.createProgram(headerSource);
  program.compile(null, options, [header], ['shared/tables.h']);
  return program;
}

function run(program: CLProgram, within = context): number[] {
  const queue = within.createCommandQueue();
  const kernel = program.createKernel('weigh_all');
  const out = within.createBuffer(0, input.byteLength);
  kernel.setArg(0, out);
  kernel.setArg(1, within.createBuffer(0, input));
  queue.enqueueNDRangeKernel(kernel, 1, null, [input.length], null);
  const result = new Float32Array(input.length);
  queue.enqueueReadBuffer(out, true, 0, result.byteLength, result);
  kernel.release();
  return [...result];
}

const info = (program: CLProgram, name: number, device = program.devices[0]!) =>
  program.getBuildInfo(device, name);

const devices: CLDevice[] = getPlatforms().flatMap((platform) => [
  ...platform.getDevices(),
  ...(platform.getInfo(CL.PLATFORM_NAME) === 'Millrace' ? platform.getDevices(CL.DEVICE_TYPE_CUSTOM) : []),
]);

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME), device] as const))(
  'on %s',
  (_, device) => {
    it('links objects, and objects with libraries', () => {
      const own = createContext(device);
      const main = compiled(kernelSource, '', own);
      const helper = compiled(helperSource, '', own);
      const program = own.linkProgram(null, null, [main, helper]);
      expect(run(program, own)).toEqual(expected);
      expect(info(program, CL.PROGRAM_BINARY_TYPE)).toBe(CL.PROGRAM_BINARY_TYPE_EXECUTABLE);
      const library = own.linkProgram([device], '-create-library -enable-link-options', [helper]);
      expect(info(library, CL.PROGRAM_BINARY_TYPE)).toBe(CL.PROGRAM_BINARY_TYPE_LIBRARY);
      expect(run(own.linkProgram(null, '-cl-fast-relaxed-math', [library, main]), own)).toEqual(expected);
      own.releaseAll();
    });
  },
);

describe('headers', () => {
  it('may be empty, and the first of several of a name is used (5.6.2)', () => {
    const program = context.createProgram(
      '#include "nothing.h"\n#include "n.h"\nkernel void k(global int *a) { a[0] = N; }',
    );
    const header = (text: string) => context.createProgram(text);
    program.compile(
      null,
      '',
      [header('#define N 5'), header(''), header('#define N 6')],
      ['n.h', 'nothing.h', 'n.h'],
    );
    const kernel = context.linkProgram(null, '', [program]).createKernel('k');
    const buffer = context.createBuffer(0, 4);
    kernel.setArg(0, buffer);
    const queue = context.createCommandQueue();
    queue.enqueueTask(kernel);
    const out = new Int32Array(1);
    queue.enqueueReadBuffer(buffer, true, 0, 4, out);
    expect(out[0]).toBe(5);
  });
});

describe('states and queries', () => {
  it('tell what a program is', () => {
    const program = context.createProgram('kernel void a(int x) {} kernel void b(global float *y) {}');
    expect(info(program, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_NONE);
    expect(info(program, CL.PROGRAM_BINARY_TYPE)).toBe(CL.PROGRAM_BINARY_TYPE_NONE);
    program.compile(null, '-D X=1 -cl-kernel-arg-info');
    expect(info(program, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_SUCCESS);
    expect(info(program, CL.PROGRAM_BUILD_OPTIONS)).toBe('-D X=1 -cl-kernel-arg-info');
    expect(info(program, CL.PROGRAM_BINARY_TYPE)).toBe(CL.PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    expect(errorName(() => program.getInfo(CL.PROGRAM_NUM_KERNELS))).toBe('CL_INVALID_PROGRAM_EXECUTABLE');
    expect(errorName(() => program.createKernel('a'))).toBe('CL_INVALID_PROGRAM_EXECUTABLE');
    const linked = context.linkProgram(null, '', [program]);
    expect(linked.getInfo(CL.PROGRAM_NUM_KERNELS)).toBe(2);
    expect(linked.getInfo(CL.PROGRAM_KERNEL_NAMES)).toBe('a;b');
    expect(linked.getInfo(CL.PROGRAM_SOURCE)).toBe('');
    expect(linked.createKernel('b').getArgInfo(0, CL.KERNEL_ARG_NAME)).toBe('y');
    // A program that has been compiled can be built all the same.
    program.build();
    expect(info(program, CL.PROGRAM_BINARY_TYPE)).toBe(CL.PROGRAM_BINARY_TYPE_EXECUTABLE);
  });

  it('know arguments only of kernels compiled to tell', () => {
    const told = compiled('kernel void told(int x) {}', '-cl-kernel-arg-info');
    const silent = compiled('kernel void silent(int y) {}');
    const program = context.linkProgram(null, '', [told, silent]);
    expect(program.createKernel('told').getArgInfo(0).name).toBe('x');
    const kernel = program.createKernel('silent');
    expect(errorName(() => kernel.getArgInfo(0))).toBe('CL_KERNEL_ARG_INFO_NOT_AVAILABLE');
    expect(errorName(() => kernel.getArgInfo(1))).toBe('CL_INVALID_ARG_INDEX');
  });

  it('call back later, with the outcome', async () => {
    const program = context.createProgram(kernelSource);
    const header = context.createProgram(headerSource);
    const calledBack = (start: (done: (program: CLProgram) => void) => unknown) =>
      new Promise<CLProgram>((resolve) => start(resolve));
    let status: unknown;
    const back = await calledBack((done) => {
      program.compile(null, '', [header], ['shared/tables.h'], done);
      status = info(program, CL.PROGRAM_BUILD_STATUS);
      expect(errorName(() => program.compile())).toBe('CL_INVALID_OPERATION');
      expect(errorName(() => program.build())).toBe('CL_INVALID_OPERATION');
      expect(errorName(() => context.linkProgram(null, '', [program]))).toBe('CL_INVALID_OPERATION');
    });
    expect(status).toBe(CL.BUILD_IN_PROGRESS);
    expect(back).toBe(program);
    expect(info(program, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_SUCCESS);

    const broken = context.createProgram('int f( {');
    await calledBack((done) => broken.compile(null, '', null, null, done));
    expect(info(broken, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_ERROR);
    expect(info(broken, CL.PROGRAM_BUILD_LOG)).toContain(':1:8: error');

    const helper = compiled(helperSource);
    const linked = await calledBack((done) => context.linkProgram(null, '', [program, helper], done));
    expect(run(linked)).toEqual(expected);
    const incomplete = await calledBack((done) => context.linkProgram(null, '', [program], done));
    expect(info(incomplete, CL.PROGRAM_BUILD_STATUS)).toBe(CL.BUILD_ERROR);
    expect(info(incomplete, CL.PROGRAM_BUILD_LOG)).toContain(
      "function 'weigh' is called by 'weigh_all' but not defined",
    );
  });
});

describe('a program released while it is built', () => {
  it('is given back when that has ended', async () => {
    for (let round = 0; round < 3; round += 1) {
      const program = context.createProgram(
        'constant int c[1000] = {1}; kernel void f(global int *x) { x[0] = c[x[1]]; }',
      );
      const ended = new Promise((resolve) => program.build(null, '', resolve));
      program.release();
      if (round === 2) context.release();
      expect(await ended).toBe(program);
      expect(program.references).toBe(0);
      expect(program.builtFor(context.devices[0]!)).toBeDefined();
    }
    // The last program kept the context, and was the last to do so.
    expect(errorName(() => context.createUserEvent())).toBe('CL_INVALID_CONTEXT');
    context = createContext();
  });
});

describe('a program that is released before its build has called back', () => {
  it('is there for the function that is called', async () => {
    const program = context.createProgram('kernel void f(global int *x) { x[0] = 1; }');
    const told = new Promise((resolve) =>
      program.build(null, '', (built) => {
        const status = built.getBuildInfo(context.devices[0]!, CL.PROGRAM_BUILD_STATUS);
        const kernel = built.createKernel('f');
        resolve([
          status,
          kernel.getInfo(CL.KERNEL_PROGRAM) === program,
          built.getInfo(CL.PROGRAM_KERNEL_NAMES),
        ]);
        kernel.release();
      }),
    );
    program.release();
    expect(await told).toEqual([CL.BUILD_SUCCESS, true, 'f']);
    // And after that it is gone.
    expect(errorName(() => program.retain())).toBe('CL_INVALID_PROGRAM');
  });
});

describe('errors of compile', () => {
  it('come in their order', () => {
    const program = context.createProgram('kernel void f(int x) {}');
    const other = createContext(getPlatforms()[0]!, CL.DEVICE_TYPE_CUSTOM);
    const foreign = other.devices;
    const header = context.createProgram('int x;');
    const bad = null as never;
    expect(errorName(() => program.compile([]))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => program.compile(foreign))).toBe('CL_INVALID_DEVICE');
    expect(errorName(() => program.compile(null, '', [header]))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => program.compile(null, '', null, ['a.h']))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => program.compile(null, '', [header], ['a.h', 'b.h']))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => program.compile(null, '', [bad], ['a.h']))).toBe('CL_INVALID_PROGRAM');
    expect(errorName(() => program.compile(null, '', null, null, 1 as never))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => program.compile(null, '-create-library'))).toBe('CL_INVALID_COMPILER_OPTIONS');
    const log = info(program, CL.PROGRAM_BUILD_LOG);
    expect(log).toBe("error: unknown build option '-create-library'\n");
    expect(errorName(() => context.createProgram('int f( {').compile())).toBe('CL_COMPILE_PROGRAM_FAILURE');
    const linked = context.linkProgram(null, '', [compiled('kernel void f(int x) {}')]);
    expect(errorName(() => linked.compile())).toBe('CL_INVALID_OPERATION');
    expect(errorName(() => linked.build())).toBe('CL_INVALID_OPERATION');
    expect(errorName(() => program.compile(null, '', [linked], ['a.h']))).toBe('CL_INVALID_PROGRAM');
    program.build();
    const kernel = program.createKernel('f');
    expect(errorName(() => program.compile())).toBe('CL_INVALID_OPERATION');
    kernel.release();
    program.release();
    expect(errorName(() => program.compile())).toBe('CL_INVALID_PROGRAM');
    other.releaseAll();
  });
});

describe('errors of linkProgram', () => {
  it('come in their order', () => {
    const object = compiled('kernel void f(int x) {}');
    const source = context.createProgram('kernel void g(int x) {}');
    const other = createContext(getPlatforms()[0]!, CL.DEVICE_TYPE_CUSTOM);
    const link = (options: string | null, programs: readonly CLProgram[]) =>
      errorName(() => context.linkProgram(null, options, programs));
    expect(errorName(() => context.linkProgram([], '', [object]))).toBe('CL_INVALID_VALUE');
    expect(errorName(() => context.linkProgram(other.devices, '', [object]))).toBe('CL_INVALID_DEVICE');
    expect(link('', [])).toBe('CL_INVALID_VALUE');
    expect(link('', null as never)).toBe('CL_INVALID_VALUE');
    expect(link('', [object, {} as never])).toBe('CL_INVALID_PROGRAM');
    expect(link('', [compiled('kernel void f(int x) {}', '', other)])).toBe('CL_INVALID_PROGRAM');
    expect(errorName(() => context.linkProgram(null, '', [object], 'x' as never))).toBe('CL_INVALID_VALUE');
    expect(link('-D X', [object])).toBe('CL_INVALID_LINKER_OPTIONS');
    expect(link('-enable-link-options', [object])).toBe('CL_INVALID_LINKER_OPTIONS');
    expect(link('-cl-no-signed-zeroes', [object])).toBe('no error');
    expect(link('', [source])).toBe('CL_INVALID_OPERATION');
    expect(link('', [object, source])).toBe('CL_INVALID_OPERATION');
    expect(link('', [object, compiled('kernel void f(int x) {}')])).toBe('CL_LINK_PROGRAM_FAILURE');
    other.releaseAll();
    const empty = createContext(getPlatforms()[0]!, CL.DEVICE_TYPE_CUSTOM);
    empty.release();
    expect(errorName(() => empty.linkProgram(null, '', [object]))).toBe('CL_INVALID_CONTEXT');
    // Deleted when all that was made in it has been released (4.4.1), and there are programs.
    context.release();
    expect(link('', [object])).toBe('no error');
  });

  it('leave out devices without objects, and refuse half of them', () => {
    const [platform] = getPlatforms();
    const both = createContext([platform!.getDevices()[0]!, platform!.getDevices(CL.DEVICE_TYPE_CUSTOM)[0]!]);
    const [first, second] = both.devices;
    const object = both.createProgram('int g(void); kernel void f(global int *x) { x[0] = g(); }');
    const helper = both.createProgram('int g(void) { return 7; }');
    object.compile([first!]);
    helper.compile();
    expect(errorName(() => both.linkProgram(null, '', [object, helper]))).toBe('CL_INVALID_OPERATION');
    const program = both.linkProgram([first!], '', [object, helper]);
    expect(program.devices).toEqual([first]);
    const only = both.createProgram('kernel void f(global int *x) { x[0] = 3; }');
    only.compile([second!]);
    const half = both.linkProgram(null, '', [only]);
    expect(half.devices).toEqual([first, second]);
    expect(info(half, CL.PROGRAM_BINARY_TYPE, first)).toBe(CL.PROGRAM_BINARY_TYPE_NONE);
    expect(info(half, CL.PROGRAM_BINARY_TYPE, second)).toBe(CL.PROGRAM_BINARY_TYPE_EXECUTABLE);
    both.releaseAll();
  });
});
