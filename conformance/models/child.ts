/** A process that runs models of the lock-free parts in random orders, as its parent asks (campaign/parts.ts). */
import { serveSeeds } from '../support/seeds-in-children.ts';
import { CoroutineLoader } from './coroutines.ts';
import { exploreRandomly, type MakeModel } from './explore.ts';
import { modelOf } from './model-of.ts';
import { protocols } from './protocols.ts';

/** Orders of one seed. */
const orders = 200;

const loader = await CoroutineLoader.create();
const models = Object.entries(protocols).map(([name, protocol]): [string, MakeModel] => [
  name,
  modelOf(loader, protocol),
]);

serveSeeds(models.length, (seed) => {
  const [name, make] = models[seed % models.length]!;
  return {
    name,
    run() {
      for (let order = 0; order < orders; order += 1) {
        const { failure } = exploreRandomly(make, seed * orders + order);
        if (failure !== undefined) throw new Error(failure);
      }
      return `${name} in ${orders} orders`;
    },
  };
});
