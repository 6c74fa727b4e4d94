// Blocks (OpenCL C 2.0, 6.12.5): their types, captures and calls, and what is refused.
import { describe, expect, it } from 'vitest';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { expectEverywhere } from '../../support/opencl-2.ts';

const range = { global: [11, 1, 1], local: [4, 1, 1] } as const;

/** Eleven work-items each leave a number. */
function expectInts(source: string, of: (id: number) => number): void {
  expectEverywhere(
    source,
    range,
    Int32Array.from({ length: 11 }, (_, id) => of(id)),
    () => [],
    'some forms',
  );
}

describe('blocks', () => {
  it('at program scope, plain and through a typedef', () => {
    const source = `
      constant int seven = 7;
      int (^constant scaled)(int) = ^int(int x) { return seven * x * (1 + (int)get_global_id(0)); };
      typedef int (^mix_t)(float, int);
      constant mix_t mix = ^(float f, int i) { return (int)(i + f); };
      kernel void k(global int *out) {
        out[get_global_id(0)] = scaled(3) + mix(1.5f, mix(0.5f, 2));
      }`;
    expectInts(source, (id) => 21 * (1 + id) + 3);
  });

  it('capture variables as they are where the literal stands', () => {
    const source = `
      kernel void k(global int *out) {
        int id = get_global_id(0);
        int factor = 3 + id;
        int (^times)(int) = ^(int x) { return x * factor; };
        factor = 1000;
        int sum = 0;
        for (int i = 0; i < 4; i++) {
          int (^next)(void) = ^{ return i + 2 * i; };
          sum += next();
        }
        out[id] = times(10) + sum;
      }`;
    expectInts(source, (id) => 10 * (3 + id) + 3 * (0 + 1 + 2 + 3));
  });

  it('inside blocks capture through those around them', () => {
    const source = `
      kernel void k(global int *out) {
        int id = get_global_id(0), a = 7, b = 11;
        int (^outer)(int) = ^int(int x) {
          int c = 13;
          int (^inner)(int) = ^int(int y) { return b * ^(int z) { return c * z; }(y); };
          return a * inner(x);
        };
        out[id] = outer(id + 1);
      }`;
    expectInts(source, (id) => 7 * 11 * 13 * (id + 1));
  });

  it('copy structs, and take arrays by the address of their first element', () => {
    const source = `
      struct pair { short x; long y; };
      kernel void k(global int *out) {
        int id = get_global_id(0);
        struct pair p = { 2, id };
        int a[3] = { 1, 2, 3 };
        int (^both)(int) = ^(int at) { return (int)(p.x * p.y) + a[at]; };
        p.y = 99;
        a[1] = 50;
        out[id] = both(1);
      }`;
    expectInts(source, (id) => 2 * id + 50);
  });

  it('take and return structs and pointers', () => {
    const source = `
      struct A { int a; };
      typedef global int *place;
      kernel void k(global int *out) {
        int id = get_global_id(0);
        struct A (^six)(struct A) = ^struct A(struct A given) { given.a += 6; return given; };
        place (^at)(global int *, int) = ^place(global int *p, int i) { return p + i; };
        struct A five = { 5 };
        *at(out, id) = six(five).a + five.a;
      }`;
    expectInts(source, () => 16);
  });

  it('are called where they stand, in conditions and in functions', () => {
    const source = `
      int f(int n) {
        return ^(int i) { return ^(ushort u) { return (int)u + i + n; }(3); }(7);
      }
      kernel void k(global int *out) {
        int id = get_global_id(0);
        out[id] = id;
        while (^{ return out[id] < 40; }()) out[id] += 16;
        if (^(int x) { return x & 1; }(id)) out[id] += f(id);
      }`;
    expectInts(source, (id) => {
      let value = id;
      while (value < 40) value += 16;
      return id & 1 ? value + 10 + id : value;
    });
  });
});

describe('what blocks may not be', () => {
  /** The first error of a program whose kernel has these statements. */
  function firstError(statements: string, before = ''): string {
    const source = `${before} kernel void k(global int *p) { local int shared[2], one; int i = 0;
      int (^b)(void) = ^{ return 1; }; ${statements} }`;
    const { diagnostics } = compileOpenCL(source, { buildOptions: '-cl-std=CL2.0' });
    return diagnostics.list.find(({ severity }) => severity === 'error')?.message ?? 'none';
  }

  it.each([
    ['int (^c)(void);', 'invalid block variable declaration - must be initialized'],
    ['b = ^{ return 2; };', "cannot assign to variable 'b' with const-qualified type 'int (^)(void)'"],
    ['(i ? b : b)();', 'a block cannot be chosen by a ternary expression'],
    ['&b;', "invalid argument type 'int (^)(void)' to unary expression"],
    ['int (^c)(void) = ^{ return b(); };', 'cannot refer to a block inside block'],
    ['^{ i = 3; }();', "cannot assign to variable 'i' with const-qualified type 'const int'"],
    ['^{ one = 3; }();', "'one' lies in local memory, and a block cannot capture it"],
    ['^{ break; }();', "'break' statement not in loop or switch statement"],
    ['for (;;) ^{ continue; }();', "'continue' statement not in loop statement"],
    ['out: ^{ goto out; }();', "use of undeclared label 'out'"],
    [
      'int (^c)(int) = ^(float x) { return 1; };',
      "initializing 'int (^)(int)' with an expression of incompatible type 'int (^)(float)'",
    ],
    [
      '^(int x) { if (x) return 1; return 1.0f; }(i);',
      "return type 'float' must match previous return type 'int' when block literal has unspecified explicit return type",
    ],
    ['b(3);', 'too many arguments to function call, expected 0, have 1'],
    ['__block int a = 1;', 'the __block storage type is not permitted'],
  ])('%s', (statement, message) => {
    expect(firstError(statement)).toBe(message);
  });

  it.each([
    [
      'extern int (^x)(void);',
      "invalid block variable declaration - using 'extern' storage class is disallowed",
    ],
    [
      'int (^x)(int, ...) = ^(int a) { return a; };',
      'invalid prototype, variadic arguments are not allowed in OpenCL',
    ],
    [
      'struct s { int (^x)(void); };',
      "the 'int (^)(void)' type cannot be used to declare a structure or union field",
    ],
    ['void f(int (^x)(void));', 'a block cannot be a parameter of a function'],
    ['int ^x;', 'block pointer to non-function type is invalid'],
    [
      'int f(int x) { return ^{ return f(x); }(); }',
      "recursion is not allowed in OpenCL: 'f' calls 'f.block1', which leads back to it",
    ],
  ])('%s', (declaration, message) => {
    expect(firstError('', declaration)).toBe(message);
  });

  it('in OpenCL C 1.2 they are not there', () => {
    const { log } = compileOpenCL('kernel void k() { int (^b)(void) = ^{ return 1; }; }');
    expect(log).toContain('blocks support disabled');
  });
});
