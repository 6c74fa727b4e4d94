/** A process that tries one damaged binary after the other, as its parent asks (campaign.ts): one may hang, or take all memory. */
import { enableRelaxedSimd } from '../../src/cli/relaxed-simd.ts';
import { mutationOf, tryMutation } from './mutation.ts';
import { originals } from './originals.ts';

/** What a child says. */
export type Message =
  /** How many binaries there are to damage. */
  | { readonly what: 'ready'; readonly originals: number }
  | { readonly what: 'fate'; readonly seed: number; readonly fate: string; readonly milliseconds: number }
  | { readonly what: 'failed'; readonly seed: number; readonly name: string; readonly error: string };

if (!process.send)
  throw new Error("this is a part of 'npm run conformance -- binaries', and nothing by itself");
enableRelaxedSimd();
const say = (message: Message): void => void process.send!(message);
const all = originals();
process.on('message', (seeds: readonly number[]) => {
  for (const seed of seeds) {
    const start = performance.now();
    let name = 'the damage itself';
    try {
      const mutation = mutationOf(seed, all);
      ({ name } = mutation);
      const fate = tryMutation(mutation);
      say({ what: 'fate', seed, fate, milliseconds: performance.now() - start });
    } catch (error) {
      say({ what: 'failed', seed, name, error: (error as Error).stack ?? String(error) });
    }
  }
});
// The parent is gone.
process.on('disconnect', () => process.exit());
say({ what: 'ready', originals: all.length });
