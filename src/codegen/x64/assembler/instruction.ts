/**
 * Instructions of x86-64 as data: what selection makes, what `encode.ts` turns into bytes and `print.ts` into Intel's text.
 *
 * Operands come in Intel's order, the destination first. Which operands an instruction may have, and how it is encoded, the tables
 * (`tables/`) say. Registers are numbers: the encoder takes 0 to 15 (vector registers: to 31, of which 16 and above need AVX-512) and
 * refuses others as an internal error, so that numbers above may stand for virtual registers before allocation.
 */

/** Bits of a general register. Registers of 8 bits are al, cl, ..., sil, dil, r8b, ...; ah and its like are not used. */
export type GeneralBits = 8 | 16 | 32 | 64;

/** Bits of a vector register. */
export type VectorBits = 128 | 256 | 512;

/** rax is 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6, rdi 7, r8 to r15 are 8 to 15. */
export interface GeneralRegister {
  readonly kind: 'general';
  readonly number: number;
  readonly bits: GeneralBits;
}

/** xmm, ymm or zmm. */
export interface VectorRegister {
  readonly kind: 'vector';
  readonly number: number;
  readonly bits: VectorBits;
}

/** k0 to k7. As an instruction's mask k0 is not allowed, since it would say that there is none. */
export interface MaskRegister {
  readonly kind: 'mask';
  readonly number: number;
}

/** A place in memory: base + index * scale + offset, or a constant of the program's constant pool + offset. */
export interface MemoryOperand {
  readonly kind: 'memory';
  /** A general register of 64 bits. Without base and index the address is `offset` itself (32 bits, sign-extended). */
  readonly base?: GeneralRegister;
  /** A general register of 64 bits other than rsp; for gathers and scatters a vector register. */
  readonly index?: GeneralRegister | VectorRegister;
  /** 1 where it is left out. */
  readonly scale?: 1 | 2 | 4 | 8;
  /** Bytes, 32 bits with a sign. 0 where it is left out. */
  readonly offset?: number;
  /** Bits that are read or written; of one element where it is broadcast or where the index is a vector. 0 for `lea`, which reads none. */
  readonly bits: number;
  /** The element is read once and used for so many lanes (`{1to16}`). */
  readonly broadcast?: 2 | 4 | 8 | 16 | 32;
  /** A constant in the pool of the program, as `Program.constant` numbered it; then there is no base and no index. */
  readonly constant?: number;
}

/** A number that is part of the instruction. Numbers are taken modulo the operand's bits: -1 and 0xff are the same byte. */
export interface Immediate {
  readonly kind: 'immediate';
  readonly value: number | bigint;
}

/** A place in the program, as `Program.newLabel` numbered it; the operand of jumps, calls and `lea`. */
export interface Label {
  readonly kind: 'label';
  readonly label: number;
}

export type Register = GeneralRegister | VectorRegister | MaskRegister;
export type Operand = Register | MemoryOperand | Immediate | Label;

/** A rounding mode of the instruction itself, or only that it raises no exceptions; registers of 512 bits or scalars. */
export type Rounding = 'rn-sae' | 'rd-sae' | 'ru-sae' | 'rz-sae' | 'sae';

/** One instruction. */
export interface Instruction {
  /** Intel's name in lower case, `vaddps`. For names that have a form for AVX-512 alone, see `tables/`. */
  readonly mnemonic: string;
  /** In Intel's order, the destination first. */
  readonly operands: readonly Operand[];
  /** Only the lanes whose bit is set in this mask are written. */
  readonly mask?: MaskRegister;
  /** Lanes that are not written become zero, where they would keep their values otherwise. */
  readonly zeroing?: boolean;
  readonly rounding?: Rounding;
  /** Atomic, with the prefix `lock`; the destination is in memory. */
  readonly lock?: boolean;
  /** The line of the source that it comes from, for the listing. */
  readonly line?: number;
}

export interface EncodingOptions {
  /** Whether forms that need AVX-512 may be chosen. False for programs that may run where there is none. */
  readonly avx512: boolean;
}

/** A general register. */
export function general(number: number, bits: GeneralBits): GeneralRegister {
  return { kind: 'general', number, bits };
}

/** A vector register. */
export function vector(number: number, bits: VectorBits): VectorRegister {
  return { kind: 'vector', number, bits };
}

/** A mask register. */
export function maskRegister(number: number): MaskRegister {
  return { kind: 'mask', number };
}

/** A number in the instruction. */
export function immediate(value: number | bigint): Immediate {
  return { kind: 'immediate', value };
}

/** A place in the program. */
export function label(number: number): Label {
  return { kind: 'label', label: number };
}

/** A place in memory of so many bits. */
export function memory(bits: number, address: Omit<MemoryOperand, 'kind' | 'bits'>): MemoryOperand {
  return { kind: 'memory', bits, ...address };
}

/** An instruction without mask and rounding. */
export function instruction(mnemonic: string, ...operands: Operand[]): Instruction {
  return { mnemonic, operands };
}
