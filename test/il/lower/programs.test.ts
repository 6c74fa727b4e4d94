/** Whole programs in IL against JavaScript, and what the lowering knows of positions and counters. */
import { describe, expect, it } from 'vitest';
import { asFloats, evaluate, floats, runIl } from './run-il.ts';

const one = { type: 'float32', components: 1 } as const;
const image = (id: number): string =>
  `dcl_resource_id(${id})_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)`;

/** A matrix product that counts in floats, from `start` on. */
const product = (start: string, comparison: string): string => `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
${image(0)}
${image(1)}
dcl_literal l0, 0.0, 1.0, 0.5, 3.0
mov r0, l0.x
mov r1.x, ${start}
mov r1.y, vWinCoord0.y
mov r2.x, vWinCoord0.x
mov r2.y, ${start}
whileloop
  ${comparison}
  sample_resource(0)_sampler(0) r4, r1.xy
  sample_resource(1)_sampler(1) r5, r2.xy
  mad r0.x, r4.x, r5.x, r0.x
  add r1.x, r1.x, l0.y
  add r2.y, l0.yyyy, r2
endloop
mov o0, r0.x
end`;

/** The same sum from `first` to the last k below `end`. */
function expectedProduct(a: Float32Array, b: Float32Array, n: number, first: number, end: number): number[] {
  return Array.from({ length: n * n }, (_, index) => {
    let sum = 0;
    for (let k = first; k < end; k += 1) sum += a[n * Math.floor(index / n) + k]! * b[n * k + (index % n)]!;
    return sum;
  });
}

describe('a matrix product', () => {
  const n = 9;
  const a = Float32Array.from({ length: n * n }, (_, index) => ((index * 7) % 13) - 6);
  const b = Float32Array.from({ length: n * n }, (_, index) => ((index * 5) % 11) - 5);
  const run = (text: string, bound: number): number[] => {
    const c = new Float32Array(n * n);
    runIl(text, {
      domain: [0, 0, n, n],
      constants: { 0: Float32Array.of(bound, 0, 0, 0) },
      inputs: {
        0: { width: n, height: n, format: one, data: a },
        1: { width: n, height: n, format: one, data: b },
      },
      outputs: { 0: { width: n, height: n, format: one, data: c } },
    });
    return Array.from(c);
  };

  it.each([
    ['l0.z', 'ge r3.x, r1.x, cb0[0].x\nbreak_logicalnz r3.x', 9, 0, 9],
    ['l0.z', 'lt r3.x, r1.x, cb0[0].x\nbreak_logicalz r3.x', 3.5, 0, 3],
    ['l0.z', 'lt r3.x, cb0[0].x, r1.x\nbreak_logicalnz r3.x', 3.5, 0, 4],
    ['l0.x', 'ge r3.x, cb0[0].x, r1.x\nbreak_logicalz r3.x', 4.25, 0, 5],
    ['l0.w', 'ge r3.x, r1.x, cb0[0].x\nbreak_logicalnz r3.x', 8, 3, 8],
    ['l0.z', 'ge r3.x, r1.x, cb0[0].x\nbreak_logicalnz r3.x', -1, 0, 0],
    ['l0.z', 'lt r3.x, r1.x, cb0[0].x\nbreak_logicalz r3.x', Number.NaN, 0, 0],
  ])('from %s, %s, to %f', (start, comparison, bound, first, end) => {
    expect(run(product(start, comparison), bound)).toEqual(expectedProduct(a, b, n, first, end));
  });
});

describe('what is known of positions', () => {
  it('agrees with floats in comparisons', () => {
    const bounds = [2.25, 2.5, Number.NaN, -1, 2.75, Number.POSITIVE_INFINITY, 0, 4.5];
    const text = `il_ps_2_0
ftoi r9.x, vWinCoord0.x
ishl r9.x, r9.x, l0.x
dcl_literal l0, 3, 0, 0, 0
dcl_cb cb0[2]
${[0, 1]
  .flatMap((half) => [
    `ge r1, vWinCoord0.x, cb0[${half}]\nmov g[r9.x + ${half * 4}], r1`,
    `lt r1, vWinCoord0.x, cb0[${half}]\nmov g[r9.x + ${half * 4 + 1}], r1`,
    `ge r1, cb0[${half}], vWinCoord0.x\nmov g[r9.x + ${half * 4 + 2}], r1`,
    `lt r1, cb0[${half}], vWinCoord0.x\nmov g[r9.x + ${half * 4 + 3}], r1`,
  ])
  .join('\n')}
end`;
    const width = 5;
    const global = new Int32Array(width * 8 * 4);
    runIl(text, { domain: [0, 0, width, 1], constants: { 0: Float32Array.from(bounds) }, global });
    const expected = Array.from({ length: width }, (_, x) =>
      [0, 4].flatMap((first) => {
        const of = (compare: (bound: number) => boolean): number[] =>
          bounds.slice(first, first + 4).map((bound) => (compare(bound) ? -1 : 0));
        const at = x + 0.5;
        return [
          ...of((bound) => at >= bound),
          ...of((bound) => at < bound),
          ...of((bound) => bound >= at),
          ...of((bound) => bound < at),
        ];
      }),
    );
    expect(Array.from(global)).toEqual(expected.flat());
  });

  it('does not outlive the blocks that it holds in', () => {
    const text = `mov r2, r1.x
if_logicalnz r1.y
  mov r2, r1.z
endif
add r0, r2, r2`;
    expect(asFloats(evaluate(text, floats(1, 2, 3, 4)))).toEqual([6, 6, 6, 6]);
    expect(asFloats(evaluate(text, floats(1, 0, 3, 4)))).toEqual([2, 2, 2, 2]);
  });
});

describe('vectors', () => {
  const result = (instruction: string, ...registers: number[][]): number[] =>
    asFloats(evaluate(instruction, ...registers.map((values) => floats(...values))));

  it('are multiplied, normalised and reflected', () => {
    expect(result('dp4_ieee r0.x, r1, r2', [1, 2, 3, 4], [5, 6, 7, 8])).toEqual([70, 0, 0, 0]);
    expect(result('dp3 r0.xy, r1, r2', [1, 2, 3, 4], [5, 6, 7, 8])).toEqual([38, 38, 0, 0]);
    expect(result('dp2add r0.w, r1, r2, r1', [1, 2, 3, 4], [5, 6, 7, 8])).toEqual([0, 0, 0, 21]);
    expect(result('crs r0.xyz, r1, r2', [1, 0, 0, 0], [0, 1, 0, 0])).toEqual([0, 0, 1, 0]);
    expect(result('len r0, r1', [2, 3, 6, 9])).toEqual([7, 7, 7, 7]);
    expect(result('dist r0.x, r1, r2', [2, 3, 6, 9], [0, 0, 0, 0])).toEqual([7, 0, 0, 0]);
    expect(result('nrm r0, r1', [0, 4, 0, 8])).toEqual([0, 1, 0, 2]);
    expect(result('reflect r0, r1, r2', [1, -1, 0, 0], [0, 1, 0, 0])).toEqual([1, 1, 0, 0]);
    expect(result('faceforward r0, r1, r2, r3', [1, 2, 3, 4], [0, 0, 1, 0], [0, 0, 1, 0])).toEqual([
      -1, -2, -3, -4,
    ]);
    expect(result('lit r0, r1', [0.5, 3, 0, 2])).toEqual([1, 0.5, 9, 1]);
    expect(result('dst r0, r1, r2', [1, 2, 3, 4], [5, 6, 7, 8])).toEqual([1, 12, 3, 8]);
  });

  it('of four registers are matrices', () => {
    const rows = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11, 12],
      [13, 14, 15, 16],
    ];
    expect(result('transpose r1, r1\nmov r0, r3', ...rows)).toEqual([3, 7, 11, 15]);
    expect(result('mmul_matrix(4x4) r0, r5, r1', ...rows, [1, 0, 0, 1])).toEqual([5, 13, 21, 29]);
    expect(result('mmul_matrix(3x2) r0, r5, r1', ...rows, [1, 1, 1, 1])).toEqual([6, 18, 0, 0]);
    expect(result('det r0.x, r1', ...rows)).toEqual([0, 0, 0, 0]);
    // two rows exchanged, and an upper triangle
    const turned = [
      [0, 3, 7, 1],
      [2, 5, 1, 9],
      [0, 0, 4, 6],
      [0, 0, 0, 5],
    ];
    expect(result('det r0.zw, r1', ...turned)).toEqual([0, 0, -120, -120]);
  });

  it('have numbers of their own where functions take one', () => {
    expect(result('exp r0.xy, r1', [1, 2, 3, 4])).toEqual([16, 16, 0, 0]);
    expect(result('rcp r0.x, r1.y', [1, 2, 3, 4])).toEqual([0.5, 0, 0, 0]);
    expect(result('rcp_zeroop(zero) r0.x, r1', [1, 2, 3, 0])).toEqual([0, 0, 0, 0]);
    expect(result('sincos r0, r1', [1, 2, 3, 0])).toEqual([1, 0, 0, 0]);
  });
});
