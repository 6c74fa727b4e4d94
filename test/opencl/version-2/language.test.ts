// What a version of the language is told by: macros, words, and what is not there yet.
import { describe, expect, it } from 'vitest';
import { expectEverywhere } from '../../support/opencl-2.ts';
import { compileForTest } from '../../support/run-kernel.ts';

/** The values of macros in a version, read by a program that does not compile where one is another. */
function expectMacros(
  options: string,
  values: Readonly<Record<string, number>>,
  missing: readonly string[],
): void {
  const checks = Object.entries(values).map(
    ([name, value]) => `#if !defined(${name}) || ${name} != ${value}\n#error ${name}\n#endif`,
  );
  const absent = missing.map((name) => `#ifdef ${name}\n#error ${name}\n#endif`);
  compileForTest(`${[...checks, ...absent].join('\n')}\nkernel void k(void) {}`, options);
}

const enqueue = '__opencl_c_device_enqueue';
const pipes = '__opencl_c_pipes';
const generic = '__opencl_c_generic_address_space';

describe('versions', () => {
  it('tell what they are', () => {
    expectMacros('', { __OPENCL_C_VERSION__: 120 }, [
      'CL_VERSION_2_0',
      'cl_khr_subgroups',
      generic,
      pipes,
      enqueue,
    ]);
    expectMacros('-cl-std=CL2.0', { __OPENCL_C_VERSION__: 200, CL_VERSION_2_0: 200, cl_khr_subgroups: 1 }, [
      'CL_VERSION_3_0',
      generic,
      pipes,
      enqueue,
    ]);
    expectMacros(
      '-cl-std=CL3.0',
      {
        [enqueue]: 1,
        __OPENCL_C_VERSION__: 300,
        CL_VERSION_2_0: 200,
        CL_VERSION_3_0: 300,
        [generic]: 1,
        [pipes]: 1,
        __opencl_c_subgroups: 1,
      },
      [],
    );
  });

  it.each(['queue_t', 'ndrange_t', 'clk_event_t', 'reserve_id_t'])(
    'before 2.0 %s is a name like others',
    (name) => {
      compileForTest(`typedef int ${name}; kernel void k(global ${name} *p) { *p = 1; }`);
    },
  );
});

describe('what a later version has, in one that has it not', () => {
  it.each([
    ['a pipe', 'kernel void k(read_only pipe int p) {}', "unknown type name 'pipe'", "'pipe'"],
    ['a block', 'void f(void) { void (^b)(void) = 0; }', 'blocks support disabled', 'blocks'],
    ['an unnamed block', 'void f(int x) { x = ^{ return 1; }(); }', 'expected expression', 'blocks'],
    ['a queue', 'kernel void k(queue_t q) {}', "unknown type name 'queue_t'", "'queue_t'"],
    [
      'a macro',
      'int f(void) { return memory_order_relaxed; }',
      'use of undeclared',
      "'memory_order_relaxed'",
    ],
    [
      'a generic pointer',
      'void g(int *p); void f(global int *p) { g(p); }',
      'changes address space of pointer',
      'pointers that lead to any address space',
    ],
    [
      'a variable',
      'global int x = 1;',
      'must reside in constant',
      'variables of the program in global memory',
    ],
    [
      'a function',
      'int f(int x) { return work_group_reduce_add(x); }',
      "implicit declaration of function 'work_group_reduce_add'",
      "'work_group_reduce_add'",
    ],
  ])('%s', (_, source, error, what) => {
    const note = `note: ${what} came with OpenCL C 2.0: build with -cl-std=CL2.0`;
    let log = '';
    try {
      compileForTest(source);
    } catch (thrown) {
      log = String(thrown);
    }
    expect(log).toContain(error);
    expect(log).toContain(note);
    expect(log.match(/error:/g)).toHaveLength(1);
  });

  it('is told of 1.2 in 1.1, and of nothing that no version has', () => {
    const source = 'int f(int x) { return popcount(x); }';
    expect(() => compileForTest(source, '-cl-std=CL1.1')).toThrow(/popcount' came with OpenCL C 1.2: build/);
    expect(() => compileForTest('int f(int x) { return constructor; }')).toThrow(
      /identifier 'constructor'$/m,
    );
  });
});

describe('small things', () => {
  it('ctz of scalars and vectors', () => {
    const source = `kernel void k(global int *out) {
      int x = out != 0;
      out[0] = ctz(8 * x); out[1] = ctz((uchar)(x - 1)); out[2] = (int)ctz(1L << 40);
      int2 v = ctz((int2)(6, x)); out[3] = v.x * 10 + v.y; out[4] = ctz((short)(x << 15));
    }`;
    expectEverywhere(source, { global: [1], local: [1] }, Int32Array.of(3, 8, 40, 10, 15));
  });

  it("of overloads the one for the pointer's own space is chosen, else the generic one", () => {
    const source = `
      int __attribute__((overloadable)) which(const int *p) { return 1; }
      int __attribute__((overloadable)) which(const global int *p) { return 2; }
      kernel void k(global int *out, local int *l) { int own = 0; out[0] = which(out); out[1] = which(l); out[2] = which(&own); }`;
    expectEverywhere(source, { global: [1], local: [1] }, Int32Array.of(2, 1, 1), () => [{ local: 4 }]);
  });

  it('the built-in functions that leave results behind a pointer take generic ones', () => {
    const source = `
      float parts(float x, float *whole) { return fract(x, whole); }
      kernel void k(global int *out, local float *l, global float *g) {
        float own;
        out[0] = parts(2.5f, &own) * 4; out[1] = own;
        out[2] = parts(3.25f, l) * 4; out[3] = *l;
        float *p = g; vstore2((float2)(5, 6), 0, p); out[4] = vload2(0, p).y + *g;
        int e; int *q = &e; out[5] = frexp(12.0f, q) * 4; out[6] = *q;
      }`;
    expectEverywhere(source, { global: [1], local: [1] }, Int32Array.of(2, 2, 1, 3, 11, 3, 4), () => [
      { local: 4 },
      { buffer: new Uint8Array(8) },
    ]);
  });
});
