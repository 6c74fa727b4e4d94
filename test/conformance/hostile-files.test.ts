/** What the hostile inputs of files and texts are damaged from is read: of inputs that are all refused early nothing would be learned. */
import { expect, it } from 'vitest';
import { hostileKinds } from '../../conformance/hostile/index.ts';
import { Random } from '../support/random.ts';

it.each(['pictures', 'npy', 'simulations', 'traces', 'links', 'cache'])('some %s are read', async (name) => {
  const kind = await hostileKinds[name]!.make();
  const outcomes = new Map<string, number>();
  for (let seed = 1; seed <= 2000; seed += 1) {
    const random = new Random(seed);
    const outcome = await kind.run(kind.make(random), random);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  const refused = outcomes.get('refused') ?? 0;
  expect(refused).toBeGreaterThan(100);
  expect(2000 - refused).toBeGreaterThan(20);
});
