/**
 * Cuts long loops into strips, and lets all work-items of a group do one strip before any of them begins the next:
 *
 *     loop @l (%k = %first, %s = %x) {              loop @g (%k = %first, %s = %x) {
 *       if (slt %k, %n) { yield }                     if (slt %k, %n) { yield } else { break @g %s }
 *       else { break @l %s }                          %end = select (ugt (isub %n, %k), 128), (iadd %k, 128), %n
 *       body                                 =>       %k', %s' = loop @l (%k.1 = %k, %s.1 = %s) {
 *       continue @l (iadd %k, 1), ...                   the loop as it was, up to %end
 *     }                                               }
 *                                                     barrier
 *                                                     continue @g %end, %s'
 *                                                   }
 *
 * In `sum += a[row * n + k] * b[k * n + column]` each iteration reads in another line of the cache, and in another page. A
 * work-item that goes through the whole loop has read so much that its neighbours, who want the same lines or the rest
 * of them, find nothing in the cache any more. 128 iterations leave things there.
 *
 * Work-items may run in any order, so that a barrier may be placed wherever all of them arrive. It is a place where
 * `form-work-item-loops` cuts the kernel, and costs what lives across it a load and a store a strip. Where a guard,
 * `if (x < n)` or `if (x >= n) return`, keeps work-items out, they reach the barrier without doing anything (distribute-guards.ts).
 */
import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import type * as ir from '../../ir/ir.ts';
import { containsBarrier, containsLoop } from '../../ir/regions.ts';
import { walkRegion } from '../../ir/walk.ts';
import { insert } from '../../source/lists.ts';
import type { Cache } from '../../target/target.ts';
import type { AffineForms } from '../analysis/affine-forms.ts';
import { Analyses } from '../analysis/analyses.ts';
import { type CountedLoop, findCount, stepOf } from '../analysis/counted-loops.ts';
import type { Uniformity } from '../analysis/uniformity.ts';
import { distributeGuard, knownOutside, returnsToGuards } from './distribute-guards.ts';
import { allCarry, bodyToCut, loopsOfAll, type Place } from './tileable-loops.ts';

/** Iterations of a strip. */
const stripLength = 128;
/** Loops that read so many lines in each iteration do fewer iterations in a strip. */
const fewLines = 2;

/**
 * Cuts the loops of a kernel in work-item form that are worth it.
 * @param iterations how long a strip is; others than usual are for tests
 */
export function tileLoops(
  fn: ir.Function,
  addressBits: 32 | 64,
  { line }: Cache,
  iterations: number = stripLength,
  analyses = new Analyses(fn),
): boolean {
  const body = bodyToCut(fn);
  if (!body) return false;
  const hasGuards = returnsToGuards(body);
  if (hasGuards) analyses.forget();
  const search = new Search(analyses, line, iterations);
  // From the last to the first: what comes before a loop stays in its guard, and what comes after it goes to another.
  const loops = search.run(body).reverse();
  for (const found of loops) cut(found, addressBits);
  return hasGuards || loops.length > 0;
}

interface Found {
  readonly count: CountedLoop;
  readonly iterations: number;
  readonly place: Place;
}

class Search {
  readonly #group: Uniformity;
  readonly #row: Uniformity;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #forms: AffineForms;
  readonly #line: number;
  readonly #iterations: number;

  constructor(analyses: Analyses, line: number, iterations: number) {
    this.#line = line;
    this.#iterations = iterations;
    this.#group = analyses.uniformity();
    this.#row = analyses.uniformity('row');
    this.#definitions = analyses.definitions;
    this.#forms = analyses.forms;
  }

  run(body: ir.Region): Found[] {
    const found: Found[] = [];
    const isWhole = loopsOfAll(body, this.#group, (loop, place) => {
      const cut = this.#group.isDivergent(loop) ? undefined : this.#cutOf(loop);
      if (cut && this.#isCountedOutside(cut.count, place)) found.push({ ...cut, place });
    });
    return isWhole ? found : [];
  }

  /** Whether work-items that guards keep out can count along. */
  #isCountedOutside({ loop, counter, bound, isSigned }: CountedLoop, { guards }: Place): boolean {
    const outermost = guards.at(-1)?.guard;
    if (!outermost) return true;
    // `if (x < n) for (uint k = 0; k < n - 1; ...)`: if n is 0 nobody comes in, and they would count to the largest number
    const form = this.#forms.of(bound);
    const isTakenFrom = form.constant < 0 || [...form.terms.values()].some((factor) => factor < 0);
    if (!isSigned && isTakenFrom) return false;
    const inside = findDefinitions(outermost.branch.regions[outermost.side]!);
    const first = loop.operands[loop.regions[0]!.parameters.indexOf(counter)]!;
    const conditions = guards.map(({ guard }) => guard.branch.operands[0]!);
    return [first, bound, ...conditions].every(knownOutside(inside));
  }

  /** What a loop counts, and how long its strips are, if it is to be cut. */
  #cutOf(loop: ir.Loop): { count: CountedLoop; iterations: number } | undefined {
    const [body] = loop.regions as [ir.Region];
    if (containsLoop(body) || containsBarrier(body)) return undefined;
    const count = findCount(loop, this.#definitions);
    if (!count || !this.#isLong(count)) return undefined;
    const inside = new Set(body.parameters);
    walkRegion(body, ({ results }) => {
      for (const result of results) inside.add(result);
    });
    const isSimple = allCarry(loop, count.counter, this.#row) && this.#leavesAsIs(count, inside);
    if (!isSimple) return undefined;
    const lines = new Set<ir.Value>();
    for (const one of body.instructions) {
      if (one.op === 'load' && this.#jumps(one, loop, inside)) lines.add(one.operands[0]!);
    }
    if (lines.size === 0) return undefined;
    const iterations =
      lines.size <= fewLines ? this.#iterations : this.#iterations >> Math.floor(Math.log2(lines.size));
    return { count, iterations: Math.max(1, iterations) };
  }

  /** Whether a loop gives on what it carries, or what was there before. */
  #leavesAsIs({ loop, counter, step, testAt }: CountedLoop, inside: ReadonlySet<ir.Value>): boolean {
    const { parameters, instructions } = loop.regions[0]!;
    const { operands } = instructions[testAt]!.regions[1]!.instructions[0]!;
    return operands.every((value) => {
      // With longer steps it may have passed the bound, where the last strip ends.
      if (value === counter) return step === 1;
      return parameters.includes(value) || !inside.has(value);
    });
  }

  /** Unless it is known to take only a few iterations. */
  #isLong({ loop, counter, bound, step }: CountedLoop): boolean {
    const first = loop.operands[loop.regions[0]!.parameters.indexOf(counter)]!;
    const distance = this.#forms.of(bound);
    const start = this.#forms.of(first);
    if (distance.terms.size > 0 || start.terms.size > 0) return true;
    return distance.constant - start.constant >= 2 * this.#iterations * step;
  }

  /**
   * Whether a load reads in another line of the cache in each iteration, and neighbours along dimension 0 read there, too: the
   * same or what is next to it.
   */
  #jumps(load: ir.Load, loop: ir.Loop, inside: ReadonlySet<ir.Value>): boolean {
    const pointer = load.operands[0]!;
    if (pointer.type.kind !== 'pointer') return false;
    if (pointer.type.space !== 'global' && pointer.type.space !== 'constant') return false;
    const shape = this.#row.of(pointer);
    if (shape.kind === 'varying' || (shape.kind === 'affine' && Math.abs(shape.step) > this.#line / 4))
      return false;
    let known = 0;
    for (const [term, factor] of this.#forms.of(pointer).terms) {
      if (!inside.has(term)) continue;
      const step = this.#stepOf(loop, term);
      if (step === undefined) return true;
      known += factor * step;
    }
    return Math.abs(known) >= this.#line;
  }

  #stepOf(loop: ir.Loop, term: ir.Value): number | undefined {
    const [body] = loop.regions as [ir.Region];
    const at = body.parameters.indexOf(term);
    return at < 0 ? undefined : stepOf(term, body.instructions.at(-1)!.operands[at]!, this.#definitions);
  }
}

function cut({ count, iterations, place }: Found, addressBits: 32 | 64): void {
  const { loop, counter, bound, step, isSigned, testAt } = count;
  const [body] = loop.regions as [ir.Region];
  const test = body.instructions[testAt]!;
  const leaves = test.regions[1]!.instructions[0]!;
  const copyOf = ({ type, name }: ir.Value): ir.Value => newValue(type, name);
  const outer: ir.Loop = {
    op: 'loop',
    operands: loop.operands,
    results: loop.results,
    regions: [newRegion(body.parameters.map(copyOf))],
    span: loop.span,
  };
  const [around] = outer.regions as [ir.Region];
  const own = (value: ir.Value): ir.Value => around.parameters[body.parameters.indexOf(value)] ?? value;
  const compare = isSigned ? 'slt' : 'ult';
  const builder = new Builder(around, addressBits);
  const more = builder.if(builder.compare(compare, own(counter), bound));
  more.span = test.span;
  builder.within(more.regions[0]!, () => builder.yield());
  builder.within(more.regions[1]!, () => builder.break(outer, leaves.operands.map(own)));
  // As the counter is below the bound, the distance between them is right as an unsigned number.
  const left = builder.binary('isub', bound, own(counter));
  const distance = builder.integer(counter.type, iterations * step);
  const isFar = builder.compare('ugt', left, distance);
  const end = builder.select(isFar, builder.binary('iadd', own(counter), distance), bound);
  loop.operands = [...around.parameters];
  loop.results = body.parameters.map(copyOf);
  leaves.operands = [...body.parameters];
  const condition = newRegion();
  new Builder(condition, addressBits).compare(compare, counter, end);
  test.operands = [condition.instructions[0]!.results[0]!];
  insert(body.instructions, testAt, condition.instructions);
  builder.append(loop);
  builder.barrier([]);
  builder.continue(
    outer,
    loop.results.map((result, at) => (body.parameters[at] === counter ? end : result)),
  );
  place.region.instructions[place.region.instructions.indexOf(loop)] = outer;
  let guarded: ir.Instruction = loop;
  for (const { guard, region } of place.guards) {
    guarded = distributeGuard(guard, region, outer, guarded, addressBits);
  }
}
