/**
 * Kernels that need more registers than they may have: some go to scratch memory, and what comes out stays the same.
 */
import { expect, it } from 'vitest';
import { printProgram } from '../../../src/codegen/r600/print.ts';
import { validate } from '../../../src/codegen/r600/validate.ts';
import { chip, compileR600, kernelOf, runOnR600 } from '../../support/r600.ts';
import { buffer, value } from '../../support/run-kernel.ts';

/** So many values, each of which every other one is added to: all of them are needed until the end. */
function manyValues(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `v${index}`);
  return `kernel void k(global const int *restrict x, global int *y, int n, int turns) {
    int i = get_global_id(0);
    ${names.map((name, index) => `int ${name} = x[(i * 7 + ${index}) % n];`).join('\n')}
    for (int turn = 0; turn < turns; turn++) {
      if (${names[0]} > turn * 40) { ${names[3]} += turn; } else { ${names[5]} -= ${names[8]}; }
      ${names.map((name, index) => `${name} += ${names[(index + 3) % count]} * (turn + ${index});`).join('\n')}
    }
    y[i] = ${names.join(' ^ ')};
  }`;
}

function expected(count: number, x: Int32Array, items: number, turns: number): number[] {
  return Array.from({ length: items }, (_, item) => {
    const v = Int32Array.from({ length: count }, (_unused, index) => x[(item * 7 + index) % x.length]!);
    for (let turn = 0; turn < turns; turn += 1) {
      if (v[0]! > turn * 40) v[3]! += turn;
      else v[5]! -= v[8]!;
      for (let index = 0; index < count; index += 1)
        v[index]! += Math.imul(v[(index + 3) % count]!, turn + index);
    }
    return v.reduce((a, b) => a ^ b);
  });
}

const count = 24;

function outcome(program: ReturnType<typeof compileR600>): void {
  const x = Int32Array.from({ length: 97 }, (_, index) => (index * 37) % 101);
  const y = new Int32Array(3);
  runOnR600(kernel, program, { global: [3], local: [1] }, [
    buffer(x),
    buffer(y),
    value.int(x.length),
    value.int(3),
  ]);
  expect([...y]).toEqual(expected(count, x, 3, 3));
}

const kernel = kernelOf(manyValues(count));

it('lets four words that are fetched one by one share a register where there are few', () => {
  const ample = compileR600(kernel, chip('RV670'));
  const few = compileR600(kernel, chip('RV670'), { registers: 14 });
  expect(ample.registers).toBeGreaterThan(14);
  expect(few.registers).toBeLessThanOrEqual(14);
  expect(few.spilledWords).toBe(0);
  expect(validate(few)).toEqual([]);
  outcome(few);
});

it('keeps in scratch memory what registers have no room for', () => {
  const program = compileR600(kernel, chip('RV670'), { registers: 6 });
  expect(validate(program)).toEqual([]);
  expect(program.registers).toBeLessThanOrEqual(6);
  expect(program.spilledWords).toBeGreaterThan(count - 6 * 4);
  expect(program.scratchBytes).toBe(Math.ceil(program.spilledWords / 4) * 16);
  const listing = printProgram(program);
  expect(listing).toMatch(/MEM_SCRATCH_WRITE: VEC_PTR\[\d+\], R\d+\.[xyzw_]+/);
  expect(listing).toMatch(/READ_SCRATCH R\d+\.[xyzw_]+, VEC_PTR\[\d+\]/);
  outcome(program);
});
