/**
 * Compiles an OpenCL C program to an IR module: preprocessor, parser and checker, lowering, library. The module has
 * the program's kernels and what they reach. Nothing that a user writes makes this throw.
 *
 * Of the library it takes what it needs, so it throws a PartMissing where that has not been loaded: see compile.ts.
 */
import type { TranslationUnit } from '../c/ast.ts';
import type { Dialect } from '../c/dialect.ts';
import { DebugRecord } from '../c/lower/debug-record.ts';
import { ModuleLowering } from '../c/lower/module-lowering.ts';
import type { FileSystem } from '../c/preprocessor.ts';
import type { Token } from '../c/token.ts';
import type * as ir from '../ir/ir.ts';
import { BuildBudget } from '../source/build-budget.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { SourceFile } from '../source/source-file.ts';
import { noSpan } from '../source/span.ts';
import { isStackFull } from '../source/stack-full.ts';
import { type BuildOptions, parseBuildOptions } from './build-options.ts';
import { keepsDebugInfo, setDebugInfo } from './debug-info.ts';
import { dialectOf, type FrontEndOptions, type OpenCLReading, readOpenCL, readTokens } from './front-end.ts';
import { finishProgram } from './link.ts';
import { openCLLowering } from './lower/dialect.ts';

export interface CompileOptions {
  /** The program's name in messages. Default `<kernel>`. */
  readonly name?: string | undefined;
  /** As for clBuildProgram. */
  readonly buildOptions?: string | undefined;
  /** Where #include finds files; without it no header is found. */
  readonly files?: FileSystem | undefined;
  /** Texts that #include finds by the names it uses, before all files (clCompileProgram). */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** The width of pointers and size_t. Default 32. */
  readonly addressBits?: 32 | 64 | undefined;
  /**
   * The program will be linked with others (clCompileProgram): the module has everything that these may use, and may
   * lack what they define. Default: it is a whole program.
   */
  readonly isUnit?: boolean | undefined;
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
  /** The units of work that were spent (src/source/build-budget.ts). */
  readonly work: number;
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
    work: job.budget.spent,
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
  const unit = job.hasInvalidOptions ? { declarations: [] } : job.parse().unit;
  const dialect = dialectOf(job.settings);
  return { unit, dialect, diagnostics: job.diagnostics, log: renderDiagnostics(job.diagnostics.list) };
}

type Declaration = TranslationUnit['declarations'][number];

/** One compilation. */
class Job {
  readonly file: SourceFile;
  readonly settings: FrontEndOptions;
  readonly diagnostics: Diagnostics;
  readonly hasInvalidOptions: boolean;
  readonly budget: BuildBudget;
  readonly #isUnit: boolean;

  constructor(source: string, { name, buildOptions, files, headers, addressBits, isUnit }: CompileOptions) {
    const { options, errors } = parseBuildOptions(buildOptions ?? '');
    this.file = new SourceFile(name ?? '<kernel>', source);
    this.budget = new BuildBudget(options.budget);
    this.settings = { options, addressBits: addressBits ?? 32, files, headers, budget: this.budget };
    const { suppressWarnings, warningsAreErrors } = options;
    this.diagnostics = new Diagnostics({ suppressWarnings, warningsAreErrors });
    for (const message of errors) this.diagnostics.error(noSpan, message);
    this.hasInvalidOptions = errors.length > 0;
    this.#isUnit = isUnit ?? false;
  }

  parse(): OpenCLReading {
    return readOpenCL(this.file, this.settings, this.diagnostics);
  }

  compile(): ir.Module | undefined {
    if (this.hasInvalidOptions) return undefined;
    const reading = this.parse();
    const { unit } = reading;
    if (this.diagnostics.errorCount > 0) return undefined;
    const { addressBits, options } = this.settings;
    const mayCutGroups = options.version >= 200 && !options.uniformWorkGroupSize;
    const record = keepsDebugInfo() ? new DebugRecord() : undefined;
    const isUnit = this.#isUnit;
    const { unsafeMath: reassociate, fastRelaxedMath: isRelaxed } = options;
    const settings = { addressBits, contract: true, reassociate, isRelaxed, isUnit, record };
    const lowering = new ModuleLowering(
      openCLLowering(addressBits, mayCutGroups, options.debug),
      this.diagnostics,
      settings,
    );
    for (const lower of [this.#lowerFunction, this.#lowerVariable]) {
      for (const declaration of unit.declarations) {
        this.#within(declaration, () => lower.call(this, declaration, lowering));
      }
    }
    if (this.diagnostics.errorCount > 0) return undefined;
    const { module } = lowering;
    if (this.#isUnit) return module;
    const program = finishProgram(module, this.diagnostics);
    if (record) this.#keepDebugInfo(program, reading, record, lowering);
    return this.diagnostics.errorCount > 0 ? undefined : program;
  }

  /** Lowers a declaration. What nests too deeply for the stack is the program's mistake. */
  #within({ span }: Declaration, lower: () => void): void {
    try {
      lower();
    } catch (error) {
      if (!isStackFull(error)) throw error;
      this.diagnostics.error(span, 'this nests too deeply to be compiled');
    }
  }

  #keepDebugInfo(
    program: ir.Module,
    { checker, preprocessor }: OpenCLReading,
    record: DebugRecord,
    lowering: ModuleLowering,
  ): void {
    // Joined with others it is a copy, of which the record says nothing.
    if (program !== lowering.module) return;
    const globals = lowering.globals.variables;
    const macros = preprocessor.expander.macros.visible();
    setDebugInfo(program, { file: this.file, record, globals, checker, macros });
  }

  /** Of a whole program the kernels and what they reach; of a unit everything that others may name too. */
  #lowerFunction(declaration: Declaration, lowering: ModuleLowering): void {
    if (declaration.kind !== 'function' || !declaration.body) return;
    const { isKernel, isInline, storage } = declaration;
    if (isKernel) lowering.lowerEntry(declaration);
    const isVisible = storage === 'extern' || (storage !== 'static' && !isInline);
    if (this.#isUnit && isVisible) lowering.lowerHelper(declaration);
  }

  /** The names of variables that were declared inside a function, among so many that have been looked at. */
  readonly #awaited = new Set<string>();
  #globalsSeen = 0;

  /** Of a whole program those that are left: declared inside a function, defined outside. */
  #lowerVariable(declaration: Declaration, lowering: ModuleLowering): void {
    if (declaration.kind !== 'variable' || !declaration.initializer) return;
    const { name, scope, storage } = declaration;
    if (scope !== 'program' || storage === 'static' || declaration.type.type.kind === 'block') return;
    const { globals } = lowering.module;
    for (; this.#globalsSeen < globals.length; this.#globalsSeen += 1) {
      const global = globals[this.#globalsSeen]!;
      if (global.isDeclared) this.#awaited.add(global.name);
    }
    if (this.#isUnit || this.#awaited.has(name)) lowering.globalFor(declaration);
  }
}
