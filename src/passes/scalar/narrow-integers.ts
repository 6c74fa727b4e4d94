/**
 * Computes with as many bits as are kept. C widens chars and shorts to ints before it computes with them; where the result becomes narrow
 * again, the operation on narrow operands gives the same bits, and a vector has two or four times as many lanes of them:
 *
 *     %w = sext %x : i8 -> i32                     %q = sdiv %x, 3 : i8
 *     %d = sdiv %w, 3 : i32                  =>
 *     %q = trunc %d : i32 -> i8
 *
 * Sums, products and bits depend on the low bits of their operands alone. Quotients, remainders and shifts to the right need operands
 * that were widened from so few bits. What is used elsewhere, too, is not computed a second time.
 */
import { integerOf, splatOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, type IntType, type LaneCount, lanesOf, type Type, vectorType } from '../../ir/types.ts';

/** A tree of more operations is left as it is. */
const mostOperations = 32;

export function narrowIntegers(fn: ir.Function): void {
  if (!fn.body) return;
  const uses = new Map<ir.Value, number>();
  countUses(fn.body, uses);
  new Narrowing(uses).region(fn.body);
}

function countUses(region: ir.Region, uses: Map<ir.Value, number>): void {
  for (const { operands, regions } of region.instructions) {
    for (const operand of operands) uses.set(operand, (uses.get(operand) ?? 0) + 1);
    for (const nested of regions) countUses(nested, uses);
  }
}

/** How a value can be had with fewer bits; appends to the output what computes it. */
type Plan = () => ir.Value;

/** How the upper bits of a wide value follow from its low ones. */
type Extension = 'sext' | 'zext';

class Narrowing {
  readonly #uses: ReadonlyMap<ir.Value, number>;
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  #output: ir.Instruction[] = [];
  #operations = 0;

  constructor(uses: ReadonlyMap<ir.Value, number>) {
    this.#uses = uses;
  }

  region(region: ir.Region): void {
    const saved = this.#output;
    this.#output = [];
    for (const instruction of region.instructions) {
      for (const nested of instruction.regions) this.region(nested);
      if (instruction.op !== 'convert' || instruction.fn !== 'trunc' || !this.#replace(instruction)) {
        this.#output.push(instruction);
      }
      for (const result of instruction.results) this.#definitions.set(result, instruction);
    }
    region.instructions = this.#output;
    this.#output = saved;
  }

  /** Writes what computes the result in as many bits as it has; false where that is not to be had. */
  #replace(trunc: ir.Convert): boolean {
    const [source] = trunc.operands as [ir.Value];
    const [result] = trunc.results as [ir.Value];
    const element = elementOf(result.type);
    if (element.kind !== 'int' || element.bits > 16) return false;
    if (this.#definitions.get(source)?.op !== 'binary') return false;
    this.#operations = 0;
    const plan = this.#plan(source, element);
    if (!plan) return false;
    const narrow = plan();
    // The result keeps its identity: uses further on refer to it.
    const last = this.#output.at(-1);
    if (last?.results[0] !== narrow) return false;
    last.results = [result];
    last.span ??= trunc.span;
    this.#definitions.set(result, last);
    return true;
  }

  #typeOf(value: ir.Value, element: IntType): Type {
    const lanes = lanesOf(value.type);
    return value.type.kind === 'vector' ? vectorType(element, lanes as LaneCount) : element;
  }

  #append(instruction: ir.Instruction, type: Type): ir.Value {
    const result: ir.Value = { type };
    instruction.results = [result];
    this.#definitions.set(result, instruction);
    this.#output.push(instruction);
    return result;
  }

  /** How to have the low bits of a wide value; undefined if that takes the wide one. */
  #plan(value: ir.Value, to: IntType): Plan | undefined {
    const definition = this.#definitions.get(value);
    if (!definition) return undefined;
    const type = this.#typeOf(value, to);
    const known = constantOf(definition);
    if (known !== undefined) return () => this.#constant(type, known);
    if (definition.op === 'convert') return this.#planConversion(definition, to, type);
    this.#operations += 1;
    if (this.#operations > mostOperations || this.#uses.get(value) !== 1) return undefined;
    return definition.op === 'binary' ? this.#planBinary(definition, to, type) : undefined;
  }

  #planConversion(convert: ir.Convert, to: IntType, type: Type): Plan | undefined {
    const [origin] = convert.operands as [ir.Value];
    const from = elementOf(origin.type);
    if (from.kind !== 'int' || !['sext', 'zext', 'trunc'].includes(convert.fn)) return undefined;
    if (from.bits === to.bits) return () => origin;
    const fn = from.bits > to.bits ? 'trunc' : convert.fn;
    return () => this.#append({ op: 'convert', fn, operands: [origin], results: [], regions: [] }, type);
  }

  #planBinary(binary: ir.Binary, to: IntType, type: Type): Plan | undefined {
    const [a, b] = binary.operands as [ir.Value, ir.Value];
    const fn = this.#narrowFunction(binary.fn, a, b, to);
    if (fn === undefined) return undefined;
    const [left, right] = [this.#plan(a, to), this.#plan(b, to)];
    if (!left || !right) return undefined;
    return () => this.#append({ ...binary, fn, operands: [left(), right()] }, type);
  }

  /** What does on narrow operands what `fn` does on wide ones, as far as the bits go that are kept. */
  #narrowFunction(
    fn: ir.BinaryFunction,
    a: ir.Value,
    b: ir.Value,
    to: IntType,
  ): ir.BinaryFunction | undefined {
    const isWithin = (value: ir.Value, extension: Extension): boolean =>
      this.#isExtended(value, to, extension);
    switch (fn) {
      case 'iadd':
      case 'isub':
      case 'imul':
      case 'and':
      case 'or':
      case 'xor':
        return fn;
      case 'shl':
        return this.#isCountBelow(b, to) ? fn : undefined;
      case 'ushr':
      case 'sshr':
        if (!this.#isCountBelow(b, to)) return undefined;
        if (isWithin(a, 'zext')) return 'ushr';
        return fn === 'sshr' && isWithin(a, 'sext') ? 'sshr' : undefined;
      case 'udiv':
      case 'urem':
        return isWithin(a, 'zext') && isWithin(b, 'zext') && this.#isGoodDivisor(b) ? fn : undefined;
      case 'sdiv':
      case 'srem':
        if (!this.#isGoodDivisor(b)) return undefined;
        if (isWithin(a, 'zext') && isWithin(b, 'zext')) return fn === 'sdiv' ? 'udiv' : 'urem';
        return isWithin(a, 'sext') && isWithin(b, 'sext') ? fn : undefined;
      default:
        return undefined;
    }
  }

  #constantAt(value: ir.Value): bigint | undefined {
    const definition = this.#definitions.get(value);
    return definition && constantOf(definition);
  }

  /** By 0 there is no quotient, and that of the lowest number and -1 has no room. */
  #isGoodDivisor(value: ir.Value): boolean {
    const divisor = this.#constantAt(value);
    return divisor !== undefined && divisor !== 0n && divisor !== -1n;
  }

  #isCountBelow(value: ir.Value, { bits }: IntType): boolean {
    const count = this.#constantAt(value);
    return count !== undefined && count >= 0n && count < BigInt(bits);
  }

  /** Whether a wide value is its low bits, extended. */
  #isExtended(value: ir.Value, { bits }: IntType, extension: Extension): boolean {
    const definition = this.#definitions.get(value);
    if (!definition) return false;
    const known = constantOf(definition);
    if (known !== undefined) {
      const kept = extension === 'sext' ? BigInt.asIntN(bits, known) : BigInt.asUintN(bits, known);
      return kept === known;
    }
    if (definition.op !== 'convert') return false;
    const from = elementOf(definition.operands[0]!.type);
    if (from.kind !== 'int') return false;
    if (definition.fn === extension) return from.bits <= bits;
    // With a zero in front the sign is no question.
    return extension === 'sext' && definition.fn === 'zext' && from.bits < bits;
  }

  #constant(type: Type, value: bigint): ir.Value {
    const scalar = integerOf(type, value);
    return this.#append(
      { op: 'constant', value: splatOf(type, scalar), operands: [], results: [], regions: [] },
      type,
    );
  }
}

/** The integer that a constant is, the same in all lanes. */
function constantOf(definition: ir.Instruction): bigint | undefined {
  if (definition.op !== 'constant' || elementOf(definition.results[0]!.type).kind !== 'int') return undefined;
  const [first, ...rest] = [definition.value].flat() as readonly ir.ScalarConstant[];
  if (typeof first !== 'number' && typeof first !== 'bigint') return undefined;
  return rest.some((one) => one !== first) ? undefined : BigInt(first);
}
