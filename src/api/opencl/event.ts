/** Events (OpenCL 1.2, 5.9 to 5.12). */
import { completeUserEvent, createUserEvent, eventTime, type RuntimeEvent } from '../../runtime/event.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import { executionStatus, OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL, type CLValue } from './constants.ts';
import type { CLContext } from './context.ts';
import type { ContextLife } from './context-life.ts';
import { checkHandle, Handle, invalidQuery } from './handle.ts';
import type { CLCommandQueue } from './queue.ts';

/** A wait list: events of one context, or nothing. */
export type WaitList = readonly CLEvent[] | null | undefined;

const timeOf: Readonly<Record<number, (typeof eventTime)[keyof typeof eventTime]>> = {
  [CL.PROFILING_COMMAND_QUEUED]: eventTime.queued,
  [CL.PROFILING_COMMAND_SUBMIT]: eventTime.submitted,
  [CL.PROFILING_COMMAND_START]: eventTime.started,
  [CL.PROFILING_COMMAND_END]: eventTime.ended,
  [CL.PROFILING_COMMAND_COMPLETE]: eventTime.completed,
};

/** One for all events, of which there may be very many. */
const eventKind = { error: 'CL_INVALID_EVENT', noun: 'event' } as const;

/**
 * An event. Calls that enqueue something give the command's:
 *
 *     const event = queue.enqueueNDRangeKernel(kernel, 1, null, [n]);
 *     await event.done;
 *
 * A program may also make an empty one, as C has a place for it, and hand it to the call, which fills it in. One that is dropped
 * needs no release.
 */
export class CLEvent extends Handle {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLEvent';
  protected get kind() {
    return eventKind;
  }
  #runtime: RuntimeEvent | undefined;
  #context: CLContext | undefined;
  #queue: CLCommandQueue | undefined;

  /** Used by enqueue calls. @throws OpenCLError CL_INVALID_EVENT if it already belongs to a command */
  fill(runtime: RuntimeEvent, context: CLContext, queue: CLCommandQueue | undefined): void {
    this.#runtime = runtime;
    this.#context = context;
    this.#queue = queue;
  }

  protected override get isOver(): boolean {
    return this.#context?.isOver ?? false;
  }

  /** Whether it stands for a fence of OpenGL. */
  get isOfFence(): boolean {
    return false;
  }

  /** Whether it belongs to a command yet. */
  get isFilled(): boolean {
    return this.#runtime !== undefined;
  }

  get runtime(): RuntimeEvent {
    this.check();
    if (!this.#runtime) throw new OpenCLError('CL_INVALID_EVENT', 'no command has been given this event yet');
    return this.#runtime;
  }

  get context(): CLContext {
    void this.runtime;
    return this.#context!;
  }

  /** Resolves when the command is complete, rejects with an OpenCLError when it failed. */
  get done(): Promise<void> {
    return this.runtime.done;
  }

  /** Why the command failed, in words. */
  get errorMessage(): string | undefined {
    this.runtime.noticeFailure();
    return this.runtime.errorMessage;
  }

  /** clGetEventInfo: EVENT_COMMAND_QUEUE, _CONTEXT, _COMMAND_TYPE, _COMMAND_EXECUTION_STATUS, _REFERENCE_COUNT. */
  getInfo(
    name: CLValue<'EVENT_COMMAND_EXECUTION_STATUS' | 'EVENT_COMMAND_TYPE' | 'EVENT_REFERENCE_COUNT'>,
  ): number;
  getInfo(name: number): number | CLContext | CLCommandQueue | null;
  getInfo(name: number): number | CLContext | CLCommandQueue | null {
    const { runtime } = this;
    switch (name) {
      case CL.EVENT_COMMAND_QUEUE:
        return this.#queue ?? null;
      case CL.EVENT_CONTEXT:
        return this.#context!;
      case CL.EVENT_COMMAND_TYPE:
        return runtime.commandType;
      case CL.EVENT_COMMAND_EXECUTION_STATUS:
        runtime.context.notifications.pump();
        runtime.noticeFailure();
        return runtime.status;
      case CL.EVENT_REFERENCE_COUNT:
        return this.references;
      default:
        return invalidQuery(name);
    }
  }

  /** clGetEventProfilingInfo, in nanoseconds. */
  getProfilingInfo(name: number): bigint {
    const { runtime } = this;
    const which = timeOf[name];
    if (which === undefined) return invalidQuery(name);
    if (!this.#queue?.isProfiling || runtime.status !== executionStatus.complete) {
      throw new OpenCLError('CL_PROFILING_INFO_NOT_AVAILABLE', this.#whyNoTimes());
    }
    return runtime.time(which);
  }

  #whyNoTimes(): string {
    if (!this.#queue?.isProfiling) return 'the command queue was not created with QUEUE_PROFILING_ENABLE';
    const { error } = this.runtime;
    return error
      ? `the command has failed with ${error.name}: ${error.message}`
      : 'the command is not complete';
  }

  /**
   * clSetEventCallback. The callback is called on the host thread when its turn of the event loop comes after the command
   * has reached `type` or passed it, with the event and the status (a negative one is an error).
   */
  setCallback(type: number, callback: (event: CLEvent, status: number) => void): void {
    const { runtime } = this;
    if (type !== CL.COMPLETE && type !== CL.RUNNING && type !== CL.SUBMITTED) {
      throw new OpenCLError('CL_INVALID_VALUE', `${shown(type)} is not a status that callbacks can wait for`);
    }
    if (typeof callback !== 'function')
      throw new OpenCLError('CL_INVALID_VALUE', 'the callback is no function');
    runtime.whenReached(type, () => {
      // Nothing is told of a command whose context has been released before.
      if (runtime.status > type) return;
      const { status } = runtime;
      runtime.noticeFailure();
      runtime.context.callBack(() => callback(this, status < 0 ? status : type));
    });
  }

  protected destroy(): void {
    this.#runtime?.release();
  }
}

/** An event that the program completes itself (clCreateUserEvent). */
export class CLUserEvent extends CLEvent {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLUserEvent';
  readonly #life: ContextLife;
  #set = false;

  constructor(context: CLContext) {
    super();
    this.fill(createUserEvent(context.runtime, CL.COMMAND_USER), context, undefined);
    // No queue keeps the context for those who wait for it.
    this.#life = context.life;
    this.#life.attach(this);
  }

  protected override destroy(): void {
    super.destroy();
    this.#life.forget(this);
    this.#life.detach();
  }

  /** clSetUserEventStatus: COMPLETE or a negative code, once. */
  setStatus(executionStatus: number): void {
    const { runtime } = this;
    if (!Number.isInteger(executionStatus) || executionStatus > CL.COMPLETE) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `${shown(executionStatus)} is neither COMPLETE nor a negative error code`,
      );
    }
    if (this.#set)
      throw new OpenCLError('CL_INVALID_OPERATION', 'the status of this event has been set before');
    this.#set = true;
    completeUserEvent(runtime, executionStatus);
  }
}

/**
 * The runtime's events of a wait list.
 * @throws OpenCLError CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT
 */
export function waitListOf(list: WaitList, context: CLContext): readonly RuntimeEvent[] {
  if (list === null || list === undefined) return none;
  if (!Array.isArray(list))
    throw new OpenCLError('CL_INVALID_EVENT_WAIT_LIST', 'a wait list is an array of events');
  return list.map((event) => {
    checkHandle(event, CLEvent, 'CL_INVALID_EVENT_WAIT_LIST');
    if (!event.isFilled) {
      throw new OpenCLError(
        'CL_INVALID_EVENT_WAIT_LIST',
        'an event in the wait list belongs to no command yet',
      );
    }
    if (event.context !== context) {
      throw new OpenCLError('CL_INVALID_CONTEXT', 'an event in the wait list belongs to another context');
    }
    return event.runtime;
  });
}

/**
 * clWaitForEvents: sleeps until all have ended; with a callback it returns at once and calls it then. A thread that may not
 * sleep needs the callback, or `event.done`.
 */
export function waitForEvents(list: readonly CLEvent[], whenFinished?: (event: CLEvent) => void): void {
  calledByProgram('OpenCL', 'waitForEvents', [list], () => waitFor(list, whenFinished));
}

function waitFor(list: readonly CLEvent[], whenFinished: ((event: CLEvent) => void) | undefined): void {
  const first = list?.[0];
  if (!Array.isArray(list) || first === undefined) {
    throw new OpenCLError('CL_INVALID_VALUE', 'waitForEvents needs at least one event');
  }
  for (const event of list) checkHandle(event, CLEvent, 'CL_INVALID_EVENT');
  const waits = list.map((event: CLEvent) => {
    if (event.context !== first.context) {
      throw new OpenCLError('CL_INVALID_CONTEXT', 'the events belong to different contexts');
    }
    return event.runtime;
  });
  if (whenFinished) {
    void Promise.allSettled(waits.map((wait) => wait.done)).then(() => whenFinished(first));
    return;
  }
  for (const wait of waits) wait.wait();
  const failed = waits.find((wait) => wait.status < 0);
  if (failed) {
    throw new OpenCLError('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST', failed.errorMessage!);
  }
}

const none: readonly RuntimeEvent[] = [];
