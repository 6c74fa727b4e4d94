/** Objects by the numbers that programs know them by. A number is never given twice, so that a stale one is always noticed. */
import { badHandle } from './error.ts';

/** What can have a number. */
export abstract class CalObject {
  /** 0 until it is added to a table. */
  handle = 0;
}

export class Handles {
  readonly #objects = new Map<number, CalObject>();
  #next = 1;

  add<T extends CalObject>(object: T): T {
    object.handle = this.#next;
    this.#next += 1;
    this.#objects.set(object.handle, object);
    return object;
  }

  /** @throws CalError CAL_RESULT_BAD_HANDLE if the number stands for nothing of that kind */
  find<T extends CalObject>(kind: abstract new (...args: never[]) => T, handle: number, noun: string): T {
    const found = this.#objects.get(handle);
    if (found instanceof kind) return found;
    throw badHandle(`${String(handle)} is no ${noun}`);
  }

  remove(object: CalObject): void {
    this.#objects.delete(object.handle);
  }

  /** How many objects of a kind there are. */
  count(kind: abstract new (...args: never[]) => CalObject): number {
    let count = 0;
    for (const object of this.#objects.values()) if (object instanceof kind) count += 1;
    return count;
  }
}
