/**
 * Command queues (OpenCL 1.2, 5.1). A queue is its state (queue-state.ts) and the commands that it takes: each file of `commands` has a
 * family of them, a class that stands on the state alone, and {@link CLCommandQueue} is composed of all. To add a command is to add a
 * method to its family.
 */
import { OpenCLError } from '../../runtime/status.ts';
import { BufferCommands } from './commands/buffers.ts';
import { GLCommands } from './commands/gl-objects.ts';
import { ImageCommands } from './commands/images.ts';
import { KernelCommands } from './commands/kernels.ts';
import { MarkerCommands } from './commands/markers.ts';
import { MemoryObjectCommands } from './commands/memory-objects.ts';
import { RectangleCommands } from './commands/rectangles.ts';
import { SVMCommands } from './commands/svm.ts';
import { CL } from './constants.ts';
import { CLDeviceQueue } from './device-queue.ts';
import { type QueueAnswer, queueInfo } from './queue-info.ts';
import { QueueState } from './queue-state.ts';

/** All families of commands; their types are in the interface below. */
const families: readonly { readonly prototype: QueueState }[] = [
  BufferCommands,
  RectangleCommands,
  ImageCommands,
  MemoryObjectCommands,
  KernelCommands,
  MarkerCommands,
  SVMCommands,
  GLCommands,
];

/** These methods are given to the class in its static block. */
export interface CLCommandQueue
  extends BufferCommands,
    RectangleCommands,
    ImageCommands,
    MemoryObjectCommands,
    KernelCommands,
    MarkerCommands,
    SVMCommands,
    GLCommands {}

export class CLCommandQueue extends QueueState {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLCommandQueue';
  static {
    for (const { prototype } of families) {
      for (const [name, method] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        if (name === 'constructor') continue;
        if (name in CLCommandQueue.prototype) throw new Error(`two commands of queues are called ${name}`);
        Object.defineProperty(CLCommandQueue.prototype, name, method);
      }
    }
    const all = Object.getOwnPropertyNames(CLCommandQueue.prototype);
    // What gives a host's queue work, or waits for it.
    CLDeviceQueue.refuse(all.filter((name) => /^(enqueue|flush|finish)/.test(name)));
  }

  /** clGetCommandQueueInfo. */
  getInfo(name: number): QueueAnswer {
    this.check();
    if (name === CL.QUEUE_SIZE) {
      throw new OpenCLError('CL_INVALID_COMMAND_QUEUE', 'only queues on the device have a size');
    }
    return queueInfo(this, name);
  }

  /**
   * clSetCommandQueueProperty (OpenCL 1.0), which OpenCL 1.1 took back: a queue keeps the properties it was made with.
   * @throws OpenCLError CL_INVALID_OPERATION, always
   */
  setProperty(): never {
    this.check();
    throw new OpenCLError('CL_INVALID_OPERATION', 'the properties of a queue do not change');
  }

  /** clFlush. */
  flush(): void {
    this.check();
    this.runtime.flush();
  }

  /**
   * clFinish: sleeps until all commands have ended. With a callback it returns at once and calls it then, with the error that it
   * would have thrown.
   * @throws OpenCLError what a command failed with, such as CL_OUT_OF_RESOURCES, if the program has not been told (by the status of
   *   its event, or a call that waited for it); CL_INVALID_OPERATION on a thread that may not sleep: use the callback or {@link finished}
   */
  finish(whenFinished?: (error?: OpenCLError) => void): void {
    this.check();
    const { runtime } = this;
    if (whenFinished) {
      void runtime.finished().then(() => whenFinished(runtime.takeFailure()));
      return;
    }
    runtime.finish();
    const failure = runtime.takeFailure();
    if (failure) throw failure;
  }

  /** Sleeps until all commands have ended, well or not: for those who ask each event. */
  waitForEnd(): void {
    this.check();
    this.runtime.finish();
  }

  /**
   * Resolves when the device's threads run. In a worker of a page they do not start while the worker sleeps, so await this
   * once before the first blocking call there; elsewhere it is never needed.
   */
  ready(): Promise<void> {
    this.check();
    return this.runtime.ready();
  }

  /** Resolves when all commands so far have ended; rejects where {@link finish} would throw. */
  finished(): Promise<void> {
    this.check();
    const { runtime } = this;
    return runtime.finished().then(() => {
      const failure = runtime.takeFailure();
      if (failure) throw failure;
    });
  }

  protected destroy(): void {
    const { life } = this.context;
    const { runtime } = this;
    life.forget(this);
    // Implicit flush: what was enqueued still runs.
    const isIdle = runtime.isIdle;
    if (!isIdle) runtime.whenFinished(() => life.runtime.callBack(() => life.detach()));
    runtime.release();
    if (isIdle) life.detach();
  }
}
