/** Which of a source's modifiers act where, and in what order. */
import type { Source, SourceModifier } from '../tree.ts';

/** Whether a list of components such as `xw` names a position. */
export const touches = (components: string, position: number): boolean =>
  components.includes('xyzw'.charAt(position)) || components.includes('rgba'.charAt(position));

/** The modifiers that change what is at a position: negations name theirs, the others act on all. */
export const actingAt = ({ modifiers }: Source, position: number): readonly SourceModifier[] =>
  modifiers.filter(({ name, components }) => name !== 'neg' || touches(components, position));

/** The negation comes last, wherever it is written. */
export function ordered({ modifiers }: Source): readonly SourceModifier[] {
  if (modifiers.length < 2) return modifiers;
  return [...modifiers].sort((a, b) => Number(a.name === 'neg') - Number(b.name === 'neg'));
}
