/**
 * SHOC's S3D: rates of chemical reactions, a grid point a work-item, hundreds of exponentials and products without a loop. Seven of its 27
 * kernels, one of each kind, each with data of its own instead of what the kernel before it leaves.
 */
import { type BenchKernel, count, type Data, float, floats } from '../../frame/bench-kernel.ts';
import { agreement, type ReadSource } from '../suite.ts';

/** The stride of all arrays, which is part of the program. */
const points = 2 ** 14;
/** Rows of the arrays that kernels read and write. */
const rows = { P: 1, T: 1, Y: 22, C: 22, RF: 206, RB: 206, RKLOW: 21, EG: 31, A: 132, WDOT: 22 } as const;
type ArrayName = keyof typeof rows;

/** The file, its kernel, its arrays in order, how many numbers 1.0 follow, and what it writes. */
const kernels: readonly [string, string, readonly ArrayName[], number, readonly ArrayName[]][] = [
  ['gr_base', 'gr_base', ['P', 'T', 'Y', 'C'], 2, ['C']],
  ['rdsmh', 'rdsmh_kernel', ['T', 'EG'], 1, ['EG']],
  ['ratt', 'ratt_kernel', ['T', 'RF'], 1, ['RF']],
  ['ratt2', 'ratt2_kernel', ['T', 'RF', 'RB', 'EG'], 1, ['RB']],
  ['ratx', 'ratx_kernel', ['T', 'C', 'RF', 'RB', 'RKLOW'], 1, ['RF', 'RB']],
  ['qssa', 'qssa_kernel', ['RF', 'RB', 'A'], 0, ['A']],
  ['rdwdot', 'rdwdot_kernel', ['RF', 'RB', 'WDOT'], 1, ['WDOT']],
];

function contentOf(name: ArrayName, index: number): Float32Array {
  const length = rows[name] * points;
  if (name === 'P') return floats(length, 81, 0.9e6, 1.1e6);
  if (name === 'T') return floats(length, 82, 900, 1100);
  return floats(length, 83 + index, 0.01, 1);
}

export function combustion(read: ReadSource): BenchKernel[] {
  return kernels.map(([file, kernel, names, ones, written]) => ({
    name: `SHOC S3D ${file}`,
    source: read(`level2/s3d/${file}.cl`),
    options: `-DSINGLE_PRECISION -DN_GP=${points}`,
    prepare(size) {
      const used = size === 'full' ? points : points / 16;
      const buffers: Record<string, Data> = { molwt: new Float32Array(22).fill(1) };
      for (const [index, name] of names.entries()) buffers[name] = contentOf(name, index);
      const scalars = Array.from({ length: ones }, () => float(1));
      return {
        size: `${count(used)} points`,
        buffers,
        restored: written,
        launches: [
          {
            kernel,
            global: [used],
            local: [128],
            arguments: [...names, ...scalars, ...(file === 'rdwdot' ? ['molwt'] : [])],
          },
        ],
        work: { unit: 'M/s', amount: used },
        check: agreement(written, Float32Array, 2e-3, 1e-3),
      };
    },
  }));
}
