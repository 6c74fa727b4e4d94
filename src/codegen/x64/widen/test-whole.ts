/**
 * Tests both halves of a register in one instruction. Whether any lane of a mask is set is asked of what its parts come to together; where two parts
 * have become one register, no half has to be taken out for that:
 *
 *     vextracti128 v2, v1, 1
 *     vpor         v3, v1, v2
 *     vptest       v3, v3          vptest v1(256), v1(256)
 *
 * Registers of 512 bits are tested by way of a mask:
 *
 *                                  vptestmd  k1, v1(512), v1(512)
 *                                  kortestw  k1, k1
 *
 * What is read no longer is left to dead code elimination.
 */
import { type Instruction, maskRegister, vector } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import { endsBlock, type MachineOperation, numberShift, ofMnemonic, writes } from '../machine/operation.ts';
import { type HalfBits, halfMoves } from './joinable.ts';

const isOr = ofMnemonic((mnemonic) => /^(vpor[dq]?|vorp[sd])$/.test(mnemonic));

/** What gave a register its value, and where. */
interface Made {
  readonly instruction: Instruction;
  readonly at: number;
}

/**
 * Rewrites the function, after halves have been joined.
 * @param bits of the halves
 */
export function testWhole(fn: MachineFunction, bits: HalfBits): void {
  /** By register, in this block. */
  const made = new Map<number, Made>();
  fn.items = fn.items.flatMap((item, at) => {
    if (item.kind === 'label' || item.isCall || endsBlock(item.instruction.mnemonic)) {
      made.clear();
      return [item];
    }
    const whole = wholeOf(item.instruction, made, bits);
    if (whole !== undefined) return testOf(item, whole, bits);
    for (const access of item.accesses) {
      if ((access & writes) !== 0) made.set(access >> numberShift, { instruction: item.instruction, at });
    }
    return [item];
  });
}

function testOf(item: MachineOperation, number: number, bits: HalfBits): MachineOperation[] {
  if (bits === 128) {
    const both = vector(number, 256);
    return [item.with({ ...item.instruction, operands: [both, both] })];
  }
  const all = vector(number, 512);
  const mask = maskRegister(1);
  return [
    item.with({ ...item.instruction, mnemonic: 'vptestmd', operands: [mask, all, all] }),
    item.with({ ...item.instruction, mnemonic: 'kortestw', operands: [mask, mask] }),
  ];
}

/** The register of twice the bits whose halves a test looks at, if it does that and nothing else. */
function wholeOf(
  { mnemonic, operands }: Instruction,
  made: ReadonlyMap<number, Made>,
  bits: HalfBits,
): number | undefined {
  const [tested, again] = operands;
  if (mnemonic !== 'vptest' || tested?.kind !== 'vector' || again?.kind !== 'vector') return undefined;
  if (tested.number !== again.number || tested.bits !== bits) return undefined;
  const or = made.get(tested.number);
  if (!or || !isOr(or.instruction.mnemonic)) return undefined;
  const [, a, b] = or.instruction.operands;
  if (a?.kind !== 'vector' || b?.kind !== 'vector') return undefined;
  for (const [low, high] of [
    [a, b],
    [b, a],
  ] as const) {
    const extraction = made.get(high.number);
    if (extraction?.instruction.mnemonic !== halfMoves[bits].extract || extraction.at > or.at) continue;
    const [, from] = extraction.instruction.operands;
    // The register has the value still that its upper half was taken of.
    const isSame = from?.kind === 'vector' && from.number === low.number;
    if (isSame && (made.get(low.number)?.at ?? -1) < extraction.at) return low.number;
  }
  return undefined;
}
