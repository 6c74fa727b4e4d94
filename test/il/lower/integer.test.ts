/** Instructions on integers, bits, 64-bit integers, doubles, and conversions. Expected values are worked out by hand. */
import { describe, expect, it } from 'vitest';
import { asDoubles, asFloats, doubles, evaluate, floats, type Row, testRows } from './run-il.ts';

/** r0 after an instruction on r1, r2, ..., as unsigned numbers. */
const result = (instruction: string, ...registers: number[][]): number[] =>
  Array.from(evaluate(instruction, ...registers));
const unsigned = (...values: number[]): number[] => values.map((value) => value >>> 0);

type Rows = [string, number[][], number[]][];
const toUnsigned = ([instruction, registers, expected]: Rows[number]): Row => [
  instruction,
  registers,
  unsigned(...expected),
];

describe('32-bit integers', () => {
  testRows(
    (
      [
        [
          'iadd r0, r1, r2',
          [
            [1, -1, 0x7fffffff, 5],
            [2, 1, 1, -8],
          ],
          [3, 0, 0x80000000, -3],
        ],
        [
          'iadd r0, r1, r2_neg(xy)',
          [
            [1, 5, 7, 5],
            [2, 1, 1, -8],
          ],
          [-1, 4, 8, -3],
        ],
        [
          'icarry r0, r1, r2',
          [
            [1, -1, -1, 0x80000000],
            [2, 0, 1, 0x80000000],
          ],
          [0, 0, 1, 1],
        ],
        ['icarry r0, r1, r1.yyyy', [[1, 2, -1, -2]], [0, 0, 1, 1]],
        [
          'iborrow r0, r1, r2',
          [
            [1, -1, 0, 5],
            [2, 0, 1, 5],
          ],
          [1, 0, 1, 0],
        ],
        [
          'isub r0, r1, r2',
          [
            [1, -1, 0, 5],
            [2, 1, 1, -8],
          ],
          [-1, -2, -1, 13],
        ],
        [
          'imul r0, r1, r2',
          [
            [3, -3, 0x10000, 5],
            [7, 7, 0x10000, -1],
          ],
          [21, -21, 0, -5],
        ],
        [
          'imul_high r0, r1, r2',
          [
            [-1, 0x40000000, 0x10000, 5],
            [1, 8, 0x10000, -1],
          ],
          [-1, 2, 1, -1],
        ],
        [
          'umul_high r0, r1, r2',
          [
            [-1, 0x40000000, 0x10000, 5],
            [1, 8, 0x10000, -1],
          ],
          [0, 2, 1, 4],
        ],
        [
          'imul24 r0, r1, r2',
          [
            [0xffffff, 3, 0x1000002, 4],
            [5, 7, 3, 0xfffffe],
          ],
          [-5, 21, 6, -8],
        ],
        [
          'umul24 r0, r1, r2',
          [
            [0xffffff, 3, 0x1000002, 4],
            [2, 7, 3, 0x800000],
          ],
          [0x1fffffe, 21, 6, 0x2000000],
        ],
        [
          'umul24_high r0, r1, r2',
          [
            [0xffffff, 3, 0, 4],
            [0xffffff, 7, 3, 1],
          ],
          [0xffff, 0, 0, 0],
        ],
        [
          'imad r0, r1, r2, r3',
          [
            [3, -3, 2, 5],
            [7, 7, 2, 1],
            [1, 1, 1, 1],
          ],
          [22, -20, 5, 6],
        ],
        [
          'imax r0, r1, r2',
          [
            [3, -3, 2, -5],
            [7, -7, 2, 1],
          ],
          [7, -3, 2, 1],
        ],
        [
          'umin r0, r1, r2',
          [
            [3, -3, 2, -5],
            [7, -7, 2, 1],
          ],
          [3, -7, 2, 1],
        ],
        [
          'ishl r0, r1, r2',
          [
            [1, 1, 3, -1],
            [4, 33, 0, 31],
          ],
          [16, 2, 3, 0x80000000],
        ],
        [
          'ishr r0, r1, r2',
          [
            [-16, 16, 3, -1],
            [2, 34, 0, 31],
          ],
          [-4, 4, 3, -1],
        ],
        [
          'ushr r0, r1, r2',
          [
            [-16, 16, 3, -1],
            [28, 2, 0, 31],
          ],
          [15, 4, 3, 1],
        ],
        [
          'udiv r0, r1, r2',
          [
            [17, -1, 3, 9],
            [5, 2, 0, 3],
          ],
          [3, 0x7fffffff, -1, 3],
        ],
        [
          'umod r0, r1, r2',
          [
            [17, -1, 3, 9],
            [5, 10, 0, 3],
          ],
          [2, 5, -1, 0],
        ],
        [
          'ieq r0, r1, r2',
          [
            [1, 2, -1, 0],
            [1, 3, -1, 5],
          ],
          [-1, 0, -1, 0],
        ],
        [
          'ilt r0, r1, r2',
          [
            [1, 2, -1, 0],
            [1, 3, 1, -5],
          ],
          [0, -1, -1, 0],
        ],
        [
          'ult r0, r1, r2',
          [
            [1, 2, -1, 0],
            [1, 3, 1, -5],
          ],
          [0, -1, 0, -1],
        ],
        [
          'uge r0, r1, r2',
          [
            [1, 2, -1, 0],
            [1, 3, 1, -5],
          ],
          [-1, 0, -1, 0],
        ],
        ['inegate r0, r1', [[1, -2, 0, 5]], [-1, 2, 0, -5]],
        ['inot r0, r1', [[0, -1, 1, 5]], [-1, 0, -2, -6]],
        [
          'ixor r0, r1, r2',
          [
            [12, 0, -1, 5],
            [10, 0, 1, 5],
          ],
          [6, 0, -2, 0],
        ],
        [
          'iand r0.x_z_, r1, r2',
          [
            [12, 0, -1, 5],
            [10, 0, 1, 5],
          ],
          [8, 0, 1, 0],
        ],
      ] as Rows
    ).map(toUnsigned),
  );
});

describe('bits', () => {
  testRows(
    (
      [
        ['icbits r0, r1', [[0, -1, 0x101, 7]], [0, 32, 2, 3]],
        ['ffb_hi r0, r1', [[0, -1, 1, 0x100]], [-1, 0, 31, 23]],
        ['ffb_lo r0, r1', [[0, -1, 8, 0x100]], [-1, 0, 3, 8]],
        ['ffb_shi r0, r1', [[0, -1, 1, -256]], [-1, -1, 31, 24]],
        ['ubit_reverse r0, r1', [[1, 0x80000000, 0xf0, 0x12345678]], [0x80000000, 1, 0x0f000000, 0x1e6a2c48]],
        [
          'ubit_extract r0, r1, r2, r3',
          [
            [8, 4, 0, 16],
            [4, 28, 3, 24],
            [0xabcd, 0xf0000000, 7, 0x81000000],
          ],
          [0xbc, 15, 0, 0x81],
        ],
        [
          'ibit_extract r0, r1, r2, r3',
          [
            [8, 4, 0, 16],
            [4, 28, 3, 24],
            [0xabcd, 0x70000000, 7, 0x81000000],
          ],
          [0xbc - 256, 7, 0, 0x81 - 256],
        ],
        [
          'ubit_insert r0, r1, r2, r3, r4',
          [
            [8, 4, 0, 31],
            [4, 28, 3, 0],
            [0xff, 15, 7, 1],
            [0, 0, 5, -1],
          ],
          [0xff0, 0xf0000000, 5, 0x80000001],
        ],
        [
          'bfi r0, r1, r2, r3',
          [
            [0xff, 0, -1, 0xf0],
            [0x1234, 1, 2, 0xaa],
            [0x5678, 9, 3, 0x55],
          ],
          [0x5634, 9, 2, 0xa5],
        ],
        [
          'bfm r0, r1, r2',
          [
            [4, 0, 31, 32],
            [8, 3, 0, 0],
          ],
          [0xf00, 0, 0x7fffffff, 0],
        ],
        [
          'bitalign r0, r1, r2, r3',
          [
            [1, 1, 1, 1],
            [0, 16, 0x80, -1],
            [1, 4, 0, 32],
          ],
          [0x80000000, 0x10000001, 0x80, -1],
        ],
        [
          'bytealign r0, r1, r2, r3',
          [
            [1, 1, 0, 1],
            [0x200, 16, 0x80, -1],
            [1, 2, 0, 4],
          ],
          [0x01000002, 0x10000, 0x80, -1],
        ],
        [
          'sad r0, r1, r2, r3',
          [
            [0x01020304, 255, 0, 0],
            [0x04030201, 0, 0x01010101, 0],
            [0, 1, 2, 3],
          ],
          [8, 256, 6, 3],
        ],
        [
          'sad4 r0, r1, r2, r3',
          [
            [0x01020304, 255, 0, 1],
            [0x04030201, 0, 0x01010101, 3],
            [100, 1, 2, 3],
          ],
          // 8 + 255 + 4 + 2, and 100
          [369, 369, 369, 369],
        ],
        [
          'sadhi r0, r1, r2, r3',
          [
            [1, 0, 0, 0],
            [3, 0, 1, 0],
            [5, 0, 0, 9],
          ],
          [0x20005, 0, 0x10000, 9],
        ],
        [
          'u4lerp r0, r1, r2, r3',
          [
            [0x0000ff01, 1, 0, 0],
            [0x0000fd02, 2, 0, 0],
            [0, 1, 0, 0],
          ],
          [0xfe01, 2, 0, 0],
        ],
      ] as Rows
    ).map(toUnsigned),
  );
});

describe('64-bit integers in pairs', () => {
  testRows(
    (
      [
        [
          'i64add r0.xy, r1, r2',
          [
            [-1, 0, 0, 0],
            [1, 5, 0, 0],
          ],
          [0, 6, 0, 0],
        ],
        [
          'i64sub r0.zw, r1.zw, r2',
          [
            [0, 0, 0, 1],
            [1, 0, 0, 0],
          ],
          [0, 0, -1, 0],
        ],
        [
          'i64mul r0.xy, r1, r2',
          [
            [0x10000, 0, 0, 0],
            [0x10000, 0, 0, 0],
          ],
          [0, 1, 0, 0],
        ],
        [
          'i64shl r0.xy, r1, r2',
          [
            [1, 0, 0, 0],
            [36, 0, 0, 0],
          ],
          [0, 16, 0, 0],
        ],
        [
          'i64shr r0.xy, r1, r2',
          [
            [0, -16, 0, 0],
            [36, 0, 0, 0],
          ],
          [-1, -1, 0, 0],
        ],
        [
          'i64lt r0.x, r1, r2',
          [
            [0, -1, 0, 0],
            [1, 0, 0, 0],
          ],
          [-1, 0, 0, 0],
        ],
        [
          'u64lt r0.x, r1, r2',
          [
            [0, -1, 0, 0],
            [1, 0, 0, 0],
          ],
          [0, 0, 0, 0],
        ],
        [
          'i64div r0.xy, r1, r2',
          [
            [-10, -1, 0, 0],
            [3, 0, 0, 0],
          ],
          [-3, -1, 0, 0],
        ],
        [
          'u64mod r0.xy, r1, r2',
          [
            [10, 1, 0, 0],
            [7, 0, 0, 0],
          ],
          [(2 ** 32 + 10) % 7, 0, 0, 0],
        ],
        [
          'i64max r0.xy, r1, r2',
          [
            [5, 0, 0, 0],
            [-1, -1, 0, 0],
          ],
          [5, 0, 0, 0],
        ],
      ] as Rows
    ).map(toUnsigned),
  );
});

describe('doubles in pairs', () => {
  testRows(
    (
      [
        [
          'dadd r0.xy, r1.xy, r2.xy',
          [
            [1.5, 7],
            [2 ** -40, 8],
          ],
          [1.5 + 2 ** -40, 0],
        ],
        [
          'dadd r0.zw, r1.xy, r2.zw',
          [
            [1.5, 7],
            [0.25, 8],
          ],
          [0, 9.5],
        ],
        [
          'dadd r0.xy, r1.zw_neg(y), r2',
          [
            [1.5, 7],
            [0.25, 8],
          ],
          [-6.75, 0],
        ],
        ['dmul r0, r1, r1', [[1.1, 7]], [1.1 * 1.1, 0]],
        ['dmul_x4 r0, r1, r1', [[1.5, 7]], [9, 0]],
        ['dadd_d2_sat r0.zw, r1, r1.zw', [[-0.25, 1.75]], [0, 0.75]],
        ['dadd_d8_sat r0.zw, r1, r1.zw', [[-0.25, 99]], [0, 1]],
        [
          'dmad r0.xy, r1, r2, r3',
          [
            [3, 0],
            [0.5, 0],
            [10, 0],
          ],
          [11.5, 0],
        ],
        [
          'dfma r0.xy, r1, r2, r3',
          [
            [3, 0],
            [0.5, 0],
            [10, 0],
          ],
          [11.5, 0],
        ],
        ['dsub r0.xy, r1, r1.zw', [[3, 5]], [-2, 0]],
        ['ddiv r0.xy, r1, r1.zw', [[1, 3]], [1 / 3, 0]],
        ['drcp r0.xy, r1', [[8, 0]], [0.125, 0]],
        ['dsqrt r0.xy, r1', [[2, 0]], [Math.SQRT2, 0]],
        ['drsq r0.xy, r1', [[16, 0]], [0.25, 0]],
        ['dmov r0.zw, r1.zwxy_neg(y)', [[-2.5, 3]], [0, -3]],
        ['dabs r0.xy, r1', [[-2.5, 0]], [2.5, 0]],
        ['dfrac r0.xy, r1', [[-1.25, 0]], [0.75, 0]],
        ['dmax r0.xy, r1, r1.zw', [[1, 3]], [3, 0]],
        ['dmin r0.xy, r1, r1.zw', [[1, 3]], [1, 0]],
        ['dadd_sat r0.xy, r1, r1.zw', [[1, 3]], [1, 0]],
      ] as Rows
    ).map(([instruction, registers, expected]) => [
      instruction,
      registers.map((values) => doubles(...values)),
      expected,
    ]),
    asDoubles,
  );

  it('are compared to masks', () => {
    expect(result('dlt r0.x, r1.xy, r1.zw', doubles(1, 2))).toEqual([0xffffffff, 0, 0, 0]);
    expect(result('dge r0.y, r1.xy, r1.zw', doubles(1, 2))).toEqual([0, 0, 0, 0]);
    expect(result('deq r0, r1.xy, r1.xy', doubles(1, 2))).toEqual(unsigned(-1, -1, -1, -1));
  });

  it('are split and scaled', () => {
    const bits = evaluate('dfrexp r0, r1.xy', doubles(12, 0));
    expect([bits[0], asDoubles(bits)[1]]).toEqual([4, 0.75]);
    expect(asDoubles(evaluate('dldexp r0.xy, r1.xy, r2.x', doubles(0.75, 0), [4, 0, 0, 0]))[0]).toBe(12);
    expect(asDoubles(evaluate('dmovc r0.xy, r2.x, r1.xy, r1.zw', doubles(5, 6), [1, 0, 0, 0]))[0]).toBe(5);
    expect(asDoubles(evaluate('dmovc r0.xy, r2.y, r1.xy, r1.zw', doubles(5, 6), [1, 0, 0, 0]))[0]).toBe(6);
  });
});

describe('conversions', () => {
  testRows(
    (
      [
        ['ftoi r0, r1', floats(1.75, -1.75, 3e9, Number.NaN), [1, -1, 0x7fffffff, 0]],
        ['ftou r0, r1', floats(1.75, -1.75, 3e9, 5e9), [1, 0, 3e9, 0xffffffff]],
        ['itof r0, r1', [3, -3, 0, 0x1000000], floats(3, -3, 0, 16777216)],
        ['utof r0, r1', [3, -1, 0, 1], floats(3, 4294967296, 0, 1)],
        ['f2d r0.xy, r1.y', floats(0, 1.5, 0, 0), [...doubles(1.5), 0, 0]],
        ['d2f r0, r1.zw', doubles(0, 0.1), floats(0.1, 0.1, 0.1, 0.1)],
        ['dtoi r0.x, r1', doubles(-7.9, 0), [-7, 0, 0, 0]],
        ['itod r0.zw, r1.y', [0, -7, 0, 0], [0, 0, ...doubles(-7)]],
        ['f2f16 r0, r1', floats(1, -2, 65504, 0.5), [0x3c00, 0xc000, 0x7bff, 0x3800]],
        ['f162f r0, r1', [0x3c00, 0xc000, 0x7bff, 1], floats(1, -2, 65504, 2 ** -24)],
        ['f_2_u4 r0.x, r1', floats(1, 2.4, 300, -5), [0x00ff0201, 0, 0, 0]],
        ['unpack0 r0, r1', [0x04030201, 255, 256, 0], floats(1, 255, 0, 0)],
        ['unpack3 r0, r1', [0x04030201, 255, -1, 0], floats(4, 0, 255, 0)],
      ] as [string, number[], number[]][]
    ).map(([instruction, values, expected]) => toUnsigned([instruction, [values], expected])),
  );
});

describe('moves', () => {
  const one = floats(1)[0]!;

  it('keep, clear and set components by the mask', () => {
    expect(result('mov r0.x_01, r1', [7, 8, 9, 10])).toEqual([7, 0, 0, one]);
  });

  it('pick components and constants by the swizzle, of which the last is repeated', () => {
    expect(result('mov r0, r1.wzyx', [7, 8, 9, 10])).toEqual([10, 9, 8, 7]);
    expect(result('mov r0, r1.y0', [7, 8, 9, 10])).toEqual([8, 0, 0, 0]);
    expect(result('mov r0, r1.zy', [7, 8, 9, 10])).toEqual([9, 8, 8, 8]);
    expect(result('mov r0, r1.1x01', [7, 8, 9, 10])).toEqual([one, 7, 0, one]);
  });

  it('hand on the bits of what are no numbers', () => {
    const bits = [0xffffffff, 0x7f800001, 0xffc12345, 0x80000000];
    expect(result('mov r0, r1', bits)).toEqual(bits);
  });

  testRows(
    (
      [
        ['mov r0, r1_neg(xw)', [1, 2, 3, 4], [-1, 2, 3, -4]],
        ['mov r0, r1_abs_neg(xyzw)', [1, -2, 3, -4], [-1, -2, -3, -4]],
        ['mov r0, r1_neg(xyzw).x000', [5, 2, 3, 4], [-5, -0, -0, -0]],
        ['mov r0, r1_bx2', [0, 0.5, 1, 2], [-1, 0, 1, 3]],
        ['mov r0, r1_bias', [0, 0.5, 1, 2], [-0.5, 0, 0.5, 1.5]],
        ['mov r0, r1_invert', [0, 0.5, 1, 2], [1, 0.5, 0, -1]],
        ['mov r0, r1_sign', [0, 0.5, -1, 2], [0, 1, -1, 1]],
        ['mov_sat r0, r1', [-1, 0.5, 2, 1], [0, 0.5, 1, 1]],
        ['mov_x4 r0, r1', [-1, 0.5, 2, 1], [-4, 2, 8, 4]],
        ['add_d2_sat r0, r1, r1', [-1, 0.5, 2, 1], [0, 0.5, 1, 1]],
      ] as [string, number[], number[]][]
    ).map(([instruction, values, expected]) => [instruction, [floats(...values)], expected]),
    asFloats,
  );

  it('negate a double, whose low word is no number as a float', () => {
    const negated = 'mov r2.xy, r1.xy_neg(y)';
    const word = 0x7f812345;
    // handed on, and read as a double: 1 and some of the last bits
    expect(result(`${negated}\nmov r0.xy, r2.xy`, [word, 0x3ff00000])).toEqual([word, 0xbff00000, 0, 0]);
    expect(result(`${negated}\ndadd r0.xy, r2.xy, r3.xy`, [word, 0x3ff00000], [], [0, 0])).toEqual([
      word,
      0xbff00000,
      0,
      0,
    ]);
  });

  it('choose by bits, by a float, or by a comparison', () => {
    const [a, b] = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ];
    expect(result('cmov_logical r0, r3, r1, r2', a!, b!, [0, 1, 0x80000000, 0])).toEqual([5, 2, 3, 8]);
    expect(result('mov r0, r2\ncmov r0, r3, r1', a!, b!, floats(0, 1, -0, 5))).toEqual([5, 2, 7, 4]);
    expect(result('cmp_relop(ge)_cmpval(0.5) r0, r3, r1, r2', a!, b!, floats(0, 1, 0.5, -5))).toEqual([
      5, 2, 3, 8,
    ]);
  });
});
