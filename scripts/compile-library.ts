/**
 * Compiles the library (src/library) to what is embedded: its functions in IR, optimised as far as they can be before
 * anybody calls them, and the built-in kernels as the front end delivers them. scripts/embed-library.mjs runs it.
 */
import { ModuleLowering } from '../src/c/lower/module-lowering.ts';
import { type ModuleParts, writeModule, writeParts } from '../src/ir/binary/write.ts';
import type * as ir from '../src/ir/ir.ts';
import { linkModules } from '../src/ir/link.ts';
import { assertValid } from '../src/ir/verify.ts';
import {
  type LibraryKind,
  libraryFiles,
  libraryFunctions,
  libraryOptions,
  libraryPrefix,
  servedBy,
} from '../src/library/contents.ts';
import { parseBuildOptions } from '../src/opencl/build-options.ts';
import { readOpenCL } from '../src/opencl/front-end.ts';
import { openCLLowering } from '../src/opencl/lower/dialect.ts';
import { optimise } from '../src/passes/pipeline.ts';
import { Diagnostics } from '../src/source/diagnostics.ts';
import { renderDiagnostics } from '../src/source/render.ts';
import { SourceFile } from '../src/source/source-file.ts';
import { openclC } from '../src/target/opencl-c.ts';

export { libraryPartOf, libraryParts } from '../src/library/contents.ts';
export { textOfBytes } from '../src/library/text-bytes.ts';

/** The text of a library file, such as `exp.cl`. */
export type ReadLibraryFile = (name: string) => string;

type AddressBits = 32 | 64;

/** What src/library/embedded/ holds for one address width. */
export interface CompiledLibrary {
  readonly functions: ModuleParts;
  /** The names of the functions, in the order of their bodies. */
  readonly names: readonly string[];
  readonly kernels: Uint8Array;
}

/** @throws Error with the diagnostics if a file has errors */
export function compileLibrary(read: ReadLibraryFile, addressBits: AddressBits): CompiledLibrary {
  const functions = simplified(lowerLibrary(read, addressBits));
  const kernels = lowerFile('kernels.cl', read, addressBits, (_, isKernel) => isKernel);
  return {
    functions: writeParts(functions, { places: 'none' }),
    names: functions.functions.map(({ name }) => name),
    kernels: writeModule(kernels, { places: 'none' }),
  };
}

/** The functions that compute in float alone; they know nothing of addresses. */
export function compileSingles(read: ReadLibraryFile): ModuleParts {
  return writeParts(simplified(lowerLibrary(read, 32, 'singles'), 'singles'), { places: 'none' });
}

/** All functions of the library as the front end delivers them. */
export function lowerLibrary(
  read: ReadLibraryFile,
  addressBits: AddressBits,
  kind: LibraryKind = 'all',
): ir.Module {
  const names = new Set(libraryFunctions(kind));
  const diagnostics = new Diagnostics();
  const files = libraryFiles(kind).map((file) =>
    lowerFile(file, read, addressBits, (name) => names.has(name)),
  );
  const module = linkModules(files, diagnostics);
  check(diagnostics);
  const missing = module.functions.find((fn) => !fn.body);
  if (missing) throw new Error(`no file of the library defines ${missing.name}`);
  return module;
}

function lowerFile(
  name: string,
  read: ReadLibraryFile,
  addressBits: AddressBits,
  isWanted: (name: string, isKernel: boolean) => boolean,
): ir.Module {
  const diagnostics = new Diagnostics();
  const { options } = parseBuildOptions(libraryOptions(name));
  const file = new SourceFile(name, read(name));
  const { unit } = readOpenCL(file, { options, addressBits, files: { read } }, diagnostics);
  check(diagnostics);
  // The arithmetic of the functions counts on every rounding, so nothing is fused.
  const contract = name === 'kernels.cl';
  const lowering = new ModuleLowering(openCLLowering(addressBits), diagnostics, {
    addressBits,
    contract,
    isUnit: true,
  });
  for (const declaration of unit.declarations) {
    if (declaration.kind !== 'function' || !declaration.body) continue;
    if (isWanted(declaration.name, declaration.isKernel)) lowering.lowerEntry(declaration);
  }
  check(diagnostics);
  const serves = servedBy(name);
  if (serves) for (const fn of lowering.module.functions) if (fn.body) fn.serves = serves;
  return lowering.module;
}

/**
 * The same functions, shorter: helpers inlined and values known. Calls between functions of the library stay calls,
 * for else many would be there many times; programs inline them.
 */
function simplified(module: ir.Module, kind: LibraryKind = 'all'): ir.Module {
  const names = new Set(libraryFunctions(kind));
  const isEntry = (fn: ir.Function): boolean => names.has(fn.name);
  optimise(module, { target: openclC, isEntry, inlineLimit: Number.POSITIVE_INFINITY });
  assertValid(module, 'compile-library');
  // Programs may use all other names.
  const odd = module.functions.find(({ name }) => !name.startsWith(libraryPrefix));
  if (odd) throw new Error(`${odd.name} stays a function, so its name must begin with ${libraryPrefix}`);
  return module;
}

function check(diagnostics: Diagnostics): void {
  if (diagnostics.errorCount > 0) throw new Error(renderDiagnostics(diagnostics.list));
}
