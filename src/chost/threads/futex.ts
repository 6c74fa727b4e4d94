/**
 * How threads of programs that Millrace compiles sleep and wake each other: functions of the module "millrace", for the C library
 * (lib/threads/pthread.c).
 */
import { bufferUpTo } from '../../runtime/shared-growth.ts';

/** The functions, over a program's memory. `leave` ends the thread that calls. */
export function futexFunctions(
  memory: WebAssembly.Memory,
  leave: () => void,
): Record<string, (...args: number[]) => number> {
  const wordsTo = (place: number): Int32Array => new Int32Array(bufferUpTo(memory, 4 * (place + 1)));
  return {
    wait: (address = 0, expected = 0, milliseconds = -1) => {
      const place = address >>> 2;
      const time = milliseconds < 0 ? Number.POSITIVE_INFINITY : milliseconds;
      return Number(Atomics.wait(wordsTo(place), place, expected, time) === 'timed-out');
    },
    wake: (address = 0, count = 0) => {
      const place = address >>> 2;
      return Atomics.notify(wordsTo(place), place, count < 0 ? Number.POSITIVE_INFINITY : count);
    },
    leave: () => {
      leave();
      return 0;
    },
  };
}
