/** A command that waits for one of another device, which has failed. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const waitsOfDevices: Protocol = {
  about:
    'commands of another device: the end of one reaches the processor of the other, and its failure does',
  scaled: smallMachine,
  mutations: [
    {
      name: 'only the first bell is rung',
      change: {
        file: files.events,
        from: 'for (let index = 0; index < count; index += 1) {',
        to: 'for (let index = 0; index < 1; index += 1) {',
      },
    },
    {
      name: 'a processor that sleeps is not woken',
      change: {
        file: files.events,
        from: 'Atomics.add(this.#control.words, bell, 1);\n      Atomics.notify(this.#control.words, bell);',
        to: 'Atomics.add(this.#control.words, bell, 1);',
      },
    },
    {
      name: 'its end and the question after it do not see each other',
      change: {
        file: files.events,
        from: 'const before = Atomics.or(this.#control.words, slot + field.watch, watchBits.processors);\n    return',
        to: 'const before = Atomics.load(this.#control.words, slot + field.watch);\n    Atomics.store(this.#control.words, slot + field.watch, before | watchBits.processors);\n    return',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { first: { outOfOrder: false }, second: { outOfOrder: false, device: 1 } },
      commands: {
        failing: { kind: 'user', fails: -5 },
        one: { kind: 'marker', queue: 'first', waits: ['failing'] },
        other: { kind: 'marker', queue: 'second', waits: ['one'] },
      },
      first: ['failing'],
      later: ['one', 'other'],
    }),
};
