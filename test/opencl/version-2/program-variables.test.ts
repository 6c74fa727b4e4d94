// Variables of program scope in global memory (OpenCL 2.0, 6.5.1): initializers, pointers between them, static and extern.
import { describe, expect, it } from 'vitest';
import { expectEverywhere } from '../../support/opencl-2.ts';
import { compileForTest } from '../../support/run-kernel.ts';

describe('variables of program scope', () => {
  it('have their initial values, and keep what is written', () => {
    const source = `
      int counter = 5;
      global int table[4] = { 1, 2, 3, 4 };
      static global float scale = 2.5f;
      int *pointer = &counter;
      global int *constant fixed = table + 2;
      atomic_int tickets = ATOMIC_VAR_INIT(100);
      struct node { struct node *next; int value; } last = { 0, 30 }, first = { &last, 10 };
      extern int later;
      int zero[3];
      int bump(void) { static int calls = 0; return ++calls; }
      kernel void k(global int *out) {
        if (get_global_id(0) != 0) return;
        out[0] = counter++; out[1] = table[1]++; out[2] = *fixed; out[3] = (int)(scale * 2);
        *pointer += 10;
        out[4] = counter; out[5] = bump(); out[5] += bump() * 10; out[6] = atomic_fetch_add(&tickets, 1);
        out[7] = first.next->value + first.value + later;
        later = 12;
        static global int inner = 3; out[8] = inner++;
        out[9] = to_global(pointer) != 0;
        out[10] = zero[2] + table[1] + later;
      }
      int later = 11;`;
    const expected = Int32Array.of(5, 2, 3, 5, 16, 21, 100, 51, 3, 1, 15);
    expectEverywhere(source, { global: [4], local: [2] }, expected);
  });

  it('of atomic types have the values of their types', () => {
    const source = `
      atomic_float a = ATOMIC_VAR_INIT(5);
      atomic_float b[2] = { ATOMIC_VAR_INIT(6), ATOMIC_VAR_INIT(7.5f) };
      atomic_long c = ATOMIC_VAR_INIT(-8);
      atomic_double d = ATOMIC_VAR_INIT(2.5);
      struct { atomic_ulong x; int y; } e = { 0x100000003ul, 4 };
      kernel void k(global int *out) {
        out[0] = atomic_load(&a) * 10; out[1] = atomic_load(b) * 10; out[2] = atomic_load(b + 1) * 10;
        out[3] = (int)(atomic_load(&c) >> 1); out[4] = atomic_load(&d) * 10;
        out[5] = (int)(atomic_load(&e.x) >> 32) + e.y;
      }`;
    expectEverywhere(source, { global: [1], local: [1] }, Int32Array.of(50, 60, 75, -4, 25, 5));
  });

  it('may live in constant memory still', () => {
    const source = `constant int c[2] = { 3, 4 }; int *const p = 0;
      kernel void k(global int *out) { out[0] = c[1] + (p == 0); }`;
    expectEverywhere(source, { global: [1], local: [1] }, Int32Array.of(5));
  });

  it.each([
    ['private', 'private int x;', /program scope variable must reside in global or constant address space/],
    ['local', 'local int x;', /program scope variable must reside in global or constant address space/],
    ['not constant', 'int f(void) { return 1; } int x = f();', /not a compile-time constant/],
    ['constant without a value', 'constant int x;', /must be initialized/],
    ['pointer to another space', 'constant int c = 1; int *p = &c;', /changes address space/],
  ])('mistakes: %s', (_, source, message) => {
    expect(() => compileForTest(`${source} kernel void k(void) {}`, '-cl-std=CL2.0')).toThrow(message);
  });

  it('are not there before version 2.0', () => {
    expect(() => compileForTest('int x; kernel void k(void) {}')).toThrow(
      /must reside in constant address space/,
    );
  });
});
