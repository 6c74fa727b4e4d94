/**
 * The checks around what touches memory: in bounds (bounds.ts), no race with others, and what it does to what is known of
 * private variables (companions.ts).
 */
import type * as ir from '../../ir/ir.ts';
import { i16, i32, i64, intType, sizeOf, vectorType } from '../../ir/types.ts';
import type { Access } from './accesses-of.ts';
import type { Bounds } from './bounds.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Companions } from './companions.ts';
import type { LocalIntervals } from './local-intervals.ts';
import type { Objects, Place } from './objects.ts';
import type { RuntimeName } from './runtime-calls.ts';
import { isUnwritten } from './unwritten.ts';

/** The address spaces of memory that work-items share. */
type SharedSpace = 'global' | 'local';

/** Engines take long for functions that are too large. */
const mostShortWays = 100;

/** What is known of a function's order among accesses. */
interface Order {
  /** Whether it has fences, which may make any atomic operation order others. */
  readonly hasFence: boolean;
  /** Undefined where work-items may come to different barriers. */
  readonly localIntervals: LocalIntervals | undefined;
}

export class AccessChecks {
  readonly #writer: CheckWriter;
  readonly #objects: Objects;
  readonly #bounds: Bounds;
  readonly #companions: Companions;
  readonly #order: Order;
  /** How many accesses have been given code that does without a call, mostly. */
  #shortWays = 0;

  constructor(writer: CheckWriter, objects: Objects, bounds: Bounds, companions: Companions, order: Order) {
    this.#writer = writer;
    this.#objects = objects;
    this.#bounds = bounds;
    this.#companions = companions;
    this.#order = order;
  }

  loadOrStore(instruction: ir.Load | ir.Store): void {
    const writer = this.#writer;
    const pointer = instruction.operands[0]!;
    const value = instruction.op === 'load' ? instruction.results[0]! : instruction.operands[1]!;
    const bytes = sizeOf(value.type);
    const isQuiet = instruction.op === 'load' && this.#order.localIntervals?.isQuiet(instruction);
    const place = this.#bounds.guard(pointer, bytes, instruction.align, instruction.op);
    instruction.operands[0] = place.pointer;
    const watch = (): void =>
      this.#watch(place, instruction.op, bytes, (space, who) => {
        const address = writer.address(place.pointer);
        if (instruction.op === 'store') return this.#writeChecks(pointer, address, value, who, space);
        const operands = [address, writer.number(bytes), who];
        const shift = isQuiet ? undefined : this.#shiftOfShortWay(pointer, bytes, space);
        return shift === undefined
          ? writer.call('read', [...operands, this.#isLocal(space)])
          : writer.call(`read_${space}`, [...operands, writer.number(shift)]);
      });
    if (isQuiet) {
      const isInside = place.root !== undefined && this.#objects.sizeOf(place.root) !== undefined;
      writer.when(isUnwritten(writer, place.pointer, bytes, isInside), watch);
    } else watch();
    writer.builder.append(instruction);
    this.#companions.follow(instruction, pointer, place);
  }

  #isLocal(space: SharedSpace): ir.Value {
    return this.#writer.number(space === 'local' ? 1 : 0);
  }

  /** For an access of one granule, unless the function has enough of code for such: the granule's. */
  #shiftOfShortWay(pointer: ir.Value, bytes: number, space: SharedSpace): number | undefined {
    const shift = this.#writer.context.shifts[space];
    if (bytes !== 1 << shift || this.#shortWays === mostShortWays) return undefined;
    if (!this.#bounds.isAligned(pointer, bytes)) return undefined;
    this.#shortWays += 1;
    return shift;
  }

  /** Compares what is there with what comes, piece by piece. */
  #writeChecks(
    pointer: ir.Value,
    address: ir.Value,
    value: ir.Value,
    who: ir.Value,
    space: SharedSpace,
  ): ir.Value {
    const writer = this.#writer;
    const { builder } = writer;
    let found: ir.Value | undefined;
    let at = 0;
    for (const piece of this.#pieces(value)) {
      const bytes = sizeOf(piece.type);
      const name = `write${bytes}` as RuntimeName;
      const place = at === 0 ? address : builder.binary('iadd', address, writer.number(at));
      const word = bytes < 4 ? builder.convert('zext', piece, i32) : piece;
      const shift = bytes === 4 ? this.#shiftOfShortWay(pointer, bytes, space) : undefined;
      const code =
        shift === undefined
          ? writer.call(name, [place, word, who, this.#isLocal(space)])
          : writer.call(`write_${space}`, [place, word, who, writer.number(shift)]);
      found = found ? builder.binary('umax', found, code) : code;
      at += bytes;
    }
    return found!;
  }

  /** A value as integers of up to eight bytes, as they lie in memory. */
  #pieces(value: ir.Value): ir.Value[] {
    const { builder } = this.#writer;
    const { type } = value;
    if (type.kind === 'pointer' || type.kind === 'opaque') return [builder.convert('ptoi', value, i32)];
    if (type.kind === 'bool') return [builder.convert('zext', value, intType(8))];
    if (type.kind === 'int') return [value];
    if (type.kind === 'float') return [builder.convert('bitcast', value, intType(type.bits))];
    const bytes = sizeOf(type);
    if (type.lanes === 3) {
      return [0, 1, 2].flatMap((lane) => this.#pieces(builder.extract(value, lane)));
    }
    if (bytes <= 8) return [builder.convert('bitcast', value, bytes === 2 ? i16 : bytes === 4 ? i32 : i64)];
    const lanes = bytes / 8;
    const words = builder.convert('bitcast', value, vectorType(i64, lanes as 2 | 4 | 8 | 16));
    return Array.from({ length: lanes }, (_, lane) => builder.extract(words, lane));
  }

  atomic(instruction: ir.Atomic): void {
    const writer = this.#writer;
    const { builder } = writer;
    const pointer = instruction.operands[0]!;
    const { type } = (instruction.results[0] ?? instruction.operands[1])!;
    const bytes = sizeOf(type);
    const place = this.#bounds.guard(pointer, bytes, bytes, 'atomic');
    instruction.operands[0] = place.pointer;
    this.#watch(place, 'atomic', bytes, (space, who) => {
      const common = [writer.address(place.pointer), writer.number(bytes), who];
      const operands = [...common, this.#isLocal(space)];
      if (instruction.fn === 'load') return writer.call('atomic_load', operands);
      const isStore = writer.number(instruction.fn === 'store' ? 1 : 0);
      const changing = [...operands, isStore];
      if (instruction.fn !== 'compare_exchange') {
        const shift = space === 'local' ? this.#shiftOfShortWay(pointer, bytes, space) : undefined;
        if (shift === undefined) return writer.call('atomic', changing);
        return writer.call('atomic_on_local', [...common, writer.number(shift), isStore]);
      }
      // One that fails only looks.
      const before = builder.load(type, place.pointer, bytes);
      const choice = builder.if(builder.compare('eq', before, instruction.operands[1]!), [i32]);
      builder.within(choice.regions[0]!, () => builder.yield([writer.call('atomic', changing)]));
      builder.within(choice.regions[1]!, () => builder.yield([writer.call('atomic_load', operands)]));
      return choice.results[0]!;
    });
    builder.append(instruction);
    this.#companions.follow(instruction, pointer, place);
    const { order } = instruction;
    const acquires = order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
    if (acquires || this.#order.hasFence) writer.context.runtime.call(builder, 'order', []);
  }

  copy(instruction: ir.Copy): void {
    const writer = this.#writer;
    const [to, from, bytes] = instruction.operands as [ir.Value, ir.Value, ir.Value];
    const target = this.#bounds.guardRange(to, bytes, 'store');
    const source = this.#bounds.guardRange(from, target.bytes, 'load');
    const count = source.bytes;
    this.#watch(source.place, 'load', 0, (space, who) =>
      writer.call('read', [writer.address(source.place.pointer), count, who, this.#isLocal(space)]),
    );
    this.#watch(target.place, 'store', 0, (space, who) => {
      const address = writer.address(target.place.pointer);
      const other = writer.address(source.place.pointer);
      return writer.call('write_range', [address, other, writer.number(0), count, who, this.#isLocal(space)]);
    });
    instruction.operands = [target.place.pointer, source.place.pointer, count];
    writer.builder.append(instruction);
    this.#companions.follow(instruction, to, target.place, source.place);
  }

  fill(instruction: ir.Fill): void {
    const writer = this.#writer;
    const [to, bytes] = instruction.operands as [ir.Value, ir.Value];
    const target = this.#bounds.guardRange(to, bytes, 'store');
    this.#watch(target.place, 'store', 0, (space, who) => {
      const address = writer.address(target.place.pointer);
      const operands = [address, writer.number(0), writer.number(instruction.byte)];
      return writer.call('write_range', [...operands, target.bytes, who, this.#isLocal(space)]);
    });
    instruction.operands = [target.place.pointer, target.bytes];
    writer.builder.append(instruction);
    this.#companions.follow(instruction, to, target.place);
  }

  /** Notes an access to memory that work-items share, and reports what `check` finds. */
  #watch(
    { pointer, root }: Place,
    access: Access,
    bytes: number,
    check: (space: SharedSpace, who: ir.Value) => ir.Value,
  ): void {
    const objects = this.#objects;
    const writer = this.#writer;
    const { builder, context } = writer;
    const space = pointer.type.kind === 'pointer' ? pointer.type.space : 'generic';
    const actual = space === 'generic' && root ? objects.spaceOf(root) : space;
    if (actual !== 'global' && actual !== 'local') return;
    if (root && objects.isPipe(root)) return;
    const write = (): void => {
      const who = writer.who(access, root && objects.baseOf(root), bytes);
      const code = check(actual, who);
      writer.when(builder.compare('ne', code, writer.number(0)), () =>
        context.runtime.report(builder, code, who, writer.address(pointer), writer.number(0)),
      );
    };
    const facts = root?.kind === 'parameter' ? context.argumentFacts.get(root.index) : undefined;
    if (!facts || actual === 'local') write();
    else writer.when(builder.compare('ne', facts.watched, writer.number(0)), write);
  }
}
