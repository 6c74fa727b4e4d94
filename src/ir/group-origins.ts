/**
 * What tells the work-groups of a kernel apart: which of its values and actions depend on the group's place along
 * dimension 0, along dimension 1, or on what a group has for itself. In the tiled product of two matrices
 *
 *     tile_a[y][x] = a[get_global_id(1) * n + first + x];         the same for all groups next to each other
 *     tile_b[y][x] = b[(first + y) * n + get_global_id(0)];       the same for all groups below each other
 *
 * Values of work-items are compared with those of the work-items of other groups that have the same local ids. Groups that
 * differ in size are not compared, and those that differ along dimension 2 only on request. What global memory holds counts as the same for all groups that
 * ask at one time.
 */
import { isPure } from './effects.ts';
import type * as ir from './ir.ts';

/** What a value depends on, as bits. */
export const [fromX, fromY, fromOwn, fromZ] = [1, 2, 4, 8];
const fromAll = fromX | fromY | fromOwn;

export class GroupOrigins {
  readonly #values = new Map<ir.Value, number>();
  /** What decides whether a block or loop is left, or begins anew, before its end. */
  readonly #leaving = new Map<ir.Instruction, number>();
  readonly #conditions = new Map<ir.Instruction, number>();
  /** What decides whether the kernel returns early. */
  #returning = 0;
  #hasChanged = true;

  /** What hanging on the group's place along dimension 2 counts as. */
  readonly #fromZ: number;

  /**
   * @param fn in work-group form; it must not change while this is used
   * @param comparesSlices groups that differ along dimension 2 are compared, too
   */
  constructor(fn: ir.Function, comparesSlices = false) {
    this.#fromZ = comparesSlices ? fromZ : 0;
    for (const { value } of fn.parameters) {
      if (value.type.kind === 'pointer' && value.type.space === 'local') this.#values.set(value, fromOwn);
    }
    while (this.#hasChanged) {
      this.#hasChanged = false;
      if (fn.body) this.#region(fn.body, undefined, 0, []);
    }
  }

  /** What a value depends on. The address of local or private memory is the group's own. */
  of(value: ir.Value): number {
    return this.#values.get(value) ?? 0;
  }

  /** What it depends on whether, or how often, an instruction with an effect is run. */
  conditionsOf(instruction: ir.Instruction): number {
    return (this.#conditions.get(instruction) ?? 0) | this.#returning;
  }

  #add<Key>(map: Map<Key, number>, key: Key, bits: number): void {
    const before = map.get(key) ?? 0;
    if ((before | bits) === before) return;
    map.set(key, before | bits);
    this.#hasChanged = true;
  }

  #addAll(values: readonly ir.Value[], given: readonly ir.Value[], conditions: number): void {
    values.forEach((value, at) => {
      this.#add(this.#values, value, this.of(given[at]!) | conditions);
    });
  }

  /** @param around the structures around it, outermost first */
  #region(
    region: ir.Region,
    owner: ir.Instruction | undefined,
    conditions: number,
    around: readonly ir.Instruction[],
  ): void {
    for (const instruction of region.instructions) {
      let here = conditions | this.#returning;
      for (const one of around) here |= this.#leaving.get(one) ?? 0;
      this.#instruction(instruction, owner, here, around);
    }
  }

  #instruction(
    instruction: ir.Instruction,
    owner: ir.Instruction | undefined,
    conditions: number,
    around: readonly ir.Instruction[],
  ): void {
    const { operands, results, regions } = instruction;
    let given = 0;
    for (const operand of operands) given |= this.of(operand);
    if (!isPure(instruction)) this.#add(this.#conditions, instruction, conditions);
    switch (instruction.op) {
      case 'yield':
        if (owner) this.#addAll(owner.results, operands, conditions);
        return;
      case 'break':
        this.#addAll(instruction.target.results, operands, conditions);
        this.#add(this.#leaving, instruction.target, conditions);
        return;
      case 'continue':
        this.#addAll(instruction.target.regions[0]!.parameters, operands, conditions);
        this.#add(this.#leaving, instruction.target, conditions);
        return;
      case 'return':
        if ((this.#returning | conditions) !== this.#returning) this.#hasChanged = true;
        this.#returning |= conditions;
        return;
      case 'loop':
        this.#addAll(regions[0]!.parameters, operands, conditions);
        this.#region(regions[0]!, instruction, conditions, [...around, instruction]);
        return;
      case 'if':
      case 'switch':
      case 'block':
      case 'work_item_loop':
        for (const nested of regions) {
          this.#region(nested, instruction, conditions | given, [...around, instruction]);
        }
        return;
      default:
        for (const result of results)
          this.#add(this.#values, result, originOf(instruction, given, this.#fromZ));
    }
  }
}

/** @param given what the operands depend on */
function originOf(instruction: ir.Instruction, given: number, ofSlices: number): number {
  switch (instruction.op) {
    case 'query':
      if (instruction.fn !== 'group_id' && instruction.fn !== 'global_id') return 0;
      return [fromX, fromY, ofSlices][instruction.dimension]!;
    case 'constant':
      return 0;
    case 'variable':
      return fromOwn;
    case 'load':
    case 'masked_load':
    case 'gather': {
      const { type } = instruction.operands[0]!;
      const isForAll = type.kind === 'pointer' && (type.space === 'global' || type.space === 'constant');
      const isVolatile = instruction.op === 'load' && instruction.volatile;
      return isForAll && !isVolatile && (given & fromOwn) === 0 ? given : fromAll;
    }
    case 'item_address':
    case 'copies_address':
      return fromAll;
    default:
      return isPure(instruction) ? given : fromAll;
  }
}
