/** What the rules say of types, again and again: each gives what is wrong, or undefined. */
import { mostAlignLog } from '../binary/schema.ts';
import type * as ir from '../ir.ts';
import { elementOf, type Type, typeName } from '../types.ts';

/** A complaint about an instruction, or undefined if there is none. */
export type Problem = string | undefined;

export function mustBe(what: string, type: Type, expected: Type): Problem {
  return type === expected ? undefined : `${what} has type ${typeName(type)}, expected ${typeName(expected)}`;
}

export function mustPoint(type: Type, what = 'operand'): Problem {
  return type.kind === 'pointer' ? undefined : `${what} has type ${typeName(type)}, expected a pointer`;
}

export function pointerTo(space: string, type: Type): Problem {
  if (type.kind === 'pointer' && type.space === space) return undefined;
  return `type ${typeName(type)}, expected ptr<${space}>`;
}

export function mustBeWritable(type: Type): Problem {
  if (type.kind === 'pointer' && type.space === 'constant') return 'writes to constant memory';
  return mustPoint(type, 'operand 1');
}

export function mustBeStorable(type: Type): Problem {
  if (type.kind === 'opaque') return `values of type ${typeName(type)} are not stored`;
  return elementOf(type).kind === 'bool' ? 'truth values are not stored' : undefined;
}

/** The types of two lists of values, one by one. */
export function typesProblem(
  what: string,
  values: readonly ir.Value[],
  against: string,
  expected: readonly ir.Value[],
): Problem {
  if (values.length !== expected.length) {
    return `${values.length} ${what}s, but ${expected.length} ${against}`;
  }
  for (let index = 0; index < values.length; index += 1) {
    const { type } = values[index]!;
    if (type !== expected[index]!.type) return mustBe(`${what} ${index + 1}`, type, expected[index]!.type);
  }
  return undefined;
}

export function sizeProblem(size: number): Problem {
  return Number.isSafeInteger(size) && size >= 0 ? undefined : `size ${size}`;
}

/** An alignment is a power of two, and none that no binary can hold. */
export function alignProblem(align: number): Problem {
  const log = Math.log2(align);
  if (!(Number.isInteger(log) && log >= 0)) return `alignment ${align} is not a power of two`;
  return log > mostAlignLog ? `alignment ${align} is more than ${2 ** mostAlignLog}` : undefined;
}
