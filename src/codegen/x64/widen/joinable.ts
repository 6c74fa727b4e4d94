/**
 * Which instructions of 128 bits do the same to each half when they have 256: those that AVX2 computes lane by lane, or within each half. What
 * moves lanes from half to half, or has a number in it that counts lanes of both, is not among them.
 */
import type { Instruction, MemoryOperand, Operand, VectorRegister } from '../assembler/instruction.ts';
import { firstVirtual, memoryRegister, ofMnemonic, roleOf, setsConstant } from '../machine/operation.ts';

const floats =
  /^v(add|sub|mul|div|min|max|sqrt|and|andn|or|xor|cmp|round|blendv|unpckl|unpckh|rcp|rsqrt)p[sd]$/;
const others =
  /^(vshufps|vpermilps|vmovs[hl]dup|vcvtdq2ps|vcvtt?ps2dq|vfn?m(add|sub)(132|213|231)p[sd]|vmovap[sd]|vmovup[sd]|vmovdq[au](8|16|32|64)?)$/;
const integers =
  /^vp(add|sub)(u?s)?[bwdq]$|^vpmul(lw|hw|huw|hrsw|ld|udq|dq)$|^vpmadd(wd|ubsw)$|^vpavg[bw]$|^vp(min|max)[su][bwd]$|^vpabs[bwd]$|^vpsign[bwd]$|^vpcmp(eq|gt)[bwdq]$|^vp(and|andn|or|xor)[dq]?$|^vp(ternlog|rol)[dq]$|^vp(sll|srl)v[dq]$|^vpsravd$|^vpunpck[lh](bw|wd|dq|qdq)$|^vpack[su]s(wb|dw)$|^vpshuf(b|d|hw|lw)$|^vpalignr$|^vpblendvb$|^vpblendw$/;
const shifts = /^vps(ll|rl|ra)(w|d|q)$/;

/** Lanes that become twice as wide: those of the lower half of what is read. */
const widenings = /^vcvt(dq2pd|ps2pd)$|^vpmov[sz]x(bw|wd|dq)$/;

export function isWidening({ mnemonic, operands }: Instruction): boolean {
  return widenings.test(mnemonic) && operands.every(isVirtualVector);
}

/** The register whose upper half an instruction moves into a lower one, where it does nothing else that counts. */
export function upperHalfOf({ mnemonic, operands }: Instruction): number | undefined {
  const [, from, how] = operands;
  if (!from || !isVirtualVector(from) || how?.kind !== 'immediate') return undefined;
  const moves =
    (mnemonic === 'vpshufd' && (Number(how.value) & 15) === 14) ||
    (mnemonic === 'vpsrldq' && Number(how.value) === 8);
  return moves ? from.number : undefined;
}

/** Whether two of this instruction may become one. */
export function isJoinable(one: Instruction): boolean {
  const { mnemonic, operands, mask, rounding, lock } = one;
  if (mask || rounding || lock || operands.length === 0) return false;
  if (isWidening(one)) return true;
  if (shifts.test(mnemonic)) {
    if (mnemonic === 'vpsraq' || operands[2]?.kind !== 'immediate') return false;
  } else if (!floats.test(mnemonic) && !others.test(mnemonic) && !integers.test(mnemonic)) return false;
  return operands.every(
    (operand) => operand.kind === 'immediate' || isVirtualVector(operand) || isWholeMemory(operand),
  );
}

export function isVirtualVector(operand: Operand): operand is VectorRegister {
  return operand.kind === 'vector' && operand.bits === 128 && operand.number >= firstVirtual;
}

function isWholeMemory(operand: Operand): operand is MemoryOperand {
  return operand.kind === 'memory' && operand.bits === 128 && operand.broadcast === undefined;
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

/** How an access to memory begins and ends, if it is one. */
export function accessOf(
  one: Instruction,
): { readonly operand: MemoryOperand; readonly writes: boolean } | undefined {
  for (let index = 0; index < one.operands.length; index += 1) {
    const operand = one.operands[index]!;
    if (operand.kind !== 'memory' || one.mnemonic === 'lea' || operand.constant !== undefined) continue;
    return { operand, writes: roleOf(one, index) !== 'use' };
  }
  return undefined;
}

/** Whether two accesses, whose registers have the same values, may be to the same byte. */
export function mayMeet(one: MemoryOperand, other: MemoryOperand): boolean {
  const isKernels = ({ base }: MemoryOperand): boolean => base?.number === memoryRegister;
  if (isKernels(one) !== isKernels(other)) {
    // The frame and the context are beyond what kernels reach; another register may hold any address.
    const outside = isKernels(one) ? other : one;
    return (outside.base?.number ?? 0) >= firstVirtual;
  }
  if (one.base?.number !== other.base?.number || one.index?.number !== other.index?.number) return true;
  if ((one.scale ?? 1) !== (other.scale ?? 1) || one.index?.kind === 'vector') return true;
  const [a, b] = [one.offset ?? 0, other.offset ?? 0];
  return a < b + other.bits / 8 && b < a + one.bits / 8;
}

const isBroadcast = ofMnemonic((mnemonic) => /^vbroadcastss$|^vpbroadcast[bwdq]$|^vmovddup$/.test(mnemonic));
const isWholeMove = ofMnemonic((mnemonic) => /^vmovup[sd]$/.test(mnemonic));

/** Whether it has the same value in all its lanes, or is a constant, and has a form of 256 bits that reads no more. */
export function isWidened(one: Instruction): boolean {
  if (isBroadcast(one.mnemonic)) return true;
  const [, from] = one.operands;
  if (isWholeMove(one.mnemonic) && from?.kind === 'memory')
    return from.constant !== undefined && from.bits === 128;
  return setsConstant(one)?.kind === 'vector';
}
