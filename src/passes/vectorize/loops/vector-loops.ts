/**
 * Finds loops of a work-item whose own iterations may run together, as work-items do elsewhere:
 *
 *     for (int column = first; column < n; column++) a[row * n + column] -= factor * a[pivot * n + column];
 *
 * Each work-item goes through a row of its own, so that neighbours would gather what the iterations of one find side by side. The loop counts
 * by one and carries nothing but its counter; what it loads and stores lies side by side, or is loaded from one place. Where two accesses
 * might meet in different iterations, a test before the loop tells (`Check`); what meets in the same iteration stays in order.
 */
import type * as ir from '../../../ir/ir.ts';
import { type LaneCount, laneCounts, sizeOf, type Type } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Vectors } from '../../../target/target.ts';
import { AffineForms } from '../../analysis/affine-forms.ts';
import { type Memory, mayAlias } from '../../analysis/alias.ts';
import { bitsOf } from '../../analysis/cost/registers.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import { type CountedLoop, findCount } from '../../analysis/counted-loops.ts';
import { hasSameTerms } from '../../analysis/terms.ts';
import { iterationStride } from '../memory/transposed-loops.ts';
import { hasVectorForm, isShift } from '../plan/cost-model.ts';

export interface VectorLoop {
  readonly count: CountedLoop;
  /** How many iterations run together. */
  readonly lanes: LaneCount;
  /** How many of those that are left then do; undefined if these run one by one. */
  readonly lanesOfRest: LaneCount | undefined;
  /** How the values of the body differ from iteration to iteration. */
  readonly kinds: ReadonlyMap<ir.Value, Kind>;
  readonly checks: readonly Check[];
  /** The bytes of an element. */
  readonly bytes: number;
}

/** The same in all iterations; growing evenly by so much; or something else in each. */
export type Kind = 'uniform' | { readonly step: number } | 'lanes';

/** Pointers of which it takes a look to see that iterations which run together do not meet through them. */
export interface Check {
  readonly one: ir.Value;
  readonly other: ir.Value;
}

/** More would take longer than short loops do. */
const mostChecks = 6;

/** The loops of a region, by themselves. */
export function findVectorLoops(
  region: ir.Region,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  memory: Memory,
  vectors: Vectors,
): Map<ir.Loop, VectorLoop> {
  const found = new Map<ir.Loop, VectorLoop>();
  const forms = new AffineForms(definitions);
  walkRegion(region, (loop) => {
    if (loop.op !== 'loop' || loop.unroll !== undefined) return;
    const count = findCount(loop, definitions);
    const one = count && new Search(count, forms, memory, vectors).run();
    if (one) found.set(loop, one);
  });
  return found;
}

/** A scalar number. */
function isNumber({ kind }: Type): boolean {
  return kind === 'int' || kind === 'float';
}

/** Whether a pointer leads to memory of several work-items: private arrays are laid out so that neighbours find their elements side by side. */
function isShared({ type }: ir.Value): boolean {
  return type.kind === 'pointer' && type.space !== 'private' && type.space !== 'generic';
}

class Search {
  readonly #count: CountedLoop;
  readonly #forms: AffineForms;
  readonly #memory: Memory;
  readonly #vectors: Vectors;
  readonly #kinds = new Map<ir.Value, Kind>();
  readonly #accesses: (ir.Load | ir.Store)[] = [];
  /** Of what is different in each iteration; 0 as long as nothing is. */
  #bits = 0;

  constructor(count: CountedLoop, forms: AffineForms, memory: Memory, vectors: Vectors) {
    this.#count = count;
    this.#forms = forms;
    this.#memory = memory;
    this.#vectors = vectors;
  }

  run(): VectorLoop | undefined {
    const { loop, step, counter, testAt } = this.#count;
    const { parameters, instructions } = loop.regions[0]!;
    if (step !== 1 || parameters.length !== 1) return undefined;
    this.#kinds.set(counter, { step: 1 });
    const isPossible = instructions
      .slice(0, -1)
      .every((one, at) => at === testAt || (at < testAt ? this.#isOfTest(one) : this.#visit(one)));
    const hasStore = this.#accesses.some(({ op }) => op === 'store');
    const checks = isPossible && hasStore ? this.#findChecks() : undefined;
    if (!checks || checks.length > mostChecks) return undefined;
    const lanes = this.#lanesOf(thresholds.registersOfValue * this.#vectors.bits);
    if (!lanes) return undefined;
    const few = this.#lanesOf(this.#vectors.shuffleBits);
    const lanesOfRest = few && few < lanes ? few : undefined;
    return { count: this.#count, lanes, lanesOfRest, kinds: this.#kinds, checks, bytes: this.#bits / 8 };
  }

  /** How many elements so many bits hold; undefined if it is not even two. */
  #lanesOf(bits: number): LaneCount | undefined {
    return laneCounts.findLast((lanes) => lanes * this.#bits <= bits && lanes !== 3);
  }

  /** What comes before the test computes what is tested, which is true in all iterations that run together. */
  #isOfTest(instruction: ir.Instruction): boolean {
    const { op, results } = instruction;
    const { loop, testAt } = this.#count;
    if (op === 'compare') return results[0] === loop.regions[0]!.instructions[testAt]!.operands[0];
    return (op === 'constant' || op === 'binary') && this.#visit(instruction);
  }

  #kindOf(value: ir.Value): Kind {
    return this.#kinds.get(value) ?? 'uniform';
  }

  #strideOf(value: ir.Value): number | undefined {
    const isCounted = value.type.kind === 'int' || value.type.kind === 'pointer';
    return isCounted ? iterationStride(this.#count.loop, value, this.#forms) : undefined;
  }

  /** Whether several iterations can do what an instruction does. */
  #visit(instruction: ir.Instruction): boolean {
    const { op, operands, results } = instruction;
    switch (op) {
      case 'constant':
      case 'undefined':
        return true;
      case 'load':
      case 'store':
        return this.#visitAccess(instruction);
      case 'unary':
      case 'binary':
      case 'fma':
      case 'compare':
      case 'select':
      case 'convert':
      case 'offset': {
        const [result] = results as [ir.Value];
        const kinds = operands.map((operand) => this.#kindOf(operand));
        if (kinds.every((kind) => kind === 'uniform')) return true;
        const step = kinds.includes('lanes') ? undefined : this.#strideOf(result);
        if (step === undefined) return this.#visitLanes(instruction);
        if (step !== 0) this.#kinds.set(result, { step });
        return true;
      }
      default:
        return false;
    }
  }

  #visitLanes(instruction: ir.Instruction): boolean {
    const { operands, results } = instruction;
    const [result] = results as [ir.Value];
    if (isShift(instruction) && this.#kindOf(operands[1]!) !== 'uniform') return false;
    this.#kinds.set(result, 'lanes');
    return hasVectorForm(instruction, this.#vectors) && [result, ...operands].every((one) => this.#fits(one));
  }

  /** Whether a value has as many bits as the others of which there is one for each iteration. */
  #fits({ type }: ir.Value): boolean {
    if (type.kind === 'bool') return true;
    if (!isNumber(type)) return false;
    this.#bits ||= bitsOf(type);
    return bitsOf(type) === this.#bits;
  }

  #visitAccess(access: ir.Load | ir.Store): boolean {
    const [pointer] = access.operands as [ir.Value];
    const value = access.op === 'load' ? access.results[0]! : access.operands[1]!;
    const kind = this.#kindOf(pointer);
    if (access.volatile || !isNumber(value.type) || kind === 'lanes' || !isShared(pointer)) return false;
    this.#accesses.push(access);
    if (kind === 'uniform') return access.op === 'load';
    if (access.op === 'load') this.#kinds.set(value, 'lanes');
    return kind.step === sizeOf(value.type) && this.#fits(value);
  }

  /** What has to be looked at before the loop; undefined if that does not help. */
  #findChecks(): Check[] | undefined {
    const checks: Check[] = [];
    for (const [at, access] of this.#accesses.entries()) {
      for (const other of this.#accesses.slice(at + 1)) {
        if (access.op !== 'store' && other.op !== 'store') continue;
        if (!mayAlias(this.#memory.accessedBy(access), this.#memory.accessedBy(other))) continue;
        const [one, two] = [access.operands[0]!, other.operands[0]!];
        if (this.#kindOf(one) === 'uniform' || this.#kindOf(two) === 'uniform') return undefined;
        const [a, b] = [this.#forms.of(one), this.#forms.of(two)];
        if (!hasSameTerms(a.terms, b.terms)) checks.push({ one, other: two });
        else if (a.constant !== b.constant) return undefined;
      }
    }
    return checks;
  }
}
