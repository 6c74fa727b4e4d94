/**
 * The functions in WGSL that written kernels call. A program gets those that it uses, and what they use.
 *
 * They join conditions by `&` and `|`: `&&` and `||` are branches, of which SwiftShader takes twice as long to compile for each one more
 * in a loop. A kernel with 64 divisions took minutes.
 */
import { doubleFunctions } from './runtime-doubles.ts';
import { floatFunctions } from './runtime-floats.ts';
import { integerFunctions } from './runtime-integers.ts';

const functions: Readonly<Record<string, string>> = {
  ...integerFunctions,
  ...floatFunctions,
  ...doubleFunctions,
};

export type RuntimeName =
  | keyof typeof integerFunctions
  | keyof typeof floatFunctions
  | keyof typeof doubleFunctions;

/** The texts of functions and of all that these call. */
export function runtimeTexts(names: Iterable<string>): string[] {
  const texts = new Map<string, string>();
  const add = (name: string): void => {
    if (texts.has(name)) return;
    const text = functions[name];
    if (text === undefined) throw new Error(`codegen: there is no function '${name}' in the runtime`);
    texts.set(name, text);
    for (const [, called] of text.matchAll(/\b(\w+)\(/g)) if (called! in functions) add(called!);
  };
  for (const name of names) add(name);
  return [...texts.values()];
}
