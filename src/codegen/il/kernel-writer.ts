/**
 * Writes one kernel: its parameters, its regions as structured control flow, and its instructions, each value in registers of its own.
 *
 * A block and a loop of the IR are both loops of IL, which `break` leaves. One that is left from inside of another sets the register of
 * exits: behind each loop between, that register tells what to do next.
 */
import type * as ir from '../../ir/ir.ts';
import type { Type } from '../../ir/types.ts';
import { Arithmetic } from './arithmetic.ts';
import { type Base, Memory, sameBase, wordsOf } from './memory.ts';
import { IlText, IlWriteError, laneWords, type Place, scalar, written } from './places.ts';
import type { IlArgument, IlOptions, IlProgram } from './write-il.ts';

/** A loop of IL. */
interface Frame {
  readonly target: ir.Block | ir.Loop;
  readonly results: readonly Place[];
  readonly parameters: readonly Place[];
  /** Exits to frames further out that were taken inside: their numbers. */
  readonly exits: Map<number, Exit>;
}

interface Exit {
  readonly frame: Frame;
  readonly kind: 'break' | 'continue';
}

const components = 'xyzw';

export class KernelWriter {
  readonly #kernel: ir.Function;
  readonly #il = new IlText();
  readonly #arithmetic = new Arithmetic(this.#il);
  readonly #memory = new Memory(this.#il, this.#arithmetic);
  readonly #groupSize: readonly [number, number, number];
  readonly #localBytes: number;
  readonly #places = new Map<ir.Value, readonly Place[]>();
  readonly #bases = new Map<ir.Value, Base>();
  readonly #constants = new Map<ir.Value, ir.Constant['value']>();
  readonly #tables = new Map<ir.GlobalVariable, number>();
  readonly #frames: Frame[] = [];
  readonly #exitNumbers = new Map<string, number>();
  #exit: Place | undefined;
  #usesDouble = false;
  #elements = 0;
  #uavs = 0;

  constructor(kernel: ir.Function, { groupSize, localBytes = 4096 }: IlOptions) {
    this.#kernel = kernel;
    this.#groupSize = kernel.attributes?.requiredWorkGroupSize ?? groupSize ?? [64, 1, 1];
    this.#localBytes = localBytes;
  }

  write(): IlProgram {
    const list = this.#kernel.parameters.map((parameter) => this.#parameter(parameter));
    this.#region(this.#kernel.body!, []);
    const il = this.#il;
    const declarations = [
      'il_cs_2_0',
      `dcl_num_thread_per_group ${this.#groupSize.join(', ')}`,
      'dcl_cb cb0[4]',
      ...(this.#elements > 0 ? [`dcl_cb cb1[${this.#elements}]`] : []),
      ...Array.from({ length: this.#uavs }, (_, id) => `dcl_raw_uav_id(${id})`),
      ...(this.#memory.ldsBytes > 0 ? [`dcl_lds_id(0) ${this.#memory.ldsBytes}`] : []),
      ...(this.#memory.privateBytes > 0
        ? [`dcl_indexed_temp_array x0[${this.#memory.privateBytes / 4}]`]
        : []),
      ...(this.#usesDouble ? ['dcl_global_flags enableDoublePrecisionFloatOps'] : []),
    ];
    const text = `${[...declarations, ...il.literals, ...il.lines, 'end'].join('\n')}\n`;
    return { text, arguments: list, constants: this.#elements, groupSize: this.#groupSize };
  }

  #parameter({ value, aggregate, info }: ir.Parameter): IlArgument {
    const { type } = value;
    const { handle } = info ?? {};
    if (handle || type.kind === 'opaque') {
      const what = handle?.kind === 'queue' ? 'queues' : `${handle?.kind ?? 'handle'}s`;
      throw new IlWriteError(`the parameter '${info?.name ?? ''}': ${what} are not written as IL`);
    }
    if (aggregate) {
      const element = this.#elements;
      const words = Math.ceil(aggregate.size / 4);
      this.#elements += Math.ceil(words / 4);
      const start = this.#memory.reserve('private', aggregate.size, aggregate.align);
      for (let word = 0; word < words; word += 1) {
        const source = `cb1[${element + (word >> 2)}].${components.charAt(word & 3)}`;
        this.#il.line(`mov x0[${start / 4 + word}].x___, ${source}`);
      }
      this.#define(value, [this.#il.constant(start)], { kind: 'private' });
      return { kind: 'constants', element, bytes: aggregate.size };
    }
    if (type.kind === 'pointer') {
      if (type.space === 'local') {
        const start = this.#memory.reserve('lds', this.#localBytes, 16);
        this.#define(value, [this.#il.constant(start)], { kind: 'lds' });
        return { kind: 'local', bytes: this.#localBytes };
      }
      const id = this.#uavs;
      this.#uavs += 1;
      this.#define(value, [this.#il.constant(0)], { kind: 'uav', id });
      return { kind: 'uav', id };
    }
    return this.#number(value);
  }

  /** Small components are told apart from the words in which the host has put them. */
  #number(value: ir.Value): IlArgument {
    const { type } = value;
    const element = this.#elements;
    const target = this.#il.fresh(wordsOf(type));
    const lane = type.kind === 'vector' ? type.element : type;
    const bits = lane.kind === 'int' || lane.kind === 'float' ? lane.bits : 32;
    const lanes = type.kind === 'vector' ? type.lanes : 1;
    const bytes = (bits / 8) * (lanes === 3 ? 4 : lanes);
    const words = Math.ceil(bytes / 4);
    this.#elements += Math.ceil(words / 4);
    const source = (word: number): string => `cb1[${element + (word >> 2)}].${components.charAt(word & 3)}`;
    target.forEach((place, index) => {
      const bit = bits < 32 ? index * bits : index * 32;
      this.#il.line(`mov ${written([place])}, ${source(bit >> 5)}`);
      if (bits < 32 && bit % 32 !== 0) this.#il.each('ushr', [place], [place], [this.#il.constant(bit % 32)]);
    });
    this.#arithmetic.narrow(target, bits);
    this.#define(value, target);
    return { kind: 'constants', element, bytes };
  }

  // ------------------------------------------------------------------------------------------------ values

  #define(value: ir.Value, places: readonly Place[], base?: Base): void {
    this.#places.set(value, places);
    if (base) this.#bases.set(value, base);
  }

  #read(value: ir.Value): readonly Place[] {
    return this.#places.get(value) ?? [];
  }

  /** New places for a result. */
  #result(value: ir.Value): Place[] {
    const places = this.#il.fresh(wordsOf(value.type));
    if (laneWords(value.type) === 2 && value.type.kind !== 'pointer') {
      const element = value.type.kind === 'vector' ? value.type.element : value.type;
      if (element.kind === 'float') this.#usesDouble = true;
    }
    this.#define(value, places);
    return places;
  }

  #baseOf(value: ir.Value, span: ir.Instruction['span']): Base {
    const base = this.#bases.get(value);
    if (base) return base;
    throw new IlWriteError('a pointer that comes from memory or from nowhere leads to no buffer of IL', span);
  }

  /** A pointer may come from several places, but must lead to one memory. Null leads to any. */
  #agree(to: ir.Value, from: ir.Value, span: ir.Instruction['span']): void {
    const base = this.#bases.get(from);
    if (to.type.kind !== 'pointer' || !base) return;
    const other = this.#bases.get(to);
    if (other && !sameBase(base, other))
      throw new IlWriteError('a pointer may lead to one of several buffers', span);
    this.#bases.set(to, base);
  }

  // ---------------------------------------------------------------------------------------------- structure

  /** @param results what a `yield` at its end sets, and the values that these places are of */
  #region(region: ir.Region, results: readonly ir.Value[]): void {
    for (const instruction of region.instructions) {
      try {
        this.#instruction(instruction, results);
      } catch (error) {
        if (error instanceof IlWriteError && !error.span && instruction.span)
          throw new IlWriteError(error.message, instruction.span);
        throw error;
      }
    }
  }

  /** Gives values to results or parameters. */
  #hand(to: readonly ir.Value[], from: readonly ir.Value[], span: ir.Instruction['span']): void {
    for (const [index, value] of to.entries()) this.#agree(value, from[index]!, span);
    const target = to.flatMap((value) => this.#read(value));
    const source = from.slice(0, to.length).flatMap((value) => this.#read(value));
    this.#il.move(target, source);
  }

  #instruction(instruction: ir.Instruction, results: readonly ir.Value[]): void {
    const il = this.#il;
    switch (instruction.op) {
      case 'if': {
        for (const value of instruction.results) this.#result(value);
        il.line(`if_logicalnz ${scalar(this.#read(instruction.operands[0]!)[0]!)}`);
        this.#region(instruction.regions[0]!, instruction.results);
        if (instruction.regions[1]!.instructions.length > 1 || instruction.results.length > 0) {
          il.line('else');
          this.#region(instruction.regions[1]!, instruction.results);
        } else if (instruction.regions[1]!.instructions[0]?.op !== 'yield') {
          il.line('else');
          this.#region(instruction.regions[1]!, instruction.results);
        }
        il.line('endif');
        return;
      }
      case 'switch':
        this.#switch(instruction);
        return;
      case 'block':
      case 'loop':
        this.#frame(instruction);
        return;
      case 'yield':
        this.#hand(results, instruction.operands, instruction.span);
        return;
      case 'break':
        this.#hand(instruction.target.results, instruction.operands, instruction.span);
        this.#leave(instruction.target, 'break');
        return;
      case 'continue':
        this.#hand(instruction.target.regions[0]!.parameters, instruction.operands, instruction.span);
        this.#leave(instruction.target, 'continue');
        return;
      case 'return':
        // at the end of the kernel nothing is left to be left
        if (this.#kernel.body!.instructions.at(-1) !== instruction) il.line('ret_dyn');
        return;
      case 'unreachable':
        return;
      default:
        this.#computation(instruction);
    }
  }

  /** One condition after another: the values of the cases are different ones. */
  #switch({ operands, results, regions, cases }: ir.Switch): void {
    const il = this.#il;
    const { type } = operands[0]!;
    for (const value of results) this.#result(value);
    const value = this.#read(operands[0]!);
    const any = il.one();
    il.move([any], [il.constant(0)]);
    cases.forEach((labels, index) => {
      const chosen = il.one();
      il.move([chosen], [il.constant(0)]);
      for (const label of labels) {
        const equal = il.one();
        if (value.length > 1)
          il.pair('i64eq', [equal], value, il.constants(wordsOfConstant(type, BigInt(label))));
        else il.each('ieq', [equal], value, [il.constant(Number(label) | 0)]);
        il.each('ior', [chosen], [chosen], [equal]);
      }
      il.each('ior', [any], [any], [chosen]);
      il.line(`if_logicalnz ${scalar(chosen)}`);
      this.#region(regions[index]!, results);
      il.line('endif');
    });
    il.line(`if_logicalz ${scalar(any)}`);
    this.#region(regions.at(-1)!, results);
    il.line('endif');
  }

  #frame(instruction: ir.Block | ir.Loop): void {
    const il = this.#il;
    const [body] = instruction.regions;
    for (const value of instruction.results) this.#result(value);
    if (instruction.op === 'loop') {
      for (const value of body!.parameters) this.#result(value);
      this.#hand(body!.parameters, instruction.operands, instruction.span);
    }
    const frame: Frame = {
      target: instruction,
      results: instruction.results.flatMap((value) => this.#read(value)),
      parameters: body!.parameters.flatMap((value) => this.#read(value)),
      exits: new Map(),
    };
    il.line('whileloop');
    this.#frames.push(frame);
    this.#region(body!, instruction.results);
    this.#frames.pop();
    const last = body!.instructions.at(-1);
    if (last?.op === 'yield' || last?.op === 'unreachable') il.line('break');
    il.line('endloop');
    this.#behind(frame);
  }

  /** Leaves a loop of IL, or goes on with it: at once if it is the innermost, by the register of exits otherwise. */
  #leave(target: ir.Block | ir.Loop, kind: 'break' | 'continue'): void {
    const il = this.#il;
    const at = this.#frames.findLastIndex((frame) => frame.target === target);
    const frame = this.#frames[at]!;
    if (at === this.#frames.length - 1) {
      il.line(kind);
      return;
    }
    const key = `${at} ${kind}`;
    const number = this.#exitNumbers.get(key) ?? this.#exitNumbers.size + 1;
    this.#exitNumbers.set(key, number);
    for (const inner of this.#frames.slice(at + 1)) inner.exits.set(number, { frame, kind });
    this.#exit ??= this.#newExit();
    il.move([this.#exit], [il.constant(number)]);
    il.line('break');
  }

  #newExit(): Place {
    const place = this.#il.one();
    // before everything else, so that it is 0 wherever somebody asks
    this.#il.lines.unshift(`mov ${written([place])}, ${scalar(this.#il.constant(0))}`);
    return place;
  }

  /** Behind a loop that exits to others may have left. */
  #behind({ exits }: Frame): void {
    const il = this.#il;
    const outer = this.#frames.at(-1);
    for (const [number, { frame, kind }] of exits) {
      const isIt = il.one();
      il.each('ieq', [isIt], [this.#exit!], [il.constant(number)]);
      il.line(`if_logicalnz ${scalar(isIt)}`);
      if (frame === outer) {
        il.move([this.#exit!], [il.constant(0)]);
        il.line(kind);
      } else il.line('break');
      il.line('endif');
    }
  }

  // -------------------------------------------------------------------------------------------- instructions

  #computation(instruction: ir.Instruction): void {
    const il = this.#il;
    const { operands, span } = instruction;
    const read = (index: number): readonly Place[] => this.#read(operands[index]!);
    const [result] = instruction.results;
    switch (instruction.op) {
      case 'constant':
        this.#constant(instruction);
        return;
      case 'undefined':
        this.#define(result!, il.constants(Array(wordsOf(result!.type)).fill(0)));
        return;
      case 'unary':
        this.#arithmetic.unary(instruction, result!.type, this.#result(result!), read(0));
        return;
      case 'binary':
        this.#arithmetic.binary(instruction, result!.type, this.#result(result!), read(0), read(1));
        return;
      case 'fma':
        this.#arithmetic.fma(result!.type, this.#result(result!), read(0), read(1), read(2));
        return;
      case 'compare':
        this.#arithmetic.compare(instruction.fn, operands[0]!.type, this.#result(result!), read(0), read(1));
        return;
      case 'select':
        this.#arithmetic.select(result!.type, this.#result(result!), read(0), read(1), read(2));
        this.#agree(result!, operands[1]!, span);
        this.#agree(result!, operands[2]!, span);
        return;
      case 'convert':
        this.#arithmetic.convert(
          instruction,
          operands[0]!.type,
          result!.type,
          this.#result(result!),
          read(0),
        );
        this.#agree(result!, operands[0]!, span);
        return;
      case 'splat':
      case 'build':
      case 'extract':
      case 'insert':
      case 'shuffle':
        this.#lanes(instruction);
        return;
      case 'offset': {
        const target = this.#result(result!);
        il.each('iadd', target, read(0), read(1));
        this.#agree(result!, operands[0]!, span);
        return;
      }
      case 'variable': {
        const kind = instruction.space === 'local' ? 'lds' : 'private';
        const start = this.#memory.reserve(kind, instruction.size, instruction.align);
        this.#define(result!, [il.constant(start)], { kind });
        return;
      }
      case 'global_address':
        this.#define(result!, [il.constant(this.#table(instruction.global, span))], { kind: 'private' });
        return;
      case 'load':
        this.#memory.load(
          this.#baseOf(operands[0]!, span),
          read(0)[0]!,
          result!.type,
          this.#result(result!),
          instruction.align,
        );
        return;
      case 'store':
        if (operands[1]!.type.kind === 'pointer')
          throw new IlWriteError('pointers are not stored by IL', span);
        this.#memory.store(
          this.#baseOf(operands[0]!, span),
          read(0)[0]!,
          operands[1]!.type,
          read(1),
          instruction.align,
        );
        return;
      case 'atomic':
        this.#atomic(instruction);
        return;
      case 'copy': {
        const [to, from] = [this.#baseOf(operands[0]!, span), this.#baseOf(operands[1]!, span)];
        this.#memory.copy(
          to,
          read(0)[0]!,
          from,
          read(1)[0]!,
          this.#known(operands[2]!, span),
          instruction.align,
        );
        return;
      }
      case 'fill':
        this.#memory.fill(
          this.#baseOf(operands[0]!, span),
          read(0)[0]!,
          instruction.byte,
          this.#known(operands[1]!, span),
          instruction.align,
        );
        return;
      case 'barrier':
        if (instruction.scope === 'sub-group')
          throw new IlWriteError('IL has no barrier of sub-groups', span);
        il.line('fence_threads_lds_memory');
        return;
      case 'fence':
        il.line('fence_memory');
        return;
      case 'query':
        this.#query(instruction);
        return;
      case 'call':
        throw new IlWriteError(`'${instruction.callee.name}' is called and was not inlined`, span);
      case 'printf':
        throw new IlWriteError('IL does not print', span);
      case 'collective':
        throw new IlWriteError('IL has no functions of work-groups', span);
      case 'image_read':
      case 'image_write':
      case 'image_query':
        throw new IlWriteError('images are not written as IL', span);
      default:
        throw new IlWriteError(`'${instruction.op.replaceAll('_', ' ')}' is not written as IL`, span);
    }
  }

  #constant({ value, results: [result] }: ir.Constant): void {
    const { type } = result!;
    this.#constants.set(result!, value);
    const list = Array.isArray(value) ? value : [value];
    const words = list.flatMap((lane: ir.ScalarConstant) => wordsOfConstant(type, lane));
    if (type.kind === 'pointer') this.#define(result!, [this.#il.constant(-1)]);
    else this.#define(result!, this.#il.constants(words));
  }

  /** A number of bytes that must be known. */
  #known(value: ir.Value, span: ir.Instruction['span']): number {
    const constant = this.#constants.get(value);
    if (constant === undefined)
      throw new IlWriteError('IL copies as many bytes as are known beforehand', span);
    return Number(constant);
  }

  /** Lanes are picked by naming the places that they are in. */
  #lanes(instruction: ir.Splat | ir.Build | ir.Extract | ir.Insert | ir.Shuffle): void {
    const { operands, results } = instruction;
    const [result] = results;
    const words = laneWords(result!.type);
    const laneOf = (value: ir.Value, lane: number): readonly Place[] =>
      this.#read(value).slice(lane * words, (lane + 1) * words);
    const vector = operands[0]!;
    const lanes = result!.type.kind === 'vector' ? result!.type.lanes : 1;
    const pick = (lane: number): readonly Place[] => {
      if (instruction.op === 'splat') return this.#read(vector);
      if (instruction.op === 'build') return this.#read(operands[lane]!);
      if (instruction.op === 'extract') return laneOf(vector, instruction.lane);
      if (instruction.op === 'insert')
        return lane === instruction.lane ? this.#read(operands[1]!) : laneOf(vector, lane);
      const count = vector.type.kind === 'vector' ? vector.type.lanes : 1;
      const from = Math.max(0, instruction.lanes[lane] ?? 0);
      return from < count ? laneOf(vector, from) : laneOf(operands[1]!, from - count);
    };
    const source = Array.from({ length: lanes }, (_, lane) => pick(lane));
    this.#il.move(this.#result(result!), source.flat());
  }

  #table(global: ir.GlobalVariable, span: ir.Instruction['span']): number {
    let start = this.#tables.get(global);
    if (start === undefined) {
      if (global.space === 'global')
        throw new IlWriteError('IL has no variables that all launches share', span);
      if (global.relocations.length > 0)
        throw new IlWriteError('a table of pointers is not written as IL', span);
      start = this.#memory.reserve('private', global.size, global.align);
      this.#tables.set(global, start);
      const bytes = new Uint8Array(Math.ceil(global.size / 4) * 4);
      bytes.set(global.bytes);
      const lines = this.#il.lines.length;
      this.#memory.initialise(start, [...new Int32Array(bytes.buffer)]);
      // it is at the beginning, since control may come to its first use only sometimes
      this.#il.lines.unshift(...this.#il.lines.splice(lines));
    }
    return start;
  }

  #atomic(instruction: ir.Atomic): void {
    const { operands, results, span } = instruction;
    const [result] = results;
    const type: Type = result?.type ?? operands[1]!.type;
    this.#memory.atomic(
      instruction,
      this.#baseOf(operands[0]!, span),
      this.#read(operands[0]!)[0]!,
      type,
      operands.slice(1).map((operand) => this.#read(operand)[0]!),
      result ? this.#result(result) : this.#il.fresh(1),
    );
  }

  #query({ fn, dimension, results: [result] }: ir.Query): void {
    const component = components.charAt(dimension);
    const size = this.#groupSize[dimension]!;
    if (fn === 'local_size' || fn === 'enqueued_local_size') {
      this.#define(result!, [this.#il.constant(size)]);
      return;
    }
    const sources: Readonly<Record<string, string>> = {
      global_id: `vAbsTid.${component}`,
      local_id: `vTidInGrp.${component}`,
      group_id: `vThreadGrpId.${component}`,
      linear_local_id: 'vTidInGrpFlat.x',
      global_size: `cb0[0].${component}`,
      num_groups: `cb0[2].${component}`,
      global_offset: `cb0[3].${component}`,
      work_dim: 'cb0[3].w',
    };
    const target = this.#result(result!);
    this.#il.line(`mov ${written(target)}, ${sources[fn]}`);
    if (fn !== 'global_id') return;
    const offset = this.#il.one();
    this.#il.line(`mov ${written([offset])}, cb0[3].${component}`);
    this.#il.each('iadd', target, target, [offset]);
  }
}

/** The words of a scalar constant, the low one first. */
function wordsOfConstant(type: Type, value: ir.ScalarConstant): number[] {
  if (typeof value === 'boolean') return [value ? -1 : 0];
  const element = type.kind === 'vector' ? type.element : type;
  if (element.kind === 'float') {
    const bytes = element.bits === 64 ? Float64Array.of(Number(value)) : Float32Array.of(Number(value));
    return [...new Int32Array(bytes.buffer)];
  }
  if (element.kind === 'int' && element.bits === 64) {
    return [...new Int32Array(BigInt64Array.of(BigInt(value)).buffer)];
  }
  return [Number(value) | 0];
}
