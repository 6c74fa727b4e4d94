/**
 * Loops in which a branch depends on lanes: they run until no lane is left, or do something only if a lane does it. For 512 bits a comparison gives a bit
 * for each lane, which is made a mask and then bits again for the branch, so that it is known late, and the next iteration waits for it. In such loops
 * comparisons stay halves, and so does what makes masks of them that are tested.
 *
 *     loop:  vpcmpeqq v2, v1, v0
 *            vpand    v3, v3, v2        v3: the lanes that go on
 *            vptest   v3, v3
 *            jne      loop
 */
import type { MachineFunction } from '../machine/function.ts';
import { firstVirtual, isOfVector, numberShift, ofMnemonic, reads, writes } from '../machine/operation.ts';
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
    if (this.isWaitedFor(at) && isComparison(operation.instruction.mnemonic)) return true;
    return vectors.some((number) => this.#isTested[number - firstVirtual] === 1);
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

/** By place in the function: 1 for what is in a loop with a branch that depends on lanes. */
function findWaiting({ items }: MachineFunction, isTested: Uint8Array): Uint8Array {
  const isWaiting = new Uint8Array(items.length);
  const depthAt = (at: number): number => {
    const item = items[at];
    return item?.kind === 'operation' ? item.depth : Number.POSITIVE_INFINITY;
  };
  items.forEach((item, at) => {
    if (item.kind === 'label' || item.depth === 0 || isWaiting[at] === 1) return;
    if (!vectorsOf(item.accesses, writes).some((index) => isTested[index] === 1)) return;
    // The loop around it: what is as deep, without a break.
    for (let from = at; from >= 0 && depthAt(from) >= item.depth; from -= 1) isWaiting[from] = 1;
    for (let to = at + 1; to < items.length && depthAt(to) >= item.depth; to += 1) isWaiting[to] = 1;
  });
  return isWaiting;
}
