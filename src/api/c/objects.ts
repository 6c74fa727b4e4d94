/**
 * The objects of a host program by the numbers that it knows them by. A number says nothing about the object, is never 0, and
 * comes back only after very many others, so that one that was released is recognised as such.
 */
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { CLBuffer } from '../opencl/buffer.ts';
import { CLContext } from '../opencl/context.ts';
import { CLDeviceQueue } from '../opencl/device-queue.ts';
import { CLEvent } from '../opencl/event.ts';
import type { Handle } from '../opencl/handle.ts';
import { CLImage } from '../opencl/image.ts';
import { CLKernel } from '../opencl/kernel.ts';
import { CLMemory } from '../opencl/memory.ts';
import { CLPipe } from '../opencl/pipe.ts';
import { CLDevice, CLPlatform } from '../opencl/platform.ts';
import { CLProgram } from '../opencl/program.ts';
import { CLCommandQueue } from '../opencl/queue.ts';
import { CLSampler } from '../opencl/sampler.ts';

/** What a number can stand for. */
export type Named = Handle | CLPlatform;

/** Numbers are multiples of this: they look like addresses, which some programs print or sort. */
const stride = 16;
const first = 0x1000;

export class Objects {
  readonly #byNumber = new Map<number, Named>();
  readonly #numbers = new WeakMap<Named, number>();
  #next = first;

  /** The number of an object, a new one if it has none yet. One that was released keeps it for those who still refer to it. */
  number(object: Named): number {
    const known = this.#numbers.get(object);
    if (known !== undefined && (this.#byNumber.get(known) ?? object) === object) {
      this.#byNumber.set(known, object);
      return known;
    }
    while (this.#byNumber.has(this.#next)) this.#advance();
    const number = this.#next;
    this.#advance();
    this.#byNumber.set(number, object);
    this.#numbers.set(object, number);
    return number;
  }

  /** Whatever the number stands for. */
  find(number: number): Named | undefined {
    return this.#byNumber.get(number);
  }

  /** A queue of either kind. */
  anyQueue(number: number): CLCommandQueue | CLDeviceQueue {
    return this.#byNumber.get(number) instanceof CLDeviceQueue
      ? this.deviceQueue(number)
      : this.queue(number);
  }

  platform(number: number): CLPlatform {
    const found = this.#byNumber.get(number);
    if (found instanceof CLPlatform) return found;
    return unknown(number, 'CL_INVALID_PLATFORM', 'platform');
  }

  device = this.#finder(CLDevice, 'CL_INVALID_DEVICE', 'device');
  context = this.#finder(CLContext, 'CL_INVALID_CONTEXT', 'context');
  queue = this.#finder(CLCommandQueue, 'CL_INVALID_COMMAND_QUEUE', 'command queue');
  deviceQueue = this.#finder(CLDeviceQueue, 'CL_INVALID_COMMAND_QUEUE', 'queue of a device');
  memory = this.#finder(CLMemory, 'CL_INVALID_MEM_OBJECT', 'memory object');
  buffer = this.#finder(CLBuffer, 'CL_INVALID_MEM_OBJECT', 'buffer');
  image = this.#finder(CLImage, 'CL_INVALID_MEM_OBJECT', 'image');
  pipe = this.#finder(CLPipe, 'CL_INVALID_MEM_OBJECT', 'pipe');
  sampler = this.#finder(CLSampler, 'CL_INVALID_SAMPLER', 'sampler');
  program = this.#finder(CLProgram, 'CL_INVALID_PROGRAM', 'program');
  kernel = this.#finder(CLKernel, 'CL_INVALID_KERNEL', 'kernel');
  event = this.#finder(CLEvent, 'CL_INVALID_EVENT', 'event');

  /** clRelease*: gives up one reference, and the number with the last. */
  release(object: Handle): void {
    object.release();
    this.#forgetIfOver(object);
    // What it kept may have been waiting for that only.
    if (object instanceof CLMemory && object.parent) this.#forgetIfOver(object.parent);
    if (object instanceof CLKernel) this.#forgetIfOver(object.program);
    const context = contextOf(object);
    if (context) this.#forgetIfOver(context);
  }

  #forgetIfOver(object: Handle): void {
    if (object.references > 0 || object.isKept) return;
    const number = this.#numbers.get(object);
    if (number !== undefined) this.#byNumber.delete(number);
  }

  #advance(): void {
    this.#next += stride;
    if (this.#next >= 0x7fff0000) this.#next = first;
  }

  /** Finds live objects of a kind. */
  #finder<T extends Handle>(
    kind: abstract new (...args: never[]) => T,
    error: StatusName,
    noun: string,
  ): (number: number, otherError?: StatusName) => T {
    return (number, otherError = error) => {
      const found = this.#byNumber.get(number);
      if (!(found instanceof kind)) return unknown(number, otherError, noun);
      found.check(otherError);
      return found;
    };
  }
}

/** What an object was made in; events and devices do not keep theirs. */
function contextOf(object: Handle): CLContext | undefined {
  const isPart =
    object instanceof CLMemory ||
    object instanceof CLKernel ||
    object instanceof CLProgram ||
    object instanceof CLSampler ||
    object instanceof CLCommandQueue ||
    object instanceof CLDeviceQueue;
  return isPart ? object.context : undefined;
}

function unknown(number: number, error: StatusName, noun: string): never {
  throw new OpenCLError(error, `${number === 0 ? 'NULL' : `0x${number.toString(16)}`} is no ${noun}`);
}
