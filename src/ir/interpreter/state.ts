/** What is going on while a kernel runs: the launch, its groups, their work-items, and the frames of their calls. */
import type * as ir from '../ir.ts';
import type { Allocation } from './memory.ts';
import type { RuntimeValue } from './values.ts';

export type Triple = [number, number, number];

/** One launch of a kernel. */
export interface Launch {
  readonly workDim: number;
  readonly globalSize: Triple;
  readonly localSize: Triple;
  readonly globalOffset: Triple;
  readonly numGroups: Triple;
}

/** One work-group of a launch. */
export interface Group {
  readonly launch: Launch;
  readonly id: Triple;
  /** Its number among the groups of the launch. */
  readonly serial: number;
  /** How many barriers its work-items have passed. */
  phase: number;
  /** Work-item form: how many barriers of their own the sub-groups have passed. */
  readonly subPhases: number[];
  /** Work-item form: what work-items have brought to collectives, by linear id; for odd and even phases. */
  readonly offers: { readonly 'work-group': Offers; readonly 'sub-group': Offers };
  /** Smaller than the launch's local size at a ragged end. */
  readonly size: Triple;
  readonly itemCount: number;
  /** The bytes of the local variables that were reached. */
  readonly locals: Map<ir.Variable, Allocation>;
  /** Work-group form: the addresses of each per-item variable's copies. */
  readonly perItem: Map<ir.Variable, readonly number[]>;
  /** Work-group form: what each context array holds for each work-item. */
  readonly contextArrays: Map<ir.ContextArray, (RuntimeValue | undefined)[]>;
}

/** Two of everything: who is first through one collective may come to the next before others have looked. */
export type Offers = readonly [RuntimeValue[], RuntimeValue[]];

/** Who runs: a work-item, or in work-group form the group, which is one work-item after another inside a work-item loop. */
export interface WorkItem {
  readonly group: Group;
  /** Work-group form: stands for the whole group. */
  readonly wholeGroup: boolean;
  /** The number of the work-item in its group; -1 for the group itself. */
  index: number;
  localId: Triple;
  globalId: Triple;
  /** The innermost call. */
  frame: Frame | undefined;
  /**
   * The bytes of the private variables that were reached: calls never recur, so each has one at a time. In programs for the
   * host, where they do, each call has its own.
   */
  readonly privates: Map<ir.Variable, Allocation>;
}

/** The number of the work-item's cell in arrays of one a work-item, or of the one so many rows below. */
export function cellIndex({ index, group }: WorkItem, row = 0): number {
  return index + row * group.size[0];
}

/** One call of a function. */
export interface Frame {
  readonly code: Code;
  readonly item: WorkItem;
  /** By the numbers that the function's code gives its values. */
  readonly values: RuntimeValue[];
  readonly caller: Frame | undefined;
  /** The caller's number for the call's result; -1 for none. */
  readonly resultNumber: number;
  /** The step to go on with, while the frame is not the one that runs. */
  next: number;
  /** Programs for the host: the private variables of this call. */
  privates?: Map<ir.Variable, Allocation> | undefined;
}

/** A function, flattened into steps. */
export interface Code {
  readonly fn: ir.Function;
  readonly steps: readonly Step[];
  /** Where a frame has each value: its index in {@link Frame.values}. */
  readonly numbers: ReadonlyMap<ir.Value, number>;
}

/** A step either does something and goes on to the next, or says where to go. */
export interface Step {
  readonly instruction: ir.Instruction;
  readonly run?: (frame: Frame) => void;
  /** The number of the next step, or one of {@link signals}. */
  readonly jump?: (frame: Frame) => number;
}

export const signals = {
  /** The work-item's innermost frame has changed: a call or a return. */
  frame: -1,
  /** The work-item waits at a barrier. */
  barrier: -2,
  /** The work-item waits for the others of its sub-group. */
  subGroupBarrier: -3,
} as const;

/** Makes `item` the work-item of that number in its group. */
export function becomeItem(item: WorkItem, index: number): void {
  const { size, id, launch } = item.group;
  item.index = index;
  const x = index % size[0];
  const y = Math.floor(index / size[0]) % size[1];
  const z = Math.floor(index / (size[0] * size[1]));
  const { globalOffset, localSize } = launch;
  item.localId = [x, y, z];
  item.globalId = [
    globalOffset[0] + id[0] * localSize[0] + x,
    globalOffset[1] + id[1] * localSize[1] + y,
    globalOffset[2] + id[2] * localSize[2] + z,
  ];
}
