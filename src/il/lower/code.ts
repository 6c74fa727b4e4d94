/** A builder with what the lowering of IL writes all the time, and what it knows of the floats that it has written. */
import { Builder } from '../../ir/builder.ts';
import { declareExternal } from '../../ir/external-function.ts';
import type * as ir from '../../ir/ir.ts';
import { f32, f64, i32, type i64, type ScalarType, type Type, vectorType } from '../../ir/types.ts';

/** How a value's 32 bits are wanted: the same bits either way. */
export type Kind = 'int' | 'float';

export const floatBits = (x: number): number => new Int32Array(new Float32Array([x]).buffer)[0]!;
const floatOf = (bits: number): number => new Float32Array(new Int32Array([bits]).buffer)[0]!;

/**
 * A float that is known to be `scale * base + offset`, exactly: `base` an integer of the program. Positions and indices begin as
 * integers and go through floats to where they become addresses; known ones need not.
 */
export interface Whole {
  readonly base: ir.Value;
  readonly scale: number;
  readonly offset: number;
  /**
   * `base` is not negative, and so small that sums and products with what stands beside it are exact; otherwise it may be
   * anything, and the float rounded.
   */
  readonly isSmall: boolean;
}

export class Code extends Builder {
  readonly module: ir.Module;
  readonly #functions = new Map<string, ir.Function>();
  readonly #wholes = new WeakMap<ir.Value, Whole>();
  readonly #constants = new WeakMap<ir.Value, number>();

  constructor(region: ir.Region, module: ir.Module) {
    super(region, 32);
    this.module = module;
  }

  int(value: number): ir.Value {
    const result = this.constant(i32, value | 0);
    this.#constants.set(result, value | 0);
    return result;
  }

  float(value: number): ir.Value {
    const result = this.constant(f32, Math.fround(value));
    this.#constants.set(result, Math.fround(value));
    return result;
  }

  double(value: number): ir.Value {
    return this.constant(f64, value);
  }

  /** A constant given by its bits; NaNs keep theirs. */
  bits(bits: number, kind: Kind): ir.Value {
    if (kind === 'int') return this.int(bits);
    const value = floatOf(bits | 0);
    return Number.isNaN(value) ? this.asFloat(this.int(bits)) : this.float(value);
  }

  /** What a constant that was written here is; undefined for other values. */
  constantOf(value: ir.Value): number | undefined {
    return this.#constants.get(value);
  }

  /** A pointer a number of bytes further on: itself for none. */
  moved(pointer: ir.Value, bytes: number): ir.Value {
    return bytes === 0 ? pointer : this.offset(pointer, this.int(bytes));
  }

  as(kind: Kind, value: ir.Value): ir.Value {
    return kind === 'int' ? this.asInt(value) : this.asFloat(value);
  }

  asFloat(value: ir.Value): ir.Value {
    return value.type === f32 ? value : this.convert('bitcast', value, f32);
  }

  asInt(value: ir.Value): ir.Value {
    return value.type === i32 ? value : this.convert('bitcast', value, i32);
  }

  /** Whether any bit is set. */
  isSet(value: ir.Value): ir.Value {
    return this.compare('ne', this.asInt(value), this.int(0));
  }

  /** IL's truth values: all bits, or none. */
  mask(condition: ir.Value): ir.Value {
    return this.convert('sext', condition, i32);
  }

  /** Two words as 64 bits, the low one first. */
  joined(low: ir.Value, high: ir.Value, type: typeof i64 | typeof f64): ir.Value {
    return this.convert('bitcast', this.build(vectorType(i32, 2), [low, high]), type);
  }

  /** The low word and the high one. */
  parted(value: ir.Value): [ir.Value, ir.Value] {
    const words = this.convert('bitcast', value, vectorType(i32, 2));
    return [this.extract(words, 0), this.extract(words, 1)];
  }

  clamped(value: ir.Value, low: number, high: number): ir.Value {
    return this.binary('fmin', this.binary('fmax', value, this.float(low)), this.float(high));
  }

  /** Calls a function of Millrace's library (src/library). */
  library(base: string, args: readonly ir.Value[], result: ScalarType = f32): ir.Value {
    const types = args.map(({ type }) => type);
    const suffix = types[0] === f64 ? 'f64' : 'f32';
    return this.call(this.#external(`__millrace_${base}_${suffix}`, types, result), [...args])!;
  }

  #external(name: string, parameters: readonly Type[], result: Type): ir.Function {
    return declareExternal(this.module, this.#functions, name, parameters, result);
  }

  /** `then` if the condition holds; it yields nothing. */
  when(condition: ir.Value, then: () => void): void {
    const { regions } = this.if(condition);
    this.within(regions[0]!, () => {
      then();
      this.yield();
    });
    this.within(regions[1]!, () => this.yield());
  }

  // ---------------------------------------------------------------------------------- what floats are known to be

  whole(value: ir.Value): Whole | undefined {
    return this.#wholes.get(value);
  }

  /** Says of a float what it is known to be. */
  know(value: ir.Value, whole: Whole | undefined): ir.Value {
    if (whole) this.#wholes.set(value, whole);
    return value;
  }

  /** The sum, if it is known; of numbers so large that they may be rounded only parts of one may be added. */
  wholeSum(a: ir.Value, b: ir.Value, sign = 1): Whole | undefined {
    const [known, other] = this.whole(a) ? [a, b] : [b, a];
    const whole = this.whole(known);
    const amount = this.constantOf(other);
    if (!whole || amount === undefined || Math.abs(amount) > 0x4000 || !Number.isInteger(amount * 256))
      return undefined;
    const isTurned = sign < 0 && known === b;
    if (isTurned) return undefined;
    const offset = whole.offset + sign * amount;
    if (Math.abs(offset) > 0x8000 || (!whole.isSmall && Math.floor(offset) !== 0)) return undefined;
    return { ...whole, offset };
  }

  wholeProduct(a: ir.Value, b: ir.Value): Whole | undefined {
    const whole = this.whole(a) ?? this.whole(b);
    const factor = this.constantOf(this.whole(a) ? b : a);
    if (!whole?.isSmall || factor === undefined || !Number.isInteger(factor)) return undefined;
    const scale = whole.scale * factor;
    if (factor < 1 || scale > 16) return undefined;
    return { ...whole, scale, offset: whole.offset * factor };
  }

  wholeFloor(value: ir.Value): Whole | undefined {
    const whole = this.whole(value);
    return whole && { ...whole, offset: Math.floor(whole.offset) };
  }

  /** The integer that a known float is rounded down to. */
  floorOf({ base, scale, offset }: Whole): ir.Value {
    const product = scale === 1 ? base : this.binary('imul', base, this.int(scale));
    const sum = Math.floor(offset);
    return sum === 0 ? product : this.binary('iadd', product, this.int(sum));
  }
}
