/** What a profile holds: a record for each command, each build and each call of an API, times in nanoseconds from its beginning. */
import type { ApiCall } from './api-call.ts';

/** A device that did something. */
export interface DeviceRecord {
  readonly name: string;
  /** Its compute units: for Millrace's device the threads. */
  readonly units: number;
}

/** A time in which one thread of the device ran work-groups of one launch, without a pause. */
export interface ThreadSpan {
  /** Counted from 0. */
  readonly thread: number;
  readonly started: number;
  readonly ended: number;
}

/** One command that has ended. The times are those of clGetEventProfilingInfo. */
export interface CommandRecord {
  /** Index in {@link Profile.devices}. */
  readonly device: number;
  /** Counted from 1 in the order of their first commands, over all contexts. */
  readonly queue: number;
  /** In words: `kernel`, `write buffer`, `fill image`. */
  readonly kind: string;
  /** The name of the kernel that was launched. */
  readonly kernel?: string | undefined;
  /** Work-items in each dimension of a launch. */
  readonly global?: readonly number[] | undefined;
  /** Work-items of a work-group; absent where the device has chosen it by itself. */
  readonly local?: readonly number[] | undefined;
  /** What it moved; 0 if nothing, or if that is not known. */
  readonly bytes: number;
  readonly queued: number;
  readonly submitted: number;
  readonly started: number;
  readonly ended: number;
  /**
   * Of launches: which threads worked for it, and when, by their start; also for launches that its kernels made, which may end after
   * itself. Absent where the device does not tell, or something of it was missed.
   */
  readonly threads?: readonly ThreadSpan[] | undefined;
  /** 0, or the negative code of the error with which it failed. */
  readonly status: number;
}

export interface BuildRecord {
  readonly device: number;
  /**
   * A whole program; or one kernel's machine code, where that is made when it is first launched: optimised, or `baseline`. `wasm` is
   * optimised WebAssembly on a device of machine code.
   */
  readonly kind: 'build' | 'compile' | 'baseline' | 'wasm';
  /** Empty if the build failed. */
  readonly kernels: readonly string[];
  readonly started: number;
  readonly ended: number;
}

export interface Profile {
  readonly devices: readonly DeviceRecord[];
  /** In the order in which they were found to have ended. */
  readonly commands: readonly CommandRecord[];
  readonly builds: readonly BuildRecord[];
  /** What the host program has called, in the order in which the calls returned. */
  readonly calls: readonly ApiCall[];
  /** Commands that have not ended. */
  readonly unfinished: number;
  /** Commands beyond the number that a profile keeps. */
  readonly missed: number;
  /** Calls beyond it. */
  readonly missedCalls: number;
  /** Spans of threads that were overwritten before they were read. The launches that they may belong to have no `threads`. */
  readonly missedSpans: number;
}
