/** A command of an in-order queue that waits for an event that the program ends. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const userEventsInOrder: Protocol = {
  about: 'events that the program ends, in order: nobody sleeps over one that ends while it is asked about',
  scaled: smallMachine,
  mutations: [
    {
      name: 'an event that ends while it is asked about is forgotten',
      change: {
        file: files.dependencies,
        from: 'if (!this.#events.watchFromProcessor(event)) this.#late = true;',
        to: 'this.#events.watchFromProcessor(event);',
      },
    },
    {
      name: 'the processor sleeps although one has ended while it was asked about',
      change: { file: files.processor, from: 'if (this.dependencies.hasNews) progress = true;', to: '' },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: false } },
      commands: {
        failing: { kind: 'user', fails: -5 },
        waiting: { kind: 'marker', queue: 'q', waits: ['failing'] },
      },
      first: ['waiting'],
      later: ['failing'],
    }),
};
