/**
 * Any machine that runs work-items one by one: what passes are for when nobody names a machine, and what is left of a machine whose
 * vectors are not wanted.
 */
import type { Target } from './target.ts';

export const scalarMachine: Target = {
  name: 'scalar',
  description: 'any machine, one work-item at a time; no code',
  addressBits: [32, 64],
  vectors: undefined,
  costs: undefined,
  cache: { line: 64, ways: 8 },
  wants: { form: 'work-group', images: false, calls: true, runtimeUnroll: 4, carriedPointers: 3 },
  deepestNesting: Number.POSITIVE_INFINITY,
  emit: noCode,
};

/** A machine as it is for work-items one by one. */
export function withoutVectors(target: Target): Target {
  return { ...target, vectors: undefined, costs: undefined };
}

function noCode(): never {
  throw new Error('this target has no code generator: it is for those who want IR');
}
