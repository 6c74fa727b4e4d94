/**
 * What is known of a program before any of its kernels is compiled: enough to make kernel objects, set their arguments
 * and keep the program. Machine code is made part by part, when a kernel of the part is first launched or asked about: as
 * drivers do it, for programs tend to have more kernels than anybody runs.
 *
 * A part is a kernel with all it calls and launches. Kernels of a program with variables in global memory are one part, for they share
 * these variables, whose place is known when the part is loaded.
 */
import { layOutParameters } from '../../codegen/wasm/parameter-slots.ts';
import { cloneModule } from '../../ir/clone.ts';
import { imageFunctionsOf } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { keepReachable } from '../../ir/link.ts';
import type { KernelParameter } from '../../runtime/device.ts';
import { maximumArgumentBytes } from './shared-layout.ts';

/** Plain data, for the build cache. */
export interface ProgramOutline {
  readonly kernels: readonly KernelOutline[];
  /** The names of each part's kernels. */
  readonly parts: readonly (readonly string[])[];
  readonly globalVariableBytes: number;
}

export interface KernelOutline {
  readonly name: string;
  /** Which part it is in. */
  readonly part: number;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: ir.KernelAttributes;
}

/** @param module linked, no pass has run on it */
export function outlineOf(module: ir.Module): ProgramOutline {
  const kernels = module.functions.filter((fn) => isKernel(fn) && !fn.attributes?.isBlock);
  const variables = module.globals.filter(({ space }) => space === 'global');
  const isOne = variables.length > 0;
  return {
    kernels: kernels.map((fn, index) => ({
      name: fn.name,
      part: isOne ? 0 : index,
      parameters: parametersOf(fn),
      attributes: fn.attributes ?? {},
    })),
    parts: isOne ? [kernels.map(({ name }) => name)] : kernels.map(({ name }) => [name]),
    globalVariableBytes: variables.reduce((bytes, { size }) => bytes + size, 0),
  };
}

function isKernel({ kind, body }: ir.Function): boolean {
  return kind === 'kernel' && body !== undefined;
}

/** A kernel's parameters. An image is given as the address of its descriptor, and a sampler as a number. */
export function parametersOf(fn: ir.Function): KernelParameter[] {
  return layOutParameters(fn).map(({ kind, size, align }, place) => {
    const { info } = fn.parameters[place]!;
    return { kind: info?.handle?.kind ?? kind, size, align, info };
  });
}

/** The IR of one part, which the passes may rewrite. */
export function moduleOfPart(module: ir.Module, { parts }: ProgramOutline, part: number): ir.Module {
  if (parts.length === 1) return module;
  const names = new Set(parts[part]);
  // Nothing calls these yet: lower-images will.
  const images = imageFunctionsOf(module);
  const own = { ...module, globals: [...module.globals], functions: [...module.functions] };
  keepReachable(own, (fn) => (isKernel(fn) ? names.has(fn.name) : images.has(fn.name)));
  return cloneModule(own);
}

/** Kernels beyond one of these may turn out to be too large for the compiler, which a build has to tell. */
const mostInstructions = 10_000;
const mostNesting = 100;

/** The parts that are compiled while the program is built. */
export function partsToTry(module: ir.Module, { kernels, parts }: ProgramOutline): Set<number> {
  const sizes = new Map<ir.Function, Size>();
  const functions = new Map(module.functions.map((fn) => [fn.name, fn]));
  const tried = new Set<number>();
  const bytes = parts.map(() => 0);
  for (const { name, part, parameters } of kernels) {
    const { instructions, nesting } = sizeOf(functions.get(name)!, sizes);
    bytes[part] = parameters.reduce((sum, { size, align }) => sum + Math.max(size, align), 0);
    if (instructions > mostInstructions || nesting > mostNesting || bytes[part] > maximumArgumentBytes / 2)
      tried.add(part);
  }
  return tried;
}

interface Size {
  instructions: number;
  nesting: number;
}

/** How large a function is with all it calls in it. */
function sizeOf(fn: ir.Function, known: Map<ir.Function, Size>): Size {
  const before = known.get(fn);
  if (before) return before;
  const size: Size = { instructions: 0, nesting: 0 };
  known.set(fn, size);
  const visit = ({ instructions }: ir.Region, depth: number): void => {
    size.nesting = Math.max(size.nesting, depth);
    for (const instruction of instructions) {
      size.instructions += 1;
      if (instruction.op === 'call') {
        const callee = sizeOf(instruction.callee, known);
        size.instructions += callee.instructions;
        size.nesting = Math.max(size.nesting, depth + callee.nesting);
      }
      for (const nested of instruction.regions) visit(nested, depth + 1);
    }
  };
  if (fn.body) visit(fn.body, 0);
  return size;
}
