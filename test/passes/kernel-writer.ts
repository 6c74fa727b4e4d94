/**
 * Writes kernels for tests the way a language front end lowers them: every variable in memory, structured control,
 * barriers where they are. A test says in a few lines what would be a page of IR text.
 */
import { Builder, newRegion, newValue } from '../../src/ir/builder.ts';
import type * as ir from '../../src/ir/ir.ts';
import { bool, i32, pointerType, type Type } from '../../src/ir/types.ts';

/** A value, or an integer that becomes a constant. */
export type Operand = ir.Value | number;

/** A variable of 32-bit integers. */
export interface Variable {
  readonly address: ir.Value;
}

export class KernelWriter {
  readonly builder: Builder;
  readonly module: ir.Module;
  readonly fn: ir.Function;
  /** Arguments: 32-bit input, 32-bit output (one a work-item at least), a number, local memory. */
  readonly input: ir.Value;
  readonly output: ir.Value;
  readonly n: ir.Value;
  readonly local: ir.Value;
  /** How the next loop asks to be unrolled. */
  unroll: number | undefined;
  /** Whether the region that is being written has ended. */
  #ended = false;
  readonly #loops: { breakTo: ir.Block | ir.Loop; continueTo: ir.Block | ir.Loop }[] = [];

  constructor(name = 'test') {
    const parameter = (type: Type, parameterName: string): ir.Parameter => ({
      value: newValue(type, parameterName),
    });
    const parameters = [
      parameter(pointerType('global'), 'input'),
      parameter(pointerType('global'), 'output'),
      parameter(i32, 'n'),
      parameter(pointerType('local'), 'local'),
    ];
    [this.input, this.output, this.n, this.local] = parameters.map(({ value }) => value) as [
      ir.Value,
      ir.Value,
      ir.Value,
      ir.Value,
    ];
    const body = newRegion();
    this.fn = { name, kind: 'kernel', parameters, result: undefined, body, form: 'work-item' };
    this.module = { addressBits: 32, globals: [], functions: [this.fn] };
    this.builder = new Builder(body, 32);
  }

  // ----------------------------------------------------------------------------------------------- expressions

  value(operand: Operand): ir.Value {
    return typeof operand === 'number' ? this.builder.integer(i32, operand) : operand;
  }

  #binary(fn: ir.BinaryFunction, a: Operand, b: Operand): ir.Value {
    return this.builder.binary(fn, this.value(a), this.value(b));
  }

  add = (a: Operand, b: Operand): ir.Value => this.#binary('iadd', a, b);
  sub = (a: Operand, b: Operand): ir.Value => this.#binary('isub', a, b);
  mul = (a: Operand, b: Operand): ir.Value => this.#binary('imul', a, b);
  and = (a: Operand, b: Operand): ir.Value => this.#binary('and', a, b);
  xor = (a: Operand, b: Operand): ir.Value => this.#binary('xor', a, b);
  rem = (a: Operand, b: Operand): ir.Value => this.#binary('urem', a, b);
  div = (a: Operand, b: Operand): ir.Value => this.#binary('udiv', a, b);
  shl = (a: Operand, b: Operand): ir.Value => this.#binary('shl', a, b);
  binary = (fn: ir.BinaryFunction, a: Operand, b: Operand): ir.Value => this.#binary(fn, a, b);

  compare(fn: ir.CompareFunction, a: Operand, b: Operand): ir.Value {
    return this.builder.compare(fn, this.value(a), this.value(b));
  }

  lt = (a: Operand, b: Operand): ir.Value => this.compare('slt', a, b);
  eq = (a: Operand, b: Operand): ir.Value => this.compare('eq', a, b);
  ne = (a: Operand, b: Operand): ir.Value => this.compare('ne', a, b);

  globalId = (dimension: 0 | 1 | 2 = 0): ir.Value => this.builder.query('global_id', dimension);
  localId = (dimension: 0 | 1 | 2 = 0): ir.Value => this.builder.query('local_id', dimension);
  groupId = (dimension: 0 | 1 | 2 = 0): ir.Value => this.builder.query('group_id', dimension);
  localSize = (dimension: 0 | 1 | 2 = 0): ir.Value => this.builder.query('local_size', dimension);
  /** The work-item's number in its group. */
  item = (): ir.Value => this.builder.query('linear_local_id');

  /** The work-item's number in the whole range, group after group; needs one dimension of groups. */
  globalItem(): ir.Value {
    const { add, mul, groupId, localSize } = this;
    const itemsOfGroup = mul(mul(localSize(0), localSize(1)), localSize(2));
    const numGroups = (dimension: 0 | 1 | 2): ir.Value => this.builder.query('num_groups', dimension);
    const group = add(mul(add(mul(groupId(2), numGroups(1)), groupId(1)), numGroups(0)), groupId(0));
    return add(mul(group, itemsOfGroup), this.item());
  }

  // -------------------------------------------------------------------------------------------------- memory

  #element(pointer: ir.Value, index: Operand): ir.Value {
    return this.builder.offset(pointer, this.mul(index, 4));
  }

  load(pointer: ir.Value, index: Operand): ir.Value {
    return this.builder.load(i32, this.#element(pointer, index), 4);
  }

  store(pointer: ir.Value, index: Operand, value: Operand): void {
    this.builder.store(this.#element(pointer, index), this.value(value), 4);
  }

  variable(name: string, initial?: Operand): Variable {
    const address = this.builder.variable('private', 4, 4, name);
    if (initial !== undefined) this.builder.store(address, this.value(initial), 4);
    return { address };
  }

  array(name: string, length: number, space: 'private' | 'local' = 'private'): ir.Value {
    return this.builder.variable(space, length * 4, 4, name);
  }

  get(variable: Variable): ir.Value {
    return this.builder.load(i32, variable.address, 4);
  }

  set(variable: Variable, value: Operand): void {
    this.builder.store(variable.address, this.value(value), 4);
  }

  /** variable = variable * 31 + value: keeps the order of what happened visible. */
  mix(variable: Variable, value: Operand): void {
    this.set(variable, this.add(this.mul(this.get(variable), 31), value));
  }

  // ------------------------------------------------------------------------------------------------- control

  get hasEnded(): boolean {
    return this.#ended;
  }

  barrier(): void {
    this.builder.barrier(['local', 'global']);
  }

  /** Fills a region; what it does not end itself is ended by `end`. @returns whether it ended itself */
  #fill(region: ir.Region, body: () => void, end: () => void): boolean {
    this.#ended = false;
    this.builder.within(region, () => {
      body();
      if (!this.#ended) end();
    });
    const ended = this.#ended;
    this.#ended = false;
    return ended;
  }

  if(condition: ir.Value, then: () => void, otherwise: () => void = () => {}): void {
    const choice = this.builder.if(condition);
    const first = this.#fill(choice.regions[0]!, then, () => this.builder.yield());
    const second = this.#fill(choice.regions[1]!, otherwise, () => this.builder.yield());
    if (first && second) this.#unreachable();
  }

  #unreachable(): void {
    this.builder.unreachable();
    this.#ended = true;
  }

  /** No fall-through: one body a label, the last body is the default's. */
  switch(value: ir.Value, labels: readonly (readonly number[])[], bodies: readonly (() => void)[]): void {
    const choice = this.builder.switch(value, labels);
    let all = true;
    for (const [index, body] of bodies.entries()) {
      const ended = this.#fill(choice.regions[index]!, body, () => this.builder.yield());
      all &&= ended;
    }
    if (all) this.#unreachable();
  }

  block(body: (exit: () => void) => void): void {
    const block = this.builder.block();
    this.#fill(
      block.regions[0]!,
      () =>
        body(() => {
          this.builder.break(block);
          this.#ended = true;
        }),
      () => this.builder.yield(),
    );
  }

  /** while (condition) body; step runs also after `continue`. */
  #newLoop(): ir.Loop {
    const loop = this.builder.loop([], [], this.unroll);
    this.unroll = undefined;
    return loop;
  }

  while(condition: () => ir.Value, body: () => void, step: () => void = () => {}): void {
    const loop = this.#newLoop();
    this.builder.within(loop.regions[0]!, () => {
      this.if(
        condition(),
        () => {},
        () => {
          this.builder.break(loop);
          this.#ended = true;
        },
      );
      const block = this.builder.block();
      this.#loops.push({ breakTo: loop, continueTo: block });
      this.#fill(block.regions[0]!, body, () => this.builder.yield());
      this.#loops.pop();
      step();
      this.builder.continue(loop);
    });
    this.#ended = false;
  }

  for(name: string, from: Operand, to: Operand, body: (index: Variable) => void): void {
    const index = this.variable(name, from);
    this.while(
      () => this.lt(this.get(index), to),
      () => body(index),
      () => this.set(index, this.add(this.get(index), 1)),
    );
  }

  doWhile(body: () => void, condition: () => ir.Value): void {
    const loop = this.#newLoop();
    this.builder.within(loop.regions[0]!, () => {
      const block = this.builder.block();
      this.#loops.push({ breakTo: loop, continueTo: block });
      this.#fill(block.regions[0]!, body, () => this.builder.yield());
      this.#loops.pop();
      this.if(
        condition(),
        () => {
          this.builder.continue(loop);
          this.#ended = true;
        },
        () => {
          this.builder.break(loop);
          this.#ended = true;
        },
      );
    });
    this.#ended = false;
  }

  /** A bare loop; `again` is a continue to its head itself. */
  forever(body: (again: () => void) => void): void {
    const loop = this.builder.loop();
    this.#loops.push({ breakTo: loop, continueTo: loop });
    const again = (): void => {
      this.builder.continue(loop);
      this.#ended = true;
    };
    this.#fill(loop.regions[0]!, () => body(again), again);
    this.#loops.pop();
  }

  /** @param outwards how many loops to leave besides the innermost */
  break(outwards = 0): void {
    this.builder.break(this.#loops.at(-1 - outwards)!.breakTo);
    this.#ended = true;
  }

  continue(outwards = 0): void {
    const { continueTo } = this.#loops.at(-1 - outwards)!;
    if (continueTo.op === 'loop') this.builder.continue(continueTo);
    else this.builder.break(continueTo);
    this.#ended = true;
  }

  return(): void {
    this.builder.return();
    this.#ended = true;
  }

  /** Ends the body. */
  finish(): ir.Module {
    if (!this.#ended) this.builder.return();
    return this.module;
  }

  readonly bool = bool;
}

/** A kernel whose body `write` writes. */
export function writeKernel(write: (k: KernelWriter) => void): ir.Module {
  const writer = new KernelWriter();
  write(writer);
  return writer.finish();
}
