/**
 * Puts straight vector code that has more values alive than there are registers into an order in which it computes a few of its results at a
 * time. A work-item that keeps sixteen sums, say, adds to each of them what it has loaded:
 *
 *     %s0 = context_read $0                            %s0 = context_read $0
 *     %s1 = context_read $1                            %a0 = load %p0
 *     ...                                              %s0' = fadd %s0, (fmul %a0, %b00)
 *     %a0 = load %p0                                   %a1 = load %p1
 *     %s0' = fadd %s0, (fmul %a0, %b00)          =>    %s0" = fadd %s0', (fmul %a1, %b10)
 *     %s1' = fadd %s1, (fmul %a0, %b01)                ...
 *     ...                                              context_write $0, %s0"
 *     %a1 = load %p1                                   %s1 = context_read $1
 *     %s0" = fadd %s0', (fmul %a1, %b10)               %s1' = fadd %s1, (fmul %a0, %b01)
 *     ...                                              ...
 *
 * With eight lanes sixteen sums are 32 registers: on the left they go through memory once for each value loaded, on the right it is the loaded
 * values that are read again. How many results are computed at a time is what the least goes through memory with
 * (analysis/cost/spills.ts); where that saves little, the order stays.
 *
 * Results are what is written to context arrays: what else is used behind the run stays in registers anyway. A run ends at whatever may
 * write memory and at structures. Context arrays are no memory: a run has those reads and writes of them that do not meet.
 */
import { effectsOf, isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { wideRegions } from '../../../ir/work-item-loops.ts';
import type { Vectors, VectorTarget } from '../../../target/target.ts';
import { registersOfVector } from '../../analysis/cost/registers.ts';
import { spillsOf } from '../../analysis/cost/spills.ts';

/** Runs in which less than so many registers go through memory stay as they are, and orders that leave more than a share of it. */
const leastSpills = 16;
const mostLeft = 0.75;
/** So many results are tried to be computed at a time: more vectors seldom find room in registers. */
const mostAtOnce = 8;

export function orderByResults(fn: ir.Function, { vectors }: VectorTarget): boolean {
  let isChanged = false;
  if (!fn.body) return false;
  walkRegion(fn.body, (itemLoop) => {
    if (itemLoop.op !== 'work_item_loop') return;
    for (const wide of wideRegions(itemLoop)) {
      orderIn(wide);
      walkRegion(wide, ({ regions }) => {
        for (const region of regions) orderIn(region);
      });
    }
  });
  return isChanged;

  function orderIn(region: ir.Region): void {
    const { instructions } = region;
    for (let at = 0; at < instructions.length; ) {
      const end = endOfRun(instructions, at);
      const ordered = betterOrder(instructions, at, end, vectors);
      if (ordered) {
        instructions.splice(at, ordered.length, ...ordered);
        isChanged = true;
      }
      at = end + 1;
    }
  }
}

/** Where the run that begins at an index ends: at the first instruction that must keep its place. */
function endOfRun(instructions: readonly ir.Instruction[], from: number): number {
  const written = new Map<ir.ContextArray, Set<number>>();
  let at = from;
  for (; at < instructions.length; at += 1) {
    const one = instructions[at]!;
    if (isPure(one)) continue;
    const { reads, writes, isFresh, acquires } = effectsOf(one);
    if (one.op === 'context_read' || one.op === 'context_write') {
      const row = one.row ?? 0;
      const rows = written.get(one.contextArray) ?? new Set();
      if (rows.has(row) || (one.op === 'context_write' && one.scan !== undefined)) break;
      if (one.op === 'context_write') written.set(one.contextArray, rows.add(row));
    } else if (reads !== 'memory' || writes || isFresh || acquires || one.regions.length > 0) break;
  }
  return at;
}

/**
 * The order of a run, the instructions from an index on, with the fewest registers stored and loaded, if that is worth it. A list may have as
 * many runs as instructions: what is behind a run is looked at only where the run has results that are too many.
 */
function betterOrder(
  instructions: readonly ir.Instruction[],
  from: number,
  end: number,
  vectors: Vectors,
): ir.Instruction[] | undefined {
  const results: number[] = [];
  // Results that fit into registers together are not what is too much.
  let registers = 0;
  for (let at = from; at < end; at += 1) {
    const one = instructions[at]!;
    if (one.op !== 'context_write') continue;
    results.push(at - from);
    registers += registersOfVector(one.operands[0]!.type, vectors);
  }
  if (registers <= vectors.allocatable) return undefined;
  return orderFor(instructions.slice(from, end), instructions.slice(end), results, vectors);
}

function orderFor(
  run: readonly ir.Instruction[],
  behind: readonly ir.Instruction[],
  results: readonly number[],
  vectors: Vectors,
): ir.Instruction[] | undefined {
  const definitions = new Map<ir.Value, number>();
  run.forEach(({ results }, index) => {
    for (const result of results) definitions.set(result, index);
  });
  // What a context array holds is read before it is written.
  const reads = new Map<ir.ContextArray, Map<number, number[]>>();
  const needs = run.map((one, index) => {
    const operands = one.operands.flatMap((operand) => definitions.get(operand) ?? []);
    if (one.op !== 'context_read' && one.op !== 'context_write') return operands;
    const row = one.row ?? 0;
    const ofRows = reads.get(one.contextArray) ?? new Map<number, number[]>();
    const before = ofRows.get(row) ?? [];
    if (one.op === 'context_write') return [...operands, ...before];
    before.push(index);
    reads.set(one.contextArray, ofRows.set(row, before));
    return operands;
  });
  const usedBehind = new Set<ir.Value>();
  const note = ({ operands }: ir.Instruction): void => {
    for (const operand of operands) if (definitions.has(operand)) usedBehind.add(operand);
  };
  for (const one of behind) {
    note(one);
    for (const region of one.regions) walkRegion(region, note);
  }
  const before = spillsOf(run, usedBehind, vectors);
  if (before < leastSpills) return undefined;

  let best: ir.Instruction[] | undefined;
  let least = before * mostLeft;
  for (let count = 1; count <= mostAtOnce && count < results.length; count *= 2) {
    const order = byResults(run, needs, results, count);
    const spills = spillsOf(order, usedBehind, vectors);
    if (spills >= least) continue;
    best = order;
    least = spills;
  }
  return best;
}

/** So many results at a time: whatever is needed for them and not there yet, in the order in which it was; then the rest. */
function byResults(
  run: readonly ir.Instruction[],
  needs: readonly (readonly number[])[],
  results: readonly number[],
  count: number,
): ir.Instruction[] {
  const order: ir.Instruction[] = [];
  const done = new Set<number>();
  const emit = (wanted: readonly number[]): void => {
    const needed = new Set<number>();
    const open = [...wanted];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (done.has(at) || needed.has(at)) continue;
      needed.add(at);
      open.push(...needs[at]!);
    }
    for (const at of [...needed].sort((a, b) => a - b)) {
      done.add(at);
      order.push(run[at]!);
    }
  };
  for (let at = 0; at < results.length; at += count) emit(results.slice(at, at + count));
  emit(run.map((_, index) => index));
  return order;
}
