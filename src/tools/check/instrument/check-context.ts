/** What the checks of a function are written with: given by check-module.ts, the same for all functions but the arguments. */
import type * as ir from '../../../ir/ir.ts';
import type { Sites } from '../sites.ts';
import type { CopyMarks } from './copy-marks.ts';
import type { RuntimeCalls } from './runtime-calls.ts';

/** What a launch says of a pointer argument. */
export interface ArgumentFacts {
  /** Bytes that may be read, and written; neither for null. */
  readonly readable: ir.Value;
  readonly writable: ir.Value;
  /** Not zero if accesses must be remembered. */
  readonly watched: ir.Value;
}

/** The logarithm of the bytes of a granule, the smallest piece that is accessed at once. */
export interface GranuleShifts {
  readonly global: number;
  readonly local: number;
}

export interface CheckContext {
  readonly runtime: RuntimeCalls;
  readonly sites: Sites;
  /** By the index of the parameter; none in helpers. */
  readonly argumentFacts: ReadonlyMap<number, ArgumentFacts>;
  /** What the sampler parameters of a kernel do, as numbers. */
  readonly samplerBits: ReadonlyMap<ir.Value, ir.Value>;
  /** Whether a launch may say of a parameter's reads that nobody must watch them. */
  readonly mayRest: (index: number) => boolean;
  /** What the first stage has given companions; the second leaves them alone, for the code is there. */
  readonly settled: Map<ir.Variable, ir.Value>;
  /** What the first stage has noted of copies. */
  readonly copies: CopyMarks;
  /** Whether a copy may store into local memory what is undefined: all reads of it must then ask. Of no use before the second stage. */
  readonly tracksLocal: boolean;
  /** Of no use before the second stage. */
  readonly shifts: GranuleShifts;
}

export type Stage = 'values' | 'accesses';
