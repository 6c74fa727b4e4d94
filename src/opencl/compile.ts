/**
 * Compiles an OpenCL C program to an IR module: preprocessor, parser and checker, lowering, library. The module has
 * the program's kernels and what they reach. Nothing that a user writes makes this throw.
 */
import type { TranslationUnit } from '../c/ast.ts';
import type { Dialect } from '../c/dialect.ts';
import { ModuleLowering } from '../c/lower/module-lowering.ts';
import type { FileSystem } from '../c/preprocessor.ts';
import type { Token } from '../c/token.ts';
import type * as ir from '../ir/ir.ts';
import { walkFunction } from '../ir/walk.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { SourceFile } from '../source/source-file.ts';
import { noSpan } from '../source/span.ts';
import { type BuildOptions, parseBuildOptions } from './build-options.ts';
import { dialectOf, type FrontEndOptions, readOpenCL, readTokens } from './front-end.ts';
import { linkLibrary } from './link-library.ts';
import { openCLLowering } from './lower/dialect.ts';

export interface CompileOptions {
  /** The program's name in messages. Default `<kernel>`. */
  readonly name?: string | undefined;
  /** As for clBuildProgram. */
  readonly buildOptions?: string | undefined;
  /** Where #include finds files; without it no header is found. */
  readonly files?: FileSystem | undefined;
  /** The width of pointers and size_t. Default 32. */
  readonly addressBits?: 32 | 64 | undefined;
}

export interface CompileResult {
  /** Undefined if there were errors. */
  readonly module: ir.Module | undefined;
  readonly diagnostics: Diagnostics;
  /** The diagnostics as text: the build log. */
  readonly log: string;
  readonly options: BuildOptions;
  /** The build options were wrong: CL_INVALID_BUILD_OPTIONS. */
  readonly hasInvalidOptions: boolean;
}

/** Compiles a program as far as the IR. */
export function compileOpenCL(source: string, options: CompileOptions = {}): CompileResult {
  const job = new Job(source, options);
  const module = job.compile();
  return {
    module,
    diagnostics: job.diagnostics,
    log: renderDiagnostics(job.diagnostics.list),
    options: job.settings.options,
    hasInvalidOptions: job.hasInvalidOptions,
  };
}

/** The tokens that the preprocessor leaves, for people who look at them. */
export function tokensOfOpenCL(
  source: string,
  options: CompileOptions = {},
): { tokens: readonly Token[]; diagnostics: Diagnostics; log: string } {
  const job = new Job(source, options);
  const tokens = job.hasInvalidOptions ? [] : readTokens(job.file, job.settings, job.diagnostics);
  return { tokens, diagnostics: job.diagnostics, log: renderDiagnostics(job.diagnostics.list) };
}

/** The checked syntax tree, for people who look at it. */
export function syntaxTreeOfOpenCL(
  source: string,
  options: CompileOptions = {},
): { unit: TranslationUnit; dialect: Dialect; diagnostics: Diagnostics; log: string } {
  const job = new Job(source, options);
  const unit = job.hasInvalidOptions ? { declarations: [] } : job.parse();
  const dialect = dialectOf(job.settings);
  return { unit, dialect, diagnostics: job.diagnostics, log: renderDiagnostics(job.diagnostics.list) };
}

/** One compilation. */
class Job {
  readonly file: SourceFile;
  readonly settings: FrontEndOptions;
  readonly diagnostics: Diagnostics;
  readonly hasInvalidOptions: boolean;

  constructor(source: string, { name, buildOptions, files, addressBits }: CompileOptions) {
    const { options, errors } = parseBuildOptions(buildOptions ?? '');
    this.file = new SourceFile(name ?? '<kernel>', source);
    this.settings = { options, addressBits: addressBits ?? 32, files };
    const { suppressWarnings, warningsAreErrors } = options;
    this.diagnostics = new Diagnostics({ suppressWarnings, warningsAreErrors });
    for (const message of errors) this.diagnostics.error(noSpan, message);
    this.hasInvalidOptions = errors.length > 0;
  }

  parse(): TranslationUnit {
    return readOpenCL(this.file, this.settings, this.diagnostics);
  }

  compile(): ir.Module | undefined {
    if (this.hasInvalidOptions) return undefined;
    const unit = this.parse();
    if (this.diagnostics.errorCount > 0) return undefined;
    const { addressBits } = this.settings;
    const settings = { addressBits, contract: true };
    const lowering = new ModuleLowering(openCLLowering(addressBits), this.diagnostics, settings);
    for (const declaration of unit.declarations) {
      if (declaration.kind === 'function' && declaration.isKernel && declaration.body) {
        lowering.lowerEntry(declaration);
      }
    }
    if (this.diagnostics.errorCount > 0) return undefined;
    linkLibrary(lowering.module);
    this.#reportUndefined(lowering.module);
    return this.diagnostics.errorCount > 0 ? undefined : lowering.module;
  }

  /** Functions that something calls and nobody defines, at their first call. */
  #reportUndefined(module: ir.Module): void {
    const missing = new Set(module.functions.filter((fn) => !fn.body));
    for (const fn of missing.size > 0 ? module.functions : []) {
      walkFunction(fn, (instruction) => {
        if (instruction.op !== 'call' || !missing.delete(instruction.callee)) return;
        const { name, span } = instruction.callee;
        const notes = span ? [{ message: `'${name}' is declared here`, span }] : [];
        const message = `function '${name}' is called but not defined`;
        this.diagnostics.error(instruction.span ?? span ?? noSpan, message, notes);
      });
    }
  }
}
