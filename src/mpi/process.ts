/**
 * MPI's beginning and end in a process. A rank that ends badly ends the job, for the others would wait for it for ever: the error is
 * printed before, and the launcher says which rank it was. One that ends well without MPI_Finalize has that called.
 */
import { atExit } from '../runtime/host.ts';
import { endCurrent, prepareEnd, setCurrent } from './current.ts';
import { call, MPIError } from './error.ts';
import { waitForLastWords } from './last-words.ts';
import { type Library, launchedRanks } from './library.ts';
import { printError, watchUncaught } from './uncaught.ts';

let isWatching = false;

/** @param level the engine's number. Gives the one that it allows. @throws MPIError; Error for a launcher of another engine */
export function initialise(library: Library, level: number): number {
  const place = new Int32Array(1);
  const { addressOf } = library;
  if (isTrue(library, 'MPI_Finalized'))
    throw new MPIError('MPI_ERR_OTHER', 'MPI has been finalised in this process, which is for good');
  if (isTrue(library, 'MPI_Initialized')) call(library, 'MPI_Query_thread', addressOf(place));
  else {
    call(library, 'MPI_Init_thread', 0, 0, level, addressOf(place));
    watchEnd(library);
  }
  setCurrent(library);
  checkLauncher(library);
  return place[0]!;
}

/** From now on the end of this process is MPI's end. */
export function watchEnd(library: Library): void {
  if (isWatching) return;
  isWatching = true;
  const uncaught = watchUncaught();
  atExit((code) => {
    if (!isTrue(library, 'MPI_Initialized') || isTrue(library, 'MPI_Finalized')) return;
    if (code === 0) {
      prepareEnd();
      library.function('MPI_Finalize')();
      return;
    }
    // Node would print it after this, which ends the process.
    uncaught.print();
    abort(library, code);
  });
}

/** Ends the job. Launchers do not always say which rank it was, and with what. */
export function abort(library: Library, code: number): void {
  const world = library.handle('MPI_COMM_WORLD');
  const place = new Int32Array(1);
  library.function('MPI_Comm_rank')(world, library.addressOf(place));
  printError(`MPI rank ${place[0]} ends the job with exit code ${code}`);
  waitForLastWords();
  library.function('MPI_Abort')(world, code);
}

export function finalise(library: Library): void {
  prepareEnd();
  call(library, 'MPI_Finalize');
  endCurrent();
}

function isTrue(library: Library, question: 'MPI_Initialized' | 'MPI_Finalized'): boolean {
  const place = new Int32Array(1);
  return library.function(question)(library.addressOf(place)) === 0 && place[0] !== 0;
}

/** Ranks that were started by another engine's launcher are each alone, and would all do the same. */
export function checkLauncher(library: Library): void {
  const launched = launchedRanks();
  const place = new Int32Array(1);
  call(library, 'MPI_Comm_size', library.handle('MPI_COMM_WORLD'), library.addressOf(place));
  if (launched === undefined || launched === 1 || place[0] !== 1) return;
  throw new MPIError(
    'MPI_ERR_OTHER',
    `the launcher has started ${launched} ranks, and ${library.file} (${library.table.name}) sees one: ` +
      'they are of different engines; MILLRACE_MPI names the one to use',
  );
}
