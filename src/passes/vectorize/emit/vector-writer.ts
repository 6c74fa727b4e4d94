/**
 * Writes the vector region: a builder that knows the vector's lane count, gives every constant once, and can go back to
 * the place where a value was computed to put there the vector that is made of it, so that it is made once and outside
 * of loops that do not need to make it again.
 */
import { Builder, newRegion, newValue } from '../../../ir/builder.ts';
import { integerOf, splatOf } from '../../../ir/constants.ts';
import type * as ir from '../../../ir/ir.ts';
import {
  bool,
  elementOf,
  type IntType,
  i32,
  type LaneCount,
  pointerType,
  type ScalarType,
  sizeOf,
  type Type,
  type VectorType,
  vectorisedType,
  vectorType,
} from '../../../ir/types.ts';
import type { Mask, VectorValue } from './vector-value.ts';

/** A private variable that `mem2reg` turns into values again once the region is written. */
export interface Variable {
  readonly pointer: ir.Value;
  readonly type: Type;
  /** Whether something but the initial value may be there already. */
  isStored: boolean;
  /** How many loops were open where it was made. */
  readonly loops: number;
}

export class VectorWriter extends Builder {
  readonly lanes: LaneCount;
  /** The vector region. */
  readonly root: ir.Region;
  /** How many loops are open. */
  loops = 0;
  readonly #addressInt: IntType;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #prologue: ir.Instruction[] = [];
  /** What is to follow an instruction of the region. */
  readonly #followers = new Map<ir.Instruction, ir.Instruction[]>();
  /** The instruction after which a value is there; none for those that come from outside. */
  readonly #places = new Map<ir.Value, ir.Instruction | undefined>();
  /** Where `append` puts instructions, if not at the end of the current region. */
  #anchor: { readonly list: ir.Instruction[]; readonly place: ir.Instruction | undefined } | undefined;
  readonly #constants = new Map<string, ir.Value>();
  readonly #splats = new Map<ir.Value, readonly ir.Value[]>();
  readonly #stepped = new Map<ir.Value, Map<number, ir.Value>>();
  readonly #strided = new Map<ir.Value, Map<ir.Value, ir.Value>>();
  readonly #strides = new Map<ir.Value, ir.Value>();

  /** @param definitions of the whole function's values, to know constants */
  constructor(lanes: LaneCount, addressBits: 32 | 64, definitions: ReadonlyMap<ir.Value, ir.Instruction>) {
    const root = newRegion();
    super(root, addressBits);
    this.root = root;
    this.lanes = lanes;
    this.#addressInt = this.addressType;
    this.#definitions = definitions;
  }

  override append<T extends ir.Instruction>(instruction: T): T {
    if (this.span !== undefined && instruction.span === undefined) instruction.span = this.span;
    if (this.#anchor) {
      this.#anchor.list.push(instruction);
      for (const result of instruction.results) this.#places.set(result, this.#anchor.place);
    } else {
      this.region.instructions.push(instruction);
      for (const result of instruction.results) this.#places.set(result, instruction);
    }
    return instruction;
  }

  /** Puts what was to follow instructions behind them; the region is complete then. */
  finish(): ir.Region {
    this.#place(this.root);
    this.root.instructions = [...this.#prologue, ...this.root.instructions];
    return this.root;
  }

  #place(region: ir.Region): void {
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      output.push(instruction);
      for (const nested of instruction.regions) this.#place(nested);
      const followers = this.#followers.get(instruction);
      if (followers) for (const follower of followers) output.push(follower);
    }
    region.instructions = output;
  }

  /** Writes right after the value's computation instead of here; at the region's start for values from outside. */
  #atValue<T>(value: ir.Value, body: () => T): T {
    const place = this.#places.get(value);
    let list = this.#prologue;
    if (place) {
      list = this.#followers.get(place) ?? [];
      this.#followers.set(place, list);
    }
    const saved = this.#anchor;
    this.#anchor = { list, place };
    try {
      return body();
    } finally {
      this.#anchor = saved;
    }
  }

  /** Writes at the start of the vector region. */
  atStart<T>(body: () => T): T {
    const saved = this.#anchor;
    this.#anchor = { list: this.#prologue, place: undefined };
    try {
      return body();
    } finally {
      this.#anchor = saved;
    }
  }

  // ------------------------------------------------------------------------------------------- constants

  /** A constant, one of each. Every lane of a vector is the same scalar unless lanes are given. */
  once(type: Type, value: ir.ScalarConstant | readonly ir.ScalarConstant[]): ir.Value {
    const filled = typeof value === 'object' ? value : splatOf(type, value);
    const kind = type.kind === 'vector' ? `${type.lanes}` : '';
    const element = elementOf(type);
    const bits = element.kind === 'int' || element.kind === 'float' ? element.bits : '';
    const space = element.kind === 'pointer' ? element.space : '';
    const text = [filled].flat().map((one) => (Object.is(one, -0) ? '-0' : String(one)));
    const key = `${element.kind}${bits}${space}x${kind} ${text.join()}`;
    let result = this.#constants.get(key);
    if (!result) {
      result = this.atStart(() => this.constant(type, filled));
      this.#constants.set(key, result);
    }
    return result;
  }

  /** A scalar integer of the type. */
  int(type: Type, value: number): ir.Value {
    return this.once(type, integerOf(type, value));
  }

  /** 0, step, 2 step and so on. */
  steps(type: Type, step: number): ir.Value {
    const lanes = Array.from({ length: this.lanes }, (_, lane) => integerOf(type, lane * step));
    return this.once(vectorType(type as ScalarType, this.lanes), lanes);
  }

  get maskType(): VectorType {
    return vectorType(bool, this.lanes);
  }

  // ----------------------------------------------------------------------------------------------- lanes

  /** The type of a lane of a scalar: pointers are addresses. */
  laneType(type: Type): ScalarType {
    const vectorised = vectorisedType(elementOf(type), this.lanes, this.#addressInt);
    if (!vectorised) throw new Error('vectorise: a handle that differs between work-items');
    return vectorised.element;
  }

  /** The vector type of a scalar. */
  vectorOf(type: Type): VectorType {
    return vectorType(this.laneType(type), this.lanes);
  }

  /** The vectors of a value of the given type, one for each of its components. */
  parts(vectorised: VectorValue, type: Type): readonly ir.Value[] {
    switch (vectorised.kind) {
      case 'lanes':
        return vectorised.parts;
      case 'uniform':
        return this.#splat(vectorised.value, type);
      case 'affine':
        return [this.#step(vectorised.first, vectorised.step)];
      case 'patterned': {
        const [base] = this.#splat(vectorised.first, vectorised.first.type) as [ir.Value];
        const element = this.laneType(vectorised.first.type);
        const offsets = vectorised.offsets.map((offset) => integerOf(element, offset));
        return [this.binary('iadd', base, this.once(base.type, offsets))];
      }
      case 'strided':
        return [this.#stride(vectorised.first, vectorised.stride)];
      case 'array':
        throw new Error('vectorise: the address of a private array escapes');
    }
  }

  #splat(value: ir.Value, type: Type): readonly ir.Value[] {
    let parts = this.#splats.get(value);
    if (!parts) {
      const definition = this.#definitions.get(value);
      const sum = this.#splatOperation(value);
      parts = sum
        ? [sum]
        : definition?.op === 'constant'
          ? [definition.value].flat().map((lane) => this.once(this.vectorOf(type), lane as ir.ScalarConstant))
          : this.#atValue(value, () =>
              this.#components(value, type).map((scalar) => this.splat(scalar, this.vectorOf(type))),
            );
      this.#splats.set(value, parts);
    }
    return parts;
  }

  /**
   * The vector of what is computed from a load: a load fills a vector as easily as a scalar, which a splat afterwards would
   * have to wait for.
   */
  #splatOperation(value: ir.Value): ir.Value | undefined {
    const operation = this.#places.get(value);
    if (operation?.op !== 'binary' || operation.results[0] !== value || value.type.kind !== 'float')
      return undefined;
    if (!operation.operands.some((operand) => this.#isLoaded(operand))) return undefined;
    const [a, b] = operation.operands.map((operand) => this.#splat(operand, operand.type)[0]!) as [
      ir.Value,
      ir.Value,
    ];
    return this.#atValue(value, () => this.binary(operation.fn, a, b, operation.contract));
  }

  #isLoaded(value: ir.Value): boolean {
    const place = this.#places.get(value);
    return place?.op === 'load' && place.results[0] === value;
  }

  #components(value: ir.Value, type: Type): ir.Value[] {
    if (type.kind === 'vector') {
      return Array.from({ length: type.lanes }, (_, component) => this.extract(value, component));
    }
    return [type.kind === 'pointer' ? this.convert('ptoi', value, this.addressType) : value];
  }

  #step(first: ir.Value, step: number): ir.Value {
    let bySteps = this.#stepped.get(first);
    if (!bySteps) {
      bySteps = new Map();
      this.#stepped.set(first, bySteps);
    }
    let vector = bySteps.get(step);
    if (!vector) {
      const [base] = this.#splat(first, first.type) as [ir.Value];
      vector = this.#atValue(base, () =>
        this.binary('iadd', base, this.steps(this.laneType(first.type), step)),
      );
      bySteps.set(step, vector);
    }
    return vector;
  }

  #stride(first: ir.Value, stride: ir.Value): ir.Value {
    const distances = this.strides(stride);
    let byStride = this.#strided.get(first);
    if (!byStride) {
      byStride = new Map();
      this.#strided.set(first, byStride);
    }
    let vector = byStride.get(stride);
    if (!vector) {
      // The first is always computed after the stride.
      const [base] = this.#splat(first, first.type) as [ir.Value];
      vector = this.#atValue(base, () => this.binary('iadd', base, distances));
      byStride.set(stride, vector);
    }
    return vector;
  }

  /** 0, stride, 2 stride and so on, for a stride that is the same for all lanes. */
  strides(stride: ir.Value): ir.Value {
    let vector = this.#strides.get(stride);
    if (!vector) {
      const [all] = this.#splat(stride, stride.type) as [ir.Value];
      vector = this.#atValue(all, () => this.binary('imul', all, this.steps(stride.type, 1)));
      this.#strides.set(stride, vector);
    }
    return vector;
  }

  /** So many strides: a power of two. */
  #multiple(stride: ir.Value, count: number): ir.Value {
    if (count === 1) return stride;
    return this.#atValue(stride, () => this.binary('shl', stride, this.int(stride.type, Math.log2(count))));
  }

  /** One work-item's own value. */
  laneOf(vectorised: VectorValue, type: Type, lane: number): ir.Value {
    switch (vectorised.kind) {
      case 'uniform':
        return vectorised.value;
      case 'affine': {
        if (lane === 0) return vectorised.first;
        const distance = this.int(type.kind === 'pointer' ? this.addressType : type, vectorised.step * lane);
        return type.kind === 'pointer'
          ? this.offset(vectorised.first, distance)
          : this.binary('iadd', vectorised.first, distance);
      }
      case 'patterned': {
        const offset = vectorised.offsets[lane]!;
        if (type.kind === 'pointer') return this.moved(vectorised.first, offset);
        return this.binary('iadd', vectorised.first, this.int(type, offset));
      }
      case 'strided': {
        if (lane === 0) return vectorised.first;
        const highest = 2 ** Math.floor(Math.log2(lane));
        const before = this.laneOf(vectorised, type, lane - highest);
        const distance = this.#multiple(vectorised.stride, highest);
        return type.kind === 'pointer'
          ? this.offset(before, distance)
          : this.binary('iadd', before, distance);
      }
      case 'lanes': {
        const scalars = vectorised.parts.map((part) => this.extract(part, lane));
        if (type.kind === 'vector') return this.build(type, scalars);
        return type.kind === 'pointer' ? this.convert('itop', scalars[0]!, type) : scalars[0]!;
      }
      case 'array':
        throw new Error('vectorise: the address of a private array escapes');
    }
  }

  /** The scalar that stands for a value which has one: the first lane's. */
  scalarOf(vectorised: VectorValue): ir.Value {
    if (vectorised.kind === 'uniform') return vectorised.value;
    if (vectorised.kind === 'affine') return vectorised.first;
    throw new Error('vectorise: a value that differs where a scalar is needed');
  }

  nullPointer(type: Type): ir.Value {
    return this.once(pointerType(type.kind === 'pointer' ? type.space : 'generic'), 0);
  }

  /** Moves a pointer by a fixed number of bytes. */
  moved(pointer: ir.Value, bytes: number): ir.Value {
    return bytes === 0 ? pointer : this.offset(pointer, this.int(this.addressType, bytes));
  }

  // ----------------------------------------------------------------------------------------------- masks

  and(mask: Mask, condition: ir.Value): ir.Value {
    return mask ? this.binary('and', mask, condition) : condition;
  }

  andNot(mask: Mask, condition: ir.Value): ir.Value {
    return this.and(mask, this.unary('not', condition));
  }

  /** One of two vectors, by a condition that is the same for all lanes. */
  pick(condition: ir.Value, a: ir.Value, b: ir.Value): ir.Value {
    const isMask = elementOf(a.type) === bool;
    if (isMask && b === this.once(a.type, false)) {
      return this.binary('and', a, this.#splat(condition, bool)[0]!);
    }
    return this.select(condition, a, b);
  }

  /** Whether anybody takes part. */
  any(mask: ir.Value): ir.Value {
    return this.#test('any', mask);
  }

  all(mask: ir.Value): ir.Value {
    return this.#test('all', mask);
  }

  /** How many take part. */
  count(mask: ir.Value): ir.Value {
    return this.#test('count', mask);
  }

  #test(fn: ir.Test['fn'], mask: ir.Value): ir.Value {
    const result = newValue(fn === 'count' ? i32 : bool);
    this.append({ op: 'test', fn, operands: [mask], results: [result], regions: [] });
    return result;
  }

  maskValue(mask: Mask): ir.Value {
    return mask ?? this.once(this.maskType, true);
  }

  // ------------------------------------------------------------------------------------------- variables

  /** A variable that holds `initial`, or nothing in particular. */
  variableOf(type: Type, name: string | undefined, initial?: ir.Value): Variable {
    const pointer = this.atStart(() => this.variable('private', sizeOf(type, 8), 16, name ?? ''));
    this.store(pointer, initial ?? this.undefined(type), 1);
    return { pointer, type, isStored: initial !== undefined, loops: this.loops };
  }

  read(variable: Variable): ir.Value {
    return this.load(variable.type, variable.pointer, 1);
  }

  write(variable: Variable, value: ir.Value): void {
    this.store(variable.pointer, value, 1);
    variable.isStored = true;
  }

  /** Whether a lane's value may have been written before the walk came here. */
  mayBeStored(variable: Variable): boolean {
    return variable.isStored || variable.loops < this.loops;
  }

  /** Sets the lanes of the mask. */
  blend(variable: Variable, value: ir.Value, mask: Mask): void {
    if (!mask || !this.mayBeStored(variable)) this.write(variable, value);
    else this.write(variable, this.select(mask, value, this.read(variable)));
  }

  /** Adds lanes to a mask that is kept in a variable. */
  include(variable: Variable, mask: Mask): void {
    const lanes = this.maskValue(mask);
    this.write(variable, this.mayBeStored(variable) ? this.binary('or', this.read(variable), lanes) : lanes);
  }

  // ---------------------------------------------------------------------------------------------- memory

  gather(type: VectorType, pointer: ir.Value, offsets: ir.Value, mask: Mask, align: number): ir.Value {
    const result = newValue(type);
    const operands = mask ? [pointer, offsets, mask] : [pointer, offsets];
    this.append({ op: 'gather', align, operands, results: [result], regions: [] });
    return result;
  }

  scatter(pointer: ir.Value, offsets: ir.Value, value: ir.Value, mask: Mask, align: number): void {
    const operands = mask ? [pointer, offsets, value, mask] : [pointer, offsets, value];
    this.append({ op: 'scatter', align, operands, results: [], regions: [] });
  }

  /** Lanes that lie one after another. */
  loadLanes(type: VectorType, pointer: ir.Value, mask: Mask, align: number): ir.Value {
    const result = newValue(type);
    const common = { align, results: [result], regions: [] };
    if (mask) this.append({ op: 'masked_load', ...common, operands: [pointer, mask] });
    else this.append({ op: 'load', isPerLane: true, ...common, operands: [pointer] });
    return result;
  }

  storeLanes(pointer: ir.Value, value: ir.Value, mask: Mask, align: number): void {
    const common = { align, results: [], regions: [] };
    if (mask) this.append({ op: 'masked_store', ...common, operands: [pointer, value, mask] });
    else this.append({ op: 'store', isPerLane: true, ...common, operands: [pointer, value] });
  }
}
