/** What join-halves.ts makes pairs of: operations, with what is asked again and again of each found once. */

import type { MemoryOperand } from '../assembler/instruction.ts';
import { accessOf, ordersMemory } from '../machine/memory-access.ts';
import {
  firstVirtual,
  isOfVector,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  type Role,
  roleOf,
  writes,
} from '../machine/operation.ts';
import { type HalfBits, isJoinable, isWidening, signatureOf } from './joinable.ts';

export interface Pair {
  /** What makes the lower half, and the upper one. */
  readonly first: Half;
  readonly second: Half;
  /** In the order in which they are. */
  readonly early: Half;
  readonly late: Half;
  /** What an instruction there counts for. */
  readonly weight: number;
  /** What is saved by doing both at once. */
  readonly gain: number;
  /** What it costs to put an operand's halves together, or to take one out of what it gives. */
  readonly move: number;
  /** Operands that are registers in both. */
  readonly links: readonly Link[];
  isAlive: boolean;
}

/** Registers of the two operations in the place of one operand. */
export interface Link {
  readonly x: number;
  readonly y: number;
  readonly role: Role;
}

/** What is between labels, calls and jumps: nothing is moved past these. */
export interface HalvesBlock {
  readonly halves: Half[];
  /** The place of its first operation. */
  readonly first: number;
  /** How many of them can be joined and have no partner. */
  open: number;
  /** The last round in which more came to be known of a register of one of them. */
  touched: number;
  /** Whether pairs have been taken apart since it was seen that all others' operations can move. */
  mayMove: boolean;
}

/** An operation that may be half of a pair. */
export class Half {
  readonly operation: MachineOperation;
  /** Its place in the function. */
  readonly at: number;
  readonly block: HalvesBlock;
  /** The number of what two operations must have in common; -1 if it cannot be joined. */
  signature: number;
  readonly isWidening: boolean;
  /** Whether each operand is written; of those that can be joined. */
  readonly writes: readonly boolean[];
  /** Virtual vector registers that it writes; of those that can be joined. */
  readonly vectors: readonly number[];
  /** The pair that it is in. */
  pair: Pair | undefined;
  /** The last round in which more came to be known of a register of it. */
  touched = 0;
  /** Whether an iteration waits for what the one before it has computed (tested-masks.ts). */
  isWaitedFor = false;
  #ordersMemory: boolean | undefined;
  #memory: { readonly operand: MemoryOperand; readonly writes: boolean } | null | undefined;

  /** @param signatures their numbers */
  constructor(
    operation: MachineOperation,
    at: number,
    block: HalvesBlock,
    signatures: Map<string, number>,
    bits: HalfBits,
  ) {
    this.operation = operation;
    this.at = at;
    this.block = block;
    const { instruction, accesses } = operation;
    this.signature = -1;
    if (!accesses.some((access) => (access & isOfVector) !== 0) || !isJoinable(instruction, bits)) {
      this.isWidening = false;
      this.writes = none;
      this.vectors = none;
      return;
    }
    this.isWidening = isWidening(instruction, bits);
    this.writes = instruction.operands.map((_, index) => roleOf(instruction, index) !== 'use');
    const isWritten = (access: number): boolean =>
      (access & writes) !== 0 && (access & isOfVector) !== 0 && access >> numberShift >= firstVirtual;
    this.vectors = accesses.filter(isWritten).map((access) => access >> numberShift);
    const text = signatureOf(instruction);
    let signature = signatures.get(text);
    if (signature === undefined) {
      signature = signatures.size;
      signatures.set(text, signature);
    }
    this.signature = signature;
  }

  /** Whether accesses to memory stay on their side of it. */
  get ordersMemory(): boolean {
    this.#ordersMemory ??= ordersMemory(this.operation);
    return this.#ordersMemory;
  }

  /** Its access to memory, if it has one. */
  get memory(): { readonly operand: MemoryOperand; readonly writes: boolean } | undefined {
    if (this.#memory === undefined) this.#memory = accessOf(this.operation.instruction) ?? null;
    return this.#memory ?? undefined;
  }
}

const none: readonly never[] = [];

const isJumpOrCall = ofMnemonic((mnemonic) => /^(j|ret|ud2|call)/.test(mnemonic));

/** A jump or a call, past which nothing is moved. */
export function endsMovement({ isCall, instruction: { mnemonic } }: MachineOperation): boolean {
  return isCall || isJumpOrCall(mnemonic);
}

/** Whether an operation reads or writes one of these vector registers. */
export function touches({ operation: { accesses } }: Half, registers: readonly number[]): boolean {
  return accesses.some((access) => (access & isOfVector) !== 0 && registers.includes(access >> numberShift));
}

const loopWeight = 8;

/** What an operation counts for: more in loops. */
export function weightAt({ depth }: MachineOperation): number {
  return loopWeight ** Math.min(depth, 6);
}

/** For two registers one number. */
export function keyOfBoth(x: number, y: number): number {
  return x * 2 ** 26 + y;
}
