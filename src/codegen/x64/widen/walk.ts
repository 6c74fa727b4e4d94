/**
 * The order in which a block's operations are once pairs are joined: the earlier one of a pair waits for the later one, unless something in
 * between must come after it.
 */

import { mayMeet } from '../machine/memory-access.ts';
import { numberShift, writes } from '../machine/operation.ts';
import { endsMovement, type Half, type HalvesBlock, type Pair } from './pair.ts';

export interface Visitor {
  /** The first of a pair cannot wait for the second. */
  alone(half: Half): void;
  joined(pair: Pair): void;
  plain(half: Half): void;
}

/** Number and class of an access's register. */
const keyOf = (access: number): number => access >> (numberShift - 1);

export class Walk {
  readonly #waiting: Half[] = [];
  /** By register: how many of those that wait write it, and how many have to do with it. */
  readonly #writers: Int32Array;
  readonly #users: Int32Array;
  /** How many of those that wait write to memory, and how many have to do with it. */
  #stores = 0;
  #accesses = 0;

  /** @param registers all numbers are below */
  constructor(registers: number) {
    this.#writers = new Int32Array(2 * registers);
    this.#users = new Int32Array(2 * registers);
  }

  /** Calls for each operation of a block, or pair of them, in the order in which they are to be. */
  go({ halves }: HalvesBlock, visitor: Visitor): void {
    const waiting = this.#waiting;
    for (const half of halves) {
      if (waiting.length > 0 && endsMovement(half.operation)) this.#releaseAll(visitor);
      const { pair } = half;
      const isAlive = pair?.isAlive ?? false;
      if (isAlive && pair!.early === half) {
        waiting.push(half);
        this.#count(half, 1);
        continue;
      }
      const own = isAlive ? pair!.early : undefined;
      if (waiting.length > 0) this.#makeWay(half, own, visitor);
      if (own && pair!.isAlive && this.#take(own)) visitor.joined(pair!);
      else visitor.plain(half);
    }
    this.#releaseAll(visitor);
  }

  /** Those that must come before an operation, or before the earlier half of it, do not wait any longer. */
  #makeWay(half: Half, own: Half | undefined, visitor: Visitor): void {
    const waiting = this.#waiting;
    let isFree = !this.#mayStop(half);
    if (own) {
      const ownAt = waiting.indexOf(own);
      if (ownAt >= 0) {
        this.#count(own, -1);
        isFree = !this.#mayStop(half) && (ownAt === 0 || !this.#mayStop(own));
        this.#count(own, 1);
      }
    }
    if (isFree) return;
    for (const one of [...waiting]) {
      if (one === own || !waiting.includes(one)) continue;
      const isBefore = own !== undefined && waiting.indexOf(one) < waiting.indexOf(own);
      if (mustStay(one, half) || (isBefore && mustStay(one, own!))) this.#release(one, visitor);
    }
  }

  #release(one: Half, visitor: Visitor): void {
    const at = this.#waiting.indexOf(one);
    if (at < 0) return;
    this.#take(one);
    // What it needs must be before it.
    if (this.#mayStop(one)) {
      for (const other of this.#waiting.slice(0, at)) {
        if (mustStay(other, one)) this.#release(other, visitor);
      }
    }
    visitor.alone(one);
  }

  #releaseAll(visitor: Visitor): void {
    for (const one of [...this.#waiting]) this.#release(one, visitor);
  }

  /** Lets one wait no longer; whether it did. */
  #take(one: Half): boolean {
    const at = this.#waiting.indexOf(one);
    if (at < 0) return false;
    this.#waiting.splice(at, 1);
    this.#count(one, -1);
    return true;
  }

  #count(half: Half, by: 1 | -1): void {
    for (const access of half.operation.accesses) {
      const key = keyOf(access);
      this.#users[key]! += by;
      if ((access & writes) !== 0) this.#writers[key]! += by;
    }
    const { memory } = half;
    if (!memory) return;
    this.#accesses += by;
    if (memory.writes) this.#stores += by;
  }

  /** Whether one of those that wait may have to be before an operation: what is false here need not be looked for. */
  #mayStop(half: Half): boolean {
    const { accesses, implicitDefinitions } = half.operation;
    for (const access of accesses) {
      const key = keyOf(access);
      if ((access & writes) !== 0 ? this.#users[key]! > 0 : this.#writers[key]! > 0) return true;
    }
    for (const number of implicitDefinitions) if (this.#users[number << 1]! > 0) return true;
    const { memory } = half;
    if (half.ordersMemory && this.#accesses > 0) return true;
    return memory !== undefined && (memory.writes ? this.#accesses : this.#stores) > 0;
  }
}

/** Whether an operation must be before another one. */
function mustStay(before: Half, after: Half): boolean {
  const { implicitDefinitions } = after.operation;
  for (const one of before.operation.accesses) {
    for (const other of after.operation.accesses) {
      if (keyOf(one) === keyOf(other) && ((one | other) & writes) !== 0) return true;
    }
    for (const number of implicitDefinitions) if (keyOf(one) === number << 1) return true;
  }
  const one = before.memory;
  const other = after.memory;
  if (one !== undefined && after.ordersMemory) return true;
  return (
    one !== undefined &&
    other !== undefined &&
    (one.writes || other.writes) &&
    mayMeet(one.operand, other.operand)
  );
}
