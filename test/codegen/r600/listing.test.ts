/** Listings next to the kernels they are of. */
import { describe, expect, it } from 'vitest';
import { compileBrook } from '../../../src/brook/compile.ts';
import { emitMap } from '../../../src/brook/emit/map.ts';
import { compileR600 } from '../../../src/codegen/r600/compile.ts';
import { printProgram } from '../../../src/codegen/r600/print.ts';
import type { ParameterRole } from '../../../src/codegen/r600/roles.ts';
import { validate } from '../../../src/codegen/r600/validate.ts';
import { chip, kernelOf } from '../../support/r600.ts';

function listing(source: string, name: 'RV630' | 'RV670' | 'RV770' = 'RV770'): string {
  const program = compileR600(kernelOf(source), chip(name));
  expect(validate(program)).toEqual([]);
  return printProgram(program);
}

describe('the listing of', () => {
  it('loads, arithmetic and a store of a compute kernel', () => {
    const source = `kernel void saxpy(float a, global const float *x, global float *y) {
      size_t i = get_global_id(0);
      y[i] += a * x[i];
    }`;
    expect(listing(source)).toMatchInlineSnapshot(`
      "00 ALU: ADDR(32) CNT(6) KCACHE0(CB0:0-15) KCACHE1(CB1:0-15)
            0  t: MULLO_INT      ____,  R1.x,  CB0[1].x
            1  x: ADD_INT        ____,  PS0,  R0.x
            2  x: ADD_INT        ____,  PV1.x,  CB0[3].x
            3  x: LSHL_INT       R0.x,  PV2.x,  (0x00000002, 2.80259693e-45f).x
               t: ADD_INT        R1.x,  PV2.x,  CB1[2].y
      01 VTX: ADDR(48) CNT(2)
            4  VFETCH R2.x___, R0.x, fc0  FORMAT(32_FLOAT) MEGA(4)
            5  VFETCH R0.x___, R0.x, fc1  FORMAT(32_FLOAT) MEGA(4)
      02 ALU: ADDR(38) CNT(1) KCACHE0(CB1:0-15)
            6  x: MULADD_e       R0.x,  CB1[0].x,  R2.x,  R0.x
      03 MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R1.x], R0.x___, ELEM_SIZE(3)
      END_OF_PROGRAM
      "
    `);
  });

  it('the same as a pixel kernel, which knows its position', () => {
    const source = `kernel void scale(global float4 *y) { y[get_global_id(0)] *= 2.0f; }`;
    expect(listing(source, 'RV670')).toMatchInlineSnapshot(`
      "00 ALU: ADDR(32) CNT(3)
            0  t: FLT_TO_INT     R0.w,  R0.x
            1  t: LSHL_INT       R1.w,  PS0,  (0x00000004, 5.60519386e-45f).x
      01 VTX: ADDR(48) CNT(1)
            2  VFETCH R1, R1.w, fc0  FORMAT(32_32_32_32_FLOAT) MEGA(16)
      02 ALU: ADDR(35) CNT(7) KCACHE0(CB0:0-15)
            3  x: MUL_e          R0.x,  R1.x,  (0x40000000, 2f).y
               y: MUL_e          R0.y,  R1.y,  (0x40000000, 2f).y
               z: MUL_e          R0.z,  R1.z,  (0x40000000, 2f).y
               w: MUL_e          R0.w,  R1.w,  (0x40000000, 2f).y
               t: LSHL_INT       ____,  R0.w,  (0x00000002, 2.80259693e-45f).x
            4  x: ADD_INT        R1.x,  PS3,  CB0[0].y
      03 MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R1.x], R0, ELEM_SIZE(3)
      END_OF_PROGRAM
      "
    `);
  });

  it('a condition with both sides, and a loop that is left in the middle', () => {
    const source = `kernel void walk(global int *x) {
      int i = get_global_id(0), n = x[i], steps = 0;
      while (n > 1) {
        if (n & 1) { n = 3 * n + 1; x[i + 1] = n; } else n >>= 1;
        if (++steps == 100) break;
      }
      x[i] = steps;
    }`;
    expect(listing(source)).toMatchInlineSnapshot(`
      "00 ALU: ADDR(32) CNT(6) KCACHE0(CB0:0-15)
            0  x: MOV            R1.x,  0.0f
               t: MULLO_INT      ____,  R1.x,  CB0[1].x
            1  x: ADD_INT        ____,  PS0,  R0.x
            2  x: ADD_INT        R0.x,  PV1.x,  CB0[3].x
            3  x: LSHL_INT       R2.x,  PV2.x,  (0x00000002, 2.80259693e-45f).x
      01 VTX: ADDR(64) CNT(1)
            4  VFETCH R2.x___, R2.x, fc0  FORMAT(32_UINT) MEGA(4)
      02 LOOP_DX10 i0 FAIL_JUMP_ADDR(12)
      03 ALU_BREAK: ADDR(38) CNT(1)
            5  x: PREDGT_INT     ____,  R2.x,  1  UPDATE_EXEC_MASK UPDATE_PRED
      04 ALU_PUSH_BEFORE: ADDR(39) CNT(2)
            6  x: AND_INT        ____,  R2.x,  1
            7  x: PREDNE_INT     ____,  PV6.x,  0.0f  UPDATE_EXEC_MASK UPDATE_PRED
      05 JUMP ADDR(8)
      06 ALU: ADDR(41) CNT(5) KCACHE0(CB1:0-15)
            8  x: ADD_INT        ____,  R0.x,  1
               t: MULLO_INT      ____,  R2.x,  (0x00000003, 4.20389539e-45f).x
            9  x: ADD_INT        R2.x,  PS8,  1
               t: ADD_INT        R3.x,  PV8.x,  CB1[0].y
      07 MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R3.x], R2.x___, ELEM_SIZE(3)
      08 ELSE POP_CNT(1) ADDR(10)
      09 ALU_POP_AFTER: ADDR(46) CNT(1)
           10  x: ASHR_INT       R2.x,  R2.x,  1
      10 ALU_BREAK: ADDR(47) CNT(3)
           11  x: ADD_INT        R1.x,  R1.x,  1
           12  x: PREDNE_INT     ____,  PV11.x,  (0x00000064, 1.40129846e-43f).x  UPDATE_EXEC_MASK UPDATE_PRED
      11 ENDLOOP i0 PASS_JUMP_ADDR(3)
      12 ALU: ADDR(50) CNT(1) KCACHE0(CB1:0-15)
           13  x: ADD_INT        R0.x,  R0.x,  CB1[0].y
      13 MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R0.x], R1.x___, ELEM_SIZE(3)
      END_OF_PROGRAM
      "
    `);
  });

  it('images and the transcendental slot', () => {
    const source = `kernel void wave(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(out, at, sin(read_imagef(in, s, convert_float2(at))));
    }`;
    expect(listing(source)).toMatchInlineSnapshot(`
      "00 ALU: ADDR(32) CNT(2)
            0  x: TRUNC          R0.x,  R0.x
               y: TRUNC          R0.y,  R0.y
      01 TEX: ADDR(64) CNT(1) VALID_PIX
            1  SAMPLE R0, R0.xyyy, t0, s0  UNNORM(XYZW)
      02 ALU: ADDR(34) CNT(18)
            2  x: MULADD_e       ____,  R0.x,  (0x3E22F983, 0.159154937f).x,  0.5
               y: MULADD_e       ____,  R0.y,  (0x3E22F983, 0.159154937f).x,  0.5
               z: MULADD_e       ____,  R0.z,  (0x3E22F983, 0.159154937f).x,  0.5
               w: MULADD_e       ____,  R0.w,  (0x3E22F983, 0.159154937f).x,  0.5
            3  x: FRACT          ____,  PV2.x
               y: FRACT          ____,  PV2.y
               z: FRACT          ____,  PV2.z
               w: FRACT          ____,  PV2.w
            4  x: ADD            ____,  PV3.x,  (0xBF000000, -0.5f).x
               y: ADD            T0.y,  PV3.y,  (0xBF000000, -0.5f).x
               z: ADD            T0.z,  PV3.z,  (0xBF000000, -0.5f).x
               w: ADD            T0.w,  PV3.w,  (0xBF000000, -0.5f).x
            5  t: SIN            R0.w,  PV4.x
            6  t: SIN            R0.z,  T0.y
            7  t: SIN            R0.y,  T0.z
            8  t: SIN            R0.x,  T0.w
      03 EXP_DONE: PIX0, R0.wzyx
      END_OF_PROGRAM
      "
    `);
  });

  it('doubles, in pairs and quads of slots', () => {
    const source = `kernel void doubles(global double *x, double a) { x[get_global_id(0)] = x[get_global_id(0)] * a + 1.0; }`;
    expect(listing(source)).toMatchInlineSnapshot(`
      "00 ALU: ADDR(32) CNT(6) KCACHE0(CB0:0-15)
            0  t: MULLO_INT      ____,  R1.x,  CB0[1].x
            1  x: ADD_INT        ____,  PS0,  R0.x
            2  x: ADD_INT        ____,  PV1.x,  CB0[3].x
            3  x: LSHL_INT       R0.x,  PV2.x,  (0x00000003, 4.20389539e-45f).x
               y: LSHL_INT       R0.y,  PV2.x,  1
      01 VTX: ADDR(48) CNT(1)
            4  VFETCH R1.xy__, R0.x, fc0  FORMAT(32_32_UINT) MEGA(8)
      02 ALU: ADDR(38) CNT(6) KCACHE0(CB1:0-15)
            5  x: MULADD_64      R0.x,  R1.y,  CB1[1].y,  (0x3FF00000, 1.875f).x
               y: MULADD_64      R0.y,  R1.y,  CB1[1].y,  (0x3FF00000, 1.875f).x
               z: MULADD_64      ____,  R1.y,  CB1[1].y,  (0x3FF00000, 1.875f).x
               w: MULADD_64      ____,  R1.x,  CB1[1].x,  0.0f
               t: ADD_INT        R1.x,  R0.y,  CB1[0].y
      03 MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R1.x], R0.xy__, ELEM_SIZE(3)
      END_OF_PROGRAM
      "
    `);
  });

  it('memory of the group', () => {
    const source = `kernel void turn(global float *x) {
      local float shared[64];
      int l = get_local_id(0);
      shared[l] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = shared[63 - l];
    }`;
    expect(listing(source)).toMatchInlineSnapshot(`
      "00 ALU: ADDR(32) CNT(8) KCACHE0(CB0:0-15) KCACHE1(CB1:0-15)
            0  x: SUB_INT        R1.x,  (0x0000003F, 8.82818033e-44f).x,  R0.x
               t: MULLO_INT      ____,  R1.x,  CB0[1].x
            1  x: ADD_INT        ____,  PS0,  R0.x
            2  x: ADD_INT        ____,  PV1.x,  CB0[3].x
            3  x: LSHL_INT       R2.x,  PV2.x,  (0x00000002, 2.80259693e-45f).x
               t: ADD_INT        R3.x,  PV2.x,  CB1[0].y
      01 VTX: ADDR(48) CNT(1)
            4  VFETCH R2.x___, R2.x, fc0  FORMAT(32_FLOAT) MEGA(4)
      02 LOCAL_DS_WRITE: [R0.x], R2.x___
      03 ALU: ADDR(40) CNT(1)
            5  x: GROUP_BARRIER
      04 TEX: ADDR(50) CNT(1) VALID_PIX
            6  LOCAL_DS_READ R0.x___, R1.x
      05 MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R3.x], R0.x___, ELEM_SIZE(3)
      END_OF_PROGRAM
      "
    `);
  });

  it("the guide's matrix multiplication: the clauses of its figure 1.14", () => {
    const { kernels } = compileBrook('matmult.br', simpleMatmult);
    const source = emitMap(kernels[0]!, {
      rank: 2,
      isResized: false,
      isLinear: false,
      isAtOrigin: false,
      isInside: false,
    });
    const roles: readonly (ParameterRole | undefined)[] = [
      undefined,
      { kind: 'texture', resource: 0, components: 1 },
      { kind: 'shape' },
      { kind: 'texture', resource: 1, components: 1 },
      { kind: 'shape' },
      { kind: 'output', output: 0 },
      { kind: 'shape' },
      { kind: 'bound' },
      { kind: 'origin' },
      { kind: 'shape' },
    ];
    const known = new Map(roles.flatMap((role, index) => (role ? [[index, role] as const] : [])));
    const program = compileR600(kernelOf(source), chip('RV670'), { roles: known });
    expect(validate(program)).toEqual([]);
    const { controlFlow } = program;
    const numbers = (kind: string): readonly number[] =>
      controlFlow.flatMap((one, index) => (one.kind === kind ? [index] : []));
    // Guide, 1.3.1: eight clauses; 00, 02, 03 and 05 are stream core clauses, 01 and 06 branches, 04 fetches, 07 writes.
    expect(controlFlow.length).toBe(8);
    expect(numbers('alu')).toEqual([0, 2, 3, 5]);
    expect(numbers('branch')).toEqual([1, 6]);
    expect(numbers('fetch')).toEqual([4]);
    expect(numbers('write')).toEqual([7]);
    expect(controlFlow.flatMap((one) => (one.kind === 'fetch' ? one.fetches : [])).length).toBe(2);
    expect(printProgram(program)).toMatchInlineSnapshot(`
      "00 ALU: ADDR(32) CNT(6) KCACHE0(CB0:0-15)
            0  x: TRUNC          R0.x,  R0.x
               y: TRUNC          R0.y,  R0.y
               z: MOV            R0.z,  0.0f
               w: MOV            R0.w,  0.0f
               t: MOV            R1.w,  0.0f
            1  x: MOV            R1.x,  CB0[0].x
      01 LOOP_DX10 i0 FAIL_JUMP_ADDR(7)
      02 ALU_BREAK: ADDR(38) CNT(1)
            2  x: PREDGT         ____,  R1.x,  0.0f  UPDATE_EXEC_MASK UPDATE_PRED
      03 ALU: ADDR(39) CNT(5)
            3  x: TRUNC          R2.x,  R0.w
               y: TRUNC          R2.y,  R0.y
               z: TRUNC          R2.z,  R0.x
               w: TRUNC          R2.w,  R0.z
               t: ADD            R0.x,  R0.x,  0.0f
      04 TEX: ADDR(64) CNT(2) VALID_PIX
            4  SAMPLE R2.x___, R2.xyyy, t0, s0  UNNORM(XYZW)
            5  SAMPLE R3.x___, R2.zwww, t1, s1  UNNORM(XYZW)
      05 ALU: ADDR(44) CNT(6)
            6  x: ADD            R1.x,  R1.x,  (0xBF800000, -1f).x
               y: ADD            R0.y,  R0.y,  0.0f
               z: ADD            R0.z,  R0.z,  1.0f
               w: MULADD_e       R1.w,  R2.x,  R3.x,  R1.w  VEC_120
               t: ADD            R0.w,  R0.w,  1.0f
      06 ENDLOOP i0 PASS_JUMP_ADDR(2)
      07 EXP_DONE: PIX0, R1.w___
      END_OF_PROGRAM
      "
    `);
  });
});

const simpleMatmult = `kernel void simple_matmult(float Width, float A[][], float B[][], out float result<>) {
  float2 vPos = indexof(result).xy;
  float4 index = float4(vPos.x, 0.0f, 0.0f, vPos.y);
  float4 step = float4(0.0f, 1.0f, 1.0f, 0.0f);
  float accumulator = 0.0f;
  float i0 = Width;
  while (i0 > 0.0f) {
    accumulator += A[index.zw] * B[index.xy];
    index += step;
    i0 = i0 - 1.0f;
  }
  result = accumulator;
}`;

it('fetches fewer at once where registers would not do', () => {
  const reads = Array.from({ length: 140 }, (_, index) => `sum += x[i + ${index} * n];`);
  const source = `kernel void total(global const float4 *restrict x, global float4 *y, int n) {
    int i = get_global_id(0);
    float4 sum = 0;
    ${reads.join('\n')}
    y[i] = sum;
  }`;
  const program = compileR600(kernelOf(source), chip('RV770'));
  expect(validate(program)).toEqual([]);
  expect(program.registers).toBeLessThan(100);
});

describe('what a chip cannot do', () => {
  const refused: readonly (readonly [string, string, 'RV630' | 'RV670' | 'RV770', string])[] = [
    ['atomics', 'kernel void k(global int *x) { atomic_inc(x); }', 'RV770', 'an atomic operation'],
    [
      'bytes',
      'kernel void k(global char *x) { x[get_global_id(0)] = 1; }',
      'RV770',
      'a store of less than 32 bits',
    ],
    ['long', 'kernel void k(global long *x) { x[get_global_id(0)] += 1; }', 'RV770', 'integers of 64 bits'],
    [
      'groups',
      'kernel void k(global int *x) { x[get_global_id(0)] = get_local_id(0); }',
      'RV670',
      'RV670 has not',
    ],
    ['doubles', 'kernel void k(global double *x) { x[get_global_id(0)] += 1.0; }', 'RV630', 'double'],
    [
      'the global buffer',
      'kernel void k(global int *x) { x[get_global_id(0)] = 1; }',
      'RV630',
      'a global buffer',
    ],
    [
      'another pixel',
      'kernel void k(write_only image2d_t x) { write_imagef(x, (int2)(1, 2), (float4)(0)); }',
      'RV770',
      'at another place',
    ],
  ];
  for (const [what, source, name, message] of refused) {
    it(`is an error that says what: ${what}`, () => {
      expect(() => compileR600(kernelOf(source), chip(name))).toThrow(message);
    });
  }
});
