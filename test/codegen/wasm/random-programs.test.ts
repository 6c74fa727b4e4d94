/**
 * Random programs, compiled, against the interpreter: nested control flow over scalars and vectors with loads and
 * stores between. What they compute means nothing; that both sides agree does.
 */
import { describe, expect, it } from 'vitest';
import type { Builder } from '../../../src/ir/builder.ts';
import type * as ir from '../../../src/ir/ir.ts';
import { printModule } from '../../../src/ir/print.ts';
import { bool, f32, i8, i32, i64, type Type, vectorType } from '../../../src/ir/types.ts';
import { assertValid } from '../../../src/ir/verify.ts';
import { run } from '../../ir/run.ts';
import { globalPointer, items, kernelModule, launch } from './harness.ts';

const workItems = 8;
const rowBytes = 64;
const types: readonly Type[] = [
  i32,
  i64,
  i8,
  f32,
  bool,
  vectorType(i32, 4),
  vectorType(f32, 8),
  vectorType(i8, 3),
];

class Generator {
  readonly b: Builder;
  #seed: number;
  #budget = 120;
  /** Values in sight, innermost last. */
  #values: ir.Value[] = [];
  #exits: { target: ir.Block | ir.Loop; results: Type[] }[] = [];
  readonly #row: ir.Value;
  readonly #own: ir.Value;
  #contextArrays: ir.ContextArray[];

  constructor(b: Builder, seed: number, row: ir.Value, own: ir.Value, contextArrays: ir.ContextArray[]) {
    this.b = b;
    this.#seed = seed;
    this.#row = row;
    this.#own = own;
    this.#contextArrays = contextArrays;
  }

  pick(count: number): number {
    this.#seed = (Math.imul(this.#seed, 1103515245) + 12345) | 0;
    return ((this.#seed >>> 8) & 0xffff) % count;
  }

  /** A value of the type: one in sight, mostly a late one, or a constant. */
  value(type: Type): ir.Value {
    const fitting = this.#values.filter((one) => one.type === type);
    if (fitting.length > 0 && this.pick(5) > 0) {
      return fitting[Math.max(0, fitting.length - 1 - this.pick(6))]!;
    }
    if (type === bool) return this.b.constant(bool, this.pick(2) === 0);
    if (type === f32) return this.b.constant(f32, this.pick(9) - 4);
    if (type.kind === 'vector' && type.element === f32) {
      return this.b.constant(type, new Array<number>(type.lanes).fill(this.pick(5)));
    }
    return this.b.integer(type, this.pick(20) - 10);
  }

  statements(count: number, depth: number): void {
    for (let i = 0; i < count && this.#budget > 0; i++) {
      this.#budget--;
      this.statement(depth);
    }
  }

  statement(depth: number): void {
    const kind = this.pick(depth > 3 ? 8 : 13);
    if (kind < 5) this.#values.push(this.computation());
    else if (kind === 5) this.b.store(this.address(), this.value(i32), 4);
    else if (kind === 6) this.access();
    else if (kind === 7) this.contextArray();
    else if (kind === 8 || kind === 9) this.branch(depth);
    else if (kind === 10) this.choice(depth);
    else if (kind === 11) this.loop(depth);
    else this.block(depth);
  }

  contextArray(): void {
    const contextArray = this.#contextArrays[this.pick(this.#contextArrays.length)]!;
    if (this.pick(2) === 0) {
      const operand = this.value(contextArray.type);
      this.b.append({ op: 'context_write', contextArray, operands: [operand], results: [], regions: [] });
    } else {
      const result: ir.Value = { type: contextArray.type };
      this.b.append({ op: 'context_read', contextArray, operands: [], results: [result], regions: [] });
      this.#values.push(result);
    }
  }

  /** A load, and mostly a store to the same place before the loaded value is used. */
  access(): void {
    const address = this.address();
    const loaded = this.b.load(i32, address, 4);
    if (this.pick(4) > 0) {
      const stored = this.value(i32);
      if (this.pick(2) === 0) this.branch(3);
      this.b.store(address, stored, 4);
    }
    this.#values.push(this.b.binary('imul', loaded, this.value(i32)));
  }

  address(): ir.Value {
    const base = this.pick(2) === 0 ? this.#row : this.#own;
    const at = this.b.integer(i32, 4 * this.pick(8));
    if (this.pick(3) > 0) return this.b.offset(base, at);
    const index = this.b.binary('and', this.value(i32), this.b.integer(i32, 28));
    return this.b.offset(base, index);
  }

  computation(): ir.Value {
    const { b } = this;
    const type = types[this.pick(types.length)]!;
    const scalar = type.kind === 'vector' ? type.element : type;
    const choice = this.pick(8);
    if (choice === 0 && type.kind === 'vector') return b.splat(this.value(type.element), type);
    if (choice === 1 && type.kind === 'vector') {
      return b.insert(this.value(type), this.value(type.element), this.pick(type.lanes));
    }
    if (choice === 2) {
      const other = type === bool ? i64 : type;
      const condition =
        type.kind === 'vector'
          ? b.compare(scalar === f32 ? 'flt' : 'slt', this.value(type), this.value(type))
          : this.value(bool);
      return b.select(condition, this.value(other), this.value(other));
    }
    if (scalar === bool) {
      if (choice === 3) return b.unary('not', this.value(bool));
      if (choice === 4) return b.binary('xor', this.value(bool), this.value(bool));
      if (choice === 5) return b.compare('flt', this.value(f32), this.value(f32));
      return b.compare(
        (['slt', 'ult', 'eq', 'ne', 'sge'] as const)[this.pick(5)]!,
        this.value(i32),
        this.value(i32),
      );
    }
    if (choice === 3) {
      if (type === i32)
        return this.pick(2)
          ? b.convert('sext', this.value(i8), i32)
          : b.extract(this.value(vectorType(i32, 4)), this.pick(4));
      if (type === i64) return b.convert(this.pick(2) ? 'sext' : 'zext', this.value(i32), i64);
      if (type === i8) return b.convert('trunc', this.value(i32), i8);
      if (type === f32) return b.convert('stof', this.value(i32), f32);
    }
    if (scalar === f32) {
      return b.binary(
        (['fadd', 'fsub', 'fmul', 'fmin', 'fmax'] as const)[this.pick(5)]!,
        this.value(type),
        this.value(type),
      );
    }
    const fns = ['iadd', 'isub', 'imul', 'xor', 'and', 'shl', 'sshr', 'smax', 'umin'] as const;
    return b.binary(fns[this.pick(fns.length)]!, this.value(type), this.value(type));
  }

  /** Fills a region; what it defines is out of sight afterwards. Ends it with `end` unless it left by itself. */
  region(region: ir.Region, depth: number, end: () => void): void {
    const seen = this.#values.length;
    this.b.within(region, () => {
      this.#values.push(...region.parameters);
      this.statements(1 + this.pick(4), depth + 1);
      const exit = this.#exits[this.pick(this.#exits.length + 1)];
      if (exit && this.pick(4) === 0) {
        this.b.break(
          exit.target,
          exit.results.map((type) => this.value(type)),
        );
      } else end();
    });
    this.#values.length = seen;
  }

  resultTypes(): Type[] {
    return Array.from({ length: this.pick(3) }, () => types[this.pick(types.length)]!);
  }

  branch(depth: number): void {
    const results = this.resultTypes();
    const instruction = this.b.if(this.value(bool), results);
    for (const region of instruction.regions) {
      this.region(region, depth, () => this.b.yield(results.map((type) => this.value(type))));
    }
    this.#values.push(...instruction.results);
  }

  choice(depth: number): void {
    const results = this.resultTypes();
    const cases = this.pick(2) ? [[0], [1, 3], [-2], [2], [5]] : [[0], [1000, -1000]];
    const instruction = this.b.switch(this.value(i32), cases, results);
    for (const region of instruction.regions) {
      this.region(region, depth, () => this.b.yield(results.map((type) => this.value(type))));
    }
    this.#values.push(...instruction.results);
  }

  block(depth: number): void {
    const results = this.resultTypes();
    const instruction = this.b.block(results);
    this.#exits.push({ target: instruction, results });
    this.region(instruction.regions[0]!, depth, () => this.b.yield(results.map((type) => this.value(type))));
    this.#exits.pop();
    this.#values.push(...instruction.results);
  }

  /** A counted loop, its test at the top or at the end, with values carried round. */
  loop(depth: number): void {
    const { b } = this;
    const carried = this.resultTypes();
    const results = this.resultTypes();
    const instruction = b.loop([b.integer(i32, 0), ...carried.map((type) => this.value(type))], results);
    const [body] = instruction.regions as [ir.Region];
    const [counter] = body.parameters as [ir.Value];
    const isTestedFirst = this.pick(2) === 0;
    const outside = this.#exits;
    const leave = (): void =>
      b.break(
        instruction,
        results.map((type) => this.value(type)),
      );
    if (isTestedFirst) {
      b.within(body, () => {
        const test = b.if(b.compare('slt', counter, b.integer(i32, this.pick(5))));
        const [stay, go] = test.regions as [ir.Region, ir.Region];
        const seen = this.#values.length;
        this.#values.push(...body.parameters);
        b.within(go, leave);
        b.within(stay, () => b.yield());
        this.#values.length = seen;
      });
    }
    this.#exits = [...outside, { target: instruction, results }];
    this.region(body, depth, () => {
      const next = b.binary('iadd', counter, b.integer(i32, 1));
      const again = (): void => b.continue(instruction, [next, ...carried.map((type) => this.value(type))]);
      if (isTestedFirst) again();
      else {
        const test = b.if(b.compare('slt', next, b.integer(i32, this.pick(4))));
        b.within(test.regions[0]!, again);
        b.within(test.regions[1]!, leave);
        b.unreachable();
      }
    });
    this.#exits = outside;
    this.#values.push(...instruction.results);
  }

  /** Stores all scalars and vectors in sight, mixed into one number. */
  finish(): void {
    const { b } = this;
    let sum = b.integer(i32, 1);
    for (const value of this.#values) {
      let term = value;
      if (term.type.kind === 'vector') term = b.extract(term, term.type.lanes - 1);
      if (term.type === f32) term = b.convert('ftos', term, i32, { saturate: true });
      else if (term.type === i64) term = b.convert('trunc', term, i32);
      else if (term.type !== i32) term = b.convert('zext', term, i32);
      sum = b.binary('xor', b.binary('imul', sum, b.integer(i32, 31)), term);
    }
    b.store(b.offset(this.#row, b.integer(i32, rowBytes - 4)), sum, 4);
  }
}

function randomModule(seed: number): ir.Module {
  return kernelModule([globalPointer], (b, out) => {
    const contextArrays = [i32, f32, vectorType(i8, 3), bool].map((type, index) =>
      b.append<ir.ContextArray>({
        op: 'context_array',
        type,
        name: `s${index}`,
        operands: [],
        results: [],
        regions: [],
      }),
    );
    const own = b.variable('private', 32, 4, 'own');
    items(b, () => {
      const id = b.query('global_id', 0);
      const row = b.offset(out!, b.binary('imul', id, b.integer(i32, rowBytes)));
      b.fill(own, b.integer(i32, 32), 0, 4);
      for (const contextArray of contextArrays) {
        const zero =
          contextArray.type === bool
            ? b.constant(bool, false)
            : contextArray.type === f32
              ? b.constant(f32, 0)
              : b.integer(contextArray.type, 0);
        b.append({ op: 'context_write', contextArray, operands: [zero], results: [], regions: [] });
      }
      const generator = new Generator(b, seed, row, own, contextArrays);
      generator.statements(30, 0);
      generator.finish();
    });
  });
}

describe('random programs', () => {
  it.each(Array.from({ length: 20 }, (_, batch) => batch))('batch %d', (batch) => {
    for (let seed = batch * 25 + 1; seed <= batch * 25 + 25; seed++) {
      const module = randomModule(seed * 7919);
      assertValid(module, 'generation');
      const input = new Int32Array((workItems * rowBytes) / 4).map(
        (_, i) => Math.imul(i, 2654435761) >> (i % 30),
      );
      const expected = new Uint8Array(input.buffer.slice(0));
      const got = new Uint8Array(input.buffer.slice(0));
      run(module, [expected], { globalSize: [workItems], localSize: [4] });
      launch(module, 'k', { global: [workItems], local: [4] }, [got]);
      if (Buffer.compare(got, expected) !== 0) {
        expect.fail(`seed ${seed} differs:\n${printModule(module)}`);
      }
    }
  });
});
