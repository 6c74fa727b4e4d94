/**
 * Takes what only the first work-item of a group does, before the others do anything, out of work-item loops: it is done once, at
 * group level, instead of asked for by every work-item.
 *
 *     work_item_loop {                                          call @f(%p)
 *       %i = query linear_local_id                     work_item_loop {
 *       if eq %i, 0 { call @f(%p) }             =>       ... the rest ...
 *       ... the rest ...                               }
 *     }
 *
 * The first work-item runs first anyway, so nothing changes its order. Where nothing is left the work-item loop goes, too.
 *
 * It is index-set splitting of the work-item loop at its first iteration. Splitting it anywhere else would cost a copy of the loop's body;
 * here what is split off leaves the loop.
 */

import { newValue } from '../../ir/builder.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { CallFacts } from '../../ir/verify/call-facts.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';
import { append } from '../../source/lists.ts';

/** Rewrites a kernel in work-group form whose work-item loops have no vector regions yet. */
export function liftFirstItem(fn: ir.Function): void {
  if (!fn.body || fn.form !== 'work-group') return;
  const lifting = new Lifting(findDefinitions(fn.body));
  walkRegionsInsideOut(fn.body, (region) => {
    if (region.instructions.some(({ op }) => op === 'work_item_loop')) lifting.region(region);
  });
}

class Lifting {
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #calls = new CallFacts();

  constructor(definitions: ReadonlyMap<ir.Value, ir.Instruction>) {
    this.#definitions = definitions;
  }

  /** Goes through a region of group level. */
  region(region: ir.Region): void {
    region.instructions = region.instructions.flatMap((instruction) => {
      if (instruction.op !== 'work_item_loop' || instruction.regions.length > 1) return [instruction];
      const lifted = this.#itemLoop(instruction.regions[0]!);
      const isEmpty = instruction.regions[0]!.instructions.every((one) => isPure(one) || one.op === 'yield');
      return lifted.length > 0 && isEmpty ? lifted : [...lifted, instruction];
    });
  }

  /** Takes out what can be. Result: the same for group level. */
  #itemLoop(body: ir.Region): ir.Instruction[] {
    const before = new Map<ir.Value, ir.Instruction>();
    const lifted: ir.Instruction[] = [];
    const taken = new Set<ir.Instruction>();
    const moved = new Map<ir.Value, ir.Value>();
    for (const instruction of body.instructions) {
      if (isPure(instruction)) {
        before.set(instruction.results[0]!, instruction);
        continue;
      }
      if (!this.#isForFirst(instruction) || !this.#isForGroup(instruction.regions[0]!, before)) break;
      const inner = instruction.regions[0]!;
      walkRegion(inner, ({ operands }) => {
        operands.forEach((operand, index) => {
          operands[index] = atGroupLevel(operand, before, moved, lifted);
        });
      });
      append(lifted, inner.instructions.slice(0, -1));
      taken.add(instruction);
    }
    body.instructions = body.instructions.filter((instruction) => !taken.has(instruction));
    return lifted;
  }

  /** Whether it is an `if` that the first work-item alone goes into. */
  #isForFirst(instruction: ir.Instruction): instruction is ir.If {
    if (instruction.op !== 'if' || instruction.results.length > 0) return false;
    if (instruction.regions[0]!.instructions.at(-1)!.op !== 'yield') return false;
    if (instruction.regions[1]!.instructions[0]!.op !== 'yield') return false;
    const condition = this.#definitions.get(instruction.operands[0]!);
    if (condition?.op !== 'compare' || condition.fn !== 'eq') return false;
    const [a, b] = condition.operands.map((operand) => this.#definitions.get(operand));
    const isItem = (side: typeof a): boolean => side?.op === 'query' && side.fn === 'linear_local_id';
    const isZero = (side: typeof a): boolean => side?.op === 'constant' && side.value === 0;
    return (isItem(a) && isZero(b)) || (isZero(a) && isItem(b));
  }

  /** Whether the group can do it: nothing in it, nor in the values it takes from before, asks for more of the work-item. */
  #isForGroup(region: ir.Region, before: ReadonlyMap<ir.Value, ir.Instruction>): boolean {
    let isForGroup = true;
    const inside = new Set<ir.Instruction>();
    const check = (instruction: ir.Instruction): void => {
      inside.add(instruction);
      isForGroup &&= this.#mayBeThere(instruction, inside);
    };
    const seen = new Set<ir.Value>();
    const take = ({ operands }: ir.Instruction): void => {
      for (const operand of operands) {
        const definition = before.get(operand);
        if (!definition || seen.has(operand)) continue;
        seen.add(operand);
        if (!isFirstId(definition)) check(definition);
        take(definition);
      }
    };
    walkRegion(region, (instruction) => {
      check(instruction);
      take(instruction);
    });
    return isForGroup;
  }

  #mayBeThere(instruction: ir.Instruction, inside: ReadonlySet<ir.Instruction>): boolean {
    switch (instruction.op) {
      case 'query':
        return !['local_id', 'global_id', 'linear_local_id'].includes(instruction.fn);
      case 'call':
        return !this.#calls.asksWho(instruction.callee);
      case 'break':
      case 'continue':
        return inside.has(instruction.target);
      case 'item_address':
        return false;
      case 'load':
      case 'store':
      case 'atomic':
      case 'if':
      case 'loop':
      case 'block':
      case 'yield':
        return true;
      default:
        return isPure(instruction);
    }
  }
}

function isFirstId(instruction: ir.Instruction): boolean {
  return instruction.op === 'query' && instruction.fn === 'linear_local_id';
}

/** What stands for a value of work-item loops at group level: the same computed there, for the first work-item. */
function atGroupLevel(
  value: ir.Value,
  before: ReadonlyMap<ir.Value, ir.Instruction>,
  moved: Map<ir.Value, ir.Value>,
  output: ir.Instruction[],
): ir.Value {
  const definition = before.get(value);
  if (!definition) return value;
  let copy = moved.get(value);
  if (!copy) {
    copy = newValue(value.type, value.name);
    moved.set(value, copy);
    const results = [copy];
    if (isFirstId(definition)) {
      output.push({ op: 'constant', value: 0, operands: [], results, regions: [], span: definition.span });
    } else {
      const operands = definition.operands.map((operand) => atGroupLevel(operand, before, moved, output));
      output.push({ ...definition, operands, results } as ir.Instruction);
    }
  }
  return copy;
}
