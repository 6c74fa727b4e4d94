/** What the written text looks like, and what is refused. */
import { describe, expect, it } from 'vitest';
import { OpenCLCError, writeOpenCLC } from '../../../src/codegen/opencl-c/write-opencl-c.ts';
import type { Module } from '../../../src/ir/ir.ts';
import { parseModule } from '../../../src/ir/parse.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { written } from './round-trip.ts';

function lowered(source: string, addressBits: 32 | 64 = 64): Module {
  const { module, log } = compileOpenCL(source, { addressBits });
  if (!module) throw new Error(log);
  return module;
}

/** The text without its header. */
function textOf(source: string, optimised = true): string {
  return `\n${written(lowered(source), optimised).replace(/^(\/\/.*\n)+/, '')}`;
}

describe('text', () => {
  it('of a loop reads like its source', () => {
    expect(
      textOf(`kernel void sums(global const int *restrict in, global int *out, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) { if (in[i] < 0) continue; if (in[i] == 99) break; sum += in[i]; }
        out[get_global_id(0)] = sum;
      }`),
    ).toMatchInlineSnapshot(`
      "
      #pragma OPENCL FP_CONTRACT OFF

      kernel void sums(global const int *restrict in, global int *out, int n) {
        uint sum = 0u;
        uint i = 0u;
        while ((int)i < n) {
          int t = in[(int)i];
          uint sum_1;
          if (t < 0) {
            sum_1 = sum;
          } else {
            if (t == 99) break;
            sum_1 = sum + (uint)t;
          }
          sum = sum_1;
          i = i + 1u;
        }
        out[get_global_id(0)] = sum;
      }
      "
    `);
  });

  it('sets a flag for a jump over a loop', () => {
    expect(
      textOf(`kernel void find(global const int *in, global int *out, int n) {
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (in[i * n + j] == 7) { out[0] = i; goto done; }
        out[1] = 5;
        done: out[2] = 1;
      }`),
    ).toMatchInlineSnapshot(`
      "
      #pragma OPENCL FP_CONTRACT OFF

      kernel void find(global const int *in, global int *out, int n) {
        bool leave = false;
        do {
          uint i = 0u;
          while ((int)i < n) {
            uint t = i * (uint)n;
            uint j = 0u;
            while ((int)j < n) {
              if (in[(int)(t + j)] == 7) {
                out[0] = i;
                leave = true;
                break;
              }
              j = j + 1u;
            }
            if (leave) break;
            i = i + 1u;
          }
          if (leave) break;
          out[1] = 5u;
        } while (false);
        out[2] = 1u;
      }
      "
    `);
  });

  it('keeps what the host may ask about parameters', () => {
    expect(
      textOf(`typedef struct { float x; char c; } point; struct pair { double a; };
      typedef float real;
      kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(point p, struct pair q, real r, uchar3 u,
          volatile global real *v, constant ushort2 *restrict t, local int *l) {
        v[0] = p.x + (float)q.a + r + u.y + t[1].x + l[0];
      }`),
    ).toMatchInlineSnapshot(`
      "
      #pragma OPENCL EXTENSION cl_khr_fp64 : enable
      #pragma OPENCL FP_CONTRACT ON

      typedef struct { uint words[2]; } point;
      struct pair { ulong words[1]; };
      typedef float real;

      kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(
          point p,
          struct pair q,
          real r,
          uchar3 u,
          volatile global real *v,
          constant const ushort2 *restrict t,
          local int *l) {
        float p_0 = *(private float *)&p;
        double q_0 = *(private double *)&q;
        *(volatile global float *)v = p_0 + (float)q_0 + r + (float)u.s1 + (float)((constant ushort *)t)[2] + (float)l[0];
      }
      "
    `);
  });

  it('fuses only where it may when something may not be fused', () => {
    const text = textOf('kernel void k(global float *a) { a[0] = a[1] * a[2] + exp(a[3]); }');
    expect(text).toContain('#pragma OPENCL FP_CONTRACT OFF');
    expect(text).toContain('multiply_add_float(a[1], a[2], ');
  });

  it('writes constants as the numbers they are read as, and addresses in them', () => {
    expect(
      textOf(`constant float table[3] = {1.5f, -2.0f, INFINITY};
      constant int numbers[2] = {-1, 7};
      constant int *constant at[2] = {numbers, numbers + 1};
      kernel void k(global float *a, int i) { a[0] = table[i]; a[1] = *at[i]; }`),
    ).toMatchInlineSnapshot(`
      "
      #pragma OPENCL FP_CONTRACT OFF

      constant float table[3] = { 1.5f, -2.0f, INFINITY };
      constant uint numbers[2] = { 0xffffffffu, 7u };
      constant struct { constant uchar *address0; constant uchar *address1; } at = { (constant uchar *)numbers, (constant uchar *)numbers + 4 };

      kernel void k(global float *a, int i) {
        long t = (long)i;
        a[0] = table[t];
        a[1] = (float)(int)*(constant uint *)((constant uchar * constant *)(constant uchar *)&at)[t];
      }
      "
    `);
  });
});

describe('what cannot be written', () => {
  it('doubles for a device without them', () => {
    const module = lowered('kernel void k(global double *a) { a[0] += 1; }');
    expect(() => writeOpenCLC(module, { doubles: false })).toThrow(
      'the program uses doubles, the device has none',
    );
  });

  it('addresses of another width', () => {
    const module = lowered('kernel void k(global int *a) { a[0] = 1; }', 32);
    expect(() => writeOpenCLC(module, { addressBits: 64 })).toThrow(OpenCLCError);
  });

  it('work-group form', () => {
    const module = lowered('kernel void k(global int *a) { a[0] = 1; }');
    optimise(module);
    expect(() => writeOpenCLC(module)).toThrow('work-group form');
  });

  it('generic pointers and global variables', () => {
    const generic = parseModule(
      `module address=64
kernel @k(%p: ptr<global>) {
  %g = space %p : ptr<generic>
  %v = load %g align=4 : i32
  store %p, %v align=4
  return
}`,
      'test.ir',
    );
    expect(() => writeOpenCLC(generic)).toThrow(OpenCLCError);
    const variable = parseModule(
      `module address=64
global @n size=4 align=4 = zero
kernel @k(%p: ptr<global>) {
  %g = global_address @n : ptr<global>
  %v = load %g align=4 : i32
  store %p, %v align=4
  return
}`,
      'test.ir',
    );
    expect(() => writeOpenCLC(variable)).toThrow("'n': variables in global memory need OpenCL C 2.0");
  });
});

describe('names', () => {
  it('of the source may begin a word of the language', () => {
    const source = `kernel void k(global const int *as, global int *get, int native) {
      int async = as[0];
      for (int as = 0; as < native; as++) async += as;
      get[0] = async;
    }`;
    const { module, log } = compileOpenCL(writeOpenCLC(lowered(source)), { addressBits: 64 });
    expect(log).toBe('');
    expect(module?.functions[0]?.parameters.map(({ info }) => info?.name)).toEqual(['as', 'get', 'native']);
  });
});

describe('halves', () => {
  it('are written where the device has them', () => {
    const source = `kernel void k(global half *out, half a) {
      half4 v = (half4)(a) * 0.1h;
      out[0] = fma(v.x, a, convert_half_rtz((float)a));
      printf("%f %v4hf", a, v);
    }`;
    const module = lowered(source);
    const text = writeOpenCLC(module, { halves: true });
    const back = compileOpenCL(text, { addressBits: 64 });
    expect(back.log).toBe('');
    expect(text).toContain('#pragma OPENCL EXTENSION cl_khr_fp16 : enable');
    expect(text).toContain('convert_half_rtz((float)a_1)');
    expect(text).toContain('printf("%f %v4hf", convert_float(a_1), v)');
    expect(() => writeOpenCLC(module)).toThrow(OpenCLCError);
  });
});
