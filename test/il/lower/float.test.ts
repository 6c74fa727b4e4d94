/** Float instructions. Expected values are worked out by hand or by JavaScript, rounded to floats. */
import { describe } from 'vitest';
import { asFloats, floats, type Row, testRows } from './run-il.ts';

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
