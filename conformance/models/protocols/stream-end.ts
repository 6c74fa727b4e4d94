/** A queue that is given up. */
import { files, type Protocol } from '../protocol.ts';
import { smallChunks, streamIn } from '../stream-ends.ts';

export const streamEnd: Protocol = {
  about: 'the end of a stream: its record is given up when all has been read, and not before',
  scaled: [smallChunks],
  mutations: [
    {
      name: 'the record is given up with commands left',
      change: { file: files.queueRecord, from: 'if (done !== this.#produced()) return false;', to: '' },
    },
  ],
  make: (load) => streamIn(load, { commands: 1, isAnnounced: true, isReleased: true }),
};
