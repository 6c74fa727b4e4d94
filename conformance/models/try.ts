import { machineIn, type Scenario, smallMachine } from './command-machine.ts';
import { CoroutineLoader } from './coroutines.ts';
import { exploreAll, exploreRandomly } from './explore.ts';
import { modelOf } from './model-of.ts';

const loader = await CoroutineLoader.create();
const scenarios: Record<string, Scenario> = {
  user: {
    queues: { q: { outOfOrder: true } },
    commands: {
      u: { kind: 'user', fails: -5 },
      v: { kind: 'user' },
      a: { kind: 'marker', queue: 'q', waits: ['u', 'v'] },
      b: { kind: 'marker', queue: 'q', waits: ['a'] },
    },
    first: ['a', 'b'],
    then: ['u', 'v'],
  },
  queues: {
    queues: { p: { outOfOrder: false }, q: { outOfOrder: true } },
    commands: {
      a: { kind: 'launch', queue: 'q', fails: -5 },
      b: { kind: 'marker', queue: 'p', waits: ['a'] },
    },
    first: ['b'],
    then: ['a'],
  },
  queuesIn: {
    queues: { p: { outOfOrder: true }, q: { outOfOrder: false } },
    commands: {
      a: { kind: 'launch', queue: 'q', fails: -5 },
      b: { kind: 'marker', queue: 'p', waits: ['a'] },
      c: { kind: 'marker', queue: 'p', waits: ['a'] },
    },
    first: ['b', 'a', 'c'],
    then: [],
  },
  devices: {
    queues: { q: { outOfOrder: false }, p: { outOfOrder: true, device: 1 } },
    commands: {
      a: { kind: 'launch', queue: 'q', fails: -5 },
      b: { kind: 'marker', queue: 'p', waits: ['a'] },
    },
    first: ['a', 'b'],
    then: [],
  },
  barrierA: {
    queues: { q: { outOfOrder: true } },
    commands: {
      b: { kind: 'barrier', queue: 'q', waits: ['u'] },
      u: { kind: 'user' },
      c: { kind: 'marker', queue: 'q' },
    },
    first: ['b'],
    then: ['u', 'c'],
  },
  barrierB: {
    queues: { q: { outOfOrder: true } },
    commands: {
      a: { kind: 'launch', queue: 'q' },
      b: { kind: 'barrier', queue: 'q' },
      c: { kind: 'marker', queue: 'q' },
      u: { kind: 'user' },
    },
    first: ['a', 'b', 'c'],
    then: ['u'],
  },
  barrierC: {
    queues: { q: { outOfOrder: true } },
    commands: {
      a: { kind: 'launch', queue: 'q' },
      b: { kind: 'barrier', queue: 'q' },
      c: { kind: 'launch', queue: 'q' },
    },
    first: ['a', 'b', 'c'],
    then: [],
  },
  chain2: {
    queues: { q: { outOfOrder: false } },
    commands: {
      a: { kind: 'launch', queue: 'q' },
      b: { kind: 'launch', queue: 'q' },
    },
    first: ['a', 'b'],
    then: [],
  },
};
const only = process.argv[2];
for (const [name, s] of Object.entries(scenarios)) {
  if (only && only !== name) continue;
  const make = () =>
    modelOf(loader, { about: '', scaled: smallMachine, mutations: [], make: (load) => machineIn(load, s) });
  const m = make();
  let bad;
  for (let i = 1; i <= 100 && !bad; i++) bad = exploreRandomly(m, i).failure;
  if (bad) {
    console.log(name, 'random', bad);
    continue;
  }
  const t = performance.now();
  const { failure, runs, pruned, steps, isWhole } = exploreAll(m, Number(process.argv[3] ?? 15000));
  console.log(
    name,
    { runs, pruned, per: steps / runs, isWhole, s: (performance.now() - t) / 1000 },
    failure ?? '',
  );
}
