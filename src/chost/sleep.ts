/**
 * How programs sleep: poll_oneoff of WASI for nothing but clocks. It is done here, in short naps, so that callbacks of the
 * program are called meanwhile.
 */
import { absoluteTime, clock, errno, eventType, size } from './wasi.ts';

/** Milliseconds between looks at what has come in for the program. */
const nap = 2;

/** The arguments of poll_oneoff: subscriptions, events, their number, where to say how many events there are. */
export type PollArguments = readonly [subscriptions: number, events: number, count: number, written: number];

/**
 * Sleeps until the first of the clocks has come; undefined if anything else is waited for.
 * @param monotonicNow milliseconds on the clock whose moments the program knows; without it those are not understood here
 */
export function sleep(
  memory: WebAssembly.Memory,
  [subscriptions, events, count, written]: PollArguments,
  attend: () => void,
  monotonicNow?: () => number,
): number | undefined {
  const view = new DataView(memory.buffer);
  if (count === 0 || subscriptions + count * size.subscription > view.byteLength) return undefined;
  if (events + count * size.event > view.byteLength || written + 4 > view.byteLength) return undefined;
  const start = performance.now();
  const clocks: { readonly data: bigint; readonly left: number }[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = subscriptions + index * size.subscription;
    if (view.getUint8(at + 8) !== eventType.clock) return undefined;
    const time = Number(view.getBigUint64(at + 24, true)) / 1e6;
    const isAbsolute = (view.getUint16(at + 40, true) & absoluteTime) !== 0;
    const isReal = view.getUint32(at + 16, true) === clock.realtime;
    if (isAbsolute && !isReal && !monotonicNow) return undefined;
    const now = isReal || !monotonicNow ? Date.now() : monotonicNow();
    clocks.push({ data: view.getBigUint64(at, true), left: isAbsolute ? time - now : time });
  }
  const first = Math.min(...clocks.map(({ left }) => left));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    attend();
    const left = start + first - performance.now();
    if (left <= 0) break;
    Atomics.wait(pause, 0, 0, Math.min(left, nap));
  }
  // The program's callbacks may have grown its memory; what was there is where it was.
  const over = clocks.filter(({ left }) => left <= first);
  for (const [index, { data }] of over.entries()) {
    writeEvent(view, events + index * size.event, data, eventType.clock);
  }
  view.setUint32(written, over.length, true);
  return errno.success;
}

/** Writes an `event` without an error. */
export function writeEvent(view: DataView, at: number, data: bigint, type: number): void {
  view.setBigUint64(at, data, true);
  view.setUint16(at + 8, errno.success, true);
  view.setUint8(at + 10, type);
}
