/**
 * Analysis: the loops of a function, one within another, with what is known of each.
 *
 *     kernel @k(...) {                          group 2 > group 1 > group 0 > item 2 > item 1 > item 0
 *       loop @l (%k = 0, %p = %row) {             > loop: induction variables %k (step 1), %p (step 4),
 *         if slt %k, %n {} else { break @l }        a counted exit (goes on while %k is less than %n), trip count uniform
 *         ...
 *         continue @l (iadd %k, 1), (offset %p, 4)
 *
 * The loops over work-groups and over the work-items of a group are loops of the nest like those that the program writes: dimension 2
 * around 1 around 0. In work-item form the whole body is in them; in work-group form each region of a work-item loop is in loops
 * over work-items of its own, in whose steps those of a vector region go on by as many work-items as it has lanes.
 */
import { isPure } from '../../ir/effects.ts';
import { fromOwn, fromX, fromY, fromZ, GroupOrigins } from '../../ir/group-origins.ts';
import type * as ir from '../../ir/ir.ts';
import { formOf } from '../../ir/work-item-loops.ts';
import type { AffineForms } from './affine-forms.ts';
import type { Analysis } from './analyses.ts';
import { type CountedExit, constantTrips, findCountedExit } from './counted-exits.ts';
import { type InductionVariable, inductionOf, type Repeat } from './induction.ts';
import type { Across, Uniformity } from './uniformity.ts';

export type Dimension = 0 | 1 | 2;

interface LoopCommon {
  /** The loop directly around it. */
  readonly parent: NestLoop | undefined;
  readonly children: readonly NestLoop[];
  /** How many loops are around it. */
  readonly depth: number;
}

/** Over the work-groups along a dimension. */
export interface GroupLoop extends LoopCommon {
  readonly kind: 'group';
  readonly dimension: Dimension;
}

/** Over the work-items of a group along a dimension. */
export interface ItemLoop extends LoopCommon {
  readonly kind: 'item';
  readonly dimension: Dimension;
  /** By how many work-items it goes on: the lanes or rows of the region. */
  readonly step: number;
  /** In work-group form. */
  readonly instruction: ir.WorkItemLoop | undefined;
}

/** One that the program has. */
export interface ProgramLoop extends LoopCommon {
  readonly kind: 'loop';
  readonly instruction: ir.Loop;
  /** By the parameters that they are. */
  readonly inductions: ReadonlyMap<ir.Value, InductionVariable>;
  /** What ends it after a number of iterations that is known when it begins. */
  readonly counted: CountedExit | undefined;
  /** All jumps that leave it. */
  readonly exits: readonly LoopExit[];
}

export type NestLoop = GroupLoop | ItemLoop | ProgramLoop;

export interface LoopExit {
  readonly jump: ir.Break | ir.Continue | ir.Return;
  /** The structures between the loop and the jump, outermost first. */
  readonly path: readonly ir.Structured[];
}

/**
 * How many iterations a loop does. `constant` is known now; `uniform` and `per lane` when the loop begins, the same for all work-items of
 * the group or not; `unknown` while it runs. One that is not exact is the most that there may be: there are other exits.
 */
export type TripCount =
  | { readonly kind: 'constant'; readonly count: number; readonly isExact: boolean }
  | { readonly kind: 'uniform' | 'per lane'; readonly isExact: boolean }
  | { readonly kind: 'unknown' };

/** What loop nests are found from; `Analyses` has all of it. */
export interface NestParts {
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly forms: AffineForms;
  /** Asked for when it is needed. */
  uniformity(across: Across): Uniformity;
}

/** Whose values are compared by a loop over work-items. */
export const acrossOf = ['row', 'column', 'slice'] as const satisfies readonly Across[];

const originOf = [fromX, fromY, fromZ] as const;

export class LoopNests {
  /** The outermost loop: over groups along dimension 2. */
  readonly root: NestLoop;
  /** The loops of the program, each before those within it. */
  readonly loops: readonly ProgramLoop[];
  readonly #fn: ir.Function;
  readonly #parts: NestParts;
  readonly #around = new Map<ir.Instruction, NestLoop>();
  readonly #ofInstruction = new Map<ir.Loop, ProgramLoop>();
  readonly #ofParameter = new Map<ir.Value, ProgramLoop>();
  readonly #repeats = new Map<ir.Loop, Repeat[]>();
  readonly #invariant = new Map<ProgramLoop, Map<ir.Value, boolean>>();
  #origins: GroupOrigins | undefined;

  /** @param fn with a body; it must not change while this is used */
  constructor(fn: ir.Function, parts: NestParts) {
    this.#fn = fn;
    this.#parts = parts;
    const loops: ProgramLoop[] = [];
    const group = this.#dimensions(undefined, (dimension, common) => ({
      ...common,
      kind: 'group',
      dimension,
    }));
    this.root = enclosing(group).at(-1)!;
    const innermost = fn.form === 'work-item' ? this.#itemLoops(group, undefined, [1, 1, 1]) : group;
    this.#region(fn.body!, innermost, [], loops);
    this.loops = loops;
    for (const loop of loops) this.#describe(loop);
  }

  /** The loop directly around an instruction. */
  around(instruction: ir.Instruction): NestLoop {
    return this.#around.get(instruction) ?? this.root;
  }

  /** What is known of a loop of the program. */
  of(loop: ir.Loop): ProgramLoop {
    return this.#ofInstruction.get(loop)!;
  }

  /** The innermost loop in which a value is computed; undefined for parameters of the function. */
  definingLoop(value: ir.Value): NestLoop | undefined {
    const loop = this.#ofParameter.get(value);
    if (loop) return loop;
    const definition = this.#parts.definitions.get(value);
    return definition && this.#around.get(definition);
  }

  /** The loop of the program whose parameter a value is. */
  loopOfParameter(value: ir.Value): ProgramLoop | undefined {
    return this.#ofParameter.get(value);
  }

  /** Whether a value is the same in all iterations of a loop, with those of the loops around it and within it as they are. */
  isInvariant(value: ir.Value, loop: NestLoop): boolean {
    return this.change(value, loop) === 0;
  }

  /**
   * By how much a value differs in the next iteration of a loop, with those of the loops around it and within it as they are; undefined
   * if that is not always the same.
   */
  change(value: ir.Value, loop: NestLoop): number | undefined {
    switch (loop.kind) {
      case 'group':
        this.#origins ??= new GroupOrigins(this.#fn, true);
        return (this.#origins.of(value) & (originOf[loop.dimension] | fromOwn)) === 0 ? 0 : undefined;
      case 'item': {
        const shape = this.#parts.uniformity(acrossOf[loop.dimension]).of(value);
        if (shape.kind === 'uniform') return 0;
        return shape.kind === 'affine' ? shape.step * loop.step : undefined;
      }
      default: {
        const induction = loop.inductions.get(value);
        if (induction?.kind === 'additive') return induction.step;
        return this.#isLoopInvariant(value, loop) ? 0 : undefined;
      }
    }
  }

  /** Whether work-items may do different numbers of iterations of a loop. */
  isDivergent({ instruction }: ProgramLoop, across: Across = 'group'): boolean {
    return this.#parts.uniformity(across).isDivergent(instruction);
  }

  /** Whether work-items may leave a loop by a jump at different iterations. */
  isDivergentExit({ path }: LoopExit, across: Across = 'group'): boolean {
    const uniformity = this.#parts.uniformity(across);
    return path.some((structure) => uniformity.isDivergent(structure));
  }

  /** How many iterations a loop does. */
  tripCount(loop: NestLoop): TripCount {
    if (loop.kind === 'group') return { kind: 'uniform', isExact: true };
    if (loop.kind === 'item') {
      const size = this.groupSize(loop.dimension);
      return size === undefined
        ? { kind: 'uniform', isExact: true }
        : { kind: 'constant', count: Math.floor(size / loop.step), isExact: true };
    }
    const { counted, exits } = loop;
    if (!counted) return { kind: 'unknown' };
    const isExact = exits.length === 1;
    const count = constantTrips(counted, this.#parts.forms);
    if (count !== undefined) return { kind: 'constant', count, isExact };
    const group = this.#parts.uniformity('group');
    const { counter, bound } = counted;
    const steps = counter.kind === 'additive' ? [...counter.stepForm.terms.keys()] : [];
    const known = [counter.start, bound, ...steps];
    return { kind: known.every((value) => group.isUniform(value)) ? 'uniform' : 'per lane', isExact };
  }

  /** How many work-items a group has along a dimension, if the kernel says. */
  groupSize(dimension: Dimension): number | undefined {
    const { requiredWorkGroupSize, mayCutGroups } = this.#fn.attributes ?? {};
    return mayCutGroups ? undefined : requiredWorkGroupSize?.[dimension];
  }

  /** The loop over work-items along a dimension that an instruction or loop is in. */
  itemLoop(inner: NestLoop, dimension: Dimension): ItemLoop | undefined {
    return enclosing(inner).find(
      (loop): loop is ItemLoop => loop.kind === 'item' && loop.dimension === dimension,
    );
  }

  /** The loop over groups along a dimension. */
  groupLoop(dimension: Dimension): NestLoop {
    let loop = this.root;
    for (let at = 2; at > dimension; at -= 1) loop = loop.children[0]!;
    return loop;
  }

  /** Three loops, over dimensions 2, 1 and 0; gives the innermost. */
  #dimensions(
    around: NestLoop | undefined,
    make: (dimension: Dimension, common: LoopCommon) => NestLoop,
  ): NestLoop {
    const add = (dimension: Dimension, parent: NestLoop | undefined): NestLoop =>
      adopted(make(dimension, { parent, children: [], depth: parent ? parent.depth + 1 : 0 }));
    return add(0, add(1, add(2, around)));
  }

  #itemLoops(
    around: NestLoop,
    instruction: ir.WorkItemLoop | undefined,
    steps: readonly [number, number, number],
  ): NestLoop {
    return this.#dimensions(around, (dimension, common) => ({
      ...common,
      kind: 'item',
      dimension,
      step: steps[dimension],
      instruction,
    }));
  }

  /** @param path the structures around the region, outermost first */
  #region(region: ir.Region, loop: NestLoop, path: readonly ir.Structured[], loops: ProgramLoop[]): void {
    for (const instruction of region.instructions) {
      this.#around.set(instruction, loop);
      switch (instruction.op) {
        case 'loop': {
          const inner = this.#newLoop(instruction, loop);
          loops.push(inner);
          this.#region(instruction.regions[0]!, inner, [...path, instruction], loops);
          break;
        }
        case 'work_item_loop': {
          instruction.regions.forEach((nested, index) => {
            const inner = this.#itemLoops(loop, instruction, stepsOf(instruction, index));
            this.#region(nested, inner, [...path, instruction], loops);
          });
          break;
        }
        case 'if':
        case 'switch':
        case 'block':
          for (const nested of instruction.regions) {
            this.#region(nested, loop, [...path, instruction], loops);
          }
          break;
        case 'break':
        case 'continue':
        case 'return':
          this.#jump(instruction, path);
          break;
        default:
      }
    }
  }

  #newLoop(instruction: ir.Loop, parent: NestLoop): ProgramLoop {
    const loop: ProgramLoop = {
      kind: 'loop',
      instruction,
      parent,
      children: [],
      depth: parent.depth + 1,
      inductions: new Map(),
      counted: undefined,
      exits: [],
    };
    adopted(loop);
    this.#ofInstruction.set(instruction, loop);
    for (const parameter of instruction.regions[0]!.parameters) this.#ofParameter.set(parameter, loop);
    return loop;
  }

  /** Notes a jump with the loops that it leaves. */
  #jump(jump: LoopExit['jump'], path: readonly ir.Structured[]): void {
    const target = jump.op === 'return' ? 0 : path.lastIndexOf(jump.target);
    if (jump.op === 'continue') {
      const repeats = this.#repeats.get(jump.target) ?? [];
      repeats.push({ jump, within: path[target + 1] ?? jump });
      this.#repeats.set(jump.target, repeats);
    }
    for (let at = path.length - 1; at >= target; at -= 1) {
      const structure = path[at]!;
      // A continue does not leave its own loop.
      if (structure.op !== 'loop' || (jump.op === 'continue' && at === target)) continue;
      const exits = this.of(structure).exits as LoopExit[];
      exits.push({ jump, path: path.slice(at + 1) });
    }
  }

  #describe(loop: { -readonly [Key in keyof ProgramLoop]: ProgramLoop[Key] }): void {
    const { definitions, forms } = this.#parts;
    const repeats = this.#repeats.get(loop.instruction) ?? [];
    const facts = {
      definitions,
      forms,
      repeats,
      isInvariant: (value: ir.Value): boolean => this.#isLoopInvariant(value, loop),
    };
    const inductions = new Map<ir.Value, InductionVariable>();
    loop.instruction.regions[0]!.parameters.forEach((parameter, index) => {
      const found = inductionOf(loop.instruction, index, facts);
      if (found) inductions.set(parameter, found);
    });
    loop.inductions = inductions;
    loop.counted = findCountedExit(loop.instruction, inductions, facts);
  }

  #isLoopInvariant(value: ir.Value, loop: ProgramLoop): boolean {
    const owner = this.definingLoop(value);
    if (!owner || !isWithin(owner, loop)) return true;
    let known = this.#invariant.get(loop);
    if (!known) {
      known = new Map();
      this.#invariant.set(loop, known);
    }
    let answer = known.get(value);
    if (answer === undefined) {
      const definition = this.#parts.definitions.get(value);
      // A variable is the same bytes wherever its instruction is.
      answer =
        definition !== undefined &&
        (isPure(definition) || definition.op === 'variable') &&
        definition.operands.every((operand) => this.#isLoopInvariant(operand, loop));
      known.set(value, answer);
    }
    return answer;
  }
}

/** For `Analyses`. */
export const loopNests: Analysis<LoopNests> = (fn, known) => new LoopNests(fn, known);

/** A loop that its parent knows. */
function adopted<T extends NestLoop>(loop: T): T {
  (loop.parent?.children as NestLoop[] | undefined)?.push(loop);
  return loop;
}

/** A loop and all around it, innermost first. */
export function enclosing(loop: NestLoop | undefined): NestLoop[] {
  const loops: NestLoop[] = [];
  for (let at = loop; at; at = at.parent) loops.push(at);
  return loops;
}

/** Whether a loop is another one or nested in it. */
export function isWithin(inner: NestLoop, outer: NestLoop): boolean {
  let at: NestLoop | undefined = inner;
  while (at && at.depth > outer.depth) at = at.parent;
  return at === outer;
}

function stepsOf(loop: ir.WorkItemLoop, index: number): [number, number, number] {
  const form = formOf(loop, index);
  return [form === 'scalar' ? 1 : (loop.lanes ?? 1), form === 'coarse' ? (loop.rows ?? 1) : 1, 1];
}
