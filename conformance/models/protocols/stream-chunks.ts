/** The chunks of a stream, which go round. */
import { files, type Protocol } from '../protocol.ts';
import { smallChunks, streamIn } from '../stream-ends.ts';

export const streamChunks: Protocol = {
  about: 'the chunks of a stream: each comes back once, and none is written that is still read',
  scaled: [smallChunks],
  isLarge: true,
  mutations: [
    {
      name: 'a chunk is given back before it is read through',
      change: {
        file: files.stream,
        from: 'const next = words[at + 1]!;\n      pushOnto(words, head.freeChunks, this.#chunk, this.#chunk);',
        to: 'pushOnto(words, head.freeChunks, this.#chunk, this.#chunk);\n      const next = 0 * Atomics.load(words, at) + words[at + 1]!;',
      },
    },
    {
      name: 'of the chunks that come back some are lost',
      change: {
        file: files.stream,
        from: 'let chunk = Atomics.exchange(words, head.freeChunks, 0);',
        to: 'let chunk = Atomics.load(words, head.freeChunks);\n      Atomics.store(words, head.freeChunks, 0);',
      },
    },
  ],
  make: (load) => streamIn(load, { commands: 5, isAnnounced: true, isReleased: false }),
};
