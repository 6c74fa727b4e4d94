/**
 * What is known of a program before any of its kernels is compiled: enough to make kernel objects, set their arguments
 * and keep the program. Machine code is made part by part, when a kernel of the part is first launched or asked about: as
 * drivers do it, for programs tend to have more kernels than anybody runs.
 *
 * A part is a kernel with all it calls and launches. Kernels of a program with variables in global memory are one part, for they share
 * these variables, whose place is known when the part is loaded.
 */
import { layOutParameters } from '../../codegen/wasm/kernel/parameter-layout.ts';
import { calleesFirst } from '../../ir/call-order.ts';
import { cloneModule } from '../../ir/clone.ts';
import { imageFunctionsOf } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { reachableFrom } from '../../ir/link.ts';
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
  const symbols = symbolsOf(module);
  const kernels = parts[part]!.map((name) => symbols.functions.get(name)!);
  const called = reachableFrom(kernels);
  // Nothing calls these yet: lower-images will.
  const images = imageFunctionsOf({ functions: [...called.functions] });
  const library = [...images].map((name) => symbols.functions.get(name)!);
  const { functions, globals } = library.length > 0 ? reachableFrom([...kernels, ...library]) : called;
  const inOrder = <T>(some: ReadonlySet<T>, places: ReadonlyMap<T, number>): T[] =>
    [...some].sort((a, b) => places.get(a)! - places.get(b)!);
  return cloneModule({
    ...module,
    globals: inOrder(globals, symbols.globalPlaces),
    functions: inOrder(functions, symbols.functionPlaces),
  });
}

interface Symbols {
  readonly functions: ReadonlyMap<string, ir.Function>;
  readonly functionPlaces: ReadonlyMap<ir.Function, number>;
  readonly globalPlaces: ReadonlyMap<ir.GlobalVariable, number>;
}

/** Of modules that parts are taken of one after another, and there may be thousands. */
const knownSymbols = new WeakMap<ir.Module, Symbols>();

function symbolsOf(module: ir.Module): Symbols {
  let symbols = knownSymbols.get(module);
  if (!symbols) {
    symbols = {
      functions: new Map(module.functions.map((fn) => [fn.name, fn])),
      functionPlaces: new Map(module.functions.map((fn, place) => [fn, place])),
      globalPlaces: new Map(module.globals.map((global, place) => [global, place])),
    };
    knownSymbols.set(module, symbols);
  }
  return symbols;
}

/** Kernels beyond one of these may turn out to be too large for the compiler, which a build has to tell. */
const mostInstructions = 10_000;
const mostNesting = 100;

/** The parts that are compiled while the program is built. */
export function partsToTry(module: ir.Module, { kernels, parts }: ProgramOutline): Set<number> {
  const { functions } = symbolsOf(module);
  const sizes = sizesOf(kernels.map(({ name }) => functions.get(name)!));
  const tried = new Set<number>();
  const bytes = parts.map(() => 0);
  for (const { name, part, parameters } of kernels) {
    const { instructions, nesting } = sizes.get(functions.get(name)!)!;
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

/** How large functions are with all they call in them. */
function sizesOf(kernels: readonly ir.Function[]): ReadonlyMap<ir.Function, Size> {
  const sizes = new Map<ir.Function, Size>();
  for (const fn of calleesFirst(kernels).functions) sizes.set(fn, sizeOf(fn, sizes));
  return sizes;
}

function sizeOf(fn: ir.Function, known: ReadonlyMap<ir.Function, Size>): Size {
  const size: Size = { instructions: 0, nesting: 0 };
  const visit = ({ instructions }: ir.Region, depth: number): void => {
    size.nesting = Math.max(size.nesting, depth);
    for (const instruction of instructions) {
      size.instructions += 1;
      const callee = instruction.op === 'call' && known.get(instruction.callee);
      if (callee) {
        size.instructions += callee.instructions;
        size.nesting = Math.max(size.nesting, depth + callee.nesting);
      }
      for (const nested of instruction.regions) visit(nested, depth + 1);
    }
  };
  if (fn.body) visit(fn.body, 0);
  return size;
}
