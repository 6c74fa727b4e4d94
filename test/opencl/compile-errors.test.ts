// What compiles as far as the tree and not further: the messages of lowering, linking and the build options.
import { describe, expect, it } from 'vitest';
import { compileOpenCL } from '../../src/opencl/compile.ts';

function firstError(source: string, buildOptions = ''): string | undefined {
  const { module, diagnostics } = compileOpenCL(source, { name: 't.cl', buildOptions });
  expect(module).toBeUndefined();
  return diagnostics.list.find((diagnostic) => diagnostic.severity === 'error')?.message;
}

describe('errors of lowering', () => {
  it.each([
    ['deep nesting', `${'for (;;) '.repeat(500)} o[0] = 1;`, 'statements are nested too deeply'],
    [
      'many cases that fall into one another',
      `switch (o[0]) { ${Array.from({ length: 1500 }, (_, index) => `case ${index}: o[1]++;`).join(' ')} }`,
      'more than 1000 labels in one list of statements',
    ],
    [
      'hundreds of gotos back, each across the next',
      Array.from({ length: 600 }, (_, at) => `l${at}: o[1]++; if (o[0]) goto l${Math.max(0, at - 1)};`).join(
        ' ',
      ),
      'statements are nested too deeply',
    ],
    // The campaign found it (opencl, seed 10782): what looked for jumps took the square of the time, four minutes here.
    [
      'thousands of labels, jumped to',
      Array.from(
        { length: 16_384 },
        (_, at) => `l${at}: o[1]++; if (o[${at}]) goto l${(at * 7) % 16_384};`,
      ).join(' '),
      'more than 1000 labels in one list of statements',
    ],
    [
      'a constant that is none',
      'constant int c = o[0]; o[1] = c;',
      'initializer element is not a compile-time constant',
    ],
  ])('%s', (_, statements, message) => {
    expect(firstError(`kernel void k(global int* o) { ${statements} }`)).toBe(message);
  });

  it('a function without a body', () => {
    const { log } = compileOpenCL('int f(int);\nkernel void k(global int* o) {\n  *o = f(1) + f(2);\n}', {
      name: 't.cl',
    });
    expect(log).toMatchInlineSnapshot(`
      "t.cl:3:8: error: function 'f' is called by 'k' but not defined
        *o = f(1) + f(2);
             ^~~~
      t.cl:1:5: note: 'f' is declared here
      int f(int);
          ^
      1 error generated.
      "
    `);
  });

  it('objects of the program that are too large', () => {
    expect(firstError('constant int t[1 << 28] = {1}; kernel void k(global int* o) { *o = t[*o]; }')).toBe(
      'the objects of the program take more than 67108864 bytes',
    );
  });

  it('build options', () => {
    const result = compileOpenCL('kernel void k() {}', { buildOptions: '-no-such-option' });
    expect(result.module).toBeUndefined();
    expect(result.hasInvalidOptions).toBe(true);
    expect(result.log).toContain("unknown build option '-no-such-option'");
  });

  it('warnings as errors, and none at all', () => {
    const source = 'kernel void k(global int* o) { int unused; o[0] = 1; 2; }';
    expect(compileOpenCL(source, { buildOptions: '-w' }).log).toBe('');
    expect(compileOpenCL(source).diagnostics.warningCount).toBeGreaterThan(0);
    expect(compileOpenCL(source, { buildOptions: '-Werror' }).module).toBeUndefined();
  });
});
