/**
 * Removes what nobody can notice: pure instructions, loads and allocations whose results are unused, stores to
 * private variables that are never read, unused results and loop parameters (also those that only feed themselves),
 * structured instructions that have no effect, and everything after a terminator.
 *
 *     loop @l (%i = %zero, %t = %zero) -> (%r) {       loop @l (%i = %zero) {
 *       ... break @l (%t)                        =>      ... break @l
 *       continue @l (%j, %u)                             continue @l (%j)
 *     }                                                }                    when %r is unused
 *
 * Marking starts at instructions with an effect and at the jumps that decide what runs, and goes from values to the
 * instructions and jumps they come from; what is not marked goes. A loop always counts as an effect: it may not end.
 */
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { isTerminator } from '../../ir/ir.ts';

export function dce(fn: ir.Function): void {
  sweepFunction(fn, new Sweep(false));
}

/**
 * The same, but for somebody who looks at accesses: what is read from memory that is not a private variable's is read, and parts of private
 * variables, whose places are computed, are read and written though nobody uses them.
 */
export function dceButReads(fn: ir.Function): void {
  sweepFunction(fn, new Sweep(true));
}

function sweepFunction(fn: ir.Function, sweep: Sweep): void {
  if (!fn.body) return;
  sweep.scan(fn.body, undefined, 0);
  sweep.mark();
  sweep.sweep(fn.body, undefined);
}

interface Structure {
  readonly instruction: ir.Structured;
  readonly depth: number;
  /** yields and breaks that give its results */
  readonly exits: ir.Instruction[];
  readonly repeats: ir.Instruction[];
  /** Must stay even when its results are unused. */
  effect: boolean;
}

class Sweep {
  readonly #keepsReads: boolean;
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #parameters = new Map<ir.Value, { structure: Structure; index: number }>();
  readonly #structures = new Map<ir.Instruction, Structure>();
  readonly #live = new Set<ir.Value>();
  readonly #work: ir.Value[] = [];
  /** Stores, copies and fills of a private variable: live once the variable is read. */
  readonly #writes = new Map<ir.Value, ir.Instruction[]>();
  readonly #contextWrites = new Map<ir.ContextArray, ir.Instruction[]>();
  readonly #kept = new Set<ir.Instruction>();

  constructor(keepsReads: boolean) {
    this.#keepsReads = keepsReads;
  }

  /** @returns the depth of the outermost structure that a jump in the region leaves for; Infinity for none */
  scan(region: ir.Region, owner: Structure | undefined, depth: number): { effect: boolean; leaves: number } {
    let effect = false;
    let leaves = Number.POSITIVE_INFINITY;
    for (let index = 0; index < region.instructions.length; index += 1) {
      const instruction = region.instructions[index]!;
      for (const value of instruction.results) this.#definitions.set(value, instruction);
      switch (instruction.op) {
        case 'if':
        case 'switch':
        case 'block':
        case 'loop':
        case 'work_item_loop': {
          const inner = this.#scanStructure(instruction, depth);
          effect ||= inner.effect;
          leaves = Math.min(leaves, inner.leaves);
          break;
        }
        case 'break':
        case 'continue': {
          const target = this.#structures.get(instruction.target)!;
          (instruction.op === 'break' ? target.exits : target.repeats).push(instruction);
          leaves = Math.min(leaves, target.depth);
          break;
        }
        case 'yield':
          owner?.exits.push(instruction);
          break;
        case 'return':
          leaves = -1;
          for (const operand of instruction.operands) this.#need(operand);
          break;
        case 'unreachable':
          effect = true;
          break;
        case 'store':
        case 'copy':
        case 'fill': {
          const root = this.#surelyPrivate(instruction.operands[0]!);
          if (root && !(instruction.op === 'store' && instruction.volatile)) {
            const list = this.#writes.get(root);
            if (list) list.push(instruction);
            else this.#writes.set(root, [instruction]);
          } else this.#keep(instruction);
          effect = true;
          break;
        }
        case 'context_write': {
          const list = this.#contextWrites.get(instruction.contextArray);
          if (list) list.push(instruction);
          else this.#contextWrites.set(instruction.contextArray, [instruction]);
          if (instruction.scan) this.#needContextArray(instruction.contextArray);
          effect = true;
          break;
        }
        case 'load':
          if (instruction.volatile || (this.#keepsReads && !this.#surelyPrivate(instruction.operands[0]!))) {
            effect = true;
            this.#keep(instruction);
          }
          break;
        case 'context_array':
        case 'context_read':
        case 'variable':
          break;
        default:
          if (!isPure(instruction)) {
            effect = true;
            this.#keep(instruction);
          }
      }
      if (isTerminator(instruction)) {
        region.instructions.length = index + 1;
        break;
      }
    }
    return { effect, leaves };
  }

  #scanStructure(instruction: ir.Structured, depth: number): { effect: boolean; leaves: number } {
    const structure: Structure = { instruction, depth, exits: [], repeats: [], effect: false };
    this.#structures.set(instruction, structure);
    instruction.regions[0]?.parameters.forEach((value, index) => {
      this.#parameters.set(value, { structure, index });
    });
    let effect = instruction.op === 'loop';
    let leaves = Number.POSITIVE_INFINITY;
    for (const region of instruction.regions) {
      const inner = this.scan(region, structure, depth + 1);
      effect ||= inner.effect;
      leaves = Math.min(leaves, inner.leaves);
    }
    if (leaves >= depth) leaves = Number.POSITIVE_INFINITY;
    structure.effect = effect || leaves !== Number.POSITIVE_INFINITY;
    if (structure.effect) this.#keep(instruction);
    return { effect, leaves };
  }

  /** The private variable that a pointer is a part of, when it is derived from one by offsets only. */
  #privateRoot(pointer: ir.Value): ir.Value | undefined {
    let value = pointer;
    for (;;) {
      const definition = this.#definitions.get(value);
      if (definition?.op === 'variable') return definition.space === 'private' ? value : undefined;
      const isPart =
        definition?.op === 'offset' ||
        definition?.op === 'item_address' ||
        definition?.op === 'copies_address';
      if (!isPart) return undefined;
      value = definition.operands[0]!;
    }
  }

  /** The same, but for who looks at accesses a part may lie outside. */
  #surelyPrivate(pointer: ir.Value): ir.Value | undefined {
    const root = this.#privateRoot(pointer);
    return root === pointer || !this.#keepsReads ? root : undefined;
  }

  #need(value: ir.Value): void {
    if (isNew(this.#live, value)) this.#work.push(value);
  }

  #keep(instruction: ir.Instruction): void {
    if (!isNew(this.#kept, instruction)) return;
    // Operands of a loop are needed parameter by parameter, those of jumps result by result.
    if (instruction.op === 'loop') return;
    for (const operand of instruction.operands) this.#need(operand);
    if (instruction.op === 'context_read') this.#needContextArray(instruction.contextArray);
  }

  #needContextArray(contextArray: ir.ContextArray): void {
    if (this.#kept.has(contextArray)) return;
    this.#kept.add(contextArray);
    for (const write of this.#contextWrites.get(contextArray) ?? []) this.#keep(write);
  }

  mark(): void {
    for (let value = this.#work.pop(); value; value = this.#work.pop()) {
      const instruction = this.#definitions.get(value);
      if (!instruction) {
        const parameter = this.#parameters.get(value);
        if (!parameter) continue;
        const { structure, index } = parameter;
        this.#need(structure.instruction.operands[index]!);
        for (const repeat of structure.repeats) this.#need(repeat.operands[index]!);
        continue;
      }
      this.#keep(instruction);
      const structure = instruction.regions.length > 0 ? this.#structures.get(instruction) : undefined;
      if (structure) {
        const index = instruction.results.indexOf(value);
        for (const exit of structure.exits) this.#need(exit.operands[index]!);
      } else if (instruction.op === 'variable') {
        // Offsets that only lead to stores are never needed themselves, so this one is read or escapes.
        for (const write of this.#writes.get(value) ?? []) this.#keep(write);
      }
    }
  }

  sweep(region: ir.Region, owner: Structure | undefined): void {
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      if (isTerminator(instruction)) {
        this.#trimTerminator(instruction, owner);
        output.push(instruction);
        continue;
      }
      if (!this.#kept.has(instruction)) continue;
      const structure = instruction.regions.length > 0 ? this.#structures.get(instruction) : undefined;
      if (structure) {
        for (const nested of instruction.regions) this.sweep(nested, structure);
        const body = instruction.regions[0];
        if (body && instruction.op === 'loop') {
          instruction.operands = instruction.operands.filter((_, index) =>
            this.#live.has(body.parameters[index]!),
          );
          const parameters = body.parameters.filter((value) => this.#live.has(value));
          body.parameters.splice(0, body.parameters.length, ...parameters);
        }
        if (instruction.results.some((result) => !this.#live.has(result))) {
          instruction.results = instruction.results.filter((result) => this.#live.has(result));
        }
      }
      output.push(instruction);
    }
    region.instructions = output;
  }

  /** Jumps are visited before their target loses its results and parameters: targets enclose them. */
  #trimTerminator(instruction: ir.Terminator, owner: Structure | undefined): void {
    const carried =
      instruction.op === 'yield'
        ? owner?.instruction.results
        : instruction.op === 'break'
          ? instruction.target.results
          : instruction.op === 'continue'
            ? instruction.target.regions[0]!.parameters
            : undefined;
    if (!carried || carried.every((value) => this.#live.has(value))) return;
    instruction.operands = instruction.operands.filter((_, index) => this.#live.has(carried[index]!));
  }
}

/** Adds to a set; whether it was not there. One look-up, where to ask and to add would be two: large kernels spend their time on them. */
function isNew<T>(set: Set<T>, member: T): boolean {
  const before = set.size;
  return set.add(member).size > before;
}
