/** Commands that wait for events that the program ends, one of which fails. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const userEvents: Protocol = {
  about:
    'events that the program ends: who waits for them begins when all have ended, or fails with one of them, and nobody sleeps over one',
  scaled: smallMachine,
  mutations: [
    {
      name: 'the processor sleeps on the bell as it is',
      change: {
        file: files.processor,
        from: 'Atomics.wait(words, bell, seen, this.#patience());',
        to: 'Atomics.wait(words, bell, Atomics.load(words, bell), this.#patience());',
      },
    },
    {
      name: 'who ends an event rings no processor',
      change: {
        file: files.events,
        from: 'if (before & watchBits.processors) this.ringProcessors();',
        to: '',
      },
    },
    {
      name: 'a failure that comes later is not passed on',
      change: { file: files.dependencies, from: 'if (status < 0) waiter.failed = true;', to: '' },
    },
    {
      name: 'a failure that was there is not passed on',
      change: {
        file: files.dependencies,
        from: 'if (this.#events.status(event) < 0) command.failed = true;',
        to: '',
      },
    },
    {
      name: 'one event of two is enough',
      change: {
        file: files.dependencies,
        from: 'if (waiter.unresolved === 0) waiter.ready?.(waiter);',
        to: 'waiter.ready?.(waiter);',
      },
    },
    {
      name: 'who has waited keeps the event',
      change: {
        file: files.dependencies,
        from: 'if (status < 0) waiter.failed = true;\n      this.#events.release(event);',
        to: 'if (status < 0) waiter.failed = true;',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: true } },
      commands: {
        failing: { kind: 'user', fails: -5 },
        good: { kind: 'user' },
        both: { kind: 'marker', queue: 'q', waits: ['failing', 'good'] },
        behind: { kind: 'marker', queue: 'q', waits: ['both'] },
      },
      first: ['both', 'behind'],
      later: ['failing', 'good'],
    }),
};
