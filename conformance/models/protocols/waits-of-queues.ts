/** Commands that wait for a command of another queue, which fails. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const waitsOfQueues: Protocol = {
  about:
    'commands of another queue: who waits for one is told of its end once, whether that had been read before or not',
  scaled: smallMachine,
  mutations: [
    {
      name: 'nobody is told of the end of a launch',
      change: {
        file: files.processor,
        from: 'this.dependencies.ended(command.event);\n      this.events.release(command.event);\n      Atomics',
        to: 'this.events.release(command.event);\n      Atomics',
      },
    },
    {
      name: 'of those that waited before it was read one is told',
      change: {
        file: files.dependencies,
        from: 'for (const one of Array.isArray(waiting) ? waiting : [waiting]) append(this.#waiters, event, one);',
        to: 'append(this.#waiters, event, Array.isArray(waiting) ? waiting[0]! : waiting);',
      },
    },
    {
      name: 'those that waited before it was read are told twice',
      change: {
        file: files.dependencies,
        from: 'this.#foreign.delete(event);\n    for (const one',
        to: 'for (const one',
      },
    },
    {
      name: 'its queue lets go of a command that others wait for',
      change: {
        file: files.processor,
        from: 'this.events.release(command.event);\n      Atomics',
        to: 'this.events.release(command.event);\n      this.events.release(command.event);\n      Atomics',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { first: { outOfOrder: false }, second: { outOfOrder: true } },
      commands: {
        failing: { kind: 'launch', queue: 'first', fails: -5 },
        one: { kind: 'marker', queue: 'second', waits: ['failing'] },
        other: { kind: 'marker', queue: 'second', waits: ['failing'] },
      },
      first: ['failing', 'one', 'other'],
      later: [],
    }),
};
