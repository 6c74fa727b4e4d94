/** A barrier between launches of an out-of-order queue, with a wait list behind it. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const barriers: Protocol = {
  about:
    'barriers: they wait for all before them, and nothing behind one begins before its end, also with a wait list of its own',
  scaled: smallMachine,
  isLarge: true,
  mutations: [
    {
      name: 'nothing waits for a barrier',
      change: {
        file: files.outOfOrder,
        from: 'if (kind === commandKind.barrier) this.#barrier = command;',
        to: '',
      },
    },
    {
      name: 'what comes later waits for a barrier that has ended',
      change: {
        file: files.outOfOrder,
        from: 'if (this.#barrier === command) this.#barrier = undefined;',
        to: '',
      },
    },
    {
      name: 'a command with a wait list overtakes a barrier',
      change: {
        file: files.outOfOrder,
        from: 'if (this.#barrier) this.#follow(this.#barrier, command);',
        to: 'if (this.#barrier && waits.length === 0) this.#follow(this.#barrier, command);',
      },
    },
    {
      name: 'those behind a barrier are not told of its end',
      change: {
        file: files.outOfOrder,
        from: 'if (follower.unresolved === 0) this.#ready.push(follower);',
        to: '',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: true } },
      commands: {
        over: { kind: 'user' },
        before: { kind: 'launch', queue: 'q', fails: -5 },
        barrier: { kind: 'barrier', queue: 'q' },
        behind: { kind: 'launch', queue: 'q', waits: ['over'] },
        last: { kind: 'marker', queue: 'q', waits: ['behind'] },
      },
      first: ['over', 'before', 'barrier'],
      later: ['behind', 'last'],
    }),
};
