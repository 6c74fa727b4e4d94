/** Float instructions. Expected values are worked out by hand or by JavaScript, rounded to floats. */
import { describe, expect, it } from 'vitest';
import { asFloats, compileLog, evaluate, floats, type Row, testRows } from './run-il.ts';

const f = Math.fround;
const inf = Number.POSITIVE_INFINITY;
const largest = f(3.4028234663852886e38);

const rowsOf = (rows: readonly [string, number[][], number[]][]): Row[] =>
  rows.map(([instruction, registers, expected]) => [
    instruction,
    registers.map((values) => floats(...values)),
    expected,
  ]);

describe('arithmetic component by component', () => {
  testRows(
    rowsOf([
      [
        'add r0, r1, r2',
        [
          [1, 2, 3, 4],
          [0.5, -2, 1e10, 4],
        ],
        [1.5, 0, f(1e10 + 3), 8],
      ],
      [
        'sub r0, r1, r2',
        [
          [1, 2, 3, 4],
          [0.5, -2, 1, 4],
        ],
        [0.5, 4, 2, 0],
      ],
      [
        'mul_ieee r0, r1, r2',
        [
          [1.5, -2, inf, 4],
          [2, 3, 2, 0.25],
        ],
        [3, -6, inf, 1],
      ],
      [
        'mul r0, r1, r2',
        [
          [0, inf, 3, Number.NaN],
          [inf, 0, 2, 0],
        ],
        [0, 0, 6, 0],
      ],
      [
        'mul_ieee r0, r1, r2',
        [
          [0, 2, 3, 1],
          [inf, 3, 2, 1],
        ],
        [Number.NaN, 6, 6, 1],
      ],
      [
        'mad_ieee r0, r1, r2, r3',
        [
          [1, 2, 3, 4],
          [2, 2, 2, 2],
          [0.5, 0, -6, 1],
        ],
        [2.5, 4, 0, 9],
      ],
      [
        'mad r0, r1, r2, r3',
        [
          [0, 2, 3, 4],
          [inf, 2, 2, 2],
          [0.5, 0, -6, 1],
        ],
        [0.5, 4, 0, 9],
      ],
      [
        'fma r0, r1, r2, r3',
        [
          [1 + 2 ** -12, 2, 3, 4],
          [1 - 2 ** -12, 2, 2, 2],
          [-1, 0, -6, 1],
        ],
        [-(2 ** -24), 4, 0, 9],
      ],
      [
        'min r0, r1, r2',
        [
          [1, -2, 0, inf],
          [2, -3, 0, 5],
        ],
        [1, -3, 0, 5],
      ],
      [
        'max r0, r1, r2',
        [
          [1, -2, 0, inf],
          [2, -3, 0, 5],
        ],
        [2, -2, 0, inf],
      ],
      [
        'max_ieee r0, r1, r2',
        [
          [Number.NaN, 1, 0, 3],
          [2, Number.NaN, 0, 5],
        ],
        [2, 1, 0, 5],
      ],
      [
        'mod r0, r1, r2',
        [
          [7, -7, 7.5, 9],
          [3, 3, 2, 0.5],
        ],
        [1, -1, 1.5, 0],
      ],
      [
        'pow r0, r1, r2',
        [
          [2, 9, 1, 4],
          [10, 0.5, 7, -1],
        ],
        [1024, 3, 1, 0.25],
      ],
      [
        'lrp r0, r1, r2, r3',
        [
          [0, 1, 0.5, 0.25],
          [8, 8, 8, 8],
          [4, 4, 4, 4],
        ],
        [4, 8, 6, 5],
      ],
      [
        'clamp r0, r1, r2, r3',
        [
          [-5, 5, 0.5, 2],
          [0, 0, 0, 0],
          [1, 1, 1, 1],
        ],
        [0, 1, 0.5, 1],
      ],
      [
        'set_relop(lt) r0, r1, r2',
        [
          [1, 2, 3, 4],
          [2, 2, 2, 5],
        ],
        [1, 0, 0, 1],
      ],
    ]),
    asFloats,
  );

  testRows(
    rowsOf(
      (
        [
          ['abs r0, r1', [-1, 2, -0.5, -inf], [1, 2, 0.5, inf]],
          ['flr r0, r1', [1.5, -1.5, 2, -0.25], [1, -2, 2, -1]],
          ['clg r0, r1', [1.5, -1.5, 2, -0.25], [2, -1, 2, -0]],
          ['round_z r0, r1', [1.5, -1.5, 2.75, -0.25], [1, -1, 2, -0]],
          ['round_nearest r0, r1', [1.5, 2.5, -1.5, 0.75], [2, 2, -2, 1]],
          ['frc r0, r1', [1.5, -1.25, 2, 0.125], [0.5, 0.75, 0, 0.125]],
          ['sgn r0, r1', [5, -3, 0, -0.1], [1, -1, 0, -1]],
          ['sqrt_vec r0, r1', [4, 9, 2, 0], [2, 3, f(Math.SQRT2), 0]],
          ['exp_vec r0, r1', [1, 3, -2, 0], [2, 8, 0.25, 1]],
          ['log_vec r0, r1', [1, 8, 0.25, 2], [0, 3, -2, 1]],
          ['rcp_vec r0, r1', [2, 4, -8, 0], [0.5, 0.25, -0.125, largest]],
          ['rsq_vec r0, r1', [4, 16, 1, 0.25], [0.5, 0.25, 1, 2]],
          ['colorclamp r0, r1', [-1, 0.5, 2, 1], [0, 0.5, 1, 1]],
        ] as [string, number[], number[]][]
      ).map(([instruction, values, expected]) => [instruction, [values], expected]),
    ),
    asFloats,
  );
});

describe('matrices', () => {
  const rows = [
    [2, -1, 3, 5],
    [7, 4, 0, 1],
    [-3, 6, 8, 2],
    [1, 9, -2, 3],
  ];
  const registers = rows.map((row) => floats(...row));
  const run = (text: string): number[] => asFloats(evaluate(text, ...registers));
  const column = (at: number): number[] => rows.map((row) => row[at]!);

  it('are transposed, in registers and in arrays', () => {
    for (const at of [0, 1, 2, 3]) {
      expect(run(`transpose r11, r1\nmov r0, r${11 + at}`)).toEqual(column(at));
      // also onto themselves
      expect(run(`transpose r1, r1\nmov r0, r${1 + at}`)).toEqual(column(at));
      const array = 'dcl_indexed_temp_array x1[9]\n';
      expect(run(`${array}transpose x1[4], r1\nmov r0, x1[${4 + at}]`)).toEqual(column(at));
    }
    expect(run('transpose r11.xy, r1\nmov r0, r12')).toEqual([-1, 4, 0, 0]);
  });

  it('keep bits that are no numbers when they are transposed', () => {
    const text = 'transpose r11, r1\nmov r0, r11';
    expect([
      ...evaluate(text, [0xff800001, 1, 2, 3], [0x7fa00000, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]),
    ]).toEqual([0xff800001, 0x7fa00000, 8, 12]);
  });

  const dot = (a: readonly number[], b: readonly number[], count: number): number =>
    a.slice(0, count).reduce((sum, x, index) => sum + x * b[index]!, 0);

  it.each([
    ['4x4', 4, 4],
    ['4x3', 4, 3],
    ['3x4', 3, 4],
    ['3x3', 3, 3],
    ['3x2', 3, 2],
  ])('are multiplied: %s', (name, columns, count) => {
    const vector = [0.5, 2, -4, 8];
    const text = `mmul_matrix(${name}) r0, r1, r2`;
    const result = asFloats(evaluate(text, floats(...vector), ...registers));
    expect(result).toEqual(rows.map((row, at) => (at < count ? dot(vector, row, columns) : 0)));
  });

  it('have determinants', () => {
    const minor = (matrix: number[][], skipped: number): number[][] =>
      matrix.slice(1).map((row) => row.filter((_, at) => at !== skipped));
    const determinant = (matrix: number[][]): number =>
      matrix.length === 1
        ? matrix[0]![0]!
        : matrix[0]!.reduce((sum, x, at) => sum + (at % 2 ? -x : x) * determinant(minor(matrix, at)), 0);
    expect(run('det r0, r1')).toEqual(Array(4).fill(determinant(rows)));
  });

  it('need all their registers, and give floats or bits', () => {
    const log = (text: string): string => compileLog(`il_ps_2_0\ndcl_literal l0, 1, 2, 3, 4\n${text}\nend\n`);
    expect(log('mmul r0, r1, l0')).toContain('there is no dcl_literal l1');
    expect(log('transpose_sat r4, r0')).toContain('_sat has no meaning for transpose');
    expect(log('mmul_sat r4, r0, r1')).toBe('');
    const macro = 'mdef(1)_out(1)_in(2)\nmmul out0, in0, in1\nmend\n';
    expect(compileLog(`${macro}il_ps_2_0\nmcall(1) (r0), (r1, r4)\nend\n`)).toContain(
      'a matrix cannot be in1 of a macro',
    );
  });
});
