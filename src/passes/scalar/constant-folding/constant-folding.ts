/**
 * Computes what is known and simplifies what is partly known:
 *
 *     iadd 2, 3                      =>  5                 (with the interpreter's own arithmetic)
 *     iadd %x, 0; fmul %x, 1.0       =>  %x
 *     imul %x, 8; udiv %x, 8         =>  shl %x, 3; ushr %x, 3
 *     offset (offset %p, %i), 4      stays; offset (offset %p, 4), 8  =>  offset %p, 12
 *     iadd (iadd %x, 1), 2           =>  iadd %x, 3
 *     load (offset @table, 8)        =>  the constant in the table
 *     extract (insert %v, %x, 1), 1  =>  %x
 *     if sge %i, %n { break @l } else { yield }  =>  if slt %i, %n { yield } else { break @l }
 *
 * Only identities that hold for every value are used: `x + 0.0` is not one (for -0.0), `x * 1.0` is. Constants
 * come to the right of commutative operations and of comparisons, so that later passes meet one form.
 *
 * This file walks the kernel; the rules are in folding/.
 */
import { oppositeOf } from '../../../ir/comparisons.ts';
import { integerOf, splatOf } from '../../../ir/constants.ts';
import type * as ir from '../../../ir/ir.ts';
import { bool, elementOf, type Type } from '../../../ir/types.ts';
import { foldLoad, foldOffset } from './addresses.ts';
import { foldFloatBinary, foldIntegerBinary, foldUnary } from './arithmetic.ts';
import { foldCompare, foldSelect } from './choices.ts';
import { foldConvert, foldExtract, foldShuffle } from './conversions.ts';
import { type ConstantValue, evaluate } from './evaluate.ts';
import type { Folds, Simpler } from './folds.ts';

export function foldConstants(fn: ir.Function, addressBits: 32 | 64): void {
  if (fn.body) new Folding(addressBits).region(fn.body);
}

class Folding implements Folds {
  readonly addressBits: 32 | 64;
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #replaced = new Map<ir.Value, ir.Value>();
  #output: ir.Instruction[] = [];
  readonly #asConstant = (value: ir.Value): ConstantValue | undefined => this.constant(value);

  constructor(addressBits: 32 | 64) {
    this.addressBits = addressBits;
  }

  region(region: ir.Region): void {
    const saved = this.#output;
    this.#output = [];
    for (const instruction of region.instructions) {
      const { operands } = instruction;
      for (let index = 0; index < operands.length; index += 1) {
        const operand = this.#replaced.get(operands[index]!);
        if (operand) operands[index] = operand;
      }
      if (instruction.results.length === 1 && instruction.regions.length === 0) {
        this.#fold(instruction);
        continue;
      }
      if (instruction.op === 'if') this.#invertBranch(instruction);
      for (const nested of instruction.regions) this.region(nested);
      this.#output.push(instruction);
    }
    region.instructions = this.#output;
    this.#output = saved;
  }

  /** if not %c { A } else { B } becomes if %c { B } else { A }. */
  #invertBranch(choice: ir.If): void {
    const condition = this.#definitions.get(choice.operands[0]!);
    if (condition?.op === 'unary' && condition.fn === 'not') {
      choice.operands[0] = condition.operands[0]!;
      choice.regions.reverse();
    } else if (condition?.op === 'compare' && onlyBreaks(choice)) this.#invertExit(choice, condition);
  }

  /** if sge %i, %n { break } else { yield } becomes if slt %i, %n { yield } else { break }, as loops of C are tested. */
  #invertExit(choice: ir.If, { fn, operands, span }: ir.Compare): void {
    const opposite = exitComparisons.has(fn) ? oppositeOf(fn) : undefined;
    if (!opposite) return;
    const result: ir.Value = { type: bool };
    this.append({
      op: 'compare',
      fn: opposite,
      operands: [...operands],
      results: [result],
      regions: [],
      span,
    });
    choice.operands[0] = result;
    choice.regions.reverse();
  }

  /** Appends the instruction, or what it becomes; or nothing when its result is an old value. */
  #fold(instruction: ir.Instruction): void {
    const result = instruction.results[0]!;
    let current = instruction;
    for (;;) {
      const simpler = this.#simplify(current, result);
      if (!simpler) break;
      if (isValue(simpler)) {
        this.#replaced.set(result, simpler);
        return;
      }
      simpler.span ??= instruction.span;
      current = simpler;
    }
    this.append(current);
  }

  definition(value: ir.Value): ir.Instruction | undefined {
    return this.#definitions.get(value);
  }

  append(instruction: ir.Instruction): void {
    for (const result of instruction.results) this.#definitions.set(result, instruction);
    this.#output.push(instruction);
  }

  constant(value: ir.Value): ConstantValue | undefined {
    const definition = this.#definitions.get(value);
    return definition?.op === 'constant' ? definition.value : undefined;
  }

  scalarConstant(value: ir.Value): ir.ScalarConstant | undefined {
    const constant = this.constant(value);
    if (typeof constant !== 'object') return constant;
    const lanes = constant as readonly ir.ScalarConstant[];
    const first = lanes[0]!;
    return lanes.every((lane) => Object.is(lane, first)) ? first : undefined;
  }

  #makeConstant(type: Type, value: ConstantValue, result: ir.Value = { type }): ir.Constant {
    return { op: 'constant', value, operands: [], results: [result], regions: [] };
  }

  newConstant(type: Type, scalar: ir.ScalarConstant): ir.Value {
    const instruction = this.#makeConstant(type, splatOf(type, scalar));
    this.append(instruction);
    return instruction.results[0]!;
  }

  newInteger(type: Type, value: bigint): ir.Value {
    return this.newConstant(type, integerOf(type, value));
  }

  #simplify(instruction: ir.Instruction, result: ir.Value): Simpler {
    const known = evaluate(instruction, this.#asConstant, this.addressBits);
    if (known !== undefined) return this.#makeConstant(result.type, known, result);
    switch (instruction.op) {
      case 'unary':
        return foldUnary(this, instruction);
      case 'binary':
        return elementOf(result.type).kind === 'float'
          ? foldFloatBinary(this, instruction)
          : foldIntegerBinary(this, instruction);
      case 'compare':
        return foldCompare(this, instruction);
      case 'select':
        return foldSelect(this, instruction);
      case 'convert':
        return foldConvert(this, instruction);
      case 'extract':
        return foldExtract(this, instruction);
      case 'shuffle':
        return foldShuffle(instruction);
      case 'offset':
        return foldOffset(this, instruction);
      case 'load':
        return foldLoad(this, instruction);
      default:
        return undefined;
    }
  }
}

/** By which a counter that has come to its end leaves a loop. */
const exitComparisons: ReadonlySet<ir.CompareFunction> = new Set<ir.CompareFunction>([
  'sge',
  'sle',
  'uge',
  'ule',
]);

/** Whether an `if` does nothing but leave something where its condition holds. */
function onlyBreaks({ results, regions }: ir.If): boolean {
  const [leave, stay] = regions.map(({ instructions }) => instructions);
  return (
    results.length === 0 &&
    leave!.length === 1 &&
    leave![0]!.op === 'break' &&
    stay!.length === 1 &&
    stay![0]!.op === 'yield'
  );
}

function isValue(x: ir.Instruction | ir.Value): x is ir.Value {
  return !('op' in x);
}
