/** A launch whose work-items somebody else moves, step by step: what debuggers ask of the interpreter. */
import type * as ir from '../ir.ts';
import type { CompileContext } from './compile-function.ts';
import type { Memory } from './memory.ts';
import type { Code, Group, Launch, WorkItem } from './state.ts';
import type { RuntimeValue } from './values.ts';

export interface OpenLaunch {
  readonly kernel: ir.Function;
  readonly code: Code;
  readonly launch: Launch;
  readonly memory: Memory;
  /** For code of other functions that is to run in the same memory. */
  readonly context: CompileContext;
  /** How many groups there are; they have the numbers from 0. */
  readonly groupCount: number;
  /** The values of the kernel's parameters; those of local pointers are the current group's. */
  readonly parameters: readonly RuntimeValue[];
  /** Where a program-scope variable of the module lies. */
  addressOf(global: ir.GlobalVariable): number | undefined;
  /** Begins a group: its local memory, and its work-items, all before their first step. One group runs at a time. */
  beginGroup(serial: number): { readonly group: Group; readonly items: WorkItem[] };
  /** Gives the group's memory back. */
  endGroup(): void;
}
