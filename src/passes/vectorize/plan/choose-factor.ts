/**
 * Whether a region of work-items is packed, and with how many lanes: an estimate of what it costs one work-item at a
 * time and pack by pack, with the numbers of `cost-table.ts`. Both forms are always right.
 */
import type * as ir from '../../../ir/ir.ts';
import { elementOf, type LaneCount, laneCounts, lanesOf, type Type } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { scalarRegion } from '../../../ir/work-item-loops.ts';
import { costs } from '../../analysis/cost/cost-table.ts';
import { isWaiting } from '../../analysis/cost/latency.ts';
import { registerPressure } from '../../analysis/cost/register-pressure.ts';
import { bitsOf, registersOf } from '../../analysis/cost/registers.ts';
import { isStreaming } from '../../analysis/cost/streaming.ts';
import type { Shape, Uniformity } from '../../analysis/uniformity.ts';
import type { ScalarTails } from '../control/scalar-tail.ts';
import { isLikelyConsecutive } from '../memory/likely-consecutive.ts';
import type { TransposedLoops } from '../memory/transposed-loops.ts';
import { wordsOf } from '../memory/words.ts';
import { vectorNesting } from './divergence.ts';
import { findTransposedLoopsIn, type KernelAnalysis } from './kernel-analysis.ts';

/** Packs that need more than so many times the registers get fewer lanes. */
const mostTimesRegisters = 4;

/** Code that nests deeper is refused by the code generator, which counts somewhat more levels than there are here. */
const deepestNesting = 480;

/** Why a region stays as it is. */
export interface Refusal {
  readonly reason: string;
  /** Where, if one place is to blame. */
  readonly at: ir.Instruction | undefined;
}

/**
 * @param items of `fn`, whose single region is asked about
 * @param analysis of the kernel as it is now
 * @param forced the number of lanes to take if packing is possible at all
 */
export function chooseFactor(
  fn: ir.Function,
  items: ir.WorkItemLoop,
  analysis: KernelAnalysis,
  addressBits: 32 | 64,
  forced: LaneCount | undefined,
): LaneCount | Refusal {
  const region = scalarRegion(items);
  const { uniformity, walks } = findTransposedLoopsIn(region, analysis, addressBits);
  const obstacle = findObstacle(items, uniformity);
  if (obstacle) return obstacle;
  if (forced) return forced;
  const outlined = findOutlined(region);
  if (outlined) return refuseOutlined(outlined);
  const wanted = lanesForRegisters(
    lanesForWalks(fittingLanes(region, uniformity), walks),
    region,
    uniformity,
  );
  const isWider =
    (analysis.hasLongRows && isStreaming(region, analysis.plain, uniformity)) ||
    (analysis.isAlongRow && isWaiting(region, uniformity, wanted));
  const wider = isWider && wanted < 16 ? wanted * 2 : wanted;
  const rowLength = fn.attributes?.requiredWorkGroupSize?.[0];
  const lanes = laneCounts.findLast((one) => one <= Math.min(wider, rowLength ?? wider) && one !== 3);
  if (lanes === undefined) return { reason: 'a row has only one work-item', at: undefined };
  const estimate = new Estimate(uniformity, analysis.definitions, walks, lanes);
  estimate.region(region, 1, false);
  const single = (estimate.single + costs.perItem) * lanes;
  const packed = estimate.packed + costs.perItem;
  if (packed < single * costs.worthwhile) return lanes;
  const ratio = (packed / single).toFixed(2);
  return {
    reason: `${lanes} work-items at once would take ${ratio} of the time of one by one`,
    at: estimate.dearest,
  };
}

/** What a region's packed form is thought to cost. */
export interface VectorCost {
  readonly all: number;
  /** What of it is done with vectors, and loads of scalars: what is left where addresses are computed for nothing. */
  readonly vectors: number;
}

/** @param unlikely regions that cost nothing, for they hardly ever run */
export function vectorCost(
  region: ir.Region,
  analysis: KernelAnalysis,
  addressBits: 32 | 64,
  lanes: LaneCount,
  unlikely?: ReadonlySet<ir.Region>,
): VectorCost {
  const { uniformity, walks } = findTransposedLoopsIn(region, analysis, addressBits);
  const estimate = new Estimate(uniformity, analysis.definitions, walks, lanes, unlikely);
  estimate.region(region, 1, false);
  return { all: estimate.packed + costs.perItem, vectors: estimate.vectors };
}

/**
 * The loops of a packed region that lanes leave one by one and whose turns are dear, and how many lanes are better done one by
 * one (`scalar-tail.ts`).
 * @param forced how many are taken for such, of all loops
 */
export function findScalarTails(
  region: ir.Region,
  { uniformity, walks }: { readonly uniformity: Uniformity; readonly walks: TransposedLoops },
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  lanes: LaneCount,
  forced: number | undefined,
): Map<ir.Loop, ScalarTails> {
  const found = new Map<ir.Loop, ScalarTails>();
  walkRegion(region, (loop) => {
    if (loop.op !== 'loop' || !uniformity.isDivergent(loop)) return;
    if (forced !== undefined) {
      found.set(loop, { few: forced, turns: 1 });
      return;
    }
    const turn = new Estimate(uniformity, definitions, walks, lanes);
    turn.region(loop.regions[0]!, 1, true);
    const few = Math.min(costs.mostAlone, Math.floor((turn.packed / turn.single) * costs.worthwhile));
    const saved = turn.packed - few * turn.single;
    if (few === 0 || turn.packed < costs.dearTurn) return;
    found.set(loop, { few, turns: Math.ceil(costs.toGoOnAlone / saved) });
  });
  return found;
}

/**
 * A call of a function that is kept apart. The library has such functions for rare formats of images; beside them stands
 * what reads a common format with the vectors of one work-item. Where the format is known there are no calls. Those that deal with
 * pipes hinder nobody: they are called for one work-item after another.
 */
function findOutlined(region: ir.Region): ir.Call | undefined {
  let found: ir.Call | undefined;
  walkRegion(region, (instruction) => {
    if (instruction.op !== 'call' || !instruction.callee.isOutlined) return;
    if (!instruction.callee.name.startsWith('__millrace_pipe')) found ??= instruction;
  });
  return found;
}

/** Says so in the words of who wrote the kernel, who has not heard of the library's functions. */
function refuseOutlined(call: ir.Call): Refusal {
  const { name } = call.callee;
  return name.startsWith('__millrace_image')
    ? { reason: 'reads and writes of images whose formats only a launch knows', at: undefined }
    : { reason: `calls of '${name}', which stays a function`, at: call };
}

/** The first thing that cannot be packed. */
function findObstacle(items: ir.WorkItemLoop, uniformity: Uniformity): Refusal | undefined {
  let found: Refusal | undefined;
  walkRegion(scalarRegion(items), (instruction) => {
    if (found) return;
    if (instruction.op === 'loop' && uniformity.isDivergent(instruction)) {
      const lock = findLock(instruction.regions[0]!, uniformity);
      if (lock) found = { reason: 'its work-items may wait for each other', at: lock };
    }
    if (instruction.op === 'call' && asksWho(instruction.callee, new Set())) {
      found = {
        reason: `calls ${instruction.callee.name}, which asks for ids of its work-item`,
        at: instruction,
      };
    }
    for (const value of [...instruction.operands, ...instruction.results]) {
      const isHandle = value.type.kind === 'opaque';
      if (isHandle && !uniformity.isUniform(value)) {
        found = { reason: 'a handle that differs between work-items', at: instruction };
      }
    }
  });
  if (!found && vectorNesting(scalarRegion(items), uniformity) > deepestNesting)
    found = { reason: 'its work-items leave loops and blocks in too many places', at: undefined };
  return found;
}

/**
 * An exchange of fixed values in a loop that work-items leave one by one looks like a lock. Who has it has left the
 * loop, and would wait with what it does next until the others have left it too.
 */
function findLock(body: ir.Region, uniformity: Uniformity): ir.Instruction | undefined {
  let lock: ir.Instruction | undefined;
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'atomic') return;
    const isExchange = instruction.fn === 'exchange' || instruction.fn === 'compare_exchange';
    if (isExchange && instruction.operands.slice(1).every((value) => uniformity.isUniform(value))) {
      lock ??= instruction;
    }
  });
  return lock;
}

function asksWho(fn: ir.Function, seen: Set<ir.Function>): boolean {
  if (seen.has(fn) || !fn.body) return false;
  seen.add(fn);
  let asks = false;
  walkRegion(fn.body, (instruction) => {
    if (instruction.op === 'query') {
      asks ||= ['local_id', 'global_id', 'linear_local_id'].includes(instruction.fn);
    }
    if (instruction.op === 'call') asks ||= asksWho(instruction.callee, seen);
  });
  return asks;
}

/** Eight, but four where most vectors would have 64-bit lanes, and sixteen where most have small ones. */
function fittingLanes(region: ir.Region, uniformity: Uniformity): LaneCount {
  let wide = 0;
  let small = 0;
  let all = 0;
  walkRegion(region, ({ results }) => {
    for (const { type } of results.filter((result) => uniformity.of(result).kind === 'varying')) {
      const bits = bitsOf(type);
      const count = lanesOf(type);
      all += count;
      if (bits === 64) wide += count;
      else if (bits <= 16) small += count;
    }
  });
  if (wide * 2 > all) return 4;
  return small * 4 > all * 3 ? 16 : 8;
}

/**
 * Half as many where the rows that a loop walks along, of which several turns are loaded at once, would take more than
 * half of the registers. Fewer rows at a time also find room in the cache when they lie a power of two apart.
 */
function lanesForWalks(lanes: LaneCount, { loops }: TransposedLoops): LaneCount {
  const least = 4;
  const isTooMuch = [...loops.values()].some(
    ({ bytes }) => (lanes * bytes * 8) / costs.vectorBits > costs.vectorRegisters / 2,
  );
  return isTooMuch && lanes > least ? ((lanes / 2) as LaneCount) : lanes;
}

/**
 * Four where eight would need several times the registers there are, as sums of many vectors do: what is in memory anyway is
 * half as much then.
 */
function lanesForRegisters(lanes: LaneCount, region: ir.Region, uniformity: Uniformity): LaneCount {
  const least = 4;
  if (lanes <= least) return lanes;
  const pressure = registerPressure(region, uniformity, lanes);
  return pressure > mostTimesRegisters * costs.vectorRegisters ? least : lanes;
}

/** Adds up both costs, and notes what of the packed one is dearest. */
class Estimate {
  single = 0;
  packed = 0;
  /** The part of the packed cost that is not scalar arithmetic. */
  vectors = 0;
  dearest: ir.Instruction | undefined;
  #most = 0;
  readonly #uniformity: Uniformity;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #walks: TransposedLoops;
  readonly #lanes: number;
  readonly #unlikely: ReadonlySet<ir.Region> | undefined;

  constructor(
    uniformity: Uniformity,
    definitions: ReadonlyMap<ir.Value, ir.Instruction>,
    walks: TransposedLoops,
    lanes: number,
    unlikely?: ReadonlySet<ir.Region>,
  ) {
    this.#uniformity = uniformity;
    this.#definitions = definitions;
    this.#walks = walks;
    this.#lanes = lanes;
    this.#unlikely = unlikely;
  }

  region(region: ir.Region, weight: number, isMasked: boolean): void {
    if (this.#unlikely?.has(region)) return;
    for (const instruction of region.instructions) {
      if (instruction.regions.length > 0) {
        const structure = instruction as ir.Structured;
        const isDivergent = this.#uniformity.isDivergent(structure);
        this.#add(instruction, weight, costs.simple, isDivergent ? costs.test * structure.regions.length : 1);
        const inner = instruction.op === 'loop' ? weight * costs.loopWeight : weight;
        for (const nested of instruction.regions) this.region(nested, inner, isMasked || isDivergent);
      } else this.#instruction(instruction, weight, isMasked);
    }
  }

  #add(instruction: ir.Instruction, weight: number, single: number, packed: number): void {
    this.single += single * weight;
    this.packed += packed * weight;
    const result = instruction.results[0];
    const isScalar = instruction.op !== 'load' && result && this.#shape(result).kind !== 'varying';
    if (!isScalar && instruction.regions.length === 0) this.vectors += packed * weight;
    if (packed * weight <= this.#most) return;
    this.#most = packed * weight;
    this.dearest = instruction;
  }

  #shape(value: ir.Value): Shape {
    const shape = this.#uniformity.of(value);
    const hasSteps = value.type.kind === 'int' || value.type.kind === 'pointer';
    return shape.kind !== 'affine' || hasSteps ? shape : { kind: 'varying' };
  }

  /** Vector registers that hold a value of the type, one vector a component. */
  #registers(type: Type): number {
    return registersOf(type, this.#lanes);
  }

  #instruction(instruction: ir.Instruction, weight: number, isMasked: boolean): void {
    const result = instruction.results[0];
    switch (instruction.op) {
      case 'load':
        this.#access(instruction, instruction.operands[0]!, result!.type, weight, false);
        return;
      case 'store':
        this.#access(instruction, instruction.operands[0]!, instruction.operands[1]!.type, weight, isMasked);
        return;
      case 'atomic':
        this.#laneByLane(instruction, weight, atomicCost(instruction), isMasked);
        return;
      case 'call':
      case 'printf':
      case 'copy':
      case 'fill':
        this.#laneByLane(instruction, weight, costs.call, isMasked);
        return;
      case 'constant':
      case 'undefined':
      case 'variable':
        return;
      case 'build':
      case 'extract':
      case 'insert':
      case 'splat':
      case 'shuffle':
        // Packs have the components of vectors apart already.
        this.#add(instruction, weight, rearrangingCost(instruction), 0);
        return;
      case 'context_read':
      case 'context_write': {
        const registers = this.#registers(instruction.slot.type);
        if (instruction.op === 'context_write' && instruction.scan) {
          // A shift and a combination for each doubling of the distance, and what came before.
          this.#add(instruction, weight, 2, registers * (2 * Math.log2(this.#lanes) + 2));
          return;
        }
        this.#add(instruction, weight, costs.load, registers * costs.load);
        return;
      }
      default:
    }
    if (!result) return;
    const byConstant = isIntegerDivision(instruction) && this.#dividesByConstant(instruction);
    const cost = byConstant ? costs.divideByConstant : costOf(instruction);
    if (this.#shape(result).kind !== 'varying') this.#add(instruction, weight, cost, cost);
    else if (isIntegerDivision(instruction) && bitsOf(result.type) === 32) {
      const each = byConstant ? costs.vectorDivideByConstant : costs.vectorDivide;
      this.#add(instruction, weight, cost * lanesOf(result.type), this.#registers(result.type) * each);
    } else if (this.#shiftsDiffer(instruction) && bitsOf(result.type) === 32) {
      this.#add(
        instruction,
        weight,
        cost * lanesOf(result.type),
        this.#registers(result.type) * costs.vectorShift,
      );
    } else if (hasVectorForm(instruction) && !this.#shiftsDiffer(instruction)) {
      this.#add(instruction, weight, cost * ownRegisters(result.type), cost * this.#registers(result.type));
    } else this.#laneByLane(instruction, weight, cost * lanesOf(result.type));
  }

  #dividesByConstant({ operands }: ir.Instruction): boolean {
    return this.#definitions.get(operands[1]!)?.op === 'constant';
  }

  /** Vectors are shifted by one count for all lanes, or by products. */
  #shiftsDiffer(instruction: ir.Instruction): boolean {
    if (instruction.op !== 'binary') return false;
    const isShift = ['shl', 'sshr', 'ushr', 'rotl'].includes(instruction.fn);
    return isShift && this.#shape(instruction.operands[1]!).kind !== 'uniform';
  }

  /** @param asks whether it is only done for the lanes that take part */
  #laneByLane(instruction: ir.Instruction, weight: number, cost: number, asks = false): void {
    const moves = (instruction.operands.length + instruction.results.length) * costs.moveLane;
    const masked = asks ? costs.maskedLane : 0;
    this.#add(instruction, weight, cost, this.#lanes * (cost + moves + masked));
  }

  #access(
    instruction: ir.Load | ir.Store,
    pointer: ir.Value,
    type: Type,
    weight: number,
    isMasked: boolean,
  ): void {
    const count = lanesOf(type);
    const shape = this.#shape(pointer);
    const size = bitsOf(type) / 8;
    const single = costs.load;
    const registers = this.#registers(type);
    const isPrivate = pointer.type.kind === 'pointer' && pointer.type.space === 'private';
    if (isPrivate) this.#add(instruction, weight, single, registers);
    else if (shape.kind === 'uniform') this.#add(instruction, weight, single, costs.load);
    else if (shape.kind === 'affine' && Math.abs(shape.step) === size * count) {
      const each = isMasked ? costs.maskedStore : count > 1 ? costs.load + 2 * costs.shuffle : costs.load;
      this.#add(instruction, weight, single, registers * each);
    } else if (instruction.op === 'load' && !isMasked && this.#walks.loads.has(instruction)) {
      this.#add(instruction, weight, single, this.#lanes * costs.transposedLane);
    } else {
      const lane = shape.kind === 'affine' ? costs.stridedLane : costs.scatteredLane;
      const masked = isMasked ? costs.maskedLane : 0;
      const far = shape.kind !== 'affine' && this.#isFar(instruction, pointer) ? costs.farLane : 0;
      // Components that fill words come word by word.
      const each = lanesOf(wordsOf(type) ?? type);
      this.#add(instruction, weight, single, this.#lanes * (each * (lane + masked) + far));
    }
  }

  /** Whether each lane of an access that is not known to step evenly may read in a line of the cache of its own. */
  #isFar({ op }: ir.Load | ir.Store, pointer: ir.Value): boolean {
    const isGlobal = pointer.type.kind === 'pointer' && pointer.type.space === 'global';
    return op === 'load' && isGlobal && !isLikelyConsecutive(pointer, this.#definitions, this.#uniformity);
  }
}

/** Vector registers that one work-item's value takes; a scalar counts for one. */
function ownRegisters(type: Type): number {
  return Math.ceil((lanesOf(type) * bitsOf(type)) / costs.vectorBits);
}

/** What it takes one work-item to take a vector apart or put it together. */
function rearrangingCost({ op, operands }: ir.Instruction): number {
  return (op === 'build' ? operands.length : 1) * costs.moveLane;
}

function atomicCost({ operands }: ir.Atomic): number {
  const { type } = operands[0]!;
  const isOwn = type.kind === 'pointer' && (type.space === 'local' || type.space === 'private');
  return isOwn ? costs.localAtomic : costs.sharedAtomic;
}

function costOf(instruction: ir.Instruction): number {
  if (instruction.op === 'unary' && instruction.fn === 'fsqrt') return costs.squareRoot;
  if (instruction.op !== 'binary') return costs.simple;
  switch (instruction.fn) {
    case 'fdiv':
    case 'sdiv':
    case 'udiv':
    case 'srem':
    case 'urem':
      return costs.divide;
    default:
      return costs.simple;
  }
}

function isIntegerDivision(instruction: ir.Instruction): boolean {
  return instruction.op === 'binary' && ['sdiv', 'udiv', 'srem', 'urem'].includes(instruction.fn);
}

/** Whether WebAssembly computes it on whole vectors. */
function hasVectorForm(instruction: ir.Instruction): boolean {
  const type = instruction.operands[0]?.type ?? instruction.results[0]!.type;
  const bits = bitsOf(type);
  const isFloat = elementOf(type).kind === 'float';
  if (isFloat && bits === 16) return false;
  switch (instruction.op) {
    case 'fma':
      return false;
    case 'unary':
      return !['clz', 'ctz', 'popcount'].includes(instruction.fn);
    case 'binary':
      if (isIntegerDivision(instruction)) return false;
      return !['smulhi', 'umulhi'].includes(instruction.fn) || bits === 32;
    case 'convert': {
      const to = bitsOf(instruction.results[0]!.type);
      const crosses = ['stof', 'utof', 'ftos', 'ftou'].includes(instruction.fn);
      return !crosses || (bits === 32 && to === 32);
    }
    default:
      return true;
  }
}
