/** The types of the methods: LAPACKE's parameters without those that only give results, which the promise gives. */
import type { CblasOrder, CblasTranspose, CblasUplo } from '../blas/constants.ts';
import type { Letter } from '../blas/number-kinds.ts';
import type { Operand } from '../blas/operand.ts';

type ArrayFor<L extends Letter> = L extends 's' | 'c' ? Float32Array : Float64Array;
type Matrix<L extends Letter> = [a: Operand<ArrayFor<L>>, lda: number];
type Right<L extends Letter> = [b: Operand<ArrayFor<L>>, ldb: number];

export interface LuResult {
  /** The first column, from 1 on, whose pivot is 0; 0 if there is none. */
  readonly info: number;
  /** Row i was exchanged with row `ipiv[i]`, counted from 1 on. */
  readonly ipiv: Int32Array;
}

type Shape = [order: CblasOrder, m: number, n: number];
type Systems = [order: CblasOrder, n: number, nrhs: number];
type Triangle = [order: CblasOrder, uplo: CblasUplo, n: number];

interface Table<L extends Letter> {
  getrf: (...args: [...Shape, ...Matrix<L>]) => Promise<LuResult>;
  getrs: (
    order: CblasOrder,
    trans: CblasTranspose,
    n: number,
    nrhs: number,
    ...args: [...Matrix<L>, ipiv: Int32Array, ...Right<L>]
  ) => Promise<void>;
  gesv: (...args: [...Systems, ...Matrix<L>, ...Right<L>]) => Promise<LuResult>;
  /** Gives the first column, from 1 on, at which the matrix is not positive definite; 0 if there is none. */
  potrf: (...args: [...Triangle, ...Matrix<L>]) => Promise<number>;
  potrs: (...args: [...Triangle, nrhs: number, ...Matrix<L>, ...Right<L>]) => Promise<void>;
  posv: (...args: [...Triangle, nrhs: number, ...Matrix<L>, ...Right<L>]) => Promise<number>;
  /** Gives the factors of the reflections, `tau`. */
  geqrf: (...args: [...Shape, ...Matrix<L>]) => Promise<ArrayFor<L>>;
  /** Gives the first column, from 1 on, that others have made up, so that there is no full rank; 0 if there is none. */
  gels: (
    order: CblasOrder,
    trans: CblasTranspose,
    m: number,
    n: number,
    nrhs: number,
    ...args: [...Matrix<L>, ...Right<L>]
  ) => Promise<number>;
}

type Methods<L extends Letter> = { [Name in keyof Table<L> & string as `${L}${Name}`]: Table<L>[Name] };
type MakeQ<L extends Letter> = (
  ...args: [...Shape, k: number, ...Matrix<L>, tau: ArrayFor<L>]
) => Promise<void>;

interface Others {
  sorgqr: MakeQ<'s'>;
  dorgqr: MakeQ<'d'>;
  cungqr: MakeQ<'c'>;
  zungqr: MakeQ<'z'>;
}

export type LinalgMethods = Methods<'s'> & Methods<'d'> & Methods<'c'> & Methods<'z'> & Others;
