/**
 * Stores once behind an `if` what both of its regions store to one place:
 *
 *     if %c { %v = ...                 %r = if %c { %v = ...
 *             store %p, %v }                        yield %v }
 *     else  { store %p, %w }     =>          else { yield %w }
 *                                      store %p, %r
 *
 * The same for a region that overwrites what was stored before the `if`, and nobody has read since:
 *
 *     store %p, %w
 *     if %c { store %p, %v }     =>    %r = if %c { yield %v } else { yield %w }
 *                                      store %p, %r
 *
 * What is left of the `if` often becomes a `select` (simplify-cfg.ts). A vector is then stored whole where each region would store some of its
 * lanes. Nothing that may access the place, and no barrier, is passed on the way.
 *
 * Conditions that only compare ids with bounds stay: the passes over ranges of work-items (ndrange/) find what lies on each side of them.
 */
import { newValue } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';
import { Memory, mayAlias } from '../analysis/alias.ts';

/** Values of more stores would fill the registers between the regions and the stores. */
const mostStores = 8;
/** How many instructions a store is moved past: keeps the pass linear. */
const farthest = 64;
/** How deep computations of two pointers are compared. */
const deepest = 12;

export function sinkStores(fn: ir.Function): void {
  if (!fn.body) return;
  let sinking: Sinking | undefined;
  walkRegionsInsideOut(fn.body, (region) => {
    for (const branch of region.instructions.filter(mayStore)) {
      sinking ??= new Sinking(fn, fn.body!);
      if (!sinking.isRangeCheck(branch.operands[0]!)) sinking.sink(region, branch);
    }
  });
}

/** Whether it is an `if` with a store in a region, and behind it something in each case. */
function mayStore(instruction: ir.Instruction): instruction is ir.If {
  return (
    instruction.op === 'if' &&
    instruction.regions.every(({ instructions }) => instructions.at(-1)!.op === 'yield') &&
    instruction.regions.some(({ instructions }) => instructions.some(({ op }) => op === 'store'))
  );
}

type Access = ir.Load | ir.Store;

class Sinking {
  readonly #definitions: Map<ir.Value, ir.Instruction>;
  readonly #memory: Memory;

  constructor(fn: ir.Function, body: ir.Region) {
    this.#definitions = findDefinitions(body);
    this.#memory = new Memory(fn, this.#definitions);
  }

  /** Whether a value is computed as bounds are: from ids, arguments and constants, by sums, products and comparisons. */
  isRangeCheck(value: ir.Value, depth = 0): boolean {
    const definition = this.#definitions.get(value);
    if (!definition) return this.#memory.isParameter(value);
    if (depth > deepest || !isOfBounds(definition)) return false;
    const operands = [...definition.operands];
    // Conditions joined by && and || are `if`s until these become selects.
    const place = definition.results.indexOf(value);
    for (const { instructions } of definition.regions) operands.push(instructions.at(-1)!.operands[place]!);
    return operands.every((operand) => this.isRangeCheck(operand, depth + 1));
  }

  /** @param region where the `if` is */
  sink(region: ir.Region, branch: ir.If): void {
    for (let count = 0; count < mostStores; count += 1) {
      if (!this.#sinkBoth(region, branch) && !this.#sinkSecond(region, branch)) return;
    }
  }

  /** Moves a store of each region behind the `if`. */
  #sinkBoth({ instructions }: ir.Region, branch: ir.If): boolean {
    const [ones, others] = branch.regions.map((side) => this.#candidates(side)) as [ir.Store[], ir.Store[]];
    for (const one of ones) {
      const other = others.find((store) => this.#isSamePlace(one, store));
      if (!other) continue;
      const before: ir.Instruction[] = [];
      const pointer = this.#pointerBefore(branch, [one.operands[0]!, other.operands[0]!], before);
      for (const [side, store] of [one, other].entries()) remove(branch.regions[side]!, store);
      const value = resultOf(branch, [one.operands[1]!, other.operands[1]!]);
      const align = Math.min(one.align, other.align);
      const sunk: ir.Store = { ...one, operands: [pointer, value], align };
      const at = instructions.indexOf(branch);
      instructions.splice(at, 1, ...before, branch, sunk);
      return true;
    }
    return false;
  }

  /** Moves a store of one region, and the one before the `if` that it overwrites, behind the `if`. */
  #sinkSecond(region: ir.Region, branch: ir.If): boolean {
    for (const [side, inner] of branch.regions.entries()) {
      for (const store of this.#candidates(inner)) {
        const others = branch.regions[1 - side]!.instructions;
        const ahead = inner.instructions.slice(0, inner.instructions.indexOf(store));
        if (![...others, ...ahead].every((one) => this.#canPass(store, one))) continue;
        const first = this.#overwritten(region, branch, store);
        if (!first) continue;
        const [pointer, old] = first.operands as [ir.Value, ir.Value];
        const values = side === 0 ? [store.operands[1]!, old] : [old, store.operands[1]!];
        remove(inner, store);
        remove(region, first);
        // What the inner one says of its address may hold only where its region runs.
        const { align } = first;
        const sunk: ir.Store = { ...store, operands: [pointer, resultOf(branch, values)], align };
        region.instructions.splice(region.instructions.indexOf(branch) + 1, 0, sunk);
        return true;
      }
    }
    return false;
  }

  /** The store before the `if` to the place of one inside. */
  #overwritten({ instructions }: ir.Region, branch: ir.If, store: ir.Store): ir.Store | undefined {
    const end = instructions.indexOf(branch);
    for (let at = end - 1; at >= Math.max(0, end - farthest); at -= 1) {
      const one = instructions[at]!;
      if (one.op === 'store' && !one.volatile && this.#isSamePlace(one, store)) return one;
      if (!this.#canPass(store, one)) return undefined;
    }
    return undefined;
  }

  /** The stores of a region that can be moved to its end, the last ones first. */
  #candidates({ instructions }: ir.Region): ir.Store[] {
    const found: ir.Store[] = [];
    const passed: Access[] = [];
    const end = instructions.length - 1;
    for (let at = end - 1; at >= Math.max(0, end - farthest); at -= 1) {
      const one = instructions[at]!;
      const accesses = accessesOf(one);
      if (!accesses) break;
      if (one.op === 'store' && !this.#meets(one, passed)) found.push(one);
      passed.push(...accesses);
    }
    return found;
  }

  #canPass(store: ir.Store, one: ir.Instruction): boolean {
    const accesses = accessesOf(one);
    return accesses !== undefined && !this.#meets(store, accesses);
  }

  #meets(store: ir.Store, accesses: readonly Access[]): boolean {
    const place = this.#memory.accessedBy(store);
    return accesses.some((access) => mayAlias(place, this.#memory.accessedBy(access)));
  }

  #isSamePlace(one: ir.Store, other: ir.Store): boolean {
    return (
      one.operands[1]!.type === other.operands[1]!.type && this.#isSame(one.operands[0]!, other.operands[0]!)
    );
  }

  /** Whether two values are one, or are computed in the same way from such. */
  #isSame(one: ir.Value, other: ir.Value, depth = 0): boolean {
    if (one === other) return true;
    const [a, b] = [this.#definitions.get(one), this.#definitions.get(other)];
    if (!a || !b || depth > deepest || one.type !== other.type || !computesAlike(a, b)) return false;
    return a.operands.every((operand, at) => this.#isSame(operand, b.operands[at]!, depth + 1));
  }

  /** One of two pointers that are the same, where the `if` begins; what computes it there is added to `before`. */
  #pointerBefore(branch: ir.If, pointers: readonly ir.Value[], before: ir.Instruction[]): ir.Value {
    const inside = new Set<ir.Value>();
    for (const region of branch.regions) {
      walkRegion(region, ({ results }) => {
        for (const result of results) inside.add(result);
      });
    }
    const known = pointers.find((pointer) => !inside.has(pointer));
    if (known) return known;
    const values = new Map<ir.Value, ir.Value>();
    const visit = (value: ir.Value): void => {
      if (!inside.has(value) || values.has(value)) return;
      const definition = this.#definitions.get(value)!;
      definition.operands.forEach(visit);
      const copy = cloneInstruction(definition, values);
      this.#definitions.set(copy.results[0]!, copy);
      before.push(copy);
    };
    visit(pointers[0]!);
    return values.get(pointers[0]!)!;
  }
}

function isOfBounds(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'constant':
    case 'query':
    case 'convert':
    case 'compare':
    case 'select':
    case 'if':
      return true;
    case 'unary':
      return instruction.fn === 'not';
    case 'binary':
      return (
        ['iadd', 'isub', 'imul', 'shl'].includes(instruction.fn) ||
        (['and', 'or'].includes(instruction.fn) && instruction.results[0]!.type.kind === 'bool')
      );
    default:
      return false;
  }
}

/** Whether two instructions do the same with their operands: for what addresses are made of. */
function computesAlike(a: ir.Instruction, b: ir.Instruction): boolean {
  switch (a.op) {
    case 'constant':
      return b.op === 'constant' && a.value === b.value;
    case 'offset':
      return b.op === 'offset';
    case 'binary':
      return b.op === 'binary' && a.fn === b.fn;
    case 'convert':
      return b.op === 'convert' && a.fn === b.fn && a.rounding === b.rounding && a.saturate === b.saturate;
    case 'query':
      return b.op === 'query' && a.fn === b.fn && a.dimension === b.dimension;
    default:
      return false;
  }
}

/** What an instruction reads and writes of memory, with all that is in it; undefined if it does more. */
function accessesOf(instruction: ir.Instruction): Access[] | undefined {
  switch (instruction.op) {
    case 'load':
    case 'store':
      return instruction.volatile ? undefined : [instruction];
    case 'yield':
    case 'variable':
      return [];
    case 'if':
    case 'switch': {
      const all: Access[] = [];
      for (const { instructions } of instruction.regions) {
        for (const one of instructions) {
          const found = accessesOf(one);
          if (!found) return undefined;
          all.push(...found);
        }
      }
      return all;
    }
    default:
      return isPure(instruction) ? [] : undefined;
  }
}

/** What the `if` gives where its regions give these. */
function resultOf(branch: ir.If, values: readonly ir.Value[]): ir.Value {
  const [first, second] = values as [ir.Value, ir.Value];
  if (first === second) return first;
  const result = newValue(first.type);
  branch.results = [...branch.results, result];
  branch.regions.forEach((region, side) => {
    const last = region.instructions.at(-1)!;
    last.operands = [...last.operands, values[side]!];
  });
  return result;
}

function remove(region: ir.Region, instruction: ir.Instruction): void {
  region.instructions.splice(region.instructions.indexOf(instruction), 1);
}
