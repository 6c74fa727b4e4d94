/**
 * Exits of loops that compare an induction variable with a bound, so that the number of iterations is known when the loop begins.
 *
 *     loop @l (%k = 0) {                             goes on while %k is less than %n: n iterations
 *       if slt %k, %n { yield } else { break @l }
 *       ...
 *       continue @l (iadd %k, 2)                     with %n = 9: five
 *     }
 */
import type * as ir from '../../ir/ir.ts';
import type { AffineForms } from './affine-forms.ts';
import type { InductionVariable, LoopFacts } from './induction.ts';

export interface CountedExit {
  /** It is in the loop's body, and each iteration comes to it. */
  readonly test: ir.If;
  /** Its place in the body. */
  readonly testAt: number;
  readonly counter: InductionVariable;
  /** What is compared is the counter and this: in a test for the next iteration, the step. */
  readonly offset: number;
  readonly bound: ir.Value;
  /** The loop goes on while this is so, for counter on the left and bound on the right. */
  readonly relation: Relation;
  readonly isSigned: boolean;
  /** The iteration is over where it is tested: the loop does one more than it goes on. */
  readonly isAtEnd: boolean;
}

export type Relation = 'lt' | 'le' | 'gt' | 'ge' | 'ne';

const negated: Readonly<Record<string, Relation | 'eq'>> = {
  lt: 'ge',
  le: 'gt',
  gt: 'le',
  ge: 'lt',
  eq: 'ne',
  ne: 'eq',
};
const mirrored: Readonly<Record<string, Relation | 'eq'>> = {
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
  eq: 'eq',
  ne: 'ne',
};

/** The first exit of a loop that counts. */
export function findCountedExit(
  loop: ir.Loop,
  inductions: ReadonlyMap<ir.Value, InductionVariable>,
  facts: LoopFacts,
): CountedExit | undefined {
  const { instructions } = loop.regions[0]!;
  const repeating = new Set(facts.repeats.map(({ within }) => within));
  for (const [testAt, test] of instructions.entries()) {
    if (test.op === 'if') {
      const exit = exitOf(loop, test, testAt, inductions, facts);
      if (exit) return exit;
    }
    // Some iterations do not come to what follows.
    if (repeating.has(test)) return undefined;
  }
  return undefined;
}

function exitOf(
  loop: ir.Loop,
  test: ir.If,
  testAt: number,
  inductions: ReadonlyMap<ir.Value, InductionVariable>,
  { definitions, forms, repeats, isInvariant }: LoopFacts,
): CountedExit | undefined {
  const leaves = test.regions.map(({ instructions }) => isLeaving(instructions.at(-1)!, loop));
  if (leaves[0] === leaves[1]) return undefined;
  const [stay, leave] = leaves[1]
    ? [test.regions[0]!, test.regions[1]!]
    : [test.regions[1]!, test.regions[0]!];
  const jumpsBack = (region: ir.Region): boolean =>
    repeats.some(({ jump, within }) => within === test && contains(region, jump));
  if (jumpsBack(leave)) return undefined;
  const compare = definitions.get(test.operands[0]!);
  if (compare?.op !== 'compare') return undefined;
  const [, sign, order] = /^([su]?)(lt|le|gt|ge|eq|ne)$/.exec(compare.fn) ?? [];
  if (order === undefined || compare.operands[0]!.type.kind !== 'int') return undefined;
  for (const isMirrored of [false, true]) {
    const [left, right] = isMirrored
      ? [compare.operands[1]!, compare.operands[0]!]
      : [compare.operands[0]!, compare.operands[1]!];
    const { terms, constant } = forms.of(left);
    const [term] = terms.keys();
    const counter = term && terms.size === 1 && terms.get(term) === 1 ? inductions.get(term) : undefined;
    if (!counter || !isInvariant(right)) continue;
    let relation: Relation | 'eq' | undefined = isMirrored ? mirrored[order] : (order as Relation | 'eq');
    if (leaves[0]) relation = negated[relation!];
    if (relation === undefined || relation === 'eq') return undefined;
    if (!goesThere(counter, relation)) return undefined;
    const last = stay.instructions.at(-1)!;
    const after = loop.regions[0]!.instructions[testAt + 1];
    const isAtEnd =
      stay.instructions.length === 1 &&
      (last.op === 'continue' || (after?.op === 'continue' && after.target === loop));
    return {
      test,
      testAt,
      counter,
      offset: constant,
      bound: right,
      relation,
      isSigned: sign !== 'u',
      isAtEnd,
    };
  }
  return undefined;
}

/** Whether a counter moves to where the loop ends. */
function goesThere(counter: InductionVariable, relation: Relation): boolean {
  // Which way a step goes that only the launch knows is the program's affair.
  if (counter.kind === 'geometric' || counter.step === undefined) return true;
  if (relation === 'ne') return counter.step !== 0;
  return relation === 'lt' || relation === 'le' ? counter.step > 0 : counter.step < 0;
}

function isLeaving(last: ir.Instruction, loop: ir.Loop): boolean {
  if (last.op === 'return' || last.op === 'break') return true;
  return last.op === 'continue' && last.target !== loop;
}

function contains(region: ir.Region, jump: ir.Instruction): boolean {
  return region.instructions.some(
    (one) => one === jump || one.regions.some((nested) => contains(nested, jump)),
  );
}

/** Counters that are no sums are followed so far. */
const mostSimulated = 128;

/** How many iterations a counted loop does, if the counter begins at a constant and goes to a constant. */
export function constantTrips(exit: CountedExit, forms: AffineForms): number | undefined {
  const { counter, offset, relation, isSigned, isAtEnd } = exit;
  const start = forms.of(counter.start);
  const end = forms.of(exit.bound);
  if (start.terms.size > 0 || end.terms.size > 0 || counter.value.type.kind !== 'int') return undefined;
  const { bits } = counter.value.type;
  const wrap = (value: bigint): bigint =>
    isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  const bound = wrap(BigInt(end.constant));
  const stays = (value: bigint): boolean => holds(relation, wrap(value + BigInt(offset)), bound);
  const first = wrap(BigInt(start.constant));
  let goings: number | undefined;
  if (counter.kind === 'geometric') {
    let value: bigint | undefined = first;
    goings = 0;
    while (value !== undefined && stays(value)) {
      goings += 1;
      if (goings > mostSimulated) return undefined;
      value = multiplied(value, counter.fn, BigInt(counter.factor), bits);
    }
    if (value === undefined) return undefined;
  } else if (counter.step !== undefined) {
    goings = countUp(wrap(first + BigInt(offset)), BigInt(counter.step), bound, relation, bits, isSigned);
  }
  return goings === undefined ? undefined : goings + (isAtEnd ? 1 : 0);
}

function holds(relation: Relation, value: bigint, bound: bigint): boolean {
  switch (relation) {
    case 'lt':
      return value < bound;
    case 'le':
      return value <= bound;
    case 'gt':
      return value > bound;
    case 'ge':
      return value >= bound;
    case 'ne':
      return value !== bound;
  }
}

/** How often a relation holds for a value that steps on; undefined if the value wraps around before it does not. */
function countUp(
  value: bigint,
  step: bigint,
  bound: bigint,
  relation: Relation,
  bits: number,
  isSigned: boolean,
): number | undefined {
  if (!holds(relation, value, bound)) return 0;
  const distance = bound - value;
  let count: bigint;
  if (relation === 'ne') {
    if (step === 0n || distance % step !== 0n || distance / step < 0n) return undefined;
    count = distance / step;
  } else {
    const isUp = relation === 'lt' || relation === 'le';
    if (isUp !== step > 0n) return undefined;
    const far = isUp ? distance : -distance;
    const size = isUp ? step : -step;
    count = relation === 'lt' || relation === 'gt' ? (far + size - 1n) / size : far / size + 1n;
  }
  const last = value + count * step;
  const [low, high] = isSigned
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  return last < low || last > high || count > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(count);
}

/** One step of a geometric counter; undefined for a division by zero. */
function multiplied(value: bigint, fn: ir.BinaryFunction, factor: bigint, bits: number): bigint | undefined {
  const signed = BigInt.asIntN(bits, value);
  const unsigned = BigInt.asUintN(bits, value);
  const count = BigInt.asUintN(bits, factor) % BigInt(bits);
  switch (fn) {
    case 'shl':
      return signed << count;
    case 'ushr':
      return unsigned >> count;
    case 'sshr':
      return signed >> count;
    case 'imul':
      return signed * factor;
    case 'udiv':
      return factor === 0n ? undefined : unsigned / BigInt.asUintN(bits, factor);
    default:
      return factor === 0n ? undefined : signed / BigInt.asIntN(bits, factor);
  }
}
