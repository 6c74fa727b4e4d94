/** Lowers initializers of variables and compound literals: what the source names is stored, the rest is zero. */
import { zeroOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';
import type { ScalarType, VectorType } from '../../ir/types.ts';
import type { Expression, InitializerList } from '../ast.ts';
import type { CType, VectorType as CVectorType } from '../types.ts';
import { writeBits } from './bit-fields.ts';
import { value } from './expression.ts';
import type { FunctionLowering } from './function-lowering.ts';
import type { MemoryPlace } from './place.ts';

/** Initialises an object of `type` at `pointer`. */
export function initialize(
  fn: FunctionLowering,
  pointer: ir.Value,
  align: number,
  type: CType,
  initializer: Expression,
): void {
  const { builder } = fn;
  if (initializer.kind === 'initializer-list') {
    initializeFromList(fn, pointer, align, type, initializer);
  } else if (initializer.kind === 'string-literal' && type.kind === 'array') {
    const size = fn.module.sizeOf(type);
    if (initializer.bytes.length < size) fill(fn, pointer, size, align);
    copyString(fn, pointer, initializer.bytes, size);
  } else if (type.kind === 'record' || type.kind === 'array') {
    builder.copy(pointer, value(fn, initializer), bytes(fn, fn.module.sizeOf(type)), align);
  } else {
    builder.store(pointer, value(fn, initializer), align);
  }
}

function initializeFromList(
  fn: FunctionLowering,
  pointer: ir.Value,
  align: number,
  type: CType,
  list: InitializerList,
): void {
  const { builder, module } = fn;
  if (type.kind === 'vector') {
    builder.store(pointer, vectorFromList(fn, type, list), align);
    return;
  }
  let covered = 0;
  for (const entry of list.entries) {
    if (!entry.bits) covered += valueBytes(fn, entry.type.type, entry.value);
  }
  const size = module.sizeOf(type);
  if (covered < size) fill(fn, pointer, size, align);
  for (const { offset, bits, type: entryType, value: entry } of list.entries) {
    const place = offset === 0 ? pointer : builder.offset(pointer, bytes(fn, offset));
    const natural = module.alignOfAccess(entryType);
    const known = offset === 0 ? align : Math.min(align, offset & -offset);
    if (bits) {
      const unit: MemoryPlace = {
        kind: 'memory',
        pointer: place,
        align: Math.min(natural, known),
        type: entryType,
      };
      writeBits(fn, { kind: 'bits', unit, bits }, value(fn, entry));
      continue;
    }
    initialize(fn, place, Math.min(natural, known), entryType.type, entry);
  }
}

/** `{1, 2, 3}` for a vector: the lanes are put together in a value, so that the variable is stored once. */
function vectorFromList(fn: FunctionLowering, type: CVectorType, list: InitializerList): ir.Value {
  const { builder } = fn;
  const whole = list.entries[0];
  if (whole && list.entries.length === 1 && whole.type.type === type) return value(fn, whole.value);
  const vector = fn.typeOf(type) as VectorType;
  const element = vector.element as ScalarType;
  const lanes: (ir.Value | undefined)[] = new Array(type.lanes).fill(undefined);
  for (const entry of list.entries) {
    const first = entry.offset / type.element.size;
    const stored = value(fn, entry.value);
    if (entry.type.type.kind === 'vector') {
      for (let lane = 0; lane < entry.type.type.lanes; lane += 1) {
        lanes[first + lane] = builder.extract(stored, lane);
      }
    } else {
      lanes[first] = stored;
    }
  }
  const zero = builder.constant(element, zeroOf(element));
  return builder.build(
    vector,
    lanes.map((lane) => lane ?? zero),
  );
}

/** How many bytes an entry sets; three-lane vectors leave their fourth element as it is. */
function valueBytes(fn: FunctionLowering, type: CType, entry: Expression): number {
  if (entry.kind === 'string-literal') return Math.min(entry.bytes.length, fn.module.sizeOf(type));
  if (type.kind === 'vector') return type.element.size * type.lanes;
  return fn.module.sizeOf(type);
}

function copyString(fn: FunctionLowering, pointer: ir.Value, text: Uint8Array, size: number): void {
  const { builder } = fn;
  const source = builder.globalAddress(fn.module.globalForLiteral(text));
  builder.copy(pointer, source, bytes(fn, Math.min(size, text.length)), 1);
}

function fill(fn: FunctionLowering, pointer: ir.Value, size: number, align: number): void {
  fn.builder.fill(pointer, bytes(fn, size), 0, align);
}

function bytes(fn: FunctionLowering, count: number): ir.Value {
  return fn.builder.integer(fn.builder.addressType, count);
}
