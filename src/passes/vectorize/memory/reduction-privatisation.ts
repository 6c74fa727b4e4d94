/**
 * Sums along rows whose terms may be added up in any order (`-cl-unsafe-math-optimizations`):
 *
 *     for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];       row differs from lane to lane
 *
 * A loop like that need not bring the elements of several rows into one register, as transposed-loads.ts does. Each lane keeps a
 * vector of sums for itself, of as many iterations as elements fit in a register, and only these are transposed and added up, once
 * behind the loop:
 *
 *     lane 0:  s0 s1 s2 s3  +=  a0 a1 a2 a3  *  x0 x1 x2 x3
 *     lane 1:  t0 t1 t2 t3  +=  b0 b1 b2 b3  *  x0 x1 x2 x3
 *     ...
 *     sum  +=  s0 t0 u0 v0  +  s1 t1 u1 v1  +  s2 t2 u2 v2  +  s3 t3 u3 v3
 *
 * The loop as it was follows, for the iterations that are left.
 *
 * Vectors of work-items keep each work-item's own order, so that no general choice of lanes gives this: it is the only place where one
 * work-item's sum is spread over lanes, and it needs permission to.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { type FloatType, vectorType } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Vectors } from '../../../target/target.ts';
import { AffineForms } from '../../analysis/affine-forms.ts';
import { type CountedLoop, limitOfSeveral } from '../../analysis/counted-loops.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { Variable } from '../emit/vector-writer.ts';
import { vectoriseInstruction } from '../emit/vectorize-instruction.ts';
import { joined, transposed } from './transposed-loads.ts';
import { iterationStride, type TransposedLoops } from './transposed-loops.ts';

/** A loop that does nothing but add up. */
export interface RowReductions {
  readonly count: CountedLoop;
  readonly element: FloatType;
  /** How many iterations a vector holds. */
  readonly iterations: number;
  /** The loop parameters that are sums. */
  readonly sums: readonly ir.Value[];
  /** What adds to them, by the parameter. */
  readonly additions: ReadonlyMap<ir.Instruction, ir.Value>;
  /** What is computed with vectors of iterations: loads of neighbouring elements, and what comes of them. */
  readonly along: ReadonlySet<ir.Instruction>;
  /** What is computed for the first of the iterations, addresses above all. */
  readonly others: ReadonlySet<ir.Instruction>;
}

/** Those among the loops that walk along rows, by their own instructions. */
export function findRowReductions(
  { loops }: TransposedLoops,
  lanes: number,
  uniformity: Uniformity,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  vectors: Vectors,
): Map<ir.Loop, RowReductions> {
  const found = new Map<ir.Loop, RowReductions>();
  let forms: AffineForms | undefined;
  for (const [loop, { count }] of loops) {
    if (!loop.regions[0]!.instructions.some((one) => one.op === 'binary' && one.reassociate)) continue;
    forms ??= new AffineForms(definitions);
    const sums = new Search(count, uniformity, forms, vectors).run();
    if (sums && lanes % sums.iterations === 0) found.set(loop, sums);
  }
  return found;
}

/** Looks at the body of one loop. */
class Search {
  readonly #count: CountedLoop;
  readonly #uniformity: Uniformity;
  readonly #forms: AffineForms;
  readonly #vectors: Vectors;
  /** Who uses what is made in the loop, but for the way out. */
  readonly #users = new Map<ir.Value, ir.Instruction[]>();
  readonly #made = new Set<ir.Value>();
  readonly #additions = new Map<ir.Instruction, ir.Value>();
  readonly #along = new Set<ir.Instruction>();
  readonly #others = new Set<ir.Instruction>();

  constructor(count: CountedLoop, uniformity: Uniformity, forms: AffineForms, vectors: Vectors) {
    this.#count = count;
    this.#uniformity = uniformity;
    this.#forms = forms;
    this.#vectors = vectors;
  }

  run(): RowReductions | undefined {
    const { loop, counter, bound, testAt } = this.#count;
    if (!this.#uniformity.isUniform(counter) || !this.#uniformity.isUniform(bound)) return undefined;
    const { parameters, instructions } = loop.regions[0]!;
    const body = instructions.filter((_, at) => at !== testAt).slice(0, -1);
    const sums = parameters.filter((parameter) => parameter !== counter);
    const element = sums[0]?.type;
    if (element?.kind !== 'float' || element.bits < 32) return undefined;
    for (const parameter of parameters) this.#made.add(parameter);
    for (const instruction of [...body, instructions.at(-1)!]) {
      for (const result of instruction.results) this.#made.add(result);
      for (const operand of instruction.operands) {
        this.#users.set(operand, [...(this.#users.get(operand) ?? []), instruction]);
      }
    }
    if (!sums.every((sum) => this.#isSum(sum, element))) return undefined;
    const isKnown = body.every((one) => this.#additions.has(one) || this.#take(one, element));
    const hasTerms = isKnown && [...this.#additions].every(([one, sum]) => this.#hasTerm(one, sum));
    if (!hasTerms) return undefined;
    const iterations = this.#vectors.bits / element.bits;
    const [additions, along, others] = [this.#additions, this.#along, this.#others];
    return { count: this.#count, element, iterations, sums, additions, along, others };
  }

  /** Whether a parameter is added to, and nothing else; notes by what. */
  #isSum(parameter: ir.Value, element: FloatType): boolean {
    const { loop } = this.#count;
    const { parameters, instructions } = loop.regions[0]!;
    const last = instructions.at(-1)!;
    if (parameter.type !== element || this.#uniformity.of(parameter).kind !== 'varying') return false;
    let current = parameter;
    for (;;) {
      const [user, ...more] = this.#users.get(current) ?? [];
      if (!user || more.length > 0) return false;
      if (user === last)
        return last.operands[parameters.indexOf(parameter)] === current && current !== parameter;
      const isAdded = user.op === 'binary' && (user.fn === 'fadd' || user.operands[0] === current);
      if (!isAdded || !user.reassociate || user.operands[0] === user.operands[1]) return false;
      this.#additions.set(user, parameter);
      current = user.results[0]!;
    }
  }

  /** Whether what is added is no sum itself. */
  #hasTerm(addition: ir.Instruction, sum: ir.Value): boolean {
    const running = new Set<ir.Value>(this.#count.loop.regions[0]!.parameters);
    for (const one of this.#additions.keys()) running.add(one.results[0]!);
    const [a, b] = addition.operands as [ir.Value, ir.Value];
    return running.has(a) !== running.has(b) && sum.type === a.type;
  }

  /** Sorts an instruction; false if it is of another kind. */
  #take(instruction: ir.Instruction, element: FloatType): boolean {
    const { op, operands, results } = instruction;
    if (op === 'load') {
      const bytes = element.bits / 8;
      const pointer = operands[0]!;
      const isAlong =
        !instruction.volatile &&
        pointer.type.kind === 'pointer' &&
        pointer.type.space !== 'private' &&
        results[0]!.type === element &&
        iterationStride(this.#count.loop, pointer, this.#forms) === bytes;
      if (isAlong) this.#along.add(instruction);
      return isAlong;
    }
    if (!isPure(instruction) || op === 'constant' || results.length !== 1) return false;
    const { type } = results[0]!;
    if (type.kind === 'float') {
      const isElementwise =
        (op === 'binary' && ['fadd', 'fsub', 'fmul', 'fdiv'].includes(instruction.fn)) ||
        (op === 'unary' && ['fneg', 'fabs'].includes(instruction.fn));
      const isOfIterations = operands.every((one) => one.type === element && this.#isOfIterations(one));
      if (!isElementwise || !isOfIterations) return false;
      this.#along.add(instruction);
      return true;
    }
    if (type.kind === 'vector' || operands.some((one) => one.type.kind === 'float')) return false;
    this.#others.add(instruction);
    return true;
  }

  /** Whether a number comes from before the loop, or is known for all iterations of a vector. */
  #isOfIterations(value: ir.Value): boolean {
    if (!this.#made.has(value)) return true;
    for (const one of this.#along) if (one.results[0] === value) return true;
    return false;
  }
}

/** What a loop of one pass adds up: a vector of iterations for each sum and lane. */
interface Sums {
  readonly first: number;
  /** By the sum, and then by the lane from the first. */
  readonly variables: ReadonlyMap<ir.Value, readonly Variable[]>;
}

/**
 * Writes the loops that do several iterations at once. Where there are more sums than registers, a pass goes along the rows for
 * some lanes only, and the next one for the others.
 * @returns what the loop's parameters are when it goes on for the iterations that are left
 */
export function vectoriseRowReductions(
  context: VectorContext,
  rowReductions: RowReductions,
): ReadonlyMap<ir.Value, ir.Value> {
  const { writer } = context;
  const { count, sums, element, iterations } = rowReductions;
  const start = writer.scalarOf(context.vectorised(count.counter));
  const before = sums.map((sum) => context.parts(sum)[0]!);
  const together = Math.min(
    writer.lanes,
    Math.max(1, 2 ** Math.floor(Math.log2(context.target.vectors.registers / 2 / sums.length))),
  );
  const invariants = spreadInvariants(context, rowReductions);
  const wasQuiet = context.report.isQuiet;
  const rows = new Map<ir.Value, ir.Value[]>(sums.map((sum) => [sum, []]));
  const counter = writer.variableOf(start.type, count.counter.name);
  for (let first = 0; first < writer.lanes; first += together) {
    writer.write(counter, start);
    const zero = writer.once(vectorType(element, iterations as 2 | 4), 0);
    const variables = new Map(
      sums.map((sum) => [
        sum,
        Array.from({ length: together }, () => writer.variableOf(zero.type, sum.name, zero)),
      ]),
    );
    context.report.isQuiet = wasQuiet || first > 0;
    writePass(context, rowReductions, { first, variables }, counter, invariants);
    for (const [sum, each] of variables) {
      for (const variable of each) rows.get(sum)!.push(writer.read(variable));
    }
  }
  context.report.isQuiet = wasQuiet;
  const next = new Map<ir.Value, ir.Value>([[count.counter, writer.read(counter)]]);
  sums.forEach((sum, at) => {
    const all = rows.get(sum)!;
    const totals: ir.Value[] = [];
    for (let lane = 0; lane < all.length; lane += iterations) {
      const columns = transposed(writer, all.slice(lane, lane + iterations));
      totals.push(columns.reduce((total, column) => writer.binary('fadd', total, column)));
    }
    next.set(sum, writer.binary('fadd', before[at]!, joined(writer, totals)));
  });
  return next;
}

/** What comes from before the loop and is used for all iterations: a vector for each lane, or one for all. */
type Spread = ReadonlyMap<ir.Value, readonly ir.Value[]>;

function spreadInvariants(
  context: VectorContext,
  { along, additions, count, element, iterations }: RowReductions,
): Spread {
  const { writer } = context;
  const type = vectorType(element, iterations as 2 | 4);
  const made = new Set<ir.Value>(count.loop.regions[0]!.parameters);
  walkRegion(count.loop.regions[0]!, ({ results }) => {
    for (const result of results) made.add(result);
  });
  const spread = new Map<ir.Value, ir.Value[]>();
  for (const { op, operands } of [...along, ...additions.keys()]) {
    for (const operand of op === 'load' ? [] : operands) {
      if (made.has(operand) || spread.has(operand)) continue;
      const vectorised = context.vectorised(operand);
      const lanes = vectorised.kind === 'uniform' ? 1 : writer.lanes;
      spread.set(
        operand,
        Array.from({ length: lanes }, (_, lane) =>
          writer.splat(writer.laneOf(vectorised, operand.type, lane), type),
        ),
      );
    }
  }
  return spread;
}

/** Writes the loop for some lanes. */
function writePass(
  context: VectorContext,
  { count, element, iterations, additions, along, others }: RowReductions,
  { first, variables }: Sums,
  counter: Variable,
  invariants: Spread,
): void {
  const { writer } = context;
  const type = vectorType(element, iterations as 2 | 4);
  const { loop, bound, isSigned, step } = count;
  const last = writer.scalarOf(context.vectorised(bound));
  const limit = limitOfSeveral(writer, count, iterations, writer.read(counter), last);
  const copy = writer.loop();
  writer.loops += 1;
  writer.within(copy.regions[0]!, () => {
    const own = writer.read(counter);
    const goesOn = writer.if(writer.compare(isSigned ? 'slt' : 'ult', own, limit));
    writer.within(goesOn.regions[0]!, () => writer.yield());
    writer.within(goesOn.regions[1]!, () => writer.break(copy));
    context.define(count.counter, { kind: 'uniform', value: own });
    // A vector for each lane of the pass, or one for all.
    const vectors = new Map<ir.Value, readonly ir.Value[]>();
    const running = new Map<ir.Value, readonly ir.Value[]>();
    for (const [sum, each] of variables) {
      running.set(
        sum,
        each.map((variable) => writer.read(variable)),
      );
    }
    const lanesOf = (value: ir.Value): readonly ir.Value[] => {
      const all = invariants.get(value);
      const some =
        all && all.length > 1 ? all.slice(first, first + variables.values().next().value!.length) : all;
      return running.get(value) ?? vectors.get(value) ?? some!;
    };
    const forLanes = (
      operands: readonly ir.Value[],
      write: (...values: ir.Value[]) => ir.Value,
    ): ir.Value[] => {
      const given = operands.map(lanesOf);
      const lanes = Math.max(...given.map(({ length }) => length));
      return Array.from({ length: lanes }, (_, lane) =>
        write(...given.map((each) => (each.length === 1 ? each[0]! : each[lane]!))),
      );
    };
    for (const instruction of loop.regions[0]!.instructions) {
      writer.span = instruction.span;
      if (others.has(instruction)) vectoriseInstruction(context, instruction, undefined);
      else if (along.has(instruction) || additions.has(instruction)) {
        const { op, operands, results } = instruction;
        let values: readonly ir.Value[];
        if (op === 'load') {
          values = loadAlong(context, instruction, type, first, variables.values().next().value!.length);
        } else if (op === 'binary') {
          const { fn, contract } = instruction;
          values = forLanes(operands, (a, b) => writer.binary(fn, a!, b!, contract));
        } else values = forLanes(operands, (a) => writer.unary((instruction as ir.Unary).fn, a!));
        (additions.has(instruction) ? running : vectors).set(results[0]!, values);
      }
      writer.span = undefined;
    }
    const ends = loop.regions[0]!.instructions.at(-1)!.operands;
    loop.regions[0]!.parameters.forEach((parameter, at) => {
      variables.get(parameter)?.forEach((variable, lane) => {
        writer.write(variable, running.get(ends[at]!)![lane]!);
      });
    });
    writer.write(counter, writer.binary('iadd', own, writer.int(own.type, iterations * step)));
    writer.continue(copy);
  });
  writer.loops -= 1;
}

/** Neighbouring elements, of each lane's own row or of one for all. */
function loadAlong(
  context: VectorContext,
  load: ir.Load,
  type: ReturnType<typeof vectorType>,
  first: number,
  lanes: number,
): ir.Value[] {
  const { writer } = context;
  const [pointer] = load.operands as [ir.Value];
  const vectorised = context.vectorised(pointer);
  const isOne = vectorised.kind === 'uniform';
  context.report.access(load, isOne ? 'uniform' : 'along rows', false);
  return Array.from({ length: isOne ? 1 : lanes }, (_, lane) =>
    writer.load(type, writer.laneOf(vectorised, pointer.type, first + lane), load.align),
  );
}
