/** Level 2: the routines on a matrix and vectors. Each says how its matrix is stored; what is done is one of three things. */
import * as C from './constants.ts';
import type { Call } from './core.ts';
import {
  applied,
  bandMatrix,
  fullMatrix,
  type MatrixArgument,
  packedMatrix,
  shapeFor,
  triangleOf,
} from './matrix-arguments.ts';
import type { MatrixView } from './matrix-view.ts';
import { type Complex, type NumberKind, prologueOf } from './number-kinds.ts';
import { productWithVector } from './products-with-vectors.ts';
import { type Factor, rankUpdate, type Term } from './rank-updates.ts';
import { type Arguments, isOne, isZero } from './read-arguments.ts';
import { type Routine, routines, type Work } from './routine.ts';
import { kernelText, roundUp } from './text.ts';
import { blocksOf, solveBlock, solveDiagonalBlock } from './triangular-solve.ts';
import { type VectorView, vectorCode, vectorUse, vectorView } from './vectors.ts';

const nothing: Work = async () => {};

/** y = alpha op(A) x + beta y. */
function product(args: Arguments, a: MatrixArgument, rows: number, columns: number, trans?: string): Work {
  const [m, n] = [rows, columns];
  const { rows: outputs, columns: inputs } = trans ? shapeFor(args, trans, m, n) : { rows: m, columns: n };
  const [alpha, beta] = [args.scalar('alpha'), args.scalar('beta')];
  if (m === 0 || n === 0 || (isZero(alpha) && isOne(beta))) return nothing;
  const uses = [a.use, vectorUse(args, 'x', inputs, false), vectorUse(args, 'y', outputs, true)];
  return async (call) => {
    const [ba, bx, by] = await call.bind(uses);
    const view = a.view(ba!);
    await productWithVector(call, {
      kind: args.kind,
      a: trans ? applied(args, trans, view) : view,
      x: vectorView(args, 'x', inputs, bx!),
      y: vectorView(args, 'y', outputs, by!),
      alpha,
      beta,
      // What is multiplied by 0 is not looked at.
      ...(isZero(alpha) ? { columns: { from: 0, to: 0 } } : {}),
    });
  };
}

const one = (kind: NumberKind): number | Complex => (kind.isComplex ? [1, 0] : 1);
const zero = (kind: NumberKind): number | Complex => (kind.isComplex ? [0, 0] : 0);
const minusOne = (kind: NumberKind): number | Complex => (kind.isComplex ? [-1, 0] : -1);

/** What a routine does with op(A), a triangle, and x, which it replaces. */
type TriangularWork = (
  call: Call,
  view: MatrixView,
  x: VectorView,
  n: number,
  kind: NumberKind,
) => Promise<void>;

function onTriangle(args: Arguments, a: MatrixArgument, work: TriangularWork): Work {
  const n = args.number('n');
  if (n === 0) return nothing;
  const uses = [a.use, vectorUse(args, 'x', n, true)];
  return async (call) => {
    const [ba, bx] = await call.bind(uses);
    await work(call, applied(args, 'trans', a.view(ba!)), vectorView(args, 'x', n, bx!), n, args.kind);
  };
}

/** x = op(A) x. */
const triangularProduct: TriangularWork = async (call, view, x, n, kind) => {
  const y: VectorView = { memory: call.temporary(n * kind.parts * kind.bytes), offset: 0, inc: 1 };
  await productWithVector(call, { kind, a: view, x, y, alpha: one(kind), beta: zero(kind) });
  await copyVector(call, kind, n, y, x);
};

async function copyVector(
  call: Call,
  kind: NumberKind,
  n: number,
  from: VectorView,
  to: VectorView,
): Promise<void> {
  const [f, t] = [vectorCode(from, 'f', false), vectorCode(to, 't', true)];
  const source = kernelText(
    prologueOf(kind),
    'copy',
    ['int n', ...f.parameters, ...t.parameters],
    `${f.begin}${t.begin}  int i = get_global_id(0);\n  if (i < n) ${t.store('i', f.load('i'))};\n`,
  );
  await call.launch(source, { global: [roundUp(n, n < 32 ? 1 : 32)] }, [n, ...f.arguments, ...t.arguments]);
}

/** x = op(A)^-1 x. */
const triangularSolve: TriangularWork = async (call, view, x, n, kind) => {
  const column: MatrixView = {
    memory: x.memory,
    offset: x.offset,
    rows: n,
    columns: 1,
    form: { kind: 'strided', rs: x.inc, cs: 1 },
    conjugate: false,
  };
  for (const { from, to } of blocksOf(view, solveBlock)) {
    await solveDiagonalBlock(call, kind, view, column, from, to);
    const rows = view.triangle === 'lower' ? { from: to, to: n } : { from: 0, to: from };
    const columns = { from, to };
    const [alpha, beta] = [minusOne(kind), one(kind)];
    await productWithVector(call, { kind, a: view, x, y: x, alpha, beta, rows, columns });
  }
};

/** Terms from the vectors' views: `x`, and `y` if there is one. */
type Terms = (x: VectorView, y: VectorView) => readonly Term[];

function update(args: Arguments, a: MatrixArgument, rows: number, columns: number, terms: Terms): Work {
  const alpha = args.scalar('alpha');
  if (rows === 0 || columns === 0 || isZero(alpha)) return nothing;
  const hasY = args.has('y');
  const uses = [
    a.use,
    vectorUse(args, 'x', rows, false),
    ...(hasY ? [vectorUse(args, 'y', columns, false)] : []),
  ];
  return async (call) => {
    const [ba, bx, by] = await call.bind(uses);
    const x = vectorView(args, 'x', rows, bx!);
    const y = hasY ? vectorView(args, 'y', columns, by!) : x;
    await rankUpdate(call, args.kind, a.view(ba!), terms(x, y));
  };
}

const plain = (vector: VectorView): Factor => ({ vector, conjugate: false });
const conjugate = (vector: VectorView): Factor => ({ vector, conjugate: true });
/** A real scalar of her is one of the kind of the matrix. */
const alphaOf = (args: Arguments): number | Complex => {
  const alpha = args.scalar('alpha');
  return args.kind.isComplex && typeof alpha === 'number' ? [alpha, 0] : alpha;
};
const conjugateOf = (alpha: number | Complex): number | Complex =>
  typeof alpha === 'number' ? alpha : [alpha[0], -alpha[1]];

const square = (args: Arguments) => ({ rows: args.number('n'), columns: args.number('n') });

/** The three ways in which a square matrix is stored, by the letter that names have for them. */
type Storage = (args: Arguments, description: Parameters<typeof fullMatrix>[2]) => MatrixArgument;
const full: Storage = (args, description) => fullMatrix(args, 'a', description);
const packed: Storage = (args, description) => packedMatrix(args, 'ap', description);
const band: Storage = (args, description) => {
  const k = args.number('k');
  const isUpper = description.triangle === 'upper';
  return bandMatrix(args, 'a', description, isUpper ? 0 : k, isUpper ? k : 0);
};
const storages: readonly (readonly [letter: string, storage: Storage, size: string, matrix: string])[] = [
  ['?', full, 'n:size', 'a:matrix lda:ld'],
  ['b', band, 'n:size k:size', 'a:matrix lda:ld'],
  ['p', packed, 'n:size', 'ap:matrix'],
];

const xy = 'x:vector incx:inc beta:scalar y:vector incy:inc';

/** symv, sbmv, spmv, hemv, hbmv, hpmv. */
function mirroredProducts(letters: string, mirror: 'symmetric' | 'hermitian'): Routine[] {
  const first = mirror === 'symmetric' ? 's' : 'h';
  const names: Readonly<Record<string, string>> = {
    '?': first === 's' ? 'symv' : 'hemv',
    b: `${first}bmv`,
    p: `${first}pmv`,
  };
  return storages.flatMap(([letter, storage, size, matrix]) =>
    routines(letters, `?${names[letter]}`, `order uplo ${size} alpha:scalar ${matrix} ${xy}`, (args) => {
      const n = args.number('n');
      const a = storage(args, { ...square(args), triangle: triangleOf(args), mirror });
      return product(args, a, n, n);
    }),
  );
}

/** trmv, tbmv, tpmv and trsv, tbsv, tpsv. */
const triangular = storages.flatMap(([letter, storage, size, matrix]) =>
  (['mv', 'sv'] as const).flatMap((end) =>
    routines(
      'sdcz',
      `?t${letter === '?' ? 'r' : letter}${end}`,
      `order uplo trans diag ${size} ${matrix} x:vector incx:inc`,
      (args) => {
        const unit = args.is('diag', C.CblasUnit);
        const a = storage(args, { ...square(args), triangle: triangleOf(args), unit });
        return onTriangle(args, a, end === 'mv' ? triangularProduct : triangularSolve);
      },
    ),
  ),
);

/** syr, spr, her, hpr and those of rank 2. */
function mirroredUpdates(letters: string, mirror: 'symmetric' | 'hermitian'): Routine[] {
  const isHermitian = mirror === 'hermitian';
  const second = isHermitian ? conjugate : plain;
  const names = isHermitian ? ['her', 'hpr'] : ['syr', 'spr'];
  return [full, packed].flatMap((storage, s) => {
    const matrix = s === 0 ? 'a:matrix lda:ld' : 'ap:matrix';
    const argument = (args: Arguments) =>
      storage(args, { ...square(args), triangle: triangleOf(args), mirror, isWritten: true });
    return [
      ...routines(
        letters,
        `?${names[s]}`,
        `order uplo n:size alpha:${isHermitian ? 'real' : 'scalar'} x:vector incx:inc ${matrix}`,
        (args) => {
          const n = args.number('n');
          const alpha: number | Complex = isHermitian ? [args.number('alpha'), 0] : alphaOf(args);
          if (isZero(alpha)) return nothing;
          return update(args, argument(args), n, n, (x) => [{ alpha, u: plain(x), v: second(x) }]);
        },
      ),
      ...routines(
        letters,
        `?${names[s]}2`,
        `order uplo n:size alpha:scalar x:vector incx:inc y:vector incy:inc ${matrix}`,
        (args) => {
          const n = args.number('n');
          const alpha = alphaOf(args);
          return update(args, argument(args), n, n, (x, y) => [
            { alpha, u: plain(x), v: second(y) },
            { alpha: isHermitian ? conjugateOf(alpha) : alpha, u: plain(y), v: second(x) },
          ]);
        },
      ),
    ];
  });
}

function outer(args: Arguments, v: (vector: VectorView) => Factor): Work {
  const [rows, columns] = [args.number('m'), args.number('n')];
  const a = fullMatrix(args, 'a', { rows, columns, isWritten: true });
  const alpha = args.scalar('alpha');
  return update(args, a, rows, columns, (x, y) => [{ alpha, u: plain(x), v: v(y) }]);
}
const outerSignature = 'order m:size n:size alpha:scalar x:vector incx:inc y:vector incy:inc a:matrix lda:ld';

export const level2Routines: readonly Routine[] = [
  ...routines('sdcz', '?gemv', `order trans m:size n:size alpha:scalar a:matrix lda:ld ${xy}`, (args) => {
    const [rows, columns] = [args.number('m'), args.number('n')];
    return product(args, fullMatrix(args, 'a', { rows, columns }), rows, columns, 'trans');
  }),
  ...routines(
    'sdcz',
    '?gbmv',
    `order trans m:size n:size kl:size ku:size alpha:scalar a:matrix lda:ld ${xy}`,
    (args) => {
      const [rows, columns] = [args.number('m'), args.number('n')];
      const a = bandMatrix(args, 'a', { rows, columns }, args.number('kl'), args.number('ku'));
      return product(args, a, rows, columns, 'trans');
    },
  ),
  ...mirroredProducts('sd', 'symmetric'),
  ...mirroredProducts('cz', 'hermitian'),
  ...triangular,
  ...routines('sd', '?ger', outerSignature, (args) => outer(args, plain)),
  ...routines('cz', '?geru', outerSignature, (args) => outer(args, plain)),
  ...routines('cz', '?gerc', outerSignature, (args) => outer(args, conjugate)),
  ...mirroredUpdates('sd', 'symmetric'),
  ...mirroredUpdates('cz', 'hermitian'),
];
