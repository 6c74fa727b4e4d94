/**
 * Lets dimensions 0 and 1 of a kernel's range change places where memory is reached better so. Packs run neighbours along dimension 0
 * together, and kernels are as often written with rows along it:
 *
 *     int row = get_global_id(0), column = get_global_id(1);          query global_id 0, query global_id 1
 *     out[row * n + column] = in[row * n + column];              =>   query global_id 1, query global_id 0
 *
 * Neighbours along dimension 0 would reach n elements apart here, those along dimension 1 side by side. In the *swapped* kernel every
 * query asks for the other dimension, and whoever launches it exchanges sizes and offsets of the two, so that each work-item is told
 * what it was. In which order work-items and groups run nobody promises; where something follows from linear ids (collectives,
 * sub-groups), or people would notice the order (printf), or groups may wait for those before them, the kernel stays.
 *
 * Each access to memory costs what it would if work-items ran in packs along one dimension or the other, and more in loops. A kernel that is
 * far better swapped is marked so; it is rewritten only if asked for, since launches with few rows want it as it is.
 */
import type * as ir from '../ir/ir.ts';
import { sizeOf, type Type } from '../ir/types.ts';
import { walkRegion } from '../ir/walk.ts';
import { analyseUniformity, type Shape, type Uniformity } from './uniformity.ts';

/** `wherever possible` is for tests. */
export type Swapping = 'where better' | 'wherever possible' | false;

/** Accesses of a pack, in those of one work-item: to memory side by side, close together, or anywhere. */
const costOf = { consecutive: 1, close: 2, scattered: 8 } as const;
/** So many elements apart is close. */
const closeElements = 4;
/** So many times as much counts what stands in a loop, and in one that lanes leave one by one. */
const loopTurns = 8;
const divergentTurns = 2 * loopTurns;
/** Loops nested deeper count as much as the last of these. */
const mostNesting = 3;
/** It must be more than so many times better, for costs are rough. */
const leastGain = 2;

export function swapDimensions(fn: ir.Function, _addressBits?: number, asked: Swapping = false): void {
  if (fn.kind !== 'kernel' || !fn.body || fn.attributes?.isBlock || !maySwap(fn.body)) return;
  const isBetter = costAlong(fn, 'row') > leastGain * costAlong(fn, 'column');
  if (!isBetter && asked !== 'wherever possible') return;
  if (asked !== false) exchangeQueries(fn.body);
  const required = fn.attributes?.requiredWorkGroupSize;
  const isDone = asked !== false;
  fn.attributes = {
    ...fn.attributes,
    swap: isDone ? 'done' : 'better',
    ...(required && isDone ? { requiredWorkGroupSize: [required[1], required[0], required[2]] } : {}),
  };
}

/** Whether nobody can notice, and both dimensions are in use. */
function maySwap(body: ir.Region): boolean {
  const dimensions = new Set<number>();
  let may = true;
  const visit = ({ instructions }: ir.Region, isInLoop: boolean): void => {
    for (const one of instructions) {
      if (one.op === 'query' && isId(one)) dimensions.add(one.dimension);
      if (!mayStandIn(one, isInLoop)) may = false;
      for (const region of one.regions) visit(region, isInLoop || one.op === 'loop');
    }
  };
  visit(body, false);
  return may && dimensions.has(0) && dimensions.has(1);
}

function isId({ fn }: ir.Query): boolean {
  return fn === 'global_id' || fn === 'local_id' || fn === 'group_id';
}

function mayStandIn(instruction: ir.Instruction, isInLoop: boolean): boolean {
  switch (instruction.op) {
    case 'query':
      return instruction.fn !== 'linear_local_id';
    case 'barrier':
      return instruction.scope === undefined;
    case 'collective':
    case 'printf':
    case 'call_indirect':
      return false;
    case 'call':
      return !asksForPlace(instruction.callee, new Set());
    case 'atomic':
    case 'fence':
      // With these in a loop groups can wait for others.
      return !isInLoop;
    case 'load':
      return !(isInLoop && instruction.volatile);
    default:
      return true;
  }
}

/** Whether a function, or what it calls, asks where its work-item is, or is not known. */
function asksForPlace(fn: ir.Function, seen: Set<ir.Function>): boolean {
  if (seen.has(fn)) return false;
  seen.add(fn);
  if (!fn.body) return true;
  let asks = false;
  walkRegion(fn.body, (one) => {
    if (one.op === 'call') asks ||= asksForPlace(one.callee, seen);
    else asks ||= one.op === 'query' || !mayStandIn(one, true);
  });
  return asks;
}

function costAlong(fn: ir.Function, across: 'row' | 'column'): number {
  const along = analyseUniformity(fn, across);
  let cost = 0;
  const visit = ({ instructions }: ir.Region, weight: number): void => {
    for (const one of instructions) {
      if (one.op === 'load') cost += weight * accessCost(one.operands[0]!, one.results[0]!.type, along);
      else if (one.op === 'store')
        cost += weight * accessCost(one.operands[0]!, one.operands[1]!.type, along);
      for (const region of one.regions) visit(region, weightIn(one, weight, along));
    }
  };
  visit(fn.body!, 1);
  return cost;
}

function weightIn(instruction: ir.Instruction, weight: number, along: Uniformity): number {
  if (instruction.op !== 'loop') return weight;
  const turns = along.isDivergent(instruction) ? divergentTurns : loopTurns;
  return Math.min(weight * turns, divergentTurns * loopTurns ** (mostNesting - 1));
}

function accessCost(pointer: ir.Value, type: Type, along: Uniformity): number {
  if (pointer.type.kind === 'pointer' && pointer.type.space === 'private') return 0;
  const step = stepOf(along.of(pointer));
  const bytes = sizeOf(type);
  if (step === undefined || step > closeElements * bytes) return costOf.scattered;
  return step === 0 || step === bytes ? costOf.consecutive : costOf.close;
}

/** The distance of neighbours; undefined if it is not known. */
function stepOf(shape: Shape): number | undefined {
  return shape.kind === 'uniform' ? 0 : shape.kind === 'affine' ? Math.abs(shape.step) : undefined;
}

function exchangeQueries(region: ir.Region): void {
  region.instructions.forEach((one, index) => {
    if (one.op === 'query' && one.dimension < 2 && one.fn !== 'work_dim')
      region.instructions[index] = { ...one, dimension: one.dimension === 0 ? 1 : 0 };
    for (const nested of one.regions) exchangeQueries(nested);
  });
}
