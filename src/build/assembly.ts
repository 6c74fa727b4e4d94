/**
 * What `import ... from 'millrace/assembly'` gives: machine code of x86-64 as text, for `millrace compile --emit asm`. The page and the rest of
 * Millrace do not load it.
 */
import { compileKernelX64 } from '../codegen/x64/compile-kernel.ts';
import { x64 } from '../target/x64.ts';
import type { InspectOptions } from './inspect.ts';

/** The listing of an optimised module, for processors with AVX2 and FMA; the option `assembly` of `inspect`. */
export const assembly: NonNullable<InspectOptions['assembly']> = {
  target: x64,
  write: (module, budget) =>
    // Without a kernel there is nothing but what all kernels share.
    module.functions.some(({ kind }) => kind === 'kernel')
      ? compileKernelX64(module, { shared: true, avx512: false, fuses: true, budget }).listing()
      : '',
};
