/**
 * Which conditions must be made uniform. WGSL allows a barrier only where its own analysis sees that all work-items of a group get
 * there together, and it knows less than OpenCL C, whose programs promise it. So each condition that decides over a barrier is taken
 * from one work-item for all (`workgroupUniformLoad`), but for those that WGSL sees to be uniform: they are made of scalar
 * arguments, ids of the group and sizes.
 *
 * A condition decides over a barrier if the barrier is in what it chooses between, or if a break, a continue or a return in there jumps
 * over one: it lies behind the condition and before the end of what is left, or in a loop that is left. Behind its last barrier a
 * work-item may go its own way: `barrier(...); if (column >= n) return;` is left alone.
 */
import { isPure } from '../../ir/effects.ts';
import * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

/** An instruction at its place in a region. */
interface Frame {
  readonly region: ir.Region;
  readonly index: number;
  readonly owner: ir.Instruction;
}

export class UniformControl {
  /** Ifs and switches whose conditions must be taken from one work-item. */
  readonly unified = new Set<ir.Instruction>();
  readonly #uniform = new Set<ir.Value>();
  readonly #withBarrier = new Set<ir.Instruction>();
  readonly #governing = new Set<ir.Instruction>();
  readonly #body: ir.Region;
  readonly #hasBarrier: boolean;

  /** @param meets whether a function that is called has a barrier */
  constructor(fn: ir.Function, body: ir.Region, meets: (callee: ir.Function) => boolean) {
    this.#body = body;
    this.#hasBarrier = this.#findBarriers(body, meets);
    if (!this.#hasBarrier) return;
    // Taking a condition from one work-item is a barrier itself.
    while (this.#findGoverning(body, []));
    // Scalars of a kernel are in a uniform; what a function is given may be anything.
    if (fn.kind === 'kernel') {
      for (const { value, aggregate } of fn.parameters) if (!aggregate) this.#uniform.add(value);
    }
    this.#findUniform(fn);
    for (const each of this.#governing) if (!this.#uniform.has(each.operands[0]!)) this.unified.add(each);
  }

  get hasBarrier(): boolean {
    return this.#hasBarrier;
  }

  #findBarriers(region: ir.Region, meets: (callee: ir.Function) => boolean): boolean {
    let found = false;
    for (const instruction of region.instructions) {
      let here = ir.isBarrier(instruction) || (instruction.op === 'call' && meets(instruction.callee));
      for (const nested of instruction.regions) if (this.#findBarriers(nested, meets)) here = true;
      if (here) {
        this.#withBarrier.add(instruction);
        found = true;
      }
    }
    return found;
  }

  /**
   * @param around where `region` lies, innermost last
   * @returns whether structures have become such as have a barrier
   */
  #findGoverning(region: ir.Region, around: readonly Frame[]): boolean {
    let changed = false;
    for (const [index, instruction] of region.instructions.entries()) {
      const inside = [...around, { region, index, owner: instruction }];
      for (const nested of instruction.regions) if (this.#findGoverning(nested, inside)) changed = true;
      if (instruction.op === 'if' || instruction.op === 'switch') {
        const jumps = instruction.regions.some((nested) => this.#jumpsOverBarrier(nested, inside));
        if (jumps || this.#withBarrier.has(instruction)) this.#governing.add(instruction);
      }
      if (this.#withBarrier.has(instruction)) continue;
      const holds = (nested: ir.Region): boolean =>
        nested.instructions.some((each) => this.#withBarrier.has(each) || this.#governing.has(each));
      if (this.#governing.has(instruction) || instruction.regions.some(holds)) {
        this.#withBarrier.add(instruction);
        changed = true;
      }
    }
    return changed;
  }

  /** @param around the innermost is that of the condition in which `region` is */
  #jumpsOverBarrier(region: ir.Region, around: readonly Frame[]): boolean {
    let found = false;
    walkRegion(region, (instruction) => {
      const { op } = instruction;
      if (op === 'return') found ||= this.#passesBarrier(undefined, around);
      if (op !== 'break' && op !== 'continue') return;
      if (around.some(({ owner }) => owner === instruction.target)) {
        found ||= this.#passesBarrier(instruction, around);
      }
    });
    return found;
  }

  /** Whether there is a barrier on the way that a jump, or a return, does not go. */
  #passesBarrier(jump: ir.Break | ir.Continue | undefined, around: readonly Frame[]): boolean {
    for (const { region, index, owner } of around.toReversed()) {
      if (owner === jump?.target && jump?.op === 'continue') return false;
      // Others may go round again.
      if (owner.op === 'loop' && this.#withBarrier.has(owner)) return true;
      if (owner === jump?.target) return false;
      if (region.instructions.slice(index + 1).some((each) => this.#withBarrier.has(each))) return true;
    }
    return false;
  }

  /** Assumes the best of what loops carry, and takes back what does not hold until nothing changes. */
  #findUniform(fn: ir.Function): void {
    const doubted = new Set<ir.Value>();
    const known = [...this.#uniform];
    for (;;) {
      const before = doubted.size;
      this.#uniform.clear();
      for (const value of known) this.#uniform.add(value);
      this.#visit(this.#body, true, doubted, fn);
      if (doubted.size === before) return;
    }
  }

  /** @param together whether WGSL sees that all work-items of the group get here together */
  #visit(region: ir.Region, together: boolean, doubted: Set<ir.Value>, fn: ir.Function): void {
    const uniform = this.#uniform;
    for (const instruction of region.instructions) {
      const areUniform = instruction.operands.every((operand) => uniform.has(operand));
      switch (instruction.op) {
        case 'if':
        case 'switch': {
          const [condition] = instruction.operands;
          const inside = together && (uniform.has(condition!) || this.#governing.has(instruction));
          for (const nested of instruction.regions) this.#visit(nested, inside, doubted, fn);
          const yields = instruction.regions.map((nested) => nested.instructions.at(-1));
          for (const [index, result] of instruction.results.entries()) {
            const isUniform =
              inside && yields.every((end) => end?.op !== 'yield' || uniform.has(end.operands[index]!));
            if (isUniform) uniform.add(result);
          }
          break;
        }
        case 'block':
        case 'loop': {
          // Without a barrier inside, nobody sees to it that those who leave do so together.
          const inside = together && this.#withBarrier.has(instruction);
          const [body] = instruction.regions as [ir.Region];
          for (const [index, parameter] of body.parameters.entries()) {
            if (!uniform.has(instruction.operands[index]!) || !inside) doubted.add(parameter);
            if (!doubted.has(parameter)) uniform.add(parameter);
          }
          this.#visit(body, inside, doubted, fn);
          break;
        }
        case 'continue':
          for (const [index, operand] of instruction.operands.entries()) {
            if (!uniform.has(operand) || !together)
              doubted.add(instruction.target.regions[0]!.parameters[index]!);
          }
          break;
        case 'query':
          if (fn.kind === 'kernel' && !perItem.has(instruction.fn)) uniform.add(instruction.results[0]!);
          break;
        default:
          if (isPure(instruction) && areUniform && instruction.op !== 'image_read') {
            for (const result of instruction.results) uniform.add(result);
          }
      }
    }
  }
}

const perItem: ReadonlySet<ir.QueryFunction> = new Set(['global_id', 'local_id', 'linear_local_id']);
