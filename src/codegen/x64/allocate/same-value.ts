/**
 * Whether two registers that a copy connects, and that have values at the same time, then have the same one. Loops whose test is at their end leave such:
 *
 *     L1:
 *       vaddps v3, v1, v2
 *       vmovaps v1, v3           v1 is read in the next iteration, v3 behind the loop
 *       cmp ...
 *       jne L1
 *       vmovups [v4], v3
 *
 * Both may be one register, as long as none of them is written while the other one has the value too.
 */
import type { MachineFunction } from '../machine/function.ts';
import { isCopy, type MachineOperation, writes } from '../machine/operation.ts';
import type { Liveness, Ranges } from './liveness.ts';

export class SameValue {
  readonly #operations: readonly MachineOperation[];
  /** By place among the operations: whether other code may lead there. */
  readonly #isTarget: Uint8Array;

  constructor(fn: MachineFunction, { operations }: Liveness) {
    this.#operations = operations;
    this.#isTarget = new Uint8Array(operations.length + 1);
    let place = 0;
    for (const item of fn.items) {
      if (item.kind === 'label') this.#isTarget[place] = 1;
      else place += 1;
    }
  }

  /**
   * Whether wherever both have values a copy from one to the other has just been made, in straight code, and neither is written.
   * @param isOfOne, isOfOther whether an access (`MachineOperation.accesses`) is of a register of one side, of the other one
   */
  hold(
    one: Ranges,
    other: Ranges,
    isOfOne: (access: number) => boolean,
    isOfOther: (access: number) => boolean,
  ): boolean {
    const isWithin = (access: number): boolean => isOfOne(access) || isOfOther(access);
    for (let i = 0, j = 0; i < one.length && j < other.length; ) {
      const start = Math.max(one[i]!, other[j]!);
      const end = Math.min(one[i + 1]!, other[j + 1]!);
      if (start < end && !this.#isCopied(start, end, isOfOne, isOfOther, isWithin)) return false;
      if (one[i + 1]! <= other[j + 1]!) i += 2;
      else j += 2;
    }
    return true;
  }

  #isCopied(
    start: number,
    end: number,
    isOfOne: (access: number) => boolean,
    isOfOther: (access: number) => boolean,
    isWithin: (access: number) => boolean,
  ): boolean {
    const first = (start - 1) / 2;
    const copy = this.#operations[first];
    if (!copy || !isCopy(copy.instruction)) return false;
    if (!copy.accesses.some(isOfOne) || !copy.accesses.some(isOfOther)) return false;
    for (let place = first + 1; 2 * place < end; place += 1) {
      if (this.#isTarget[place]) return false;
      const operation = this.#operations[place]!;
      const isWriting =
        2 * place + 1 < end &&
        operation.accesses.some((access) => (access & writes) !== 0 && isWithin(access));
      if (isWriting && !(isCopy(operation.instruction) && operation.accesses.every(isWithin))) return false;
    }
    return true;
  }
}
