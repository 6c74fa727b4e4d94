/**
 * What `import ... from 'millrace/mpi'` gives: the machine's MPI for programs in JavaScript that `mpirun` starts several times. Messages
 * are typed arrays and buffers of devices, which are not copied; docs/mpi.md has the whole picture.
 */
import { dispose } from '../runtime/dispose.ts';
import { shown } from '../source/shown.ts';
import { Communicator } from './communicator.ts';
import { textBytes } from './constants.ts';
import { call, MPIError } from './error.ts';
import { type Library, loadLibrary } from './library.ts';
import { abort, finalise, initialise } from './process.ts';

export { IN_PLACE } from './collectives.ts';
export { type CartesianOptions, Communicator } from './communicator.ts';
export type { ErrorClassName } from './constants.ts';
export { Datatype, type DatatypeLike, type TypeName } from './datatype.ts';
export { MPIError } from './error.ts';
export type { Data, MappedMemory, Message, Part, Parts } from './message.ts';
export { Operation, type OperationLike, type OperationName, type ReductionArray } from './operation.ts';
export type { SendMode } from './point-to-point.ts';
export { Request } from './request.ts';
export { ANY_SOURCE, ANY_TAG, PROC_NULL, Status, UNDEFINED } from './status.ts';

/** Who calls MPI: nobody but one thread, this one thread among several, one at a time, or all at once. */
export type ThreadLevel = 'single' | 'funneled' | 'serialized' | 'multiple';

const levels = {
  single: 'MPI_THREAD_SINGLE',
  funneled: 'MPI_THREAD_FUNNELED',
  serialized: 'MPI_THREAD_SERIALIZED',
  multiple: 'MPI_THREAD_MULTIPLE',
} as const;

export interface InitOptions {
  /** Default `funneled`: a device has threads of its own, which do not call MPI. */
  readonly threads?: ThreadLevel | undefined;
}

/** MPI at work in this process. */
export class MPI {
  readonly #library: Library;
  /** All ranks that were started together. */
  readonly world: Communicator;
  /** This rank alone. */
  readonly self: Communicator;
  /** What the engine allows. */
  readonly threads: ThreadLevel;

  /** Made by {@link init}. */
  constructor(library: Library, threads: ThreadLevel) {
    this.#library = library;
    this.threads = threads;
    this.world = new Communicator(library, library.handle('MPI_COMM_WORLD'), false);
    this.self = new Communicator(library, library.handle('MPI_COMM_SELF'), false);
  }

  /** `Open MPI`, `MPICH`, or `MPI ABI` for what has the standard's own. */
  get engine(): string {
    return this.#library.table.name;
  }

  /** What the engine says of itself. */
  get libraryVersion(): string {
    return this.#library.version;
  }

  /** Of the standard: `[3, 1]`, say. */
  get version(): readonly [number, number] {
    const places = new Int32Array(2);
    const at = this.#library.addressOf(places);
    call(this.#library, 'MPI_Get_version', at, at + 4);
    return [places[0]!, places[1]!];
  }

  /** The machine that this rank is on. */
  get processorName(): string {
    const text = new Uint8Array(textBytes);
    const length = new Int32Array(1);
    const { addressOf } = this.#library;
    call(this.#library, 'MPI_Get_processor_name', addressOf(text), addressOf(length));
    return new TextDecoder().decode(text.subarray(0, length[0]));
  }

  /** Seconds since some moment, the same for all calls of a rank. */
  wtime(): number {
    return this.#library.clock('MPI_Wtime');
  }

  /** Seconds from one value of that clock to the next. */
  wtick(): number {
    return this.#library.clock('MPI_Wtick');
  }

  /** Ends all ranks at once; this one does not come back from it. */
  abort(code = 1): never {
    abort(this.#library, code);
    throw new MPIError('MPI_ERR_OTHER', 'MPI_Abort has come back');
  }

  /** Ends MPI in this process, for good. All ranks do it. A program that ends well without it has it done. */
  finalize(): void {
    if (running !== this) return;
    running = undefined;
    finalise(this.#library);
  }

  /** For `using`. */
  [dispose](): void {
    this.finalize();
  }
}

let running: MPI | undefined;

/**
 * Starts MPI in this process, which all ranks do together. Later calls give the same. Errors are thrown from then on, as MPIError.
 * @throws MPIError MPI_ERR_OTHER where there is no MPI, in words that say what is missing
 */
export function init({ threads = 'funneled' }: InitOptions = {}): MPI {
  if (running) return running;
  if (!Object.hasOwn(levels, threads))
    throw new MPIError('MPI_ERR_ARG', `${shown(threads)} is no thread level`);
  const library = loadLibrary();
  if (typeof library === 'string') throw new MPIError('MPI_ERR_OTHER', library);
  const { numbers } = library.table;
  const provided = initialise(library, numbers[levels[threads]]);
  const mpi = new MPI(library, levelOf(provided, numbers));
  // Else the engine would end the job instead of saying what is wrong.
  for (const name of ['MPI_COMM_WORLD', 'MPI_COMM_SELF'] as const)
    call(library, 'MPI_Comm_set_errhandler', library.handle(name), library.handle('MPI_ERRORS_RETURN'));
  running = mpi;
  return mpi;
}

/** Why there is no MPI here, in words; undefined if there is one. */
export function missing(): string | undefined {
  const library = loadLibrary();
  return typeof library === 'string' ? library : undefined;
}

function levelOf(provided: number, numbers: Readonly<Record<string, number>>): ThreadLevel {
  const names = Object.entries(levels) as [ThreadLevel, string][];
  return names.find(([, name]) => numbers[name] === provided)?.[0] ?? 'single';
}
