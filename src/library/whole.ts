/** All of the library for Millrace's own devices, there from the start: for those who build programs while they block. */
import { embedded as basic } from './embedded/basic.ts';
import { embedded as double } from './embedded/double.ts';
import { embedded as images } from './embedded/images.ts';
import { embedded as kernels } from './embedded/kernels.ts';
import { embedded as rare } from './embedded/rare.ts';
import { provideLibrary } from './index.ts';

export function provideWholeLibrary(): void {
  provideLibrary({ basic, double, images, rare, kernels });
}
