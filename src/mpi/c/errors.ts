/** The error codes of a program: the standard's classes, and beyond those the places of a list with the engine's codes, which have more words. */
import { errorClasses } from '../constants.ts';
import { classNumber, classOf } from '../error.ts';
import type { Library } from '../library.ts';

/** Behind all classes, before MPI_ERR_LASTCODE. */
const firstCode = 1000;
const mostCodes = 15000;

export class ErrorCodes {
  readonly #library: Library;
  readonly #codes: number[] = [];

  constructor(library: Library) {
    this.#library = library;
  }

  /** What a program gets for a code of the engine. */
  number(code: number): number {
    if (code === 0) return 0;
    const number = classNumber(classOf(this.#library, code));
    // Programs compare with this one.
    if (errorClasses[number] === 'MPI_ERR_IN_STATUS' || errorClasses[number] === 'MPI_ERR_PENDING')
      return number;
    // An engine whose codes are its classes has no more words for them.
    if (this.#library.table.errorClasses[code] === errorClasses[number]) return number;
    let place = this.#codes.indexOf(code);
    if (place < 0) place = this.#codes.length < mostCodes ? this.#codes.push(code) - 1 : -1;
    return place < 0 ? number : firstCode + place;
  }

  /** The engine's code for what a program has got. */
  engine(number: number): number {
    if (number >= firstCode) return this.#codes[number - firstCode] ?? this.#ofClass('MPI_ERR_UNKNOWN');
    return this.#ofClass(errorClasses[number] ?? 'MPI_ERR_UNKNOWN');
  }

  /** The class of a program's code. */
  classOf(number: number): number {
    if (number >= 0 && number < errorClasses.length) return number;
    return classNumber(classOf(this.#library, this.engine(number)));
  }

  #ofClass(name: (typeof errorClasses)[number]): number {
    return Math.max(this.#library.table.errorClasses.indexOf(name), 0);
  }
}
