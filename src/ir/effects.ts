/**
 * What each instruction does besides giving its results: what it reads, what it writes, what of others' writes shows behind it.
 * This is the one list of it, by which passes and code generators answer questions of their own. It tells what an
 * instruction does by itself; what lies in its regions, or in the function that it calls, is for those who ask to walk.
 */
import { isComputation } from './computation.ts';
import { imageTypeFacts } from './images.ts';
import type { Instruction, Opcode } from './ir.ts';

export interface Effects {
  /** It only computes: see {@link isPure}. */
  readonly isPure?: true;
  /** What its results depend on besides its operands. */
  readonly reads?: 'memory' | 'context array' | 'image';
  /** Context arrays are no memory, and what is printed (`output`) no kernel reads. */
  readonly writes?: 'through first operand' | 'anywhere' | 'context array' | 'image' | 'output';
  /** It reads what is there at that moment, whoever wrote it: done again it may give something else. */
  readonly isFresh?: true;
  /**
   * What others have written shows behind it, so that what was read before is not known any more. That holds for atomics of
   * every order, for programs in OpenCL C 1.2, whose atomics promise none, wait with them for data; and for collectives, which
   * are barriers that order no memory, but used like others.
   */
  readonly acquires?: true;
}

const computes: Effects = { isPure: true };
/** Says what runs next, or where something lies. */
const inert: Effects = {};
const readsMemory: Effects = { reads: 'memory' };
const writesMemory: Effects = { writes: 'through first operand' };
const meets: Effects = { acquires: true };
const calls: Effects = { reads: 'memory', writes: 'anywhere', acquires: true };

/** Of a function that only computes. It may be left out; it is not moved to where it would run more often, as it may be expensive. */
const callsComputation: Effects = { reads: 'memory' };

const effects: Readonly<Record<Opcode, Effects>> = {
  constant: computes,
  undefined: computes,
  unary: computes,
  binary: computes,
  fma: computes,
  compare: computes,
  select: computes,
  convert: computes,
  splat: computes,
  build: computes,
  extract: computes,
  insert: computes,
  shuffle: computes,
  test: computes,
  global_address: computes,
  function_address: computes,
  in_space: computes,
  offset: computes,
  query: computes,
  image_query: computes,
  item_address: computes,
  copies_address: computes,

  load: readsMemory,
  masked_load: readsMemory,
  gather: readsMemory,
  store: writesMemory,
  masked_store: writesMemory,
  scatter: writesMemory,
  fill: writesMemory,
  copy: { reads: 'memory', writes: 'through first operand' },
  atomic: { reads: 'memory', writes: 'through first operand', isFresh: true, acquires: true },
  context_read: { reads: 'context array' },
  context_write: { writes: 'context array' },
  image_read: { reads: 'image' },
  image_write: { writes: 'image' },
  printf: { writes: 'output' },

  fence: meets,
  barrier: meets,
  collective: meets,
  call: calls,
  call_indirect: calls,

  variable: inert,
  context_array: inert,
  if: inert,
  switch: inert,
  block: inert,
  loop: inert,
  work_item_loop: inert,
  yield: inert,
  break: inert,
  continue: inert,
  return: inert,
  unreachable: inert,
};

const volatileLoad: Effects = { reads: 'memory', isFresh: true };
const atomicLoad: Effects = { reads: 'memory', isFresh: true, acquires: true };
const atomicStore: Effects = { writes: 'through first operand', acquires: true };

export function effectsOf(instruction: Instruction): Effects {
  switch (instruction.op) {
    case 'load':
      return instruction.volatile ? volatileLoad : readsMemory;
    case 'atomic':
      return instruction.fn === 'load'
        ? atomicLoad
        : instruction.fn === 'store'
          ? atomicStore
          : effects.atomic;
    case 'image_read':
      // An image that may only be read does not change meanwhile.
      return imageTypeFacts(instruction.operands[0]!.type)?.access === 'read_only'
        ? computes
        : effects.image_read;
    case 'call':
      return isComputation(instruction.callee) ? callsComputation : calls;
    default:
      return effects[instruction.op];
  }
}

/**
 * Whether the instruction only computes its results from its operands and attributes: it may then be removed
 * when unused, moved, and shared with an equal one. Queries are pure: one work-item always gets the same answer. So are
 * reads of an image that may only be read: it cannot change meanwhile.
 */
export function isPure(instruction: Instruction): boolean {
  return effectsOf(instruction).isPure === true;
}

/** Whether it does more than give results, so that it must be done, once, and in order with others that do. */
export function hasEffect(instruction: Instruction): boolean {
  const { writes, isFresh, acquires } = effectsOf(instruction);
  return writes !== undefined || isFresh === true || acquires === true;
}

/** Whether an instruction without uses may be left out. */
export function isRemovable(instruction: Instruction): boolean {
  const { isPure, reads } = effectsOf(instruction);
  return isPure === true || (reads !== undefined && !hasEffect(instruction));
}
