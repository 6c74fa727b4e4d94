/**
 * Writes checks into a function. It is done in two stages, between which the passes turn variables into values.
 *
 * In the first, private variables that are accessed at constant places get companions (definedness.ts): afterwards most
 * of them are values, and nothing would tell any more that one was never set. In the second, pointers lead to their objects,
 * and every access that is left is checked:
 *
 *     %x = load %p               %off = ...                                  how far into its object
 *                                %bad = off + 4 > bytes of the object
 *                        =>      %q = if %bad { report; yield %scratch } else { yield %p }
 *                                if %watched { if check_read(%q, 4, who) != 0 { report } }
 *                                %x = load %q
 *
 * Bytes of arguments, and whether anybody must watch them, come with the launch as further parameters (check-module.ts).
 */
import { asyncMarks } from '../../ir/async-marks.ts';
import { Builder, newRegion } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { isBarrier } from '../../ir/ir.ts';
import {
  type AddressSpace,
  bool,
  i16,
  i32,
  i64,
  intType,
  sizeOf,
  type Type,
  vectorType,
} from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { BarrierPlan } from '../../passes/barrier-plan.ts';
import { analyseUniformity } from '../../passes/uniformity.ts';
import { codes } from '../codes.ts';
import { groupItself, itemShift, siteShift, stateWords } from '../shadow-layout.ts';
import type { Base, SiteKind, Sites } from '../sites.ts';
import { Alignments } from './alignments.ts';
import { Definedness, movedOperands } from './definedness.ts';
import { closedVariables, PointerRoots, type Root } from './pointer-roots.ts';
import type { RuntimeCalls, RuntimeName } from './runtime-calls.ts';

/** What a launch says of a pointer argument. */
export interface ArgumentFacts {
  /** Bytes that may be read, and written; neither for null. */
  readonly readable: ir.Value;
  readonly writable: ir.Value;
  /** Not zero if accesses must be remembered. */
  readonly watched: ir.Value;
}

export interface CheckContext {
  readonly runtime: RuntimeCalls;
  readonly sites: Sites;
  /** By the index of the parameter; none in helpers. */
  readonly argumentFacts: ReadonlyMap<number, ArgumentFacts>;
  /** What the first stage has given companions; the second leaves them alone, for the code is there. */
  readonly settled: Map<ir.Variable, ir.Value>;
}

/** A place that an access is made at. */
interface Place {
  readonly pointer: ir.Value;
  /** Bytes from the object's beginning, made safe; undefined where the object is not known. */
  readonly offset: ir.Value | undefined;
  readonly root: Root | undefined;
}

type Access = 'load' | 'store' | 'atomic' | 'copy';

export type Stage = 'values' | 'accesses';

/** Rewrites the body of a function in work-item form. */
export function checkFunction(fn: ir.Function, stage: Stage, context: CheckContext): void {
  if (fn.body) new FunctionChecker(fn, fn.body, stage, context).run();
}

class FunctionChecker {
  readonly #fn: ir.Function;
  readonly #body: ir.Region;
  readonly #stage: Stage;
  readonly #context: CheckContext;
  readonly #builder: Builder;
  readonly #roots: PointerRoots;
  readonly #alignments: Alignments;
  readonly #definedness: Definedness;
  /** Variables that get a companion now. */
  readonly #watched: Set<ir.Variable>;
  /** The companions of this stage. */
  readonly #companions: Map<ir.Variable, ir.Value>;
  /** Accesses to companions of the stage before. */
  readonly #own = new Set<ir.Instruction>();
  #item: ir.Value | undefined;
  #itemBits: ir.Value | undefined;
  #hasFence = false;
  #hasAsync = false;
  /** Whether the next loop makes an async copy, or the one does that is being checked. */
  #copyFollows = false;
  #isCopying = false;
  /** Whether nothing must be noted at barriers to see that all reach them. */
  #isTogether = false;

  constructor(fn: ir.Function, body: ir.Region, stage: Stage, context: CheckContext) {
    this.#fn = fn;
    this.#body = body;
    this.#stage = stage;
    this.#context = context;
    this.#builder = new Builder(body, 32);
    this.#roots = new PointerRoots(fn);
    this.#alignments = new Alignments(this.#roots);
    this.#watched = closedVariables(fn, this.#roots);
    this.#companions = stage === 'values' ? context.settled : new Map();
    for (const variable of context.settled.keys()) this.#watched.delete(variable);
    if (stage === 'values') this.#keepFixed();
    this.#definedness = new Definedness(this.#builder, (isBad, variable) =>
      this.#reportIf(isBad, codes.undefinedValue, 'value', baseOfVariable(variable), 0),
    );
  }

  run(): void {
    const top = newRegion();
    const builder = this.#builder;
    walkRegion(this.#body, ({ op }) => {
      if (op === 'fence') this.#hasFence = true;
    });
    walkRegion(this.#body, (instruction) => {
      if (instruction.op === 'call' && instruction.callee.name === asyncMarks.copy) this.#hasAsync = true;
    });
    if (this.#stage === 'accesses' && this.#fn.kind === 'kernel') {
      const plan = new BarrierPlan(this.#body, analyseUniformity(this.#fn));
      this.#isTogether = plan.isTogether && !this.#hasAsync;
    }
    const companions = new Set(this.#stage === 'accesses' ? this.#context.settled.values() : []);
    walkRegion(this.#body, (instruction) => {
      const { operands, op } = instruction;
      if (op !== 'load' && op !== 'store' && op !== 'copy' && op !== 'fill') return;
      const root = this.#roots.rootOf(operands[0]!);
      if (root && companions.has(root.value)) this.#own.add(instruction);
    });
    builder.within(top, () => {
      this.#hoistVariables();
      this.#item = builder.query('linear_local_id');
      this.#itemBits = builder.binary('shl', this.#item, builder.constant(i32, itemShift));
      if (this.#stage === 'accesses' && this.#fn.kind === 'kernel') this.#beginGroup();
    });
    this.#region(this.#body);
    this.#body.instructions.unshift(...top.instructions);
  }

  /** Variables keep their bytes wherever they stand; at the top their addresses can be used everywhere. */
  #hoistVariables(): void {
    const builder = this.#builder;
    const visit = (region: ir.Region): void => {
      for (const instruction of region.instructions) {
        if (instruction.op === 'variable') builder.append(instruction);
        for (const nested of instruction.regions) visit(nested);
      }
      region.instructions = region.instructions.filter(({ op }) => op !== 'variable');
    };
    visit(this.#body);
    for (const variable of this.#watched) {
      const { size, align, name } = variable;
      const companion = builder.variable('private', size, align, `${name}.set`);
      this.#companions.set(variable, companion);
      builder.fill(companion, builder.constant(i32, size), 0, align);
    }
  }

  /** Leaves those variables whose every access is at a constant place inside. */
  #keepFixed(): void {
    walkRegion(this.#body, (instruction) => {
      const pointers = accessesOf(instruction);
      for (const { pointer, bytes } of pointers) {
        const root = this.#roots.rootOf(pointer);
        if (root?.kind !== 'variable') continue;
        const at = this.#constantOffset(pointer, root);
        const count = typeof bytes === 'number' ? bytes : this.#constant(bytes);
        const isFixed =
          at !== undefined && count !== undefined && at >= 0 && at + count <= root.variable.size;
        if (!isFixed) this.#watched.delete(root.variable);
      }
    });
  }

  #constant(value: ir.Value): number | undefined {
    const definition = this.#roots.definition(value);
    if (definition?.op !== 'constant' || typeof definition.value !== 'number') return undefined;
    return definition.value;
  }

  #constantOffset(pointer: ir.Value, root: Root): number | undefined {
    let sum = 0;
    for (let at = pointer; at !== root.value; ) {
      const definition = this.#roots.definition(at);
      if (definition?.op === 'offset') {
        const bytes = this.#constant(definition.operands[1]!);
        if (bytes === undefined) return undefined;
        sum += bytes;
      } else if (definition?.op === 'global_address') return sum;
      else if (definition?.op !== 'convert') return undefined;
      at = definition.operands[0]!;
    }
    return sum;
  }

  // -------------------------------------------------------------------------------------------------- regions

  #region(region: ir.Region): void {
    const old = region.instructions;
    region.instructions = [];
    this.#definedness.open();
    this.#builder.within(region, () => {
      for (const instruction of old) {
        this.#builder.span = instruction.span;
        if (this.#own.has(instruction)) this.#builder.append(instruction);
        else this.#instruction(instruction);
      }
    });
    this.#definedness.close();
  }

  #instruction(instruction: ir.Instruction): void {
    const moved = instruction.op === 'store' && this.#companionOf(instruction.operands[0]!) ? [1] : undefined;
    this.#definedness.uses(instruction, moved ?? movedOperands(instruction));
    if (this.#stage === 'values') this.#value(instruction);
    else this.#access(instruction);
    this.#definedness.rearranged(instruction);
  }

  /** The first stage. */
  #value(instruction: ir.Instruction): void {
    for (const nested of instruction.regions) this.#region(nested);
    const accesses = accessesOf(instruction);
    for (const { pointer } of accesses) this.#checkSubscripts(pointer, instruction);
    this.#builder.append(instruction);
    for (const { pointer } of accesses) {
      const root = this.#roots.rootOf(pointer);
      if (root?.kind === 'variable' && this.#companionOf(pointer)) {
        const offset = this.#builder.constant(i32, this.#constantOffset(pointer, root)!);
        this.#follow(instruction, pointer, { pointer, offset, root });
      }
    }
  }

  /**
   * An array inside of something larger has bounds of its own. Of an array of arrays those of the whole count, for many
   * programs go through it with one index.
   */
  #checkSubscripts(pointer: ir.Value, instruction: ir.Instruction): void {
    const builder = this.#builder;
    let run: { bytes: ir.Value[]; size: number } | undefined;
    const finish = (array: ir.Value): void => {
      const root = this.#roots.rootOf(array);
      const isWhole = root?.value === array && this.#sizeOf(root) === run?.size;
      // Whoever checks the access to the object sees the same.
      if (!run || isWhole) return;
      const sum = run.bytes.reduce((a, b) => builder.binary('iadd', a, b));
      const space =
        array.type.kind === 'pointer' && array.type.space !== 'generic' ? array.type.space : 'private';
      const name = `array in ${this.#nameOf(array) ?? 'memory'}`;
      const base: Base = { kind: 'variable', space, name, size: run.size };
      const isBad = builder.compare('uge', sum, this.#number(run.size));
      const kind = instruction.op === 'load' || instruction.op === 'store' ? instruction.op : 'copy';
      this.#reportIf(isBad, codes.outOfBounds, kind, base, 0, pointer, sum);
    };
    for (let at = pointer; ; ) {
      const definition = this.#roots.definition(at);
      if (definition?.op !== 'offset') {
        finish(at);
        return;
      }
      const [inner, bytes] = definition.operands as [ir.Value, ir.Value];
      if (definition.within === undefined) {
        finish(at);
        run = undefined;
      } else if (run && run.size <= definition.within) {
        run.bytes.push(bytes);
        run.size = definition.within;
      } else {
        finish(at);
        run = { bytes: [bytes], size: definition.within };
      }
      at = inner;
    }
  }

  /** What the program calls a pointer that is in a variable still, or the object it leads to. */
  #nameOf(pointer: ir.Value): string | undefined {
    let definition = this.#roots.definition(pointer);
    while (definition?.op === 'offset') definition = this.#roots.definition(definition.operands[0]!);
    const root = this.#roots.rootOf(definition?.op === 'load' ? definition.operands[0]! : pointer);
    return root && this.#base(root).name;
  }

  /** The second stage. */
  #access(instruction: ir.Instruction): void {
    const builder = this.#builder;
    switch (instruction.op) {
      case 'load':
      case 'store':
        this.#loadOrStore(instruction);
        return;
      case 'atomic':
        this.#atomic(instruction);
        return;
      case 'copy':
        this.#copy(instruction);
        return;
      case 'fill':
        this.#fill(instruction);
        return;
      case 'loop':
        this.#isCopying = this.#copyFollows;
        this.#copyFollows = false;
        this.#region(instruction.regions[0]!);
        this.#isCopying = false;
        this.#burnFuel(instruction);
        builder.append(instruction);
        return;
      case 'binary':
        this.#division(instruction);
        break;
      case 'call':
        if (this.#asyncMark(instruction)) return;
        break;
      case 'return':
        if (this.#hasAsync && this.#fn.kind === 'kernel') this.#checkEnd();
        break;
      default:
    }
    if (isBarrier(instruction)) {
      this.#barrier(instruction as ir.Barrier | ir.Collective);
      return;
    }
    for (const nested of instruction.regions) this.#region(nested);
    builder.append(instruction);
  }

  // -------------------------------------------------------------------------------------------------- accesses

  #loadOrStore(instruction: ir.Load | ir.Store): void {
    const pointer = instruction.operands[0]!;
    const value = instruction.op === 'load' ? instruction.results[0]! : instruction.operands[1]!;
    const { type } = value;
    const bytes = sizeOf(type);
    const place = this.#guard(pointer, bytes, instruction.align, instruction.op);
    instruction.operands[0] = place.pointer;
    this.#watch(place, instruction.op, bytes, (isLocal, who) => {
      const address = this.#address(place.pointer);
      if (instruction.op === 'load') return this.#call('read', [address, this.#number(bytes), who, isLocal]);
      return this.#writeChecks(address, value, who, isLocal);
    });
    this.#builder.append(instruction);
    this.#follow(instruction, pointer, place);
  }

  /** Compares what is there with what comes, piece by piece. */
  #writeChecks(address: ir.Value, value: ir.Value, who: ir.Value, isLocal: ir.Value): ir.Value {
    let found: ir.Value | undefined;
    let at = 0;
    for (const piece of this.#pieces(value)) {
      const bytes = sizeOf(piece.type);
      const name = `write${bytes}` as RuntimeName;
      const builder = this.#builder;
      const place = at === 0 ? address : builder.binary('iadd', address, this.#number(at));
      const word = bytes < 4 ? builder.convert('zext', piece, i32) : piece;
      const code = this.#call(name, [place, word, who, isLocal]);
      found = found ? builder.binary('umax', found, code) : code;
      at += bytes;
    }
    return found!;
  }

  /** A value as integers of up to eight bytes, as they lie in memory. */
  #pieces(value: ir.Value): ir.Value[] {
    const builder = this.#builder;
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

  #atomic(instruction: ir.Atomic): void {
    const pointer = instruction.operands[0]!;
    const { type } = (instruction.results[0] ?? instruction.operands[1])!;
    const bytes = sizeOf(type);
    const place = this.#guard(pointer, bytes, bytes, 'atomic');
    instruction.operands[0] = place.pointer;
    const builder = this.#builder;
    this.#watch(place, 'atomic', bytes, (isLocal, who) => {
      const operands = [this.#address(place.pointer), this.#number(bytes), who, isLocal];
      if (instruction.fn === 'load') return this.#call('atomic_load', operands);
      const changing = [...operands, this.#number(instruction.fn === 'store' ? 1 : 0)];
      if (instruction.fn !== 'compare_exchange') return this.#call('atomic', changing);
      // One that fails only looks.
      const before = builder.load(type, place.pointer, bytes);
      const choice = builder.if(builder.compare('eq', before, instruction.operands[1]!), [i32]);
      builder.within(choice.regions[0]!, () => builder.yield([this.#call('atomic', changing)]));
      builder.within(choice.regions[1]!, () => builder.yield([this.#call('atomic_load', operands)]));
      return choice.results[0]!;
    });
    builder.append(instruction);
    this.#follow(instruction, pointer, place);
    const { order } = instruction;
    const acquires = order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
    if (acquires || this.#hasFence) this.#context.runtime.call(builder, 'order', []);
  }

  #copy(instruction: ir.Copy): void {
    const builder = this.#builder;
    const [to, from, bytes] = instruction.operands as [ir.Value, ir.Value, ir.Value];
    const target = this.#guardRange(to, bytes, 'store');
    const source = this.#guardRange(from, target.bytes, 'load');
    const count = source.bytes;
    const range = (name: 'read' | 'write_range', place: Place) =>
      this.#watch(place, name === 'read' ? 'load' : 'store', 0, (isLocal, who) => {
        const address = this.#address(place.pointer);
        if (name === 'read') return this.#call('read', [address, count, who, isLocal]);
        const other = this.#address(source.place.pointer);
        return this.#call('write_range', [address, other, this.#number(0), count, who, isLocal]);
      });
    range('read', source.place);
    range('write_range', target.place);
    instruction.operands = [target.place.pointer, source.place.pointer, count];
    builder.append(instruction);
    this.#follow(instruction, to, target.place, source.place);
  }

  #fill(instruction: ir.Fill): void {
    const [to, bytes] = instruction.operands as [ir.Value, ir.Value];
    const target = this.#guardRange(to, bytes, 'store');
    this.#watch(target.place, 'store', 0, (isLocal, who) => {
      const address = this.#address(target.place.pointer);
      const operands = [address, this.#number(0), this.#number(instruction.byte), target.bytes, who, isLocal];
      return this.#call('write_range', operands);
    });
    instruction.operands = [target.place.pointer, target.bytes];
    this.#builder.append(instruction);
    this.#follow(instruction, to, target.place);
  }

  // --------------------------------------------------------------------------------------------------- bounds

  /** Sees to it that the access stays in its object; where it would not, it is reported and made elsewhere. */
  #guard(pointer: ir.Value, bytes: number, align: number, access: Access): Place {
    this.#checkAlignment(pointer, align, access, bytes);
    const root = this.#roots.rootOf(pointer);
    const builder = this.#builder;
    if (root && this.#sizeOf(root) !== undefined) {
      const size = this.#sizeOf(root)!;
      const constant = this.#constantOffset(pointer, root);
      if (constant !== undefined && constant >= 0 && constant + bytes <= size) {
        return { pointer, offset: this.#number(constant), root };
      }
      const offset = this.#offsetFrom(pointer, root);
      const isBad =
        size < bytes
          ? builder.constant(bool, true)
          : builder.compare('ugt', offset, this.#number(size - bytes));
      if (access !== 'load' && this.#spaceOf(root) === 'constant') {
        this.#reportIf(builder.constant(bool, true), codes.constantWritten, access, this.#base(root), bytes);
      }
      this.#reportIf(isBad, codes.outOfBounds, access, this.#base(root), bytes, pointer, offset);
      if (size < bytes) return { pointer: this.#scratch(pointer.type), offset: undefined, root: undefined };
      const safe = builder.select(isBad, this.#number(0), offset);
      return { pointer: builder.offset(this.#baseAddress(root, pointer.type), safe), offset: safe, root };
    }
    const offset = root && this.#offsetFrom(pointer, root);
    const isBad = this.#isOutside(pointer, root, offset, this.#number(bytes), access);
    const safe = this.#elsewhereIf(isBad, pointer, () =>
      this.#report(codes.outOfBounds, access, root && this.#base(root), bytes, pointer, offset),
    );
    return { pointer: safe, offset, root };
  }

  /** The same for a number of bytes that the program computes: none are touched where it leaves the object. */
  #guardRange(pointer: ir.Value, bytes: ir.Value, access: Access): { place: Place; bytes: ir.Value } {
    const known = this.#constant(bytes);
    const root = this.#roots.rootOf(pointer);
    const builder = this.#builder;
    const size = root && this.#sizeOf(root);
    const constant = root && this.#constantOffset(pointer, root);
    if (size !== undefined && constant !== undefined && known !== undefined && constant >= 0) {
      if (constant + known <= size) {
        return { place: { pointer, offset: this.#number(constant), root }, bytes };
      }
    }
    const offset = root && this.#offsetFrom(pointer, root);
    const isBad = this.#isOutside(pointer, root, offset, bytes, access);
    this.#reportIf(isBad, codes.outOfBounds, access, root && this.#base(root), known ?? 0, pointer, offset);
    const count = builder.select(isBad, this.#number(0), bytes);
    const safe = offset && builder.select(isBad, this.#number(0), offset);
    return { place: { pointer, offset: safe, root }, bytes: count };
  }

  #isOutside(
    pointer: ir.Value,
    root: Root | undefined,
    offset: ir.Value | undefined,
    bytes: ir.Value,
    access: Access,
  ): ir.Value {
    const builder = this.#builder;
    const facts = root?.kind === 'parameter' ? this.#context.argumentFacts.get(root.index) : undefined;
    const size = root && this.#sizeOf(root);
    if (offset && (facts || size !== undefined)) {
      const wide = (value: ir.Value) => builder.convert('zext', value, i64);
      const end = builder.binary('iadd', wide(offset), wide(bytes));
      if (!facts) return builder.compare('ugt', end, wide(this.#number(size!)));
      const limit =
        access === 'atomic'
          ? builder.binary('umin', facts.readable, facts.writable)
          : access === 'store'
            ? facts.writable
            : facts.readable;
      return builder.compare('ugt', end, wide(limit));
    }
    const range = this.#call('find', [this.#address(pointer), bytes]);
    return builder.compare('eq', range, this.#number(0));
  }

  #elsewhereIf(isBad: ir.Value, pointer: ir.Value, report: () => void): ir.Value {
    const builder = this.#builder;
    const choice = builder.if(isBad, [pointer.type]);
    builder.within(choice.regions[0]!, () => {
      report();
      builder.yield([this.#scratch(pointer.type)]);
    });
    builder.within(choice.regions[1]!, () => builder.yield([pointer]));
    return choice.results[0]!;
  }

  #scratch(type: Type): ir.Value {
    const builder = this.#builder;
    const address = builder.convert('ptoi', this.#context.runtime.scratch(builder), i32);
    return builder.convert('itop', address, type);
  }

  #checkAlignment(pointer: ir.Value, align: number, access: Access, bytes: number): void {
    if (align <= 1 || this.#alignments.of(pointer) % align === 0) return;
    const builder = this.#builder;
    const low = builder.binary('and', this.#address(pointer), this.#number(align - 1));
    const root = this.#roots.rootOf(pointer);
    const isBad = builder.compare('ne', low, this.#number(0));
    this.#reportIf(isBad, codes.misaligned, access, root && this.#base(root), bytes, pointer);
  }

  /** Bytes of an object whose size the program tells. */
  #sizeOf(root: Root): number | undefined {
    if (root.kind === 'variable') return root.variable.size;
    if (root.kind === 'global') return root.global.size;
    return this.#fn.parameters[root.index]!.aggregate?.size;
  }

  #spaceOf(root: Root): AddressSpace {
    const { type } = root.value;
    return type.kind === 'pointer' ? type.space : 'generic';
  }

  #base(root: Root): Base {
    if (root.kind === 'variable') return baseOfVariable(root.variable);
    if (root.kind === 'global') {
      const { space, name, size } = root.global;
      return { kind: 'variable', space, name, size };
    }
    const parameter = this.#fn.parameters[root.index]!;
    const name = parameter.info?.name ?? parameter.value.name ?? `argument ${root.index}`;
    return { kind: 'parameter', index: root.index, name };
  }

  #baseAddress(root: Root, type: Type): ir.Value {
    const builder = this.#builder;
    const value = root.kind === 'global' ? builder.globalAddress(root.global) : root.value;
    return value.type === type ? value : builder.convert('space', value, type);
  }

  /** How far a pointer is behind its object's beginning. */
  #offsetFrom(pointer: ir.Value, root: Root): ir.Value {
    const builder = this.#builder;
    let sum: ir.Value | undefined;
    let at = pointer;
    for (;;) {
      const definition = this.#roots.definition(at);
      if (at === root.value || definition?.op === 'global_address') return sum ?? this.#number(0);
      if (definition?.op === 'offset') {
        const bytes = definition.operands[1]!;
        sum = sum ? builder.binary('iadd', sum, bytes) : bytes;
      } else if (definition?.op !== 'convert') {
        const way = builder.binary(
          'isub',
          this.#address(at),
          this.#address(this.#baseAddress(root, root.value.type)),
        );
        return sum ? builder.binary('iadd', way, sum) : way;
      }
      at = definition.operands[0]!;
    }
  }

  // ---------------------------------------------------------------------------------------------------- races

  /** Notes an access to memory that work-items share, and reports what `check` finds. */
  #watch(
    { pointer, root }: Place,
    access: Access,
    bytes: number,
    check: (isLocal: ir.Value, who: ir.Value) => ir.Value,
  ): void {
    const space = pointer.type.kind === 'pointer' ? pointer.type.space : 'generic';
    const actual = space === 'generic' && root ? this.#spaceOf(root) : space;
    if (actual !== 'global' && actual !== 'local') return;
    if (root?.kind === 'parameter' && this.#isPipe(root.index)) return;
    const builder = this.#builder;
    const write = (): void => {
      const who = this.#who(access, root && this.#base(root), bytes);
      const code = check(this.#number(actual === 'local' ? 1 : 0), who);
      const inside = builder.if(builder.compare('ne', code, this.#number(0)));
      builder.within(inside.regions[0]!, () => {
        this.#context.runtime.report(builder, code, who, this.#address(pointer), this.#number(0));
        builder.yield();
      });
      builder.within(inside.regions[1]!, () => builder.yield());
    };
    const facts = root?.kind === 'parameter' ? this.#context.argumentFacts.get(root.index) : undefined;
    if (!facts || actual === 'local') {
      write();
      return;
    }
    const watched = builder.if(builder.compare('ne', facts.watched, this.#number(0)));
    builder.within(watched.regions[0]!, () => {
      write();
      builder.yield();
    });
    builder.within(watched.regions[1]!, () => builder.yield());
  }

  #isPipe(index: number): boolean {
    return this.#fn.parameters[index]?.info?.handle?.kind === 'pipe';
  }

  #barrier(instruction: ir.Barrier | ir.Collective): void {
    const { runtime } = this.#context;
    const builder = this.#builder;
    if (instruction.scope === 'sub-group') {
      builder.append(instruction);
      runtime.call(builder, 'order', []);
      return;
    }
    const spaces = instruction.op === 'barrier' ? instruction.spaces : [];
    const bits = (spaces.includes('local') ? 1 : 0) | (spaces.includes('global') ? 2 : 0);
    if (this.#isTogether) {
      builder.append(instruction);
      this.#once(() => runtime.call(builder, 'next', [this.#number(bits)]));
      return;
    }
    runtime.call(builder, 'arrive', [this.#item!]);
    builder.append(instruction);
    const found = this.#call('pass', [this.#item!, this.#number(bits)]);
    const is = (number: number) => builder.compare('eq', found, this.#number(number));
    this.#reportIf(is(1), codes.divergence, 'barrier', undefined, 0);
    if (this.#hasAsync) this.#reportIf(is(2), codes.copyElsewhere, 'barrier', undefined, 0);
  }

  /** What stands before an async copy or a wait for it (src/ir/async-marks.ts). False for other calls. */
  #asyncMark(call: ir.Call): boolean {
    const builder = this.#builder;
    const { name } = call.callee;
    if (name !== asyncMarks.copy && name !== asyncMarks.wait) return false;
    const who = this.#who('event', undefined, 0);
    if (name === asyncMarks.wait) {
      const found = this.#call('wait', [this.#item!, call.operands[0]!, who]);
      const is = (number: number) => builder.compare('eq', found, this.#number(number));
      this.#reportIf(is(1), codes.noEvent, 'event', undefined, 0);
      this.#reportIf(is(2), codes.copyDivergence, 'event', undefined, 0);
      this.#reportIf(is(3), codes.copyElsewhere, 'event', undefined, 0);
      return true;
    }
    const event = this.#call('copy', [this.#item!, ...call.operands, who]);
    const differs = builder.load(
      i32,
      builder.offset(this.#context.runtime.state(builder), this.#number(4 * stateWords.differs)),
      4,
    );
    const condition = builder.compare('ne', differs, this.#number(0));
    this.#reportIf(condition, codes.copyDivergence, 'event', undefined, 0);
    // The same value under the name that others know.
    builder.append({
      op: 'binary',
      fn: 'or',
      operands: [event, this.#number(0)],
      results: call.results,
      regions: [],
    });
    this.#copyFollows = true;
    return true;
  }

  #checkEnd(): void {
    const builder = this.#builder;
    const found = this.#call('end', [this.#item!]);
    const condition = builder.compare('ne', found, this.#number(0));
    this.#reportIf(condition, codes.unawaited, 'event', undefined, 0);
  }

  /** What the first work-item does for all, before the others. */
  #once(write: () => void): void {
    const builder = this.#builder;
    const isFirst = builder.if(builder.compare('eq', this.#item!, this.#number(0)));
    builder.within(isFirst.regions[0]!, () => {
      write();
      builder.yield();
    });
    builder.within(isFirst.regions[1]!, () => builder.yield());
  }

  #beginGroup(): void {
    const builder = this.#builder;
    const product = (values: ir.Value[]) => values.reduce((a, b) => builder.binary('imul', a, b));
    this.#once(() => {
      const dimensions = [0, 1, 2] as const;
      const items = product(dimensions.map((dimension) => builder.query('local_size', dimension)));
      const [x, y, z] = dimensions.map((dimension) => builder.query('group_id', dimension));
      const column = builder.binary('iadd', builder.binary('imul', z!, builder.query('num_groups', 1)), y!);
      const group = builder.binary(
        'iadd',
        builder.binary('imul', column, builder.query('num_groups', 0)),
        x!,
      );
      this.#context.runtime.call(builder, 'group', [items, group]);
      if (this.#hasAsync) this.#context.runtime.call(builder, 'steps', [items]);
    });
  }

  // -------------------------------------------------------------------------------------------------- the rest

  /** What an access does to what is known of a private variable. */
  #follow(instruction: ir.Instruction, pointer: ir.Value, place: Place, source?: Place): void {
    const builder = this.#builder;
    const companionAt = ({ root, offset }: Place): ir.Value | undefined => {
      const companion = root?.kind === 'variable' ? this.#companions.get(root.variable) : undefined;
      if (!companion || !offset) return undefined;
      const definition = this.#roots.definition(offset);
      const isStart = definition?.op === 'constant' && definition.value === 0;
      return isStart ? companion : builder.offset(companion, offset);
    };
    const at = companionAt(place);
    if (!at || place.root?.kind !== 'variable') return;
    switch (instruction.op) {
      case 'load':
        this.#definedness.loaded(instruction.results[0]!, place.root.variable, at, instruction.align);
        break;
      case 'store':
        this.#definedness.stored(instruction.operands[1]!, at, instruction.align);
        break;
      case 'atomic':
        if (instruction.fn !== 'load') {
          const bytes = sizeOf((instruction.results[0] ?? instruction.operands[1])!.type);
          builder.fill(at, this.#number(bytes), 0xff, 1);
        }
        break;
      case 'fill':
        builder.fill(at, instruction.operands[1]!, 0xff, instruction.align);
        break;
      case 'copy': {
        if (this.#stage === 'values' && pointer !== instruction.operands[0]) break;
        const from = source ? companionAt(source) : this.#fixedCompanion(instruction.operands[1]!);
        if (from) builder.copy(at, from, instruction.operands[2]!, instruction.align);
        else builder.fill(at, instruction.operands[2]!, 0xff, instruction.align);
        break;
      }
      default:
    }
  }

  /** In the first stage, where the companion of a copy's source is. */
  #fixedCompanion(pointer: ir.Value): ir.Value | undefined {
    const root = this.#roots.rootOf(pointer);
    const companion = root?.kind === 'variable' ? this.#companions.get(root.variable) : undefined;
    const offset = root && this.#constantOffset(pointer, root);
    if (!companion || offset === undefined) return undefined;
    return offset === 0 ? companion : this.#builder.offset(companion, this.#number(offset));
  }

  #companionOf(pointer: ir.Value): ir.Value | undefined {
    const root = this.#roots.rootOf(pointer);
    return root?.kind === 'variable' ? this.#companions.get(root.variable) : undefined;
  }

  #division(instruction: ir.Binary): void {
    const { fn, operands } = instruction;
    if (fn !== 'sdiv' && fn !== 'udiv' && fn !== 'srem' && fn !== 'urem') return;
    const divisor = operands[1]!;
    const { type } = divisor;
    const definition = this.#roots.definition(divisor);
    if (definition?.op === 'constant') {
      const lanes = Array.isArray(definition.value) ? definition.value : [definition.value];
      if (lanes.every((lane) => Number(lane) !== 0)) return;
    }
    const builder = this.#builder;
    const isZero = (lane: ir.Value) => builder.compare('eq', lane, builder.integer(lane.type, 0));
    let isBad: ir.Value;
    if (type.kind === 'vector') {
      const lanes = Array.from({ length: type.lanes }, (_, lane) => isZero(builder.extract(divisor, lane)));
      isBad = lanes.reduce((a, b) => builder.binary('or', a, b));
    } else isBad = isZero(divisor);
    this.#reportIf(isBad, codes.divisionByZero, 'division', undefined, 0);
  }

  /** At the head of a loop's body: so many iterations, and the host looks at its clock. */
  #burnFuel(loop: ir.Loop): void {
    const body = loop.regions[0]!;
    const head = newRegion();
    const builder = this.#builder;
    builder.within(head, () => {
      const fuel = builder.offset(this.#context.runtime.state(builder), this.#number(4 * stateWords.fuel));
      const left = builder.binary('isub', builder.load(i32, fuel, 4), this.#number(1));
      builder.store(fuel, left, 4);
      this.#reportIf(builder.compare('eq', left, this.#number(0)), codes.tick, 'loop', undefined, 0);
    });
    body.instructions.unshift(...head.instructions);
  }

  #reportIf(
    condition: ir.Value,
    code: number,
    kind: SiteKind,
    base: Base | undefined,
    bytes: number,
    pointer?: ir.Value,
    offset?: ir.Value,
  ): void {
    const builder = this.#builder;
    const inside = builder.if(condition);
    builder.within(inside.regions[0]!, () => {
      this.#report(code, kind, base, bytes, pointer, offset);
      builder.yield();
    });
    builder.within(inside.regions[1]!, () => builder.yield());
  }

  #report(
    code: number,
    kind: SiteKind,
    base: Base | undefined,
    bytes: number,
    pointer?: ir.Value,
    offset?: ir.Value,
  ): void {
    const address = pointer ? this.#address(pointer) : this.#number(0);
    const who = this.#who(kind, base, bytes);
    this.#context.runtime.report(this.#builder, this.#number(code), who, address, offset ?? this.#number(0));
  }

  /** The work-item and a site for the current instruction. */
  #who(kind: SiteKind, base: Base | undefined, bytes: number): ir.Value {
    const { span } = this.#builder;
    const site = this.#context.sites.add({ kind, functionName: this.#fn.name, span, bytes, base });
    const item = this.#isCopying ? this.#number(groupItself << itemShift) : this.#itemBits!;
    return this.#builder.binary('or', item, this.#number(site << siteShift));
  }

  #call(name: RuntimeName, operands: ir.Value[]): ir.Value {
    return this.#context.runtime.call(this.#builder, name, operands)!;
  }

  #address(pointer: ir.Value): ir.Value {
    return this.#builder.convert('ptoi', pointer, i32);
  }

  #number(value: number): ir.Value {
    return this.#builder.constant(i32, value);
  }
}

function baseOfVariable({ space, name, size }: ir.Variable): Base {
  return { kind: 'variable', space, name, size };
}

/** The pointers through which an instruction touches memory, and how many bytes. */
function accessesOf(
  instruction: ir.Instruction,
): { readonly pointer: ir.Value; readonly bytes: number | ir.Value }[] {
  const { operands } = instruction;
  switch (instruction.op) {
    case 'load':
      return [{ pointer: operands[0]!, bytes: sizeOf(instruction.results[0]!.type) }];
    case 'store':
      return [{ pointer: operands[0]!, bytes: sizeOf(operands[1]!.type) }];
    case 'atomic':
      return [{ pointer: operands[0]!, bytes: sizeOf((instruction.results[0] ?? operands[1])!.type) }];
    case 'copy':
      return [
        { pointer: operands[0]!, bytes: operands[2]! },
        { pointer: operands[1]!, bytes: operands[2]! },
      ];
    case 'fill':
      return [{ pointer: operands[0]!, bytes: operands[1]! }];
    default:
      return [];
  }
}
