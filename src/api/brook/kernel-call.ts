/** What a call of a kernel has: its arguments by what they are for, and who is told when it fails. */
import type { CheckedKernel, Role } from '../../brook/check/tree.ts';
import { CLEvent } from '../opencl/event.ts';
import { type BrookErrorName, messages } from './errors.ts';
import type { BrookSession } from './session.ts';
import { Stream } from './stream.ts';

/**
 * A stream, or the bytes of a value as host memory has it; for the result of a reduction those that it goes to. null stands
 * where a stream should be and none is.
 */
export type KernelArgument = Stream | Uint8Array | null;

/** Whether parameters of a role are written. */
export function isOutput(role: Role): boolean {
  return role === 'out' || role === 'scatter' || role === 'reduce';
}

export class KernelCall {
  readonly session: BrookSession;
  readonly kernel: CheckedKernel;
  readonly args: readonly KernelArgument[];
  /** Streams of parameters that are written. */
  readonly outputs: Stream[] = [];
  /** All other streams. */
  readonly inputs: Stream[] = [];
  /** Those among them that have an element for each thread. */
  readonly elements: Stream[] = [];
  /** Of what was launched for it. */
  readonly #events: CLEvent[] = [];
  /** Roles of the parameters whose stream is missing. */
  readonly missing: Role[] = [];

  constructor(session: BrookSession, kernel: CheckedKernel, args: readonly KernelArgument[]) {
    this.session = session;
    this.kernel = kernel;
    this.args = args;
    for (const [index, arg] of args.entries()) {
      const { role } = kernel.formals[index]!;
      if (arg === null) this.missing.push(role);
      if (!(arg instanceof Stream)) continue;
      if (isOutput(role)) this.outputs.push(arg);
      else this.inputs.push(arg);
      if (role === 'stream') this.elements.push(arg);
    }
  }

  /** For the next launch of the call. */
  newEvent(): CLEvent {
    const event = new CLEvent();
    this.#events.push(event);
    return event;
  }

  /** All has been launched: should it fail later, its outputs are told. */
  end(): void {
    const { inputs } = this;
    // An event that no command has taken is of one that was refused.
    const events = this.#events.filter(({ isFilled }) => isFilled);
    const { told: outputs } = this;
    this.session.commands.add({
      events,
      inputs,
      outputs,
      isWhole: false,
      error: 'BR_ERROR_KERNEL',
      text: messages.launch,
      inputText: messages.badInputs,
    });
  }

  /** The streams that keep errors: the outputs; of a reduction to a variable, which cannot keep one, the input. */
  get told(): readonly Stream[] {
    return this.outputs.length > 0 ? this.outputs : this.inputs;
  }

  /** The call fails, and streams keep why. */
  fail(text: string, error: BrookErrorName = 'BR_ERROR_KERNEL'): void {
    for (const stream of this.told) stream.fail(error, text);
  }

  /** Something may be wrong, of which all outputs are told. */
  warn(text: string): void {
    for (const output of this.outputs) output.warn(text);
  }
}
