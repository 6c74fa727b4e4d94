/**
 * Which instructions do the same to each half when they have twice the bits: those that AVX2 and AVX-512 compute lane by lane, or within each 128 bits.
 * What moves lanes further, or has a number in it that counts lanes of all, is not among them.
 */
import type { Instruction, MemoryOperand, Operand, VectorRegister } from '../assembler/instruction.ts';
import { firstVirtual, ofMnemonic, setsConstant } from '../machine/operation.ts';
import { hasWholeForm } from './whole-form.ts';

/** Bits of a register that becomes half of one: two of 128 need AVX2, two of 256 AVX-512. */
export type HalfBits = 128 | 256;

const floats =
  /^v(add|sub|mul|div|min|max|sqrt|and|andn|or|xor|cmp|round|blendv|unpckl|unpckh|rcp|rsqrt)p[sd]$/;
const others =
  /^(vshufps|vpermilps|vmovs[hl]dup|vcvtu?dq2ps|vcvtt?ps2u?dq|vfn?m(add|sub)(132|213|231)p[sd]|vmovap[sd]|vmovup[sd]|vmovdq[au](8|16|32|64)?)$/;
const integers =
  /^vp(add|sub)(u?s)?[bwdq]$|^vpmul(lw|hw|huw|hrsw|ld|lq|udq|dq)$|^vpmadd(wd|ubsw)$|^vpavg[bw]$|^vp(min|max)[su][bwd]$|^vpabs[bwdq]$|^vpsign[bwd]$|^vpcmp(eq|gt)[bwdq]$|^vp(and|andn|or|xor)[dq]?$|^vp(ternlog|rolv?)[dq]$|^vps(ll|rl|ra)v[wdq]$|^vpsadbw$|^vpunpck[lh](bw|wd|dq|qdq)$|^vpack[su]s(wb|dw)$|^vpshuf(b|d|hw|lw)$|^vpalignr$|^vpblendvb$|^vpblendw$/;
const shifts = /^vps(ll|rl|ra)(w|d|q)$/;

/** Lanes that become twice as wide: those of the lower half of what is read. */
const widenings = /^vcvt(u?dq2pd|ps2pd)$|^vpmov[sz]x(bw|wd|dq)$/;

/** @param bits of what it gives */
export function isWidening({ mnemonic, operands: [to, from] }: Instruction, bits: HalfBits): boolean {
  if (!to || !from || !widenings.test(mnemonic)) return false;
  return isVirtualVector(to, bits) && isVirtualVector(from, 128);
}

/** The register of 128 bits or more whose upper half an instruction moves into a lower one, where it does nothing else that counts. */
export function upperHalfOf({ mnemonic, operands }: Instruction, bits: HalfBits): number | undefined {
  const [, from, how] = operands;
  if (!from || !isVirtualVector(from, bits) || how?.kind !== 'immediate') return undefined;
  const number = Number(how.value);
  const moves =
    bits === 256
      ? mnemonic === 'vextracti128' && number === 1
      : (mnemonic === 'vpshufd' && (number & 15) === 14) || (mnemonic === 'vpsrldq' && number === 8);
  return moves ? from.number : undefined;
}

/** What puts an upper half into a register, and takes it out. */
export const halfMoves = {
  128: { insert: 'vinserti128', extract: 'vextracti128' },
  256: { insert: 'vinserti64x4', extract: 'vextracti64x4' },
} as const;

/** The two registers that an instruction puts together in another one, if it does that. */
export function gatheredBy(
  { mnemonic, operands }: Instruction,
  bits: HalfBits,
): { readonly low: number; readonly high: number } | undefined {
  if (mnemonic !== halfMoves[bits].insert) return undefined;
  const [to, low, high, where] = operands;
  if (to?.kind !== 'vector' || low?.kind !== 'vector' || high?.kind !== 'vector') return undefined;
  if (where?.kind !== 'immediate' || Number(where.value) !== 1 || low.number === high.number)
    return undefined;
  const isVirtual = [to, low, high].every(({ number }) => number >= firstVirtual);
  return isVirtual ? { low: low.number, high: high.number } : undefined;
}

/** Whether two of this instruction may become one. */
export function isJoinable(one: Instruction, bits: HalfBits): boolean {
  const { mnemonic, operands, mask, rounding, lock } = one;
  if (mask || rounding || lock || operands.length === 0) return false;
  if (isWidening(one, bits)) return true;
  if (shifts.test(mnemonic)) {
    if (operands[2]?.kind !== 'immediate') return false;
  } else if (!floats.test(mnemonic) && !others.test(mnemonic) && !integers.test(mnemonic)) return false;
  const isWhole = operands.every(
    (operand) =>
      operand.kind === 'immediate' || isVirtualVector(operand, bits) || isWholeMemory(operand, bits),
  );
  return isWhole && (bits === 128 || hasWholeForm(one));
}

export function isVirtualVector(operand: Operand, bits: HalfBits): operand is VectorRegister {
  return operand.kind === 'vector' && operand.bits === bits && operand.number >= firstVirtual;
}

function isWholeMemory(operand: Operand, bits: HalfBits): operand is MemoryOperand {
  return operand.kind === 'memory' && operand.bits === bits && operand.broadcast === undefined;
}

/** What two instructions must have in common besides registers and places. */
export function signatureOf({ mnemonic, operands }: Instruction): string {
  const words = operands.map((operand) => {
    if (operand.kind === 'immediate') return String(operand.value);
    if (operand.kind !== 'memory') return 'v';
    return operand.constant === undefined
      ? `m${operand.base?.number},${operand.index?.number},${operand.scale ?? 1}`
      : 'c';
  });
  return `${mnemonic} ${words.join(' ')}`;
}

const isBroadcast = ofMnemonic((mnemonic) => /^vbroadcasts[sd]$|^vpbroadcast[bwdq]$/.test(mnemonic));
const isWholeMove = ofMnemonic((mnemonic) => /^vmovup[sd]$/.test(mnemonic));

/** Whether it has the same value in all its lanes, or is a constant, and has a form of twice the bits that reads no more. */
export function isWidened(one: Instruction, bits: HalfBits): boolean {
  const [to, from] = one.operands;
  if (to?.kind !== 'vector' || to.bits !== bits) return false;
  if (isBroadcast(one.mnemonic) || (one.mnemonic === 'vmovddup' && bits === 128)) return true;
  if (isWholeMove(one.mnemonic) && from?.kind === 'memory')
    return from.constant !== undefined && from.bits === bits;
  return setsConstant(one)?.kind === 'vector';
}
