/**
 * Compiles a program in C99 for the host to a WebAssembly module: each source file by itself, then linked with what it needs of
 * the C library and, for mathematics, with the library of OpenCL C's functions. The module is a WASI command: it
 * imports `wasi_snapshot_preview1`, the functions of OpenCL from `OpenCL`, and its memory (see
 * codegen/wasm/module/compile-host.ts), and exports `_start`, `malloc`, `free` and its table of functions.
 */
import { BrookProgram } from '../brook/program.ts';
import { compileHostModule } from '../codegen/wasm/module/compile-host.ts';
import { CodegenError } from '../codegen/wasm/module/error.ts';
import { listModule } from '../codegen/wasm/module/listing.ts';
import type * as ir from '../ir/ir.ts';
import { keepReachable, linkModules, reportMissing } from '../ir/link.ts';
import { printModule } from '../ir/print.ts';
import { assertValid } from '../ir/verify.ts';
import { provideWholeLibrary } from '../library/whole.ts';
import { linkLibrary } from '../opencl/link-library.ts';
import { OptimiseError, optimiseHost } from '../passes/pipeline.ts';
import { checkPointers } from '../passes/scalar/check-pointers.ts';
import { type Diagnostic, Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { noSpan } from '../source/span.ts';
import { isBrookSource } from './brook.ts';
import { compileUnit, type HostSource, type UnitOptions } from './compile-unit.ts';
import { addEntry, exitRegistrar } from './entry.ts';
import { flushOutputName } from './flush-output.ts';
import { libraryFor } from './library.ts';
import { placeThreadLocals } from './thread-locals.ts';

export type { HostSource } from './compile-unit.ts';

export interface CompileHostOptions extends UnitOptions {
  readonly suppressWarnings?: boolean | undefined;
  readonly warningsAreErrors?: boolean | undefined;
  /** Whether the memory that the module imports is shared between threads; default true. */
  readonly shared?: boolean | undefined;
  /** Bytes of the stack; default 8 MiB. */
  readonly stackBytes?: number | undefined;
  /** Whether the program stops where it uses a null pointer, or one close to it; it takes its time. Default false. */
  readonly checkPointers?: boolean | undefined;
  /** Check the IR after every pass. For tests. */
  readonly verify?: boolean | undefined;
}

/** What there is to say about one source alone, whatever the program is that it becomes a part of. */
export interface SourceResult {
  readonly name: string;
  /** Without errors. False, too, where there were so many before that nobody counted these. */
  readonly ok: boolean;
  /** How many of the program's diagnostics are its own: they stand one source after another, before those of the program as a whole. */
  readonly diagnosticCount: number;
  /** Those of a .br file. */
  readonly kernels: readonly string[];
}

export interface CompileHostResult {
  /** In the order in which they were given. */
  readonly sources: readonly SourceResult[];
  /** The WebAssembly module; undefined if there were errors. */
  readonly bytes: Uint8Array | undefined;
  /** The kernels and element types of its .br files, which whoever runs the program needs; undefined if it has none. */
  readonly brook: BrookProgram | undefined;
  /** The program in IR after all passes, or as the text of the WebAssembly module; empty if there were errors. */
  show(stage: 'ir' | 'wat'): string;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics as text, with lines and carets. */
  readonly log: string;
}

/**
 * What every program exports: whoever runs it calls the first, OpenCL's functions the others, the last before they write what kernels
 * have printed.
 */
const always = ['_start', 'malloc', 'free', flushOutputName];

/** Where a thread begins (wasi-threads), in programs that start threads: the library's pthread_create reaches it. */
const threadStart = 'wasi_thread_start';
const exported = [...always, threadStart];

/** The library's function for pointers that lead to nothing. */
const nullPointerName = '__null_pointer';

/** Compiles a program. Nothing that a user writes makes this throw. */
export function compileHost(
  sources: readonly HostSource[],
  options: CompileHostOptions = {},
): CompileHostResult {
  const { suppressWarnings = false, warningsAreErrors = false } = options;
  const diagnostics = new Diagnostics({ suppressWarnings, warningsAreErrors });
  const brook = sources.some(isBrookSource) ? new BrookProgram() : undefined;
  const results: SourceResult[] = [];
  const units = sources.map((source) => {
    const { errorCount } = diagnostics;
    const [said, kernels] = [diagnostics.list.length, brook?.kernels.length];
    const unit = compileUnit(source, options, diagnostics, brook);
    results.push({
      name: source.name,
      ok: diagnostics.errorCount === errorCount && !diagnostics.isFull,
      diagnosticCount: diagnostics.list.length - said,
      kernels: brook?.kernels.slice(kernels).map(({ name }) => name) ?? [],
    });
    return unit;
  });
  const module = diagnostics.errorCount > 0 ? undefined : linkProgram(units, sources, diagnostics, options);
  let bytes: Uint8Array | undefined;
  if (module && diagnostics.errorCount === 0) {
    bytes = generate(module, options, diagnostics);
  }
  const show = (stage: 'ir' | 'wat'): string => {
    if (!module || !bytes) return '';
    return stage === 'ir' ? printModule(module) : listModule(bytes);
  };
  const { list } = diagnostics;
  return { sources: results, bytes, brook, show, diagnostics: list, log: renderDiagnostics(list) };
}

function linkProgram(
  units: ir.Module[],
  sources: readonly HostSource[],
  diagnostics: Diagnostics,
  options: CompileHostOptions,
): ir.Module | undefined {
  const needed = [...always];
  if (options.checkPointers) needed.push(nullPointerName);
  const endsItself = ({ runs }: ir.Function) => runs?.some(({ when }) => when === 'after') ?? false;
  if (units.some(({ functions }) => functions.some(endsItself))) needed.push(exitRegistrar);
  const module = linkModules(units, diagnostics, [libraryFor(units, needed)]);
  const names = sources.map(({ name }) => name);
  if (diagnostics.errorCount > 0 || !addEntry(module, names, diagnostics)) return undefined;
  const complaint = module.functions.find(({ name }) => name === nullPointerName);
  if (complaint) {
    // The library's have been through all passes, which may have them read before the source does.
    for (const fn of module.functions) if (!fn.library) checkPointers(fn, complaint);
  }
  keepReachable(module, ({ name }) => exported.includes(name));
  for (const fn of module.functions) {
    // Other people's headers do not say where OpenCL's functions come from.
    if (!fn.body && !fn.imported && /^cl[A-Z]/.test(fn.name))
      fn.imported = { module: 'OpenCL', name: fn.name };
  }
  provideWholeLibrary();
  linkLibrary(module, diagnostics);
  reportMissing(module, diagnostics);
  return diagnostics.errorCount > 0 ? undefined : module;
}

function generate(
  module: ir.Module,
  { shared, stackBytes, verify }: CompileHostOptions,
  diagnostics: Diagnostics,
): Uint8Array | undefined {
  try {
    const startsThreads = module.functions.some(({ name }) => name === threadStart);
    const threads = startsThreads ? { storage: placeThreadLocals(module, diagnostics) } : undefined;
    if (diagnostics.errorCount > 0) return undefined;
    optimiseHost(module, { verify: verify ? assertValid : undefined });
    return compileHostModule(module, { shared, stackBytes, threads, exports: exported });
  } catch (error) {
    if (!(error instanceof CodegenError || error instanceof OptimiseError)) throw error;
    for (const { message, span = noSpan } of error.excesses) diagnostics.error(span, message);
    return undefined;
  }
}
