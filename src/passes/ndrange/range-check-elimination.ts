/**
 * Writes a kernel twice, where indices are clamped to bounds that they mostly do not reach: without what a test at its start finds to
 * change nothing, and as it was.
 *
 *     for (k = 0; k < n; k++)                    if (n <= width && last id < height) {
 *       sum += in[min(y, height - 1) * pitch       for (k = 0; k < n; k++) sum += in[y * pitch + k];
 *                + min(k, width - 1)];      =>   } else {
 *                                                  as it was
 *                                                }
 *
 * A clamp in a loop takes time in every iteration, and hides that addresses step evenly. People write them, and samples of images and
 * of AMD IL's resources come with them. Ranges (bounds/ranges.ts) say between what an index lies; where that is inside of the
 * bound, as 64-bit numbers that do not wrap around, the clamp is left out. Comparisons of ids with sizes, such as guard writes, go
 * with them; early returns are made guards first.
 *
 * The kernel is worth two copies only for clamps of what loops count; others are asked about once a vector, by
 * vectorize/plan/speculation.ts.
 */
import { Builder, newRegion } from '../../ir/builder.ts';
import { cloneRegion } from '../../ir/clone.ts';
import type * as ir from '../../ir/ir.ts';
import { containsBarrier, containsLoop, countInstructions } from '../../ir/regions.ts';
import { bool, i32 } from '../../ir/types.ts';
import { replaceOperands, walkRegion } from '../../ir/walk.ts';
import type { AffineForms } from '../analysis/affine-forms.ts';
import { Analyses } from '../analysis/analyses.ts';
import { Ranges } from '../analysis/ranges.ts';
import { addSums, constantSum, isNatural, type Sum, writeIsNatural } from '../analysis/sums.ts';
import { addTerms, hasSameTerms } from '../analysis/terms.ts';
import { returnsToGuards } from './distribute-guards.ts';

/** Kernels with more instructions are not written twice. */
const largest = 1000;
/** A test of more conditions takes too long. */
const mostConditions = 32;

/** What an instruction may be taken for, where its conditions hold. */
interface Dropped {
  /** One of its operands; undefined for a comparison that holds. */
  readonly same: ir.Value | undefined;
  readonly isCounted: boolean;
  readonly conditions: readonly Sum[];
}

/** Rewrites a kernel in work-item form, if that is worth it. */
export function eliminateRangeChecks(
  fn: ir.Function,
  addressBits: 32 | 64,
  analyses = new Analyses(fn),
): boolean {
  const { body } = fn;
  if (!body || fn.kind !== 'kernel' || fn.form === 'work-group' || !containsLoop(body)) return false;
  if (countInstructions(body) > largest) return false;
  const hasGuards = returnsToGuards(body);
  if (hasGuards) analyses.forget();
  if (leavesEarly(body)) return hasGuards;
  const search = new Search(body, analyses);
  walkRegion(body, (instruction) => {
    search.drop(instruction);
  });
  const conditions = search.isWorthwhile ? search.conditions() : undefined;
  if (!conditions) return hasGuards;
  writeTwice(fn, body, search.dropped, conditions, addressBits);
  return true;
}

/** Whether work-items may return before the kernel's end, which barriers would have to wait for. */
function leavesEarly(body: ir.Region): boolean {
  let returns = 0;
  walkRegion(body, ({ op }) => {
    if (op === 'return') returns += 1;
  });
  return returns !== 1 || body.instructions.at(-1)!.op !== 'return';
}

class Search {
  /** What may be dropped; undefined for what was looked at in vain. */
  readonly dropped = new Map<ir.Instruction, Dropped | undefined>();
  readonly #ranges: Ranges;
  readonly #forms: AffineForms;

  constructor(body: ir.Region, analyses: Analyses) {
    const { definitions, memory } = analyses;
    this.#forms = analyses.forms;
    this.#ranges = new Ranges(body, {
      definitions,
      uniformity: analyses.uniformity(),
      memory,
      assumed: (definition) => this.drop(definition)?.same,
    });
  }

  /** Whether a clamp of what a loop counts is among them. */
  get isWorthwhile(): boolean {
    return [...this.dropped.values()].some((one) => one?.same && one.isCounted);
  }

  /** All that must not be negative; undefined if that cannot be, or is too much to ask. */
  conditions(): Sum[] | undefined {
    const all = [
      ...this.#ranges.needs,
      ...[...this.dropped.values()].flatMap((one) => one?.conditions ?? []),
    ];
    const different: Sum[] = [];
    for (const sum of all) {
      if (isNatural(sum)) continue;
      if (this.#isHopeless(sum)) return undefined;
      const at = different.findIndex((other) => hasSameTerms(other.terms, sum.terms));
      if (at < 0) different.push(sum);
      else if (sum.constant < different[at]!.constant) different[at] = sum;
    }
    return different.length > mostConditions ? undefined : different;
  }

  drop(instruction: ir.Instruction): Dropped | undefined {
    if (this.dropped.has(instruction)) return this.dropped.get(instruction);
    this.dropped.set(instruction, undefined);
    const found = this.#find(instruction);
    this.dropped.set(instruction, found);
    return found;
  }

  #find(instruction: ir.Instruction): Dropped | undefined {
    if (instruction.op !== 'binary' && instruction.op !== 'compare') return undefined;
    const [a, b] = instruction.operands as [ir.Value, ir.Value];
    if (a.type !== i32 || this.#ranges.isEarly(instruction.results[0]!)) return undefined;
    switch (instruction.fn) {
      case 'smin':
      case 'smax':
      case 'umin':
        return this.#clamp(instruction.fn, a, b) ?? this.#clamp(instruction.fn, b, a);
      case 'slt':
      case 'ult':
        return this.#clamp(instruction.fn, a, b);
      default:
        return undefined;
    }
  }

  /** `value` against a bound that is the same for the group. */
  #clamp(
    fn: 'smin' | 'smax' | 'umin' | 'slt' | 'ult',
    value: ir.Value,
    bound: ir.Value,
  ): Dropped | undefined {
    const range = this.#ranges.of(value);
    const isUnsigned = fn === 'umin' || fn === 'ult';
    const limit = isUnsigned ? this.#ranges.unsigned(bound) : this.#groupValue(bound);
    // what the group computes once may stay
    if (!range || !limit || range.low === range.high) return undefined;
    const isComparison = fn === 'slt' || fn === 'ult';
    // the test of a loop is what its counter's range comes from
    if (isComparison && range.isCounted) return undefined;
    const least = isUnsigned ? 0 : -(2 ** 31);
    const conditions =
      fn === 'smax'
        ? [addSums(range.low, limit, -1), addSums(constantSum(2 ** 31 - 1), range.high, -1)]
        : [
            addSums(addSums(limit, range.high, -1)!, constantSum(isComparison ? -1 : 0)),
            addSums(range.low, constantSum(-least)),
          ];
    if (!conditions.every((sum): sum is Sum => sum !== undefined && !this.#isHopeless(sum))) return undefined;
    return { same: isComparison ? undefined : value, isCounted: range.isCounted, conditions };
  }

  #groupValue(value: ir.Value): Sum | undefined {
    const range = this.#ranges.of(value);
    return range?.low === range?.high ? range?.low : undefined;
  }

  /** Whether a sum is negative at every launch: `n - 1 - n`, when each is looked into. */
  #isHopeless({ terms, constant }: Sum): boolean {
    let left = new Map<ir.Value, number>();
    let known = constant;
    for (const [{ value }, count] of terms) {
      if (!value) return false;
      const form = this.#forms.of(value);
      known += form.constant * count;
      left = addTerms(left, form.terms, count);
    }
    return known < 0 && left.size === 0;
  }
}

function writeTwice(
  fn: ir.Function,
  body: ir.Region,
  dropped: ReadonlyMap<ir.Instruction, Dropped | undefined>,
  conditions: readonly Sum[],
  addressBits: 32 | 64,
): void {
  const isShared = ({ op }: ir.Instruction): boolean => op === 'constant' || op === 'variable';
  const shared = body.instructions.filter(isShared);
  const rest = newRegion();
  rest.instructions = body.instructions.slice(0, -1).filter((one) => !isShared(one));
  const values = new Map<ir.Value, ir.Value>();
  const copy = cloneRegion(rest, values);

  const start = newRegion();
  start.instructions = shared;
  const builder = new Builder(start, addressBits);
  const holds = builder.constant(bool, true);
  const replaced = new Map<ir.Value, ir.Value>();
  for (const [instruction, drop] of dropped) {
    const own = values.get(instruction.results[0]!);
    if (own && drop) replaced.set(own, drop.same ? (values.get(drop.same) ?? drop.same) : holds);
  }
  replaceOperands(copy, replaced);

  const tests = conditions.map((sum) => writeIsNatural(builder, sum));
  const test = builder.if(tests.reduce((all, one) => builder.binary('and', all, one), holds));
  // Before a barrier is what the group does, and the choice is to be the group's.
  const needsBarrier = !containsBarrier(body);
  [copy, rest].forEach((region, index) => {
    builder.within(test.regions[index]!, () => {
      if (needsBarrier) builder.barrier([]);
      for (const instruction of region.instructions) builder.append(instruction);
      builder.yield();
    });
  });
  builder.append(body.instructions.at(-1)!);
  fn.body = start;
}
