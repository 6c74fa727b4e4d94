/** What a program in AMD IL tells the back end for the R600 family of its parameters: the analyzer and modelled cards compile with that. */
import type { CompileOptions as R600Options } from '../codegen/r600/compile.ts';
import type { ParameterRole } from '../codegen/r600/roles.ts';
import type { LoweredProgram } from '../il/lower/interface.ts';

/** What the parameters of a lowered IL program are to the chip. */
export function ilOptions({ parameters, shader, groupSize }: LoweredProgram): R600Options {
  const roles = parameters.map((parameter): ParameterRole | undefined => {
    switch (parameter.kind) {
      case 'domain':
        return { kind: 'origin' };
      case 'constants':
        return { kind: 'constants', buffer: parameter.index };
      case 'input':
        return {
          kind: 'texture',
          resource: parameter.index,
          components: 4,
          sampler: parameter.samplers[0],
        };
      case 'input-shape':
      case 'uav-shape':
        return { kind: 'shape' };
      case 'output':
        return { kind: 'output', output: parameter.index };
      case 'global':
        return { kind: 'global' };
      case 'output-shape':
      case 'global-size':
      case 'uav-size':
        return { kind: 'bound' };
      default:
        return undefined;
    }
  });
  return { roles: rolesByIndex(roles), kind: shader === 'ps' ? 'pixel' : 'compute', groupSize };
}

export function rolesByIndex(
  roles: readonly (ParameterRole | undefined)[],
): ReadonlyMap<number, ParameterRole> {
  return new Map(roles.flatMap((role, index) => (role ? [[index, role] as const] : [])));
}
