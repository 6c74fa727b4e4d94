/** What the writers of one program's functions share. */
import type * as ir from '../../ir/ir.ts';
import type { Constants } from './constants.ts';
import type { MemoryPlan } from './memory-plan.ts';
import type { Parameters } from './parameters.ts';
import type { Prelude } from './prelude.ts';

export interface ProgramContext {
  readonly addressBits: 32 | 64;
  readonly version: '1.1' | '1.2';
  readonly prelude: Prelude;
  readonly constants: Constants;
  /** Whether all sums and products may be fused, none, or some. */
  readonly contraction: 'on' | 'off' | 'mixed';
  nameOf(fn: ir.Function): string;
  parametersOf(fn: ir.Function): Parameters;
  memoryOf(fn: ir.Function): MemoryPlan;
}
