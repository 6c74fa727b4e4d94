/** What a device with threads tells of them while somebody watches (src/tools/profile): which launch each one worked for, and when. */

/**
 * A time in which one thread ran work-groups of one launch, or of launches that its kernels made, without a pause. Nanoseconds on
 * the clock of events.
 */
export interface ThreadVisit {
  /** From 0 on. */
  readonly thread: number;
  /** Distinguishes the visits of one thread. */
  readonly number: number;
  /** The slot of the launch's event, and when that was queued: slots are used again. */
  readonly event: number;
  readonly queued: number;
  readonly started: number;
  /** 0: no chunk of work-groups has ended yet. */
  readonly ended: number;
}

/** What was overwritten because nobody had read it. */
export interface LostVisits {
  readonly count: number;
  /** They all began before this time; 0 if there were none. */
  readonly before: number;
}

export interface ThreadWatch {
  /**
   * Tells of the visits since the last call, and again of each thread's latest, which may have gone on. Once a launch is complete,
   * all that there is to know of it has been written.
   */
  read(tell: (visit: ThreadVisit) => void): LostVisits;
  /** Nobody watches by this any more. */
  end(): void;
}
