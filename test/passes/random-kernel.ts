/**
 * Random kernels for property tests: nested ifs, switches and loops with breaks, continues and returns, variables,
 * a private array, integer and float arithmetic, and barriers at places that all work-items reach together.
 */
import type * as ir from '../../src/ir/ir.ts';
import { f32, i8, i16, i64, type Type } from '../../src/ir/types.ts';
import { KernelWriter, type Variable } from './kernel-writer.ts';

export interface RandomOptions {
  /** Puts barriers anywhere, and lets work-items leave from anywhere; they exchange nothing then. */
  readonly divergentBarriers?: boolean;
  /** No barriers, and what elsewhere is alike for all work-items is set where they have parted. */
  readonly freelySet?: boolean;
  /** Half of the loops run a constant number of times, and many say how they are to be unrolled. */
  readonly unrolledLoops?: boolean;
  /** What work-items begin with differs along one dimension only: the first for some variables, the second for others. */
  readonly byDimension?: boolean;
}

/** The kernel of that seed; the same every time. */
export function randomKernel(seed: number, options: RandomOptions = {}): ir.Module {
  return new RandomKernel(seed, options).write();
}

interface Context {
  /** All work-items of the group are here together. */
  readonly together: boolean;
  readonly depth: number;
  /** For each loop around, innermost last: whether all work-items leave it and go on together. */
  readonly loops: readonly boolean[];
}

const binaryFunctions: readonly ir.BinaryFunction[] = [
  ...(['iadd', 'isub', 'imul', 'and', 'or', 'xor', 'shl', 'sshr', 'ushr', 'rotl'] as const),
  ...(['smin', 'smax', 'umin', 'umax', 'smulhi', 'umulhi', 'iadd', 'iadd', 'imul'] as const),
];
const compareFunctions: readonly ir.CompareFunction[] = [
  ...(['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'] as const),
];
const interesting = [0, 1, -1, 2, 3, 4, 7, 8, 31, 32, 255, -128, 65536, 2147483647, -2147483648];

class RandomKernel {
  #state: number;
  readonly #k = new KernelWriter();
  /** Variables that may differ by work-item, and those that all have alike. */
  readonly #varying: Variable[] = [];
  readonly #uniform: Variable[] = [];
  #array!: ir.Value;
  #budget = 40;
  #counters = 0;

  readonly #divergent: boolean;
  readonly #unrolled: boolean;
  readonly #free: boolean;
  readonly #byDimension: boolean;

  constructor(seed: number, options: RandomOptions) {
    this.#divergent = options.divergentBarriers ?? false;
    this.#unrolled = options.unrolledLoops ?? false;
    this.#free = options.freelySet ?? false;
    this.#byDimension = options.byDimension ?? false;
    this.#state = seed * 2654435761 + 12345;
    for (let index = 0; index < 5; index += 1) this.#random(2);
  }

  #random(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) | 0;
    return (this.#state >>> 8) % below;
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!;
  }

  write(): ir.Module {
    const k = this.#k;
    this.#array = k.array('array', 4);
    for (let index = 0; index < 4; index += 1) k.store(this.#array, index, index);
    for (let index = 0; index < 3; index += 1) {
      const item = this.#byDimension ? k.localId(index === 0 ? 0 : 1) : k.item();
      this.#varying.push(k.variable(`v${index}`, k.load(k.input, k.add(item, index))));
    }
    this.#uniform.push(k.variable('u0', k.n), k.variable('u1', k.groupId()));
    this.#statements({ together: true, depth: 0, loops: [] });
    if (!k.hasEnded) {
      const index = k.mul(k.globalItem(), 4);
      for (const [at, variable] of [...this.#varying, this.#uniform[0]!].entries()) {
        k.store(k.output, k.add(index, at), k.get(variable));
      }
    }
    return k.finish();
  }

  #uniformValue(depth = 2): ir.Value {
    const k = this.#k;
    switch (this.#random(depth > 0 ? 4 : 3)) {
      case 0:
        return k.value(this.#pick(interesting));
      case 1:
        return k.get(this.#pick(this.#uniform));
      case 2:
        return k.n;
      default:
        return k.binary(
          this.#pick(binaryFunctions),
          this.#uniformValue(depth - 1),
          this.#uniformValue(depth - 1),
        );
    }
  }

  #value(depth = 3): ir.Value {
    const k = this.#k;
    if (depth === 0)
      return this.#random(2) ? k.get(this.#pick(this.#varying)) : k.value(this.#pick(interesting));
    switch (this.#random(12)) {
      case 0:
        return k.value(this.#pick(interesting));
      case 1:
        return k.item();
      case 2:
        return this.#uniformValue();
      case 3:
        return k.load(this.#array, k.and(this.#value(depth - 1), 3));
      case 4:
        return k.load(this.#array, this.#random(4));
      case 5:
        return this.#converted(this.#value(depth - 1));
      case 6: {
        const condition = this.#condition(depth - 1);
        return k.builder.select(condition, this.#value(depth - 1), this.#value(depth - 1));
      }
      case 7:
        return k.load(k.input, k.and(this.#value(depth - 1), 63));
      case 8:
        return k.builder.convert('zext', this.#condition(depth - 1), k.n.type);
      case 9:
      case 10:
        return k.get(this.#pick(this.#varying));
      default:
        return k.binary(this.#pick(binaryFunctions), this.#value(depth - 1), this.#value(depth - 1));
    }
  }

  /** There and back through another type. */
  #converted(value: ir.Value): ir.Value {
    const { builder, n } = this.#k;
    const type: Type = this.#pick([i8, i16, i64, f32]);
    if (type === f32) {
      const float = builder.convert(this.#pick(['stof', 'utof']), value, f32);
      const scale = builder.constant(f32, this.#pick([1, 2, 0.5, -1, 0, -0, 4]));
      const other = this.#pick(['fadd', 'fsub', 'fmul', 'fdiv', 'fmin', 'fmax'] as const);
      const result = this.#random(2)
        ? builder.binary(other, float, scale)
        : builder.binary(other, scale, float);
      return builder.convert('ftos', result, n.type, { saturate: true });
    }
    if (type === i64) {
      const wide = builder.convert(this.#pick(['sext', 'zext']), value, i64);
      const shifted = builder.binary(
        this.#pick(['ushr', 'imul', 'iadd']),
        wide,
        builder.integer(i64, this.#random(9)),
      );
      return builder.convert('trunc', shifted, n.type);
    }
    return builder.convert(this.#pick(['sext', 'zext']), builder.convert('trunc', value, type), n.type);
  }

  #condition(depth = 2): ir.Value {
    const k = this.#k;
    const compare = k.compare(this.#pick(compareFunctions), this.#value(depth), this.#value(0));
    switch (this.#random(6)) {
      case 0:
        return k.builder.unary('not', compare);
      case 1:
        return k.ne(k.builder.convert(this.#pick(['zext', 'sext']), compare, k.n.type), 0);
      default:
        return compare;
    }
  }

  #uniformCondition(): ir.Value {
    return this.#k.compare(this.#pick(compareFunctions), this.#uniformValue(), this.#uniformValue(1));
  }

  #statements(context: Context): void {
    const count = 1 + this.#random(4);
    for (let index = 0; index < count && !this.#k.hasEnded; index += 1) this.#statement(context);
  }

  #statement(context: Context): void {
    const k = this.#k;
    this.#budget -= 1;
    const deep = context.depth >= 4 || this.#budget < 0;
    switch (this.#random(deep ? 5 : 12)) {
      case 0:
      case 1:
        k.set(this.#pick(this.#varying), this.#value());
        return;
      case 2:
        if (context.together || this.#free) k.set(this.#pick(this.#uniform), this.#uniformValue());
        else k.mix(this.#pick(this.#varying), this.#value(1));
        return;
      case 3:
        k.store(this.#array, this.#random(2) ? this.#random(4) : k.and(this.#value(1), 3), this.#value(2));
        return;
      case 4:
        if (this.#divergent) k.barrier();
        else if (this.#free) k.set(this.#pick(this.#varying), this.#uniformValue());
        else if (context.together) this.#exchange();
        return;
      case 5:
      case 6:
        this.#if(context);
        return;
      case 7:
      case 8:
        this.#loop(context);
        return;
      case 9:
        this.#switch(context);
        return;
      case 10:
        k.block((exit) => {
          const uniform = context.together && this.#random(2) === 0;
          this.#statements({ ...context, depth: context.depth + 1 });
          if (k.hasEnded) return;
          k.if(uniform ? this.#uniformCondition() : this.#condition(), exit);
          // Some may have left: those that stay are together only if all did.
          this.#statements({ ...context, together: uniform, depth: context.depth + 1 });
        });
        return;
      default:
        this.#jump(context);
    }
  }

  #exchange(): void {
    const k = this.#k;
    const size = k.mul(k.mul(k.localSize(0), k.localSize(1)), k.localSize(2));
    const variable = this.#pick(this.#varying);
    k.barrier();
    k.store(k.local, k.item(), k.get(variable));
    k.barrier();
    k.set(variable, k.load(k.local, k.rem(k.add(k.item(), 1), size)));
  }

  #if(context: Context): void {
    const uniform = context.together && this.#random(3) > 0;
    const condition = uniform ? this.#uniformCondition() : this.#condition();
    const inner = { ...context, together: uniform, depth: context.depth + 1 };
    this.#k.if(
      condition,
      () => this.#statements(inner),
      () => {
        if (this.#random(2)) this.#statements(inner);
      },
    );
  }

  #switch(context: Context): void {
    const uniform = context.together && this.#random(3) > 0;
    const inner = { ...context, together: uniform, depth: context.depth + 1 };
    const value = this.#k.and(uniform ? this.#uniformValue() : this.#value(), 3);
    const body = (): void => this.#statements(inner);
    this.#k.switch(value, [[0], [1, 2]], [body, body, body]);
  }

  /** Loops count, so that they end; a uniform count makes a place where all are together. */
  #loop(context: Context): void {
    const k = this.#k;
    const uniform = context.together && this.#random(3) > 0;
    this.#counters += 1;
    const isConstant = this.#unrolled && this.#random(2) === 0;
    const count = isConstant
      ? k.value(this.#random(5))
      : k.and(uniform ? this.#uniformValue() : this.#value(2), 3);
    const limit = k.variable(`limit${this.#counters}`, count);
    if (this.#unrolled) k.unroll = this.#pick([undefined, undefined, 0, 1, 2, 3]);
    const inner: Context = {
      together: uniform,
      depth: context.depth + 1,
      loops: [...context.loops, uniform],
    };
    const counter = k.variable(`i${this.#counters}`, 0);
    const after = (): void => {
      // Work-items may have left it at different times.
      if (this.#free) k.mix(this.#pick(this.#uniform), k.get(counter));
    };
    const next = (): void => k.set(counter, k.add(k.get(counter), 1));
    if (this.#random(3) === 0) {
      k.doWhile(
        () => {
          next();
          this.#statements(inner);
        },
        () => k.lt(k.get(counter), k.get(limit)),
      );
      after();
      return;
    }
    k.while(
      () => k.lt(k.get(counter), k.get(limit)),
      () => {
        if (this.#random(2)) k.mix(this.#pick(this.#varying), k.get(counter));
        this.#statements(inner);
      },
      next,
    );
    after();
  }

  /** A break, continue or return of all together; or of some, out of what has no barrier. */
  #jump(context: Context): void {
    const k = this.#k;
    if (this.#divergent) {
      k.if(this.#condition(), () => this.#leave(context.loops.length, this.#random(8) === 0));
      return;
    }
    if (context.together) {
      k.if(this.#uniformCondition(), () => this.#leave(context.loops.length, this.#random(8) === 0));
      return;
    }
    // Only loops that work-items go through on their own may be left by some.
    let own = 0;
    while (own < context.loops.length && !context.loops.at(-1 - own)) own += 1;
    if (own > 0) k.if(this.#condition(), () => this.#leave(own, false));
  }

  #leave(loops: number, mayReturn: boolean): void {
    const k = this.#k;
    if (mayReturn) k.return();
    else if (loops > 0 && this.#random(2)) k.break(this.#random(loops));
    else if (loops > 0) k.continue(this.#random(loops));
  }
}
