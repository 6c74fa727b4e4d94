/**
 * What pays for machines that run very many work-items at once and know them themselves, as processors of graphics do: given to `optimise` by
 * those who compile for one, so that nobody else loads them.
 */
import type { Pass } from '../manager.ts';
import { unrollPartially } from './partial-unroll.ts';
import { promoteScalars } from './scalar-promotion.ts';

/** Such a processor waits for loads in order, and hides that by other work-items, as far as there are some. */
const iterations = 4;

export const shaderPasses: readonly Pass[] = [
  {
    name: 'scalar-promotion',
    run: (fn, { addressBits }) => promoteScalars(fn, addressBits),
    resizes: true,
  },
  {
    name: 'partial-unroll',
    run: (fn, { addressBits }) => unrollPartially(fn, iterations, addressBits),
    resizes: true,
  },
];
