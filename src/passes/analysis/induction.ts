/**
 * Induction variables: loop parameters that change by the same amount in each iteration, or by the same factor.
 *
 *     loop @l (%k = 0, %p = %row, %s = 128, %t = %x) {
 *       ...
 *       continue @l (iadd %k, 1), (offset %p, %pitch), (ushr %s, 1), (fadd %t, %v)
 *     }
 *
 *     %k additive, step 1        %p additive, step %pitch        %s geometric        %t none
 */
import type * as ir from '../../ir/ir.ts';
import type { AffineForm, AffineForms } from './affine-forms.ts';

interface InductionCommon {
  /** The loop's parameter. */
  readonly value: ir.Value;
  /** What it is in the first iteration. */
  readonly start: ir.Value;
}

export interface AdditiveInduction extends InductionCommon {
  readonly kind: 'additive';
  /** What it grows by in each iteration, if that is a constant. */
  readonly step: number | undefined;
  /** The same as a sum of what does not change in the loop. */
  readonly stepForm: AffineForm;
}

export interface GeometricInduction extends InductionCommon {
  readonly kind: 'geometric';
  /** What it becomes: shifted, multiplied or divided by a constant. */
  readonly fn: ir.BinaryFunction;
  readonly factor: number;
}

export type InductionVariable = AdditiveInduction | GeometricInduction;

/** A jump back to a loop's head. */
export interface Repeat {
  readonly jump: ir.Continue;
  /** What is in the loop's body itself: the jump, or a structure around it. */
  readonly within: ir.Instruction;
}

/** What is known of a loop. */
export interface LoopFacts {
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly forms: AffineForms;
  readonly repeats: readonly Repeat[];
  isInvariant(value: ir.Value): boolean;
}

/** How a parameter of a loop changes, if that is always the same. */
export function inductionOf(loop: ir.Loop, index: number, facts: LoopFacts): InductionVariable | undefined {
  const value = loop.regions[0]!.parameters[index]!;
  const start = loop.operands[index]!;
  const { kind } = value.type;
  if ((kind !== 'int' && kind !== 'pointer') || facts.repeats.length === 0) return undefined;
  const nexts = facts.repeats.map(({ jump }) => jump.operands[index]!);
  const [first, ...others] = nexts.map((next) => stepBetween(value, next, facts));
  if (first && others.every((step) => step && isSame(first, step))) {
    const step = first.terms.size === 0 ? first.constant : undefined;
    return { kind: 'additive', value, start, step, stepForm: first };
  }
  const factor = nexts.length === 1 ? factorBetween(value, nexts[0]!, facts) : undefined;
  return factor && { kind: 'geometric', value, start, ...factor };
}

/** What is added to a parameter to become another value, if that does not change in the loop. */
function stepBetween(
  value: ir.Value,
  next: ir.Value,
  { forms, isInvariant }: LoopFacts,
): AffineForm | undefined {
  const { terms, constant } = forms.of(next);
  if (terms.get(value) !== 1) return undefined;
  const rest = new Map(terms);
  rest.delete(value);
  for (const term of rest.keys()) if (!isInvariant(term)) return undefined;
  return { terms: rest, constant };
}

function isSame(a: AffineForm, b: AffineForm): boolean {
  if (a.constant !== b.constant || a.terms.size !== b.terms.size) return false;
  return [...a.terms].every(([term, factor]) => b.terms.get(term) === factor);
}

const geometric: ReadonlySet<ir.BinaryFunction> = new Set(['shl', 'ushr', 'sshr', 'imul', 'udiv', 'sdiv']);

function factorBetween(
  value: ir.Value,
  next: ir.Value,
  { definitions, forms }: LoopFacts,
): { fn: ir.BinaryFunction; factor: number } | undefined {
  const definition = definitions.get(next);
  if (definition?.op !== 'binary' || !geometric.has(definition.fn) || value.type.kind !== 'int')
    return undefined;
  const [left, right] = definition.operands as [ir.Value, ir.Value];
  const { terms, constant } = forms.of(right);
  return left === value && terms.size === 0 ? { fn: definition.fn, factor: constant } : undefined;
}
