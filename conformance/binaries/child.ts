/** A process that tries one damaged binary after the other, as its parent asks (campaign.ts). */
import { enableRelaxedSimd } from '../../src/cli/relaxed-simd.ts';
import { serveSeeds } from '../support/seeds-in-children.ts';
import { mutationOf, tryMutation } from './mutation.ts';
import { originals } from './originals.ts';

enableRelaxedSimd();
const all = originals();
serveSeeds(all.length, (seed) => {
  const mutation = mutationOf(seed, all);
  return { name: mutation.name, run: () => tryMutation(mutation) };
});
