/** A process in which things go wrong, of the kind that its argument names, as its parent asks (campaign/parts.ts). */
import { Random } from '../../test/support/random.ts';
import { serveSeeds } from '../support/seeds-in-children.ts';
import { faultKinds } from './index.ts';

const name = process.argv[2] ?? '';
const kind = faultKinds[name];
if (!kind) throw new Error(`there is no kind '${name}' of faults`);
await kind.start?.();
serveSeeds(0, (seed) => ({ name, run: () => kind.run(new Random(seed)) }));
