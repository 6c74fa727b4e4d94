/**
 * Does in lanes of 8 or 16 bits what vectors compute of integers in 32, where the result is the same (analysis/narrow-integers.ts):
 *
 *     %a = zext %x : i32x16                        %a = zext %x : i16x16
 *     %b = zext %y : i32x16                        %b = zext %y : i16x16
 *     %s = iadd %a, %b : i32x16              =>    %s = iadd %a, %b : i16x16
 *     %h = sshr %s, 1                              %h = ushr %s, 1
 *     %r = trunc %h : i8x16                        %r = trunc %h : i8x16
 *
 * C computes with bytes as `int`. Each operation then takes four registers for sixteen lanes, and each byte two steps on the way there.
 * Scalars stay as they are: machines compute them in 32 bits as fast as in fewer.
 */
import { newValue } from '../../../ir/builder.ts';
import { integerOf } from '../../../ir/constants.ts';
import { findDefinitions } from '../../../ir/definitions.ts';
import type * as ir from '../../../ir/ir.ts';
import { intType, type Type, withElement } from '../../../ir/types.ts';
import { replaceOperands, walkRegion, walkRegionsInsideOut } from '../../../ir/walk.ts';
import type { VectorTarget } from '../../../target/target.ts';
import { findNarrowIntegers, integerBits, type NarrowIntegers } from '../../analysis/narrow-integers.ts';

export function narrowVectors(fn: ir.Function, { vectors }: VectorTarget): void {
  let hasNarrow = false;
  if (fn.body)
    walkRegion(fn.body, ({ results }) => {
      hasNarrow ||= results.some(({ type }) => type.kind === 'vector' && [8, 16].includes(integerBits(type)));
    });
  // Pages load the rest when a program needs it (scripts/split-rest.mjs).
  if (hasNarrow) rewrite(fn.body!, vectors.bits);
}

function rewrite(body: ir.Region, registerBits: number): void {
  const definitions = findDefinitions(body);
  // Within a register nothing is gained.
  const isLarge = ({ type }: ir.Value): boolean =>
    type.kind === 'vector' && type.lanes * integerBits(type) > registerBits;
  const narrow = findNarrowIntegers(body, definitions, isLarge);
  if (narrow.widths.size > 0) new Rewriting(narrow, definitions).run(body);
}

const withBits = (type: Type, bits: number): Type => withElement(type, intType(bits as 8 | 16));

/** Operations that read the sign, by those that do not. */
const withoutSign: Readonly<Record<string, ir.BinaryFunction | ir.CompareFunction>> = {
  sshr: 'ushr',
  sdiv: 'udiv',
  srem: 'urem',
  smin: 'umin',
  smax: 'umax',
  slt: 'ult',
  sle: 'ule',
  sgt: 'ugt',
  sge: 'uge',
};

class Rewriting {
  readonly #narrow: NarrowIntegers;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  /** The narrow forms of values. */
  readonly #made = new Map<ir.Value, ir.Value>();
  /** Those that are made in the region that is being written, from values that are defined elsewhere. */
  #local = new Map<ir.Value, ir.Value>();
  readonly #replaced = new Map<ir.Value, ir.Value>();

  constructor(narrow: NarrowIntegers, definitions: ReadonlyMap<ir.Value, ir.Instruction>) {
    this.#narrow = narrow;
    this.#definitions = definitions;
  }

  run(body: ir.Region): void {
    // All results first: inner regions are written before those that define what they use.
    for (const [{ op, results }, width] of this.#narrow.widths) {
      const [result] = results as [ir.Value];
      if (op !== 'compare') this.#made.set(result, newValue(withBits(result.type, width), result.name));
    }
    walkRegionsInsideOut(body, (region) => {
      this.#local = new Map();
      const output: ir.Instruction[] = [];
      for (const instruction of region.instructions) this.#rewrite(instruction, output);
      region.instructions = output;
    });
    replaceOperands(body, this.#replaced);
  }

  #rewrite(instruction: ir.Instruction, output: ir.Instruction[]): void {
    const width = this.#narrow.widths.get(instruction);
    if (width !== undefined) {
      this.#compute(instruction, width, output);
      return;
    }
    const cut = instruction.op === 'convert' && instruction.fn === 'trunc' ? instruction : undefined;
    const made = cut && this.#made.get(cut.operands[0]!);
    const [result] = instruction.results;
    if (made && result && integerBits(result.type) <= integerBits(made.type)) {
      if (integerBits(result.type) === integerBits(made.type)) this.#replaced.set(result, made);
      else output.push({ ...cut!, operands: [made] });
      return;
    }
    output.push(instruction);
  }

  /** The operation in fewer bits, and its result in as many as before for those that ask; dce removes it if nobody does. */
  #compute(instruction: ir.Instruction, width: number, output: ir.Instruction[]): void {
    const { span } = instruction;
    const operands = instruction.operands.map((operand, index) =>
      instruction.op === 'select' && index === 0 ? operand : this.#narrowed(operand, width, output),
    );
    const [result] = instruction.results as [ir.Value];
    const made = this.#made.get(result);
    const results = [made ?? result];
    const { fn } = instruction as ir.Binary | ir.Compare;
    const unsigned = fn && !this.#narrow.isSigned(instruction) ? withoutSign[fn] : undefined;
    output.push({
      ...instruction,
      ...(unsigned ? { fn: unsigned } : {}),
      operands,
      results,
    } as ir.Instruction);
    if (!made) return;
    const extension = this.#narrow.extensionOf(result, width);
    output.push({
      op: 'convert',
      fn: extension,
      operands: [made],
      results: [result],
      regions: [],
      ...(span ? { span } : {}),
    });
  }

  /** A value in fewer bits, made where it is used if it is not there. */
  #narrowed(value: ir.Value, width: number, output: ir.Instruction[]): ir.Value {
    const known = this.#made.get(value) ?? this.#local.get(value);
    if (known && integerBits(known.type) === width) return known;
    const origin = this.#originOf(value);
    if (origin && integerBits(origin.type) === width) return origin;
    const result = newValue(withBits(value.type, width), value.name);
    output.push(this.#conversion(value, width, result, output));
    this.#local.set(value, result);
    return result;
  }

  /** What a value was widened from. */
  #originOf(value: ir.Value): ir.Value | undefined {
    const definition = this.#definitions.get(value);
    const isWidened = definition?.op === 'convert' && (definition.fn === 'zext' || definition.fn === 'sext');
    return isWidened ? definition.operands[0] : undefined;
  }

  #conversion(value: ir.Value, width: number, result: ir.Value, output: ir.Instruction[]): ir.Instruction {
    const definition = this.#definitions.get(value);
    const common = { results: [result], regions: [] };
    if (definition?.op === 'constant') {
      const lanes = [definition.value].flat().map((lane) => integerOf(result.type, Number(lane)));
      const isVector = result.type.kind === 'vector';
      return { op: 'constant', value: isVector ? lanes : lanes[0]!, operands: [], ...common };
    }
    if (definition?.op === 'splat') {
      const scalar = this.#narrowed(definition.operands[0]!, width, output);
      return { op: 'splat', operands: [scalar], ...common };
    }
    const origin = this.#originOf(value);
    // A truth value has no bits of its own.
    if (origin && integerBits(origin.type) < width)
      return { op: 'convert', fn: (definition as ir.Convert).fn, operands: [origin], ...common };
    return { op: 'convert', fn: 'trunc', operands: [origin ?? value], ...common };
  }
}
