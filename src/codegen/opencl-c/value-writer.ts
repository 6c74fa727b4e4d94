/** What the files that write expressions ask of the function around them. */
import type * as ir from '../../ir/ir.ts';
import type { AddressSpace } from '../../ir/types.ts';
import type { TypedObject } from './addresses.ts';
import type { Expression } from './expression.ts';
import type { FunctionPlan } from './function-plan.ts';
import type { MemoryPlan } from './memory-plan.ts';
import type { Prelude } from './prelude.ts';

export interface ValueWriter {
  readonly addressBits: 32 | 64;
  readonly version: '1.1' | '1.2';
  readonly plan: FunctionPlan;
  readonly memory: MemoryPlan;
  readonly prelude: Prelude;
  /** Whether sums may be fused only where the operation says so (see prelude.multiplyAdd). */
  readonly fusesExplicitly: boolean;
  /** The value; integers as they come, signed or not. */
  value(value: ir.Value): Expression;
  unsigned(value: ir.Value): Expression;
  signed(value: ir.Value): Expression;
  /** A name or constant, which may be several times. */
  atom(value: ir.Value, signed?: boolean): Expression;
  /** A vector of truth values with lanes of the width. */
  mask(value: ir.Value, bits: number): Expression;
  /** The instruction that the value is written as, if it has no variable. */
  inlinedDefinition(value: ir.Value): ir.Instruction | undefined;
  /** The C object that a pointer is the address of, if C can index it. */
  objectOf(pointer: ir.Value): TypedObject | undefined;
  /** The address space of a pointer as C has it: a struct that is a parameter is private. */
  spaceOf(pointer: ir.Value): AddressSpace;
}
