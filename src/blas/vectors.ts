/** Vectors with strides: where they lie, and how kernels read and write them. */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import type { Bound, Use } from './core.ts';
import { extentOf, numbersIn } from './operand.ts';
import type { Arguments } from './read-arguments.ts';

export interface VectorView extends Bound {
  /** Of element 0, in parts: with a negative stride the last in memory. */
  readonly offset: number;
  readonly inc: number;
}

/**
 * What a vector of `n` elements uses of an operand.
 * @throws BlasError if the operand is not so long
 */
export function vectorUse(args: Arguments, name: string, n: number, isWritten: boolean): Use {
  const inc = args.number(incOf(name));
  return { ...checkedExtent(args, name, n === 0 ? 0 : (n - 1) * Math.abs(inc) + 1), isWritten };
}

/** @throws BlasError if the operand has fewer numbers */
export function checkedExtent(args: Arguments, name: string, numbers: number) {
  const value = args.operand(name);
  const extent = extentOf(value, args.kind, numbers);
  if (extent) return extent;
  return args.fail(
    name,
    `${name} has ${Math.max(numbersIn(value, args.kind), 0)} elements, ${numbers} are needed`,
  );
}

export function vectorView(args: Arguments, name: string, n: number, { memory, offset }: Bound): VectorView {
  const inc = args.number(incOf(name));
  const first = inc < 0 ? (1 - n) * inc * args.kind.parts : 0;
  return { memory, offset: offset + first, inc };
}

const incOf = (name: string): string => `inc${name}`;

export interface VectorCode {
  readonly parameters: readonly string[];
  readonly begin: string;
  readonly arguments: readonly KernelArgument[];
  readonly load: (i: string) => string;
  readonly store: (i: string, value: string) => string;
}

/** Code for neighbours in memory has no stride. */
export function vectorCode(
  { memory, offset, inc }: VectorView,
  name: string,
  isWritten: boolean,
): VectorCode {
  const access = isWritten ? '' : 'const ';
  const index = inc === 1 ? (i: string) => `(${i})` : (i: string) => `(${i}) * ${name}_inc`;
  return {
    parameters: [
      `global ${access}R *${name}_at`,
      `int ${name}_offset`,
      ...(inc === 1 ? [] : [`int ${name}_inc`]),
    ],
    begin: `  global ${access}R *${name}_base = ${name}_at + ${name}_offset;\n`,
    arguments: [memory, offset, ...(inc === 1 ? [] : [inc])],
    load: (i) => `LD(${name}_base, ${index(i)})`,
    store: (i, value) => `ST(${name}_base, ${index(i)}, ${value})`,
  };
}
