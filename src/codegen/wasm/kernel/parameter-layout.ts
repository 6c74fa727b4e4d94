/** Where the arguments of a kernel lie in its launch block, by the parameters of its IR. */
import { samplerType } from '../../../ir/images.ts';
import type * as ir from '../../../ir/ir.ts';
import { sizeOf, type Type } from '../../../ir/types.ts';
import type { ParameterPlacement } from '../module/abi.ts';
import { roundUp } from './frame.ts';

/**
 * Places the arguments one after another, each aligned to its own size. The passes change none of it: an image has the place
 * of the address that lower-images makes of it, and a sampler that of its bits.
 */
export function layOutParameters(fn: ir.Function): ParameterPlacement[] {
  let end = 0;
  return fn.parameters.map(({ value, aggregate }) => {
    const { kind, size, align } = parameterShape(value.type, aggregate);
    const offset = roundUp(end, align);
    end = offset + size;
    return { kind, offset, size, align };
  });
}

function parameterShape(
  type: Type,
  aggregate: ir.Parameter['aggregate'],
): { kind: ParameterPlacement['kind']; size: number; align: number } {
  if (type.kind === 'opaque') return { kind: type === samplerType ? 'value' : 'constant', size: 4, align: 4 };
  if (aggregate) return { kind: 'aggregate', size: aggregate.size, align: aggregate.align };
  if (type.kind === 'pointer') {
    const kind = type.space === 'local' || type.space === 'constant' ? type.space : 'global';
    return { kind, size: 4, align: 4 };
  }
  if (type.kind === 'vector' && type.lanes === 3) {
    const size = sizeOf(type.element) * 4;
    return { kind: 'value', size, align: size };
  }
  const size = sizeOf(type);
  return { kind: 'value', size, align: size };
}
