/** From IR to the machine code of the wasm device: the passes and then the code generator. */
import type { WasmOptions, WasmProgram } from '../../codegen/wasm/module/abi.ts';
import { compileModule } from '../../codegen/wasm/module/compile-module.ts';
import { CodegenError } from '../../codegen/wasm/module/error.ts';
import { cloneModule } from '../../ir/clone.ts';
import type { Module } from '../../ir/ir.ts';
import { countModuleInstructions } from '../../ir/regions.ts';
import { OptimiseError, optimise } from '../../passes/pipeline.ts';
import { BuildFailure } from '../../runtime/device.ts';
import { refusalOf } from '../../runtime/no-memory.ts';
import { BuildBudget } from '../../source/build-budget.ts';
import { excessLog } from '../../source/render.ts';
import type { Target } from '../../target/target.ts';
import { wasm, wasmWithFma } from '../../target/wasm.ts';
import { maximumArgumentBytes } from './shared-layout.ts';
import { vectorWish } from './vector-wish.ts';
import type { KnownLaunch } from './wasm-program.ts';

/** What makes code of IR that has gone through the passes. */
export interface BackEnd {
  readonly target: Target;
  readonly emit: (module: Module, options: WasmOptions) => WasmProgram;
}

const webAssembly: BackEnd = { target: wasm, emit: compileModule };
const withFma: BackEnd = { target: wasmWithFma, emit: compileModule };

/**
 * Rewrites the module in place on the way.
 * @param known what is known of the launches of one of the kernels
 * @param backEnd another one, whose code the same runtime runs (devices/native)
 * @throws BuildFailure for what is too large to be compiled
 */
export function compileForWasm(
  module: Module,
  options: WasmOptions,
  buildOptions: string,
  vectorise = vectorWish().vectorise,
  known?: KnownLaunch,
  { target, emit }: BackEnd = options.hasFma ? withFma : webAssembly,
): WasmProgram {
  const budget = options.budget ?? new BuildBudget();
  const disabled = buildOptions.split(/\s+/).includes('-cl-opt-disable');
  // Optimised code may be too large for engines where plain code is not.
  const spare = !disabled && countModuleInstructions(module) > largeModule ? cloneModule(module) : undefined;
  const compiled = (from: Module, isPlain: boolean): WasmProgram => {
    optimise(from, {
      target,
      vectorise,
      ...(known?.handles && { knownHandles: new Map([[known.name, known.handles]]) }),
      ...(known?.rowLength && { rowLengths: new Map([[known.name, known.rowLength]]) }),
      interchange: known?.mayInterchange ? 'where better' : false,
      disabled: isPlain,
      budget,
    });
    return emit(from, { ...options, budget });
  };
  return refusing(() => {
    const program = spare
      ? orElse(
          () => compiled(module, false),
          () => compiled(spare, true),
          budget,
        )
      : compiled(module, disabled);
    checkArguments(program);
    return program;
  });
}

/** Kernels of fewer instructions never become too large. */
const largeModule = 5000;

/** What can be compiled, in plain form if the other is too large for the code generator and the budget is not spent. */
function orElse(
  compile: () => WasmProgram,
  compilePlainly: () => WasmProgram,
  budget: BuildBudget,
): WasmProgram {
  try {
    return compile();
  } catch (error) {
    if (error instanceof CodegenError && budget.spent <= budget.limit) return compilePlainly();
    throw error;
  }
}

/** Compiles; what is too large is a build failure. */
export function refusing<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof OptimiseError || error instanceof CodegenError)) throw refusalOf(error);
    throw new BuildFailure(excessLog(error.excesses));
  }
}

/** A launch has room for so many bytes of arguments and no more. */
export function checkArguments({ kernels }: WasmProgram): void {
  for (const { name, argumentBytes } of kernels) {
    if (argumentBytes <= maximumArgumentBytes) continue;
    throw new BuildFailure(
      `error: the arguments of kernel '${name}' take ${argumentBytes} bytes; the device has room for ${maximumArgumentBytes}\n`,
    );
  }
}
