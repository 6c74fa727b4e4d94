/** What the rules of constant folding work with: what is known of values, and a way to add instructions. */
import type * as ir from '../../../ir/ir.ts';
import type { Type } from '../../../ir/types.ts';
import type { ConstantValue } from './evaluate.ts';

/** What a rule finds. Undefined: as simple as it gets. A value: use that. An instruction: look again. */
export type Simpler = ir.Instruction | ir.Value | undefined;

export interface Folds {
  readonly addressBits: 32 | 64;
  definition(value: ir.Value): ir.Instruction | undefined;
  constant(value: ir.Value): ConstantValue | undefined;
  /** The constant that a value is, or that all its lanes are. */
  scalarConstant(value: ir.Value): ir.ScalarConstant | undefined;
  /** A new constant, the same in every lane of a vector. */
  newConstant(type: Type, scalar: ir.ScalarConstant): ir.Value;
  /** The same for an integer, which is wrapped around to its type. */
  newInteger(type: Type, value: bigint): ir.Value;
  /** Places an instruction before the one that is being folded. */
  append(instruction: ir.Instruction): void;
}

/** An instruction that still lacks its result. */
export function unary(fn: ir.UnaryFunction, x: ir.Value): ir.Unary {
  return { op: 'unary', fn, operands: [x], results: [], regions: [] };
}
