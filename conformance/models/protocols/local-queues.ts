/** An out-of-order queue on the host's own thread, with a barrier. */
import { localMachineIn, smallTurns } from '../local-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const localQueues: Protocol = {
  about:
    'queues on one thread: whatever comes between two turns of the event loop, each command runs once and behind all it waits for',
  scaled: smallTurns,
  mutations: [
    {
      name: 'nobody looks again when an event ends',
      change: {
        file: files.localEngine,
        from: 'for (const wait of command.waits) this.#host.whenDone(wait, () => this.#engine.wake());',
        to: '',
      },
    },
    {
      name: 'one event of two is enough',
      change: {
        file: files.localEngine,
        from: 'command.waits.every((wait) => events.isDone(wait))',
        to: '(command.waits.length === 0 || command.waits.some((wait) => events.isDone(wait)))',
      },
    },
    {
      name: 'a command overtakes a barrier',
      change: {
        file: files.localEngine,
        from: "if (!this.#options.outOfOrder || kind === 'barrier') return undefined;",
        to: 'if (!this.#options.outOfOrder) return undefined;',
      },
    },
    {
      name: 'a marker overtakes what is before it',
      change: { file: files.localEngine, from: '(!gathers || index === this.#oldest) &&', to: '' },
    },
    {
      name: 'no command overtakes another',
      change: {
        file: files.localEngine,
        from: "if (!this.#options.outOfOrder || kind === 'barrier') return undefined;",
        to: 'return undefined;',
      },
    },
    {
      name: 'who has waited keeps the events',
      change: {
        file: files.localEngine,
        from: 'for (const wait of command.waits) this.#host.events.release(wait);',
        to: '',
      },
    },
  ],
  make: (load) =>
    localMachineIn(load, {
      queues: { q: { outOfOrder: true } },
      commands: {
        failing: { kind: 'user', fails: -5 },
        good: { kind: 'user', until: ['free'] },
        both: { kind: 'marker', queue: 'q', waits: ['failing', 'good'] },
        // The program ends what the first waits for when this has begun.
        free: { kind: 'launch', queue: 'q' },
        last: { kind: 'marker', queue: 'q' },
        barrier: { kind: 'barrier', queue: 'q', waits: ['good'] },
        behind: { kind: 'launch', queue: 'q' },
      },
      first: ['both', 'free', 'last', 'barrier', 'behind'],
      later: ['failing', 'good'],
    }),
};
