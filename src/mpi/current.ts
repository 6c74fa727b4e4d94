/** The library that this thread has initialised, for what is made without a communicator: datatypes and operations. */
import { MPIError } from './error.ts';
import type { Library } from './library.ts';

let current: Library | undefined;
let ended = false;

/** @throws MPIError MPI_ERR_OTHER before `init` and after `finalize` */
export function currentLibrary(): Library {
  if (current) return current;
  throw new MPIError(
    'MPI_ERR_OTHER',
    ended ? 'MPI has been finalised' : 'MPI is not initialised: call init() first',
  );
}

export function setCurrent(library: Library): void {
  current = library;
}

export function endCurrent(): void {
  current = undefined;
  ended = true;
}

const tasks = new Set<() => void>();

/** Has something done before MPI ends: engines complain of what is left. The result takes it back. */
export function beforeEnd(task: () => void): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

export function prepareEnd(): void {
  for (const task of tasks) task();
  tasks.clear();
}
