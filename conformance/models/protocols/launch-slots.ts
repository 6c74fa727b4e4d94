/** Launches that wait for slots, of which there are two, with as many compute threads. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const launchSlots: Protocol = {
  about:
    'slots of launches: none is used while a thread is at it, and a launch that waits for one gets the next',
  scaled: smallMachine,
  isLarge: true,
  mutations: [
    {
      name: 'who leaves a slot tells nobody',
      change: {
        file: files.worker,
        from: 'Atomics.store(words, wanted, 0);\n      this.#launches.ringProcessor();',
        to: '',
      },
    },
    {
      name: 'a slot is used while a thread is at it',
      change: {
        file: files.launches,
        from: 'if (this.state(slot) === launchState.free && !this.isVisited(slot)) return slot;',
        to: 'if (this.state(slot) === launchState.free) return slot;',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: true } },
      commands: {
        failing: { kind: 'launch', queue: 'q', fails: -5 },
        second: { kind: 'launch', queue: 'q' },
        third: { kind: 'launch', queue: 'q' },
      },
      first: ['failing', 'second', 'third'],
      later: [],
      workers: 2,
    }),
};
