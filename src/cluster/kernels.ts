/** The kernels of a source as work-items see them, for finding out what parts of launches reach. */
import type { CompileOptions } from '../api/javascript/compile.ts';
import { compileSource } from '../build/compile-source.ts';
import type * as ir from '../ir/ir.ts';
import { optimise } from '../passes/pipeline.ts';
import { scalarMachine } from '../target/scalar.ts';
import type { Target } from '../target/target.ts';

/** One work-item, with everything inlined and no pointers that loops move. */
const workItems: Target = {
  ...scalarMachine,
  wants: { form: 'work-item', images: true, calls: false, runtimeUnroll: 1, carriedPointers: 0 },
};

/** By their names; none for a source that does not compile, of which the device tells. */
export function kernelsOf(
  source: string,
  { options, files }: CompileOptions,
): ReadonlyMap<string, ir.Function> {
  const { module } = compileSource(source, { buildOptions: options, files });
  if (!module) return new Map();
  optimise(module, { target: workItems });
  const kernels = module.functions.filter(({ kind, body }) => kind === 'kernel' && body);
  return new Map(kernels.map((fn) => [fn.name, fn]));
}
