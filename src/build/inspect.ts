/**
 * Looking into a compilation: what `millrace compile --emit` prints and tools build on. Unlike a build it needs
 * no context and no device.
 */
import type { FileSystem } from '../c/preprocessor.ts';
import { printAst } from '../c/print-ast.ts';
import { printTokens } from '../c/token-printer.ts';
import { compileModule } from '../codegen/wasm/module/compile-module.ts';
import { CodegenError } from '../codegen/wasm/module/error.ts';
import { listModule } from '../codegen/wasm/module/listing.ts';
import { precisionOf } from '../codegen/wgsl/precision.ts';
import { writeKernels } from '../codegen/wgsl/write-kernels.ts';
import { vectorWish } from '../devices/wasm/vector-wish.ts';
import { printIl } from '../il/print.ts';
import type { Module } from '../ir/ir.ts';
import { printModule } from '../ir/print.ts';
import { countModuleInstructions } from '../ir/regions.ts';
import { type BuildOptions, parseBuildOptions } from '../opencl/build-options.ts';
import { syntaxTreeOfOpenCL, tokensOfOpenCL } from '../opencl/compile.ts';
import { linkSingles } from '../opencl/link-library.ts';
import type { PassRun } from '../passes/manager.ts';
import { OptimiseError, optimise, passNames } from '../passes/pipeline.ts';
import { optimiseForShaders } from '../passes/scalar/shader-passes.ts';
import type { VectoriseDecision } from '../passes/vectorize/vectorize.ts';
import { BuildFailure } from '../runtime/device.ts';
import { BuildBudget } from '../source/build-budget.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { excessLog, renderDiagnostics } from '../source/render.ts';
import type { Span } from '../source/span.ts';
import type { Target } from '../target/target.ts';
import { wasm } from '../target/wasm.ts';
import { wgsl } from '../target/wgsl.ts';
import { compileIl } from './compile-il.ts';
import { compileSource } from './compile-source.ts';
import { describePlan } from './describe-plan.ts';
import { describeVectors } from './describe-vectors.ts';
import { isIrText } from './is-ir-text.ts';
import { kernelsAsIl } from './kernels-as-il.ts';
import { BinaryError, decodeProgram, moduleOf } from './program-binary.ts';
import { fileOf, positionText } from './source-places.ts';

/** The stages of a compilation that can be looked at. */
export const stages = ['tokens', 'ast', 'ir', 'il', 'wgsl', 'plan', 'vectors', 'wat', 'wasm', 'asm'] as const;

/** Those of them that a program binary has too; the others come before what it holds. */
export const binaryStages = [
  'ir',
  'il',
  'wgsl',
  'plan',
  'vectors',
  'wat',
  'wasm',
  'asm',
] as const satisfies readonly Stage[];

export type Stage = (typeof stages)[number];

/** Where the IR may be looked at: `lower`, before any pass, and after each pass. */
export const irStages: readonly string[] = ['lower', ...passNames];

/** The languages that can be looked into. AMD IL (docs/il.md) is lowered for resources of four floats. */
export type InspectLanguage = 'opencl' | 'il';

/** The stages of AMD IL, which has no tokens; `ast` is the program as it was understood. */
export const ilStages = [
  'ast',
  'ir',
  'wgsl',
  'plan',
  'vectors',
  'wat',
  'wasm',
  'asm',
] as const satisfies readonly Stage[];

/** What makes machine code of an optimised module, as text, and for what machine. */
export interface Assembly {
  readonly target: Target;
  write(module: Module, budget: BuildBudget): string;
}

export interface InspectOptions {
  /** The source's name in messages. */
  readonly name?: string;
  /** What the source is written in. Default OpenCL C. */
  readonly language?: InspectLanguage;
  /** As for clBuildProgram. */
  readonly buildOptions?: string;
  /** Where #include finds files. */
  readonly files?: FileSystem;
  /**
   * What makes the stage `asm`, machine code as text, of an optimised module: millrace compile has it from codegen/x64, which nobody else needs
   * to load. Without it that stage is refused.
   */
  readonly assembly?: Assembly | undefined;
  /** Default `ir`. */
  readonly emit?: Stage;
  /** With `ir`: one of {@link irStages}; default after the last pass. A pass that runs several times: its last run. */
  readonly after?: string;
  /** With `il` and `wgsl`: only this kernel. */
  readonly kernel?: string | undefined;
  /** Called after each pass, and after what comes before and behind the passes, with the time that it took. */
  readonly onPass?: ((run: PassRun) => void) | undefined;
  /** Colour the log for a terminal. */
  readonly color?: boolean;
}

export interface InspectResult {
  /** Undefined if the source has errors, or asks for more than can be compiled. Bytes for `wasm`, text for all others. */
  readonly output: string | Uint8Array | undefined;
  /** Errors and warnings with their source lines; empty if there are none. */
  readonly log: string;
}

const defaultOptions = parseBuildOptions('').options;

/**
 * Compiles a source, which may be IR as text, or a program binary, as far as one stage and prints that. A binary has the build options it was
 * made with.
 * @throws RangeError for an `after` that names no pass, and for a stage that a binary or the language does not have
 */
export function inspect(program: string | Uint8Array, options: InspectOptions = {}): InspectResult {
  const { emit = 'ir', after, color = false } = options;
  if (after !== undefined && !irStages.includes(after)) {
    throw new RangeError(`there is no pass '${after}'; there are ${irStages.join(', ')}`);
  }
  if (typeof program !== 'string') return inspectBinary(program, emit, options);
  if (options.language === 'il') return inspectIl(program, emit, options);
  const source = program;
  if (isIrText(source) && (emit === 'tokens' || emit === 'ast')) {
    throw new RangeError(`IR has no '${emit}'; it has ${binaryStages.join(', ')}`);
  }
  const log = (diagnostics: Diagnostics): string => renderDiagnostics(diagnostics.list, { color });
  switch (emit) {
    case 'tokens': {
      const { tokens, diagnostics } = tokensOfOpenCL(source, options);
      return { output: diagnostics.errorCount > 0 ? undefined : printTokens(tokens), log: log(diagnostics) };
    }
    case 'ast': {
      const { unit, dialect, diagnostics } = syntaxTreeOfOpenCL(source, options);
      return {
        output: diagnostics.errorCount > 0 ? undefined : printAst(unit, dialect),
        log: log(diagnostics),
      };
    }
    default: {
      const start = performance.now();
      const { module, diagnostics, options: build } = compileSource(source, options);
      if (!module) return { output: undefined, log: log(diagnostics) };
      options.onPass?.({
        pass: 'front end and linking',
        milliseconds: performance.now() - start,
        functions: module.functions.length,
        instructions: countModuleInstructions(module),
      });
      if (emit === 'il') return emittedIl(module, options, log(diagnostics));
      if (emit === 'wgsl') return emittedWgsl(module, options, build, log(diagnostics));
      return emitted(module, emit, options, build, log(diagnostics));
    }
  }
}

function inspectIl(text: string, emit: Stage, options: InspectOptions): InspectResult {
  const { name, color = false } = options;
  if (emit === 'tokens' || emit === 'il')
    throw new RangeError(`AMD IL has no '${emit}'; it has ${ilStages.join(', ')}`);
  const { tree, program, diagnostics } = compileIl(text, { name });
  const log = renderDiagnostics(diagnostics.list, { color });
  if (emit === 'ast') return { output: tree && printIl(tree), log };
  if (!program) return { output: undefined, log };
  if (emit === 'wgsl') return emittedWgsl(program.module, options, defaultOptions, log);
  return emitted(program.module, emit, options, defaultOptions, log);
}

function inspectBinary(bytes: Uint8Array, emit: Stage, options: InspectOptions): InspectResult {
  const { name = 'binary', after } = options;
  if (emit === 'tokens' || emit === 'ast') {
    throw new RangeError(
      `a binary holds no source, so it has no '${emit}'; it has ${binaryStages.join(', ')}`,
    );
  }
  try {
    const binary = decodeProgram(bytes);
    if (binary.kind !== 'executable' && !(emit === 'ir' && after === 'lower')) {
      throw new BinaryError(
        `as it is not linked (${binary.kind}), only its IR before all passes can be shown: after 'lower'`,
      );
    }
    const module = moduleOf(binary, binary.modules.has(32) ? 32 : 64);
    if (emit === 'il') return emittedIl(module, options, '');
    const { options: build } = parseBuildOptions(binary.options);
    if (emit === 'wgsl') return emittedWgsl(module, { ...options, buildOptions: binary.options }, build, '');
    return emitted(module, emit, options, build, '');
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error;
    return { output: undefined, log: `${name}: error: ${error.message}\n` };
  }
}

/** Each kernel as a program of its own, behind a comment with its name. */
function emittedIl(module: Module, { kernel, color = false }: InspectOptions, log: string): InspectResult {
  const { kernels, diagnostics } = kernelsAsIl(module, { kernel });
  const said = log + renderDiagnostics(diagnostics.list, { color });
  const texts = kernels.flatMap(({ name, program }) => (program ? `; kernel ${name}\n${program.text}` : []));
  return { output: diagnostics.errorCount > 0 ? undefined : texts.join('\n'), log: said };
}

/** Each kernel as a shader of its own, and in its variant with bindings if it has one, behind comments with its name. */
function emittedWgsl(
  module: Module,
  { kernel, color = false, name: file, buildOptions = '' }: InspectOptions,
  { optDisable: disabled, budget: units }: BuildOptions,
  log: string,
): InspectResult {
  // Lines end with where they come from, but for those of included files and of the library.
  const place = (span: Span): string | undefined =>
    file === undefined || fileOf(span) === file ? positionText(span) : undefined;
  return orExcesses(log, () => {
    if (wgsl.wants.singles) linkSingles(module);
    optimiseForShaders(module, { target: wgsl, disabled, budget: new BuildBudget(units) });
    const { kernels, diagnostics } = writeKernels(
      module,
      { placeText: place, ...precisionOf(buildOptions) },
      kernel,
    );
    const said = log + renderDiagnostics(diagnostics.list, { color });
    const texts = kernels.flatMap(({ shader: { name, code, bound } }) => {
      const text = `// kernel ${name}\n${code}`;
      return bound ? [text, `// kernel ${name}, with a binding for each buffer\n${bound.code}`] : [text];
    });
    return { output: diagnostics.errorCount > 0 ? undefined : texts.join('\n'), log: said };
  });
}

function emitted(
  module: Module,
  emit: Exclude<(typeof binaryStages)[number], 'il' | 'wgsl'>,
  options: InspectOptions,
  build: BuildOptions,
  log: string,
): InspectResult {
  return orExcesses(log, () => ({ output: emitModule(module, emit, options, build), log }));
}

/** What `make` gives, or the log of what was too much for the compiler or not to be understood in the environment. */
function orExcesses(log: string, make: () => InspectResult): InspectResult {
  try {
    return make();
  } catch (error) {
    if (error instanceof BuildFailure) return { output: undefined, log: log + error.log };
    if (!(error instanceof OptimiseError || error instanceof CodegenError)) throw error;
    return { output: undefined, log: log + excessLog(error.excesses) };
  }
}

function emitModule(
  module: Module,
  emit: Exclude<(typeof binaryStages)[number], 'il' | 'wgsl'>,
  { after, onPass, assembly }: InspectOptions,
  { optDisable: disabled, budget: units }: BuildOptions,
): string | Uint8Array {
  const budget = new BuildBudget(units);
  const { vectorise: wanted } = vectorWish();
  if (emit === 'ir') {
    if (after === 'lower') return printModule(module);
    let text: string | undefined;
    optimise(module, {
      disabled,
      budget,
      target: wasm,
      vectorise: wanted,
      onPass,
      after: (pass, current) => {
        if (pass === after) text = printModule(current);
      },
    });
    return text ?? printModule(module);
  }
  const decisions: VectoriseDecision[] = [];
  // What launches with many rows run is what vectors are for.
  const explains = emit === 'vectors' || emit === 'plan' || emit === 'asm';
  const interchange = explains && emit !== 'asm' && 'where better';
  const target = emit === 'asm' ? (assembly?.target ?? wasm) : wasm;
  optimise(module, {
    disabled,
    budget,
    interchange,
    onPass,
    target,
    vectorise: wanted && {
      ...(wanted === true ? {} : wanted),
      onDecision: (decision) => decisions.push(decision),
    },
  });
  const kernels = module.functions.filter(({ kind }) => kind === 'kernel');
  if (emit === 'vectors') return describeVectors(kernels, decisions);
  if (emit === 'plan') return describePlan(wasm, kernels, decisions);
  const start = performance.now();
  const output =
    emit === 'asm'
      ? assembled(module, budget, assembly, decisions)
      : compileModule(module, { shared: true, budget }).bytes;
  onPass?.({
    pass: 'code generation',
    milliseconds: performance.now() - start,
    functions: module.functions.length,
    instructions: countModuleInstructions(module),
  });
  return emit === 'wat' ? listModule(output as Uint8Array) : output;
}

/** The code, behind comments with what the planner thought. */
function assembled(
  module: Module,
  budget: BuildBudget,
  assembly: Assembly | undefined,
  decisions: readonly VectoriseDecision[],
): string {
  if (!assembly) throw new RangeError("'asm' needs what makes it: the option 'assembly'");
  const kernels = module.functions.filter(({ kind }) => kind === 'kernel');
  const plan = describePlan(assembly.target, kernels, decisions).trimEnd();
  return `${plan.replace(/^/gm, '; ').replace(/ +$/gm, '')}\n${assembly.write(module, budget)}`;
}
