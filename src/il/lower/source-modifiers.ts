/**
 * What the modifiers of a source do where, and in what order: that of the IL specification (2.2.7), wherever they are written.
 *
 * `_neg(yz)` names positions, what the swizzle has put there: in `r1.wzyx_neg(x)` the w of r1 is negated. A source with one
 * selector is one number for every position, so that whatever `_neg` names there negates that number: programs write
 * `iadd r0.w, r0.w, l0.y_neg(y)` for a difference and `rsq r0, r1.y_neg(x)` for the root of -y.
 */
import type { Source } from '../tree.ts';

/** What is done to a float, one thing after another; integers, doubles and bits know `neg` and `abs` only. */
export type Step = 'invert' | 'bias' | 'x2' | 'sign' | 'divcomp' | 'abs' | 'neg' | 'sat';

/** The steps of each modifier. */
const stepsOf: Readonly<Record<string, readonly Step[]>> = {
  invert: ['invert'],
  bias: ['bias'],
  bx2: ['bias', 'x2'],
  x2: ['x2'],
  sign: ['sign'],
  divcomp: ['divcomp'],
  abs: ['abs'],
  neg: ['neg'],
  sat: ['sat'],
};

const order: readonly Step[] = ['invert', 'bias', 'x2', 'sign', 'divcomp', 'abs', 'neg', 'sat'];

/** Which of the positions x, y, z and w a list of components such as `xw` names. */
const names = (components: string, position: number): boolean =>
  components.includes('xyzw'.charAt(position)) || components.includes('rgba'.charAt(position));

/** Whether a source's negation acts at a position. */
export function isNegated({ swizzle, modifiers }: Source, position: number): boolean {
  const isScalar = swizzle?.length === 1;
  return modifiers.some(
    ({ name, components }) => name === 'neg' && (isScalar || names(components, position)),
  );
}

/** The position whose value divides those before it: 0, which divides none, without `_divcomp`. */
export function divisorOf({ modifiers }: Source): number {
  const components = modifiers.find(({ name }) => name === 'divcomp')?.components ?? 'x';
  return Math.max('xyzw'.indexOf(components), 'rgba'.indexOf(components));
}

/** What changes the value at a position, in order. */
export function stepsAt(source: Source, position: number): readonly Step[] {
  const { modifiers } = source;
  if (modifiers.length === 0) return [];
  const there = new Set(modifiers.flatMap(({ name }) => stepsOf[name] ?? []));
  if (there.has('neg') && !isNegated(source, position)) there.delete('neg');
  if (there.has('divcomp') && position >= divisorOf(source)) there.delete('divcomp');
  return order.filter((step) => there.has(step));
}
