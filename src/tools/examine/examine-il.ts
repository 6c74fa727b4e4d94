/**
 * What `import ... from 'millrace/examine-il'` gives: what a program in AMD IL says of itself, for tools that look at it while
 * it is written. Its symbols are told as the parameters of one kernel, in the order of their names.
 */

import type { KernelParameter } from '../../api/javascript/arguments.ts';
import { compileIl } from '../../build/compile-il.ts';
import type { LoweredParameter, LoweredProgram } from '../../il/lower/interface.ts';
import type { HostLayout } from '../../ir/ir.ts';
import type { Examination } from './examine.ts';

export { type BuildIlResult, buildIl } from '../../build/build-il.ts';
export type { ElementFormat, LoweredParameter } from '../../il/lower/interface.ts';
export { elementBytes } from '../../il/lower/texel.ts';

/** Registers are four floats wide, and so are the elements of resources unless somebody binds others. */
const float4: HostLayout = {
  kind: 'vector',
  element: { kind: 'float', size: 4 },
  lanes: 4,
  size: 16,
};

/** How a program is launched that has no mistakes. */
export interface IlExamination extends Pick<Examination, 'diagnostics' | 'kernels'> {
  /** `ps`: once for each position of a domain; `cs`: in groups of {@link groupSize}. Undefined if it has errors. */
  readonly shader: LoweredProgram['shader'] | undefined;
  readonly groupSize: readonly [number, number, number] | undefined;
}

/** Reads, checks and lowers a program. */
export function examineIl(source: string, { name = 'kernel.il' } = {}): IlExamination {
  const { program, diagnostics } = compileIl(source, { name });
  const kernel = program && {
    name: 'main',
    parameters: program.parameters.flatMap(symbolOf),
    requiredWorkGroupSize: program.groupSize,
    span: undefined,
  };
  return {
    diagnostics: diagnostics.list,
    kernels: kernel ? [kernel] : [],
    shader: program?.shader,
    groupSize: program?.groupSize,
  };
}

/** A resource as a pointer to its elements. What the runtime says by itself (shapes, the domain) is no symbol. */
function symbolOf(parameter: LoweredParameter): KernelParameter[] {
  const symbol = (name: string, kind: 'global' | 'constant', isConst: boolean): KernelParameter[] => [
    { name, typeName: 'float4*', kind, isConst, size: 4, layout: undefined, pointee: float4 },
  ];
  switch (parameter.kind) {
    case 'constants':
      return symbol(`cb${parameter.index}`, 'constant', true);
    case 'input':
      return symbol(`i${parameter.index}`, 'global', true);
    case 'output':
      return symbol(`o${parameter.index}`, 'global', false);
    case 'uav':
      return symbol(`uav${parameter.index}`, 'global', false);
    case 'global':
      return symbol('g', 'global', false);
    default:
      return [];
  }
}
