/**
 * Which sums and products of floats must be hidden from compilers of shaders. WGSL allows them to add up and to multiply in another
 * order, and to fuse; OpenCL C does not, and the library would give wrong results: `(x + 12582912) - 12582912` is `x` rounded to a
 * whole number, and not `x`. So what a sum takes of another sum or product goes through its bits, together with a zero that no
 * compiler knows.
 *
 * Most compilers do none of that, but for what gets simpler by it: two constants of one sum, a number that is added and taken away again, a product and a
 * sum that are fused. That is always hidden; the rest where a probe at the device's start sees that it has to be (order.ts).
 *
 * Compilers of shaders also take `x + 0` for `x`, `0 - x` for `-x` and `x * 0` for `0`, whatever the signs of zeros say, and NaN and infinity: such
 * constants are hidden in the same way.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

function isSum({ fn }: ir.Binary): boolean {
  return fn === 'fadd' || fn === 'fsub';
}

/** Sums of more parts are hidden without a look at all of them. */
const mostParts = 64;

/** So many pairs that were compared are kept in mind of one condition. */
const mostPairs = 16;

/** Operations whose results tell of what was compared if their operands do. */
const passesOn: ReadonlySet<ir.Instruction['op']> = new Set<ir.Instruction['op']>([
  'unary',
  'binary',
  'compare',
  'select',
  'splat',
  'convert',
  'build',
  'extract',
  'shuffle',
]);

type ComparedPair = readonly ir.Value[];

/** What is to be hidden in a function. */
export interface Hidden {
  /** Sums and products whose results go through their bits: always, or where the device's compiler changes their order. */
  readonly apart: ReadonlyMap<ir.Value, 'always' | 'ordered'>;
  /** Operands, as bits by their index, of the operations that compilers of shaders would take for something simpler than OpenCL C does. */
  readonly zeros: ReadonlyMap<ir.Instruction, number>;
  /**
   * Choices between what was compared, `x < y ? y : x`. Compilers of shaders take them for a maximum, and of that and a NaN for the number; in
   * OpenCL C the comparison with a NaN is false. So what is chosen must not look like what was compared.
   */
  readonly choices: ReadonlySet<ir.Instruction>;
}

/** @param isRelaxed whether products may be reordered where they may be fused, too, and zeros, infinity and NaN do not matter */
export function findHidden(body: ir.Region, isRelaxed: boolean): Hidden {
  const finder = new HiddenFinder(isRelaxed);
  walkRegion(body, (instruction) => finder.look(instruction));
  return finder;
}

class HiddenFinder implements Hidden {
  readonly apart = new Map<ir.Value, 'always' | 'ordered'>();
  readonly zeros = new Map<ir.Instruction, number>();
  readonly choices = new Set<ir.Instruction>();
  readonly #isRelaxed: boolean;
  readonly #constants = new Map<ir.Value, ir.Constant['value']>();
  readonly #operations = new Map<ir.Value, ir.Binary>();
  /** What values are made of that are the same if that is: numbers behind signs, and words of memory. */
  readonly #sources = new Map<ir.Value, ir.Instruction>();
  /** Of conditions, and of integers that are made of them: the pairs of floats that were compared. */
  readonly #compared = new Map<ir.Value, readonly ComparedPair[]>();

  readonly #keys = new Map<unknown, number>();

  constructor(isRelaxed: boolean) {
    this.#isRelaxed = isRelaxed;
  }

  look(instruction: ir.Instruction): void {
    const { operands, results } = instruction;
    if (!this.#isRelaxed && passesOn.has(instruction.op)) this.#lookAtCondition(instruction);
    switch (instruction.op) {
      case 'constant':
        this.#constants.set(results[0]!, instruction.value);
        return;
      case 'splat': {
        const value = this.#constants.get(operands[0]!);
        if (value !== undefined) this.#constants.set(results[0]!, value);
        return;
      }
      case 'load':
        this.#sources.set(results[0]!, instruction);
        return;
      case 'unary':
        if (instruction.fn === 'fneg' || instruction.fn === 'fabs')
          this.#sources.set(results[0]!, instruction);
        return;
      case 'compare': {
        const element = elementOf(operands[0]!.type);
        if (element.kind === 'float' && element.bits !== 64) this.#compared.set(results[0]!, [operands]);
        return;
      }
      case 'select': {
        const chosen = operands.slice(1);
        const isChoice = (pair: ComparedPair): boolean =>
          pair.every((value) => chosen.some((other) => this.#isSame(value, other)));
        if (!this.#isRelaxed && this.#compared.get(operands[0]!)?.some(isChoice))
          this.choices.add(instruction);
        return;
      }
      case 'binary': {
        const element = elementOf(results[0]!.type);
        if (!this.#isRelaxed) this.#lookAtMask(instruction);
        if (element.kind !== 'float' || element.bits === 64) return;
        if (!this.#isRelaxed) this.#lookAtZeros(instruction);
        if (element.bits === 32 && (isSum(instruction) || instruction.fn === 'fmul'))
          this.#lookAtOrder(instruction);
        return;
      }
    }
  }

  /** A condition, or an integer, that is made of others: `select(a, b, a < b)` of vectors asks for the signs of integers. */
  #lookAtCondition({ operands, results }: ir.Instruction): void {
    const [result] = results;
    if (!result || elementOf(result.type).kind === 'float') return;
    const pairs = operands.flatMap((operand) => this.#compared.get(operand) ?? []);
    if (pairs.length > 0) this.#compared.set(result, [...new Set(pairs)].slice(0, mostPairs));
  }

  /** A choice by masks, `(m & y) | (~m & x)` behind `m = -(x < y)`: as any other. */
  #lookAtMask(instruction: ir.Binary): void {
    const { fn, operands, results } = instruction;
    const element = elementOf(results[0]!.type);
    if (fn !== 'and' || element.kind !== 'int' || element.bits !== 32) return;
    const masks = operands.reduce((bits, one, index) => bits | (this.#compared.has(one) ? 1 << index : 0), 0);
    if (masks !== 0) this.zeros.set(instruction, masks);
  }

  #isFree(one: ir.Binary): boolean {
    return isSum(one) ? one.reassociate === true : this.#isRelaxed && one.contract === true;
  }

  #lookAtOrder(instruction: ir.Binary): void {
    if (isSum(instruction) && !this.#isRelaxed) this.#lookAtFactors(instruction);
    for (const operand of instruction.operands) {
      const inner = this.#operations.get(operand);
      if (!inner || this.apart.get(operand) === 'always') continue;
      const mayFuse = isSum(instruction) && !isSum(inner) && instruction.contract && inner.contract;
      const mayMove = this.#isFree(instruction) && this.#isFree(inner);
      if (mayFuse || mayMove) continue;
      const isPlain = this.#isPlain(instruction, operand, inner);
      if (!isPlain || !this.apart.has(operand)) this.apart.set(operand, isPlain ? 'ordered' : 'always');
    }
    this.#operations.set(instruction.results[0]!, instruction);
  }

  /** Two products of one factor, of which a compiler might make a sum times that: one of them is hidden. */
  #lookAtFactors({ operands }: ir.Binary): void {
    const factors = operands.map((operand) => {
      const product = this.#operations.get(operand);
      if (product?.fn !== 'fmul' || this.apart.get(operand) === 'always') return [];
      return product.operands.map((each) => this.#key(each));
    });
    const [first, second] = factors as [unknown[], unknown[]];
    if (first.some((each) => second.includes(each))) this.apart.set(operands[0]!, 'always');
  }

  /** Whether nothing gets simpler if an operation and what one of its operands is are done in another order. */
  #isPlain(outer: ir.Binary, operand: ir.Value, inner: ir.Binary): boolean {
    // They must not be fused.
    if (isSum(outer) && !isSum(inner)) return false;
    const [a, b] = outer.operands as [ir.Value, ir.Value];
    // What is added up, or multiplied, all in all; of a sum that is multiplied, its parts and the factor.
    const parts = [...this.#parts(inner)];
    const others = a === operand && b === operand ? [operand] : [a === operand ? b : a];
    for (const other of others) {
      const operation = this.#operations.get(other);
      if (operation && isSum(operation) === isSum(inner) && this.apart.get(other) !== 'always')
        parts.push(...this.#parts(operation));
      else parts.push(other);
    }
    if (parts.length > mostParts) return false;
    if (parts.filter((each) => this.#constants.has(each)).length > 1) return false;
    if (!isSum(inner)) return true;
    const keys = parts.map((each) => this.#key(each));
    return new Set(keys).size === keys.length;
  }

  /** What a sum, or a product, is of, through those that are not hidden. */
  *#parts(operation: ir.Binary, depth = 0): Generator<ir.Value> {
    for (const operand of operation.operands) {
      const inner = this.#operations.get(operand);
      const isSame = inner && isSum(inner) === isSum(operation) && this.apart.get(operand) !== 'always';
      if (isSame && depth < mostParts) yield* this.#parts(inner, depth + 1);
      else yield operand;
    }
  }

  /** The same for values that are the same but for their signs, or might be. */
  #key(value: ir.Value): unknown {
    const source = this.#sources.get(value);
    if (source) return source.op === 'load' ? source.operands[0] : this.#key(source.operands[0]!);
    const operation = this.#operations.get(value);
    if (operation?.fn !== 'fmul') return value;
    const factors = operation.operands.map((each) => this.#number(this.#key(each)));
    return factors.toSorted((x, y) => x - y).join(' ');
  }

  /** A number for a key. */
  #number(key: unknown): number {
    let known = this.#keys.get(key);
    if (known === undefined) {
      known = this.#keys.size;
      this.#keys.set(key, known);
    }
    return known;
  }

  #lookAtZeros(instruction: ir.Binary): void {
    const has = (index: number, ...zeros: readonly number[]): number => {
      const value = this.#constants.get(instruction.operands[index]!);
      if (value === undefined) return 0;
      return [value].flat().some((each) => zeros.some((zero) => Object.is(each, zero))) ? 1 << index : 0;
    };
    let operands = 0;
    if (instruction.fn === 'fadd') operands = has(0, 0) | has(1, 0);
    else if (instruction.fn === 'fsub') operands = has(0, 0) | has(1, -0);
    else if (instruction.fn === 'fmul') operands = has(0, 0, -0) | has(1, 0, -0);
    if (operands !== 0) this.zeros.set(instruction, operands);
  }

  #isSame(one: ir.Value, other: ir.Value): boolean {
    const value = this.#constants.get(one);
    return one === other || (value !== undefined && `${value}` === `${this.#constants.get(other)}`);
  }
}
