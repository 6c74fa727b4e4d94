/**
 * The cost model: what the code of a region costs on a target. The planner (planner.ts) compares its figures. It knows the classes of
 * instructions and how accesses lie; what each class costs is the target's business (src/target/costs.ts).
 */
import type * as ir from '../../../ir/ir.ts';
import { elementOf, type LaneCount, lanesOf, type Type } from '../../../ir/types.ts';
import type { Costs } from '../../../target/costs.ts';
import type { Vectors, VectorTarget } from '../../../target/target.ts';
import { bitsOf, registersOf } from '../../analysis/cost/registers.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import { findNarrowIntegers, type NarrowIntegers } from '../../analysis/narrow-integers.ts';
import type { Shape, Uniformity } from '../../analysis/uniformity.ts';
import type { VectorLoop } from '../loops/vector-loops.ts';
import { isLikelyConsecutive } from '../memory/likely-consecutive.ts';
import type { TransposedLoops } from '../memory/transposed-loops.ts';
import { wordsOf } from '../memory/words.ts';
import { findTransposedLoopsIn, type KernelAnalysis } from './kernel-analysis.ts';

/** What the model must know of the code. */
export interface CostModelOptions {
  /** How values differ from lane to lane. */
  readonly uniformity: Uniformity;
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  /** Loops of which vectors do several iterations at once. */
  readonly transposed: TransposedLoops;
  readonly lanes: number;
  readonly target: VectorTarget;
  /** Which integers take fewer bits than their types have; default none. */
  readonly narrow?: Pick<NarrowIntegers, 'bitsOf'>;
  /** Regions that cost nothing, for they hardly ever run; default none. */
  readonly unlikely?: ReadonlySet<ir.Region> | undefined;
  /** The loops of which iterations run together where work-items run one by one; default none. */
  readonly vectorLoops?: ReadonlyMap<ir.Instruction, VectorLoop>;
}

/**
 * What a region costs one work-item at a time (`scalar`), and for a vector of so many lanes (`vector`). Both are added up for the code of a
 * region, loops weighted by how often they are thought to run.
 */
export class CostModel {
  scalar = 0;
  vector = 0;
  /** The part of the vector cost that is not scalar arithmetic. */
  vectors = 0;
  costliest: ir.Instruction | undefined;
  #most = 0;
  /** How often the code runs, for a work-item and for a vector, in which any lane may want it. */
  #share = { scalar: 1, vector: 1 };
  /** How many divergent loops are around the code. */
  #divergentLoops = 0;
  readonly #uniformity: Uniformity;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #transposed: TransposedLoops;
  readonly #lanes: number;
  readonly #vectors: Vectors;
  readonly #costs: Costs;
  readonly #narrow: Pick<NarrowIntegers, 'bitsOf'>;
  readonly #unlikely: ReadonlySet<ir.Region> | undefined;
  readonly #vectorLoops: ReadonlyMap<ir.Instruction, VectorLoop> | undefined;

  constructor({
    uniformity,
    definitions,
    transposed,
    lanes,
    target,
    narrow = { bitsOf: ({ type }) => bitsOf(type) },
    unlikely,
    vectorLoops,
  }: CostModelOptions) {
    this.#vectorLoops = vectorLoops;
    this.#narrow = narrow;
    this.#vectors = target.vectors;
    this.#costs = target.costs;
    this.#uniformity = uniformity;
    this.#definitions = definitions;
    this.#transposed = transposed;
    this.#lanes = lanes;
    this.#unlikely = unlikely;
  }

  region(region: ir.Region, weight: number, isMasked: boolean): void {
    if (this.#unlikely?.has(region) || isCold(region)) return;
    for (const instruction of region.instructions) {
      if (instruction.regions.length > 0) {
        const structure = instruction as ir.Structured;
        const isDivergent = this.#uniformity.isDivergent(structure);
        this.#add(
          instruction,
          weight,
          this.#costs.simple,
          isDivergent ? this.#costs.maskTest * structure.regions.length : 1,
        );
        const inner = instruction.op === 'loop' ? weight * thresholds.loopWeight : weight;
        const isStaggered = isDivergent && instruction.op === 'loop';
        if (isStaggered) this.#divergentLoops++;
        const outside = this.#share;
        this.#share = { ...outside, scalar: outside.scalar * this.#shareOf(instruction) };
        instruction.regions.forEach((nested, index) => {
          const isRare = isDivergent && index === this.#rareSide(instruction);
          this.#inRare(isRare, () => this.region(nested, inner, isMasked || isDivergent));
        });
        this.#share = outside;
        if (isStaggered) this.#divergentLoops--;
      } else this.#instruction(instruction, weight, isMasked);
    }
  }

  #add(instruction: ir.Instruction, weight: number, scalar: number, busy: number): void {
    // Lanes come to an inner divergent loop in different iterations of the outer one, so that it runs for few of them at a time, of however many there are.
    const idle = thresholds.idleLanes * Math.max(1, this.#lanes / thresholds.idleOf);
    const vector = this.#divergentLoops > 1 ? busy * idle : busy;
    const { scalar: often, vector: anyLane } = this.#share;
    this.scalar += scalar * weight * often;
    this.vector += vector * weight * anyLane;
    const result = instruction.results[0];
    const isScalar = instruction.op !== 'load' && result && this.#shape(result).kind !== 'varying';
    if (!isScalar && instruction.regions.length === 0) this.vectors += vector * weight * anyLane;
    if (vector * weight * anyLane <= this.#most) return;
    this.#most = vector * weight * anyLane;
    this.costliest = instruction;
  }

  /** Which side of an `if` hardly any work-item takes: where a value that differs from one to the next is the same as one for all. */
  #rareSide(instruction: ir.Instruction): number | undefined {
    if (instruction.op !== 'if') return undefined;
    const definition = this.#definitions.get(instruction.operands[0]!);
    if (definition?.op !== 'compare' || (definition.fn !== 'eq' && definition.fn !== 'ne')) return undefined;
    const kinds = definition.operands.map((operand) => this.#shape(operand).kind);
    if (!kinds.includes('varying') || !kinds.includes('uniform')) return undefined;
    // That something is not zero says nothing.
    const isZero = definition.operands.some((operand) => {
      const constant = this.#definitions.get(operand);
      return constant?.op === 'constant' && Number(constant.value) === 0;
    });
    if (isZero) return undefined;
    return definition.fn === 'eq' ? 0 : 1;
  }

  /** The time that an iteration of what may be a vector loop takes a work-item, as a part of that of an iteration alone. */
  #shareOf(instruction: ir.Instruction): number {
    const loop = this.#vectorLoops?.get(instruction);
    return loop ? thresholds.vectorIteration / loop.lanes : 1;
  }

  #inRare(isRare: boolean, visit: () => void): void {
    const before = this.#share;
    if (isRare) {
      const scalar = before.scalar * thresholds.rare;
      this.#share = { scalar, vector: Math.min(before.vector, scalar * this.#lanes) };
    }
    visit();
    this.#share = before;
  }

  #shape(value: ir.Value): Shape {
    const shape = this.#uniformity.of(value);
    const hasSteps = value.type.kind === 'int' || value.type.kind === 'pointer';
    return shape.kind !== 'affine' || hasSteps ? shape : { kind: 'varying' };
  }

  /** Vector registers that hold a value of the type, one vector a component. */
  #registers(type: Type): number {
    return registersOf(type, this.#lanes, this.#vectors);
  }

  /** The same for a value, which may be computed in fewer bits than its type has. */
  #registersOf(value: ir.Value): number {
    const components = lanesOf(value.type);
    return Math.ceil((this.#lanes * this.#narrow.bitsOf(value)) / this.#vectors.bits) * components;
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
        this.#laneByLane(instruction, weight, atomicCost(instruction, this.#costs), isMasked);
        return;
      case 'call':
      case 'printf':
      case 'copy':
      case 'fill':
        this.#laneByLane(instruction, weight, this.#costs.call, isMasked);
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
        // Vectorised code has each component of a user vector in a value of its own.
        this.#add(instruction, weight, rearrangingCost(instruction, this.#costs), 0);
        return;
      case 'context_read':
      case 'context_write': {
        const registers = this.#registers(instruction.contextArray.type);
        if (instruction.op === 'context_write' && instruction.scan) {
          // A shift and a combination for each doubling of the distance, and what came before.
          this.#add(instruction, weight, 2, registers * (2 * Math.log2(this.#lanes) + 2));
          return;
        }
        this.#add(instruction, weight, this.#costs.load, registers * this.#costs.load);
        return;
      }
      default:
    }
    if (!result) return;
    const byConstant = isIntegerDivision(instruction) && this.#dividesByConstant(instruction);
    const cost = byConstant ? this.#costs.divideByConstant : costOf(instruction, this.#costs);
    if (this.#shape(result).kind !== 'varying') this.#add(instruction, weight, cost, cost);
    else if (
      isIntegerDivision(instruction) &&
      this.#hasVectorDivision(this.#narrow.bitsOf(result), byConstant)
    ) {
      const each = byConstant ? this.#costs.vectorDivideByConstant : this.#costs.vectorDivide;
      this.#add(instruction, weight, cost * lanesOf(result.type), this.#registersOf(result) * each);
    } else if (
      this.#shiftsDiffer(instruction) &&
      this.#vectors.has.laneShifts.includes(bitsOf(result.type))
    ) {
      this.#add(
        instruction,
        weight,
        cost * lanesOf(result.type),
        this.#registersOf(result) * this.#costs.vectorShift,
      );
    } else if (hasVectorForm(instruction, this.#vectors) && !this.#shiftsDiffer(instruction)) {
      const counts = instruction.op === 'unary' && isBitCount(instruction.fn);
      const each = counts ? this.#costs.vectorBitCount : cost;
      this.#add(
        instruction,
        weight,
        cost * (counts ? lanesOf(result.type) : ownRegisters(result.type, this.#vectors)),
        each * this.#registersOf(result),
      );
    } else this.#laneByLane(instruction, weight, cost * lanesOf(result.type));
  }

  /** Narrow lanes are divided by constants alone. */
  #hasVectorDivision(bits: number, byConstant: boolean): boolean {
    return bits === 32 || (byConstant && bits < 32);
  }

  #dividesByConstant({ operands }: ir.Instruction): boolean {
    return this.#definitions.get(operands[1]!)?.op === 'constant';
  }

  /** Not by one count for all lanes, as vectors can be shifted on any machine. */
  #shiftsDiffer(instruction: ir.Instruction): boolean {
    return isShift(instruction) && this.#shape(instruction.operands[1]!).kind !== 'uniform';
  }

  /** @param asks whether it is only done for the lanes that take part */
  #laneByLane(instruction: ir.Instruction, weight: number, cost: number, asks = false): void {
    const moves = (instruction.operands.length + instruction.results.length) * this.#costs.laneMove;
    const masked = asks ? this.#costs.maskedLane : 0;
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
    const single = this.#costs.load;
    const registers = this.#registers(type);
    const isPrivate = pointer.type.kind === 'pointer' && pointer.type.space === 'private';
    if (isPrivate && this.#isSameElement(pointer)) this.#add(instruction, weight, single, registers);
    else if (isPrivate) {
      // An element of its own for each lane.
      const masked = isMasked ? this.#costs.maskedLane : 0;
      this.#add(instruction, weight, single, this.#lanes * count * (this.#costs.gatheredLane + masked));
    } else if (shape.kind === 'uniform') this.#add(instruction, weight, single, this.#costs.load);
    else if (shape.kind === 'affine' && Math.abs(shape.step) === size * count) {
      const each = isMasked
        ? this.#costs.maskedStore
        : count > 1
          ? this.#costs.load + 2 * this.#costs.shuffle
          : this.#costs.load;
      this.#add(instruction, weight, single, registers * each);
    } else if (instruction.op === 'load' && !isMasked && this.#transposed.loads.has(instruction)) {
      this.#add(instruction, weight, single, this.#lanes * this.#costs.transposedLane);
    } else {
      const lane = shape.kind === 'affine' ? this.#costs.stridedLane : this.#costs.gatheredLane;
      const masked = isMasked ? this.#costs.maskedLane : 0;
      const far = shape.kind !== 'affine' && this.#isFar(instruction, pointer) ? this.#costs.missingLane : 0;
      // Components that fill words come word by word.
      const each = lanesOf(wordsOf(type) ?? type);
      this.#add(instruction, weight, single, this.#lanes * (each * (lane + masked) + far));
    }
  }

  /** Whether all lanes mean the same element of their own copies of an array. */
  #isSameElement(pointer: ir.Value): boolean {
    const definition = this.#definitions.get(pointer);
    if (definition?.op !== 'offset') return definition?.op === 'variable';
    const [base, bytes] = definition.operands;
    return this.#shape(bytes!).kind === 'uniform' && this.#isSameElement(base!);
  }

  /** Whether each lane of an access that is not known to step evenly may read in a line of the cache of its own. */
  #isFar({ op }: ir.Load | ir.Store, pointer: ir.Value): boolean {
    const isGlobal = pointer.type.kind === 'pointer' && pointer.type.space === 'global';
    return op === 'load' && isGlobal && !isLikelyConsecutive(pointer, this.#definitions, this.#uniformity);
  }
}

/** Whether the region calls what hardly ever runs, so that it hardly ever runs itself. */
function isCold({ instructions }: ir.Region): boolean {
  return instructions.some((one) => one.op === 'call' && one.callee.isCold === true);
}

/** What a vector region is thought to cost. */
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
  const { target } = analysis;
  const { uniformity, transposed } = findTransposedLoopsIn(region, analysis, addressBits);
  const { definitions } = analysis;
  const narrow = findNarrowIntegers(region, definitions, (value) => uniformity.of(value).kind === 'varying');
  const estimate = new CostModel({ uniformity, definitions, transposed, lanes, target, narrow, unlikely });
  estimate.region(region, 1, false);
  return { all: estimate.vector + target.costs.workItem, vectors: estimate.vectors };
}

/** Vector registers that one work-item's value takes; a scalar counts for one. */
function ownRegisters(type: Type, { bits }: Vectors): number {
  return Math.ceil((lanesOf(type) * bitsOf(type)) / bits);
}

/** What it takes one work-item to split a vector or put one together. */
function rearrangingCost({ op, operands }: ir.Instruction, costs: Costs): number {
  return (op === 'build' ? operands.length : 1) * costs.laneMove;
}

function atomicCost({ operands }: ir.Atomic, costs: Costs): number {
  const { type } = operands[0]!;
  const isOwn = type.kind === 'pointer' && (type.space === 'local' || type.space === 'private');
  return isOwn ? costs.localAtomic : costs.sharedAtomic;
}

function costOf(instruction: ir.Instruction, costs: Costs): number {
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

function isBitCount(fn: ir.UnaryFunction): fn is keyof Vectors['has']['bitCounts'] {
  return fn === 'clz' || fn === 'ctz' || fn === 'popcount';
}

/** Of which whole vectors are shifted by one count for all lanes only. */
export function isShift(instruction: ir.Instruction): boolean {
  return instruction.op === 'binary' && ['shl', 'sshr', 'ushr', 'rotl'].includes(instruction.fn);
}

/** Whether the machine computes it on whole vectors. */
export function hasVectorForm(instruction: ir.Instruction, { has }: Vectors): boolean {
  const type = instruction.operands[0]?.type ?? instruction.results[0]!.type;
  const bits = bitsOf(type);
  if (elementOf(type).kind === 'float' && bits === 16 && !has.half) return false;
  switch (instruction.op) {
    case 'fma':
      return has.fma;
    case 'unary':
      return !isBitCount(instruction.fn) || (has.bitCounts[instruction.fn]?.includes(bits) ?? false);
    case 'binary':
      if (isIntegerDivision(instruction)) return false;
      return !['smulhi', 'umulhi'].includes(instruction.fn) || has.highProducts.includes(bits);
    case 'convert': {
      const to = bitsOf(instruction.results[0]!.type);
      const crosses = ['stof', 'utof', 'ftos', 'ftou'].includes(instruction.fn);
      return !crosses || (has.conversions.includes(bits) && bits === to);
    }
    default:
      return true;
  }
}
