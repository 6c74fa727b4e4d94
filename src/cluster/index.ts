/**
 * What `import ... from 'millrace/cluster'` gives: one launch over the devices of all ranks that mpirun has started. All ranks run the same
 * program and make the same calls; each launch is divided along a dimension, and what a part needs of what others have written is sent before.
 * docs/cluster.md has the whole picture.
 */
import { type CompileOptions, compile } from '../api/javascript/compile.ts';
import type { TypedArray } from '../api/javascript/device-buffer.ts';
import type { Program } from '../api/javascript/program.ts';
import { type Communicator, init, type MPI } from '../mpi/index.ts';
import { ClusterBuffer } from './buffer.ts';
import { kernelsOf } from './kernels.ts';
import { type ClusterArgument, Launcher, type LaunchOptions, type LaunchReport } from './launcher.ts';

export { type Accessor, all, neighbours, oneToOne, type Part, rows } from './accessors.ts';
export { ClusterBuffer } from './buffer.ts';
export { ClusterError } from './error.ts';
export type { Range } from './intervals.ts';
export type { Access, ClusterArgument, LaunchOptions, LaunchReport } from './launcher.ts';

/** The devices of all ranks. */
export class Cluster {
  readonly mpi: MPI;
  /** Of the cluster alone: its messages are no others. */
  readonly #ranks: Communicator;
  readonly #programs = new Set<ClusterProgram>();

  /** Made by {@link openCluster}. */
  constructor(mpi: MPI) {
    this.mpi = mpi;
    this.#ranks = mpi.world.duplicate();
  }

  get rank(): number {
    return this.#ranks.rank;
  }

  get size(): number {
    return this.#ranks.size;
  }

  /** Compiles a source on each rank's device. */
  async compile(source: string, options: CompileOptions = {}): Promise<ClusterProgram> {
    const program = await compile(source, options);
    const made = new ClusterProgram(this.#ranks, program, source, options);
    this.#programs.add(made);
    return made;
  }

  /** Resolves when all ranks are here. */
  async barrier(): Promise<void> {
    await this.#ranks.ibarrier().done;
  }

  /** Gives back all programs, with their buffers. */
  release(): void {
    for (const program of this.#programs) program.release();
    this.#programs.clear();
    this.#ranks.free();
  }
}

/** A program on all devices. */
export class ClusterProgram {
  readonly #program: Program;
  readonly #ranks: Communicator;
  readonly #launcher: Launcher;

  constructor(ranks: Communicator, program: Program, source: string, options: CompileOptions) {
    this.#program = program;
    this.#ranks = ranks;
    this.#launcher = new Launcher(ranks, kernelsOf(source, options));
  }

  /** Memory that all ranks have, with the same content: so many bytes, which are zero, or those of an array that all ranks give alike. */
  buffer(content: number | TypedArray): ClusterBuffer {
    const own = typeof content === 'number' ? new Uint8Array(content) : content;
    return new ClusterBuffer(this.#ranks, this.#program.buffer(own), this.#launcher);
  }

  /**
   * A kernel as a function, as `Program.kernel` gives them: `await program.kernel('scale')({ global: [n] }, buffer, 2)`. It resolves when
   * this rank has done its part.
   */
  kernel(name: string): ClusterKernel {
    const kernel = this.#program.kernel(name);
    return (range, ...args) => this.#launcher.launch(kernel, range, args);
  }

  release(): void {
    this.#program.release();
  }
}

export type ClusterKernel = (
  range: LaunchOptions,
  ...args: readonly ClusterArgument[]
) => Promise<LaunchReport>;

/** Starts MPI, if it has not been started, and makes one device of those of all ranks. */
export function openCluster(): Cluster {
  return new Cluster(init());
}
