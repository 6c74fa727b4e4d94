/**
 * The lock-free parts in every order of their steps (conformance/models): nothing goes wrong, and each mutation that breaks a protocol is found. Orders
 * are run up to a number here; `npm run campaign -- models` goes on.
 */
import { describe, expect, it } from 'vitest';
import { type Coroutine, CoroutineLoader } from '../../conformance/models/coroutines.ts';
import { exploreAll, exploreRandomly, type MakeModel } from '../../conformance/models/explore.ts';
import { modelOf } from '../../conformance/models/model-of.ts';
import { protocols } from '../../conformance/models/protocols.ts';

const loader = await CoroutineLoader.create();

/** Orders that are tried for a mutation, at random and in turn, before it counts as not found. */
const mostOrders = 4000;

function failureOf(make: MakeModel): string | undefined {
  for (let seed = 1; seed <= mostOrders; seed += 1) {
    const { failure } = exploreRandomly(make, seed);
    if (failure !== undefined) return failure;
  }
  return exploreAll(make, mostOrders).failure;
}

describe.each(Object.entries(protocols))('%s', (_name, protocol) => {
  const isLarge = protocol.isLarge === true;

  it('holds in every order', { timeout: 300_000 }, () => {
    const { failure, isWhole } = exploreAll(modelOf(loader, protocol), isLarge ? 2000 : 40_000);
    expect(failure).toBeUndefined();
    expect(isWhole).toBe(!isLarge);
    for (let seed = 1; seed <= 500; seed += 1)
      expect(exploreRandomly(modelOf(loader, protocol), seed).failure).toBeUndefined();
  });

  it.each(protocol.mutations)('is found broken if $name', { timeout: 300_000 }, (mutation) => {
    expect(failureOf(modelOf(loader, protocol, mutation))).toBeDefined();
  });
});

describe('the exploration', () => {
  /** Two threads that each add to a word in two steps. */
  const counter =
    (isAtomic: boolean): MakeModel =>
    ({ seen, raw }) => {
      function* add(): Coroutine {
        if (isAtomic) {
          yield { name: 'add', args: [seen, 0, 1] };
          return;
        }
        const value = (yield { name: 'load', args: [seen, 0] }) as number;
        yield { name: 'store', args: [seen, 0, value + 1] };
      }
      return {
        threads: { one: add(), other: add() },
        check() {
          if (raw[0] !== 2) throw new Error(`the sum is ${raw[0]}`);
        },
      };
    };

  it('runs all orders, and of those that are alike one', () => {
    expect(exploreAll(counter(true), 100)).toMatchObject({ isWhole: true, failure: undefined, runs: 2 });
    expect(exploreAll(counter(false), 100).failure).toMatch(/^the sum is 1\n/);
    const apart: MakeModel = ({ seen }) => {
      function* write(word: number): Coroutine {
        for (let time = 0; time < 5; time += 1) yield { name: 'store', args: [seen, word, time] };
      }
      return { threads: { one: write(0), other: write(1), third: write(2) }, check() {} };
    };
    const { runs, pruned, isWhole } = exploreAll(apart, 1000);
    expect(isWhole).toBe(true);
    expect(runs - pruned).toBe(1);
  });

  it('finds sleep that nobody ends, and loops that look for what does not come', () => {
    const waits: MakeModel = ({ seen }) => {
      function* sleeper(): Coroutine {
        yield { name: 'wait', args: [seen, 0, 0] };
      }
      function* looker(): Coroutine {
        while ((yield { name: 'load', args: [seen, 1] }) === 0);
      }
      return { threads: { sleeper: sleeper(), looker: looker() }, check() {} };
    };
    expect(exploreAll(waits, 100).failure).toMatch(
      /^nothing moves any more: sleeper sleeps on 0, looker looks for what does not come/,
    );
  });
});
