/** Units joined to programs: what becomes of their symbols, and what the linker says when they do not fit. */
import { describe, expect, it } from 'vitest';
import { verifyModule } from '../../src/ir/verify.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { linkOpenCL } from '../../src/opencl/link.ts';

/** Compiles each source as `a.cl`, `b.cl`, ... and links them. */
function link(sources: readonly string[], isLibrary = false) {
  const units = sources.map((source, index) => {
    const name = `${'abcdef'.charAt(index)}.cl`;
    const { module, log } = compileOpenCL(source, { name, isUnit: true });
    expect(log).toBe('');
    expect(verifyModule(module!)).toEqual([]);
    return module!;
  });
  const result = linkOpenCL(units, isLibrary);
  if (result.module) expect(verifyModule(result.module)).toEqual([]);
  return result;
}

const names = ({ module }: ReturnType<typeof link>) => ({
  functions: module?.functions.map(({ name, kind, body }) => `${kind} ${name}${body ? '' : ' declared'}`),
  globals: module?.globals.map(({ name, isDeclared }) => (isDeclared ? `${name} declared` : name)),
});

describe('joining', () => {
  it('finds functions, constants and kernels of other units', () => {
    const result = link([
      `float half_of(float x); extern constant int table[4];
       extern kernel void fill(global int *out, int value);
       kernel void k(global int *out) { fill(out, table[2]); out[1] = half_of(4.0f); }`,
      'float half_of(float x) { return x * 0.5f; } constant int table[4] = {1, 2, 3, 4};',
      'kernel void fill(global int *out, int value) { out[0] = value; }',
    ]);
    expect(names(result)).toEqual({
      functions: ['kernel k', 'function half_of', 'kernel fill', 'function fill.called'],
      globals: ['table'],
    });
  });

  it('keeps what is static or inline apart', () => {
    const unit = (value: number, kernel: string) => `
      constant int unused = 1${value};
      static constant int bias = ${value};
      static int get(void) { return bias; }
      inline int twice(int x) { return x * ${value}; }
      kernel void ${kernel}(global int *out) { constant int own[2] = {1, ${value}}; out[0] = get() + twice(1) + own[1]; }`;
    const result = link([unit(2, 'p').replace('unused', 'unused2'), unit(3, 'q')]);
    expect(result.log).toBe('');
    expect(names(result).functions?.sort()).toEqual([
      'function get',
      'function get.2',
      'function twice',
      'function twice.2',
      'kernel p',
      'kernel q',
    ]);
    expect(names(result).globals?.sort()).toEqual(['bias', 'bias.2', 'own', 'own.2']);
  });

  it('tells overloads apart', () => {
    const result = link([
      `float __attribute__((overloadable)) area(float x); float __attribute__((overloadable)) area(float2 x);
       kernel void k(global float *out) { out[0] = area(3.0f) + area((float2)(1.0f, 2.0f)); }`,
      `float __attribute__((overloadable)) area(float2 x) { return x.x * x.y; }
       float __attribute__((overloadable)) area(float x) { return x * x; }`,
    ]);
    expect(names(result).functions).toEqual(['kernel k', 'function area.float2', 'function area.float']);
  });

  it('leaves libraries open, and drops from programs what no kernel reaches', () => {
    const parts = [
      'int missing(int); int f(int x) { return missing(x); }',
      'int g(int x) { return (int)sin((float)x); }',
    ];
    const library = link(parts, true);
    expect(names(library).functions).toEqual([
      'function f',
      'function g',
      'function missing declared',
      'function __millrace_sin_f32 declared',
    ]);
    const user = compileOpenCL('int g(int); kernel void k(global int *o) { o[0] = g(1); }', { isUnit: true });
    const program = linkOpenCL([library.module!, user.module!], false);
    expect(program.log).toBe('');
    expect(program.module?.functions.filter(({ body }) => !body)).toEqual([]);
    expect(program.module?.functions.some(({ name }) => name === 'f')).toBe(false);
    // The library is as it was, and can be linked again.
    expect(names(library).functions).toHaveLength(4);
  });
});

describe('what does not fit', () => {
  it('names the missing, who uses it and where', () => {
    expect(
      link([
        'int f(int);\nkernel void k(global int *o) {\n  o[0] = f(1);\n}',
        'extern constant float4 color;\nfloat g(void) { return color.x; }\nkernel void m(global float *o) { *o = g(); }',
      ]).log,
    ).toMatchInlineSnapshot(`
      "a.cl:3:10: error: function 'f' is called by 'k' but not defined
        o[0] = f(1);
               ^~~~
      a.cl:1:5: note: 'f' is declared here
      int f(int);
          ^
      b.cl:2:24: error: variable 'color' is used by 'g' but not defined
      float g(void) { return color.x; }
                             ^~~~~~~
      b.cl:1:24: note: 'color' is declared here
      extern constant float4 color;
                             ^~~~~
      2 errors generated.
      "
    `);
  });

  it('says once that a kernel is defined twice, also where kernels call it', () => {
    const kernel = 'kernel void k(global int *a) { a[0] = 1; }\nkernel void l(global int *a) { k(a); }';
    const { log } = link([kernel, kernel.replaceAll('l(', 'm(')]);
    expect(log.match(/error: .*/g)).toEqual(["error: 'k' is defined more than once"]);
  });

  it('shows both definitions', () => {
    expect(
      link([
        'int f(int x) { return x; }\nconstant int c = 1;',
        '\nint f(int x) { return -x; }\nconstant int c = 1;',
      ]).log,
    ).toMatchInlineSnapshot(`
      "b.cl:2:5: error: 'f' is defined more than once
      int f(int x) { return -x; }
          ^
      a.cl:1:5: note: 'f' is also defined here
      int f(int x) { return x; }
          ^
      b.cl:3:14: error: 'c' is defined more than once
      constant int c = 1;
                   ^
      a.cl:2:14: note: 'c' is also defined here
      constant int c = 1;
                   ^
      2 errors generated.
      "
    `);
    expect(
      link(['kernel void k(global int *o) {}', 'kernel void k(global int *o) {}']).module,
    ).toBeUndefined();
  });

  it('compares declarations with definitions', () => {
    expect(
      link([
        `float f(int); extern constant int c[2]; struct S { int a, b; }; int s(struct S); void v(float);
         kernel void k(global float *o) { struct S t = {1, 2}; v(o[0]); o[0] = f(1) + c[0] + s(t); }`,
        `int f(int x) { return x; } constant int c[3] = {0}; struct S { int a; }; int s(struct S x) { return x.a; }
         void v(int x) {}`,
      ]).log,
    ).toMatchInlineSnapshot(`
      "a.cl:1:87: error: 'v' is declared otherwise than elsewhere: parameter 1 is f32, not i32
      float f(int); extern constant int c[2]; struct S { int a, b; }; int s(struct S); void v(float);
                                                                                            ^
      b.cl:2:15: note: 'v' is also declared here
               void v(int x) {}
                    ^
      a.cl:1:7: error: 'f' is declared otherwise than elsewhere: its result is f32, not i32
      float f(int); extern constant int c[2]; struct S { int a, b; }; int s(struct S); void v(float);
            ^
      b.cl:1:5: note: 'f' is also declared here
      int f(int x) { return x; } constant int c[3] = {0}; struct S { int a; }; int s(struct S x) { return x.a; }
          ^
      a.cl:1:69: error: 's' is declared otherwise than elsewhere: parameter 1 is a struct of 8 bytes, not 4
      float f(int); extern constant int c[2]; struct S { int a, b; }; int s(struct S); void v(float);
                                                                          ^
      b.cl:1:78: note: 's' is also declared here
      int f(int x) { return x; } constant int c[3] = {0}; struct S { int a; }; int s(struct S x) { return x.a; }
                                                                                   ^
      a.cl:1:35: error: 'c' is declared otherwise than elsewhere: 8 bytes, not 12
      float f(int); extern constant int c[2]; struct S { int a, b; }; int s(struct S); void v(float);
                                        ^
      b.cl:1:41: note: 'c' is also declared here
      int f(int x) { return x; } constant int c[3] = {0}; struct S { int a; }; int s(struct S x) { return x.a; }
                                              ^
      4 errors generated.
      "
    `);
    expect(
      link(['extern constant int c[]; int f(void) { return c[1]; }', 'constant int c[3] = {0};']).log,
    ).toBe('');
  });

  it('finds circles of calls that no unit has alone', () => {
    expect(
      link([
        'int b(int);\nint a(int x) { return b(x); }\nkernel void k(global int *o) { o[0] = a(1); }',
        'int a(int);\nint b(int x) { return x > 0 ? a(x - 1) : 0; }',
      ]).log,
    ).toMatchInlineSnapshot(`
      "a.cl:2:23: error: recursion is not allowed in OpenCL: 'a' calls 'b', which leads back to it
      int a(int x) { return b(x); }
                            ^~~~
      b.cl:2:5: note: 'b' is declared here
      int b(int x) { return x > 0 ? a(x - 1) : 0; }
          ^
      1 error generated.
      "
    `);
  });
});

describe('a whole program', () => {
  it('may name a constant as the library does', () => {
    const { module, log } = compileOpenCL(
      'constant float two_over_pi[1] = {2}; kernel void k(global float *o) { o[0] = sin(o[1]) * two_over_pi[0]; }',
    );
    expect(log).toBe('');
    expect(module!.globals.map(({ name }) => name)).toEqual(['two_over_pi', 'two_over_pi.2']);
    expect(verifyModule(module!)).toEqual([]);
  });

  it('resolves declarations in blocks, and reports what is nowhere', () => {
    const whole = compileOpenCL(
      'kernel void k(global int *o) { extern constant int c; o[0] = c; } constant int c = 7;',
    );
    expect(whole.log).toBe('');
    expect(verifyModule(whole.module!)).toEqual([]);
    expect(
      compileOpenCL('extern constant int c;\nkernel void k(global int *o) { o[0] = c; }', { name: 'a.cl' })
        .log,
    ).toMatchInlineSnapshot(`
      "a.cl:2:39: error: variable 'c' is used by 'k' but not defined
      kernel void k(global int *o) { o[0] = c; }
                                            ^
      a.cl:1:21: note: 'c' is declared here
      extern constant int c;
                          ^
      1 error generated.
      "
    `);
  });
});
