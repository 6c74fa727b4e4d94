/** Where in the program the generator stands, and what it may use there. */
import type { Random } from '../../test/support/random.ts';
import type { Expression } from './syntax.ts';
import type { ArrayType, DataType, ElementName, RecordType, ValueType } from './types.ts';
import { sameType, typeName, valueType } from './types.ts';

export type Space = 'private' | 'local' | 'global' | 'constant';

/** A name to read from. Pointers into an array count as arrays of the elements they may reach. */
export interface Variable {
  readonly name: string;
  readonly type: DataType;
  readonly space: Space;
  readonly isWritable: boolean;
  /** All work-items of the group that are here read the same from it (from the same place in it). */
  readonly isUniform: boolean;
  readonly isPointer: boolean;
  /** The variable whose memory it names: itself, or what a pointer points into. */
  readonly root: string;
}

/** A parameter of a helper function. */
export interface HelperParameter {
  readonly name: string;
  readonly type: DataType;
  readonly passing: 'value' | 'pointer';
  readonly space: Space;
  readonly isWritable: boolean;
}

export interface Helper {
  readonly name: string;
  readonly result: ValueType | RecordType;
  readonly parameters: readonly HelperParameter[];
  /** About how many operations one call takes. */
  readonly cost: number;
  /** Asks which work-item it runs for. */
  readonly asksWho: boolean;
}

/** What one generated program has in common. */
export interface ProgramState {
  readonly random: Random;
  readonly maximumDepth: number;
  /** How many operations the kernel, with loops counted, may take about. */
  readonly maximumCost: number;
  /** The types the program favours, so that its variables fit together. */
  readonly palette: readonly ValueType[];
  readonly arrays: readonly ArrayType[];
  readonly records: readonly RecordType[];
  readonly helpers: Helper[];
  /** Global accumulators, each with the one operation that is done to it, so that the order cannot matter. */
  readonly accumulators: readonly Accumulator[];
  /** Small functions that expressions need, by name: their text. */
  readonly prelude: Map<string, string>;
  names: number;
  /** See GenerateOptions. */
  readonly isForPocl: boolean;
  /** See GenerateOptions. */
  readonly prints: boolean;
}

export interface Accumulator {
  readonly place: string;
  readonly element: 'int' | 'uint';
  readonly operation: 'add' | 'and' | 'or' | 'xor' | 'min' | 'max';
}

/** A place for an expression. */
export interface Site {
  readonly program: ProgramState;
  /** What may be read. */
  readonly variables: readonly Variable[];
  /** Variables that nothing else of the same statement touches, so that it may change each once. Taken when used. */
  readonly effects: Variable[];
  /** The value must be the same for all work-items of the group. */
  readonly isUniform: boolean;
  /** Work-items may ask who they are. */
  readonly mayAskWho: boolean;
  /** How often the place is reached in one run of its function, at most. */
  readonly iterations: number;
  readonly work: Work;
}

/** What the function being written costs so far. */
export interface Work {
  cost: number;
  /** From there on everything is kept short. */
  readonly maximum: number;
  asksWho: boolean;
}

export function newName(program: ProgramState, stem: string): string {
  program.names += 1;
  return `${stem}_${program.names}`;
}

export function chance(site: { program: ProgramState }, percent: number): boolean {
  return site.program.random.below(100) < percent;
}

export function pick<T>(site: { program: ProgramState }, list: readonly T[]): T {
  return site.program.random.pick(list);
}

/** The first thing that works, of productions tried in random order. */
export function firstOf<T>(
  site: { program: ProgramState },
  productions: readonly (() => T | undefined)[],
): T | undefined {
  const left = [...productions];
  while (left.length > 0) {
    const [production] = left.splice(site.program.random.below(left.length), 1);
    const made = production!();
    if (made !== undefined) return made;
  }
  return undefined;
}

/** A type from the palette, or now and then any like it. */
export function anyType(site: { program: ProgramState }, accept: (type: ValueType) => boolean): ValueType {
  const fitting = site.program.palette.filter(accept);
  if (fitting.length > 0 && chance(site, 85)) return pick(site, fitting);
  const elements: readonly ElementName[] = [
    ...(['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double'] as const),
  ];
  const all = elements.flatMap((element) =>
    ([1, 2, 3, 4, 8, 16] as const).map((lanes) => valueType(element, lanes)),
  );
  return pick(site, all.filter(accept));
}

/** Text that names part of a variable; indices in it are expressions. */
export interface Access {
  readonly type: DataType;
  readonly parts: readonly (string | Expression)[];
}

/** Whether a thing of the type has a part that is accepted. */
export function contains(type: DataType, accept: (type: DataType) => boolean): boolean {
  if (accept(type)) return true;
  if (type.kind === 'array') return contains(type.element, accept);
  return type.kind === 'record' && type.members.some((member) => contains(member.type, accept));
}

export function isType(wanted: DataType): (type: DataType) => boolean {
  return (type) => sameType(type, wanted);
}

/** Requires a helper of the prelude. */
export function need(site: Site, name: string, text: string): string {
  site.program.prelude.set(name, text);
  return name;
}

/** `known_float4(x)`: x with every NaN replaced, for uses that could tell one NaN from another. */
export function knownFunction(site: Site, type: ValueType): string {
  const name = typeName(type);
  const one = type.element === 'float' ? '1.0f' : '1.0';
  const value = type.lanes === 1 ? `isnan(x) ? ${one} : x` : `select(x, (${name})(${one}), isnan(x))`;
  return need(site, `known_${name}`, `${name} known_${name}(${name} x) {\n  return ${value};\n}`);
}
