/**
 * What a machine is, for those who compile for it: facts that passes ask, the passes that it wants, and its code generator.
 *
 * No pass and no analysis knows a machine by name, or a number about one. They ask the `Target` that the pipeline was given: how wide its
 * vectors are, whether it has gathers, what a division costs. One file of this folder describes one machine (wasm.ts, opencl-c.ts, ...);
 * registry.ts lists them. To add a machine: a folder of codegen/, a file here, a line there.
 */
import type * as ir from '../ir/ir.ts';
import type { LaneCount } from '../ir/types.ts';
import type { Costs } from './costs.ts';

/** A vector unit. */
export interface Vectors {
  /** Bits of a register. */
  readonly bits: number;
  /** Bits within which shuffles move lanes at the price of one instruction. */
  readonly shuffleBits: number;
  readonly registers: number;
  /** Those of them that code may fill. */
  readonly allocatable: number;
  /** Where code would fill all registers more often than so, fewer lanes are taken. */
  readonly mostTimes: number;
  /** Nor are more lanes taken where more registers than so would be carried from iteration to iteration, or from region to region. */
  readonly mostCarried: number;
  /** Instructions that begin in a cycle. */
  readonly ports: number;
  /** Cycles until the result of a floating-point addition or product is there. */
  readonly floatLatency: number;
  /** The numbers of work-items that may run together. A factor of more lanes than a register has takes several registers a value. */
  readonly factors: readonly LaneCount[];
  readonly has: VectorCapabilities;
}

/** What whole vectors can be asked for. Without it, it is done lane by lane, or in a sequence that the cost table knows. */
export interface VectorCapabilities {
  /** Loads from, and stores to, an address for each lane. */
  readonly gather: boolean;
  /** Loads and stores of those lanes that a mask names. */
  readonly maskedMemory: boolean;
  /** Fused multiply-add. */
  readonly fma: boolean;
  /** Half-precision arithmetic. */
  readonly half: boolean;
  /** Shifts of each lane by a count of its own: the bits of the lanes. */
  readonly laneShifts: readonly number[];
  /** The counts of bits that vectors have, or make of a few instructions: for each the bits of the lanes. */
  readonly bitCounts: Readonly<Partial<Record<'clz' | 'ctz' | 'popcount', readonly number[]>>>;
  /** The upper halves of products, by the bits of the factors. */
  readonly highProducts: readonly number[];
  /** Conversions between integers and floats, by the bits of both. */
  readonly conversions: readonly number[];
}

/** Memory as a core sees it. */
export interface Cache {
  /** Bytes of a line. */
  readonly line: number;
  /** So many lines whose addresses are a power of two apart find room in the nearest cache. */
  readonly ways: number;
}

/** What of the pipeline a machine wants (passes/pipeline.ts). */
export interface PassWishes {
  /**
   * `work-group`: barriers become the ends of work-item loops, which the generated code runs. `work-item`: the machine, or whoever compiles
   * what comes out, runs work-items and knows barriers itself.
   */
  readonly form: ir.Function['form'];
  /** The machine has images; otherwise functions over memory take their place. */
  readonly images: boolean;
  /** The machine can call functions; otherwise all helpers are inlined, however large. */
  readonly calls: boolean;
  /** The library's functions of float are to compute in float alone, for doubles are slow. */
  readonly singles?: boolean;
  /** Loops with unknown trip counts are written out so many times where work-items run one by one; 1 for never. */
  readonly runtimeUnroll: number;
  /** A loop may carry so many pointers in the place of its counter; more would not find registers. */
  readonly carriedPointers: number;
}

/** A machine with a vector unit. */
export type VectorTarget = Target & { readonly vectors: Vectors; readonly costs: Costs };

export function hasVectors(target: Target): target is VectorTarget {
  return target.vectors !== undefined && target.costs !== undefined;
}

/** A number of lanes, and why there are not more, in a few words. */
export interface LaneLimit {
  readonly lanes: number;
  readonly reason: string;
}

export interface Target {
  /** As `--target` takes it. */
  readonly name: string;
  /** What it is, in a few words, for help texts. */
  readonly description: string;
  /** Widths of addresses that its code generator takes. */
  readonly addressBits: readonly (32 | 64)[];
  /** Undefined for machines whose compilers make vectors themselves, or that have none. */
  readonly vectors: Vectors | undefined;
  readonly cache: Cache;
  /** Undefined where nothing is to be chosen by cost: there are no vectors. */
  readonly costs: Costs | undefined;
  readonly wants: PassWishes;
  /** How many work-items of a region of a kernel should run together at most, for reasons of this machine alone; undefined if there are none. */
  readonly mostLanes?: (region: ir.Region) => LaneLimit | undefined;
  /** The work-items of a row of a group, as far as a kernel's body tells, for machines whose vectors may be longer. */
  readonly likelyRowLength?: (body: ir.Region) => number;
  /** Functions of the library that the machine has itself, by their names there: calls of them stay calls. */
  readonly functions?: ReadonlySet<string> | undefined;
  /** Structures may nest so deeply in the code generator. */
  readonly deepestNesting: number;
  /**
   * Code for a module that the pipeline has brought into the form that the target wants.
   * @throws CodegenError of the back end for what it cannot express
   */
  readonly emit: (module: ir.Module) => Uint8Array | string;
}
