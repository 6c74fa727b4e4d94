/** Level 2, A = A + alpha u v^T, once or twice, for every kind of matrix that is written: ger, syr, her, syr2, her2 and the packed ones. */
import type { Call } from './core.ts';
import { type MatrixView, viewCode } from './matrix-view.ts';
import { type Complex, type NumberKind, prologueOf } from './number-kinds.ts';
import { kernelText, roundUp } from './text.ts';
import { type VectorView, vectorCode } from './vectors.ts';

export interface Factor {
  readonly vector: VectorView;
  readonly conjugate: boolean;
}

/** alpha u v^T. */
export interface Term {
  readonly alpha: number | Complex;
  readonly u: Factor;
  readonly v: Factor;
}

export async function rankUpdate(
  call: Call,
  kind: NumberKind,
  a: MatrixView,
  terms: readonly Term[],
): Promise<void> {
  const ca = viewCode(a, 'a', '');
  const codes = terms.map(({ u, v }, t) => ({
    u: vectorCode(u.vector, `u${t}`, false),
    v: vectorCode(v.vector, `v${t}`, false),
  }));
  const value = (factor: Factor, load: string): string => (factor.conjugate ? `CONJ(${load})` : load);
  const sums = terms.map(
    ({ u, v }, t) =>
      `  e = MAD(MUL(alpha${t}, ${value(u, codes[t]!.u.load('i'))}), ${value(v, codes[t]!.v.load('j'))}, e);\n`,
  );
  // Neighbouring work-items are to have neighbouring elements.
  const isByRow = a.form.kind === 'strided' ? a.form.cs === 1 : a.form.major === 'row';
  const [i, j] = isByRow ? [1, 0] : [0, 1];
  const isThere = a.triangle && (a.triangle === 'upper' ? 'i <= j' : 'i >= j');
  const body = `${ca.begin}${codes.map(({ u, v }) => u.begin + v.begin).join('')}  int i = get_global_id(${i}), j = get_global_id(${j});
  if (i >= rows || j >= a_columns${isThere ? ` || !(${isThere})` : ''}) return;
  T e = LD(${ca.base}, ${ca.index('i', 'j')});
${sums.join('')}${a.mirror === 'hermitian' ? '  if (i == j) e = RE(e);\n' : ''}  ST(${ca.base}, ${ca.index('i', 'j')}, e);
`;
  const source = kernelText(
    prologueOf(kind),
    'update',
    [
      'int rows',
      ...terms.map((_, t) => `T alpha${t}`),
      ...ca.parameters,
      ...codes.flatMap(({ u, v }) => [...u.parameters, ...v.parameters]),
    ],
    body,
  );
  const lengths = isByRow ? [a.columns, a.rows] : [a.rows, a.columns];
  const global = [roundUp(lengths[0]!, lengths[0]! < 32 ? 1 : 32), lengths[1]!];
  await call.launch(source, { global }, [
    a.rows,
    ...terms.map(({ alpha }) => alpha),
    ...ca.arguments,
    ...codes.flatMap(({ u, v }) => [...u.arguments, ...v.arguments]),
  ]);
}
