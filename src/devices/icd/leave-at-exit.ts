/**
 * Threads that a process must not end under: Dawn, by which Node reaches WebGPU, ends the process with an error if a thread is gone
 * to which it owes an answer. When the process ends, such threads are told to leave what is not begun, and are waited for
 * until they owe and are owed nothing.
 */
import { atExit, mayBlock } from '../../runtime/host.ts';
import { ringProcessor } from '../wasm/processor-words.ts';
import { processorWords } from './native-layout.ts';

interface Held {
  /** Of control memory, as it was when the thread started: its words are among them for good. */
  readonly words: Int32Array;
  readonly processor: number;
}

/** Milliseconds that a process waits for what is in its devices. What takes longer may never end. */
const patience = 10_000;

let held: Held[] | undefined;

/** To be called when such a thread is started. */
export function leaveAtExit(words: Int32Array, processor: number): void {
  if (held === undefined) {
    held = [];
    atExit(leaveAll);
  }
  held = held.filter((each) => Atomics.load(each.words, each.processor + processorWords.hold) !== 2);
  held.push({ words, processor });
}

function leaveAll(): void {
  const threads = held ?? [];
  if (!mayBlock()) return;
  for (const { words, processor } of threads) {
    Atomics.store(words, processor + processorWords.shutdown, 2);
    ringProcessor(words, processor);
  }
  const end = performance.now() + patience;
  for (const { words, processor } of threads) {
    // One that has not got there sees that it need not (gpu-entry.ts).
    const word = processor + processorWords.hold;
    while (Atomics.load(words, word) === 1) {
      const left = end - performance.now();
      if (left <= 0) return;
      Atomics.wait(words, word, 1, left);
    }
  }
}
