/**
 * Between which bounds the integers of a kernel lie, as sums of what is the same for a launch or a work-group: ids by its range, counters
 * by where their loop begins and ends.
 *
 *     %x = query global_id 0                       global offset ... that + global size - 1
 *     loop (%k = 0) { if slt %k, %n ... }          0 ... %n - 1, behind the test
 *     %i = iadd (shl %k, 2), 3                     3 ... 4 %n - 1
 *
 * Bounds are those of numbers that never wrap around. What is computed from them modulo 2^32 is that number wherever the
 * bounds fit into 32 bits, which is for whoever uses them to ask.
 */

import type { Builder } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { i32, i64 } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import type { Memory } from './alias.ts';
import { type CountedLoop, findAnyCount, stepOf } from './counted-loops.ts';
import { addSums, constantSum, type Sum, type Term, termSum } from './sums.ts';
import type { Uniformity } from './uniformity.ts';

export interface Range {
  readonly low: Sum;
  readonly high: Sum;
  /** Whether it changes from iteration to iteration of a loop. */
  readonly isCounted: boolean;
}

export interface RangeParts {
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  /** Of the group. */
  readonly uniformity: Uniformity;
  readonly memory: Memory;
  /** What a value is the same as where a test passes that is made elsewhere. */
  readonly assumed: (definition: ir.Instruction) => ir.Value | undefined;
}

/** Computations that go deeper are followed no further. */
const deepest = 32;

export class Ranges {
  readonly #parts: RangeParts;
  readonly #loops = new Map<ir.Value, { readonly count: CountedLoop; readonly index: number }>();
  /** What is computed before the test of its loop: once more often than the rest. */
  readonly #early = new Set<ir.Value>();
  readonly #ranges = new Map<ir.Value, Range | undefined>();
  readonly #terms = new Map<ir.Value, Term>();
  readonly #queries = new Map<string, Term>();
  readonly #unsigned = new Map<ir.Value, Term>();
  /** What the kernel's start has a copy of. */
  readonly #copies = new Map<ir.Value, ir.Value>();
  /** What must not be negative for the bounds of counters to hold. */
  readonly needs: Sum[] = [];

  constructor(body: ir.Region, parts: RangeParts) {
    this.#parts = parts;
    walkRegion(body, (instruction) => {
      if (instruction.op !== 'loop') return;
      const count = findAnyCount(instruction, parts.definitions);
      if (!count) return;
      const { parameters, instructions } = instruction.regions[0]!;
      parameters.forEach((parameter, index) => {
        this.#loops.set(parameter, { count, index });
      });
      for (const one of instructions.slice(0, count.testAt)) {
        for (const result of one.results) this.#early.add(result);
        for (const region of one.regions) {
          walkRegion(region, ({ results }) => {
            for (const result of results) this.#early.add(result);
          });
        }
      }
    });
  }

  /** Whether a value is computed before the test of a counted loop. */
  isEarly(value: ir.Value): boolean {
    return this.#early.has(value);
  }

  /** The bounds of a 32-bit integer, read as a signed one. */
  of(value: ir.Value, depth = 0): Range | undefined {
    if (value.type !== i32 || depth > deepest) return undefined;
    if (this.#ranges.has(value)) return this.#ranges.get(value);
    // what depends on itself has no bounds
    this.#ranges.set(value, undefined);
    const range = this.#find(value, depth);
    this.#ranges.set(value, range);
    return range;
  }

  /** A value of the group's, read without a sign. */
  unsigned(value: ir.Value): Sum | undefined {
    const constant = this.#constant(value);
    if (constant !== undefined) return constantSum(constant >>> 0);
    if (!this.#isOfGroup(value, 0)) return undefined;
    let term = this.#unsigned.get(value);
    if (!term) {
      const write = (builder: Builder): ir.Value => builder.convert('zext', this.#copy(builder, value), i64);
      term = { write, value, isNatural: true };
      this.#unsigned.set(value, term);
    }
    return termSum(term);
  }

  #find(value: ir.Value, depth: number): Range | undefined {
    const { definitions, assumed } = this.#parts;
    const constant = this.#constant(value);
    if (constant !== undefined) return exactly(constantSum(constant));
    if (this.#isOfGroup(value, 0)) return exactly(termSum(this.#term(value)));
    const loop = this.#loops.get(value);
    if (loop) return this.#ofCounter(value, loop.count, loop.index, depth);
    const definition = definitions.get(value);
    if (!definition || this.#early.has(value)) return undefined;
    const same = assumed(definition);
    if (same) return this.of(same, depth + 1);
    if (definition.op === 'query') return this.#ofId(definition);
    if (definition.op !== 'binary') return undefined;
    const operand = (index: number): Range | undefined => this.of(definition.operands[index]!, depth + 1);
    const right = this.#constant(definition.operands[1]!);
    switch (definition.fn) {
      case 'iadd':
        return combined(operand(0), operand(1), 1);
      case 'isub':
        return combined(operand(0), operand(1), -1);
      case 'imul':
        return right === undefined ? undefined : scaled(operand(0), right);
      case 'shl':
        return right === undefined ? undefined : scaled(operand(0), 2 ** (right & 31));
      case 'and':
        if (right === undefined || right < 0) return undefined;
        return { low: constantSum(0), high: constantSum(right), isCounted: operand(0)?.isCounted ?? false };
      default:
        return undefined;
    }
  }

  /** An id, in all groups of the launch: what differs between them would keep groups from being fused. */
  #ofId({ fn, dimension }: ir.Query): Range | undefined {
    if (fn !== 'global_id' && fn !== 'local_id') return undefined;
    const sizeOf = fn === 'global_id' ? 'global_size' : 'enqueued_local_size';
    const low = fn === 'global_id' ? termSum(this.#query('global_offset', dimension)) : constantSum(0);
    const behind = addSums(low, termSum(this.#query(sizeOf, dimension)));
    const high = behind && addSums(behind, constantSum(-1));
    return high && { low, high, isCounted: false };
  }

  /**
   * A parameter of a counted loop, behind its test: the counter itself, or what steps along with a counter of single steps.
   */
  #ofCounter(value: ir.Value, count: CountedLoop, index: number, depth: number): Range | undefined {
    const { loop, counter, bound, step, isSigned, isInclusive } = count;
    const { parameters } = loop.regions[0]!;
    const start = this.of(loop.operands[parameters.indexOf(counter)]!, depth + 1);
    const behind = isSigned ? this.of(bound, depth + 1) : exactlyIf(this.unsigned(bound));
    const last = behind && (isInclusive ? behind.high : addSums(behind.high, constantSum(-1)));
    if (!start || !last) return undefined;
    const range =
      value === counter
        ? { low: start.low, high: last, isCounted: true }
        : this.#ofStepped(value, count, index, start, last, depth);
    if (!range) return undefined;
    // The test compares numbers of 32 bits, and the step beyond the last iteration must not wrap around.
    this.#needFits(start);
    if (isSigned) this.#needFits(behind);
    else this.#need(start.low);
    if (step > 1 || isInclusive) this.#need(addSums(constantSum(2 ** 31 - 1 - step), last, -1));
    return range;
  }

  /** What steps along with a counter, which goes from `start` to `last`. */
  #ofStepped(
    value: ir.Value,
    count: CountedLoop,
    index: number,
    start: Range,
    last: Sum,
    depth: number,
  ): Range | undefined {
    const { loop, step, isSigned } = count;
    const own = stepOf(
      value,
      loop.regions[0]!.instructions.at(-1)!.operands[index]!,
      this.#parts.definitions,
    );
    const begin = this.of(loop.operands[index]!, depth + 1);
    const iterations = addSums(last, start.low, -1);
    if (own === undefined || own < 1 || step !== 1 || !isSigned || !begin || !iterations) return undefined;
    const high = addSums(begin.high, iterations, own);
    return high && { low: begin.low, high, isCounted: true };
  }

  #needFits({ low, high }: Range): void {
    if (low === high) return;
    this.#need(addSums(low, constantSum(2 ** 31)));
    this.#need(addSums(constantSum(2 ** 31 - 1), high, -1));
  }

  #need(sum: Sum | undefined): void {
    this.needs.push(sum ?? constantSum(-1));
  }

  #constant(value: ir.Value): number | undefined {
    const definition = this.#parts.definitions.get(value);
    return definition?.op === 'constant' && typeof definition.value === 'number'
      ? definition.value
      : undefined;
  }

  /** Whether a value is the same for the group, and can be computed at the kernel's start. */
  #isOfGroup(value: ir.Value, depth: number): boolean {
    const { definitions, uniformity, memory } = this.#parts;
    if (!uniformity.isUniform(value) || this.#loops.has(value) || depth > deepest) return false;
    const definition = definitions.get(value);
    // parameters of the kernel have no definition, nor have those of loops
    if (!definition) return memory.isParameter(value);
    // a copy of what is undefined might be something else
    if (definition.op === 'undefined') return false;
    const isFree = definition.op === 'load' ? memory.isFree(definition) : isPure(definition);
    return isFree && definition.operands.every((operand) => this.#isOfGroup(operand, depth + 1));
  }

  #term(value: ir.Value): Term {
    let term = this.#terms.get(value);
    if (!term) {
      const write = (builder: Builder): ir.Value => builder.convert('sext', this.#copy(builder, value), i64);
      term = { write, value, isNatural: false };
      this.#terms.set(value, term);
    }
    return term;
  }

  #query(fn: ir.QueryFunction, dimension: 0 | 1 | 2): Term {
    const key = `${fn} ${dimension}`;
    let term = this.#queries.get(key);
    if (!term) {
      const write = (builder: Builder): ir.Value =>
        builder.convert('zext', builder.query(fn, dimension), i64);
      term = { write, isNatural: true };
      this.#queries.set(key, term);
    }
    return term;
  }

  /** Writes the computation of a value once more. */
  #copy(builder: Builder, value: ir.Value): ir.Value {
    const known = this.#copies.get(value);
    if (known) return known;
    const definition = this.#parts.definitions.get(value);
    if (!definition) return value;
    const values = new Map(definition.operands.map((operand) => [operand, this.#copy(builder, operand)]));
    const copy = builder.append(cloneInstruction(definition, values));
    this.#copies.set(value, copy.results[0]!);
    return copy.results[0]!;
  }
}

const exactly = (sum: Sum): Range => ({ low: sum, high: sum, isCounted: false });

const exactlyIf = (sum: Sum | undefined): Range | undefined => sum && exactly(sum);

/** Of a sum, or of a difference. */
function combined(a: Range | undefined, b: Range | undefined, sign: 1 | -1): Range | undefined {
  if (!a || !b) return undefined;
  const low = addSums(a.low, sign > 0 ? b.low : b.high, sign);
  const high = addSums(a.high, sign > 0 ? b.high : b.low, sign);
  return low && high && { low, high, isCounted: a.isCounted || b.isCounted };
}

function scaled(range: Range | undefined, factor: number): Range | undefined {
  if (!range || factor === 0) return undefined;
  const low = addSums(constantSum(0), factor > 0 ? range.low : range.high, factor);
  const high = addSums(constantSum(0), factor > 0 ? range.high : range.low, factor);
  return low && high && { ...range, low, high };
}
