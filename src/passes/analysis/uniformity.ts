/**
 * Analysis: which values are the same for all work-items of a work-group, and which step evenly along dimension 0.
 *
 *     %group = query group_id 0                 uniform
 *     %x = query local_id 0                     affine, step 1
 *     %p = offset %out, (%group * 64 + %x * 4)  affine, step 4 (bytes)
 *     %y = query local_id 1                     affine, step 0: the same along dimension 0, but not uniform
 *     %v = load %p                              varying
 *
 * "The same" is meant for the work-items that are at that point together, when all execute each instruction together and wait for each
 * other at the end of every structured instruction and at every loop's head. So control counts too:
 *
 * - An `if` or `switch` whose condition is not uniform is *divergent*: what it yields on two ways is varying.
 * - A jump nested in something divergent (inside its target) is a divergent jump. A block or loop left by a divergent
 *   jump is divergent itself. Results that arrive by several jumps, one of them divergent, are varying; so is what
 *   leaves a loop at different iterations. Inside the loop, values of those who are still there remain uniform.
 *
 * A load is uniform when its address is and nobody can write there: constant memory, `const restrict` parameters,
 * or memory that nothing in the kernel writes through any pointer that may lead to the same place. (That a barrier
 * separates the writes from the read is not looked at.) Private memory counts as varying.
 *
 * Asked about a *row* (`across: 'row'`), the analysis speaks of work-items that are neighbours along dimension 0 only, such as
 * run together in a vector. Ids of the other dimensions are then uniform. And because they do go together there, a load
 * from an address that is the same for all gives all of them the same, whoever writes there at other times. Asked about
 * a *column* (`across: 'column'`), it speaks likewise of neighbours along dimension 1, and so do the steps; about a *slice*
 * (`across: 'slice'`) of those along dimension 2.
 *
 * The answer is found by assuming the best and lowering it until nothing changes: at first all is looked at anew in the order of the
 * program, then, where loops hand values on from variable to variable, only what depends on what has changed (settle.ts). Works on
 * both forms; in work-group form what is outside work-item loops is uniform by definition.
 */
import { isSameForGroup } from '../../ir/collectives.ts';
import { isComputation } from '../../ir/computation.ts';
import { effectsOf } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { Memory, mayAlias, type Root } from './alias.ts';
import { type Dependents, settle } from './settle.ts';

export type Shape =
  | { readonly kind: 'uniform' }
  /** Work-items that are neighbours along dimension 0 (for a column: 1, for a slice: 2) differ by `step` (an integer, or bytes for a pointer). */
  | { readonly kind: 'affine'; readonly step: number }
  | { readonly kind: 'varying' };

export interface Uniformity {
  of(value: ir.Value): Shape;
  isUniform(value: ir.Value): boolean;
  /** Whether work-items may take different ways through a structured instruction, or leave it at different times. */
  isDivergent(instruction: ir.Structured): boolean;
}

const uniform: Shape = { kind: 'uniform' };
const varying: Shape = { kind: 'varying' };
/** The same for neighbours along dimension 0, but not for the group. */
const row: Shape = { kind: 'affine', step: 0 };

/**
 * What is assumed of an instruction that would be varying: the step of its value, by the shapes of its operands;
 * undefined for nothing.
 */
export type Assume = (instruction: ir.Instruction, of: (value: ir.Value) => Shape) => number | undefined;

/** Whose values are compared: all of a work-group, or neighbours along dimension 0 (row), 1 (column) or 2 (slice). */
export type Across = 'group' | 'row' | 'column' | 'slice';

/**
 * Analyses one function; it must not change while the answer is used.
 * @param across whose values are compared: all the group's, or those of neighbours along one dimension
 * @param assume for an answer that holds only where something else does, too
 */
export function analyseUniformity(fn: ir.Function, across: Across = 'group', assume?: Assume): Uniformity {
  const analysis = new Analysis(fn, across, assume);
  analysis.run();
  return analysis;
}

function affine(step: number): Shape {
  if (!Number.isSafeInteger(step)) return varying;
  return step === 0 ? row : { kind: 'affine', step };
}

/** The step of a shape along dimension 0; undefined for varying. */
function stepOf(shape: Shape): number | undefined {
  return shape.kind === 'uniform' ? 0 : shape.kind === 'affine' ? shape.step : undefined;
}

/** The shape of a value that is one of two, where all work-items take the same one. */
function join(a: Shape, b: Shape): Shape {
  if (a === b) return a;
  const left = stepOf(a);
  const right = stepOf(b);
  if (left === undefined || left !== right) return varying;
  return affine(left);
}

/** So often all is looked at. Few programs need more than three times. */
const wholeRounds = 4;

interface Place {
  readonly around: ir.Structured | undefined;
  /** How many structures are around it. */
  readonly depth: number;
  /** The depth of the outermost structure that jumps inside this one leave; its own if there are none that leave those around it. */
  leaves: number;
  /** The loops around it to whose heads jumps inside go. */
  continues?: Set<ir.Structured>;
}

class Analysis implements Uniformity {
  readonly #fn: ir.Function;
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #memory: Memory;
  readonly #shapes = new Map<ir.Value, Shape>();
  readonly #divergent = new Set<ir.Structured>();
  /** Loops to whose head more than one way leads, one of them a divergent jump. */
  readonly #scattered = new Set<ir.Structured>();
  /** What yields at the end of a structure or breaks to it. */
  readonly #exits = new Map<ir.Structured, ir.Instruction[]>();
  readonly #repeats = new Map<ir.Structured, ir.Instruction[]>();
  /** The structures around the one that is looked at, outermost first. */
  readonly #path: ir.Structured[] = [];
  readonly #places = new Map<ir.Structured, Place>();
  readonly #writes: Root[] = [];
  /** As a called function does, through any pointer that it finds. */
  #writesAnywhere = false;
  /** Without loops everything comes before what depends on it, so that one look is enough. */
  #hasLoops = false;
  #changed = false;
  #dependents: Dependents | undefined;
  /** The values of work-items that go together are compared. */
  readonly #isTogether: boolean;
  /** The dimension along which neighbours are compared. */
  readonly #dimension: 0 | 1 | 2;
  readonly #assume: Assume | undefined;

  constructor(fn: ir.Function, across: Across, assume: Assume | undefined) {
    this.#fn = fn;
    this.#isTogether = across !== 'group';
    this.#dimension = across === 'slice' ? 2 : across === 'column' ? 1 : 0;
    this.#assume = assume;
    this.#memory = new Memory(fn, this.#definitions);
  }

  of(value: ir.Value): Shape {
    return this.#shapes.get(value) ?? uniform;
  }

  isUniform(value: ir.Value): boolean {
    return this.of(value) === uniform;
  }

  isDivergent(instruction: ir.Structured): boolean {
    return this.#divergent.has(instruction);
  }

  run(): void {
    const { body } = this.#fn;
    if (!body) return;
    for (const parameter of this.#fn.parameters) this.#shapes.set(parameter.value, uniform);
    this.#collect(body);
    const isPerItem = this.#fn.form === 'work-item';
    for (let round = 0; round < wholeRounds; round += 1) {
      this.#changed = false;
      this.#visit(body, isPerItem);
      if (!this.#changed || !this.#hasLoops) return;
    }
    settle(body, isPerItem, {
      arrivals: (structure) => this.#exits.get(structure)!,
      repeats: (loop) => this.#repeats.get(loop)!,
      begin: (dependents) => {
        this.#dependents = dependents;
      },
      visitValue: (instruction) => this.#visitValue(instruction, true),
      visitBranch: (branch) => this.#visitBranch(branch),
      visitParameter: (loop, index) => this.#visitParameter(loop, index),
      visitResult: (structure, index) => this.#visitResult(structure, index),
    });
  }

  #collect(region: ir.Region): void {
    const path = this.#path;
    for (const instruction of region.instructions) {
      for (const result of instruction.results) this.#definitions.set(result, instruction);
      switch (instruction.op) {
        case 'if':
        case 'switch':
        case 'block':
        case 'loop':
        case 'work_item_loop': {
          if (instruction.op === 'loop') this.#hasLoops = true;
          this.#exits.set(instruction, []);
          this.#repeats.set(instruction, []);
          this.#places.set(instruction, { around: path.at(-1), depth: path.length, leaves: path.length });
          path.push(instruction);
          for (const nested of instruction.regions) this.#collect(nested);
          path.pop();
          break;
        }
        case 'yield': {
          const owner = path.at(-1);
          if (owner) this.#exits.get(owner)!.push(instruction);
          break;
        }
        case 'break':
          this.#exits.get(instruction.target)!.push(instruction);
          this.#addLeaving(this.#places.get(instruction.target)!.depth);
          break;
        case 'continue': {
          this.#repeats.get(instruction.target)!.push(instruction);
          const { depth } = this.#places.get(instruction.target)!;
          // A continue does not leave its own loop.
          this.#addLeaving(depth + 1);
          this.#addContinuing(instruction.target);
          break;
        }
        case 'return':
          this.#addLeaving(0);
          break;
        default: {
          // What shows behind a barrier or a fence need not be asked: those who write it run the same kernel.
          const { writes } = effectsOf(instruction);
          if (writes === 'anywhere') this.#writesAnywhere = true;
          else if (writes === 'through first operand')
            this.#writes.push(this.#memory.accessedBy(instruction));
        }
      }
    }
  }

  /** A jump at the end of the path leaves the structure at this depth of it, and all that are inside. */
  #addLeaving(depth: number): void {
    for (let at = this.#path.length - 1; at > depth; at -= 1) {
      const place = this.#places.get(this.#path[at]!)!;
      // An earlier jump went on from here in the same way.
      if (place.leaves <= depth) return;
      place.leaves = depth;
    }
  }

  #addContinuing(loop: ir.Structured): void {
    for (let at = this.#path.length - 1; this.#path[at] !== loop; at -= 1) {
      const place = this.#places.get(this.#path[at]!)!;
      place.continues ??= new Set();
      if (place.continues.has(loop)) return;
      place.continues.add(loop);
    }
  }

  #set(value: ir.Value, found: Shape): void {
    const shape = this.#isTogether && found === row ? uniform : found;
    const old = this.#shapes.get(value);
    // Shapes only ever go down, so that the search ends.
    const lowered = old === undefined || old === shape ? shape : lower(old, shape);
    if (old !== undefined && sameShape(old, lowered)) return;
    this.#shapes.set(value, lowered);
    this.#changed = true;
    this.#dependents?.changed(value);
  }

  #visit(region: ir.Region, perItem: boolean): void {
    for (const instruction of region.instructions) {
      switch (instruction.op) {
        case 'work_item_loop':
          for (const nested of instruction.regions) this.#visit(nested, true);
          break;
        case 'if':
        case 'switch': {
          if (perItem) this.#visitBranch(instruction);
          for (const nested of instruction.regions) this.#visit(nested, perItem);
          this.#visitResults(instruction);
          break;
        }
        case 'block':
          this.#visit(instruction.regions[0]!, perItem);
          this.#visitResults(instruction);
          break;
        case 'loop':
          for (const index of instruction.operands.keys()) this.#visitParameter(instruction, index);
          this.#visit(instruction.regions[0]!, perItem);
          this.#visitResults(instruction);
          break;
        default:
          if (instruction.results.length > 0) this.#visitValue(instruction, perItem);
      }
    }
  }

  #visitValue(instruction: ir.Instruction, perItem: boolean): void {
    this.#set(instruction.results[0]!, perItem ? this.#shapeOf(instruction) : uniform);
  }

  #visitBranch(branch: ir.If | ir.Switch): void {
    if (this.of(branch.operands[0]!) !== uniform) this.#diverge(branch);
  }

  /** Work-items go different ways in a structure: then the loops and blocks that they leave from there are divergent, too. */
  #diverge(from: ir.Structured): void {
    let structure: ir.Structured | undefined = from;
    while (structure && !this.#divergent.has(structure)) {
      this.#divergent.add(structure);
      this.#changed = true;
      this.#dependents?.resultsChanged(structure);
      const place: Place = this.#places.get(structure)!;
      for (const loop of place.continues ?? []) this.#scatter(loop);
      structure = this.#leftFrom(place);
    }
  }

  /** The innermost loop or block that jumps inside a structure leave. */
  #leftFrom({ around, leaves }: Place): ir.Structured | undefined {
    for (let outer = around; outer; ) {
      const { depth, around: next } = this.#places.get(outer)!;
      if (depth < leaves) return undefined;
      if (outer.op === 'loop' || outer.op === 'block') return outer;
      outer = next;
    }
    return undefined;
  }

  #scatter(loop: ir.Structured): void {
    if (this.#scattered.has(loop) || this.#repeats.get(loop)!.length === 1) return;
    this.#scattered.add(loop);
    this.#dependents?.parametersChanged(loop);
  }

  #visitResults(structure: ir.Structured): void {
    for (const index of structure.results.keys()) this.#visitResult(structure, index);
  }

  #visitResult(structure: ir.Structured, index: number): void {
    const exits = this.#exits.get(structure)!;
    // One way out gives everybody who takes it the value of that way; but a loop is left at different times.
    const isScattered = this.#divergent.has(structure) && (structure.op === 'loop' || exits.length > 1);
    const shape = isScattered ? varying : this.#joinAll(exits, index, undefined);
    this.#set(structure.results[index]!, shape);
  }

  #visitParameter(loop: ir.Loop, index: number): void {
    const repeats = this.#repeats.get(loop)!;
    const isScattered = this.#scattered.has(loop);
    const shape = isScattered ? varying : this.#joinAll(repeats, index, loop.operands[index]!);
    this.#set(loop.regions[0]!.parameters[index]!, shape);
  }

  /** What has not been looked at yet (it comes later in a loop) has no say yet. */
  #joinAll(ways: readonly ir.Instruction[], index: number, initial: ir.Value | undefined): Shape {
    let shape = initial && this.of(initial);
    for (const way of ways) {
      const arriving = this.#shapes.get(way.operands[index]!);
      if (!arriving) continue;
      shape = shape ? join(shape, arriving) : arriving;
    }
    return shape ?? uniform;
  }

  #shapeOf(instruction: ir.Instruction): Shape {
    switch (instruction.op) {
      case 'query':
        return queryShape(instruction, this.#dimension);
      case 'load':
        return this.#loadShape(instruction);
      case 'item_address': {
        const variable = this.#definitions.get(instruction.operands[0]!);
        const distance = variable?.op === 'variable' ? variable.elementSize : undefined;
        return distance === undefined || this.#dimension !== 0 ? varying : affine(distance);
      }
      case 'variable':
        return instruction.space === 'local' ? uniform : varying;
      case 'collective':
        return isSameForGroup(instruction) ? uniform : varying;
      case 'atomic':
      case 'context_read':
      case 'context_write':
      case 'masked_load':
      case 'gather':
      case 'printf':
        return varying;
      case 'call':
        return isComputation(instruction.callee) &&
          instruction.operands.every((value) => this.of(value) === uniform)
          ? uniform
          : varying;
      default: {
        const shape = this.#computedShape(instruction);
        if (shape !== varying || !this.#assume) return shape;
        const step = this.#assume(instruction, (value) => this.of(value));
        return step === undefined ? varying : affine(step);
      }
    }
  }

  #loadShape(load: ir.Load): Shape {
    const pointer = this.of(load.operands[0]!);
    if (pointer.kind === 'varying' || stepOf(pointer) !== 0 || load.volatile) return varying;
    if (this.#isTogether) return pointer;
    const root = this.#memory.accessedBy(load);
    if (!root.readOnly && (root.space === 'private' || root.space === 'generic')) return varying;
    if (this.#writesAnywhere && !root.readOnly) return varying;
    return this.#writes.some((written) => mayAlias(written, root)) ? varying : pointer;
  }

  /** Pure computations: uniform if all operands are, and some keep a step. */
  #computedShape(instruction: ir.Instruction): Shape {
    let all: Shape = uniform;
    for (const operand of instruction.operands) {
      const shape = this.of(operand);
      if (shape === uniform) continue;
      if (shape.kind === 'affine' && shape.step === 0) {
        if (all === uniform) all = row;
      } else all = varying;
    }
    if (all !== varying) return all;
    const [a, b, c] = instruction.operands;
    const left = a && stepOf(this.of(a));
    const right = b && stepOf(this.of(b));
    switch (instruction.op) {
      case 'offset':
        return left === undefined || right === undefined ? varying : affine(left + right);
      case 'binary': {
        if (a!.type.kind !== 'int' || left === undefined || right === undefined) return varying;
        if (instruction.fn === 'iadd') return affine(left + right);
        if (instruction.fn === 'isub') return affine(left - right);
        const factor = this.#constant(b!);
        if (instruction.fn === 'imul') {
          const other = this.#constant(a!);
          if (factor !== undefined) return affine(left * factor);
          return other === undefined ? varying : affine(right * other);
        }
        if (instruction.fn === 'shl' && factor !== undefined) {
          return affine(left * 2 ** (factor & (a!.type.bits - 1)));
        }
        return varying;
      }
      case 'select': {
        const condition = stepOf(this.of(a!));
        if (condition !== 0 || a!.type.kind !== 'bool') return varying;
        return joinRows(this.of(b!), this.of(c!));
      }
      case 'convert':
        // Wider integers do not keep it: the narrow one may have wrapped around between two work-items.
        if (instruction.fn === 'trunc' && a!.type.kind === 'int')
          return left === undefined ? varying : affine(left);
        if (instruction.fn === 'ptoi' || instruction.fn === 'itop' || instruction.fn === 'space') {
          return left === undefined ? varying : affine(left);
        }
        return varying;
      default:
        return varying;
    }
  }

  #constant(value: ir.Value): number | undefined {
    const definition = this.#definitions.get(value);
    if (definition?.op !== 'constant') return undefined;
    const { value: constant } = definition;
    return typeof constant === 'number' || typeof constant === 'bigint' ? Number(constant) : undefined;
  }
}

/** One of two values, chosen alike along a row but perhaps not by the whole group. */
function joinRows(a: Shape, b: Shape): Shape {
  const step = stepOf(a);
  return step === undefined || step !== stepOf(b) ? varying : affine(step);
}

function lower(a: Shape, b: Shape): Shape {
  if (a === uniform) return b;
  if (b === uniform) return a;
  return join(a, b);
}

function sameShape(a: Shape, b: Shape): boolean {
  return a.kind === b.kind && stepOf(a) === stepOf(b);
}

function queryShape(query: ir.Query, dimension: 0 | 1 | 2): Shape {
  switch (query.fn) {
    case 'global_id':
    case 'local_id':
      return query.dimension === dimension ? affine(1) : row;
    case 'linear_local_id':
      return dimension === 0 ? affine(1) : varying;
    default:
      return uniform;
  }
}
