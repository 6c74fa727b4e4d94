/** What a kernel's IR tells of how it may be launched: dimensions, whether it looks at its place in the range. */
import type { Function as IrFunction, Module } from '../../src/ir/ir.ts';
import { walkFunction } from '../../src/ir/walk.ts';

export interface KernelFacts {
  readonly name: string;
  /** The dimensions it asks for; 0 if it never asks where it is. */
  readonly dimensions: 0 | 1 | 2 | 3;
  readonly requiredWorkGroupSize: readonly number[] | undefined;
}

const ofRange: ReadonlySet<string> = new Set([
  'global_id',
  'local_id',
  'group_id',
  'global_size',
  'local_size',
  'num_groups',
  'global_offset',
]);

/** The facts of every kernel of a module, in order. */
export function kernelFacts(module: Module): KernelFacts[] {
  return module.functions
    .filter((fn) => fn.kind === 'kernel' && fn.body !== undefined)
    .map((fn) => ({
      name: fn.name,
      dimensions: dimensionsOf(fn),
      requiredWorkGroupSize: fn.attributes?.requiredWorkGroupSize,
    }));
}

/** The highest dimension that the kernel or anything it calls asks for. */
function dimensionsOf(kernel: IrFunction): KernelFacts['dimensions'] {
  const seen = new Set<IrFunction>();
  let highest = 0;
  const visit = (fn: IrFunction): void => {
    if (seen.has(fn)) return;
    seen.add(fn);
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'query' && ofRange.has(instruction.fn)) {
        highest = Math.max(highest, instruction.dimension + 1);
      }
      if (instruction.op === 'call') visit(instruction.callee);
    });
  };
  visit(kernel);
  return highest as KernelFacts['dimensions'];
}
