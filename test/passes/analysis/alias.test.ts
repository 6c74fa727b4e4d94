/** Which accesses may meet: what C99, 6.5, paragraph 7, and 6.7.3.1 say of kernels' parameters, and where a source keeps to neither. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../../src/ir/ir.ts';
import { walkFunction } from '../../../src/ir/walk.ts';
import { Memory, mayAlias } from '../../../src/passes/analysis/alias.ts';
import { mem2reg } from '../../../src/passes/scalar/mem2reg.ts';
import { compileForTest } from '../../support/run-kernel.ts';

/** Whether what the kernel stores first and what it loads last may be the same. */
function mayMeet(source: string): boolean {
  const fn = compileForTest(source).functions.find(({ kind }) => kind === 'kernel')!;
  mem2reg(fn, 32);
  const definitions = new Map<ir.Value, ir.Instruction>();
  const stores: ir.Instruction[] = [];
  const loads: ir.Instruction[] = [];
  walkFunction(fn, (instruction) => {
    for (const result of instruction.results) definitions.set(result, instruction);
    if (instruction.op === 'store') stores.push(instruction);
    if (instruction.op === 'load') loads.push(instruction);
  });
  const memory = new Memory(fn, definitions);
  const toParameters = (one: ir.Instruction): boolean => memory.rootOf(one.operands[0]!).kind === 'parameter';
  const [store] = stores.filter(toParameters);
  const load = loads.filter(toParameters).at(-1);
  return mayAlias(memory.accessedBy(store!), memory.accessedBy(load!));
}

const use = 'int i = get_global_id(0);';

describe('a store through one parameter and a load through another', () => {
  it.each([
    ['numbers of one type', 'global float *a, global float *b', 'a[i] = 1; a[0] = b[i];', true],
    ['one of them restrict', 'global float *restrict a, global float *b', 'a[i] = 1; a[0] = b[i];', false],
    ['float and int', 'global float *a, global int *b', 'a[i] = 1; a[0] = b[i];', false],
    ['int and its unsigned form', 'global int *a, global uint *b', 'a[i] = 1; a[0] = b[i];', true],
    ['int and long', 'global int *a, global long *b', 'a[i] = 1; a[0] = b[i];', false],
    ['float and a vector of floats', 'global float *a, global float4 *b', 'a[i] = 1; a[0] = b[i].x;', true],
    ['int and a vector of floats', 'global int *a, global float4 *b', 'a[i] = 1; a[0] = b[i].x;', false],
    ['bytes', 'global char *a, global int *b', 'a[i] = 1; a[0] = b[i];', true],
    ['16 bits and 32', 'global short *a, global int *b', 'a[i] = 1; a[0] = b[i];', true],
    [
      'a cast where it stores',
      'global float *a, global int *b',
      '((global int *)a)[i] = 1; a[0] = b[i];',
      true,
    ],
    [
      'a cast where it loads',
      'global float *a, global int *b',
      'a[i] = 1; a[0] = ((global float *)b)[i];',
      true,
    ],
    [
      'a cast to another type than both',
      'global float *a, global int *b',
      'a[i] = 1; a[0] = ((global long *)b)[i];',
      true,
    ],
    [
      'one parameter, two types',
      'global float *a, global int *b',
      'a[i] = b[0]; a[0] = ((global int *)a)[i];',
      true,
    ],
    ['untyped memory', 'global void *a, global int *b', '((global float *)a)[i] = 1; b[0] = b[i];', true],
    ['volatile numbers of one type', 'global volatile int *a, global int *b', 'a[i] = 1; a[0] = b[i];', true],
  ])('%s', (_, parameters, body, expected) => {
    expect(mayMeet(`kernel void k(${parameters}) { ${use} ${body} }`)).toBe(expected);
  });

  it.each([
    ['a struct that has such numbers', 'a[i] = 1; a[0] = b[i].y;', true],
    ['a struct where it has others', 'a[i] = 1; a[0] = b[i].n;', false],
    ['a union of both, whose members may be read as one another', 'a[i] = 1; a[0] = c[i].n;', true],
  ])('%s', (_, body, expected) => {
    const source = `
      struct s { int n; float y; };
      union u { int n; float y; };
      kernel void k(global float *a, global struct s *b, global union u *c) { ${use} ${body} }`;
    expect(mayMeet(source)).toBe(expected);
  });
});
