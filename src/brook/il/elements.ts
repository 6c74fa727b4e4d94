/** Elements of arrays in IL: gather arrays are resources, the array that is scattered to the global buffer, shared ones group memory. */
import type { Typed } from '../check/tree.ts';
import type { ScatterTarget } from '../scatter-target.ts';
import type { ScalarName, ValueType } from '../types.ts';
import { combined, converted, kindOf, narrowed, smallBitsOf } from './arithmetic.ts';
import { type Code, NoIl, type Operand, read, written } from './code.ts';
import { emit } from './expressions.ts';
import type { Scope } from './scope.ts';
import {
  copied,
  fitted,
  joined,
  laneCount,
  lanesFor,
  leavesOf,
  swizzled,
  whole,
  writeLanes,
} from './values.ts';

export type Element = Typed & { readonly kind: 'element' | 'element-at' };

/** An element as a resource gives it: those of 8 and 16 bits are unsigned numbers that come as parts of 1. */
function fromResource(code: Code, type: ValueType, value: Operand): Operand {
  const bits = smallBitsOf(type.scalar);
  if (bits === undefined) return value;
  const scaled = code.compute('mul_ieee', type.width, value, code.float(2 ** bits - 1));
  const number = code.compute('ftoi', type.width, code.compute('round_nearest', type.width, scaled));
  return narrowed(code, type, number);
}

/** The other way. */
export function toResource(code: Code, type: ValueType, value: Operand): Operand {
  const bits = smallBitsOf(type.scalar);
  if (bits === undefined) return value;
  const kept = code.compute('iand', type.width, value, code.bits(2 ** bits - 1));
  const number = code.compute('itof', type.width, kept);
  return code.compute('div_zeroop(infinity)', type.width, number, code.float(2 ** bits - 1));
}

/** Reads the element of a resource at a place in pixels. */
export function sampled(code: Code, resource: number, type: ValueType, place: Operand): Operand {
  const register = code.fresh();
  code.add(
    `sample_resource(${resource})_sampler(${resource}) ${written(register, laneCount(type))},${read(place)}`,
  );
  return fromResource(code, type, whole(register, type));
}

/** An element of a gather array, one operand a leaf. Of up to two dimensions the sampler keeps the place inside. */
export function gather(scope: Scope, value: Element): readonly Operand[] {
  const { code, bindings } = scope;
  const binding = bindings.get(value.array);
  if (binding?.kind === 'scatter') return [readScattered(scope, value, binding.sizes)];
  if (binding?.kind !== 'gather') throw new NoIl('this array');
  const place =
    binding.sizes === undefined
      ? subscripts(scope, value, (at, type) => asFloats(code, at, type))
      : foldedPlace(
          code,
          subscripts(scope, value, (at, type) => asInts(code, at, type)),
          binding.sizes,
        );
  return leavesOf(value.type).map(({ type }, index) =>
    sampled(code, binding.resources[index]!, type, { register: place, lanes: 'xy' }),
  );
}

function asFloats(code: Code, at: Operand, { scalar }: ValueType): Operand {
  const kind = kindOf(scalar);
  if (kind === 'float') return code.compute('round_z', at.lanes.length, at);
  return code.compute(kind === 'uint' ? 'utof' : 'itof', at.lanes.length, at);
}

function asInts(code: Code, at: Operand, { scalar }: ValueType): Operand {
  return kindOf(scalar) === 'float' ? code.compute('ftoi', at.lanes.length, at) : at;
}

/** Rows of all slices lie below each other: the place in the resource, each subscript kept inside its dimension. */
function foldedPlace(code: Code, at: string, sizes: string): string {
  const all = (register: string): Operand => ({ register, lanes: 'xyzw' });
  const last = code.compute('iadd', 4, all(sizes), code.bits(-1));
  const inside = code.compute('imin', 4, code.compute('imax', 4, all(at), code.bits(0)), last).register;
  const step = (row: Operand, lane: string): Operand => {
    const scaled = code.compute('imul', 1, row, { register: sizes, lanes: lane });
    return code.compute('iadd', 1, scaled, { register: inside, lanes: lane });
  };
  const row = step(step({ register: inside, lanes: 'w' }, 'z'), 'y');
  writeLanes(code, inside, 'y', row);
  return code.compute('itof', 2, { register: inside, lanes: 'xy' }).register;
}

/** A register with the place of an element, x the fastest dimension and 0 behind the last, each subscript made what the reader wants. */
function subscripts(scope: Scope, value: Element, made: (at: Operand, type: ValueType) => Operand): string {
  const { code } = scope;
  const { rank } = value.array;
  const place = code.fresh();
  const found =
    value.kind === 'element-at'
      ? componentsOf(made(emit(scope, value.index), value.index.type as ValueType))
      : value.indices.map((index) => made(emit(scope, index), index.type as ValueType)).reverse();
  for (const [index, lane] of [...'xyzw'].entries())
    writeLanes(code, place, lane, (index < rank ? found[index] : undefined) ?? code.bits(0));
  return place;
}

function componentsOf({ register, lanes }: Operand): readonly Operand[] {
  return [...lanes].map((lane) => ({ register, lanes: lane }));
}

/** Where an element of the array that is scattered to lies in the global buffer, and whether there is one. */
interface GlobalPlace {
  readonly index: Operand;
  readonly isInside: Operand;
}

function globalPlace(scope: Scope, target: Element, sizes: string): GlobalPlace {
  const { code } = scope;
  const { rank } = target.array;
  const at = subscripts(scope, target, (value, type) => asInts(code, value, type));
  const lanes = 'xyzw'.slice(0, rank);
  const mask = code.compute('ult', rank, { register: at, lanes }, { register: sizes, lanes });
  let isInside: Operand = { ...mask, lanes: 'x' };
  let index: Operand = { register: at, lanes: lanes.charAt(rank - 1) };
  for (const lane of [...lanes.slice(0, -1)].reverse()) {
    isInside = code.compute('iand', 1, isInside, {
      ...mask,
      lanes: mask.lanes.charAt('xyzw'.indexOf(lane) + 1),
    });
    const scaled = code.compute('imul', 1, index, { register: sizes, lanes: lane });
    index = code.compute('iadd', 1, scaled, { register: at, lanes: lane });
  }
  return { index, isInside };
}

const inGlobal = ({ register, lanes }: Operand): string => `g[${register}.${lanes} + 0]`;

/** An element of the array that is scattered to; 0 where there is none. */
function readScattered(scope: Scope, value: Element, sizes: string): Operand {
  const { code } = scope;
  const type = value.type as ValueType;
  const { index, isInside } = globalPlace(scope, value, sizes);
  const found = code.fresh();
  code.move(found, { register: code.bits(0).register, lanes: 'x'.repeat(laneCount(type)) });
  code.add(`if_logicalnz ${read(isInside)}`);
  code.move(found, { register: inGlobal(index), lanes: lanesFor(type) });
  code.add('endif');
  return whole(found, type);
}

/**
 * Changes an element of the global buffer, whose elements are whole registers, or some components of one; nothing happens beyond the
 * array's ends.
 * @param operator what combines the element with the value; '' where the value takes its place
 * @param computed the scalar that they are combined in, which is then the value's, where it is not the element's
 * @returns the new value, or with `isPostfix` the one before
 */
export function scatter(
  scope: Scope,
  { element, lanes }: ScatterTarget,
  operator: string,
  given: Operand,
  { isPostfix = false, computed }: { isPostfix?: boolean; computed?: ScalarName | undefined } = {},
): Operand {
  const { code, bindings } = scope;
  const binding = bindings.get(element.array);
  if (binding?.kind !== 'scatter') throw new NoIl('this target of an assignment');
  const elementType = element.type as ValueType;
  const names = lanes ?? 'xyzw'.slice(0, elementType.width);
  const type: ValueType = { ...elementType, width: names.length as ValueType['width'] };
  const { index, isInside } = globalPlace(scope, element, binding.sizes);
  const common: ValueType = { ...type, scalar: computed ?? type.scalar };
  const value = copied(code, fitted(given, common));
  const result = computed ? copied(code, converted(code, common, type, value)) : value;
  const target = swizzled({ register: inGlobal(index), lanes: lanesFor(elementType) }, names, elementType);
  code.add(`if_logicalnz ${read(isInside)}`);
  const before = operator === '' ? undefined : copied(code, target);
  const made = before ? combined(code, operator, type, common, before, value) : result;
  writeLanes(code, target.register, target.lanes, made);
  if (before) code.move(result.register, isPostfix ? before : made);
  code.add('endif');
  return result;
}

// ------------------------------------------------------------------------------------------------ shared memory

type SharedElement = Typed & { readonly kind: 'shared' };

/** An element of any thread of the group. Each has four words. */
export function readShared(scope: Scope, { index, type }: SharedElement): Operand {
  const { code, group } = scope;
  if (!group) throw new NoIl('shared memory in subkernels');
  const at = emit(scope, index);
  const share = code.bits(group.share);
  const thread = code.compute('udiv', 1, at, share);
  const word = code.compute('ishl', 1, code.compute('umod', 1, at, share), code.bits(2));
  const place = joined(code, [thread, word]);
  const register = code.fresh();
  code.add(`lds_read_vec ${written(register, laneCount(type))},${read(place)}`);
  return whole(register, type);
}

/** An element of the thread's own, or components of it: the subscript is `share * instanceInGroup().x + offset`. */
export function writeShared(scope: Scope, target: SharedElement, lanes: string, value: Operand): void {
  const { code } = scope;
  const { index } = target;
  const sides = index.kind === 'binary' ? [index.left, index.right] : [];
  const offset = sides.find((side) => side.kind === 'literal');
  if (offset?.kind !== 'literal') throw new NoIl('this subscript of a shared array');
  const register = code.fresh();
  writeLanes(code, register, lanes, value);
  const mask = [...'xyzw'].map((lane) => (lanes.includes(lane) ? lane : '_')).join('');
  code.add(`lds_write_vec_lOffset(${Number(offset.text) * 4}) mem0.${mask},${register}.xyzw`);
}
