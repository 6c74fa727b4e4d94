/** What a run gave, in a form that views show. */
import type { Check } from '../../../samples/support/sample.ts';
import type { Picture } from '../../../src/cli/arguments/picture.ts';

/** One buffer or image after a run of a kernel. */
export interface ResultBuffer {
  readonly name: string;
  readonly typeName: string;
  /** As `millrace run` would print it, in one line. */
  readonly summary: string;
  readonly picture: Picture | undefined;
  /** The numbers, several an element for vectors and structures; undefined if they are no plain numbers. */
  readonly numbers: ArrayLike<number | bigint>;
  readonly lanes: number;
}

export interface KernelOutcome {
  readonly kind: 'kernel';
  readonly kernel: string;
  readonly global: readonly number[];
  readonly milliseconds: number;
  readonly buildMilliseconds: number;
  /** Arguments that nobody gave, as `name=words`. */
  readonly guesses: readonly string[];
  readonly results: readonly ResultBuffer[];
  /** What it printed by printf. */
  readonly printed: string;
  readonly log: string;
}

/** A program in C or Brook+. */
export interface ProgramOutcome {
  readonly kind: 'program';
  /** The end of what it has written. */
  readonly text: string;
  /** Lines before that, which are not kept. */
  readonly linesLeftOut: number;
  /** Undefined while it runs. */
  readonly exitCode: number | 'stopped' | undefined;
  readonly milliseconds: number;
  /** Why it was stopped, by itself or by a mistake, and the functions on the way there, innermost first. */
  readonly stopped?: { readonly reason: string; readonly functions: readonly string[] } | undefined;
  /** Functions of OpenCL that failed, and kernels, in words. */
  readonly failures: readonly string[];
  /** Files that it has made or changed, by name. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** One of the project's case studies: its kernels against their references. */
export interface StudyOutcome {
  readonly kind: 'study';
  readonly runs: readonly {
    readonly kernel: string;
    readonly milliseconds: number;
    readonly cpuMilliseconds: number;
    readonly check: Check;
  }[];
  readonly findings: readonly string[];
  readonly pictures: readonly { readonly name: string; readonly picture: Picture }[];
  readonly drawings: readonly { readonly name: string; readonly svg: string }[];
}

export type RunOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly text: string; readonly fraction?: number }
  | { readonly kind: 'failed'; readonly message: string; readonly log?: string | undefined }
  | { readonly kind: 'stopped' }
  | KernelOutcome
  | ProgramOutcome
  | StudyOutcome;
