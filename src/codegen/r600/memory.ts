/**
 * Pointers, loads and stores. Reads of buffers are vertex fetches by bytes; writes to the global buffer exports by words; memory of
 * the group (R700) and of the thread have instructions of their own. With the roles of parameters (roles.ts), reads become
 * texture fetches (texture-reads.ts) and writes exports of results (outputs.ts).
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import type { Chip } from './chips.ts';
import { type Emitter, literal, registerSource, zero } from './emitter.ts';
import { R600Error } from './error.ts';
import { type Channel, newGroup, newRegister, type Register, type Source } from './operations.ts';
import type { Outputs } from './outputs.ts';
import { memoryBytes, wordsOf } from './parameters.ts';
import type { Pointer } from './pointers.ts';
import { constantResource, memoryResource, tableResource } from './resources.ts';
import type { Scope } from './scope.ts';
import { TextureReads } from './texture-reads.ts';

export class Memory {
  localBytes = 0;
  /** In units of 16. */
  scratchBytes = 0;
  readonly #scope: Scope;
  readonly #emitter: Emitter;
  readonly #chip: Chip;
  readonly #places = new Map<ir.Variable, number>();
  readonly #tables = new Map<ir.GlobalVariable, number>();
  readonly #textures: TextureReads;
  readonly #outputs: Outputs;

  constructor(scope: Scope, emitter: Emitter, chip: Chip, outputs: Outputs) {
    this.#scope = scope;
    this.#emitter = emitter;
    this.#chip = chip;
    this.#textures = new TextureReads(scope, emitter);
    this.#outputs = outputs;
    scope.addressOf = (pointer) => this.#address(pointer);
  }

  /** Selects an instruction that deals with memory; false for all others. */
  select(instruction: ir.Instruction): boolean {
    const scope = this.#scope;
    const { operands, results } = instruction;
    switch (instruction.op) {
      case 'variable':
        this.#reserve(instruction);
        scope.setPointer(results[0]!, at({ kind: 'variable', variable: instruction }));
        return true;
      case 'global_address':
        scope.setPointer(results[0]!, at({ kind: 'global', global: instruction.global }));
        return true;
      case 'offset':
        scope.setPointer(results[0]!, this.#moved(scope.pointer(operands[0]!), operands[1]!));
        return true;
      case 'load':
        this.#load(instruction);
        return true;
      case 'store':
        this.#store(instruction);
        return true;
      case 'convert':
        if (instruction.fn === 'space') scope.setPointer(results[0]!, scope.pointer(operands[0]!));
        else if (instruction.fn === 'ptoi') scope.set(results[0]!, [[scope.word(operands[0]!)]]);
        else if (instruction.fn === 'itop')
          scope.setPointer(results[0]!, {
            ...at({ kind: 'memory' }),
            distance: scope.word(operands[0]!),
            terms: [operands[0]!],
          });
        else return false;
        return true;
      default:
        return false;
    }
  }

  #reserve(variable: ir.Variable): void {
    if (variable.space === 'local') {
      this.#requireLocal(variable);
      this.#places.set(variable, this.localBytes);
      this.localBytes += Math.ceil(variable.size / 16) * 16;
      return;
    }
    // A word in each element, so that any of them can be reached by an index.
    this.#places.set(variable, this.scratchBytes / 16);
    this.scratchBytes += Math.ceil(variable.size / 4) * 16;
  }

  #requireLocal({ span }: ir.Instruction): void {
    if (this.#scope.isCompute) return;
    throw new R600Error('local memory belongs to compute kernels, which R700 brought', span);
  }

  #moved(pointer: Pointer, by: ir.Value): Pointer {
    const { constant: known } = pointer;
    const step = this.#scope.constant(by);
    if (step !== undefined)
      return { ...pointer, constant: (known + step) | 0, terms: [...pointer.terms, by] };
    const words = this.#scope.word(by);
    const distance = pointer.distance ? this.#emitter.emit('ADD_INT', pointer.distance, words) : words;
    return { ...pointer, distance, terms: [...pointer.terms, by] };
  }

  /** The place in all of memory, or in the group's, as one number. */
  #address({ base, distance, constant }: Pointer): Source {
    const start = this.#start(base);
    const emitter = this.#emitter;
    const moved = distance ? emitter.emit('ADD_INT', distance, start) : start;
    return emitter.emit('ADD_INT', moved, literal(constant));
  }

  #start(base: Pointer['base']): Source {
    switch (base.kind) {
      case 'memory':
        return zero;
      case 'parameter':
        if (this.#scope.parameters.places[base.index]!.role?.kind === 'global') return zero;
        if (this.#scope.parameters.places[base.index]!.constant < 0) break;
        return this.#scope.parameters.word(base.index, 0);
      case 'variable':
        if (base.variable.space === 'private') break;
        return literal(this.#places.get(base.variable)!);
      case 'global':
        break;
    }
    throw new R600Error('a pointer that may lead to one of several places', this.#emitter.span);
  }

  #load(load: ir.Load): void {
    const scope = this.#scope;
    const [result] = load.results as [ir.Value];
    const { type } = result;
    scope.requireType(type, load.span);
    const pointer = scope.pointer(load.operands[0]!);
    const { base } = pointer;
    const space = spaceOf(load.operands[0]!);
    const place = base.kind === 'parameter' ? scope.parameters.places[base.index]! : undefined;
    if (place?.role?.kind === 'texture') {
      scope.setWords(result, this.#textures.read(pointer, place.role, load));
      return;
    }
    if (place?.role?.kind === 'constants' && !pointer.distance && memoryBytes(type) % 4 === 0) {
      const { buffer } = place.role;
      const first = pointer.constant / 4;
      const words = Array.from({ length: wordsOf(type) }, (_, word) => first + word);
      scope.setWords(
        result,
        words.map((word) => ({
          kind: 'constant',
          buffer,
          index: word >> 2,
          channel: (word & 3) as Channel,
        })),
      );
      return;
    }
    if (place?.parameter.aggregate) {
      scope.setWords(result, this.#fromConstants(pointer, type, load));
      return;
    }
    if (base.kind === 'variable' && base.variable.space === 'private') {
      scope.setWords(result, this.#fromScratch(base.variable, pointer, type));
      return;
    }
    if (space === 'private') throw new R600Error('a pointer to one of several private variables', load.span);
    scope.setWords(result, space === 'local' ? this.#fromLocal(pointer, load) : this.#fetch(pointer, load));
  }

  /** A field of a structure that is an argument. */
  #fromConstants({ base, distance, constant }: Pointer, type: Type, load: ir.Load): readonly Source[] {
    if (distance || constant % 4 !== 0 || memoryBytes(type) % 4 !== 0)
      throw new R600Error('a field of an argument that is not known when the kernel is compiled', load.span);
    const { index } = base as { index: number };
    return Array.from({ length: wordsOf(type) }, (_, word) =>
      this.#scope.parameters.word(index, constant / 4 + word),
    );
  }

  #fromScratch(variable: ir.Variable, pointer: Pointer, type: Type): readonly Source[] {
    const emitter = this.#emitter;
    return Array.from({ length: wordsOf(type) }, (_, word) => {
      const target = newRegister();
      const index = this.#wordIndex(pointer, word, type);
      emitter.block.operations.push({
        kind: 'fetch',
        name: 'READ_SCRATCH',
        targets: [target],
        address: [emitter.register(index)],
        resource: 0,
        sampler: undefined,
        offset: this.#places.get(variable)!,
        format: undefined,
        bytes: 4,
        isConstant: false,
        span: emitter.span,
      });
      return registerSource(target);
    });
  }

  /** The distance of a pointer in words. */
  #wordIndex({ distance, constant }: Pointer, word: number, type: Type): Source {
    const emitter = this.#emitter;
    const element = elementOf(type);
    if ((element.kind === 'int' && element.bits < 32) || constant % 4 !== 0)
      throw new R600Error('bytes and shorts of memory that is addressed by words', emitter.span);
    const known = literal(constant / 4 + word);
    return distance ? emitter.emit('ADD_INT', this.#wordsOfBytes(distance), known) : known;
  }

  /** A multiple of four, divided by it. */
  #wordsOfBytes(bytes: Source): Source {
    const made = this.#emitter.made(bytes);
    const by = made?.opcode.name === 'LSHL_INT' ? made.sources[1]! : undefined;
    if (by?.kind === 'literal' && by.bits >= 2)
      return this.#emitter.emit('LSHL_INT', made!.sources[0]!, literal(by.bits - 2));
    return this.#emitter.emit('LSHR_INT', bytes, literal(2));
  }

  #fromLocal(pointer: Pointer, load: ir.Load): readonly Source[] {
    this.#requireLocal(load);
    const emitter = this.#emitter;
    const { type } = load.results[0]!;
    return this.#inPieces(wordsOf(type), (first, count) => {
      const index = this.#wordIndex(this.#located(pointer), first, type);
      const targets = newGroup(count);
      emitter.block.operations.push({
        kind: 'fetch',
        name: 'LOCAL_DS_READ',
        targets,
        address: [emitter.register(index)],
        resource: 0,
        sampler: undefined,
        offset: 0,
        format: undefined,
        bytes: count * 4,
        isConstant: false,
        span: load.span,
      });
      return targets;
    });
  }

  /** A pointer to local memory from that memory's beginning on. */
  #located(pointer: Pointer): Pointer {
    const { base, distance, constant } = pointer;
    if (base.kind === 'variable')
      return { ...pointer, constant: constant + this.#places.get(base.variable)! };
    if (base.kind === 'memory') return pointer;
    const start = this.#start(base);
    return { ...pointer, distance: distance ? this.#emitter.emit('ADD_INT', distance, start) : start };
  }

  #inPieces(words: number, fetch: (first: number, count: number) => readonly Register[]): readonly Source[] {
    const found: Source[] = [];
    for (let first = 0; first < words; first += 4)
      found.push(...fetch(first, Math.min(4, words - first)).map(registerSource));
    return found;
  }

  #fetch(pointer: Pointer, load: ir.Load): readonly Source[] {
    const emitter = this.#emitter;
    const { type } = load.results[0]!;
    const element = elementOf(type);
    const size = elementBytes(type);
    const perWord = size === 8 ? 2 : 1;
    const { resource, distance } = this.#resource(pointer);
    const place =
      pointer.base.kind === 'parameter' ? this.#scope.parameters.places[pointer.base.index] : undefined;
    const isConstant =
      spaceOf(load.operands[0]!) === 'constant' || (place?.parameter.isConst && place.parameter.isRestrict);
    const address = emitter.register(distance ?? zero);
    return this.#inPieces(wordsOf(type), (first, count) => {
      const targets = newGroup(count);
      emitter.block.operations.push({
        kind: 'fetch',
        name: 'VFETCH',
        targets,
        address: [address],
        resource,
        sampler: undefined,
        offset: pointer.constant + (first / perWord) * size,
        format: formatOf(element, count),
        bytes: (count / perWord) * size,
        isConstant: isConstant === true,
        span: load.span,
      });
      return targets;
    });
  }

  #resource({ base, distance }: Pointer): { resource: number; distance: Source | undefined } {
    if (base.kind === 'parameter') {
      const { role, resource } = this.#scope.parameters.places[base.index]!;
      if (role?.kind === 'constants') return { resource: constantResource + role.buffer, distance };
      return { resource: role?.kind === 'global' ? memoryResource : resource, distance };
    }
    if (base.kind !== 'global') return { resource: memoryResource, distance };
    let table = this.#tables.get(base.global);
    if (table === undefined) {
      table = tableResource + this.#tables.size;
      this.#tables.set(base.global, table);
    }
    return { resource: table, distance };
  }

  #store(store: ir.Store): void {
    const scope = this.#scope;
    const emitter = this.#emitter;
    const [to, value] = store.operands as [ir.Value, ir.Value];
    const { type } = value;
    scope.requireType(type, store.span);
    const pointer = scope.pointer(to);
    const { base } = pointer;
    const place = base.kind === 'parameter' ? scope.parameters.places[base.index]! : undefined;
    const words = scope.words(value);
    if (place?.role?.kind === 'output') {
      this.#outputs.write(place.role.output, words, store.span);
      return;
    }
    const isPrivate = base.kind === 'variable' && base.variable.space === 'private';
    const space = spaceOf(to);
    if (!isPrivate && space === 'private')
      throw new R600Error('a pointer to one of several private variables', store.span);
    if (elementBytes(type) < 4)
      throw new R600Error('a store of less than 32 bits: the chips write words', store.span);
    if (space === 'local') this.#requireLocal(store);
    else if (!isPrivate && !this.#chip.hasGlobalBuffer)
      throw new R600Error(
        `writes to memory need a global buffer, which ${this.#chip.name} has not`,
        store.span,
      );
    const step = isPrivate ? 1 : 4;
    for (let first = 0; first < words.length; first += step) {
      const data = emitter.together(words.slice(first, first + step), true);
      const index = isPrivate
        ? this.#wordIndex(pointer, first, type)
        : space === 'local'
          ? this.#wordIndex(this.#located(pointer), first, type)
          : this.#globalIndex(pointer, first, type);
      const register = newRegister(0);
      emitter.move(register, index);
      emitter.block.operations.push({
        kind: 'write',
        name: isPrivate
          ? 'MEM_SCRATCH_WRITE_IND'
          : space === 'local'
            ? 'LOCAL_DS_WRITE'
            : 'MEM_EXPORT_WRITE_IND',
        data,
        index: register,
        base: isPrivate ? this.#places.get(base.variable)! : 0,
        span: store.span,
      });
    }
  }

  /** The word of the global buffer: an argument tells where each of its parts begins in bytes, and behind that in words. */
  #globalIndex(pointer: Pointer, word: number, type: Type): Source {
    const index = this.#wordIndex(pointer, word, type);
    if (pointer.base.kind !== 'parameter') return index;
    if (this.#scope.parameters.places[pointer.base.index]!.role?.kind === 'global') return index;
    return this.#emitter.emit('ADD_INT', index, this.#scope.parameters.word(pointer.base.index, 1));
  }
}

const at = (base: Pointer['base']): Pointer => ({ base, distance: undefined, constant: 0, terms: [] });

function spaceOf({ type }: ir.Value): string {
  return type.kind === 'pointer' ? type.space : '';
}

function elementBytes(type: Type): number {
  const element = elementOf(type);
  return element.kind === 'int' || element.kind === 'float' ? element.bits / 8 : 4;
}

function formatOf(element: Type, components: number): string {
  const isFloat = element.kind === 'float' && element.bits === 32;
  const bits = element.kind === 'int' && element.bits < 32 ? element.bits : 32;
  const kind = isFloat ? 'FLOAT' : bits < 32 ? 'SINT' : 'UINT';
  return `${Array(components).fill(bits).join('_')}_${kind}`;
}
