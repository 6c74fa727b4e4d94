/**
 * Asks for the next line of the cache where memory is what takes the time. Processors fetch lines ahead of those that are read in two pieces; where a
 * vector is a whole line there is one, so the next line is asked for here:
 *
 *     vmovups    v1(512), [m]       vmovups    v1(512), [m]
 *                                   prefetcht0 [m + 64]
 *     vpextrd    r1, v1, 0          vpextrd    r1, v1, 0
 *     vmovss     v2, [r15 + r1]     vmovss     v2, [r15 + r1]
 *
 * That is done for
 * - lists of places, as here: what reads a list of indices and then the elements that they name misses the cache with the elements, which keeps the
 *   processor from running ahead to the list's next vector;
 * - innermost loops that do little with each line, as far as no loop around them reads it again (read-again.ts).
 *
 * SHOC's molecular dynamics, whose neighbours lie a row apart, took three times as long without; sums along the columns of a matrix 1.2 times (Zen 5).
 */
import { instruction, type MemoryOperand } from '../assembler/instruction.ts';
import type { MachineFunction } from './function.ts';
import { findLoops, type Loop } from './loops.ts';
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
import { ReadAgain } from './read-again.ts';

const lineBytes = 64;
/** So many operations with each line that is read take as long as it takes to come. */
const mostWork = 4;

const takesLane = ofMnemonic((mnemonic) => /^(vpextr[bwdq]|vmov[dq])$/.test(mnemonic));
/** What a place goes through on its way from a lane to an address. */
const keepsPlace = ofMnemonic((mnemonic) => /^(mov|movzx|movsxd|lea|add|sub|shl|imul)$/.test(mnemonic));
/** What moves or makes values, and computes nothing from them. */
const isMove = ofMnemonic((mnemonic) => /^v(p?broadcast|mov|p?xor)/.test(mnemonic));

/** Rewrites the function: in loops, for loads of whole lines. */
export function fetchAhead(fn: MachineFunction): void {
  if (!fn.registers.some(({ kind, bits }) => kind === 'vector' && bits === lineBytes * 8)) return;
  const streamed = findStreamed(fn);
  /** Registers that become addresses or parts of them further down in this block, by their numbers. */
  const places = new Set<number>();
  const out: MachineItem[] = [];
  for (const item of fn.items.toReversed()) {
    if (item.kind === 'label') places.clear();
    else {
      const line = item.depth > 0 ? lineOf(item) : undefined;
      const [to] = item.instruction.operands;
      const isList = to?.kind === 'vector' && places.has(to.number);
      if (line && (isList || streamed.has(item)))
        out.push(item.with(instruction('prefetcht0', behind(line))));
      note(item, places);
    }
    out.push(item);
  }
  fn.items = out.toReversed();
}

/** The line that an operation reads, if it reads a whole one. */
function lineOf({ instruction: one }: MachineOperation): MemoryOperand | undefined {
  const access = accessOf(one);
  if (!access || access.writes || access.operand.bits !== lineBytes * 8) return undefined;
  if (one.operands[0]?.kind !== 'vector' || access.operand.index?.kind === 'vector') return undefined;
  return access.operand;
}

function behind(line: MemoryOperand): MemoryOperand {
  return { ...line, bits: 8, offset: (line.offset ?? 0) + lineBytes };
}

/** Loads of innermost loops that do little with each line, if nothing reads the line again, or the one behind it already. */
function findStreamed(fn: MachineFunction): ReadonlySet<MachineOperation> {
  const found = new Set<MachineOperation>();
  const loops = [...findLoops(fn.items).values()];
  let readAgain: ReadAgain | undefined;
  for (const loop of loops.filter((one) => !loops.some((other) => isWithin(other, one)))) {
    const loads: { readonly at: number; readonly item: MachineOperation; readonly line: MemoryOperand }[] =
      [];
    let work = 0;
    for (let at = loop.start; at <= loop.end; at += 1) {
      const item = fn.items[at]!;
      if (item.kind === 'label') continue;
      const line = lineOf(item);
      if (line) loads.push({ at, item, line });
      if (isWork(item)) work += 1;
    }
    if (loads.length === 0 || work > mostWork * loads.length) continue;
    readAgain ??= new ReadAgain(fn, loops);
    const read = new Set(loads.map(({ line }) => keyOf(line)));
    for (const { at, item, line } of loads) {
      if (!read.has(keyOf(behind(line))) && !readAgain.isReadAgain(at, line)) found.add(item);
    }
  }
  return found;
}

function isWithin(inner: Loop, outer: Loop): boolean {
  return inner !== outer && outer.start <= inner.start && inner.end <= outer.end;
}

/** Tells lines apart whose registers have the same values. */
function keyOf({ base, index, scale, offset = 0 }: MemoryOperand): string {
  return `${base?.number} ${index?.kind} ${index?.number} ${scale} ${offset}`;
}

function isWork({ instruction: { mnemonic, operands } }: MachineOperation): boolean {
  const [to] = operands;
  return to?.kind === 'vector' && to.bits === lineBytes * 8 && !isMove(mnemonic);
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
