/** Baseline code: what is compiled without the passes that only make code better, for work-items one by one. */
import type { WasmOptions, WasmProgram } from '../../../codegen/wasm/module/abi.ts';
import { compileModule } from '../../../codegen/wasm/module/compile-module.ts';
import { cloneModule } from '../../../ir/clone.ts';
import type * as ir from '../../../ir/ir.ts';
import { countInstructions } from '../../../ir/regions.ts';
import { walkFunction } from '../../../ir/walk.ts';
import { estimateKernels, type WorkEstimate } from '../../../passes/analysis/cost/work-estimate.ts';
import { optimise, withinStack } from '../../../passes/pipeline.ts';
import { BuildFailure } from '../../../runtime/device.ts';
import { wasm } from '../../../target/wasm.ts';
import { checkArguments, refusing } from '../compile-kernels.ts';

/** What is known of baseline code, and of launches of its kernels; plain data, for the build cache. */
export interface BaselineFacts {
  /** By the kernels' names. */
  readonly works: Readonly<Record<string, WorkEstimate>>;
  /** How many instructions the program has before the passes that make it larger. */
  readonly instructions: number;
  /** Whether its results are those of optimised code to the last bit. */
  readonly isExact: boolean;
  /** Whether kernels launch others. */
  readonly launches: boolean;
}

export interface BaselineProgram extends WasmProgram {
  readonly facts: BaselineFacts;
}

/**
 * @param module stays as it is
 * @param isWanted whether code is wanted that is so
 * @throws BuildFailure for what is too large to be compiled, or not wanted
 */
export function compileBaseline(
  module: ir.Module,
  options: WasmOptions,
  isWanted: (facts: BaselineFacts) => boolean,
): BaselineProgram {
  const own = cloneModule(module);
  return refusing(() => {
    optimise(own, { target: wasm, vectorise: false, disabled: true, budget: options.budget });
    const facts = withinStack(() => factsOf(own, options.fuses ?? false));
    if (!isWanted(facts)) throw new BuildFailure('error: no baseline code is wanted\n');
    const program = { ...compileModule(own, options), facts };
    checkArguments(program);
    return program;
  });
}

function factsOf(module: ir.Module, fuses: boolean): BaselineFacts {
  const own = module.functions.filter(({ library, body }) => library === undefined && body);
  return {
    works: Object.fromEntries(estimateKernels(module)),
    instructions: own.reduce((sum, { body }) => sum + countInstructions(body!), 0),
    isExact: module.functions.every((fn) => roundsAlike(fn, fuses)),
    launches: module.functions.some(({ attributes }) => attributes?.isBlock),
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
