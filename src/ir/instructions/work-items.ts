/**
 * Instructions that know of the other work-items of a group: who one is, how they wait for each other, and those of the
 * work-group form; see "Work-items", "Vector regions" and "Coarse regions" in ir.ts.
 */
import type { AddressSpace, LaneCount, Type } from '../types.ts';
import type { Common } from './common.ts';

export type QueryFunction =
  | 'global_id'
  | 'local_id'
  | 'group_id'
  | 'global_size'
  | 'local_size' // of this group
  | 'enqueued_local_size' // of groups that are not cut off at the end of the range
  | 'num_groups'
  | 'global_offset'
  | 'work_dim' // i32; no dimension
  | 'linear_local_id'; // no dimension: (z * size_y + y) * size_x + x

/** Result: an integer of address width (i32 for work_dim). */
export interface Query extends Common {
  readonly op: 'query';
  readonly fn: QueryFunction;
  readonly dimension: 0 | 1 | 2;
}

/** Every work-item of the group arrives before any goes on; accesses to `spaces` before it are seen after it. */
export interface Barrier extends Common {
  readonly op: 'barrier';
  readonly spaces: readonly AddressSpace[];
  /** Only the work-items of a sub-group wait for each other. */
  readonly scope?: 'sub-group' | undefined;
}

/** How two values of work-items become one; the order in which a sum of floats is made is open. */
export type CombineFunction =
  | 'iadd'
  | 'fadd'
  | 'and'
  | 'or'
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'fmin' // what is said of NaN by the binary functions of this name does not hold here: any of the two
  | 'fmax';

/**
 * A function of the values that all work-items of a work-group or sub-group bring along (OpenCL 2.0, 6.13.15). Operands:
 * the value, a scalar; for `broadcast` then the linear id within the group of the one whose value is meant, the same
 * for all. Result: `reduce` all values combined; `scan_inclusive` those of work-items with linear ids up to the own one,
 * `scan_exclusive` without it; `broadcast` the value meant. A barrier that orders no memory.
 */
export interface Collective extends Common {
  readonly op: 'collective';
  readonly fn: 'reduce' | 'scan_inclusive' | 'scan_exclusive' | 'broadcast';
  /** Of `broadcast` without meaning: `or`. */
  readonly combine: CombineFunction;
  readonly scope: 'work-group' | 'sub-group';
}

/**
 * Work-group form. The scalar region: what each work-item of the group does, one after another in any order. With `lanes`, a
 * vector region: what so many neighbours along dimension 0 do together. With `rows`, a coarse region: what so many rows
 * do together. `work-item-loops.ts` gives them by name.
 */
export interface WorkItemLoop extends Common {
  readonly op: 'work_item_loop';
  lanes?: LaneCount | undefined;
  rows?: number | undefined;
}

/** Work-group form. Result-less; reserves one cell of `type` for each work-item. Is at the top of the body. */
export interface ContextArray extends Common {
  readonly op: 'context_array';
  readonly type: Type;
  readonly name: string;
  /**
   * One cell for all work-items, in which what each writes is combined, in any order. One work-item loop writes it, not under a
   * condition; outside, after that, `context_read` gives what has come together since the work-item loop began. With
   * {@link ContextWrite.scan} the order is that of the work-items.
   */
  readonly combine?: CombineFunction | undefined;
}

/** Inside a work-item loop. Result: the current work-item's cell of `contextArray`; in a vector region the cells of the vector. */
export interface ContextRead extends Common {
  readonly op: 'context_read';
  readonly contextArray: ContextArray;
  /** See "Coarse regions"; default 0. */
  readonly row?: number | undefined;
}

/**
 * Inside a work-item loop. Operand: the value to keep in the current work-item's cell of `contextArray`. With `scan`, of a cell of all
 * work-items, result: what came together in it before this value, or with it. The operand is then that of one work-item, or in a
 * vector region what those of the vector come to.
 */
export interface ContextWrite extends Common {
  readonly op: 'context_write';
  readonly contextArray: ContextArray;
  readonly scan?: 'exclusive' | 'inclusive' | undefined;
  /** See "Coarse regions"; default 0. */
  readonly row?: number | undefined;
}

/**
 * Inside a work-item loop. Operand: the result of a `perItem` variable. Result: pointer to the current work-item's copy; in a
 * vector region a vector of their addresses, or a pointer to the first one's if the variable has an `elementSize`: the
 * others' follow so many bytes apart.
 */
export interface ItemAddress extends Common {
  readonly op: 'item_address';
  /** See "Coarse regions"; default 0. */
  readonly row?: number | undefined;
}

/**
 * Work-group form, outside work-item loops. Operand: the result of a `perItem` variable with an `elementSize`. Result: pointer to
 * the first work-item's copy, which the others' follow.
 */
export interface CopiesAddress extends Common {
  readonly op: 'copies_address';
}

export type GroupInstruction =
  | Query
  | Barrier
  | Collective
  | WorkItemLoop
  | ContextArray
  | ContextRead
  | ContextWrite
  | ItemAddress
  | CopiesAddress;
