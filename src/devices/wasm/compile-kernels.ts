/** From IR to the machine code of the wasm device: the passes and then the code generator. */
import type { WasmOptions } from '../../codegen/wasm/module/abi.ts';
import { compileModule } from '../../codegen/wasm/module/compile-module.ts';
import { CodegenError } from '../../codegen/wasm/module/error.ts';
import { cloneModule } from '../../ir/clone.ts';
import type * as ir from '../../ir/ir.ts';
import type { Module } from '../../ir/ir.ts';
import { countInstructions, countModuleInstructions } from '../../ir/regions.ts';
import { walkFunction } from '../../ir/walk.ts';
import { estimateKernels } from '../../passes/analysis/cost/work-estimate.ts';
import type { KnownHandles } from '../../passes/images/known-images.ts';
import { OptimiseError, optimise, withinStack } from '../../passes/pipeline.ts';
import { BuildFailure } from '../../runtime/device.ts';
import { BuildBudget } from '../../source/build-budget.ts';
import { excessLog } from '../../source/render.ts';
import { wasm } from '../../target/wasm.ts';
import { maximumArgumentBytes } from './shared-layout.ts';
import type { BaselineFacts, Tier, TierProgram } from './tiers.ts';
import { vectorWish } from './vector-wish.ts';

/**
 * Rewrites the module in place on the way.
 * @param knownHandles what is known of images and samplers, by the names of kernels
 * @param interchange whether dimensions are interchanged in kernels that are better so
 * @param tier baseline code comes with what decides which launches it is for
 * @throws BuildFailure for what is too large to be compiled
 */
export function compileForWasm(
  module: Module,
  options: WasmOptions,
  buildOptions: string,
  vectorise = vectorWish().vectorise,
  knownHandles?: ReadonlyMap<string, KnownHandles>,
  interchange = false,
  tier: Tier = 'optimised',
): TierProgram {
  const budget = options.budget ?? new BuildBudget();
  if (tier === 'baseline') return refusing(() => baselineProgram(module, { ...options, budget }));
  const disabled = buildOptions.split(/\s+/).includes('-cl-opt-disable');
  // Optimised code may be too large for engines where plain code is not.
  const spare = !disabled && countModuleInstructions(module) > largeModule ? cloneModule(module) : undefined;
  const compiled = (from: Module, isPlain: boolean): TierProgram => {
    const asked = interchange && 'where better';
    optimise(from, {
      target: wasm,
      vectorise,
      knownHandles,
      interchange: asked,
      disabled: isPlain,
      budget,
    });
    return compileModule(from, { ...options, budget });
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

/** Without the passes that only make code better, and as plain code is: for a machine without vectors. */
function baselineProgram(module: Module, options: WasmOptions): TierProgram {
  optimise(module, { target: wasm, vectorise: false, disabled: true, budget: options.budget });
  const baseline = withinStack(() => baselineFacts(module, options.fuses ?? false));
  const program = { ...compileModule(module, options), baseline };
  checkArguments(program);
  return program;
}

function baselineFacts(module: Module, fuses: boolean): BaselineFacts {
  const own = module.functions.filter(({ library, body }) => library === undefined && body);
  return {
    works: Object.fromEntries(estimateKernels(module)),
    instructions: own.reduce((sum, { body }) => sum + countInstructions(body!), 0),
    isExact: module.functions.every((fn) => roundsAlike(fn, fuses)),
  };
}

/** Whether nothing in a function may be rounded, or added up, in one way or another. */
function roundsAlike(fn: ir.Function, fuses: boolean): boolean {
  let isAlike = true;
  walkFunction(fn, (instruction) => {
    if (instruction.op === 'binary') {
      const isOpen = instruction.reassociate || (fuses && instruction.contract && instruction.fn !== 'fmul');
      if (isOpen) isAlike = false;
    } else if (instruction.op === 'collective' && instruction.combine === 'fadd') isAlike = false;
  });
  return isAlike;
}

/** Kernels of fewer instructions never become too large. */
const largeModule = 5000;

/** What can be compiled, in plain form if the other is too large for the code generator and the budget is not spent. */
function orElse(
  compile: () => TierProgram,
  compilePlainly: () => TierProgram,
  budget: BuildBudget,
): TierProgram {
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
    if (!(error instanceof OptimiseError || error instanceof CodegenError)) throw error;
    throw new BuildFailure(excessLog(error.excesses));
  }
}

/** A launch has room for so many bytes of arguments and no more. */
function checkArguments({ kernels }: TierProgram): void {
  for (const { name, argumentBytes } of kernels) {
    if (argumentBytes <= maximumArgumentBytes) continue;
    throw new BuildFailure(
      `error: the arguments of kernel '${name}' take ${argumentBytes} bytes; the device has room for ${maximumArgumentBytes}\n`,
    );
  }
}
