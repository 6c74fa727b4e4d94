/**
 * Regroups the terms of addresses and conditions by how often they change, so that those that change seldom are
 * computed outside of the loops, and shared:
 *
 *     in items, with %row the same along x:        %r = shl %row, 2
 *       %i = iadd %row, %x                         %p.1 = offset %p, %r           (once a row)
 *       %b = shl %i, 2                       =>    %b = shl %x, 2
 *       %q = offset %p, %b                         %q = offset %p.1, %b
 *
 *       and (and %item1, %row1), %row2       =>    and (and %row1, %row2), %item1
 *
 * Sums are regrouped under shifts and products by constants too; in integers that wrap around nothing is lost by that. Terms are ranked by
 * the loops around what they come from, where a work-item loop counts as three: one for each dimension of the group.
 *
 * Constants come last, so that all accesses of an array share what comes before them:
 *
 *       %i = iadd %x, 655360                       %b = shl %x, 2
 *       %b = shl %i, 2                       =>    %q.1 = offset %p, %b           (shared)
 *       %q = offset %p, %b                         %q = offset %q.1, 2621440
 *
 * `%q.1` may lie outside of its object, or be less than 0 and wrap around. Whether the constant may become part of the access is
 * for each code generator to decide.
 */
import { integerOf } from '../../ir/constants.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { bool, type Type } from '../../ir/types.ts';

/** What has more terms stays as it is. */
const mostTerms = 8;

export function reassociate(fn: ir.Function): void {
  if (fn.body) new Regrouping().region(fn.body, 0);
}

/** Terms have smaller factors: they fit into all widths of integers that addresses are computed in. */
const factorLimit = 2 ** 31;

/** What is added to others: a value times a constant. For conditions the factor is 1. */
interface Term {
  readonly value: ir.Value;
  readonly factor: number;
  /** That of constants is below all others. */
  readonly rank: number;
}

const constantRank = -1;

class Regrouping {
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #ranks = new Map<ir.Value, number>();
  readonly #terms = new Map<ir.Value, readonly Term[]>();
  /** Of what differs along dimension 0, in the work-item loop that the walk is in. */
  #itemRank = 0;

  /** @param rank of what changes whenever the region runs */
  region(region: ir.Region, rank: number): void {
    const output: ir.Instruction[] = [];
    for (const parameter of region.parameters) this.#ranks.set(parameter, rank);
    for (const instruction of region.instructions) {
      const inner =
        instruction.op === 'loop' ? rank + 1 : instruction.op === 'work_item_loop' ? rank + 3 : rank;
      if (instruction.op === 'work_item_loop') this.#itemRank = inner;
      for (const nested of instruction.regions) this.region(nested, inner);
      if (instruction.op === 'offset') this.#offset(instruction, output);
      else if (instruction.op === 'binary' && instruction.results[0]!.type === bool) {
        this.#condition(instruction, output);
      }
      this.#define(instruction, rank);
      output.push(instruction);
    }
    region.instructions = output;
  }

  #define(instruction: ir.Instruction, rank: number): void {
    let own = rank;
    if (instruction.op === 'query') own = this.#queryRank(instruction);
    else if (isPure(instruction) && instruction.op !== 'item_address') {
      own = 0;
      for (const operand of instruction.operands) own = Math.max(own, this.#rank(operand));
    }
    for (const result of instruction.results) {
      this.#definitions.set(result, instruction);
      this.#ranks.set(result, own);
    }
  }

  #rank(value: ir.Value): number {
    return this.#ranks.get(value) ?? 0;
  }

  /** Appends offsets by all terms but those that change most often, which stay with the instruction. */
  #offset(offset: ir.Offset, output: ir.Instruction[]): void {
    const [pointer, amount] = offset.operands as [ir.Value, ir.Value];
    if (amount.type.kind !== 'int') return;
    const all = this.#termsOf(amount);
    if (all.length < 2) return;
    const terms = all.filter(({ rank }) => rank !== constantRank).sort((a, b) => a.rank - b.rank);
    const constants = all.filter(({ rank }) => rank === constantRank);
    const last = terms.at(-1)!.rank;
    let base = pointer;
    for (let at = 0; at < terms.length; ) {
      const { rank } = terms[at]!;
      const group: Term[] = [];
      for (; at < terms.length && terms[at]!.rank === rank; at += 1) group.push(terms[at]!);
      const sum = this.#sum(group, offset, output);
      if (rank === last && constants.length === 0) {
        offset.operands = [base, sum];
        return;
      }
      const moved: ir.Value = { type: pointer.type };
      this.#append({ op: 'offset', operands: [base, sum], results: [moved], regions: [] }, offset, output);
      base = moved;
    }
    offset.operands = [base, this.#constantSum(constants, offset, output)];
  }

  /**
   * The terms of a sum or conjunction; one whose terms all change alike is one term, and there are others than constants. Found once for each
   * value.
   */
  #termsOf(value: ir.Value): readonly Term[] {
    let terms = this.#terms.get(value);
    if (!terms) {
      const rank = this.#rank(value);
      terms = this.#divide(value);
      if (terms.length > mostTerms || terms.every((term) => term.rank === rank)) terms = [];
      if (terms.length < 2) terms = [{ value, factor: 1, rank }];
      this.#terms.set(value, terms);
    }
    return terms;
  }

  #divide(value: ir.Value): readonly Term[] {
    const definition = this.#definitions.get(value);
    if (definition?.op !== 'binary') return [];
    const [a, b] = definition.operands as [ir.Value, ir.Value];
    switch (definition.fn) {
      case 'shl':
      case 'imul': {
        const constant = this.#constant(b);
        const factor = constant !== undefined && definition.fn === 'shl' ? 2 ** constant : constant;
        if (factor === undefined || !(factor >= 1)) return [];
        const terms = this.#termsOf(a).map((term) => ({ ...term, factor: term.factor * factor }));
        return terms.some((term) => term.factor >= factorLimit) ? [] : terms;
      }
      case 'iadd': {
        if (this.#constant(b) === undefined) return [...this.#termsOf(a), ...this.#termsOf(b)];
        return [...this.#termsOf(a), { value: b, factor: 1, rank: constantRank }];
      }
      case 'and':
      case 'or':
        if (value.type !== bool) return [];
        return [...this.#joined(a, definition.fn), ...this.#joined(b, definition.fn)];
      default:
        return [];
    }
  }

  /** The terms of a condition that is joined by the same function; others are one. */
  #joined(value: ir.Value, fn: 'and' | 'or'): readonly Term[] {
    const definition = this.#definitions.get(value);
    if (definition?.op === 'binary' && definition.fn === fn) return this.#termsOf(value);
    return [{ value, factor: 1, rank: this.#rank(value) }];
  }

  /** The same for conditions that are joined by `and`, or by `or`. */
  #condition(join: ir.Binary, output: ir.Instruction[]): void {
    if (join.fn !== 'and' && join.fn !== 'or') return;
    const [a, b] = join.operands as [ir.Value, ir.Value];
    const terms = [...this.#joined(a, join.fn), ...this.#joined(b, join.fn)];
    if (terms.length < 3 || terms.length > mostTerms) return;
    terms.sort((left, right) => left.rank - right.rank);
    const last = terms.at(-1)!.rank;
    let before: ir.Value | undefined;
    let often: ir.Value | undefined;
    for (const { value, rank } of terms) {
      if (rank < last) before = before ? this.#binary(join.fn, before, value, join, output) : value;
      else often = often ? this.#binary(join.fn, often, value, join, output) : value;
    }
    if (before && often) join.operands = [before, often];
  }

  #constant(value: ir.Value): number | undefined {
    const definition = this.#definitions.get(value);
    return definition?.op === 'constant' ? Number(definition.value) : undefined;
  }

  /** The sum of terms of one rank; those with one factor are added before they are multiplied. */
  #sum(terms: readonly Term[], offset: ir.Offset, output: ir.Instruction[]): ir.Value {
    const byFactor = new Map<number, ir.Value>();
    for (const { value, factor } of terms) {
      const before = byFactor.get(factor);
      byFactor.set(factor, before ? this.#binary('iadd', before, value, offset, output) : value);
    }
    let sum: ir.Value | undefined;
    for (const [factor, value] of byFactor) {
      const product = factor === 1 ? value : this.#product(value, factor, offset, output);
      sum = sum ? this.#binary('iadd', sum, product, offset, output) : product;
    }
    return sum!;
  }

  #product(value: ir.Value, factor: number, offset: ir.Offset, output: ir.Instruction[]): ir.Value {
    const count = Math.log2(factor);
    const isShift = Number.isInteger(count);
    const constant = this.#newConstant(value.type, isShift ? count : factor, offset, output);
    return this.#binary(isShift ? 'shl' : 'imul', value, constant, offset, output);
  }

  /** Modulo the width of addresses, as all of it is. */
  #constantSum(terms: readonly Term[], offset: ir.Offset, output: ir.Instruction[]): ir.Value {
    const { type } = offset.operands[1]!;
    const parts = terms.map(({ value, factor }) => BigInt(this.#constant(value)!) * BigInt(factor));
    return this.#newConstant(
      type,
      parts.reduce((sum, part) => sum + part),
      offset,
      output,
    );
  }

  #newConstant(type: Type, value: number | bigint, offset: ir.Offset, output: ir.Instruction[]): ir.Value {
    const result: ir.Value = { type };
    this.#append(
      { op: 'constant', value: integerOf(type, value), operands: [], results: [result], regions: [] },
      offset,
      output,
    );
    return result;
  }

  #binary(
    fn: ir.BinaryFunction,
    a: ir.Value,
    b: ir.Value,
    origin: ir.Instruction,
    output: ir.Instruction[],
  ): ir.Value {
    const result: ir.Value = { type: a.type };
    this.#append({ op: 'binary', fn, operands: [a, b], results: [result], regions: [] }, origin, output);
    return result;
  }

  #append(instruction: ir.Instruction, { span }: ir.Instruction, output: ir.Instruction[]): void {
    if (span) instruction.span = span;
    this.#define(instruction, 0);
    output.push(instruction);
  }

  #queryRank(query: ir.Query): number {
    switch (query.fn) {
      case 'linear_local_id':
        return this.#itemRank;
      case 'global_id':
      case 'local_id':
        // Where the machine runs work-items itself, nothing changes more seldom than they do.
        return Math.max(0, this.#itemRank - query.dimension);
      default:
        return 0;
    }
  }
}
