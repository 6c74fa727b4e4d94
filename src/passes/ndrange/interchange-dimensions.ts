/**
 * Interchanges dimensions 0 and 1 of a kernel's range where that makes accesses to memory consecutive. Vectors run neighbours along dimension 0
 * together, and kernels are as often written with rows along it:
 *
 *     int row = get_global_id(0), column = get_global_id(1);          query global_id 0, query global_id 1
 *     out[row * n + column] = in[row * n + column];              =>   query global_id 1, query global_id 0
 *
 * Neighbours along dimension 0 would reach n elements apart here, those along dimension 1 side by side. In the *interchanged* kernel every
 * query asks for the other dimension, and whoever launches it exchanges sizes and offsets of the two, so that each work-item is told
 * what it was. In which order work-items and groups run nobody promises; where something follows from linear ids (collectives,
 * sub-groups), or people would notice the order (printf), or groups may wait for those before them, the kernel stays.
 *
 * Accesses to memory and computations cost what they would if work-items ran in vectors along one dimension or the other
 * (cost/direction-costs.ts). A kernel that is far better interchanged is marked so.
 * It is rewritten only if asked for, since launches with few rows want it as it is.
 */
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { hasVectors, type Target, type VectorTarget } from '../../target/target.ts';
import { Analyses } from '../analysis/analyses.ts';
import { type Costs, DirectionCosts } from '../analysis/cost/direction-costs.ts';

/** `wherever possible` is for tests. */
export type Interchange = 'where better' | 'wherever possible' | false;

/** Accesses must cost so many times less, for all of this is rough. */
const leastGain = 2;

export function interchangeDimensions(
  fn: ir.Function,
  addressBits: 32 | 64,
  target: Target,
  asked: Interchange = false,
  analyses = new Analyses(fn),
): boolean {
  if (fn.kind !== 'kernel' || !fn.body || fn.attributes?.isBlock || !mayInterchange(fn.body)) return false;
  const isBetter = hasVectors(target) && isBetterInterchanged(fn, fn.body, addressBits, target, analyses);
  if (!isBetter && asked !== 'wherever possible') return false;
  if (asked !== false) exchangeQueries(fn.body);
  const required = fn.attributes?.requiredWorkGroupSize;
  const isDone = asked !== false;
  fn.attributes = {
    ...fn.attributes,
    interchange: isDone ? 'done' : 'better',
    ...(required && isDone ? { requiredWorkGroupSize: [required[1], required[0], required[2]] } : {}),
  };
  return isDone;
}

function isBetterInterchanged(
  fn: ir.Function,
  body: ir.Region,
  addressBits: 32 | 64,
  target: VectorTarget,
  analyses: Analyses,
): boolean {
  const costs = new DirectionCosts(fn, body, addressBits, target, analyses);
  return isFarBetter(costs.along('row'), costs.along('column'));
}

/** Whether accesses to memory cost far less, and what is computed for lanes one by one instead of for all of them does not eat that up. */
function isFarBetter(before: Costs, after: Costs): boolean {
  if (before.accesses <= leastGain * after.accesses) return false;
  return before.accesses + before.computations > after.accesses + after.computations;
}

/** Whether nobody can notice, and both dimensions are in use. */
function mayInterchange(body: ir.Region): boolean {
  const dimensions = new Set<number>();
  let may = true;
  const visit = ({ instructions }: ir.Region, isInLoop: boolean): void => {
    for (const one of instructions) {
      if (one.op === 'query' && isId(one)) dimensions.add(one.dimension);
      if (!mayBeIn(one, isInLoop)) may = false;
      for (const region of one.regions) visit(region, isInLoop || one.op === 'loop');
    }
  };
  visit(body, false);
  return may && dimensions.has(0) && dimensions.has(1);
}

function isId({ fn }: ir.Query): boolean {
  return fn === 'global_id' || fn === 'local_id' || fn === 'group_id';
}

function mayBeIn(instruction: ir.Instruction, isInLoop: boolean): boolean {
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
    else asks ||= one.op === 'query' || !mayBeIn(one, true);
  });
  return asks;
}

function exchangeQueries(region: ir.Region): void {
  region.instructions.forEach((one, index) => {
    if (one.op === 'query' && one.dimension < 2 && one.fn !== 'work_dim')
      region.instructions[index] = { ...one, dimension: one.dimension === 0 ? 1 : 0 };
    for (const nested of one.regions) exchangeQueries(nested);
  });
}
