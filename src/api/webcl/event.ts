/** Events of WebCL (3.11 and 3.12). A program makes an empty one and hands it to an enqueue call. */
import { CL } from '../opencl/constants.ts';
import type { CLContext } from '../opencl/context.ts';
import { CLEvent, CLUserEvent } from '../opencl/event.ts';
import type { CLCommandQueue } from '../opencl/queue.ts';
import type { WebCLContext } from './context.ts';
import { attempt, WebCLException } from './exception.ts';
import { checkCallback, checkName, given, innerOf, outerOf, WebCLObject } from './handles.ts';
import type { WebCLCommandQueue } from './html-queue.ts';

const names = [
  CL.EVENT_COMMAND_QUEUE,
  CL.EVENT_CONTEXT,
  CL.EVENT_COMMAND_TYPE,
  CL.EVENT_COMMAND_EXECUTION_STATUS,
];

/** A wait list: events of one context, or nothing. */
export type WebCLWaitList = readonly WebCLEvent[] | null | undefined;

export class WebCLEvent extends WebCLObject<CLEvent> {
  constructor(inner: CLEvent = new CLEvent()) {
    super(inner);
  }

  /** EVENT_COMMAND_QUEUE, _CONTEXT, _COMMAND_TYPE, _COMMAND_EXECUTION_STATUS. */
  getInfo(name: number): number | WebCLContext | WebCLCommandQueue | null {
    const inner = innerOf<CLEvent>(this);
    attempt(() => inner.runtime);
    checkName(name, names);
    const answer = attempt(() => inner.getInfo(name));
    if (answer === null || typeof answer === 'number') return answer;
    return outerOf<CLContext | CLCommandQueue, WebCLContext | WebCLCommandQueue>(answer, noObject);
  }

  /** Nanoseconds. @throws WebCLException INVALID_VALUE, INVALID_EVENT, PROFILING_INFO_NOT_AVAILABLE */
  getProfilingInfo(name: number): number {
    return attempt(() => Number(innerOf<CLEvent>(this).getProfilingInfo(name)));
  }

  /**
   * Calls `notify` when the command has reached the status, which is COMPLETE.
   * @throws WebCLException INVALID_EVENT, INVALID_VALUE; TypeError
   */
  setCallback(commandExecCallbackType: number, notify: (event: WebCLEvent) => void): void {
    if (typeof notify !== 'function') throw new TypeError('the callback is no function');
    attempt(() => {
      const inner = innerOf<CLEvent>(this);
      void inner.runtime;
      checkName(commandExecCallbackType, [CL.COMPLETE]);
      inner.setCallback(commandExecCallbackType, () => {
        // An event that has been released tells nothing more.
        if (inner.references > 0) notify(this);
      });
    });
  }
}

export class WebCLUserEvent extends WebCLEvent {
  /** COMPLETE or a negative code, once. @throws WebCLException INVALID_VALUE, INVALID_OPERATION */
  setStatus(executionStatus: number): void {
    attempt(() => innerOf<CLUserEvent>(this).setStatus(executionStatus));
  }
}

/** Every object of ours has been given out by its maker. */
function noObject(): never {
  throw new Error('an object of OpenCL without one of WebCL');
}

/**
 * A wait list for the OpenCL API.
 * @throws WebCLException INVALID_EVENT_WAIT_LIST, also if a blocking call would wait for what only the program can complete
 */
export function givenWaitList(list: WebCLWaitList, isBlocking = false): readonly CLEvent[] | null {
  if (list === null || list === undefined) return null;
  if (!Array.isArray(list)) throw new TypeError('a wait list is an array of events');
  return list.map((event: WebCLEvent) => {
    const inner = given<CLEvent>(event);
    if (isBlocking && isOpenUserEvent(inner)) {
      const why = 'a blocking call cannot wait for a user event whose status is not set';
      throw new WebCLException('INVALID_EVENT_WAIT_LIST', why, CL.INVALID_EVENT_WAIT_LIST);
    }
    return inner;
  });
}

function isOpenUserEvent(event: CLEvent): boolean {
  return event instanceof CLUserEvent && event.references > 0 && event.runtime.status > CL.COMPLETE;
}

/** clWaitForEvents in WebCL's way; see WebCL.waitForEvents. */
export function waitForEvents(
  list: readonly WebCLEvent[],
  whenFinished: ((event: WebCLEvent) => void) | null | undefined,
  wait: (events: readonly CLEvent[], whenFinished?: () => void) => void,
): void {
  checkCallback(whenFinished);
  const events = givenWaitList(list, !whenFinished) ?? [];
  const fail = (
    name: 'INVALID_EVENT_WAIT_LIST' | 'EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST',
    why: string,
  ) => {
    throw new WebCLException(name, why, CL[name]);
  };
  for (const event of events) {
    const isUsable = event instanceof CLEvent && event.references > 0 && event.isFilled;
    if (!isUsable)
      fail('INVALID_EVENT_WAIT_LIST', 'an event of the list has been released or belongs to no command');
  }
  attempt(() => {
    for (const event of events) {
      event.check('CL_INVALID_EVENT_WAIT_LIST');
      if (event.runtime.status < 0) {
        fail('EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST', 'the command of an event of the list has failed');
      }
    }
    if (whenFinished) wait(events, () => whenFinished(list[0]!));
    else wait(events);
  });
}
