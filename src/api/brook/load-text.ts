/** Compiles the kernels that a program in C++ brings along as text, when it first calls one (brcc put them there). */
import { compileBrook } from '../../brook/compile.ts';
import type { ElementType } from '../../brook/types.ts';
import type { LoadTexts } from './program-functions.ts';

export const loadText: LoadTexts = (name, text, options, program) => {
  const compiled = compileBrook(name, text, { ...options, kernelsOnly: true });
  if (compiled.hasErrors)
    throw new WebAssembly.RuntimeError(`its kernels from ${name} are wrong:\n${compiled.log.trimEnd()}`);
  const kernels = new Map(compiled.kernels.map((kernel) => [kernel.name, program.addKernel(kernel)]));
  const { tags, names } = compiled.unit.types;
  const types = new Map<string, ElementType>();
  for (const [tag, type] of tags) types.set(`struct ${tag}`, type as ElementType);
  for (const [known, type] of names) if (type.kind !== 'void') types.set(known, type);
  return { kernels, types };
};
