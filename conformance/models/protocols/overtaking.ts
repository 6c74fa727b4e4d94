/** Launches of an out-of-order queue that wait for each other's work-groups, and a marker. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const overtaking: Protocol = {
  about:
    'commands out of order: what does not wait for others begins beside them, a marker behind all, and the count is of those that have ended with all before',
  scaled: smallMachine,
  isLarge: true,
  mutations: [
    {
      name: 'a command waits for the one before it',
      change: {
        file: files.outOfOrder,
        from: 'if (this.#barrier) this.#follow(this.#barrier, command);',
        to: 'const newest = this.#open.at(-1);\n    if (newest && !newest.ended) this.#follow(newest, command);',
      },
    },
    {
      name: 'a marker waits for nothing',
      change: {
        file: files.outOfOrder,
        from: 'const gathers = kind === commandKind.marker || kind === commandKind.barrier;',
        to: 'const gathers = kind === commandKind.barrier;',
      },
    },
    {
      name: 'a marker waits for what has ended',
      change: {
        file: files.outOfOrder,
        from: 'if (!earlier.ended && earlier !== this.#barrier) this.#follow(earlier, command);',
        to: 'if (earlier !== this.#barrier) this.#follow(earlier, command);',
      },
    },
    {
      name: 'a command counts for those before it',
      change: {
        file: files.outOfOrder,
        from: 'const completed = this.#open[this.#oldest]?.number ?? this.#read;',
        to: 'const completed = command.number + 1;',
      },
    },
    {
      name: 'what finds no slot is forgotten',
      change: { file: files.outOfOrder, from: 'else this.#ready.push(command);', to: '' },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: true } },
      commands: {
        first: { kind: 'launch', queue: 'q', until: ['second'] },
        second: { kind: 'launch', queue: 'q', until: ['first'] },
        third: { kind: 'launch', queue: 'q' },
        last: { kind: 'marker', queue: 'q' },
      },
      first: ['first', 'second', 'third'],
      later: ['last'],
    }),
};
