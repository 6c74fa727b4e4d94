/**
 * What selection knows about the values of a kernel: the words that they became, how they were made, and where the thread
 * itself is. A pixel kernel begins with its position in R0.xy; a compute kernel with its place in its group in R0.xyz and the
 * group's in R1.xyz, each with its number, counted row by row, in w.
 */

import { imageTypeFacts } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import type { Type } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import type { Span } from '../../source/span.ts';
import { type Lane, requireType } from './arithmetic.ts';
import type { Chip } from './chips.ts';
import { type Emitter, literal, registerSource, zero } from './emitter.ts';
import { R600Error } from './error.ts';
import {
  type Channel,
  type ConstantSource,
  newGroup,
  newRegister,
  type Register,
  type Source,
} from './operations.ts';
import { laneWords, launchConstants, Parameters, wordsOf } from './parameters.ts';
import type { Pointer } from './pointers.ts';
import type { ParameterRole, ParameterRoles } from './roles.ts';

/** Larger than any position. */
const beyond: Source = { kind: 'literal', bits: 0x7fffffff, isBound: true };

/**
 * What stands for the numbers of a shape. Addresses of textures are made with them, and need no such arithmetic on the chip; where
 * one is left in the end, the kernel needs a number that the chip has not.
 */
const shapeNumber: ConstantSource = { kind: 'constant', buffer: -1, index: 0, channel: 0 };

export const isShapeNumber = (source: Source): boolean =>
  source.kind === 'constant' && source.buffer === shapeNumber.buffer;

type Axis = 0 | 1 | 2;

/** The channel of R0 and R1 of compute kernels with the number in the group, and of the group. */
const flat = 3;

export interface ScopeOptions {
  readonly roles: ParameterRoles;
  readonly kind: 'pixel' | 'compute' | undefined;
  /** Work-items of a group, where all launches have so many and begin at 0. */
  readonly groupSize: readonly [number, number, number] | undefined;
}

export class Scope {
  readonly isCompute: boolean;
  readonly parameters: Parameters;
  readonly notes: { text: string; span: Span | undefined }[] = [];
  /** How a pointer that is not known becomes an address; memory.ts sets it. */
  addressOf: (pointer: Pointer) => Source = () => zero;
  readonly #emitter: Emitter;
  readonly #chip: Chip;
  readonly #lanes = new Map<ir.Value, readonly Lane[]>();
  readonly #pointers = new Map<ir.Value, Pointer>();
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #uses = new Map<ir.Value, number>();
  readonly #shapes = new Set<ir.Value>();
  readonly #inputs: readonly (readonly Register[])[];
  readonly #positions = new Map<Axis, Source>();

  readonly #groupSize: ScopeOptions['groupSize'];

  constructor(fn: ir.Function, chip: Chip, { roles, kind, groupSize }: ScopeOptions, emitter: Emitter) {
    this.#emitter = emitter;
    this.#groupSize = groupSize;
    this.#chip = chip;
    if (kind === 'compute' && !chip.hasCompute)
      throw new R600Error(`compute kernels, which ${chip.name} has not`, fn.span);
    this.isCompute = kind ? kind === 'compute' : chip.hasCompute && !writesOutputs(fn, roles);
    this.parameters = new Parameters(fn, roles, this.isCompute);
    this.#inputs = [0, 1].map((number) => {
      const members = newGroup(this.isCompute ? 4 : 2);
      for (const [lane, member] of members.entries()) {
        member.channel = lane as Channel;
        member.group.fixed = number;
      }
      return members;
    });
    walkFunction(fn, (instruction) => {
      for (const result of instruction.results) this.#definitions.set(result, instruction);
      for (const operand of instruction.operands) this.#uses.set(operand, (this.#uses.get(operand) ?? 0) + 1);
    });
    for (const [index, { parameter, role }] of this.parameters.places.entries()) {
      const { value } = parameter;
      if (role?.kind === 'shape' || role?.kind === 'bound') this.#shapes.add(value);
      if (value.type.kind === 'opaque') continue;
      if (value.type.kind === 'pointer') {
        this.setPointer(value, {
          base: { kind: 'parameter', index },
          distance: undefined,
          constant: 0,
          terms: [],
        });
        continue;
      }
      const fixed = role?.kind === 'origin' ? zero : role?.kind === 'shape' ? shapeNumber : undefined;
      const bound = role?.kind === 'bound' ? beyond : undefined;
      const words = Array.from(
        { length: wordsOf(value.type) },
        (_, word) => fixed ?? bound ?? this.parameters.word(index, word),
      );
      if (!fixed && !bound) this.requireType(value.type, undefined);
      this.setWords(value, words);
    }
  }

  requireType(type: Type, span: Span | undefined): void {
    requireType(type, this.#chip.hasDoubles, span);
  }

  definition(value: ir.Value): ir.Instruction | undefined {
    return this.#definitions.get(value);
  }

  uses(value: ir.Value): number {
    return this.#uses.get(value) ?? 0;
  }

  set(value: ir.Value, lanes: readonly Lane[]): void {
    this.#lanes.set(value, lanes);
  }

  setWords(value: ir.Value, words: readonly Source[]): void {
    const each = laneWords(value.type);
    this.set(
      value,
      Array.from({ length: words.length / each }, (_, lane) => words.slice(lane * each, (lane + 1) * each)),
    );
  }

  setPointer(value: ir.Value, pointer: Pointer): void {
    this.#pointers.set(value, pointer);
  }

  pointer(value: ir.Value): Pointer {
    const known = this.#pointers.get(value);
    if (known) return known;
    return { base: { kind: 'memory' }, distance: this.word(value), constant: 0, terms: [value] };
  }

  /** What a pointer leads into, if that is a texture. */
  textureOf(pointer: ir.Value): Extract<ParameterRole, { kind: 'texture' }> | undefined {
    const { base } = this.pointer(pointer);
    const role = base.kind === 'parameter' ? this.parameters.places[base.index]!.role : undefined;
    return role?.kind === 'texture' ? role : undefined;
  }

  lanes(value: ir.Value): readonly Lane[] {
    const known = this.#lanes.get(value);
    if (known) return known;
    const pointer = this.#pointers.get(value);
    if (!pointer) throw new R600Error('a value of a kind that the R600 family has not', this.#emitter.span);
    return [[this.addressOf(pointer)]];
  }

  words(value: ir.Value): readonly Source[] {
    return this.lanes(value).flat();
  }

  /** The only word of a value. */
  word(value: ir.Value): Source {
    return this.lanes(value)[0]![0]!;
  }

  zeros(type: Type): readonly Lane[] {
    const each = laneWords(type);
    return Array.from({ length: wordsOf(type) / each }, () => Array<Source>(each).fill(zero));
  }

  /** Makes registers that a value is held by, whatever place it comes from. */
  join(value: ir.Value): readonly Register[] {
    this.requireType(value.type, this.#emitter.span);
    const registers = Array.from({ length: wordsOf(value.type) }, () => newRegister());
    this.setWords(value, registers.map(registerSource));
    return registers;
  }

  constant(value: ir.Value): number | undefined {
    const [word] = this.#lanes.get(value)?.[0] ?? [];
    return word?.kind === 'literal' && !word.isBound ? word.bits : undefined;
  }

  isShape(value: ir.Value): boolean {
    if (this.#shapes.has(value)) return true;
    const made = this.#definitions.get(value);
    const isMade = made && /^(?:binary|unary|extract|shuffle|convert|build)$/.test(made.op);
    if (!isMade) return false;
    let hasShape = false;
    for (const operand of made.operands) {
      if (this.isShape(operand)) hasShape = true;
      else if (this.#definitions.get(operand)?.op !== 'constant') return false;
    }
    if (hasShape) this.#shapes.add(value);
    return hasShape;
  }

  readonly local = (axis: Axis): Source => registerSource(this.#inputs[0]![axis]!);
  readonly group = (axis: Axis): Source => registerSource(this.#inputs[1]![axis]!);
  /** The numbers in the group and of the group, counted row by row. */
  readonly flatLocal = (): Source => registerSource(this.#inputs[0]![flat]!);
  readonly flatGroup = (): Source => registerSource(this.#inputs[1]![flat]!);

  /** A number of the launch, by its place among {@link launchConstants}. */
  launch(index: number, axis: Axis): Source {
    if (this.#groupSize && index === launchConstants.localSize) return literal(this.#groupSize[axis]);
    if (this.#groupSize && index === launchConstants.offset) return zero;
    return { kind: 'constant', buffer: this.parameters.launchBuffer, index, channel: axis };
  }

  /** Where a pixel kernel is along an axis, as it begins with it: a float, half a pixel in. */
  readonly pixel = (axis: 0 | 1): Source => registerSource(this.#inputs[0]![axis]!);

  /** Which thread this is, along an axis. */
  position(axis: Axis): Source {
    if (!this.isCompute) {
      if (axis === 2) return zero;
      return this.#emitter.emit('FLT_TO_INT', registerSource(this.#inputs[0]![axis]!));
    }
    const emitter = this.#emitter;
    const known = this.#positions.get(axis);
    // What was computed inside of control flow is not known everywhere.
    if (known && emitter.items.length === 1) return known;
    const before = emitter.emit('MULLO_INT', this.group(axis), this.launch(launchConstants.localSize, axis));
    const inRange = emitter.emit('ADD_INT', before, this.local(axis));
    const place = emitter.emit('ADD_INT', inRange, this.launch(launchConstants.offset, axis));
    this.#positions.set(axis, place);
    return place;
  }

  /** Whether a word of a pixel kernel is the thread's position along an axis, as an integer. */
  isPosition(word: Source, axis: number): boolean {
    const made = this.#emitter.made(word);
    const [from] = made?.opcode.name === 'FLT_TO_INT' ? made.sources : [];
    return from !== undefined && this.isPixel(from, axis);
  }

  /** Whether it is what {@link pixel} gives. */
  isPixel(word: Source, axis: number): boolean {
    return word.kind === 'register' && !this.isCompute && word.register === this.#inputs[0]![axis];
  }
}

function writesOutputs(fn: ir.Function, roles: ParameterRoles): boolean {
  if ([...roles.values()].some(({ kind }) => kind === 'output')) return true;
  return fn.parameters.some(({ value }) => imageTypeFacts(value.type)?.access === 'write_only');
}
