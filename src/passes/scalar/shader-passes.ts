/**
 * What pays for machines that run very many work-items at once and know them themselves, as processors of graphics do: in a file of their own, so that
 * nobody else loads them.
 */
import type * as ir from '../../ir/ir.ts';
import { alignPixels } from '../images/pixel-alignment.ts';
import type { Pass } from '../manager.ts';
import { type OptimiseOptions, optimise } from '../pipeline.ts';
import { computeLengthsInFloat } from './float-lengths.ts';
import { unrollPartially } from './partial-unroll.ts';

/** Such a processor waits for loads in order, and hides that by other work-items, as far as there are some. */
const iterations = 4;

const shaderPasses: readonly Pass[] = [
  {
    name: 'partial-unroll',
    run: (fn, { addressBits }) => unrollPartially(fn, iterations, addressBits),
    resizes: true,
  },
];

/** `optimise` for such a machine, whose doubles are slow besides. @throws OptimiseError as it does */
export function optimiseForShaders(module: ir.Module, options: OptimiseOptions): void {
  for (const fn of module.functions) computeLengthsInFloat(fn, module.addressBits);
  optimise(module, { ...options, ownPasses: shaderPasses, alignPixels });
}
