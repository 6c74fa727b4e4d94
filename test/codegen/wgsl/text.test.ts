/** What written shaders look like, and what is refused. */

import { describe, expect, test } from 'vitest';
import { doubleFunctions } from '../../../src/codegen/wgsl/runtime-doubles.ts';
import { floatFunctions } from '../../../src/codegen/wgsl/runtime-floats.ts';
import { integerFunctions } from '../../../src/codegen/wgsl/runtime-integers.ts';
import { shaderOf, shadersOf } from './setup.ts';

/** A kernel's shader from its entry on, without what the runtime brings. */
function entryOf(source: string, options?: string): string {
  const { code } = shaderOf({ source, ...(options ? { options } : {}) });
  return `\n${code.slice(code.indexOf('@compute'))}`;
}

describe('text', () => {
  test('of a guarded update', () => {
    expect(
      entryOf(`kernel void scale(global float *data, float factor, int n) {
        int i = get_global_id(0);
        if (i < n) data[i] *= factor;
      }`),
    ).toMatchInlineSnapshot(`
      "
      @compute @workgroup_size(size_x, size_y, size_z)
      fn kernel_scale(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) group_id_given: vec3<u32>) {
        let group_id = arguments[0].xyz + select(group_id_given, vec3<u32>(group_id_given.x + group_id_given.y * arguments[3].w, 0u, group_id_given.z), arguments[3].w != 0u);
        let argument_1 = bitcast<f32>(arguments[5].y);
        let i_1 = (group_id.x * arguments[4].x + local_id.x + arguments[1].x);
        let v_2 = (i32(i_1) < i32(arguments[5].z));
        if (v_2) {
          let index_3 = (arguments[5].x >> 2u) + i_1;
          let v_4 = bitcast<f32>(memory[index_3]);
          let v_5 = (v_4 * argument_1);
          memory[index_3] = bitcast<u32>(v_5);
        }
      }
      "
    `);
  });

  test('of one divided by a root: the root itself is left out where nothing else needs it', () => {
    const only = shaderOf({
      source: 'kernel void k(global float *p) { p[0] = 1.0f / sqrt(p[1]); p[2] = rsqrt(p[3]); }',
    });
    expect(only.code).not.toContain('f32_sqrt');
    expect(only.code.match(/= f32_rsqrt\(|u32>\(f32_rsqrt\(/g)).toHaveLength(2);
    const both = shaderOf({
      source: 'kernel void k(global float *p) { float r = sqrt(p[1]); p[0] = 1.0f / r; p[2] = r; }',
    });
    expect(both.code).toContain('= f32_sqrt(');
  });

  test('of parts of vectors in a buffer that is only read: components of its elements', () => {
    const source = (access: string): string =>
      `kernel void k(global float *out, global ${access} *in) { int i = get_global_id(0);
        out[i] = in[i].x + in[i].w + in[i + 1].y + dot(in[i], in[i]) + ((global float *)in)[i]; }`;
    const { bound } = shaderOf({ source: source('const float4') });
    expect(bound!.buffers.map(({ align }) => align)).toEqual([1, 16]);
    expect(bound!.code).toContain('var<storage, read> buffer_1: array<vec4<u32>>;');
    expect(bound!.code).toMatch(/buffer_1\[\((\w+)\) >> 4u\]\[\(\(\1\) >> 2u\) & 3u\]/);
  });

  test('of words for a buffer of vectors that is written by components', () => {
    const { bound } = shaderOf({
      source:
        'kernel void k(global float4 *p) { int i = get_global_id(0); p[i].y = p[i + 1].x; p[i + 2] = p[i + 3]; }',
    });
    expect(bound!.buffers.map(({ align }) => align)).toEqual([1]);
  });

  describe('of images of known formats', () => {
    const source = (access: string): string => `
      kernel void k(read_only image2d_t in, ${access} image2d_t out, global int *count) {
        int2 at = (int2)(get_global_id(0), get_global_id(1));
        const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
        write_imagef(out, at, read_imagef(in, s, convert_float2(at) + 0.25f));
        count[at.x] = at.y;
      }`;
    const shader = (order: number, type: number, pixelBytes: number) => {
      const image = { kind: 'image', order, type, pixelBytes } as const;
      const known = new Map([['k', [image, image, undefined]]]);
      return shaderOf({ source: source('write_only'), known });
    };

    test('pixels are buffers of their own, and descriptors words of the launch', () => {
      const { bound, arguments: places } = shader(0x10b5, 0x10d2, 4);
      const declared = bound!.code.match(/var<storage, \w+> \w+/g);
      expect(declared).toEqual([
        'var<storage, read_write> buffer_0',
        'var<storage, read> buffer_1',
        'var<storage, read_write> buffer_2',
      ]);
      // Behind the three parameters: the pixels of the first image, and of the second.
      expect(bound!.buffers.map(({ argument }) => argument)).toEqual([4, 3, 2]);
      expect(bound!.arguments.map(({ words, isDescriptor }) => [words, isDescriptor])).toEqual([
        [16, true],
        [16, true],
        [1, false],
      ]);
      expect(places.map(({ words }) => words)).toEqual([1, 1, 1]);
    });

    test('what is a word is no atomic, and is loaded as one', () => {
      const { code, bound } = shader(0x10b5, 0x10d2, 4);
      for (const text of [code, bound!.code]) expect(text).not.toMatch(/atomic|_bytes\(/);
    });

    test('four floats are one element', () => {
      const { bound } = shader(0x10b5, 0x10de, 16);
      expect(bound!.code).toContain('array<vec4<u32>>');
      expect(bound!.buffers.map(({ align }) => align).toSorted((a, b) => a - b)).toEqual([1, 16, 16]);
    });
  });

  test('of what lies behind an address that was computed in bytes: its index has the bits that addresses have', () => {
    const { bound } = shaderOf({
      source: `kernel void k(global int *in, global int *out, int n) {
        global int *p = (global int *)((global char *)in + n);
        out[get_global_id(0)] = p[1];
      }`,
    });
    expect(bound!.code).toMatch(/let \w+ = \(\(\w+ >> 2u\) \+ 1u\) & 0x3fffffffu;/);
  });

  test('of a barrier whose loop ends as memory says: the first work-item decides for all', () => {
    expect(
      entryOf(`kernel void rounds(global const int *in, global int *out) {
        int l = get_local_id(0);
        for (int r = 0; r < in[0]; r++) barrier(CLK_GLOBAL_MEM_FENCE);
        out[l] = l;
      }`),
    ).toMatchInlineSnapshot(`
      "
      @compute @workgroup_size(size_x, size_y, size_z)
      fn kernel_rounds(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(local_invocation_index) local_index_given: u32) {
        local_index = local_index_given;
        let l_1 = local_id.x;
        var r_2: u32 = 0u;
        var is_endless_3 = true;
        for (var turns_8 = 0u; turns_8 < 0xffffffffu; turns_8++) {
          let v_4 = memory[arguments[5].x >> 2u];
          let v_5 = (i32(r_2) < i32(v_4));
          let t_6 = of_first_item(select(0u, 1u, v_5)) != 0u;
          if (!t_6) {
            is_endless_3 = false;
            break;
          }
          workgroupBarrier();
          storageBarrier();
          let r_7 = (r_2 + 1u);
          r_2 = r_7;
        }
        if (is_endless_3) { loop { if (arguments[0].w > 3u) { break; } } }
        let index_9 = (arguments[5].y >> 2u) + l_1;
        memory[index_9] = l_1;
      }
      "
    `);
  });

  test('of a byte in a word that others may write, too', () => {
    expect(
      entryOf('kernel void bytes(global uchar *p) { int i = get_global_id(0); p[i] = p[i] + 1; }'),
    ).toMatchInlineSnapshot(`
      "
      @compute @workgroup_size(size_x, size_y, size_z)
      fn kernel_bytes(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) group_id_given: vec3<u32>) {
        let group_id = arguments[0].xyz + select(group_id_given, vec3<u32>(group_id_given.x + group_id_given.y * arguments[3].w, 0u, group_id_given.z), arguments[3].w != 0u);
        let i_1 = (group_id.x * arguments[4].x + local_id.x + arguments[1].x);
        let v_2 = (arguments[5].x + i_1);
        let v_3 = ((atomicLoad(&memory[v_2 >> 2u]) >> ((v_2 & 3u) * 8u)) & 0xffu);
        let v_4 = v_3;
        let v_5 = (v_4 + 1u);
        let v_6 = ((v_5) & 255u);
        let shift_7 = (v_2 & 3u) * 8u;
        memory_set_bits(v_2 >> 2u, 255u << shift_7, v_6 << shift_7);
      }
      "
    `);
  });

  test('of sums that compilers must not make of another order', () => {
    expect(
      entryOf(
        'kernel void sums(global float *p) { int i = get_global_id(0); p[i] = (p[i] + 12582912.0f) - 12582912.0f; }',
      ),
    ).toMatchInlineSnapshot(`
      "
      @compute @workgroup_size(size_x, size_y, size_z)
      fn kernel_sums(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) group_id_given: vec3<u32>) {
        let group_id = arguments[0].xyz + select(group_id_given, vec3<u32>(group_id_given.x + group_id_given.y * arguments[3].w, 0u, group_id_given.z), arguments[3].w != 0u);
        let i_1 = (group_id.x * arguments[4].x + local_id.x + arguments[1].x);
        let index_2 = (arguments[5].x >> 2u) + i_1;
        let v_3 = bitcast<f32>(memory[index_2]);
        let v_4 = bitcast<f32>(bitcast<u32>((v_3 + 12582912.0f)) ^ arguments[2].w);
        let v_5 = (v_4 - 12582912.0f);
        memory[index_2] = bitcast<u32>(v_5);
      }
      "
    `);
  });

  test('of a jump out of two loops', () => {
    expect(
      entryOf(`kernel void find(global int *p, int n) {
        int found = -1;
        for (int i = 0; i < n && found < 0; i++)
          for (int j = 0; j < n; j++) {
            if (p[i * n + j] == 7) { found = i; goto out; }
          }
      out:
        p[0] = found;
      }`),
    ).toMatchInlineSnapshot(`
      "
      @compute @workgroup_size(size_x, size_y, size_z)
      fn kernel_find() {
        var found_1: u32;
        var t_13 = false;
        switch 0u {
          default: {
            var i_2: u32 = 0u;
            var is_endless_3 = true;
            for (var turns_17 = 0u; turns_17 < 0xffffffffu; turns_17++) {
              let v_4 = (i32(i_2) < i32(arguments[5].y));
              if (!v_4) {
                is_endless_3 = false;
                break;
              }
              let v_5 = (i_2 * arguments[5].y);
              let index_6 = (arguments[5].x >> 2u) + v_5;
              var j_7: u32 = 0u;
              var is_endless_8 = true;
              for (var turns_15 = 0u; turns_15 < 0xffffffffu; turns_15++) {
                let v_9 = (i32(j_7) < i32(arguments[5].y));
                if (!v_9) {
                  is_endless_8 = false;
                  break;
                }
                let index_10 = index_6 + j_7;
                let v_11 = memory[index_10];
                let v_12 = (v_11 == 7u);
                if (v_12) {
                  found_1 = i_2;
                  t_13 = true;
                  is_endless_8 = false;
                  break;
                }
                let j_14 = (j_7 + 1u);
                j_7 = j_14;
              }
              if (is_endless_8) { loop { if (arguments[0].w > 3u) { break; } } }
              if (t_13) {
                is_endless_3 = false;
                break;
              }
              let i_16 = (i_2 + 1u);
              i_2 = i_16;
            }
            if (is_endless_3) { loop { if (arguments[0].w > 3u) { break; } } }
            if (t_13) {
              break;
            }
            found_1 = 0xffffffffu;
          }
        }
        memory[arguments[5].x >> 2u] = found_1;
      }
      "
    `);
  });
});

describe('what WGSL has no form for', () => {
  test.each([
    [
      'atomics on 64 bits',
      '#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\nkernel void k(global long *p) { atom_add(p, 1L); }',
      '',
      "kernel 'k' cannot run on WebGPU: atomic operations on 64 bits",
    ],
    [
      'functions of sub-groups',
      'kernel void k(global int *p) { p[0] = sub_group_reduce_add(p[0]); }',
      '-cl-std=CL2.0',
      "kernel 'k' cannot run on WebGPU: functions of sub-groups: the device has none",
    ],
  ])('is refused: %s', (_name, source, options, message) => {
    expect(shadersOf({ source, options })).toEqual([message]);
  });

  test('of the functions of the runtime: no branches where conditions are joined', () => {
    const functions = { ...integerFunctions, ...floatFunctions, ...doubleFunctions };
    for (const [name, text] of Object.entries(functions)) expect(text, name).not.toMatch(/&&|\|\|/);
  });
});
