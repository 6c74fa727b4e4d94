/**
 * About how many instructions a work-item of a kernel runs: a sum of products of what a launch is given, made before anything is run.
 * A device asks whether a launch is worth waiting for better code.
 *
 *     loop @l (%k = 0) {                 goes on while %k is less than parameter 3, by 16
 *       loop @m (%j = 0) { ... }         goes on while %j is less than 16, 5 instructions
 *     }                                  together 5 * 16 / 16 * parameter 3
 *
 * Where nothing is known of how often a loop runs, a number in the middle has to do. Of the arms of an `if` the longer one counts.
 */
import { calleesFirst } from '../../../ir/call-order.ts';
import type * as ir from '../../../ir/ir.ts';
import { sizeOf } from '../../../ir/types.ts';
import { Analyses } from '../analyses.ts';
import { constantTrips } from '../counted-exits.ts';
import { type LoopNests, loopNests, type ProgramLoop } from '../loop-nests.ts';

/** What a launch is given: the parameter of this number, the largest of the parameters, how many work-items there are. */
export type LaunchNumber = number | 'most' | 'items';

/** A number times what a launch is given. */
export interface WorkTerm {
  readonly count: number;
  readonly times: readonly LaunchNumber[];
  /** Divided by the number of work-items so many times: they share the iterations of a loop. */
  readonly shared: number;
}

/** The sum of these; plain data. */
export type WorkEstimate = readonly WorkTerm[];

const machineVectorBytes = 16;
/** Iterations of a loop of which nothing is known. */
const unknownTrips = 32;
/** Of a counter that doubles or halves. */
const geometricTrips = 8;
/** What the size of a group counts as. */
const groupSize = 64;
/** A step of which nothing is known: what the work-items of a group share, as a rule. */
const unknownStep = 16;
/** A loop with several exits runs so much of its count. */
const shareOfEarlyExits = 0.5;
/** Sums of more terms are not kept apart. */
const mostTerms = 32;
/** So many instructions are followed to find what a bound comes from. */
const mostFollowed = 24;

/** The estimates of a module's kernels, with what they call, by their names. */
export function estimateKernels({ functions }: ir.Module): Map<string, WorkEstimate> {
  const kernels = functions.filter((fn) => fn.kind === 'kernel' && fn.body);
  const known = new Map<ir.Function, WorkEstimate>();
  for (const fn of calleesFirst(kernels).functions) {
    if (fn.body) known.set(fn, new Estimate(fn, known).estimate());
  }
  return new Map(kernels.map((fn) => [fn.name, known.get(fn) ?? []]));
}

class Estimate {
  readonly #fn: ir.Function;
  readonly #callees: ReadonlyMap<ir.Function, WorkEstimate>;
  readonly #analyses: Analyses;
  readonly #nests: LoopNests;
  readonly #parameters: ReadonlyMap<ir.Value, number>;

  constructor(fn: ir.Function, callees: ReadonlyMap<ir.Function, WorkEstimate>) {
    this.#fn = fn;
    this.#callees = callees;
    this.#analyses = new Analyses(fn);
    this.#nests = this.#analyses.get(loopNests);
    this.#parameters = new Map(fn.kind === 'kernel' ? fn.parameters.map(({ value }, at) => [value, at]) : []);
  }

  estimate(): WorkEstimate {
    return this.#region(this.#fn.body!);
  }

  #region({ instructions }: ir.Region): WorkEstimate {
    const sum = new Sum();
    let plain = 0;
    for (const instruction of instructions) {
      if (instruction.op !== 'constant') plain += partsOf(instruction);
      if (instruction.op === 'call') sum.add(this.#callees.get(instruction.callee) ?? []);
      else if (instruction.regions.length > 0) sum.add(this.#structured(instruction));
    }
    sum.add([{ count: plain, times: [], shared: 0 }]);
    return sum.terms();
  }

  #structured(instruction: ir.Instruction): WorkEstimate {
    const inner = instruction.regions.map((region) => this.#region(region));
    if (instruction.op === 'loop') {
      const trips = this.#trips(this.#nests.of(instruction));
      return inner[0]!.map((term) => product(term, trips));
    }
    // The regions of a work-item loop do the same.
    if (instruction.op === 'work_item_loop') return inner[0]!;
    const most = new Sum();
    for (const arm of inner) most.atLeast(arm);
    return most.terms();
  }

  #trips({ counted, exits }: ProgramLoop): WorkTerm {
    if (!counted) return constantTerm(unknownTrips);
    const share = exits.length > 1 ? shareOfEarlyExits : 1;
    const constant = constantTrips(counted, this.#analyses.forms);
    if (constant !== undefined) return constantTerm(constant * share);
    const { counter } = counted;
    if (counter.kind === 'geometric') return constantTerm(geometricTrips);
    const bound = this.#sourceOf([counted.bound]);
    if (bound === 'unknown') return constantTerm(unknownTrips);
    const [times, count] = bound === 'group' ? [[], groupSize] : [[bound], 1];
    if (counter.step !== undefined)
      return { count: (count * share) / Math.abs(counter.step), times, shared: 0 };
    const isShared = this.#sourceOf([...counter.stepForm.terms.keys()]) === 'items';
    return { count: (count * share) / (isShared ? 1 : unknownStep), times, shared: isShared ? 1 : 0 };
  }

  /**
   * What values are computed from: what the launch is given, the size of a group, or what is in memory or was computed by loops, of
   * which nothing is known.
   */
  #sourceOf(values: readonly ir.Value[]): LaunchNumber | 'group' | 'unknown' {
    const queue = [...values];
    let found: LaunchNumber | 'group' | undefined;
    for (let followed = 0; queue.length > 0; followed += 1) {
      const value = queue.pop()!;
      const definition = this.#analyses.definitions.get(value);
      if (followed > mostFollowed) return 'unknown';
      if (definition?.op === 'constant') continue;
      const source = definition ? sourceOfQuery(definition) : this.#parameters.get(value);
      if (source !== undefined) {
        // The size of a group says less than what it is combined with.
        if (found === undefined || found === 'group' || found === source) found = source;
        else if (source !== 'group') found = found === 'items' || source === 'items' ? 'items' : 'most';
      } else if (definition && followsThrough.has(definition.op)) queue.push(...definition.operands);
      else return 'unknown';
    }
    return found ?? 'unknown';
  }
}

const followsThrough: ReadonlySet<ir.Instruction['op']> = new Set([
  'binary',
  'unary',
  'convert',
  'select',
  'compare',
]);

function sourceOfQuery(instruction: ir.Instruction): 'items' | 'group' | undefined {
  if (instruction.op !== 'query') return undefined;
  switch (instruction.fn) {
    case 'global_size':
    case 'num_groups':
    case 'global_id':
    case 'group_id':
      return 'items';
    default:
      return 'group';
  }
}

/** Vectors are so many machine vectors. */
function partsOf({ results: [result] }: ir.Instruction): number {
  if (result?.type.kind !== 'vector') return 1;
  return Math.ceil(sizeOf(result.type) / machineVectorBytes);
}

function constantTerm(count: number): WorkTerm {
  return { count, times: [], shared: 0 };
}

function product(a: WorkTerm, b: WorkTerm): WorkTerm {
  return { count: a.count * b.count, times: [...a.times, ...b.times], shared: a.shared + b.shared };
}

/** Terms with the same factors are one. */
class Sum {
  readonly #terms = new Map<string, WorkTerm>();

  add(estimate: WorkEstimate): void {
    for (const term of estimate) this.#merge(term, (a, b) => a + b);
  }

  atLeast(estimate: WorkEstimate): void {
    for (const term of estimate) this.#merge(term, Math.max);
  }

  terms(): WorkEstimate {
    return [...this.#terms.values()];
  }

  #merge(term: WorkTerm, merge: (a: number, b: number) => number): void {
    const isKept = this.#terms.size < mostTerms;
    const times = isKept ? [...term.times].sort() : term.times.map(() => 'most' as const);
    const key = `${term.shared}/${times.join(' ')}`;
    const count = merge(this.#terms.get(key)?.count ?? 0, term.count);
    this.#terms.set(key, { count, times, shared: term.shared });
  }
}
