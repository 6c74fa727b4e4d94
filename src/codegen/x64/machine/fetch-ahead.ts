/**
 * Fetches the next line of a list of places. What reads a list of indices and then the elements that they name misses the cache with the elements, which
 * keeps the processor from running ahead to the list's next vector. Processors fetch lines ahead of those that are read in two pieces; where a vector is a
 * whole line there is one, so the next line is asked for here:
 *
 *     vmovups    v1(512), [m]       vmovups    v1(512), [m]
 *                                   prefetcht0 [m + 64]
 *     vpextrd    r1, v1, 0          vpextrd    r1, v1, 0
 *     vmovss     v2, [r15 + r1]     vmovss     v2, [r15 + r1]
 *
 * SHOC's molecular dynamics, whose neighbours lie a row apart, took three times as long without (Zen 5).
 */
import { instruction, type MemoryOperand } from '../assembler/instruction.ts';
import type { MachineFunction } from './function.ts';
import { accessOf } from './memory-access.ts';
import {
  firstVirtual,
  type MachineItem,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  reads,
  writes,
} from './operation.ts';

const lineBytes = 64;

const takesLane = ofMnemonic((mnemonic) => /^(vpextr[bwdq]|vmov[dq])$/.test(mnemonic));
/** What a place goes through on its way from a lane to an address. */
const keepsPlace = ofMnemonic((mnemonic) => /^(mov|movzx|movsxd|lea|add|sub|shl|imul)$/.test(mnemonic));

/** Rewrites the function: in loops, for loads of whole lines. */
export function fetchAhead(fn: MachineFunction): void {
  if (!fn.registers.some(({ kind, bits }) => kind === 'vector' && bits === lineBytes * 8)) return;
  /** Registers that become addresses or parts of them further down in this block, by their numbers. */
  const places = new Set<number>();
  const out: MachineItem[] = [];
  for (const item of fn.items.toReversed()) {
    if (item.kind === 'label') places.clear();
    else {
      const line = item.depth > 0 ? lineOf(item, places) : undefined;
      if (line) out.push(item.with(instruction('prefetcht0', line)));
      note(item, places);
    }
    out.push(item);
  }
  fn.items = out.toReversed();
}

/** The line behind the one that an operation reads places from, if it does. */
function lineOf(item: MachineOperation, places: ReadonlySet<number>): MemoryOperand | undefined {
  const access = accessOf(item.instruction);
  if (!access || access.writes || access.operand.bits !== lineBytes * 8) return undefined;
  const [to] = item.instruction.operands;
  if (to?.kind !== 'vector' || !places.has(to.number)) return undefined;
  const { operand } = access;
  return { ...operand, bits: 8, offset: (operand.offset ?? 0) + lineBytes };
}

/** Learns from an operation what becomes an address behind it. */
function note({ instruction: one, accesses }: MachineOperation, places: Set<number>): void {
  const { mnemonic, operands } = one;
  const [to, from] = operands;
  const isPlace = accesses.some((access) => (access & writes) !== 0 && places.has(access >> numberShift));
  // What it had before was none.
  for (const access of accesses) {
    if ((access & (reads | writes)) === writes) places.delete(access >> numberShift);
  }
  if (isPlace && to?.kind === 'general') {
    if (takesLane(mnemonic) && from?.kind === 'vector') places.add(from.number);
    else if (keepsPlace(mnemonic)) addSources(accesses, places);
  } else if (isPlace) addSources(accesses, places);
  for (const operand of operands) {
    if (operand.kind !== 'memory' || mnemonic === 'lea') continue;
    if (operand.index && operand.index.number >= firstVirtual) places.add(operand.index.number);
  }
}

function addSources(accesses: readonly number[], places: Set<number>): void {
  for (const access of accesses) {
    if ((access & reads) !== 0 && access >> numberShift >= firstVirtual) places.add(access >> numberShift);
  }
}
