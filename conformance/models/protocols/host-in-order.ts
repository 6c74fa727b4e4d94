/** A command that the host runs, in an in-order queue. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const hostInOrder: Protocol = {
  about: 'commands of the host in order: nothing behind one begins before the host has answered',
  scaled: smallMachine,
  mutations: [
    {
      name: 'the next one does not wait for it',
      change: {
        file: files.inOrder,
        from: 'command.unresolved > 0 || this.#hostCommand ||',
        to: 'command.unresolved > 0 ||',
      },
    },
    {
      name: 'the queue stands still behind it',
      change: {
        file: files.inOrder,
        from: 'this.#hostCommand = false;\n        this.#count();',
        to: 'this.#count();',
      },
    },
    {
      name: 'its event is kept',
      change: {
        file: files.inOrder,
        from: 'this.#processor.events.release(command.event);\n        this.#hostCommand',
        to: 'this.#hostCommand',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: false } },
      commands: {
        failing: { kind: 'host', queue: 'q', fails: -5 },
        next: { kind: 'marker', queue: 'q' },
      },
      first: ['failing', 'next'],
      later: [],
    }),
};
