/**
 * What the processor of any device that works in a thread of its own has in control memory: the words by which host and threads
 * wake it, and know how it is. Devices put words of their own next to them.
 */

/** Word indices; those that change often lie on cache lines of their own. 68 to 95, and those from 97 on, are the devices'. */
export const commonProcessorWords = {
  /** Counts up when there is something to look at. */
  bell: 0,
  asleep: 32,
  /** Counts the turns of its loop, by which the host knows that it lives. On its cache line. */
  beat: 33,
  /** 1 while it does something that may take long: copies, or calls a driver. */
  busy: 34,
  /** 1: the context is gone, or its threads rest; all of them end. 2: the process ends, and what is left to do is left. */
  shutdown: 64,
  /** 1: the processor's thread runs; 0 again when it leaves. */
  started: 65,
  /** 1: it runs no more, and `lastWords` is the number of the message that says why. */
  died: 66,
  lastWords: 67,
  /** Head of the list of queues made since the processor last looked. */
  newQueues: 96,
  size: 128,
} as const;

/** Makes a processor look around. */
export function ringProcessor(words: Int32Array, processor: number): void {
  Atomics.add(words, processor + commonProcessorWords.bell, 1);
  if (Atomics.load(words, processor + commonProcessorWords.asleep) !== 0) {
    Atomics.notify(words, processor + commonProcessorWords.bell);
  }
}
