/**
 * Places: what C calls lvalues. A place is bytes in memory, some lanes of a vector in memory, or a bit-field.
 */
import type * as ir from '../../ir/ir.ts';
import { sizeOf as bytesOf, elementOf, lanesOf, type PointerType, type VectorType } from '../../ir/types.ts';
import type { CompoundLiteral, Expression } from '../ast.ts';
import type { CType, QualifiedType } from '../types.ts';
import { atomicLoad, atomicStore } from './atomic-objects.ts';
import { type BitsPlace, readBits, writeBits } from './bit-fields.ts';
import { offsetByElements, value } from './expression.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { initialize } from './initializer.ts';

/** An object in memory. */
export interface MemoryPlace {
  readonly kind: 'memory';
  readonly pointer: ir.Value;
  /** What the address is surely a multiple of, no more than the type's own alignment. */
  readonly align: number;
  readonly type: QualifiedType;
}

/** Some lanes of a vector in memory, in the order the source names them. */
export interface LanesPlace {
  readonly kind: 'lanes';
  readonly vector: MemoryPlace;
  readonly lanes: readonly number[];
}

export type Place = MemoryPlace | LanesPlace | BitsPlace;

/**
 * The place that an lvalue names; for a value of record type, the bytes that hold it. `isRead` when it will only be
 * read: a constant table may then be used where it is (see tables.ts).
 */
export function placeOf(fn: FunctionLowering, expression: Expression, isRead = false): Place {
  if (expression.kind === 'swizzle') {
    const base = placeOf(fn, expression.vector, isRead);
    if (base.kind === 'memory') return { kind: 'lanes', vector: base, lanes: expression.lanes };
    if (base.kind === 'bits') throw new Error('lanes of a bit-field');
    return { ...base, lanes: expression.lanes.map((lane) => base.lanes[lane] ?? 0) };
  }
  const place = memoryPlaceOf(fn, expression, isRead);
  const bits = expression.kind === 'member' ? expression.field.bits : undefined;
  return bits ? { kind: 'bits', unit: place, bits } : place;
}

/** The place of an lvalue that is not lanes of a vector; of a bit-field its unit. */
export function memoryPlaceOf(fn: FunctionLowering, expression: Expression, isRead = false): MemoryPlace {
  const { builder } = fn;
  const natural = fn.module.alignOfAccess(expression.type);
  const at = (pointer: ir.Value, align = natural): MemoryPlace => ({
    kind: 'memory',
    pointer,
    align,
    type: expression.type,
  });
  switch (expression.kind) {
    case 'name': {
      const { declaration } = expression;
      if (declaration.kind === 'variable') return at(fn.addressOf(declaration, isRead));
      break;
    }
    case 'dereference':
      return at(value(fn, expression.operand));
    case 'subscript': {
      const { base: array } = expression;
      const isElement = array.kind === 'cast' && array.cast === 'decay';
      const whole = isElement ? memoryPlaceOf(fn, array.operand, isRead) : undefined;
      const base = whole?.pointer ?? value(fn, array);
      const index = value(fn, expression.index);
      const pointer = offsetByElements(fn, base, index, expression.index.type.type, expression.type.type);
      if (isElement) sayLength(fn, pointer, array.operand.type.type);
      return at(pointer, Math.min(natural, whole?.align ?? natural));
    }
    case 'member': {
      const object = memoryPlaceOf(fn, expression.object, isRead);
      const { offset } = expression.field;
      if (offset === 0) return at(object.pointer, Math.min(natural, object.align));
      const align = Math.min(natural, lowestBit(object.align | offset));
      return at(builder.offset(object.pointer, builder.integer(builder.addressType, offset)), align);
    }
    case 'string-literal':
      return at(fn.globalIn(fn.module.globalForLiteral(expression.bytes), expression.type.space), 1);
    case 'compound-literal':
      return at(compoundLiteral(fn, expression));
    default:
      break;
  }
  // A record that is a value (a call's result, say) is represented by the address of its bytes.
  return at(value(fn, expression));
}

/** Tells tools how long the array is that is subscripted. One of a single element may be what stands before others. */
function sayLength(fn: FunctionLowering, pointer: ir.Value, type: CType): void {
  const last = fn.builder.region.instructions.at(-1);
  if (last?.op !== 'offset' || last.results[0] !== pointer || type.kind !== 'array') return;
  if (type.length !== undefined && type.length > 1) last.within = fn.module.sizeOf(type);
}

function compoundLiteral(fn: FunctionLowering, expression: CompoundLiteral): ir.Value {
  if (expression.isStatic) {
    return fn.globalIn(fn.module.globalForLiteral(expression, expression.span), expression.type.space);
  }
  const pointer = fn.temporary(expression.type.type, 'literal');
  initialize(
    fn,
    pointer,
    fn.module.alignOf(expression.type.type),
    expression.type.type,
    expression.initializer,
  );
  return pointer;
}

function lowestBit(bits: number): number {
  return bits & -bits;
}

/** What is at a place; for records and arrays, the address. */
export function readPlace(fn: FunctionLowering, place: Place): ir.Value {
  const { builder } = fn;
  if (place.kind === 'memory') {
    const { kind } = place.type.type;
    if (kind === 'record' || kind === 'array') return place.pointer;
    if (place.type.type.kind === 'atomic') return atomicLoad(fn, place.pointer, place.type.type.value);
    return builder.load(fn.typeOf(place.type.type), place.pointer, place.align, place.type.isVolatile);
  }
  if (place.kind === 'bits') return readBits(fn, place);
  const { vector, lanes } = place;
  if (lanes.length === 1 && spaceOf(vector) !== 'private') {
    const { pointer, element, align } = lanePointer(fn, vector, lanes[0]!);
    return builder.load(element, pointer, align, vector.type.isVolatile);
  }
  return pickLanes(fn, readPlace(fn, vector), lanes);
}

/** The lanes of a vector value: a scalar for one, else a vector. */
export function pickLanes(fn: FunctionLowering, vector: ir.Value, lanes: readonly number[]): ir.Value {
  if (lanes.length === 1) return fn.builder.extract(vector, lanes[0]!);
  return fn.builder.shuffle(vector, vector, lanes);
}

/** Stores a value; for records, `stored` is the address of the bytes to copy. */
export function writePlace(fn: FunctionLowering, place: Place, stored: ir.Value): void {
  const { builder } = fn;
  if (place.kind === 'memory') {
    const { type, isVolatile } = place.type;
    if (type.kind === 'record' || type.kind === 'array') {
      const size = builder.integer(builder.addressType, fn.module.sizeOf(type));
      builder.copy(place.pointer, stored, size, place.align);
    } else if (type.kind === 'atomic') {
      atomicStore(fn, place.pointer, stored);
    } else {
      builder.store(place.pointer, stored, place.align, isVolatile);
    }
    return;
  }
  if (place.kind === 'bits') {
    writeBits(fn, place, stored);
    return;
  }
  const { vector, lanes } = place;
  const parts = lanes.map((_, index) => (lanes.length === 1 ? stored : builder.extract(stored, index)));
  if (spaceOf(vector) === 'private') {
    let whole = readPlace(fn, vector);
    lanes.forEach((lane, index) => {
      whole = builder.insert(whole, parts[index]!, lane);
    });
    writePlace(fn, vector, whole);
    return;
  }
  // Other work-items may write the other lanes at the same time, so only these are touched.
  lanes.forEach((lane, index) => {
    const { pointer, align } = lanePointer(fn, vector, lane);
    builder.store(pointer, parts[index]!, align, vector.type.isVolatile);
  });
}

function spaceOf(place: MemoryPlace): string {
  return (place.pointer.type as PointerType).space;
}

function lanePointer(fn: FunctionLowering, place: MemoryPlace, lane: number) {
  const { builder } = fn;
  const type = fn.typeOf(place.type.type) as VectorType;
  if (lanesOf(type) === 1) throw new Error('lanes of what is no vector');
  const element = elementOf(type);
  const size = bytesOf(element);
  const pointer =
    lane === 0
      ? place.pointer
      : builder.offset(place.pointer, builder.integer(builder.addressType, lane * size));
  return { pointer, element, align: Math.min(size, place.align) };
}
