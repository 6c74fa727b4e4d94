/** A process that tries hostile inputs of one kind, which its argument names, as its parent asks (campaign/parts.ts). */
import { enableRelaxedSimd } from '../../src/cli/relaxed-simd.ts';
import { Random } from '../../test/support/random.ts';
import { serveSeeds } from '../support/seeds-in-children.ts';
import { hostileKinds } from './index.ts';

const name = process.argv[2] ?? '';
const entry = hostileKinds[name];
if (!entry) throw new Error(`there is no kind '${name}' of hostile inputs`);
enableRelaxedSimd();
const kind = await entry.make();
serveSeeds(kind.originals, (seed) => {
  const random = new Random(seed);
  const input = kind.make(random);
  return {
    name: `${name}, ${input.length} ${typeof input === 'string' ? 'characters' : 'bytes'}`,
    run: () => kind.run(input, random),
  };
});
