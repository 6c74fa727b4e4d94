/**
 * Random kernels whose addresses are computed from ids, counters of nested loops, pointers that step, arguments and, sometimes, from what
 * was loaded: what an access map is asked about. Written as front ends lower them.
 */
import type * as ir from '../../../src/ir/ir.ts';
import { KernelWriter, type Variable } from '../kernel-writer.ts';

/** Bytes of the buffers; addresses begin in their middle. */
export const bufferBytes = 1 << 23;

/** The kernel of that seed; the same every time. */
export function randomAccesses(seed: number): ir.Module {
  return new RandomAccesses(seed).write();
}

class RandomAccesses {
  #state: number;
  readonly #k = new KernelWriter();
  /** Variables that may be used where it is; counters are small. */
  #variables: Variable[] = [];
  #counters: Variable[] = [];
  /** Some work-items may have left. */
  #hasReturned = false;
  #middle!: { readonly input: ir.Value; readonly output: ir.Value };
  #budget = 14;
  #names = 0;

  constructor(seed: number) {
    this.#state = seed * 2654435761 + 54321;
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
    const half = k.value(bufferBytes / 2);
    this.#middle = { input: k.builder.offset(k.input, half), output: k.builder.offset(k.output, half) };
    this.#statements(0);
    if (!k.hasEnded) k.store(this.#middle.output, this.#index(3), 1);
    return k.finish();
  }

  #statements(depth: number): void {
    const count = 1 + this.#random(3);
    for (let index = 0; index < count && !this.#k.hasEnded; index += 1) this.#statement(depth);
  }

  #statement(depth: number): void {
    const k = this.#k;
    this.#budget -= 1;
    const isDeep = depth >= 3 || this.#budget < 0;
    switch (this.#random(isDeep ? 4 : 9)) {
      case 0:
      case 1:
        k.store(this.#middle.output, this.#index(3), this.#load());
        return;
      case 2: {
        const at = this.#index(3);
        k.store(this.#middle.output, at, k.load(this.#middle.output, at));
        return;
      }
      case 3:
        this.#names += 1;
        this.#variables.push(k.variable(`v${this.#names}`, this.#index(2)));
        return;
      case 4:
        this.#if(depth);
        return;
      case 5:
        if (this.#random(2)) this.#return();
        else if (depth === 0 && !this.#hasReturned) k.barrier();
        return;
      default:
        this.#loop(depth);
    }
  }

  #load(): ir.Value {
    return this.#k.load(this.#middle.input, this.#index(3));
  }

  #scoped(body: () => void): void {
    const [variables, counters] = [this.#variables, this.#counters];
    this.#variables = [...variables];
    this.#counters = [...counters];
    body();
    this.#variables = variables;
    this.#counters = counters;
  }

  #if(depth: number): void {
    const k = this.#k;
    k.if(
      this.#condition(),
      () => this.#scoped(() => this.#statements(depth + 1)),
      () => {
        if (this.#random(2)) this.#scoped(() => this.#statements(depth + 1));
      },
    );
  }

  #return(): void {
    const k = this.#k;
    this.#hasReturned = true;
    k.if(k.compare('sgt', this.#index(1), this.#pick([1, 3, 6])), () => k.return());
  }

  #condition(): ir.Value {
    return this.#k.compare(this.#pick(['slt', 'sge', 'eq', 'ult']), this.#index(1), this.#small());
  }

  #small(): number {
    return this.#pick([0, 1, 2, 3, 4, 5]);
  }

  /** A loop over a counter of one kind or another, with a pointer or an index that steps next to it. */
  #loop(depth: number): void {
    const k = this.#k;
    this.#names += 1;
    const name = `i${this.#names}`;
    const [first, step] = [this.#pick([0, 0, 1, 2]), this.#pick([1, 1, 1, 2, 3])];
    const isBounded = this.#random(3) > 0;
    const trips = 1 + this.#random(4);
    const start = this.#random(4) === 0 ? k.and(this.#index(1), 3) : k.value(first);
    // Bounds: a constant, an argument, what differs between work-items.
    const span = isBounded ? k.value(trips) : this.#random(2) ? k.and(k.n, 3) : k.and(this.#index(1), 3);
    const counter = k.variable(name, start);
    const end = k.add(start, k.mul(span, step));
    const neighbour = k.variable(`${name}b`, this.#index(1));
    const sideStep = this.#random(3) === 0 ? k.n : k.value(this.#small());
    const isDown = this.#random(5) === 0;
    const isGeometric = !isDown && this.#random(6) === 0;
    const next = (): void => {
      if (isGeometric) k.set(counter, k.binary('shl', k.get(counter), 1));
      else k.set(counter, k.add(k.get(counter), isDown ? -step : step));
      k.set(neighbour, k.add(k.get(neighbour), sideStep));
    };
    const test = (): ir.Value => {
      if (isGeometric) return k.compare('slt', k.get(counter), 9);
      if (isDown) return k.compare('sgt', k.get(counter), k.sub(start, k.mul(span, step)));
      return k.compare(this.#pick(['slt', 'slt', 'sle', 'ne', 'ult']), k.get(counter), end);
    };
    if (isGeometric) k.set(counter, k.add(k.and(k.get(counter), 3), 1));
    this.#scoped(() => {
      this.#counters.push(counter);
      this.#variables.push(neighbour);
      const body = (): void => {
        this.#statements(depth + 1);
        if (!k.hasEnded && this.#random(5) === 0) {
          const isBreak = this.#random(2) === 0;
          k.if(this.#condition(), () => (isBreak ? k.break(0) : k.continue(0)));
        }
      };
      if (this.#random(4) === 0) {
        k.doWhile(
          () => {
            body();
            if (!k.hasEnded) next();
          },
          () =>
            isGeometric
              ? test()
              : k.compare(
                  isDown ? 'sgt' : 'slt',
                  k.get(counter),
                  isDown ? k.sub(start, k.mul(span, step)) : end,
                ),
        );
      } else {
        k.while(test, body, next);
      }
    });
  }

  /** Small numbers, so that products of a few of them stay within the buffers. */
  #index(depth: number): ir.Value {
    const k = this.#k;
    if (depth === 0) return this.#leaf();
    switch (this.#random(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return k.add(this.#index(depth - 1), this.#index(depth - 1));
      case 4:
        return k.sub(this.#index(depth - 1), this.#index(depth - 1));
      case 5:
        return k.mul(this.#index(depth - 1), this.#small());
      case 6:
      case 7:
        return k.mul(this.#leaf(true), this.#random(2) ? k.and(k.n, 7) : this.#leaf(true));
      case 8:
        return k.shl(this.#index(depth - 1), this.#random(3));
      case 9:
        return k.binary(this.#pick(['smin', 'smax']), this.#index(depth - 1), this.#small());
      case 10:
        return k.builder.select(this.#condition(), this.#index(depth - 1), this.#index(depth - 1));
      case 11:
        return k.and(this.#load(), 15);
      case 12:
        return k.binary(this.#pick(['sshr', 'and', 'or', 'xor']), this.#index(depth - 1), this.#small());
      default:
        return this.#leaf();
    }
  }

  /** @param isFactor what is multiplied must not have grown, for the product is to stay within the buffers */
  #leaf(isFactor = false): ir.Value {
    const k = this.#k;
    switch (this.#random(11)) {
      case 0:
      case 1:
        return k.globalId(0);
      case 2:
        return k.globalId(this.#pick([1, 1, 2]));
      case 3:
        return k.localId(this.#pick([0, 1, 2]));
      case 4:
        return k.groupId(this.#pick([0, 1, 2]));
      case 5:
        return this.#random(3) === 0 ? k.item() : k.value(this.#small());
      case 6:
        return k.and(k.n, 7);
      case 7:
        return k.localSize(this.#pick([0, 1]));
      case 8:
        if (this.#variables.length === 0) return k.globalId(0);
        return isFactor ? k.and(k.get(this.#pick(this.#variables)), 15) : k.get(this.#pick(this.#variables));
      default:
        return this.#counters.length > 0 ? k.get(this.#pick(this.#counters)) : k.globalId(0);
    }
  }
}
