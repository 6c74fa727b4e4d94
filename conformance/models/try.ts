import { CoroutineLoader } from './coroutines.ts';
import { exploreAll, exploreRandomly } from './explore.ts';
import { modelOf } from './model-of.ts';
import { machineIn, smallMachine, type Scenario } from './command-machine.ts';
const loader = await CoroutineLoader.create();
const scenarios: Record<string, Scenario> = {
  overtaking: {
    queues: { q: { outOfOrder: true } },
    commands: {
      a: { kind: 'launch', queue: 'q', until: ['b'] },
      b: { kind: 'launch', queue: 'q', until: ['a'] },
      m: { kind: 'marker', queue: 'q' },
    },
    first: ['a', 'b', 'm'], then: [],
  },
  barrier: {
    queues: { q: { outOfOrder: true } },
    commands: {
      a: { kind: 'launch', queue: 'q' },
      b: { kind: 'barrier', queue: 'q' },
      c: { kind: 'launch', queue: 'q' },
    },
    first: ['a', 'b'], then: ['c'],
  },
  user: {
    queues: { q: { outOfOrder: true } },
    commands: {
      u: { kind: 'user', fails: -5 },
      a: { kind: 'marker', queue: 'q', waits: ['u'] },
      b: { kind: 'marker', queue: 'q', waits: ['a'] },
      c: { kind: 'marker', queue: 'q' },
    },
    first: ['a', 'b'], then: ['u','c'],
  },
  two: {
    queues: { p: { outOfOrder: false }, q: { outOfOrder: false} },
    commands: {
      a: { kind: 'launch', queue: 'q', },
      b: { kind: 'marker', queue: 'p', waits: ['a'] },
    },
    first: [], then: ['a', 'b'],
  },
  host: {
    queues: { q: { outOfOrder: true} },
    commands: {
      a: { kind: 'host', queue: 'q', },
      b: { kind: 'marker', queue: 'q', waits: ['a'] },
    },
    first: ['a'], then: ['b'],
  },
  chain: {
    queues: { q: { outOfOrder: false} },
    commands: {
      a: { kind: 'launch', queue: 'q', },
      b: { kind: 'launch', queue: 'q' },
      m: { kind: 'marker', queue: 'q' },
    },
    first: ['a', 'b', 'm'], then: [],
  },
  devices: {
    queues: { q: { outOfOrder: false}, p: {outOfOrder: false, device: 1} },
    commands: {
      a: { kind: 'marker', queue: 'q', },
      b: { kind: 'marker', queue: 'p', waits: ['a'] },
    },
    first: ['a', 'b'], then: [],
  },
};
const only = process.argv[2];
for (const [name, s] of Object.entries(scenarios)) {
  if (only && only !== name) continue;
  const make = () => modelOf(loader, { about: '', scaled: smallMachine, mutations: [], make: (load) => machineIn(load, s) });
  const m = make();
  let bad;
  for (let i = 1; i <= 300 && !bad; i++) bad = exploreRandomly(m, i).failure;
  if (bad) { console.log(name, 'random', bad); continue; }
  const t = performance.now();
  const { failure, runs, pruned, steps, isWhole } = exploreAll(m, 60000);
  console.log(name, { runs, pruned, per: steps/runs, isWhole, s: (performance.now() - t)/1000 }, failure ?? '');
}
