/**
 * Commands that a queue has taken and that may still fail: a driver that runs out of memory, a kernel that is stopped. Whoever asks or
 * waits has them looked at in their order, and the streams of those that failed, and of those that computed from their streams, are
 * told. What is found wrong at once is none of this: it is said by who gives the command.
 */

import { CL } from '../opencl/constants.ts';
import type { CLEvent } from '../opencl/event.ts';
import type { BrookErrorName } from './errors.ts';
import type { Stream } from './stream.ts';

export interface Command {
  /** Of all that belongs to it, such as the passes of a reduction. */
  readonly events: readonly CLEvent[];
  readonly inputs: readonly Stream[];
  readonly outputs: readonly Stream[];
  /** All of the outputs is written, whatever was in them. */
  readonly isWhole: boolean;
  readonly error: BrookErrorName;
  /** What is said to the outputs if it fails; behind it stands why. */
  readonly text: string;
  /** What is said to them if one of the inputs has nothing but what a failed command left. */
  readonly inputText: string;
}

/** So many wait to be looked at before some are without being asked. */
const mostOpen = 256;

export class Commands {
  #open: Command[] = [];
  /** Memory of streams with what failed commands should have written. */
  readonly #spoilt = new Set<object>();

  add(command: Command): void {
    this.#open.push(command);
    if (this.#open.length >= mostOpen) this.settle();
  }

  /** Looks at those that have ended. */
  settle(): void {
    let count = 0;
    for (const command of this.#open) {
      if (!command.events.every(hasEnded)) break;
      count += 1;
      this.#settle(command);
      for (const event of command.events) event.release();
    }
    if (count > 0) this.#open = this.#open.slice(count);
    // Calls from now on see that streams have errors.
    if (this.#open.length === 0) this.#spoilt.clear();
  }

  #settle({ events, inputs, outputs, isWhole, error, text, inputText }: Command): void {
    const failed = events.find((event) => statusOf(event) < CL.COMPLETE);
    const fromFailed = inputs.some(({ memory }) => memory !== undefined && this.#spoilt.has(memory));
    for (const output of outputs) {
      const { memory } = output;
      if (failed) {
        const why = `${text}\n${failed.errorMessage ?? ''}`.trimEnd();
        // What could not be copied to the host is still there.
        if (error === 'BR_ERROR_WRITE') output.refuse(error, why);
        else output.fail(error, why);
      } else if (fromFailed) output.fail(error, inputText);
      if (!memory || error === 'BR_ERROR_WRITE') continue;
      if (failed || fromFailed) this.#spoilt.add(memory);
      else if (isWhole) this.#spoilt.delete(memory);
    }
  }
}

function statusOf(event: CLEvent): number {
  return Number(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS));
}

function hasEnded(event: CLEvent): boolean {
  return statusOf(event) <= CL.COMPLETE;
}
