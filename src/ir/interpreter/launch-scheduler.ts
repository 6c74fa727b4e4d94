/**
 * Who says when the launches begin that a launch makes (OpenCL 2.0, 6.13.17). The interpreter reads what kernels ask for and runs what
 * may begin; that and the events are the affair of the device, which brings a scheduler (src/runtime/nested-launches.ts).
 */

export interface EnqueueRequest<T> {
  readonly queue: number;
  readonly flags: number;
  /** The events to wait for; undefined if the list was wrong. */
  readonly waits: readonly number[] | undefined;
  readonly wantsEvent: boolean;
  /** Undefined for a marker. */
  readonly body: T | undefined;
}

/** For one launch of a host and all that it leads to. `T` is what a launch is to those who run it. */
export interface LaunchScheduler<T> {
  /** The number of the default queue; 0 for none. */
  readonly defaultQueue: number;
  /** All launches that there were are complete. */
  readonly isComplete: boolean;
  /** A status, and the event where one was wanted. */
  enqueue(request: EnqueueRequest<T>): { status: number; event: number };
  /** 0 if there are too many. */
  createUserEvent(): number;
  retain(event: number): void;
  releaseEvent(event: number): void;
  isValid(event: number): boolean;
  setStatus(event: number, status: number): void;
  /** Asks for the times of an event, to be written to a place. */
  capture(event: number, what: number, place: number): void;
  /** The launch that is to run now; it is current from here on. Undefined if none can. */
  next(): T | undefined;
  /** A work-group of the current launch has run. */
  groupEnded(): void;
  /** The current launch has run. */
  ended(): void;
  /** What a launch fails with that is not complete, and of which nothing can run. */
  stuck(titleOf: (body: T) => string): string;
}

/**
 * Makes the scheduler of a launch.
 * @param now the time in nanoseconds
 * @param writeTimes takes what capture_event_profiling_info asked for
 */
export type NewScheduler = <T>(
  now: () => number,
  writeTimes: (place: number, execution: bigint, completion: bigint) => void,
) => LaunchScheduler<T>;
