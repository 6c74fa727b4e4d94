/**
 * All that the .br files of one program have for the runtime: element types and kernels. The C that is made of their host
 * parts names both by numbers, which are places in these lists.
 */
import type { CheckedKernel } from './check/tree.ts';
import { type ElementType, sameType } from './types.ts';

export class BrookProgram {
  readonly types: ElementType[] = [];
  readonly kernels: CheckedKernel[] = [];

  /** The number of an element type. */
  typeNumber(type: ElementType): number {
    const known = this.types.findIndex((one) => sameType(one, type));
    return known >= 0 ? known : this.types.push(type) - 1;
  }

  addKernel(kernel: CheckedKernel): number {
    return this.kernels.push(kernel) - 1;
  }
}
