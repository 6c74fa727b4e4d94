/**
 * How what is done to two registers of 256 bits is written for one of 512. Most instructions have a form for that, some under another name. Comparisons
 * give a bit for each lane there, which are made lanes again; a choice by a mask is logic of three operands.
 *
 *     vcmpltps  v3, v1, v2             vcmpltps   k1, v1(512), v2(512)
 *                                      vpmovm2d   v3(512), k1
 *     vpblendvb v6, v4, v5, v3         vmovaps    v7(512), v3
 *                                      vpternlogd v7, v5, v4, 0xca
 *                                      vmovaps    v6(512), v7
 */
import { isEncodable } from '../assembler/encodable.ts';
import { evexName } from '../assembler/evex-names.ts';
import {
  type Instruction,
  immediate,
  instruction,
  maskRegister,
  type Operand,
} from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import { ofMnemonic, setsConstant } from '../machine/operation.ts';

/** What the lanes are whose comparison a mnemonic is. */
const comparedLanes = ofMnemonic((mnemonic): 'b' | 'w' | 'd' | 'q' | undefined => {
  const [, integers, floats] = /^vpcmp(?:eq|gt)([bwdq])$|^vcmpp([sd])$/.exec(mnemonic) ?? [];
  return floats ? (floats === 's' ? 'd' : 'q') : (integers as 'b' | 'w' | 'd' | 'q' | undefined);
});

/** Whether it compares lanes, for which there is no vector of 512 bits. */
export const isComparison = (mnemonic: string): boolean => comparedLanes(mnemonic) !== undefined;

const isChoice = (mnemonic: string): boolean => mnemonic === 'vpblendvb';

/** Whether an instruction whose registers have 256 bits can be written for 512. */
export function hasWholeForm({ mnemonic, operands }: Instruction): boolean {
  if (isComparison(mnemonic) || isChoice(mnemonic)) return true;
  const whole = operands.map(
    (operand): Operand =>
      operand.kind === 'vector' || operand.kind === 'memory' ? { ...operand, bits: 512 } : operand,
  );
  return isEncodable({ mnemonic: evexName(mnemonic), operands: whole }, { avx512: true });
}

/** How many instructions more than one it is for 512 bits. */
export function wholeCost({ mnemonic, operands: [to] }: Instruction): number {
  return to?.kind === 'vector' && to.bits === 256 && isComparison(mnemonic) ? 1 : 0;
}

/** The instructions that there are for one whose registers have been given 512 bits; others are as they were. */
export function wholeForm(fn: MachineFunction, one: Instruction): Instruction[] {
  const { mnemonic, operands } = one;
  const [to, a, b, chosen] = operands as [Operand, Operand, Operand, Operand];
  if (to.kind !== 'vector' || to.bits !== 512) {
    const isWhole = to.kind === 'memory' && to.bits === 512;
    return [isWhole ? { ...one, mnemonic: evexName(mnemonic) } : one];
  }
  const lanes = comparedLanes(mnemonic);
  if (lanes !== undefined) {
    // All ones, whatever it was.
    if (setsConstant(one))
      return [{ ...one, mnemonic: 'vpternlogd', operands: [to, to, to, immediate(0xff)] }];
    // k1 is nobody's between two instructions.
    const mask = maskRegister(1);
    return [{ ...one, operands: operands.with(0, mask) }, instruction(`vpmovm2${lanes}`, to, mask)];
  }
  if (isChoice(mnemonic)) {
    const made = fn.vector(512);
    return [
      instruction('vmovaps', made, chosen),
      instruction('vpternlogd', made, b, a, immediate(0xca)),
      instruction('vmovaps', to, made),
    ];
  }
  return [{ ...one, mnemonic: evexName(mnemonic) }];
}
