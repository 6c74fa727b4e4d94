/**
 * The types of the routines' methods: CBLAS's parameters in its order, with a promise as the result. Names are CBLAS's without `cblas_`; `?` in
 * the tables here is the letter of the kind.
 */
import type { CblasDiag, CblasOrder, CblasSide, CblasTranspose, CblasUplo } from './constants.ts';
import type { Complex, Letter } from './number-kinds.ts';
import type { Operand } from './operand.ts';

type ArrayFor<L extends Letter> = L extends 's' | 'c' ? Float32Array : Float64Array;
/** A real number, or the parts of a complex one: an array or a typed array of two numbers. */
export type ComplexScalar = number | Complex | Float32Array | Float64Array;
type ScalarFor<L extends Letter> = L extends 's' | 'd' ? number : ComplexScalar;
type Data<L extends Letter> = Operand<ArrayFor<L>>;
type Vector<L extends Letter> = [x: Data<L>, incx: number];
type Vectors<L extends Letter> = [x: Data<L>, incx: number, y: Data<L>, incy: number];
type Scaled<L extends Letter> = [beta: ScalarFor<L>, y: Data<L>, incy: number];
type Matrix<L extends Letter> = [a: Data<L>, lda: number];
type Right<L extends Letter> = [b: Data<L>, ldb: number];
type Result<L extends Letter> = [beta: ScalarFor<L>, c: Data<L>, ldc: number];
type Triangular = [order: CblasOrder, uplo: CblasUplo, trans: CblasTranspose, diag: CblasDiag];
type Mirrored = [order: CblasOrder, uplo: CblasUplo];

/** What routines of one kind take. */
interface Level1<L extends Letter> {
  swap: [n: number, ...Vectors<L>];
  copy: [n: number, ...Vectors<L>];
  axpy: [n: number, alpha: ScalarFor<L>, ...Vectors<L>];
  axpby: [n: number, alpha: ScalarFor<L>, ...Vector<L>, ...Scaled<L>];
  scal: [n: number, alpha: ScalarFor<L>, ...Vector<L>];
}

interface Level2<L extends Letter> {
  gemv: [
    order: CblasOrder,
    trans: CblasTranspose,
    m: number,
    n: number,
    alpha: ScalarFor<L>,
    ...Matrix<L>,
    ...Vector<L>,
    ...Scaled<L>,
  ];
  gbmv: [
    order: CblasOrder,
    trans: CblasTranspose,
    m: number,
    n: number,
    kl: number,
    ku: number,
    alpha: ScalarFor<L>,
    ...Matrix<L>,
    ...Vector<L>,
    ...Scaled<L>,
  ];
  trmv: [...Triangular, n: number, ...Matrix<L>, ...Vector<L>];
  tbmv: [...Triangular, n: number, k: number, ...Matrix<L>, ...Vector<L>];
  tpmv: [...Triangular, n: number, ap: Data<L>, ...Vector<L>];
  trsv: [...Triangular, n: number, ...Matrix<L>, ...Vector<L>];
  tbsv: [...Triangular, n: number, k: number, ...Matrix<L>, ...Vector<L>];
  tpsv: [...Triangular, n: number, ap: Data<L>, ...Vector<L>];
}

type FullProduct<L extends Letter> = [
  ...Mirrored,
  n: number,
  alpha: ScalarFor<L>,
  ...Matrix<L>,
  ...Vector<L>,
  ...Scaled<L>,
];
type BandProduct<L extends Letter> = [
  ...Mirrored,
  n: number,
  k: number,
  alpha: ScalarFor<L>,
  ...Matrix<L>,
  ...Vector<L>,
  ...Scaled<L>,
];
type PackedProduct<L extends Letter> = [
  ...Mirrored,
  n: number,
  alpha: ScalarFor<L>,
  ap: Data<L>,
  ...Vector<L>,
  ...Scaled<L>,
];
type Outer<L extends Letter> = [
  order: CblasOrder,
  m: number,
  n: number,
  alpha: ScalarFor<L>,
  ...Vectors<L>,
  ...Matrix<L>,
];
type Update<L extends Letter, Alpha> = [...Mirrored, n: number, alpha: Alpha, ...Vector<L>, ...Matrix<L>];
type PackedUpdate<L extends Letter, Alpha> = [
  ...Mirrored,
  n: number,
  alpha: Alpha,
  ...Vector<L>,
  ap: Data<L>,
];
type Update2<L extends Letter> = [...Mirrored, n: number, alpha: ScalarFor<L>, ...Vectors<L>, ...Matrix<L>];
type PackedUpdate2<L extends Letter> = [
  ...Mirrored,
  n: number,
  alpha: ScalarFor<L>,
  ...Vectors<L>,
  ap: Data<L>,
];

interface RealLevel2<L extends Letter> {
  symv: FullProduct<L>;
  sbmv: BandProduct<L>;
  spmv: PackedProduct<L>;
  ger: Outer<L>;
  syr: Update<L, number>;
  spr: PackedUpdate<L, number>;
  syr2: Update2<L>;
  spr2: PackedUpdate2<L>;
}

interface ComplexLevel2<L extends Letter> {
  hemv: FullProduct<L>;
  hbmv: BandProduct<L>;
  hpmv: PackedProduct<L>;
  geru: Outer<L>;
  gerc: Outer<L>;
  her: Update<L, number>;
  hpr: PackedUpdate<L, number>;
  her2: Update2<L>;
  hpr2: PackedUpdate2<L>;
}

type Sided<L extends Letter> = [
  order: CblasOrder,
  side: CblasSide,
  uplo: CblasUplo,
  m: number,
  n: number,
  alpha: ScalarFor<L>,
  ...Matrix<L>,
  ...Right<L>,
  ...Result<L>,
];
type RankK<L extends Letter, Alpha, Beta, B extends readonly unknown[]> = [
  order: CblasOrder,
  uplo: CblasUplo,
  trans: CblasTranspose,
  n: number,
  k: number,
  alpha: Alpha,
  ...Matrix<L>,
  ...B,
  beta: Beta,
  c: Data<L>,
  ldc: number,
];
type TriangularMatrix<L extends Letter> = [
  order: CblasOrder,
  side: CblasSide,
  uplo: CblasUplo,
  transA: CblasTranspose,
  diag: CblasDiag,
  m: number,
  n: number,
  alpha: ScalarFor<L>,
  ...Matrix<L>,
  ...Right<L>,
];
type Sizes = [
  order: CblasOrder,
  transA: CblasTranspose,
  transB: CblasTranspose,
  m: number,
  n: number,
  k: number,
];

interface Level3<L extends Letter> {
  gemm: [...Sizes, alpha: ScalarFor<L>, ...Matrix<L>, ...Right<L>, ...Result<L>];
  gemm_batch_strided: [
    ...Sizes,
    alpha: ScalarFor<L>,
    ...Matrix<L>,
    strideA: number,
    ...Right<L>,
    strideB: number,
    ...Result<L>,
    strideC: number,
    batch: number,
  ];
  /** Each list has an element for each group; those of matrices have one for each product. */
  gemm_batch: [
    order: CblasOrder,
    transA: ArrayLike<CblasTranspose>,
    transB: ArrayLike<CblasTranspose>,
    m: ArrayLike<number>,
    n: ArrayLike<number>,
    k: ArrayLike<number>,
    alpha: ArrayLike<ScalarFor<L>>,
    a: readonly Data<L>[],
    lda: ArrayLike<number>,
    b: readonly Data<L>[],
    ldb: ArrayLike<number>,
    beta: ArrayLike<ScalarFor<L>>,
    c: readonly Data<L>[],
    ldc: ArrayLike<number>,
    groupCount: number,
    groupSize: ArrayLike<number>,
  ];
  symm: Sided<L>;
  syrk: RankK<L, ScalarFor<L>, ScalarFor<L>, []>;
  syr2k: RankK<L, ScalarFor<L>, ScalarFor<L>, Right<L>>;
  trmm: TriangularMatrix<L>;
  trsm: TriangularMatrix<L>;
}

interface ComplexLevel3<L extends Letter> {
  hemm: Sided<L>;
  herk: RankK<L, number, number, []>;
  her2k: RankK<L, ScalarFor<L>, number, Right<L>>;
}

/** A method for each routine of a table, with the letter before its name. */
type Methods<L extends Letter, Table> = {
  [Name in keyof Table & string as `${L}${Name}`]: (
    ...args: Table[Name] extends readonly unknown[] ? Table[Name] : never
  ) => Promise<void>;
};

type All<L extends Letter> = Methods<L, Level1<L> & Level2<L> & Level3<L>>;
type Real<L extends 's' | 'd'> = All<L> & Methods<L, RealLevel2<L>>;
type OfComplex<L extends 'c' | 'z'> = All<L> & Methods<L, ComplexLevel2<L> & ComplexLevel3<L>>;

type Rotated<L extends Letter> = (n: number, ...args: [...Vectors<L>, c: number, s: number]) => Promise<void>;
type OfVector<L extends Letter> = (n: number, ...x: Vector<L>) => Promise<number>;
type OfVectors<L extends Letter, R = number> = (n: number, ...xy: Vectors<L>) => Promise<R>;

/** What has names of its own. */
interface Others {
  srot: Rotated<'s'>;
  drot: Rotated<'d'>;
  csrot: Rotated<'c'>;
  zdrot: Rotated<'z'>;
  srotm(n: number, ...args: [...Vectors<'s'>, param: Float32Array]): Promise<void>;
  drotm(n: number, ...args: [...Vectors<'d'>, param: Float64Array]): Promise<void>;
  csscal(n: number, alpha: number, ...x: Vector<'c'>): Promise<void>;
  zdscal(n: number, alpha: number, ...x: Vector<'z'>): Promise<void>;
  sdot: OfVectors<'s'>;
  ddot: OfVectors<'d'>;
  dsdot: OfVectors<'s'>;
  sdsdot(n: number, alpha: number, ...xy: Vectors<'s'>): Promise<number>;
  cdotu: OfVectors<'c', Complex>;
  cdotc: OfVectors<'c', Complex>;
  zdotu: OfVectors<'z', Complex>;
  zdotc: OfVectors<'z', Complex>;
  snrm2: OfVector<'s'>;
  dnrm2: OfVector<'d'>;
  scnrm2: OfVector<'c'>;
  dznrm2: OfVector<'z'>;
  sasum: OfVector<'s'>;
  dasum: OfVector<'d'>;
  scasum: OfVector<'c'>;
  dzasum: OfVector<'z'>;
  isamax: OfVector<'s'>;
  idamax: OfVector<'d'>;
  icamax: OfVector<'c'>;
  izamax: OfVector<'z'>;
}

/** All routines that are computed on the device. */
export type RoutineMethods = Real<'s'> & Real<'d'> & OfComplex<'c'> & OfComplex<'z'> & Others;
