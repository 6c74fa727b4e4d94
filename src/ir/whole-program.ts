/**
 * What a whole program has, besides what the verifier (verify.ts) asks of every module. The linker makes sure of it; of a program that
 * comes linked, from a binary or as text, it must be asked.
 *
 * - Everything that is used is there: a function has a body or is one of the device's own (device-queues.ts), and a variable is defined.
 * - For each instruction that uses an image there is the library function that stands for it (images.ts), and it takes what the pass
 *   `lower-images` hands it.
 * - A function with one of the names by which passes and the checker know library functions ({@link knownLibraryTypes}) has the types of
 *   that function. Of others the name says nothing to them.
 * - Functions that the checker brings are in no program.
 */
import { asyncMarks, barrierFlagsMark } from './async-marks.ts';
import { type ImageInstruction, imageFunctionName, isImageInstruction, samplerType } from './images.ts';
import type * as ir from './ir.ts';
import { i32, i64, intType, pointerType, type Type } from './types.ts';
import { walkFunction } from './walk.ts';

/** What the names of the functions that the checker brings begin with. */
export const checkerPrefix = '__millrace_check_';
/** The same for those that deal with pipes. */
export const pipePrefix = '__millrace_pipe_';

/** The types of a function: of its parameters, then of its result. */
type Signature = readonly [parameters: readonly Type[], result: Type | undefined];

/** The library functions that something knows by their names, but for those that stand for uses of images. */
export function knownLibraryTypes(addressBits: 32 | 64): ReadonlyMap<string, Signature> {
  const number = intType(addressBits);
  const pipe = pointerType('global');
  return new Map<string, Signature>([
    [asyncMarks.copy, [Array(7).fill(number) as Type[], number]],
    [asyncMarks.wait, [[number], undefined]],
    [barrierFlagsMark, [[i32], undefined]],
    [`${pipePrefix}take`, [[pipe, i32], i32]],
    [`${pipePrefix}pass`, [[pipe, i32], undefined]],
    [`${pipePrefix}reserve`, [[pipe, i32, i32], i64]],
    [`${pipePrefix}slot`, [[pipe, i64, i32], i32]],
    [`${pipePrefix}commit`, [[pipe, i64], undefined]],
    [`${pipePrefix}packets`, [[pipe], i32]],
    [`${pipePrefix}slots`, [[pipe], i32]],
  ]);
}

/** The first thing that is wrong, or undefined. */
export function wholenessProblem(module: ir.Module): string | undefined {
  const { addressBits, functions, globals } = module;
  const missing =
    functions.find((fn) => !fn.body && !fn.imported) ?? globals.find((global) => global.isDeclared);
  if (missing) return `the executable lacks '${missing.name}'`;
  const known = knownLibraryTypes(addressBits);
  for (const fn of functions) {
    if (fn.name.startsWith(checkerPrefix)) return `'${fn.name}' is a name of the checker`;
    const types = known.get(fn.name);
    if (types && !hasTypes(fn, types)) return otherFunction(fn.name);
  }
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  let problem: string | undefined;
  for (const fn of functions) {
    walkFunction(fn, (instruction) => {
      if (isImageInstruction(instruction)) problem ??= imageProblem(instruction, byName);
    });
  }
  return problem;
}

function imageProblem(
  instruction: ImageInstruction,
  functions: ReadonlyMap<string, ir.Function>,
): string | undefined {
  const name = imageFunctionName(instruction);
  const fn = functions.get(name);
  if (!fn?.body) return `the executable uses images but lacks '${name}'`;
  const [, ...operands] = instruction.operands.map(({ type }) => (type === samplerType ? i32 : type));
  const types = [pointerType('constant'), ...operands];
  return hasTypes(fn, [types, instruction.results[0]?.type]) ? undefined : otherFunction(name);
}

function hasTypes({ kind, parameters, result }: ir.Function, [types, given]: Signature): boolean {
  return (
    kind === 'function' &&
    result === given &&
    parameters.length === types.length &&
    parameters.every(({ value }, index) => value.type === types[index])
  );
}

function otherFunction(name: string): string {
  return `'${name}' is another function than the library's of that name`;
}
