/** What is an engine's own: its numbers for what {@link handles} and {@link numbers} name, its status. */
import type { ErrorClassName, HandleName, NumberName } from '../constants.ts';

export interface EngineTable {
  readonly name: 'Open MPI' | 'MPICH' | 'MPI ABI';
  /** The type of handles in C: pointers, or numbers of 32 bits. */
  readonly handleType: 'uintptr_t' | 'int32_t';
  /** A handle is a number, or the address of what the library has under a name. Undefined if the engine has none such. */
  handle(name: HandleName): number | string | undefined;
  readonly numbers: Readonly<Record<NumberName, number>>;
  /** MPI_IN_PLACE, which is no address. */
  readonly inPlace: number;
  /** MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE. */
  readonly statusIgnore: number;
  readonly status: StatusLayout;
  /** Classes of errors by the engine's numbers. */
  readonly errorClasses: readonly (ErrorClassName | undefined)[];
}

/** MPI_Status: its bytes, and where numbers of 32 bits lie in it. The others say how long the message is. */
export interface StatusLayout {
  readonly bytes: number;
  readonly source: number;
  readonly tag: number;
  readonly error: number;
}

/** A list with classes of errors where the engine has them. */
export function classList(
  places: Readonly<Partial<Record<ErrorClassName, number>>>,
): EngineTable['errorClasses'] {
  const list: (ErrorClassName | undefined)[] = [];
  for (const [name, place] of Object.entries(places)) list[place] = name as ErrorClassName;
  return list;
}
