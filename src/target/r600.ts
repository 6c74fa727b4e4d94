/**
 * AMD's R600 family: five-way bundles of scalars, and wavefronts of 64 work-items that the hardware runs together. So nothing is
 * vectorised, and barriers and images stay. Each kernel is a program of its own, which wants to be told what its parameters are to the chip
 * (codegen/r600/roles.ts); `emit` takes them for buffers and lists the programs for the largest chip.
 */
import { chips } from '../codegen/r600/chips.ts';
import { compileR600 } from '../codegen/r600/compile.ts';
import { printProgram } from '../codegen/r600/print.ts';
import type { Target } from './target.ts';

export const r600: Target = {
  name: 'r600',
  description: "AMD's R600 family (RV770), as its instructions",
  addressBits: [32],
  vectors: undefined,
  costs: undefined,
  cache: { line: 64, ways: 8 },
  wants: { form: 'work-item', images: true, calls: false, runtimeUnroll: 1, carriedPointers: 0 },
  deepestNesting: Number.POSITIVE_INFINITY,
  emit: ({ functions }) =>
    functions
      .filter(({ kind, body }) => kind === 'kernel' && body)
      .map((kernel) => printProgram(compileR600(kernel, chips.get('RV770')!)))
      .join('\n'),
};
