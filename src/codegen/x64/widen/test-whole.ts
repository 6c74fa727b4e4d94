/**
 * Tests both halves of a register in one instruction. Whether any lane of a mask is set is asked of what its parts come to together; where two parts
 * have become one register, no half has to be taken out for that:
 *
 *     vextracti128 v2, v1, 1
 *     vpor         v3, v1, v2
 *     vptest       v3, v3          vptest v1(256), v1(256)
 *
 * What is read no longer is left to dead code elimination.
 */
import { type Instruction, vector } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import { endsBlock, numberShift, ofMnemonic, writes } from '../machine/operation.ts';

const isOr = ofMnemonic((mnemonic) => /^(vpor[dq]?|vorp[sd])$/.test(mnemonic));

/** What gave a register its value, and where. */
interface Made {
  readonly instruction: Instruction;
  readonly at: number;
}

/** Rewrites the function, after halves have been joined. */
export function testWhole(fn: MachineFunction): void {
  /** By register, in this block. */
  const made = new Map<number, Made>();
  fn.items.forEach((item, at) => {
    if (item.kind === 'label' || item.isCall || endsBlock(item.instruction.mnemonic)) {
      made.clear();
      return;
    }
    const whole = wholeOf(item.instruction, made);
    if (whole !== undefined) {
      const both = vector(whole, 256);
      item.instruction = { ...item.instruction, operands: [both, both] };
    }
    for (const access of item.accesses) {
      if ((access & writes) !== 0) made.set(access >> numberShift, { instruction: item.instruction, at });
    }
  });
}

/** The register of 256 bits whose halves a test looks at, if it does that and nothing else. */
function wholeOf({ mnemonic, operands }: Instruction, made: ReadonlyMap<number, Made>): number | undefined {
  const [tested, again] = operands;
  if (mnemonic !== 'vptest' || tested?.kind !== 'vector' || again?.kind !== 'vector') return undefined;
  if (tested.number !== again.number || tested.bits !== 128) return undefined;
  const or = made.get(tested.number);
  if (!or || !isOr(or.instruction.mnemonic)) return undefined;
  const [, a, b] = or.instruction.operands;
  if (a?.kind !== 'vector' || b?.kind !== 'vector') return undefined;
  for (const [low, high] of [
    [a, b],
    [b, a],
  ] as const) {
    const extraction = made.get(high.number);
    if (extraction?.instruction.mnemonic !== 'vextracti128' || extraction.at > or.at) continue;
    const [, from] = extraction.instruction.operands;
    // The register has the value still that its upper half was taken of.
    const isSame = from?.kind === 'vector' && from.number === low.number;
    if (isSame && (made.get(low.number)?.at ?? -1) < extraction.at) return low.number;
  }
  return undefined;
}
