/**
 * How registers hold values: one register a value, of whose components a double takes two each; a structure is as many registers as
 * it has values in it.
 */
import type { ElementType, StructType, ValueType } from '../types.ts';
import { type Code, type Operand, read } from './code.ts';

/** Components of a register that one component of a value takes. */
export function unitOf({ scalar }: ValueType): 1 | 2 {
  return scalar === 'double' ? 2 : 1;
}

/** Components of a register that a value takes. */
export function laneCount(type: ValueType): number {
  return type.width * unitOf(type);
}

/** The first components of a register, as many as a value takes. */
export function lanesFor(type: ValueType): string {
  return 'xyzw'.slice(0, laneCount(type));
}

/** A value in the first components of a register. */
export function whole(register: string, type: ValueType): Operand {
  return { register, lanes: lanesFor(type) };
}

/** Components of a value of a type, named by `lanes`: each may be one or two of the register's. */
export function swizzled({ register, lanes }: Operand, names: string, type: ValueType): Operand {
  const unit = unitOf(type);
  const picked = [...names].map((name) => {
    const first = 'xyzw'.indexOf(name) * unit;
    return lanes.slice(first, first + unit);
  });
  return { register, lanes: picked.join('') };
}

/** One component of a value; of a scalar, the scalar. */
export function componentAt(operand: Operand, index: number, type: ValueType): Operand {
  const unit = unitOf(type);
  const first = operand.lanes.length > unit ? index * unit : 0;
  return { register: operand.register, lanes: operand.lanes.slice(first, first + unit) };
}

/** The value, or the scalar as often as a vector of the type wants it. */
export function fitted(operand: Operand, type: ValueType): Operand {
  if (operand.lanes.length === laneCount(type)) return operand;
  return { register: operand.register, lanes: operand.lanes.slice(0, unitOf(type)).repeat(type.width) };
}

/** Sets some components of a register to those of a value. */
export function writeLanes(code: Code, register: string, lanes: string, value: Operand): void {
  const mask = [...'xyzw'].map((lane) => (lanes.includes(lane) ? lane : '_')).join('');
  const sources = [...'xyzw'].map((lane) =>
    lanes.includes(lane) ? value.lanes.charAt(lanes.indexOf(lane)) : '0',
  );
  code.add(`mov ${register}.${mask},${value.register}.${sources.join('')}`);
}

/** Puts parts one behind the other into a new register; the rest is not set. */
export function joined(code: Code, parts: readonly Operand[]): Operand {
  const register = code.fresh();
  let first = 0;
  for (const part of parts) {
    writeLanes(code, register, 'xyzw'.slice(first, first + part.lanes.length), part);
    first += part.lanes.length;
  }
  return { register, lanes: 'xyzw'.slice(0, first) };
}

/** A copy, which later changes of what it is a copy of do not reach. */
export function copied(code: Code, value: Operand): Operand {
  const register = code.fresh();
  code.add(`mov ${register}.${'xyzw'.slice(0, value.lanes.length).padEnd(4, '_')},${read(value)}`);
  return { register, lanes: 'xyzw'.slice(0, value.lanes.length) };
}

/** A value in an element, and how the fields are called that lead to it. */
export interface Leaf {
  readonly path: string;
  readonly type: ValueType;
}

/** The values of an element in the order of its fields: one for what is no structure. */
export function leavesOf(type: ElementType, path = ''): readonly Leaf[] {
  if (type.kind === 'value') return [{ path, type }];
  return type.fields.flatMap((field) => leavesOf(field.type, `${path}.${field.name}`));
}

/** Which of a structure's values are those of a field: the first one and how many. */
export function leavesOfField({ fields }: StructType, name: string): readonly [first: number, count: number] {
  let first = 0;
  for (const field of fields) {
    const count = leavesOf(field.type).length;
    if (field.name === name) return [first, count];
    first += count;
  }
  throw new Error(`no field ${name}`);
}
