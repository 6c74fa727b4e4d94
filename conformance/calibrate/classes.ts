/**
 * The classes of the cost table (src/target/costs.ts) as pieces of OpenCL C. A piece is done some times on eight accumulators, and twice as
 * often; what the second half takes is what it costs. Accumulators do not wait for each other.
 */
import type { Costs } from '../../src/target/costs.ts';

export interface CostClass {
  readonly cost: keyof Costs;
  /** Whether it is one for a register of a vector, one for each of its lanes, or for a work-item by itself. */
  readonly per: 'register' | 'lane' | 'scalar';
  readonly type: 'float' | 'int';
  /** One piece: `A` is the accumulator, `U` the number of the piece. */
  readonly piece: string;
  /** Simple instructions and loads in it that are not what is measured. */
  readonly beside: number;
}

/** Names in pieces: `c` is a value that nobody knows, `p` global memory, `t` local memory, `x` the work-item's id, `m` its id in the group. */
export const classes: readonly CostClass[] = [
  { cost: 'simple', per: 'scalar', type: 'float', piece: 'A += c;', beside: 0 },
  { cost: 'simple', per: 'register', type: 'float', piece: 'A += c;', beside: 0 },
  { cost: 'divide', per: 'scalar', type: 'float', piece: 'A = c / A;', beside: 0 },
  { cost: 'divide', per: 'register', type: 'float', piece: 'A = c / A;', beside: 0 },
  { cost: 'divide', per: 'scalar', type: 'int', piece: 'A = big / (A | 1);', beside: 1 },
  { cost: 'divideByConstant', per: 'scalar', type: 'int', piece: 'A = A / 7 + big;', beside: 1 },
  { cost: 'vectorDivide', per: 'register', type: 'int', piece: 'A = big / (A | 1);', beside: 1 },
  { cost: 'vectorDivideByConstant', per: 'register', type: 'int', piece: 'A = A / 7 + big;', beside: 1 },
  { cost: 'vectorShift', per: 'register', type: 'int', piece: 'A = big << (A & 31);', beside: 1 },
  { cost: 'vectorBitCount', per: 'register', type: 'int', piece: 'A = popcount(A) + big;', beside: 1 },
  { cost: 'squareRoot', per: 'scalar', type: 'float', piece: 'A = native_sqrt(A) + c;', beside: 1 },
  { cost: 'squareRoot', per: 'register', type: 'float', piece: 'A = native_sqrt(A) + c;', beside: 1 },
  { cost: 'load', per: 'scalar', type: 'float', piece: 'A += t[m + U + (k & 1)];', beside: 1 },
  { cost: 'load', per: 'register', type: 'float', piece: 'A += t[m + U + (k & 1)];', beside: 1 },
  { cost: 'stridedLane', per: 'lane', type: 'float', piece: 'A += t[m * 3 + U + (k & 1)];', beside: 0 },
  { cost: 'gatheredLane', per: 'lane', type: 'int', piece: 'A += s[A & 255];', beside: 0 },
  {
    cost: 'localAtomic',
    per: 'scalar',
    type: 'int',
    piece: 'atomic_add(&s[A & 255], 1); A += big;',
    beside: 2,
  },
  {
    cost: 'sharedAtomic',
    per: 'scalar',
    type: 'int',
    piece: 'atomic_add(&p[A & 255], 1); A += big;',
    beside: 2,
  },
  { cost: 'maskedLane', per: 'lane', type: 'int', piece: 'if (A & 1) s[A & 255] = A; A += big;', beside: 0 },
];

/** A kernel that does a piece so many times in each iteration. */
export function kernelOf({ type, piece }: CostClass, times: number): string {
  const names = Array.from({ length: 8 }, (_, index) => `a${index}`);
  const pieces = Array.from({ length: times }, (_, at) =>
    piece.replaceAll(/\bA\b/g, names[at % names.length]!).replaceAll(/\bU\b/g, String(at)),
  );
  return `
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void work(global int *p, global ${type} *out, int n, float c, int big) {
  local float t[256];
  local int s[256];
  int x = get_global_id(0), m = get_local_id(0);
  for (int k = m; k < 256; k += 64) { t[k] = k * c; s[k] = k + big; }
  barrier(CLK_LOCAL_MEM_FENCE);
  ${type} ${names.map((name, index) => `${name} = x + ${index + 1}`).join(', ')};
  for (int k = 0; k < n; k++) {
    ${pieces.join('\n    ')}
  }
  out[x] = ${names.join(' + ')};
}`;
}
