/** The stream of commands from the host to the processor. */
import { files, type Protocol } from '../protocol.ts';
import { smallChunks, streamIn } from '../stream-ends.ts';

export const stream: Protocol = {
  about:
    'the stream of commands: each is read once, in order and as it was written, and nobody sleeps over one',
  scaled: [smallChunks],
  mutations: [
    {
      name: 'the processor does not look again before it goes hungry',
      change: {
        file: files.queueRecord,
        from: 'if (read === this.#produced()) return false;\n    Atomics.store',
        to: 'return false;\n    Atomics.store',
      },
    },
    {
      name: 'the host looks whether it is hungry before there is more',
      change: {
        file: files.streamQueue,
        from: 'Atomics.add(words, this.#record + queueWords.produced, 1);\n    if (Atomics.load(words, this.#record + queueWords.hungry) === 0) return;',
        to: 'const isHungry = Atomics.load(words, this.#record + queueWords.hungry) !== 0;\n    Atomics.add(words, this.#record + queueWords.produced, 1);\n    if (!isHungry) return;',
      },
    },
    {
      name: 'a command is counted before it is written',
      change: {
        file: files.streamQueue,
        from: 'this.write(command);\n    this.host.events.setOwner(command.event, this.#record);\n    const { words } = this.host.control;\n    Atomics.add(words, this.#record + queueWords.produced, 1);',
        to: 'const { words } = this.host.control;\n    Atomics.add(words, this.#record + queueWords.produced, 1);\n    this.write(command);',
      },
    },
  ],
  make: (load) => streamIn(load, { commands: 2, isAnnounced: true, isReleased: false }),
};
