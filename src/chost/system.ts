/** What a host program needs of the system that it runs on: the functions of WASI preview 1, and to be started. */

/** What programs import from besides OpenCL. */
export const systemModule = 'wasi_snapshot_preview1';

/** Functions of WebAssembly by their names. */
export type Functions = Record<string, (...args: never[]) => unknown>;

export interface System {
  /** What the program imports from {@link systemModule}. */
  readonly functions: Functions;
  /** Runs the program to its end and gives its exit code. */
  start(exports: WebAssembly.Exports, memory: WebAssembly.Memory): number;
}

/** What a program is told when it starts. */
export interface Surroundings {
  /** The first is the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
