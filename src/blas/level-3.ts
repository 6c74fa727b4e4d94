/** Level 3: the routines on matrices. All are products of views (multiply.ts), triangular solves with substitution between them. */
import * as C from './constants.ts';
import type { Bound, Call, Use } from './core.ts';
import { applied, fullMatrix, type MatrixShape, shapeFor, sizesOf, triangleOf } from './matrix-arguments.ts';
import { conjugated, type MatrixView, partOf, transposed } from './matrix-view.ts';
import { type Factors, multiply } from './multiply.ts';
import type { Complex, NumberKind } from './number-kinds.ts';
import { type Arguments, isOne, isZero } from './read-arguments.ts';
import { type Routine, routines, type Work } from './routine.ts';
import { blocksOf, solveDiagonalBlock } from './triangular-solve.ts';

const nothing: Work = async () => {};

/** A scalar of a routine that may be real where the matrices are complex. */
function scalarOf(args: Arguments, name: string): number | Complex {
  const value = args.scalar(name);
  return args.kind.isComplex && typeof value === 'number' ? [value, 0] : value;
}

const conjugateOf = (alpha: number | Complex): number | Complex =>
  typeof alpha === 'number' ? alpha : [alpha[0], -alpha[1]];

export const gemmSignature =
  'order transA:trans transB:trans m:size n:size k:size alpha:scalar a:matrix lda:ld b:matrix ldb:ld beta:scalar c:matrix ldc:ld';

/** op(A) and op(B) by `transA` and `transB`. */
const transposedFactors = (args: Arguments, a: MatrixView, b: MatrixView) => ({
  a: applied(args, 'transA', a),
  b: applied(args, 'transB', b),
});

/** A product whose arguments have been checked: what it uses, and what is done once that is on the device. */
export interface PreparedProduct {
  readonly uses: readonly Use[];
  readonly multiply: (call: Call, bound: readonly Bound[]) => Promise<void>;
}

/** Undefined if there is nothing to do. */
export function prepareProduct(args: Arguments): PreparedProduct | undefined {
  const [m, n, k] = sizesOf(args);
  const a = fullMatrix(args, 'a', shapeFor(args, 'transA', m, k));
  const b = fullMatrix(args, 'b', shapeFor(args, 'transB', k, n));
  const c = fullMatrix(args, 'c', { rows: m, columns: n, isWritten: true });
  const [alpha, beta] = [args.scalar('alpha'), args.scalar('beta')];
  if (m === 0 || n === 0 || ((isZero(alpha) || k === 0) && isOne(beta))) return undefined;
  return {
    uses: [a.use, b.use, c.use],
    multiply: async (call, [ba, bb, bc]) => {
      const factors = { alpha, ...transposedFactors(args, a.view(ba!), b.view(bb!)) };
      await multiply(call, { kind: args.kind, terms: [factors], beta, c: c.view(bc!) });
    },
  };
}

function gemm(args: Arguments): Work {
  const product = prepareProduct(args);
  if (!product) return nothing;
  return async (call) => product.multiply(call, await call.bind(product.uses));
}

/** symm and hemm. */
function mirrored(args: Arguments, mirror: 'symmetric' | 'hermitian'): Work {
  const [m, n] = [args.number('m'), args.number('n')];
  const isLeft = args.is('side', C.CblasLeft);
  const size = isLeft ? m : n;
  const a = fullMatrix(args, 'a', { rows: size, columns: size, triangle: triangleOf(args), mirror });
  const b = fullMatrix(args, 'b', { rows: m, columns: n });
  const c = fullMatrix(args, 'c', { rows: m, columns: n, isWritten: true });
  const [alpha, beta] = [args.scalar('alpha'), args.scalar('beta')];
  if (m === 0 || n === 0 || (isZero(alpha) && isOne(beta))) return nothing;
  return async (call) => {
    const [ba, bb, bc] = await call.bind([a.use, b.use, c.use]);
    const [va, vb] = [a.view(ba!), b.view(bb!)];
    const factors = isLeft ? { alpha, a: va, b: vb } : { alpha, a: vb, b: va };
    await multiply(call, { kind: args.kind, terms: [factors], beta, c: c.view(bc!) });
  };
}

/** syrk, herk, syr2k, her2k: op(A) has n rows and k columns. */
function rankK(args: Arguments, isHermitian: boolean): Work {
  const { kind } = args;
  const refused = isHermitian ? C.CblasTrans : C.CblasConjTrans;
  if (args.is('trans', C.CblasConjNoTrans) || (kind.isComplex && args.is('trans', refused))) {
    args.fail('trans', `Illegal Trans setting, ${args.number('trans')}`);
  }
  const [n, k] = [args.number('n'), args.number('k')];
  const hasB = args.has('b');
  const shape: MatrixShape = shapeFor(args, 'trans', n, k);
  const matrices = [fullMatrix(args, 'a', shape), ...(hasB ? [fullMatrix(args, 'b', shape)] : [])];
  const triangle = triangleOf(args);
  const c = fullMatrix(args, 'c', { rows: n, columns: n, isWritten: true });
  const [alpha, beta] = [scalarOf(args, 'alpha'), scalarOf(args, 'beta')];
  if (n === 0 || ((isZero(alpha) || k === 0) && isOne(beta))) return nothing;
  const second = (view: MatrixView): MatrixView =>
    isHermitian ? conjugated(transposed(view)) : transposed(view);
  return async (call) => {
    const [bc, ...bound] = await call.bind([c.use, ...matrices.map(({ use }) => use)]);
    const [a, b] = matrices.map(({ view }, index) => applied(args, 'trans', view(bound[index]!)));
    const terms: Factors[] = b
      ? [
          { alpha, a: a!, b: second(b) },
          { alpha: isHermitian ? conjugateOf(alpha) : alpha, a: b, b: second(a!) },
        ]
      : [{ alpha, a: a!, b: second(a!) }];
    await multiply(call, { kind, terms, beta, c: c.view(bc!), triangle, isHermitian });
  };
}

interface TriangularViews {
  readonly a: MatrixView;
  readonly b: MatrixView;
}

const triangularSignature =
  'order side uplo transA:trans diag m:size n:size alpha:scalar a:matrix lda:ld b:matrix ldb:ld';

/** trmm and trsm. */
function triangular(args: Arguments, work: (views: TriangularViews, isLeft: boolean) => Work): Work {
  const [m, n] = [args.number('m'), args.number('n')];
  const isLeft = args.is('side', C.CblasLeft);
  const size = isLeft ? m : n;
  const unit = args.is('diag', C.CblasUnit);
  const a = fullMatrix(args, 'a', { rows: size, columns: size, triangle: triangleOf(args), unit });
  const b = fullMatrix(args, 'b', { rows: m, columns: n, isWritten: true });
  if (m === 0 || n === 0) return nothing;
  return async (call) => {
    const [ba, bb] = await call.bind([a.use, b.use]);
    await work({ a: applied(args, 'transA', a.view(ba!)), b: b.view(bb!) }, isLeft)(call);
  };
}

const zeroOf = ({ isComplex }: NumberKind): number | Complex => (isComplex ? [0, 0] : 0);
const oneOf = ({ isComplex }: NumberKind): number | Complex => (isComplex ? [1, 0] : 1);
const minusOneOf = ({ isComplex }: NumberKind): number | Complex => (isComplex ? [-1, 0] : -1);

function trmm(args: Arguments): Work {
  const { kind } = args;
  const alpha = args.scalar('alpha');
  return triangular(args, ({ a, b }, isLeft) => (call) => {
    const factors = isLeft ? { alpha, a, b } : { alpha, a: b, b: a };
    const inPlace = isLeft ? 'b' : 'a';
    return multiply(call, { kind, terms: [factors], beta: zeroOf(kind), c: b, inPlace });
  });
}

/** Rows of a diagonal block of trsm. */
const solveRows = 64;

/** A X = alpha B; where A is on the right, the transposed system. */
export function solveTriangular(
  kind: NumberKind,
  a: MatrixView,
  b: MatrixView,
  alpha: number | Complex,
): Work {
  return async (call) => {
    if (!isOne(alpha)) await multiply(call, { kind, terms: [], beta: alpha, c: b });
    if (isZero(alpha)) return;
    for (const { from, to } of blocksOf(a, solveRows)) {
      await solveDiagonalBlock(call, kind, a, b, from, to);
      const rest = a.triangle === 'lower' ? { from: to, count: a.rows - to } : { from: 0, count: from };
      if (rest.count === 0) continue;
      const term = {
        alpha: minusOneOf(kind),
        a: partOf(a, rest.from, from, rest.count, to - from, kind.parts),
        b: partOf(b, from, 0, to - from, b.columns, kind.parts),
      };
      const c = partOf(b, rest.from, 0, rest.count, b.columns, kind.parts);
      await multiply(call, { kind, terms: [term], beta: oneOf(kind), c });
    }
  };
}

function trsm(args: Arguments): Work {
  return triangular(args, ({ a, b }, isLeft) =>
    solveTriangular(args.kind, isLeft ? a : transposed(a), isLeft ? b : transposed(b), args.scalar('alpha')),
  );
}

const batchSignature =
  'order transA:trans transB:trans m:size n:size k:size alpha:scalar a:matrix lda:ld strideA:stride b:matrix ldb:ld strideB:stride beta:scalar c:matrix ldc:ld strideC:stride batch:size';

/** Products of one shape, whose matrices lie at equal distances. */
function stridedBatch(args: Arguments): Work {
  const [m, n, k] = sizesOf(args);
  const count = args.number('batch');
  const matrix = (name: string, shape: MatrixShape, isWritten: boolean) => {
    const stride = args.number(`stride${name.toUpperCase()}`);
    if (stride < 0) args.fail(`stride${name.toUpperCase()}`, `it is ${stride}`);
    return {
      ...fullMatrix(args, name, { ...shape, isWritten }, count > 0 ? (count - 1) * stride : 0),
      stride,
    };
  };
  const a = matrix('a', shapeFor(args, 'transA', m, k), false);
  const b = matrix('b', shapeFor(args, 'transB', k, n), false);
  const c = matrix('c', { rows: m, columns: n }, true);
  if (
    c.stride <
      (args.is('order', C.CblasRowMajor)
        ? (m - 1) * args.number('ldc') + n
        : (n - 1) * args.number('ldc') + m) &&
    count > 1
  ) {
    args.fail('strideC', `it is ${c.stride}: the results would overlap`);
  }
  const [alpha, beta] = [args.scalar('alpha'), args.scalar('beta')];
  if (m === 0 || n === 0 || count === 0 || ((isZero(alpha) || k === 0) && isOne(beta))) return nothing;
  return async (call) => {
    const [ba, bb, bc] = await call.bind([a.use, b.use, c.use]);
    const factors = { alpha, ...transposedFactors(args, a.view(ba!), b.view(bb!)) };
    const batch = { count, a: a.stride, b: b.stride, c: c.stride };
    await multiply(call, { kind: args.kind, terms: [factors], beta, c: c.view(bc!), batch });
  };
}

const sided =
  'order side uplo m:size n:size alpha:scalar a:matrix lda:ld b:matrix ldb:ld beta:scalar c:matrix ldc:ld';
const rank = (alpha: string, b: string, beta: string): string =>
  `order uplo trans n:size k:size alpha:${alpha} a:matrix lda:ld${b} beta:${beta} c:matrix ldc:ld`;
const withB = ' b:matrix ldb:ld';

export const level3Routines: readonly Routine[] = [
  ...routines('sdcz', '?gemm', gemmSignature, gemm),
  ...routines('sdcz', '?gemm_batch_strided', batchSignature, stridedBatch),
  ...routines('sdcz', '?symm', sided, (args) => mirrored(args, 'symmetric')),
  ...routines('cz', '?hemm', sided, (args) => mirrored(args, 'hermitian')),
  ...routines('sdcz', '?syrk', rank('scalar', '', 'scalar'), (args) => rankK(args, false)),
  ...routines('cz', '?herk', rank('real', '', 'real'), (args) => rankK(args, true)),
  ...routines('sdcz', '?syr2k', rank('scalar', withB, 'scalar'), (args) => rankK(args, false)),
  ...routines('cz', '?her2k', rank('scalar', withB, 'real'), (args) => rankK(args, true)),
  ...routines('sdcz', '?trmm', triangularSignature, trmm),
  ...routines('sdcz', '?trsm', triangularSignature, trsm),
];
