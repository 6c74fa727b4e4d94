/** Resources, the global buffer, group memory and buffers: what programs read and write outside of registers. */
import { describe, expect, it } from 'vitest';
import type { ElementFormat, SamplerState, WrapMode } from '../../../src/il/lower/interface.ts';
import { compileLog, runIl } from './run-il.ts';

const declarations = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
`;
const unnormalised = 'dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n';

/** One float an element. */
const single: ElementFormat = { type: 'float32', components: 1 };

describe('samples', () => {
  it('are those of the position, within a part of the domain and by the pitches', () => {
    const data = Float32Array.from({ length: 8 * 5 }, (_, index) => index);
    const out = new Float32Array(7 * 5).fill(-1);
    const text = `${declarations}${unnormalised}sample_resource(0)_sampler(0) r0, v0.xyxx\nmul_ieee o0, r0, cb0[0].x\nend`;
    runIl(text, {
      domain: [2, 1, 4, 3],
      constants: { 0: Float32Array.of(2, 0, 0, 0) },
      inputs: { 0: { width: 6, height: 5, pitch: 8, format: single, data } },
      outputs: { 0: { width: 6, height: 5, pitch: 7, format: single, data: out } },
    });
    const expected = Array.from({ length: 35 }, (_, index) => {
      const [x, y] = [index % 7, Math.floor(index / 7)];
      return x >= 2 && x < 6 && y >= 1 && y < 4 ? 2 * (y * 8 + x) : -1;
    });
    expect(Array.from(out)).toEqual(expected);
  });

  it('write nothing outside of an output', () => {
    const out = new Float32Array(6).fill(-1);
    runIl(`${declarations}mov o0, cb0[0].x\nend`, {
      domain: [0, 0, 4, 3],
      constants: { 0: Float32Array.of(2, 0, 0, 0) },
      outputs: { 0: { width: 3, height: 2, format: single, data: out } },
    });
    expect(Array.from(out)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  /** What a row of samples gives, at x + shift, of a row of four numbers. */
  function wrapped(state: Partial<SamplerState>, shift: number, count: number, normalised = false): number[] {
    const data = Float32Array.of(10, 20, 30, 40);
    const out = new Float32Array(count);
    const resource = normalised ? unnormalised.replace(',unnorm', '') : unnormalised;
    const scale = normalised ? 0.25 : 1;
    const text = `${declarations}${resource}mad_ieee r0, v0.xy, cb0[0].yz, cb0[0].xw\nsample_resource(0)_sampler(1) o0, r0.xy\nend`;
    runIl(text, {
      domain: [0, 0, count, 1],
      constants: { 0: Float32Array.of(shift * scale, scale, 0, 0) },
      inputs: { 0: { width: 4, format: single, data } },
      outputs: { 0: { width: count, format: single, data: out } },
      samplers: {
        1: {
          filter: 'nearest',
          wrapS: 'clamp-to-edge',
          wrapT: 'clamp-to-edge',
          border: [5, 0, 0, 0],
          ...state,
        },
      },
    });
    return Array.from(out);
  }

  /** The element that a place outside of four leads to; undefined for the border. */
  const inside: Readonly<Record<string, (at: number) => number | undefined>> = {
    repeat: (at) => ((at % 4) + 4) % 4,
    'mirrored-repeat': (at) => {
      const part = ((at % 8) + 8) % 8;
      return part < 4 ? part : 7 - part;
    },
    'clamp-to-edge': (at) => Math.min(3, Math.max(0, at)),
    'mirror-clamp-to-edge': (at) => Math.min(3, at < 0 ? -1 - at : at),
    clamp: (at) => Math.min(3, Math.max(0, at)),
    'clamp-to-border': (at) => (at >= 0 && at < 4 ? at : undefined),
    'mirror-clamp-to-border': (at) => (at >= -4 && at < 4 ? (at < 0 ? -1 - at : at) : undefined),
  };

  it.each(Object.keys(inside) as WrapMode[])('wrap by %s', (wrapS) => {
    const expected = Array.from({ length: 13 }, (_, x) => {
      const index = inside[wrapS]!(x - 7);
      return index === undefined ? 5 : 10 * (index + 1);
    });
    expect(wrapped({ wrapS }, -7, 13)).toEqual(expected);
    expect(wrapped({ wrapS }, -7, 13, true)).toEqual(expected);
  });

  it('are filtered between centres', () => {
    expect(wrapped({ filter: 'linear' }, -0.75, 6)).toEqual([10, 12.5, 22.5, 32.5, 40, 40]);
    expect(wrapped({ filter: 'linear', wrapS: 'repeat' }, -0.5, 5)).toEqual([25, 15, 25, 35, 25]);
    expect(wrapped({ filter: 'linear', wrapS: 'clamp-to-border' }, -0.5, 5)).toEqual([7.5, 15, 25, 35, 22.5]);
    expect(wrapped({ filter: 'linear', wrapS: 'clamp' }, -3, 5)).toEqual([7.5, 7.5, 7.5, 10, 20]);
  });

  it('take offsets in elements, and load by whole numbers', () => {
    const data = Float32Array.from({ length: 12 }, (_, index) => index);
    const out = new Float32Array(4 * 4);
    const text = `${declarations}${unnormalised}sample_resource(0)_sampler(0)_aoffimmi(1,1,0) r0, v0.xy
ftoi r1, v0
load_resource(0) r2, r1.xy
add o0.x, r0.x, cb0[0].x
add o0.y, r2.x, cb0[0].x
resinfo_resource(0) r3, r1
mov o0.zw, r3.xxxy
end`;
    runIl(text, {
      domain: [0, 0, 4, 1],
      constants: { 0: Float32Array.of(100, 0, 0, 0) },
      inputs: { 0: { width: 4, height: 3, format: single, data } },
      outputs: { 0: { width: 4, data: out } },
    });
    expect(Array.from(out)).toEqual([105, 100, 4, 3, 106, 101, 4, 3, 107, 102, 4, 3, 107, 103, 4, 3]);
  });

  it('give one component of the four elements around a point, moved by what is known or by a register', () => {
    const data = Float32Array.from({ length: 8 * 8 }, (_, index) => index);
    const out = new Float32Array(8);
    const text = `${declarations.replace('o0', 'o1')}dcl_output_generic o0\n${unnormalised}dcl_literal l0, 3, 66, 0, 0
mov r1, cb0[0]
fetch4_resource(0)_sampler(0)_aoffimmi(1,0,0) o0, r1
fetch4_po_resource(0)_sampler(0) o1, r1, l0
end`;
    runIl(text, {
      constants: { 0: Float32Array.of(2, 3, 0, 0) },
      inputs: { 0: { width: 8, height: 8, format: single, data } },
      outputs: { 0: { width: 1, data: out.subarray(0, 4) }, 1: { width: 1, data: out.subarray(4) } },
    });
    // around (2, 3) lie the elements (1, 3), (2, 3), (2, 2) and (1, 2); (3, 66) is six bits of each, (3, 2)
    const around = (x: number, y: number): number[] =>
      [
        [1, 3],
        [2, 3],
        [2, 2],
        [1, 2],
      ].map(([column, row]) => (row! + y) * 8 + column! + x);
    expect(Array.from(out)).toEqual([...around(1, 0), ...around(3, 2)]);
  });

  it.each<[ElementFormat, Uint8Array | Int8Array | Uint16Array | Int16Array | Float64Array, number[]]>([
    [{ type: 'unorm8', components: 4 }, Uint8Array.of(0, 51, 255, 102), [0, 0.2, 1, 0.4]],
    [{ type: 'snorm8', components: 2 }, Int8Array.of(-128, 127), [-1, 1, 0, 1]],
    [{ type: 'unorm16', components: 1 }, Uint16Array.of(13107), [0.2, 0, 0, 1]],
    [{ type: 'snorm16', components: 2 }, Int16Array.of(-32767, 0), [-1, 0, 0, 1]],
  ])('read and write %o', (format, data, expected) => {
    const out = new Float32Array(4);
    const back = data.slice().fill(0);
    const text = `${declarations.replace('o0', 'o1')}dcl_output_generic o0\n${unnormalised}sample_resource(0)_sampler(0) r0, v0.xy\nmov o0, r0\nmov o1, r0\nmov r9, cb0[0]\nend`;
    runIl(text, {
      constants: { 0: new Float32Array(4) },
      inputs: { 0: { width: 1, format, data } },
      outputs: { 0: { width: 1, data: out }, 1: { width: 1, format, data: back } },
    });
    expect(Array.from(out)).toEqual(expected.map(Math.fround));
    // -128 reads as -1, which is written as -127
    expect(Array.from(back)).toEqual(Array.from(data, (value) => (value === -128 ? -127 : value)));
  });

  it('hand doubles and integers on as they are', () => {
    const data = Float64Array.of(1.1, -2.5);
    const out = new Float64Array(2);
    const format = { type: 'float64', components: 2 } as const;
    const text = `${declarations}${unnormalised}sample_resource(0)_sampler(0) r0, v0.xy\ndadd o0.xy, r0.xy, r0.zw\ndmul o0.zw, r0.xy, r0.zw\nmov r9, cb0[0]\nend`;
    runIl(text, {
      constants: { 0: new Float32Array(4) },
      inputs: { 0: { width: 1, format, data } },
      outputs: { 0: { width: 1, format, data: out } },
    });
    expect(Array.from(out)).toEqual([1.1 - 2.5, 1.1 * -2.5]);
  });
});

describe('the global buffer', () => {
  it('is read and written anywhere; outside it reads as 0 and keeps nothing', () => {
    const global = Float32Array.from({ length: 8 * 4 }, (_, index) => index);
    const text = `il_ps_2_0
dcl_literal l0, 7, 100, 0x80000000, 1
ftoi r0, vWinCoord0.xy
isub r1.x, l0.x, r0.x
mov r2, g[r0.x]
mov r3, g[r1.x + 100]
add r2, r2, r3
mov g[r1.x], r2.wzyx
mov g[r1.x + 100], r2
mov g[l0.z].x___, r2
end`;
    const expected = Array.from({ length: 8 * 4 }, (_, index) => {
      const row = Math.floor(index / 4);
      return row >= 4 ? (7 - row) * 4 + (3 - (index % 4)) : index;
    });
    runIl(text, { domain: [0, 0, 4, 1], global });
    expect(Array.from(global)).toEqual(expected);
  });

  it('takes single components', () => {
    const global = new Float32Array(16);
    runIl('il_ps_2_0\nftoi r0, vWinCoord0\nitof r1, r0\nmov g[r0.x]._y_w, r1.xxxx\nend', {
      domain: [0, 0, 4, 1],
      global,
    });
    expect(Array.from(global)).toEqual([0, 0, 0, 0, 0, 1, 0, 1, 0, 2, 0, 2, 0, 3, 0, 3]);
  });
});

describe('compute programs', () => {
  it('know where their threads are', () => {
    const global = new Int32Array(16 * 4);
    const text = `il_cs_2_0
dcl_num_thread_per_group 8
mov r0.x, vTidInGrpFlat.x
mov r0.y, vThreadGrpIdFlat.x
mov r0.z, vAbsTidFlat.x
mov r0.w, vaTid0.x
mov g[vAbsTidFlat.x], r0
end`;
    runIl(text, { groups: [2], global });
    expect(Array.from(global)).toEqual(
      Array.from({ length: 16 }, (_, n) => [n % 8, Math.floor(n / 8), n, n]).flat(),
    );
  });

  const owned = `il_cs_2_0
dcl_num_thread_per_group 8
dcl_lds_size_per_thread 8
dcl_lds_sharing_mode _wavefrontRel
dcl_literal l0, 7, 4, 0, 10
`;

  it('exchange words that each thread owns', () => {
    const global = new Int32Array(8 * 4);
    const text = `${owned}imul r0.x, vTidInGrpFlat.x, l0.w
iadd r0.yzw, r0.x, l0.x
lds_write_vec mem0, r0
lds_write_vec_lOffset(4) mem0, r0.wzyx
fence_lds
isub r1.x, l0.x, vTidInGrpFlat.x
mov r1.y, l0.y
lds_read_vec r2, r1.xyyy
mov g[vTidInGrpFlat.x], r2
end`;
    runIl(text, { global });
    const expected = Array.from({ length: 8 }, (_, n) => [
      (7 - n) * 10 + 7,
      (7 - n) * 10 + 7,
      (7 - n) * 10 + 7,
      (7 - n) * 10,
    ]);
    expect(Array.from(global)).toEqual(expected.flat());
  });

  it('transpose between four neighbours', () => {
    const global = new Int32Array(8 * 4);
    const text = `${owned}imul r0.x, vTidInGrpFlat.x, l0.w
iadd r0.y, r0.x, l0.y
iadd r0.z, r0.y, l0.y
iadd r0.w, r0.z, l0.y
lds_write_vec mem0, r0
fence_lds
mov r1.x, vTidInGrpFlat.x
mov r1.y, l0.z
lds_read_vec_neighborExch r2, r1.xyyy
mov g[vTidInGrpFlat.x], r2
end`;
    runIl(text, { global });
    // thread n gets word n % 4 of the four threads around it
    const expected = Array.from({ length: 8 }, (_, n) =>
      [0, 1, 2, 3].map((k) => ((n & ~3) + k) * 10 + 4 * (n % 4)),
    );
    expect(Array.from(global)).toEqual(expected.flat());
  });

  it('share memory by bytes, with atomics', () => {
    const global = new Int32Array(8 * 4);
    const text = `il_cs_2_0
dcl_num_thread_per_group 8
dcl_lds_id(0) 64
dcl_literal l0, 0, 4, 3, 60
mov r9, l0
ishl r0.x, vTidInGrpFlat.x, l0.z
ushr r0.x, r0.x, l0.w
lds_store_id(0) l0.x, l0.x
fence_threads_lds
lds_add_id(0) l0.x, vTidInGrpFlat.x
fence_threads_lds
lds_load_id(0) r1.x, l0.x
lds_read_max_id(0) r2.x, l0.y, l0.x
mov r1.y, vTidInGrpFlat.x
mov g[vTidInGrpFlat.x].xy, r1.xy
end`;
    runIl(text, { global });
    expect(Array.from(global.subarray(0, 8))).toEqual([28, 0, 0, 0, 28, 1, 0, 0]);
  });

  it('share structures of one word, by element and byte', () => {
    const global = new Int32Array(8 * 4);
    const text = `il_cs_2_0
dcl_num_thread_per_group 8
dcl_struct_lds_id(0) 4, 8
dcl_literal l0, 0, 7, 10, 0
mov r0.xy, l0.xx
iadd r0.x, r0.x, vTidInGrpFlat.x
imul r1.x, r0.x, l0.z
lds_store_id(0) r0.xy, r1.x
fence_threads_lds
isub r0.x, l0.y, vTidInGrpFlat.x
lds_load_id(0) r2.x, r0.xy
mov g[vTidInGrpFlat.x].x, r2.x
end`;
    runIl(text, { global });
    expect(Array.from({ length: 8 }, (_, item) => global[item * 4])).toEqual([70, 60, 50, 40, 30, 20, 10, 0]);
  });

  it('read and write buffers by bytes', () => {
    const data = Int32Array.from({ length: 16 }, (_, index) => index);
    const text = `il_cs_2_0
dcl_num_thread_per_group 4
dcl_raw_uav_id(0)
dcl_literal l0, 4, 32, 1000, 16
ishl r0.x, vTidInGrpFlat.x, l0.x
ieq r1.x, vTidInGrpFlat.x, l0.y
imul r0.x, vTidInGrpFlat.x, l0.w
uav_raw_load_id(0) r2, r0.x
iadd r2, r2, r2
uav_raw_store_id(0) mem.xy__, r0.x, r2
uav_raw_load_id(0) r3.x, l0.z
uav_raw_store_id(0) mem.x, l0.z, r2
uav_read_add_id(0) r4.x, l0.x, r3.x
end`;
    runIl(text, { uavs: { 0: data } });
    expect(Array.from(data)).toEqual([0, 2, 2, 3, 8, 10, 6, 7, 16, 18, 10, 11, 24, 26, 14, 15]);
  });

  it('change bits under a mask', () => {
    const data = Int32Array.of(0x12345678, 0);
    const text = `il_cs_2_0
dcl_num_thread_per_group 1
dcl_raw_uav_id(0)
dcl_literal l0, 0, 4, 0x00ff00ff, 0x00aa0055
uav_read_mskor_id(0) r0.x, l0.x, l0.z, l0.w
uav_mskor_id(0) l0.x, l0.y, l0.y
uav_store_id(0) l0.y, r0.x
end`;
    runIl(text, { uavs: { 0: data } });
    // 0x12345678, then 0x12aa5655, in which bit 2 is there already
    expect(Array.from(data)).toEqual([0x12aa5655, 0x12345678]);
  });

  it('count in buffers with atomics that wrap', () => {
    const data = Int32Array.of(6, 0, 9, 5);
    const text = `il_cs_2_0
dcl_num_thread_per_group 4
dcl_raw_uav_id(0)
dcl_literal l0, 0, 4, 8, 12
dcl_literal l1, 7, 2, 5, 70
uav_inc_id(0) l0.x, l1.x
uav_dec_id(0) l0.y, l1.y
uav_max_id(0) l0.z, l1.w
uav_cmp_id(0) l0.w, l1.z, l1.x
end`;
    runIl(text, { uavs: { 0: data } });
    // 6, 7, 0, 1, 2 and 0, 2, 1, 0, 2
    expect(Array.from(data)).toEqual([2, 2, 70, 7]);
  });
});

describe('immediate constant buffers', () => {
  it('have their elements in the program, next to other constant buffers', () => {
    const global = new Float32Array(4 * 4);
    const text = `il_ps_2_0
dcl_cb icb[3], 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0
dcl_cb cb0[1]
dcl_literal l0, 0, 1, 2, 99
mov g[0], icb[1].wzyx
iadd r0.x, cb0[0].x, l0.y
mov g[1], icb[r0.x]
mov g[2], icb[r0.x + 1]
add g[3], icb[l0.w], icb[0].xxxx
end`;
    runIl(text, { constants: { 0: Int32Array.of(0, 0, 0, 0) }, global });
    // missing numbers are 0, and an index outside leads to the last element
    expect(Array.from(global)).toEqual([8, 7, 6, 5, 5, 6, 7, 8, 9, 0, 0, 0, 10, 1, 1, 1]);
  });

  it('are declared, with as many numbers as there are', () => {
    const log = (declaration: string): string =>
      compileLog(`il_ps_2_0\n${declaration}\nmov g[0], icb[2]\nend\n`);
    expect(log('nop')).toContain('a.il:3:11: error: there is no dcl_cb icb');
    expect(log('dcl_cb icb[2], 1, 2, 3, 4')).toContain('a.il:3:11: error: icb has no element 2');
    expect(log('dcl_cb icb[3], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13')).toContain(
      'a.il:2:1: error: its 3 elements have 12 numbers, not 13',
    );
  });
});

describe('typed uavs', () => {
  it('have elements of the format that is bound', () => {
    const data = Float32Array.from({ length: 5 * 4 }, (_, index) => index);
    const text = `il_ps_2_0
dcl_typed_uav_id(3)_type(1d)_fmtx(float)
dcl_literal l0, 1, 2, 4, 5
uav_load_id(3) r0, l0.x
uav_store_id(3) l0.z, r0.wzyx
uav_load_id(3) r1.xy__, l0.w
uav_store_id(3) l0.w, r0
uav_store_id(3) l0.y, r1.xxxx
end`;
    runIl(text, { typedUavs: { 3: { width: 5, data } } });
    expect(Array.from(data)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 12, 13, 14, 15, 7, 6, 5, 4]);
  });

  it('have two dimensions, rows with pitches and small components', () => {
    const data = Uint8Array.from({ length: 4 * 3 * 4 }, () => 9);
    const text = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_uav_id(0)_type(2d)_fmtx(float)
dcl_literal l0, 1.0, 0.25, 0.0, 0.0
ftoi r0, vWinCoord0.xyxy
mul r1.xy, vWinCoord0.xy, l0.yy
mov r1.zw, l0.xx
uav_store_id(0) r0.xyxy, r1
end`;
    const format = { type: 'unorm8', components: 4 } as const;
    runIl(text, { domain: [1, 0, 3, 4], typedUavs: { 0: { width: 3, pitch: 4, height: 3, format, data } } });
    // 255 times 1/8, 3/8 and 5/8; columns 0 and 3 (the pad) stay, and there is no fourth row
    const eighths = [32, 96, 159];
    const element = (x: number, y: number): number[] =>
      x === 1 || x === 2 ? [eighths[x]!, eighths[y]!, 255, 255] : [9, 9, 9, 9];
    expect(Array.from(data)).toEqual([0, 1, 2].flatMap((y) => [0, 1, 2, 3].flatMap((x) => element(x, y))));
  });

  it('count in elements, without a format in words', () => {
    const words = Int32Array.of(1, 2, 3, 4);
    const pairs = Int32Array.of(1, 2, 3, 4);
    const text = `il_ps_2_0
dcl_typed_uav_id(0)_type(1d)_fmtx(sint)
dcl_typeless_uav_id(1)_stride(4)_length(16)_access(read_write)
dcl_literal l0, 1, 10, 2, 7
uav_add_id(0) l0.x, l0.y
uav_read_add_id(0) r0.x, l0.z, l0.y
uav_add_id(1) l0.x, l0.y
uav_store_id(1) l0.z, l0.w
end`;
    runIl(text, {
      typedUavs: { 0: { width: 2, data: pairs, format: { type: 'int32', components: 2 } } },
      uavs: { 1: words },
    });
    expect(Array.from(pairs)).toEqual([1, 2, 13, 4]);
    expect(Array.from(words)).toEqual([1, 12, 7, 4]);
  });
});

describe('what has no meaning here', () => {
  it.each([
    [
      'dsx r0, r1',
      'a.il:2:1: error: dsx is not supported: a work-item does not see what its neighbours compute\ndsx r0, r1\n^~~~~~~~~~\n',
    ],
    ['gds_add_id(0) r0, r1', 'gds_add is not supported: there is no memory that all groups share'],
    ['dcl_shared_temp sr1', 'shared registers (sr) outlive groups'],
    ['mov r0, c3', 'c3 has no value: there is no def'],
    ['mov r0, vTidInGrp.x', 'vTidInGrp has no value in a program of this kind'],
    ['iadd r0, r1, r2_bias', '_bias has no meaning for an integer'],
    ['dadd r0, r1_bx2, r2', '_bx2 has no meaning for a double'],
    ['iadd_sat r0, r1, r2', 'a.il:2:5: error: _sat has no meaning for iadd, which gives no float'],
    ['ge_x2 r0, r1, r2', '_x2 has no meaning for ge, which gives no float'],
    ['ftoi_d4 r0, r1', '_d4 has no meaning for ftoi, which gives no float'],
    ['i64add_x2 r0, r1, r2', '_x2 has no meaning for i64add, which gives no float'],
    ['mov r0, in0', 'in stands outside of a macro'],
    [
      'dcl_resource_id(0)_type(3d)_fmtx(float)\nsample_resource(0)_sampler(0) r0, r1',
      'resources of type 3d are not supported',
    ],
    [
      'dcl_resource_id(0)_type(2d)\nsample_resource(0)_sampler(0)_aoffimmi(0.5,0,0) r0, r1',
      '_aoffimmi takes whole numbers',
    ],
    ['lds_read_vec r0, r1', 'there is no dcl_lds_size_per_thread'],
  ])('%s', (line, message) => {
    expect(compileLog(`il_ps_2_0\n${line}\nend\n`)).toContain(message);
  });

  it('is told of groups that are too large', () => {
    expect(compileLog('il_cs_2_0\ndcl_num_thread_per_group 4096\nend\n')).toContain(
      'a.il:2:1: error: a group has 1 to 1024 threads, not 4096',
    );
    expect(compileLog('il_cs_2_0\ndcl_lds_id(0) 99999\nend\n')).toContain(
      'group memory has at most 32768 bytes',
    );
  });
});

describe('elements so far off that their bytes take more than 32 bits', () => {
  const program = (declaration: string, literal: string, text: string): string =>
    `il_cs_2_0\ndcl_num_thread_per_group 1\n${declaration}\ndcl_literal l0, ${literal}\n${text}\nend\n`;
  const typeless = 'dcl_typeless_uav_id(0)_stride(4)_access(read_write)';
  const struct = 'dcl_struct_uav_id(0) 16';

  it.each([
    ['typeless uavs', typeless, '0x40000001, 5, 0, 0', 'uav_store_id(0) l0.x, l0.y'],
    ['structured uavs', struct, '0x10000001, 4, 5, 0', 'uav_struct_store_id(0) mem.x, l0.xy, l0.z'],
    ['atomics', struct, '0x10000001, 4, 5, 0', 'uav_add_id(0) l0.xy, l0.z'],
  ])('are not written: %s', (_, declaration, literal, text) => {
    const words = new Uint32Array(8).fill(7);
    runIl(program(declaration, literal, text), { domain: [0, 0, 1, 1], uavs: { 0: words } });
    expect([...words]).toEqual(Array(8).fill(7));
  });

  it.each([
    ['typeless uavs', typeless, '0x40000001, 0, 0, 0', 'uav_load_id(0) r0.x, l0.x'],
    ['structured uavs', struct, '0x10000001, 4, 0, 0', 'uav_struct_load_id(0) r0.x, l0.xy'],
  ])('are 0 when they are read: %s', (_, declaration, literal, text) => {
    const words = new Uint32Array(8).fill(7);
    const store =
      declaration === struct ? 'uav_struct_store_id(0) mem.x, l0.zz, r0.x' : 'uav_store_id(0) l0.z, r0.x';
    runIl(program(declaration, literal, `${text}\n${store}`), { domain: [0, 0, 1, 1], uavs: { 0: words } });
    expect([...words]).toEqual([0, 7, 7, 7, 7, 7, 7, 7]);
  });
});
