/**
 * What a loop computes with its counter, as exact numbers of 64 bits, written before the loop for a turn that is chosen there.
 * Sums and products modulo 2^32 are those of the exact numbers modulo 2^32: where the exact number lies between 0 and the size of an
 * object, the loop computes just that number.
 */
import type { Builder } from '../../../ir/builder.ts';
import { cloneInstruction } from '../../../ir/clone.ts';
import type * as ir from '../../../ir/ir.ts';
import { i32, i64 } from '../../../ir/types.ts';

/** What a number is made of. Its *leaves* are values known before the loop, and the counter. */
export interface Shape {
  /** How many leaves are multiplied with each other at most. */
  readonly degree: number;
  /** How many bits constants and sums add to the leaves'. */
  readonly bits: number;
  /** Whether the counter is among the leaves. It is in no product with itself: the number grows or falls evenly. */
  readonly isCounted: boolean;
}

/** Bits of numbers that i64 holds with room for one more sum. */
const exactBits = 62;

export class ExactSums {
  readonly #builder: Builder;
  readonly #counter: ir.Value;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #isInside: (value: ir.Value) => boolean;
  readonly #shapes = new Map<ir.Value, Shape | undefined>();
  /** Values known before the loop, as i64. */
  readonly #leaves = new Map<ir.Value, ir.Value>();
  /** What has been written, by the counter's value. */
  readonly #written = new Map<ir.Value, Map<ir.Value, ir.Value>>();
  /** As i32, those whose size matters: without the ones that only stand in sums of themselves. */
  readonly leaves = new Set<ir.Value>();

  /**
   * @param builder writes before the loop
   * @param isInside whether the loop defines a value
   */
  constructor(
    builder: Builder,
    counter: ir.Value,
    definitions: ReadonlyMap<ir.Value, ir.Instruction>,
    isInside: (value: ir.Value) => boolean,
  ) {
    this.#builder = builder;
    this.#counter = counter;
    this.#definitions = definitions;
    this.#isInside = isInside;
  }

  /** Undefined for what cannot be computed before the loop, or does not grow evenly. */
  shapeOf(value: ir.Value): Shape | undefined {
    if (!this.#shapes.has(value)) this.#shapes.set(value, this.#findShape(value));
    return this.#shapes.get(value);
  }

  #findShape(value: ir.Value): Shape | undefined {
    if (value === this.#counter) return { degree: 1, bits: 0, isCounted: true };
    if (value.type.kind !== 'int' || value.type.bits < 32) return undefined;
    const definition = this.#definitions.get(value);
    if (definition?.op === 'constant') {
      const size = Math.abs(Number(definition.value));
      return { degree: 0, bits: Math.ceil(Math.log2(size + 1)), isCounted: false };
    }
    if (!this.#isInside(value) || definition?.op === 'query') return { degree: 1, bits: 0, isCounted: false };
    if (!definition) return undefined;
    const [a, b] = definition.operands.map((operand) => this.shapeOf(operand));
    if (!a) return undefined;
    if (definition.op === 'convert') return isExtension(definition) ? a : undefined;
    if (definition.op !== 'binary' || !b) return undefined;
    const isCounted = a.isCounted || b.isCounted;
    switch (definition.fn) {
      case 'iadd':
      case 'isub':
        return { degree: Math.max(a.degree, b.degree), bits: Math.max(a.bits, b.bits) + 1, isCounted };
      case 'imul':
        if (a.isCounted && b.isCounted) return undefined;
        return { degree: a.degree + b.degree, bits: a.bits + b.bits, isCounted };
      case 'shl': {
        const count = this.#shiftOf(definition);
        return count === undefined ? undefined : { ...a, bits: a.bits + count };
      }
      default:
        return undefined;
    }
  }

  #shiftOf({ operands }: ir.Binary): number | undefined {
    const definition = this.#definitions.get(operands[1]!);
    if (definition?.op !== 'constant') return undefined;
    const count = Number(definition.value);
    return count >= 0 && count < 31 ? count : undefined;
  }

  /** The number as i64, where the counter is `counter`; `value` has a shape. */
  at(value: ir.Value, counter: ir.Value): ir.Value {
    if (value === this.#counter) return counter;
    let written = this.#written.get(counter);
    if (!written) {
      written = new Map();
      this.#written.set(counter, written);
    }
    let result = written.get(value);
    if (!result) {
      result = this.#write(value, counter);
      written.set(value, result);
    }
    return result;
  }

  #write(value: ir.Value, counter: ir.Value): ir.Value {
    const builder = this.#builder;
    const definition = this.#definitions.get(value);
    if (definition?.op === 'constant') return builder.integer(i64, Number(definition.value));
    if (!definition || !this.#isInside(value) || definition.op === 'query') return this.#leaf(value);
    const operand = (index: number): ir.Value => this.at(definition.operands[index]!, counter);
    if (definition.op !== 'binary') return operand(0);
    if (definition.fn === 'shl') {
      return builder.binary('shl', operand(0), builder.integer(i64, this.#shiftOf(definition)!));
    }
    return builder.binary(definition.fn, operand(0), operand(1));
  }

  #leaf(value: ir.Value): ir.Value {
    let leaf = this.#leaves.get(value);
    if (!leaf) {
      const builder = this.#builder;
      const known = this.#isInside(value)
        ? builder.append(cloneInstruction(this.#definitions.get(value)!, new Map())).results[0]!
        : value;
      const narrow = known.type === i32 ? known : builder.convert('trunc', known, i32);
      this.leaves.add(narrow);
      leaf = builder.convert('sext', narrow, i64);
      this.#leaves.set(value, leaf);
    }
    return leaf;
  }

  /** How many bits leaves may have, besides their sign, so that all numbers of the shape are exact. */
  static leafBits({ degree, bits }: Shape): number {
    return degree === 0 ? 31 : Math.min(31, Math.floor((exactBits - bits) / degree));
  }
}

/** A change of width that leaves the lower 32 bits as they are. */
function isExtension({ fn, operands, results }: ir.Convert): boolean {
  const widths = [operands[0]!.type, results[0]!.type];
  if (widths.some((type) => type.kind !== 'int' || type.bits < 32)) return false;
  return fn === 'sext' || fn === 'zext' || fn === 'trunc';
}
