/**
 * A kernel of OpenCL C that a kernel of Brook+ became, and what its arguments were set to last: most are called again and again
 * with the same streams, and setting arguments is most of what such a call costs.
 */
import { CLBuffer } from '../opencl/buffer.ts';
import type { CLEvent } from '../opencl/event.ts';
import type { CLKernel } from '../opencl/kernel.ts';
import type { CLCommandQueue } from '../opencl/queue.ts';
import type { NumberArray } from './values.ts';

/** A buffer, or numbers that nobody changes any more. */
export type EntryArgument = CLBuffer | NumberArray;

export class Entry {
  readonly kernel: CLKernel;
  readonly #last: (EntryArgument | undefined)[] = [];

  constructor(kernel: CLKernel) {
    this.kernel = kernel;
  }

  /** Launches it with all of its arguments; `event` becomes that of the launch. @throws OpenCLError as the queue does */
  launch(
    queue: CLCommandQueue,
    args: readonly EntryArgument[],
    global: readonly number[],
    local: readonly number[] | null,
    event: CLEvent,
  ): void {
    for (const [index, value] of args.entries()) {
      if (isSame(this.#last[index], value)) continue;
      this.kernel.setArg(index, value);
      this.#last[index] = value;
    }
    queue.enqueueNDRangeKernel(this.kernel, global.length, null, global, local, null, event);
  }
}

function isSame(before: EntryArgument | undefined, now: EntryArgument): boolean {
  if (before === now) return true;
  if (before === undefined || before instanceof CLBuffer || now instanceof CLBuffer) return false;
  if (before.length !== now.length) return false;
  // Zeros of different sign are different arguments; so may be NaNs that look alike, which compare equal and compute equal.
  for (let index = 0; index < now.length; index += 1) {
    if (!Object.is(before[index], now[index])) return false;
  }
  return true;
}
