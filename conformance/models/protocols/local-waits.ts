/** Queues on the host's own thread with commands of the host, and that wait for each other. */
import { localMachineIn, smallTurns } from '../local-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const localWaits: Protocol = {
  about:
    'queues on one thread that wait for each other and for the host: nobody stands still, and failures are passed on',
  scaled: smallTurns,
  mutations: [
    {
      name: 'the queue stands still behind a command of the host',
      change: {
        file: files.localEngine,
        from: 'this.#forget(entry);\n        this.#engine.wake();',
        to: 'this.#forget(entry);',
      },
    },
    {
      name: 'a command of the host runs twice',
      change: { file: files.localEngine, from: '!started &&', to: '' },
    },
    {
      name: 'a failure is not passed on',
      change: {
        file: files.localEngine,
        from: 'if (command.waits.some((wait) => events.status(wait) < 0)) {',
        to: 'if (command.waits.every((wait) => events.status(wait) < 0) && command.waits.length > 0) {',
      },
    },
  ],
  make: (load) =>
    localMachineIn(load, {
      queues: { q: { outOfOrder: true }, inOrder: { outOfOrder: false } },
      commands: {
        call: { kind: 'host', queue: 'inOrder' },
        next: { kind: 'launch', queue: 'inOrder', fails: -5 },
        good: { kind: 'user' },
        both: { kind: 'marker', queue: 'q', waits: ['good', 'next'] },
      },
      first: ['good', 'call', 'next'],
      later: ['both'],
    }),
};
