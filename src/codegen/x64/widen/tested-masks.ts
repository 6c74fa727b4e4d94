/**
 * Loops that run until no lane is left, which they ask of a mask that each iteration makes smaller. For 512 bits a comparison gives a bit for each lane,
 * which is made a mask and then bits again for the branch, so that it is known late, and the next iteration waits for it. In such loops comparisons stay
 * halves, and so does what makes masks of them.
 *
 *     loop:  vpcmpeqq v2, v1, v0
 *            vpand    v3, v3, v2        v3: the lanes that go on
 *            vptest   v3, v3
 *            jne      loop
 */
import type { MachineFunction } from '../machine/function.ts';
import {
  endsBlock,
  firstVirtual,
  isOfVector,
  numberShift,
  ofMnemonic,
  reads,
  writes,
} from '../machine/operation.ts';
import type { Half } from './pair.ts';
import { isComparison } from './whole-form.ts';

const isTest = ofMnemonic((mnemonic) => /^(vptest|vtestp[sd]|v?p?movmsk(b|p[sd]))$/.test(mnemonic));
/** What makes a mask of masks. */
const isLogic = ofMnemonic((mnemonic) =>
  /^(vp?(and|andn|or|xor)(p[sd]|[dq])?|vpternlog[dq]|vmovap[sd]|vinserti128|vextracti128)$/.test(mnemonic),
);

export class TestedMasks {
  readonly #isTested: Uint8Array;
  readonly #isWaiting: Uint8Array;

  constructor(fn: MachineFunction) {
    this.#isTested = findTested(fn);
    this.#isWaiting = findWaiting(fn, this.#isTested);
  }

  /** Whether an operation is in such a loop. @param at its place in the function */
  isWaitedFor(at: number): boolean {
    return this.#isWaiting[at] === 1;
  }

  staysHalf({ operation, vectors }: Half, at: number): boolean {
    if (!this.isWaitedFor(at)) return false;
    return (
      isComparison(operation.instruction.mnemonic) ||
      vectors.some((number) => this.#isTested[number - firstVirtual] === 1)
    );
  }
}

/** The vector registers among accesses of a kind, by their numbers less {@link firstVirtual}. */
function vectorsOf(accesses: readonly number[], kind: number): number[] {
  return accesses
    .filter((access) => (access & kind) !== 0 && (access & isOfVector) !== 0)
    .map((access) => (access >> numberShift) - firstVirtual)
    .filter((index) => index >= 0);
}

/** By number less {@link firstVirtual}: 1 for those that are tested, or of which only logic makes what is tested. */
function findTested({ items, registers }: MachineFunction): Uint8Array {
  const isTested = new Uint8Array(registers.length);
  /** Of logic: what it writes, and what it reads. */
  const made: { readonly to: readonly number[]; readonly from: readonly number[] }[] = [];
  for (const item of items) {
    if (item.kind === 'label') continue;
    const { instruction, accesses } = item;
    if (isTest(instruction.mnemonic)) for (const index of vectorsOf(accesses, reads)) isTested[index] = 1;
    else if (isLogic(instruction.mnemonic))
      made.push({ to: vectorsOf(accesses, writes), from: vectorsOf(accesses, reads) });
  }
  made.reverse();
  for (let changed = true; changed; ) {
    changed = false;
    for (const { to, from } of made) {
      if (!to.some((index) => isTested[index] === 1)) continue;
      for (const index of from) {
        if (isTested[index] === 1) continue;
        isTested[index] = 1;
        changed = true;
      }
    }
  }
  return isTested;
}

/** By place in the function: 1 for what is in a loop in which a mask that is tested goes from iteration to iteration. */
function findWaiting({ items }: MachineFunction, isTested: Uint8Array): Uint8Array {
  const isWaiting = new Uint8Array(items.length);
  const placeOf = new Map<number, number>();
  items.forEach((item, at) => {
    if (item.kind === 'label') {
      placeOf.set(item.label, at);
      return;
    }
    const [to] = item.instruction.operands;
    const from =
      to?.kind === 'label' && endsBlock(item.instruction.mnemonic) ? placeOf.get(to.label) : undefined;
    // It jumps back.
    if (from !== undefined && carriesTested(items.slice(from, at), isTested)) isWaiting.fill(1, from, at);
  });
  return isWaiting;
}

/** Whether a mask that is tested is read in a loop before it is written there. */
function carriesTested(loop: MachineFunction['items'], isTested: Uint8Array): boolean {
  /** Registers that are written, and those that are read before. */
  const written = new Set<number>();
  const carried = new Set<number>();
  return loop.some((item) => {
    if (item.kind === 'label') return false;
    for (const index of vectorsOf(item.accesses, reads)) {
      if (isTested[index] === 1 && !written.has(index)) carried.add(index);
    }
    const results = vectorsOf(item.accesses, writes);
    for (const index of results) written.add(index);
    return results.some((index) => carried.has(index));
  });
}
