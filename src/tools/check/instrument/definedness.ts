/**
 * Follows which private values have been set. Each watched variable gets a companion of its size whose bits are ones where
 * something was stored. A load then has a mask beside its value; vectors keep a mask through what only rearranges their
 * lanes, and copies of structs copy the companion, so that padding and lanes nobody uses are no faults. Where a value decides or
 * computes something, or leaves for other memory, its mask must be all ones.
 *
 * Companions are variables like all others: the passes turn them into values, and most masks into constants.
 */
import type { Builder } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { bool, elementOf, i8, i32, intType, sizeOf, type Type, withElement } from '../../../ir/types.ts';

/** What a value was loaded from. */
export interface Loaded {
  readonly variable: ir.Variable;
  /** Bytes from the variable's beginning, and how many. */
  readonly offset: ir.Value;
  readonly bytes: number;
}

/** A mask, and what its value came from. */
interface Mask {
  readonly value: ir.Value;
  readonly from: Loaded;
  /** Whether lanes are as they were loaded. */
  readonly isWhole: boolean;
}

export class Definedness {
  readonly #builder: Builder;
  readonly #masks = new Map<ir.Value, Mask>();
  /** Values whose masks were looked at in the regions that are open, by region. */
  readonly #checked: Set<ir.Value>[] = [new Set()];
  readonly #fault: (isBad: ir.Value, from: Loaded) => void;

  /** @param fault writes what happens where the condition holds */
  constructor(builder: Builder, fault: (isBad: ir.Value, from: Loaded) => void) {
    this.#builder = builder;
    this.#fault = fault;
  }

  open(): void {
    this.#checked.push(new Set());
  }

  close(): void {
    this.#checked.pop();
  }

  /** After a load from a watched variable; `at` is the place in its companion. */
  loaded(result: ir.Value, from: Omit<Loaded, 'bytes'>, at: ir.Value, align: number): void {
    const value = this.#builder.load(maskType(result.type), at, align);
    this.#masks.set(result, { value, from: { ...from, bytes: sizeOf(result.type) }, isWhole: true });
  }

  /** With a store to a watched variable. */
  stored(value: ir.Value, at: ir.Value, align: number): void {
    this.#builder.store(at, this.#masks.get(value)?.value ?? this.#ones(value.type), align);
  }

  /** Before an instruction: what it does more with values than move them needs them whole. `moved` operands it only moves. */
  uses(instruction: ir.Instruction, moved: readonly number[]): void {
    instruction.operands.forEach((operand, index) => {
      if (!moved.includes(index)) this.#check(operand);
    });
  }

  /** After an instruction that rearranges lanes or selects: the mask of its result. */
  rearranged(instruction: ir.Instruction): void {
    const { operands, results } = instruction;
    const source = operands.map((operand) => this.#masks.get(operand)).find((mask) => mask !== undefined);
    if (!source) return;
    const masks = operands.map((operand) => this.#masks.get(operand)?.value ?? this.#ones(operand.type));
    const builder = this.#builder;
    let value: ir.Value;
    let { from } = source;
    switch (instruction.op) {
      case 'insert':
        value = builder.insert(masks[0]!, masks[1]!, instruction.lane);
        break;
      case 'extract':
        value = builder.extract(masks[0]!, instruction.lane);
        if (source.isWhole) from = laneOf(from, instruction.lane, results[0]!.type, builder);
        break;
      case 'build':
        value = builder.build(maskType(results[0]!.type) as never, masks);
        break;
      case 'splat':
        value = builder.splat(masks[0]!, maskType(results[0]!.type) as never);
        break;
      case 'shuffle': {
        value = builder.shuffle(masks[0]!, masks[1]!, instruction.lanes);
        instruction.lanes.forEach((lane, index) => {
          if (lane < 0) value = builder.insert(value, this.#ones(elementOf(results[0]!.type)), index);
        });
        break;
      }
      case 'select':
        value = builder.select(operands[0]!, masks[1]!, masks[2]!);
        break;
      default:
        return;
    }
    this.#masks.set(results[0]!, { value, from, isWhole: false });
  }

  #check(value: ir.Value): void {
    const mask = this.#masks.get(value);
    if (!mask || this.#checked.some((region) => region.has(value))) return;
    this.#checked.at(-1)!.add(value);
    this.#fault(this.#isPartial(mask.value), mask.from);
  }

  /** Whether a mask has a zero. */
  #isPartial(mask: ir.Value): ir.Value {
    const builder = this.#builder;
    const { type } = mask;
    if (type.kind !== 'vector') return builder.compare('ne', mask, builder.integer(type, -1));
    let all = builder.extract(mask, 0);
    for (let lane = 1; lane < type.lanes; lane += 1) {
      all = builder.binary('and', all, builder.extract(mask, lane));
    }
    return builder.compare('ne', all, builder.integer(type.element, -1));
  }

  #ones(type: Type): ir.Value {
    return this.#builder.integer(maskType(type), -1);
  }
}

/** What only rearranges operands; the number of those that it looks at beside them. */
export function movedOperands(instruction: ir.Instruction): readonly number[] {
  switch (instruction.op) {
    case 'insert':
    case 'shuffle':
      return [0, 1];
    case 'extract':
    case 'splat':
      return [0];
    case 'build':
      return instruction.operands.map((_, index) => index);
    case 'select':
      // A vector of conditions is of another shape than the masks.
      return instruction.operands[0]!.type === bool ? [1, 2] : [];
    default:
      return [];
  }
}

function laneOf({ variable, offset }: Loaded, lane: number, type: Type, builder: Builder): Loaded {
  const bytes = sizeOf(type);
  const at = lane === 0 ? offset : builder.binary('iadd', offset, builder.constant(i32, lane * bytes));
  return { variable, offset: at, bytes };
}

/** Integers of the same shape. */
function maskType(type: Type): Type {
  const element = elementOf(type);
  if (element.kind === 'bool') return withElement(type, i8);
  if (element.kind === 'int' || element.kind === 'float') return withElement(type, intType(element.bits));
  return sizeOf(type) === 4 ? i32 : type;
}
