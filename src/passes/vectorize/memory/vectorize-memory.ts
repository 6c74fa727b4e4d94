/**
 * Loads and stores of a vector. How the address differs from lane to lane decides: not at all, then one access serves
 * all; by the size of what is there, then the lanes lie side by side and one vector access does; backwards; by another
 * fixed distance; or in no way that is known. Lanes that take no part are never written, for somebody else may write
 * there, and never read where that could fail.
 */
import { newValue } from '../../../ir/builder.ts';
import { integerOf } from '../../../ir/constants.ts';
import type * as ir from '../../../ir/ir.ts';
import { elementOf, lanesOf, sizeOf, type Type, type VectorType } from '../../../ir/types.ts';
import { vectoriseLaneByLane } from '../emit/lane-by-lane.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { Mask, VectorValue } from '../emit/vector-value.ts';
import { cloneScalar } from '../emit/vectorize-operations.ts';
import { vectorisePairLoad, vectorisePairStore } from './butterfly-pairs.ts';
import {
  canInterleave,
  canPickEverySecond,
  loadEverySecond,
  loadInterleaved,
  storeInterleaved,
} from './interleaved.ts';
import { vectoriseTransposed } from './transposed-loads.ts';
import { apart, together, wordsOf } from './words.ts';

/** One access: what is touched, and where. */
interface Access {
  readonly instruction: ir.Load | ir.Store;
  readonly type: Type;
  readonly components: number;
  /** Bytes of one component. */
  readonly size: number;
  readonly mask: Mask;
}

export function vectoriseLoad(context: VectorContext, load: ir.Load, mask: Mask): void {
  if (vectoriseTransposed(context, load, mask) || vectorisePairLoad(context, load, mask)) return;
  const result = load.results[0]!;
  const pointer = context.vectorised(load.operands[0]!);
  if (load.volatile) {
    if (!mask && isOneEach(pointer, load, result.type)) {
      const type = context.writer.vectorOf(result.type);
      context.report.access(load, 'consecutive', false);
      context.define(result, { kind: 'lanes', parts: [loadVolatile(context, load, type, pointer.first)] });
    } else vectoriseLaneByLane(context, load, mask);
    return;
  }
  if (pointer.kind === 'uniform') {
    context.report.access(load, 'uniform', false);
    context.define(result, { kind: 'uniform', value: cloneScalar(context, load) });
    return;
  }
  if (pointer.kind === 'array') {
    const parts = loadArray(context, accessOf(context, load, result.type, mask), pointer);
    context.define(result, { kind: 'lanes', parts });
    return;
  }
  const words = wordsOf(result.type);
  const access = accessOf(context, load, words ?? result.type, mask);
  const loaded =
    pointer.kind === 'affine'
      ? loadStepped(context, access, pointer)
      : loadScattered(context, access, pointer);
  const parts = words ? apart(context.writer, result.type, loaded) : loaded;
  context.define(result, { kind: 'lanes', parts });
}

export function vectoriseStore(context: VectorContext, store: ir.Store, mask: Mask): void {
  if (vectorisePairStore(context, store, mask)) return;
  const [address, value] = store.operands as [ir.Value, ir.Value];
  const pointer = context.vectorised(address);
  if (store.volatile) {
    if (!mask && isOneEach(pointer, store, value.type)) {
      const operands = [pointer.first, context.parts(value)[0]!];
      context.report.access(store, 'consecutive', false);
      context.writer.append({ ...store, isPerLane: true, operands, results: [], regions: [] });
    } else vectoriseLaneByLane(context, store, mask);
    return;
  }
  if (pointer.kind === 'uniform' || pointer.kind === 'array') {
    const access = accessOf(context, store, value.type, mask);
    if (pointer.kind === 'array') storeArray(context, access, pointer, context.parts(value));
    else storeUniform(context, access, pointer.value, context.vectorised(value), value.type);
    return;
  }
  const words = wordsOf(value.type);
  const access = accessOf(context, store, words ?? value.type, mask);
  const components = context.parts(value);
  const parts = words ? together(context.writer, value.type, components) : components;
  if (pointer.kind === 'affine') storeStepped(context, access, pointer, parts);
  else storeScattered(context, access, pointer, parts);
}

/**
 * Whether a volatile access of local memory touches an element for each lane, side by side: a vector access then does all of them, each
 * once. Nobody outside of the work-group sees local memory, so it does not matter that they are done at once.
 */
function isOneEach(
  pointer: VectorValue,
  { operands: [address] }: ir.Load | ir.Store,
  type: Type,
): pointer is Stepped {
  const isLocal = address!.type.kind === 'pointer' && address!.type.space === 'local';
  const isNumber = type.kind === 'int' || type.kind === 'float';
  return isLocal && isNumber && pointer.kind === 'affine' && pointer.step === type.bits / 8;
}

function loadVolatile({ writer }: VectorContext, load: ir.Load, type: VectorType, first: ir.Value): ir.Value {
  const result = newValue(type, load.results[0]!.name);
  writer.append({ ...load, isPerLane: true, operands: [first], results: [result], regions: [] });
  return result;
}

function accessOf(context: VectorContext, instruction: ir.Load | ir.Store, type: Type, mask: Mask): Access {
  const element = elementOf(type);
  const size = sizeOf(element, sizeOf(context.writer.addressType));
  return { instruction, type, components: lanesOf(type), size, mask };
}

/** The alignment of one component, counted from an address with the access's own. */
function componentAlign({ instruction, size }: Access): number {
  return Math.min(instruction.align, size);
}

// ------------------------------------------------------------------------------------------ known distance

type Stepped = VectorValue & { readonly kind: 'affine' };

function loadStepped(context: VectorContext, access: Access, { first, step }: Stepped): ir.Value[] {
  const { writer, report } = context;
  const { instruction, components, size, mask } = access;
  const type = writer.vectorOf(access.type);
  if (components === 1 && step === size) {
    const isAssumed = context.isAssumed(instruction.operands[0]!);
    report.access(instruction, isAssumed ? 'consecutive or scattered' : 'consecutive', mask !== undefined);
    return [writer.loadLanes(type, first, mask, instruction.align)];
  }
  if (components === 1 && step === -size) {
    report.access(instruction, 'reversed', mask !== undefined);
    const lowest = writer.moved(first, step * (writer.lanes - 1));
    const backwards = mask && reversed(context, mask);
    return [reversed(context, writer.loadLanes(type, lowest, backwards, componentAlign(access)))];
  }
  if (!mask && step === components * size && canInterleave(components)) {
    report.access(instruction, 'interleaved', false);
    return loadInterleaved(writer, type, components, first, instruction.align, size);
  }
  report.access(instruction, 'strided', mask !== undefined);
  if (
    !mask &&
    components === 1 &&
    step === 2 * size &&
    canPickEverySecond(writer.lanes, size, context.target.vectors)
  )
    return [loadEverySecond(writer, type, first, instruction.align, size)];
  const offsets = writer.steps(writer.addressType, step);
  return Array.from({ length: components }, (_, component) =>
    writer.gather(type, writer.moved(first, component * size), offsets, mask, componentAlign(access)),
  );
}

function storeStepped(
  context: VectorContext,
  access: Access,
  { first, step }: Stepped,
  values: readonly ir.Value[],
): void {
  const { writer, report } = context;
  const { instruction, components, size, mask } = access;
  if (components === 1 && step === size) {
    const isAssumed = context.isAssumed(instruction.operands[0]!);
    report.access(instruction, isAssumed ? 'consecutive or scattered' : 'consecutive', mask !== undefined);
    writer.storeLanes(first, values[0]!, mask, instruction.align);
    return;
  }
  if (components === 1 && step === -size) {
    report.access(instruction, 'reversed', mask !== undefined);
    const lowest = writer.moved(first, step * (writer.lanes - 1));
    const backwards = mask && reversed(context, mask);
    writer.storeLanes(lowest, reversed(context, values[0]!), backwards, componentAlign(access));
    return;
  }
  if (!mask && step === components * size && canInterleave(components)) {
    report.access(instruction, 'interleaved', false);
    storeInterleaved(writer, values, first, instruction.align, size);
    return;
  }
  report.access(instruction, 'strided', mask !== undefined);
  const offsets = writer.steps(writer.addressType, step);
  values.forEach((value, component) => {
    const pointer = writer.moved(first, component * size);
    writer.scatter(pointer, offsets, value, mask, componentAlign(access));
  });
}

function reversed({ writer }: VectorContext, vector: ir.Value): ir.Value {
  const lanes = Array.from({ length: writer.lanes }, (_, lane) => writer.lanes - 1 - lane);
  return writer.shuffle(vector, vector, lanes);
}

// ------------------------------------------------------------------------------------------- any addresses

/** Where the lanes' accesses are: each so many bytes from a common place. */
function placesOf(
  { writer }: VectorContext,
  { instruction }: Access,
  places: VectorValue,
): { origin: ir.Value; offsets: ir.Value } {
  const { type } = instruction.operands[0]!;
  return places.kind === 'strided'
    ? { origin: places.first, offsets: writer.strides(places.stride) }
    : { origin: writer.nullPointer(type), offsets: writer.parts(places, type)[0]! };
}

function loadScattered(context: VectorContext, access: Access, places: VectorValue): ir.Value[] {
  const { writer, report } = context;
  const { instruction, components, size, mask } = access;
  const pointer = instruction.operands[0]!;
  if (places.kind === 'strided' && components === 1 && !mask) {
    report.access(instruction, 'strided', false);
    const lanes = Array.from({ length: writer.lanes }, (_, lane) =>
      writer.load(access.type, writer.laneOf(places, pointer.type, lane), instruction.align),
    );
    return [writer.build(writer.vectorOf(access.type), lanes)];
  }
  const { origin, offsets } = placesOf(context, access, places);
  if (places.kind === 'lanes' && components === 1 && context.isLikelyConsecutive(pointer)) {
    report.access(instruction, 'consecutive or scattered', mask !== undefined);
    const type = writer.vectorOf(access.type);
    const align = componentAlign(access);
    const loaded = writer.variableOf(type, instruction.results[0]!.name);
    ifConsecutive(
      context,
      access,
      offsets,
      (first) => writer.write(loaded, writer.loadLanes(type, first, mask, align)),
      () => writer.write(loaded, writer.gather(type, origin, offsets, mask, align)),
    );
    return [writer.read(loaded)];
  }
  report.access(instruction, 'scattered', mask !== undefined);
  return Array.from({ length: components }, (_, component) =>
    writer.gather(
      writer.vectorOf(access.type),
      writer.moved(origin, component * size),
      offsets,
      mask,
      componentAlign(access),
    ),
  );
}

function storeScattered(
  context: VectorContext,
  access: Access,
  places: VectorValue,
  values: readonly ir.Value[],
): void {
  const { writer, report } = context;
  const { instruction, components, size, mask } = access;
  const pointer = instruction.operands[0]!;
  if (places.kind === 'strided' && components === 1 && !mask) {
    report.access(instruction, 'strided', false);
    for (let lane = 0; lane < writer.lanes; lane += 1) {
      const place = writer.laneOf(places, pointer.type, lane);
      writer.store(place, writer.extract(values[0]!, lane), instruction.align);
    }
    return;
  }
  const { origin, offsets } = placesOf(context, access, places);
  if (places.kind === 'lanes' && components === 1 && context.isLikelyConsecutive(pointer)) {
    report.access(instruction, 'consecutive or scattered', mask !== undefined);
    const align = componentAlign(access);
    ifConsecutive(
      context,
      access,
      offsets,
      (first) => writer.storeLanes(first, values[0]!, mask, align),
      () => writer.scatter(origin, offsets, values[0]!, mask, align),
    );
    return;
  }
  report.access(instruction, 'scattered', mask !== undefined);
  values.forEach((value, component) => {
    writer.scatter(writer.moved(origin, component * size), offsets, value, mask, componentAlign(access));
  });
}

/** Asks whether the lanes that take part lie side by side, as seen from the first one's address. */
function ifConsecutive(
  { writer }: VectorContext,
  { instruction, size, mask }: Access,
  addresses: ir.Value,
  consecutive: (first: ir.Value) => void,
  otherwise: () => void,
): void {
  const { addressType } = writer;
  const first = writer.extract(addresses, 0);
  const expected = writer.binary(
    'iadd',
    writer.splat(first, writer.vectorOf(addressType)),
    writer.steps(addressType, size),
  );
  let fits = writer.compare('eq', addresses, expected);
  if (mask) fits = writer.binary('or', fits, writer.unary('not', mask));
  const branch = writer.if(writer.all(fits));
  writer.within(branch.regions[0]!, () => {
    consecutive(writer.convert('itop', first, instruction.operands[0]!.type));
    writer.yield();
  });
  writer.within(branch.regions[1]!, () => {
    otherwise();
    writer.yield();
  });
}

/** All lanes write to one place; the last one's value stays. */
function storeUniform(
  context: VectorContext,
  access: Access,
  pointer: ir.Value,
  value: VectorValue,
  type: Type,
): void {
  const { writer, report } = context;
  const { instruction, mask } = access;
  report.access(instruction, 'uniform', mask !== undefined);
  if (value.kind === 'uniform' || !mask) {
    writer.store(pointer, writer.laneOf(value, type, writer.lanes - 1), instruction.align);
    return;
  }
  const offsets = writer.steps(writer.addressType, 0);
  writer.parts(value, type).forEach((part, component) => {
    const place = writer.moved(pointer, component * access.size);
    writer.scatter(place, offsets, part, mask, componentAlign(access));
  });
}

// ------------------------------------------------------------------------------------------ private arrays

type ArrayPointer = VectorValue & { readonly kind: 'array' };

/**
 * Where the lanes' components are: a pointer to neighbours, or to somewhere from which each lane is so many
 * bytes away.
 */
function placeInArray(
  context: VectorContext,
  { array, offset }: ArrayPointer,
  component: number,
): { pointer: ir.Value; offsets: ir.Value | undefined } {
  const { writer } = context;
  const { addressType } = writer;
  const moved = component * array.elementSize;
  if (offset.kind === 'uniform') {
    const scaled = writer.binary('imul', offset.value, writer.int(addressType, writer.lanes));
    return {
      pointer: writer.moved(writer.offset(array.pointer, scaled), moved * writer.lanes),
      offsets: undefined,
    };
  }
  const bytes = writer.parts(offset, addressType)[0]!;
  const factor = writer.once(bytes.type, integerOf(addressType, writer.lanes));
  const scaled = writer.binary('imul', bytes, factor);
  const offsets = writer.binary('iadd', scaled, writer.steps(addressType, array.elementSize));
  return { pointer: writer.moved(array.pointer, moved * writer.lanes), offsets };
}

function loadArray(context: VectorContext, access: Access, pointer: ArrayPointer): ir.Value[] {
  const { writer, report } = context;
  const { instruction, components, size, mask } = access;
  report.access(
    instruction,
    pointer.offset.kind === 'uniform' ? 'consecutive' : 'scattered',
    mask !== undefined,
  );
  const type = writer.vectorOf(access.type);
  return Array.from({ length: components }, (_, component) => {
    const place = placeInArray(context, pointer, component);
    return place.offsets
      ? writer.gather(type, place.pointer, place.offsets, mask, size)
      : writer.loadLanes(type, place.pointer, mask, size);
  });
}

function storeArray(
  context: VectorContext,
  access: Access,
  pointer: ArrayPointer,
  values: readonly ir.Value[],
): void {
  const { writer, report } = context;
  const { instruction, size, mask } = access;
  report.access(
    instruction,
    pointer.offset.kind === 'uniform' ? 'consecutive' : 'scattered',
    mask !== undefined,
  );
  values.forEach((value, component) => {
    const place = placeInArray(context, pointer, component);
    if (place.offsets) writer.scatter(place.pointer, place.offsets, value, mask, size);
    else writer.storeLanes(place.pointer, value, mask, size);
  });
}

/** The copies of a private variable for all work-items of the vector. */
export function vectoriseVariable(context: VectorContext, variable: ir.Variable): void {
  const { writer } = context;
  const elementSize = context.laneArrays.get(variable);
  const { size, align, name } = variable;
  const result = variable.results[0]!;
  if (elementSize !== undefined) {
    const pointer = writer.atStart(() =>
      writer.variable('private', size * writer.lanes, Math.max(align, 16), name),
    );
    const zero = writer.int(writer.addressType, 0);
    context.define(result, {
      kind: 'array',
      array: { pointer, elementSize },
      offset: { kind: 'uniform', value: zero },
    });
    return;
  }
  const distance = Math.ceil(size / align) * align;
  const parts = writer.atStart(() => {
    const pointer = writer.variable('private', distance * writer.lanes, align, name);
    const address = writer.convert('ptoi', pointer, writer.addressType);
    const addresses = writer.splat(address, writer.vectorOf(writer.addressType));
    return [writer.binary('iadd', addresses, writer.steps(writer.addressType, distance))];
  });
  context.define(result, { kind: 'lanes', parts });
}
