// What a version of the language is told by: macros, words, and what is not there yet.
import { describe, it } from 'vitest';
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
