/** Variables in local and constant space stand in the outermost block of a kernel (OpenCL 1.2, 6.5.2 and 6.5.3). */
import { expect, it } from 'vitest';
import { diagnose } from '../../c/diagnose.ts';
import { dialect } from './builtins.ts';

it('variables of a work-group in an inner block', () => {
  const source = 'kernel void k(int i) { local int a; if (i) { local int b; constant int c = 1; } }';
  expect(diagnose(source, dialect)).toEqual([
    '1:56: error: variables in the local address space can only be declared in the outermost scope of a kernel function',
    '1:72: error: variables in the constant address space can only be declared in the outermost scope of a kernel function',
  ]);
  expect(diagnose('kernel void k(void) { for (local int i;;) ; }', dialect)).toEqual([
    '1:38: error: variables in the local address space can only be declared in the outermost scope of a kernel function',
  ]);
});
