/**
 * Compiles a program in C99 for the host to a WebAssembly module: each source file by itself, then linked with the C
 * library of libc/ and, for mathematics, with the library of OpenCL C's functions. The module is a WASI command: it
 * imports `wasi_snapshot_preview1`, the functions of OpenCL from `OpenCL`, and its memory (see
 * codegen/wasm/compile-host.ts), and exports `_start`, `malloc`, `free` and its table of functions.
 */
import type { TranslationUnit } from '../c/ast.ts';
import { ModuleLowering } from '../c/lower/module-lowering.ts';
import { parseTranslationUnit } from '../c/parse.ts';
import { type FileSystem, type PreprocessOptions, Preprocessor } from '../c/preprocessor.ts';
import { compileHostModule } from '../codegen/wasm/compile-host.ts';
import { CodegenError } from '../codegen/wasm/error.ts';
import { listModule } from '../codegen/wasm/listing.ts';
import type * as ir from '../ir/ir.ts';
import { keepReachable, linkModules, reportMissing } from '../ir/link.ts';
import { printModule } from '../ir/print.ts';
import { linkLibrary } from '../opencl/link-library.ts';
import { optimiseHost } from '../passes/optimise-host.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { SourceFile } from '../source/source-file.ts';
import { noSpan } from '../source/span.ts';
import { hostedC, hostedLowering } from './dialect.ts';
import { headers, library } from './embedded.ts';
import { addEntry } from './entry.ts';
import { predefinedMacros } from './macros.ts';

/** A source file: its name for messages and `__FILE__`, and as what quoted includes are relative to. */
export interface HostSource {
  readonly name: string;
  readonly text: string;
}

export interface CompileHostOptions {
  /** Where #include finds files that are none of the library. */
  readonly files?: FileSystem | undefined;
  readonly includePaths?: readonly string[] | undefined;
  /** As behind -D: `NAME` or `NAME=VALUE`. */
  readonly definitions?: readonly string[] | undefined;
  readonly undefinitions?: readonly string[] | undefined;
  readonly suppressWarnings?: boolean | undefined;
  readonly warningsAreErrors?: boolean | undefined;
  /** Whether the memory that the module imports is shared between threads; default true. */
  readonly shared?: boolean | undefined;
  /** Bytes of the stack; default 8 MiB. */
  readonly stackBytes?: number | undefined;
  /** Check the IR after every pass. For tests. */
  readonly verify?: boolean | undefined;
}

export interface CompileHostResult {
  /** The WebAssembly module; undefined if there were errors. */
  readonly bytes: Uint8Array | undefined;
  /** The program in IR after all passes, or as the text of the WebAssembly module; empty if there were errors. */
  show(stage: 'ir' | 'wat'): string;
  readonly diagnostics: Diagnostics;
  /** The diagnostics as text, with lines and carets. */
  readonly log: string;
}

/** What every program exports: whoever runs it calls the first, and OpenCL's functions the others. */
const exported = ['_start', 'malloc', 'free'];

/** Compiles a program. Nothing that a user writes makes this throw. */
export function compileHost(
  sources: readonly HostSource[],
  options: CompileHostOptions = {},
): CompileHostResult {
  const { suppressWarnings = false, warningsAreErrors = false } = options;
  const diagnostics = new Diagnostics({ suppressWarnings, warningsAreErrors });
  const module = buildModule(sources, options, diagnostics);
  let bytes: Uint8Array | undefined;
  if (module) {
    optimiseHost(module, { verify: options.verify });
    bytes = generate(module, options, diagnostics);
  }
  const show = (stage: 'ir' | 'wat'): string => {
    if (!module || !bytes) return '';
    return stage === 'ir' ? printModule(module) : listModule(bytes);
  };
  return { bytes, show, diagnostics, log: renderDiagnostics(diagnostics.list) };
}

function buildModule(
  sources: readonly HostSource[],
  options: CompileHostOptions,
  diagnostics: Diagnostics,
): ir.Module | undefined {
  const units = sources.map((source) => compileUnit(source, options, diagnostics));
  if (diagnostics.errorCount > 0) return undefined;
  const module = linkModules(units, diagnostics, libraryUnits());
  if (diagnostics.errorCount > 0 || !addEntry(module, diagnostics)) return undefined;
  keepReachable(module, ({ name }) => exported.includes(name));
  for (const fn of module.functions) {
    // Other people's headers do not say where OpenCL's functions come from.
    if (!fn.body && !fn.imported && /^cl[A-Z]/.test(fn.name))
      fn.imported = { module: 'OpenCL', name: fn.name };
  }
  linkLibrary(module, diagnostics);
  reportMissing(module, diagnostics);
  return diagnostics.errorCount > 0 ? undefined : module;
}

/** Lowers one source file with all that other files may mean by its name. */
function compileUnit(
  { name, text }: HostSource,
  options: CompileHostOptions,
  diagnostics: Diagnostics,
): ir.Module {
  const { files, includePaths = [], definitions = [], undefinitions = [] } = options;
  const preprocessing: PreprocessOptions = {
    definitions,
    undefinitions,
    includePaths,
    headers: headerTexts,
    predefined: predefinedMacros,
    ...(files ? { files } : {}),
  };
  const errorsBefore = diagnostics.errorCount;
  const preprocessor = new Preprocessor(new SourceFile(name, text), preprocessing, diagnostics);
  const unit = parseTranslationUnit(preprocessor, hostedC(predefinedMacros), diagnostics);
  const lowering = new ModuleLowering(hostedLowering, diagnostics, {
    addressBits: 32,
    isUnit: true,
    isHosted: true,
    contract: false,
  });
  if (diagnostics.errorCount === errorsBefore) lowerUnit(unit, lowering);
  return lowering.module;
}

function lowerUnit(unit: TranslationUnit, lowering: ModuleLowering): void {
  for (const declaration of unit.declarations) {
    if (declaration.kind === 'function' && declaration.body) {
      const { isInline, storage } = declaration;
      if (storage === 'extern' || (storage !== 'static' && !isInline)) lowering.lowerHelper(declaration);
    } else if (declaration.kind === 'variable' && declaration.scope === 'program') {
      const { storage, initializer } = declaration;
      if (storage !== 'static' && (storage !== 'extern' || initializer)) lowering.globalFor(declaration);
    }
  }
  lowering.lowerReached();
}

const headerTexts: ReadonlyMap<string, string> = new Map(Object.entries(headers));

let compiledLibrary: readonly ir.Module[] | undefined;

/** The C library, compiled once in a process. Linking copies what it takes. */
function libraryUnits(): readonly ir.Module[] {
  compiledLibrary ??= Object.entries(library)
    .filter(([name]) => name.endsWith('.c'))
    .map(([name, text]) => {
      const diagnostics = new Diagnostics();
      const files: FileSystem = { read: (path) => library[path] };
      const module = compileUnit({ name, text }, { files }, diagnostics);
      if (diagnostics.errorCount > 0) throw new Error(renderDiagnostics(diagnostics.list));
      return module;
    });
  return compiledLibrary;
}

function generate(
  module: ir.Module,
  { shared, stackBytes }: CompileHostOptions,
  diagnostics: Diagnostics,
): Uint8Array | undefined {
  try {
    return compileHostModule(module, { shared, stackBytes, exports: exported });
  } catch (error) {
    if (!(error instanceof CodegenError)) throw error;
    diagnostics.error(noSpan, error.message);
    return undefined;
  }
}
