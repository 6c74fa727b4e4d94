/**
 * What becomes of errors: each communicator ends the job or gives codes, as MPI_Comm_set_errhandler says. The engine always gives codes, for
 * what it would print of an error on its own is lost with some launchers.
 */
import { handles } from '../constants.ts';
import { call, classOf, errorText } from '../error.ts';
import { abort } from '../process.ts';
import { printError } from '../uncaught.ts';
import type { Program } from './program.ts';

const { MPI_COMM_WORLD, MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL } = handles;

export class ErrorHandlers {
  readonly #program: Program;
  /** Of communicators by their numbers; MPI_ERRORS_ARE_FATAL for those that are not here. */
  readonly #chosen = new Map<number, number>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** Once MPI is initialised. */
  begin(): void {
    const { library } = this.#program;
    const quiet = library.handle('MPI_ERRORS_RETURN');
    for (const name of ['MPI_COMM_WORLD', 'MPI_COMM_SELF'] as const)
      call(library, 'MPI_Comm_set_errhandler', library.handle(name), quiet);
  }

  of(comm: number): number {
    return this.#chosen.get(comm) ?? MPI_ERRORS_ARE_FATAL;
  }

  set(comm: number, handler: number): void {
    this.#chosen.set(comm, handler);
  }

  /** A new communicator has the handler of the one that it was made from. */
  inherit(comm: number, from: number): void {
    this.#chosen.set(comm, this.of(from));
  }

  /** The program's number of an error; or the end of the job. @param comm undefined for calls that have none: those are of all ranks */
  raise(name: string, comm: number | undefined, code: number): number {
    const { library, codes } = this.#program;
    const owner = comm === undefined || !this.#isKnown(comm) ? MPI_COMM_WORLD : comm;
    if (this.of(owner) === MPI_ERRORS_ARE_FATAL) {
      const errorClass = classOf(library, code);
      printError(`${name}: ${errorClass}: ${errorText(library, code)}`);
      abort(library, Math.max(library.table.errorClasses.indexOf(errorClass), 1));
    }
    return codes.number(code);
  }

  #isKnown(comm: number): boolean {
    if (comm === MPI_COMM_WORLD || comm === MPI_COMM_SELF) return true;
    return this.#program.handles.engine('comm', comm) !== this.#program.handles.null('comm');
  }
}
