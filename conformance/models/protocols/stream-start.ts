/** A queue that is made while the processor runs. */
import { files, type Protocol } from '../protocol.ts';
import { smallChunks, streamIn } from '../stream-ends.ts';

export const streamStart: Protocol = {
  about: 'the start of a stream: a new queue is found, and what it has is read',
  scaled: [smallChunks],
  mutations: [
    {
      name: 'a new queue rings no bell',
      change: {
        file: files.bell,
        from: 'Atomics.add(words, processor + commonProcessorWords.bell, 1);',
        to: '',
      },
    },
  ],
  make: (load) => streamIn(load, { commands: 1, isAnnounced: false, isReleased: false }),
};
