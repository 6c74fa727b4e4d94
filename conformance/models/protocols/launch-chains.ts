/** Launches that are prepared ahead in an in-order queue, one of which fails, and a marker. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const launchChains: Protocol = {
  about:
    'launches in order: each begins behind the one before, also if its slot is free again, and the marker behind all',
  scaled: smallMachine,
  isLarge: true,
  mutations: [
    {
      name: 'the marker overtakes launches',
      change: { file: files.inOrder, from: 'if (this.#launches.length > 0) return false;', to: '' },
    },
    {
      name: 'a launch is put behind one whose slot is free',
      change: {
        file: files.inOrder,
        from: 'const previous = tail && !tail.done ? tail.slot : -1;',
        to: 'const previous = tail ? tail.slot : -1;',
      },
    },
    {
      name: 'a launch that ends first counts for the one before',
      change: {
        file: files.inOrder,
        from: 'while (this.#launches[0]?.done) {',
        to: 'while (this.#launches.some(({ done }) => done)) {\n      for (const one of this.#launches) one.done = false;',
      },
    },
    {
      name: 'launches begin at once',
      change: {
        file: files.processor,
        from: 'if (previous < 0) this.launches.activate(slot);\n    else this.launches.chain(previous, slot);',
        to: 'this.launches.activate(slot);',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: false } },
      commands: {
        failing: { kind: 'launch', queue: 'q', fails: -5 },
        second: { kind: 'launch', queue: 'q' },
        third: { kind: 'launch', queue: 'q' },
        last: { kind: 'marker', queue: 'q' },
      },
      first: ['failing', 'second'],
      later: ['third', 'last'],
      workers: 2,
    }),
};
