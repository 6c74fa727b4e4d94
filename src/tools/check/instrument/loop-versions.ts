/**
 * Writes loops twice where a look before the loop can tell that nothing in it leaves its object:
 *
 *     loop (%k = 0) {                       %fine = the places at the first and at the last turn lie in %a
 *       if (slt %k, %n) ...                 if %fine {
 *       load (offset %a, 4 %k + %x)     =>    loop (%k = 0) { ... load ... }         is not checked
 *       ...                                 } else {
 *     }                                       loop (%k = 0) { ... load ... }         is checked
 *                                           }
 *
 * What grows evenly lies between its first and its last value (exact-sums.ts). The look also asks whether somebody must watch
 * reads: of arguments whether the launch does, of local memory that nobody writes meanwhile whether all of it has been written.
 * If anything is doubtful, the loop runs as it always does, and reports are exact.
 */
import { newRegion, newValue } from '../../../ir/builder.ts';
import { cloneInstruction } from '../../../ir/clone.ts';
import { findDefinitions } from '../../../ir/definitions.ts';
import type * as ir from '../../../ir/ir.ts';
import { isBarrier } from '../../../ir/ir.ts';
import { i32, i64, sizeOf } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { type CountedLoop, findCount } from '../../../passes/analysis/counted-loops.ts';
import { insert } from '../../../source/lists.ts';
import type { CheckWriter } from './check-writer.ts';
import { ExactSums, type Shape } from './exact-sums.ts';
import type { LocalCounters } from './local-counters.ts';
import type { LocalIntervals } from './local-intervals.ts';
import type { Objects } from './objects.ts';
import type { Root } from './pointer-roots.ts';

/** What is known of the versions that are not checked. */
export interface Proven {
  /** Accesses that stay in their objects. */
  readonly inRange: Set<ir.Instruction>;
  /** Reads that are no fault. */
  readonly unwatched: Set<ir.Instruction>;
  /** Loops that do not look at the clock in each turn, and how many turns they make. */
  readonly turns: Map<ir.Loop, ir.Value>;
  /** What looks at the state itself. */
  readonly own: Set<ir.Instruction>;
}

/** Larger bodies are not written twice; nor are more than so many loops. */
const mostInstructions = 160;
const mostLoops = 24;
/** Leaves of fewer bits would let hardly anything pass. */
const leastLeafBits = 16;

/** An access that a look before the loop is about. */
interface Candidate {
  readonly access: ir.Load | ir.Store;
  readonly root: Root;
  /** What its offset is the sum of. */
  readonly parts: readonly ir.Value[];
  readonly bytes: number;
  /** What must be zero for nobody to watch it; undefined if it must be watched whatever that is. */
  readonly watch: (() => ir.Value | undefined) | undefined;
}

export interface LoopVersionParts {
  readonly writer: CheckWriter;
  readonly objects: Objects;
  readonly counters: LocalCounters;
  readonly localIntervals: LocalIntervals | undefined;
  /** Whether a launch can do without watching the reads of a parameter. */
  readonly mayRest: (index: number) => boolean;
}

export function nothingProven(): Proven {
  return { inRange: new Set(), unwatched: new Set(), turns: new Map(), own: new Set() };
}

/** Rewrites a body in which nothing is checked yet. */
export function versionLoops(body: ir.Region, parts: LoopVersionParts): Proven {
  const proven = nothingProven();
  moveToTop(body);
  const definitions = findDefinitions(body);
  let count = 0;
  const visit = (region: ir.Region): void => {
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      for (const nested of instruction.regions) visit(nested);
      const version =
        instruction.op === 'loop' && count < mostLoops
          ? new LoopVersion(instruction, definitions, parts, proven)
          : undefined;
      const written = version?.write();
      if (written) count += 1;
      output.push(...(written ?? [instruction]));
    }
    region.instructions = output;
  };
  visit(body);
  return proven;
}

/** Variables are the same bytes wherever they stand, and constants the same values: loops then refer to what is known before. */
function moveToTop(body: ir.Region): void {
  const moved: ir.Instruction[] = [];
  const visit = (region: ir.Region): void => {
    region.instructions = region.instructions.filter((instruction) => {
      for (const nested of instruction.regions) visit(nested);
      if (instruction.op !== 'constant' && instruction.op !== 'variable') return true;
      moved.push(instruction);
      return false;
    });
  };
  visit(body);
  insert(body.instructions, 0, moved);
}

class LoopVersion {
  readonly #loop: ir.Loop;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #parts: LoopVersionParts;
  readonly #proven: Proven;
  readonly #inside = new Set<ir.Value>();

  constructor(
    loop: ir.Loop,
    definitions: ReadonlyMap<ir.Value, ir.Instruction>,
    parts: LoopVersionParts,
    proven: Proven,
  ) {
    this.#loop = loop;
    this.#definitions = definitions;
    this.#parts = parts;
    this.#proven = proven;
  }

  /** What takes the loop's place; undefined if it stays as it is. */
  write(): ir.Instruction[] | undefined {
    const loop = this.#loop;
    const count = this.#isSimple() ? findCount(loop, this.#definitions) : undefined;
    if (!count || count.counter.type !== i32) return undefined;
    const before = newRegion();
    const { builder } = this.#parts.writer;
    return builder.within(before, () => {
      const sums = new ExactSums(builder, count.counter, this.#definitions, (value) =>
        this.#inside.has(value),
      );
      const candidates = this.#candidates(count, sums);
      if (candidates.length === 0) return undefined;
      const { fine, turns } = this.#look(count, sums, candidates);
      for (const instruction of before.instructions) this.#proven.own.add(instruction);
      const copy = this.#copy(candidates);
      this.#proven.turns.set(copy, turns);
      const choice = builder.if(fine, []);
      choice.results = loop.results;
      builder.within(choice.regions[0]!, () => {
        builder.append(copy);
        builder.yield([...copy.results]);
      });
      loop.results = loop.results.map(({ type, name }) => newValue(type, name));
      builder.within(choice.regions[1]!, () => {
        builder.append(loop);
        builder.yield([...loop.results]);
      });
      return before.instructions;
    });
  }

  /** Whether nothing in it stands against a second copy; looks at everything. */
  #isSimple(): boolean {
    const body = this.#loop.regions[0]!;
    let size = 0;
    let isSimple = true;
    for (const parameter of body.parameters) this.#inside.add(parameter);
    walkRegion(body, (instruction) => {
      size += 1;
      if (instruction.op === 'loop' || isBarrier(instruction)) isSimple = false;
      for (const result of instruction.results) this.#inside.add(result);
    });
    return isSimple && size <= mostInstructions;
  }

  /** The accesses behind the test that the loop goes on. */
  #candidates({ testAt }: CountedLoop, sums: ExactSums): Candidate[] {
    const found: Candidate[] = [];
    const visit = (instruction: ir.Instruction): void => {
      if (instruction.op === 'load' || instruction.op === 'store') {
        const candidate = this.#candidate(instruction, sums);
        if (candidate) found.push(candidate);
      }
      for (const region of instruction.regions) region.instructions.forEach(visit);
    };
    this.#loop.regions[0]!.instructions.slice(testAt + 1).forEach(visit);
    return found;
  }

  #candidate(access: ir.Load | ir.Store, sums: ExactSums): Candidate | undefined {
    const { objects } = this.#parts;
    const pointer = access.operands[0]!;
    const root = objects.rootOf(pointer);
    if (!root || objects.isPipe(root)) return undefined;
    const bytes = sizeOf((access.op === 'load' ? access.results[0]! : access.operands[1]!).type);
    const size = objects.sizeOf(root);
    const facts = objects.factsOf(root);
    if (size === undefined ? !facts : size < bytes) return undefined;
    const parts = objects.offsetParts(pointer, root);
    // What has a constant place needs no look.
    if (!parts?.some((part) => this.#definitions.get(part)?.op !== 'constant')) return undefined;
    const shapes = parts.map((part) => sums.shapeOf(part));
    if (shapes.some((shape) => !shape || ExactSums.leafBits(widened(shape, parts.length)) < leastLeafBits)) {
      return undefined;
    }
    return { access, root, parts, bytes, watch: this.#watch(access, root) };
  }

  #watch(access: ir.Load | ir.Store, root: Root): Candidate['watch'] {
    const { objects, counters, localIntervals, mayRest } = this.#parts;
    if (access.op !== 'load') return undefined;
    const space = objects.spaceOf(root);
    if (space === 'local') {
      return localIntervals?.isQuiet(access) && counters.counts(root) ? () => counters.left(root) : undefined;
    }
    const facts = objects.factsOf(root);
    if (space !== 'global' || root.kind !== 'parameter' || !facts || !mayRest(root.index)) return undefined;
    return () => facts.watched;
  }

  /** Writes the look. */
  #look(
    { counter, bound, isSigned, step, loop }: CountedLoop,
    sums: ExactSums,
    candidates: readonly Candidate[],
  ): { fine: ir.Value; turns: ir.Value } {
    const { builder } = this.#parts.writer;
    const index = loop.regions[0]!.parameters.indexOf(counter);
    const first = loop.operands[index]!;
    const number = (value: number): ir.Value => builder.integer(i32, value);
    const wide = (value: ir.Value): ir.Value => builder.convert('sext', value, i64);
    const conditions = [builder.compare('slt', first, bound)];
    // Below 2^31 both readings are the same.
    if (!isSigned) conditions.push(builder.compare('sge', first, number(0)));
    // The counter must not wrap around behind the last turn.
    if (step > 1) conditions.push(builder.compare('sle', bound, number(2 ** 31 - step)));
    const way = builder.binary('isub', builder.binary('isub', bound, number(1)), first);
    const whole = step === 1 ? way : builder.binary('udiv', way, number(step));
    const turns = builder.binary('iadd', whole, number(1));
    const start = wide(first);
    const distance = builder.convert('zext', whole, i64);
    const stride = builder.integer(i64, step);
    const end = builder.binary('iadd', start, builder.binary('imul', distance, stride));
    let leafBits = 31;
    const limits = new Map<ir.Value | number, Map<number, ir.Value>>();
    const seen = new Set<string>();
    const names = new Map<ir.Value, number>();
    const nameOf = (value: ir.Value): number => {
      if (!names.has(value)) names.set(value, names.size);
      return names.get(value)!;
    };
    for (const { access, root, parts, bytes, watch } of candidates) {
      const left = watch?.();
      if (left) {
        const key = `watch ${nameOf(root.value)}`;
        if (!seen.has(key)) conditions.push(builder.compare('eq', left, number(0)));
        seen.add(key);
      }
      const limit = this.#limit(access, root, bytes, limits);
      const key = `${nameOf(limit)} ${parts.map(nameOf).join(' ')}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const shapes = parts.map((part) => sums.shapeOf(part)!);
      for (const shape of shapes) {
        leafBits = Math.min(leafBits, ExactSums.leafBits(widened(shape, parts.length)));
      }
      const places = shapes.some(({ isCounted }) => isCounted) ? [start, end] : [start];
      for (const place of places) {
        const offset = parts
          .map((part) => sums.at(part, place))
          .reduce((a, b) => builder.binary('iadd', a, b));
        conditions.push(builder.compare('ult', offset, limit));
      }
    }
    if (leafBits < 31) {
      const half = number(2 ** leafBits);
      for (const leaf of [...sums.leaves, first, bound]) {
        conditions.push(
          builder.compare('ult', builder.binary('iadd', leaf, half), number(2 ** (leafBits + 1))),
        );
      }
    }
    return { fine: conditions.reduce((a, b) => builder.binary('and', a, b)), turns };
  }

  /** The first offset that an access of so many bytes may not be made at, as i64; 0 if there is none that it may. */
  #limit(
    access: ir.Load | ir.Store,
    root: Root,
    bytes: number,
    known: Map<ir.Value | number, Map<number, ir.Value>>,
  ): ir.Value {
    const { objects, writer } = this.#parts;
    const { builder } = writer;
    const size = objects.sizeOf(root);
    const facts = objects.factsOf(root);
    const source = size ?? (access.op === 'load' ? facts!.readable : facts!.writable);
    let ofSource = known.get(source);
    if (!ofSource) {
      ofSource = new Map();
      known.set(source, ofSource);
    }
    let limit = ofSource.get(bytes);
    if (!limit) {
      if (typeof source === 'number') limit = builder.integer(i64, source - bytes + 1);
      else {
        const end = builder.convert('zext', source, i64);
        const last = builder.binary('isub', end, builder.integer(i64, bytes - 1));
        limit = builder.binary('smax', last, builder.integer(i64, 0));
      }
      ofSource.set(bytes, limit);
    }
    return limit;
  }

  /** The version that is not checked. */
  #copy(candidates: readonly Candidate[]): ir.Loop {
    const copy = cloneInstruction(this.#loop, new Map()) as ir.Loop;
    const copies: ir.Instruction[] = [];
    walkRegion(copy.regions[0]!, (instruction) => copies.push(instruction));
    const known = new Map<ir.Instruction, Candidate>(candidates.map((one) => [one.access, one]));
    let index = 0;
    walkRegion(this.#loop.regions[0]!, (instruction) => {
      const candidate = known.get(instruction);
      const same = copies[index]!;
      index += 1;
      if (!candidate) return;
      this.#proven.inRange.add(same);
      if (candidate.watch) this.#proven.unwatched.add(same);
    });
    return copy;
  }
}

/** The shape of a sum of so many numbers. */
function widened(shape: Shape, count: number): Shape {
  return { ...shape, bits: shape.bits + Math.ceil(Math.log2(count)) };
}
