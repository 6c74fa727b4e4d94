/**
 * The checks around what touches memory: in bounds (bounds.ts), no race with others, and what it does to what is known of
 * private variables (companions.ts).
 */
import type * as ir from '../../../ir/ir.ts';
import { i16, i32, i64, intType, sizeOf, vectorType } from '../../../ir/types.ts';
import { codes } from '../codes.ts';
import { stateWords } from '../shadow-layout.ts';
import type { Access } from './accesses-of.ts';
import type { Bounds } from './bounds.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Companions } from './companions.ts';
import type { CopyChecks } from './copy-checks.ts';
import type { LocalCounters } from './local-counters.ts';
import type { LocalIntervals } from './local-intervals.ts';
import type { Proven } from './loop-versions.ts';
import type { Objects, Place } from './objects.ts';
import type { RuntimeName } from './runtime-calls.ts';
import { type SharedSpace, whereShared } from './shared-places.ts';
import { isUnwritten } from './unwritten.ts';
import type { Updates } from './updates.ts';

/** Engines take long for functions that are too large. */
const mostShortWays = 100;

/** What is known of a function's accesses. */
interface AccessFacts {
  /** Whether it has fences, which may make any atomic operation order others. */
  readonly hasFence: boolean;
  /** Whether it has barriers that may order the accesses of some work-items only: then each that reads is noted. */
  readonly hasBarrierFlags: boolean;
  /** Undefined where work-items may come to different barriers. */
  readonly localIntervals: LocalIntervals | undefined;
  readonly counters: LocalCounters;
  readonly proven: Proven;
  readonly updates: Updates;
}

export class AccessChecks {
  readonly #writer: CheckWriter;
  readonly #objects: Objects;
  readonly #bounds: Bounds;
  readonly #companions: Companions;
  readonly #copies: CopyChecks;
  readonly #facts: AccessFacts;
  /** How many accesses have been given code that does without a call, mostly. */
  #shortWays = 0;
  /** Reads that are looked at with the write behind them. */
  readonly #deferred = new Set<ir.Load>();
  /** What async copies have read, and where. */
  readonly #copied = new Map<ir.Value, Place>();

  constructor(
    writer: CheckWriter,
    objects: Objects,
    bounds: Bounds,
    companions: Companions,
    copies: CopyChecks,
    facts: AccessFacts,
  ) {
    this.#writer = writer;
    this.#objects = objects;
    this.#bounds = bounds;
    this.#companions = companions;
    this.#copies = copies;
    this.#facts = facts;
  }

  loadOrStore(instruction: ir.Load | ir.Store): void {
    const pointer = instruction.operands[0]!;
    const value = instruction.op === 'load' ? instruction.results[0]! : instruction.operands[1]!;
    const bytes = sizeOf(value.type);
    const { proven } = this.#facts;
    const isInRange = proven.inRange.has(instruction);
    const watch = (place: Place): void => {
      if (instruction.op === 'load') this.#watchLoad(instruction, pointer, bytes, place);
      else this.#watchStore(instruction, pointer, bytes, place);
    };
    const place = this.#bounds.guard(pointer, bytes, instruction.align, instruction.op, isInRange, watch);
    instruction.operands[0] = place.pointer;
    this.#writer.builder.append(instruction);
    this.#companions.follow(instruction, place);
    if (!this.#writer.isCopying) return;
    if (instruction.op === 'load') this.#copied.set(value, place);
    else {
      const source = this.#copied.get(value);
      if (source) this.#copies.passOn(place, source, this.#writer.number(bytes), bytes);
    }
  }

  /** Whether an access only copies: what is undefined is passed on, and is no fault. */
  #isCopy(instruction: ir.Instruction): boolean {
    return this.#writer.isCopying || this.#writer.context.copies.isOfCopy(instruction);
  }

  #watchLoad(load: ir.Load, pointer: ir.Value, bytes: number, place: Place): void {
    const { proven, localIntervals, counters, updates } = this.#facts;
    if (proven.unwatched.has(load)) return;
    const writer = this.#writer;
    const isQuiet = localIntervals?.isQuiet(load);
    const isCopy = this.#isCopy(load);
    // No write can race with it, and that is all there would be to ask.
    if (isCopy && isQuiet) return;
    // The store that follows looks at both.
    if (
      !isQuiet &&
      !isCopy &&
      updates.isRead(load) &&
      this.#shiftOfUpdate(pointer, bytes, place) !== undefined
    ) {
      this.#deferred.add(load);
      return;
    }
    const watch = (): void =>
      this.#watch(place, isCopy ? 'copy' : 'load', bytes, (space, who) => {
        const operands = [writer.address(place.pointer), writer.number(bytes), who];
        const isNoted = isQuiet || this.#facts.hasBarrierFlags;
        const shift = isNoted ? undefined : this.#shiftOfShortWay(pointer, bytes, space);
        if (shift === undefined) return writer.call('read', [...operands, this.#isLocal(space)]);
        operands.push(writer.number(shift));
        if (space === 'global') return writer.call('read_global', operands);
        return writer.call('read_local', [...operands, this.#isInside(place)]);
      });
    if (!isQuiet) {
      watch();
      return;
    }
    const watchUnwritten = (): void => {
      const isInside = this.#isSurelyInside(place);
      writer.when(isUnwritten(writer, place.pointer, bytes, isInside), watch);
    };
    const left = counters.left(place.root);
    if (left) writer.when(writer.builder.compare('ne', left, writer.number(0)), watchUnwritten);
    else watchUnwritten();
  }

  #watchStore(store: ir.Store, pointer: ir.Value, bytes: number, place: Place): void {
    const value = store.operands[1]!;
    const load = this.#facts.updates.readBefore(store);
    if (!load || !this.#deferred.has(load)) {
      this.#watch(place, 'store', bytes, (space, who) =>
        this.#writeChecks(pointer, place, value, who, space),
      );
      return;
    }
    const writer = this.#writer;
    const { builder } = writer;
    const base = place.root && this.#objects.baseOf(place.root);
    const who = writer.who('store', base, bytes);
    const { span } = builder;
    builder.span = load.span;
    const reader = writer.who('load', base, bytes);
    builder.span = span;
    const address = writer.address(place.pointer);
    const word = this.#pieces(value)[0]!;
    const shift = writer.number(writer.context.shifts.local);
    const isDone = writer.call('update_local', [address, word, reader, who, shift, this.#isInside(place)]);
    writer.when(builder.compare('eq', isDone, writer.number(0)), () => {
      this.#reportIfFault(
        place,
        reader,
        writer.call('read', [address, writer.number(bytes), reader, writer.number(1)]),
      );
      this.#nameCounter(place, 'local');
      this.#reportIfFault(place, who, writer.call('write4', [address, word, who, writer.number(1)]));
    });
  }

  /** The granules of local memory, where one look can do for a read and the write behind it. */
  #shiftOfUpdate(pointer: ir.Value, bytes: number, place: Place): number | undefined {
    const { root } = place;
    if (!root || this.#objects.spaceOf(root) !== 'local' || bytes !== 4) return undefined;
    const { type } = pointer;
    return type.kind === 'pointer' && type.space === 'local'
      ? this.#shiftOfShortWay(pointer, bytes, 'local')
      : undefined;
  }

  /** Whether a place in an object is surely where the object is: of pointers that may lead anywhere the type tells too little. */
  #isSurelyInside({ root }: Place): boolean {
    if (!root) return false;
    return this.#objects.sizeOf(root) !== undefined || this.#objects.factsOf(root) !== undefined;
  }

  #isInside(place: Place): ir.Value {
    return this.#writer.number(this.#isSurelyInside(place) ? 1 : 0);
  }

  #isLocal(space: SharedSpace): ir.Value {
    return this.#writer.number(space === 'local' ? 1 : 0);
  }

  /** For an access of one granule, unless the function has enough of code for such: the granule's. */
  #shiftOfShortWay(pointer: ir.Value, bytes: number, space: SharedSpace): number | undefined {
    const shift = this.#writer.context.shifts[space];
    if (space === 'local' && this.#writer.context.tracksLocal) return undefined;
    if (bytes !== 1 << shift || this.#shortWays === mostShortWays) return undefined;
    if (!this.#bounds.isAligned(pointer, bytes)) return undefined;
    this.#shortWays += 1;
    return shift;
  }

  /** Compares what is there with what comes, piece by piece. */
  #writeChecks(
    pointer: ir.Value,
    place: Place,
    value: ir.Value,
    who: ir.Value,
    space: SharedSpace,
  ): ir.Value {
    const writer = this.#writer;
    const { builder } = writer;
    const start = writer.address(place.pointer);
    const inLocal = [this.#isInside(place), this.#facts.counters.addressFor(place.root)];
    let found: ir.Value | undefined;
    let at = 0;
    for (const piece of this.#pieces(value)) {
      const bytes = sizeOf(piece.type);
      const name = `write${bytes}` as RuntimeName;
      const address = at === 0 ? start : builder.binary('iadd', start, writer.number(at));
      const word = bytes < 4 ? builder.convert('zext', piece, i32) : piece;
      const shift = bytes === 4 ? this.#shiftOfShortWay(pointer, bytes, space) : undefined;
      let code: ir.Value;
      if (shift === undefined) {
        this.#nameCounter(place, space);
        code = writer.call(name, [address, word, who, this.#isLocal(space)]);
      } else {
        const operands = [address, word, who, writer.number(shift)];
        code = writer.call(`write_${space}`, space === 'local' ? [...operands, ...inLocal] : operands);
      }
      found = found ? builder.binary('umax', found, code) : code;
      at += bytes;
    }
    return found!;
  }

  /** Tells the library which object's granules it is about to write. */
  #nameCounter({ root }: Place, space: SharedSpace): void {
    if (space !== 'local') return;
    const { builder, context } = this.#writer;
    const at = builder.offset(context.runtime.state(builder), this.#writer.number(4 * stateWords.leftAt));
    builder.store(at, this.#facts.counters.addressFor(root), 4);
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
    const watch = (place: Place): void => this.#watchAtomic(instruction, pointer, bytes, place);
    const place = this.#bounds.guard(pointer, bytes, bytes, 'atomic', false, watch);
    instruction.operands[0] = place.pointer;
    builder.append(instruction);
    this.#companions.follow(instruction, place);
    const { order } = instruction;
    const acquires = order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
    if (acquires || this.#facts.hasFence) writer.context.runtime.call(builder, 'order', []);
  }

  #watchAtomic(instruction: ir.Atomic, pointer: ir.Value, bytes: number, place: Place): void {
    const writer = this.#writer;
    const { builder } = writer;
    const { type } = (instruction.results[0] ?? instruction.operands[1])!;
    this.#watch(place, 'atomic', bytes, (space, who) => {
      const common = [writer.address(place.pointer), writer.number(bytes), who];
      const operands = [...common, this.#isLocal(space)];
      if (instruction.fn === 'load') return writer.call('atomic_load', operands);
      const isStore = writer.number(instruction.fn === 'store' ? 1 : 0);
      const changing = [...operands, isStore];
      if (instruction.fn !== 'compare_exchange') {
        const shift = space === 'local' ? this.#shiftOfShortWay(pointer, bytes, space) : undefined;
        if (shift === undefined) return writer.call('atomic', changing);
        return writer.call('atomic_on_local', [
          ...common,
          writer.number(shift),
          this.#isInside(place),
          isStore,
        ]);
      }
      // One that fails only looks.
      const before = builder.load(type, place.pointer, bytes);
      const choice = builder.if(builder.compare('eq', before, instruction.operands[1]!), [i32]);
      builder.within(choice.regions[0]!, () => builder.yield([writer.call('atomic', changing)]));
      builder.within(choice.regions[1]!, () => builder.yield([writer.call('atomic_load', operands)]));
      return choice.results[0]!;
    });
  }

  copy(instruction: ir.Copy): void {
    const writer = this.#writer;
    const [to, from, bytes] = instruction.operands as [ir.Value, ir.Value, ir.Value];
    const target = this.#bounds.guardRange(to, bytes, 'store');
    const source = this.#bounds.guardRange(from, target.bytes, 'load');
    const count = source.bytes;
    this.#watch(source.place, 'copy', 0, (space, who) =>
      writer.call('read', [writer.address(source.place.pointer), count, who, this.#isLocal(space)]),
    );
    this.#watch(target.place, 'store', 0, (space, who) => {
      this.#nameCounter(target.place, space);
      const address = writer.address(target.place.pointer);
      const other = writer.address(source.place.pointer);
      return writer.call('write_range', [address, other, writer.number(0), count, who, this.#isLocal(space)]);
    });
    instruction.operands = [target.place.pointer, source.place.pointer, count];
    writer.builder.append(instruction);
    this.#copies.copied(instruction, target.place, source.place, count, this.#objects.constant(bytes) ?? 0);
  }

  fill(instruction: ir.Fill): void {
    const writer = this.#writer;
    const [to, bytes] = instruction.operands as [ir.Value, ir.Value];
    const target = this.#bounds.guardRange(to, bytes, 'store');
    this.#watch(target.place, 'store', 0, (space, who) => {
      this.#nameCounter(target.place, space);
      const address = writer.address(target.place.pointer);
      const operands = [address, writer.number(0), writer.number(instruction.byte)];
      return writer.call('write_range', [...operands, target.bytes, who, this.#isLocal(space)]);
    });
    instruction.operands = [target.place.pointer, target.bytes];
    writer.builder.append(instruction);
    this.#companions.follow(instruction, target.place);
  }

  /** @param access a copy, for what is read only to be passed on: undefined or not */
  #reportIfFault({ pointer, offset }: Place, who: ir.Value, code: ir.Value, access: Access = 'load'): void {
    const writer = this.#writer;
    const { builder, context } = writer;
    let isFault = builder.compare('ne', code, writer.number(0));
    if (access === 'copy') {
      const isOther = builder.compare('ne', code, writer.number(codes.unwritten));
      isFault = builder.binary('and', isFault, isOther);
    }
    writer.when(isFault, () =>
      context.runtime.report(builder, code, who, writer.address(pointer), offset ?? writer.number(0)),
    );
  }

  /** Notes an access to memory that work-items share, and reports what `check` finds. */
  #watch(
    place: Place,
    access: Access,
    bytes: number,
    check: (space: SharedSpace, who: ir.Value) => ir.Value,
  ): void {
    const writer = this.#writer;
    const { root } = place;
    whereShared(writer, this.#objects, place, (space) => {
      const base = root && this.#objects.baseOf(root);
      // A copy is so by its read.
      const who = writer.who(access === 'copy' ? 'load' : access, base, bytes);
      this.#reportIfFault(place, who, check(space, who), access);
    });
  }
}
