/** What the compiler says of wrong kernels: brcc's words, as the Stream Computing User Guide lists them (A.7). */
import { describe, expect, it } from 'vitest';
import { compileBrook } from '../../src/brook/compile.ts';

/** The messages about a source, without file, line and the statement. */
function messages(
  source: string,
  options: { readonly strongTypes?: boolean; readonly warningLevel?: number } = {},
) {
  const { log } = compileBrook('k.br', source, { ...options, kernelsOnly: true });
  return log
    .split('\n')
    .filter((line) => line.startsWith('k.br('))
    .map((line) => line.replace(/^k\.br\(\d+\) : /, ''));
}

/** The one message about the body of a kernel that has an input a, outputs c (float) and v (float4), a gather array g and a number k. */
function inBody(body: string): string {
  const found = messages(
    `kernel void other(float x<>, out float y<>) { y = x; }
     reduce void total(float x<>, reduce float r) { r += x; }
     kernel void f(float a<>, float g[], float h[][], float k, int n, out float c<>, out float4 v<>) { ${body} }`,
  );
  return found.length === 1 ? found[0]! : found.join('\n');
}

describe('a mistyped word', () => {
  it.each([
    ['kernl void f(float a<>, out float b<>) { b = a; }', 'kernl', 'kernel'],
    ['reduec void f(float a<>, reduce float b) { b += a; }', 'reduec', 'reduce'],
    ['kernel void f(flaot a<>, out float b<>) { b = a; }', 'flaot', 'float'],
    ['kernel void f(float a<>, otu float b<>) { b = a; }', 'otu', 'out'],
  ])('%s', (source, wrong, meant) => {
    const found = messages(source);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`'${wrong}'; did you mean '${meant}'?`);
  });

  it('in a call', () => {
    expect(inBody('c = sqtr(a);')).toBe(
      "ERROR--1: Problem with call expression in kernel: callee unknown; did you mean 'sqrt'?",
    );
  });
});

describe('errors in bodies', () => {
  it.each([
    ['c = missing;', 'Problem with variable in kernel: missing not defined'],
    ['c = nothing(a);', 'Problem with call expression in kernel: callee unknown'],
    ['c = max(a, n);', 'No matched built-in function found'],
    ['c = a(1);', 'Problem with call expression in kernel: callee is not a function'],
    [
      'f(a, g, h, k, n, c, v);',
      'Problem with call expression in kernel: definition must be available before invoking',
    ],
    ['total(a, c);', "Problem with call expression in kernel: can't call a reduction kernel"],
    ['other(a);', 'Problem with call expression in kernel: incorrect number of parameters expect 2 actual 1'],
    [
      'other(g, c);',
      'Problem with call expression in kernel: Illegal to use array type at argument 1: Expected stream type/variable',
    ],
    ['other(a, 1.0f);', 'Problem in Assignment expression: Argument 2 must be lvalue type'],
    [
      'other(n, c);',
      'Problem with call expression in kernel: Mismatched type for argument 1: actual type is "int" but expected type is "float"',
    ],
    ['a = c;', 'Problem in Assignment expression: Input streams are read only streams'],
    [
      'k = a;',
      'Problem in Assignment expression: Non-stream/Non Array inputs are not allowed to modify inside kernel',
    ],
    ['g[0] = a;', 'Problem in Assignment expression: Gather arrays are read only arrays'],
    ['const float q = 1.0f; q = a;', 'Problem in Assignment expression: lvalue is a constant type'],
    [
      'v.xx = v.xy;',
      'Problem with expression in kernel: illegal to use components repetition in lvalue expression',
    ],
    ['v.q = a;', 'Problem with expression in kernel: unrecognized field/swizzle q'],
    ['c = a.x;', 'Problem with expression in kernel: Illegal to use swizzle on scalar types'],
    [
      'c = a + n;',
      'In Binary expression: Mismatched operands: both must have same type and same number of components',
    ],
    ['c = a % a;', 'left operand is not a Integer type'],
    ['if (v < v) c = a;', 'conditional expression must be a scalar data type.'],
    ['c = n;', 'In Assignment expression: Mismatched types: conversion from "int" to "float"'],
    [
      'c = n > 0 ? a : n;',
      'In Trinary expression: Mismatched types: True expression type and false expression type must have same types and same number of components',
    ],
    [
      'v = float4(1.0f, 1.0f, 0.0, 1.0f);',
      'In Initialization: Mismatched type for element 3: actual type is double but expected type is float',
    ],
    [
      'c = h[n];',
      'Problem in index expression: Gather/scatter array dimensions and subscript vector components must match',
    ],
    ['c = h[v];', 'Problem in index expression: Index expression size either 1 or equal to array dimensions'],
    ['c = h[v][n];', 'Problem in index expression: subscript expression must be scalar type'],
    ['c = a[n];', 'Problem in index expression: Variable must be array type'],
    ['c = sizeof(a);', 'Sizeof not allowed in kernel'],
    ['c = "text";', 'String constant in kernel not allowed'],
    [
      'c = indexof(g).x;',
      'Problem with call expression in kernel: indexof() operator is not allowed on gather array/local array',
    ],
    [
      'c = (float)instanceInGroup().x;',
      'Problem with call expression in kernel: Illegal to use instanceInGroup() for pixel shader kernel',
    ],
    [
      'syncGroup();',
      'Problem with call expression in kernel: Illegal to use syncGroup() for pixel shader kernel',
    ],
    ['static float s;', 'Problem with variable in kernel: static or extern not allowed inside kernel'],
    [
      'volatile float s;',
      'Problem with variable in kernel: volatile or Restrict qualifiers not allowed inside kernel',
    ],
    ['float *p;', 'Problem with variable in kernel: pointers not allowed inside kernel'],
    ['out float q;', 'Problem with variable in kernel: out qualifier allowed only for kernel parameters'],
    [
      'reduce float q;',
      'Problem with variable in kernel: reduce qualifier allowed only for kernel parameters',
    ],
    ['const float q;', 'Problem with variable in kernel: uninitialized const variable'],
    ['float t[4];', 'Problem with Array variable declaration: Local Array not supported yet'],
    ['shared float4 t[64];', 'Shared array allowed only for computer shaders: specify GroupSize Attribute'],
    ['long q;', 'Problem with variable in kernel: Unsupported variable type'],
    ['float c;', 'Variable name Duplicated: c'],
    ['float k = a;', 'Variable name Duplicated: k'],
    ['float g;', 'Variable name Duplicated: g'],
    ['float q; int q;', 'Variable name Duplicated: q'],
    ['float q; { float q; float q; }', 'Variable name Duplicated: q'],
    ['for (int i = 0; i < n; i++) { float q; float q; }', 'Variable name Duplicated: q'],
    ['float q = 1;', 'In Initialization: Mismatched type: actual type is int but expected type is float'],
    ['switch (n) { case 0: c = a; }', 'Switch not supported inside kernel yet'],
    ['goto end;', 'control flow statement not supported'],
    ['c = (a = 1.0f', "parse error: expected ')' before '}'"],
  ])('%s', (body, message) => {
    expect(inBody(body)).toBe(`ERROR--1: ${message}`);
  });
});

it('a variable of an inner block may hide a parameter or another variable', () => {
  expect(
    inBody('float q = a; { float c = q; float q = c; for (int q = 0; q < n; q++) c += 1.0f; } c = q;'),
  ).toBe('');
});

describe('errors in declarations', () => {
  it.each([
    ['kernel float f(float a) { float b = a; }', 'Must return a value'],
    ['kernel void f(float a<>, float a<>, out float c<>) { c = 1.0f; }', 'Variable name Duplicated: a'],
    ['void f(int n) { } kernel void f(float a<>, out float c<>) { c = a; }', 'Variable name Duplicated: f'],
    ['kernel void f(float a<>, out float c<>) { c = a; } int g = 2, f[3];', 'Variable name Duplicated: f'],
    [
      'float s<2, N>, f<3>; kernel void f(float a<>, out float c<>) { c = a; }',
      'Variable name Duplicated: f',
    ],
    ['kernel f(float a<>, out float c<>) { c = a; }', 'unspecified kernel return type'],
    ['kernel float f(float a) { return; }', 'Must return a value'],
    ['kernel void f(vout float a<>) { }', 'Problem with variable in kernel: vout deprecated'],
    ['kernel void f(iter float a<>, out float c<>) { c = 1.0f; }', 'Iterator not supported'],
    [
      'kernel void f(const float a, out float c<>) { c = 1.0f; }',
      'Problem with variable in kernel: Nothing special to use const qualifier for kernel parameters. It is a reserved usage',
    ],
    [
      'kernel void f(float *a, out float c<>) { c = 1.0f; }',
      'Problem with variable in kernel: pointers not allowed inside kernel',
    ],
    ['kernel void f(long a<>, out float c<>) { c = 1.0f; }', 'Stream element type not supported'],
    [
      'kernel void f(float a[5][], out float c<>) { c = 1.0f; }',
      'Problem with Array variable declaration: Incomplete array size specification: Specify all array sizes for cached buffers (e.g. a[5][5]) or no array sizes for Streams (e.g. a[][])',
    ],
    [
      'kernel void f(float a[0], out float c<>) { c = 1.0f; }',
      'Problem with Array variable declaration: Gather Array size must be non-zero positive int value if specified',
    ],
    [
      'kernel void f(float k, out float c[4]) { c[0] = 1.0f; }',
      'Problem with Array variable declaration: Specifying scatter array sizes have no meaning presently. Do not specify sizes',
    ],
    ['kernel void f(float k, out float c[], out float d[]) { c[0] = k; }', 'Only one scatter output allowed'],
    [
      'kernel void f(float k, out float c[], out float d<>) { d = k; }',
      'Both scatter output and stream output not allowed',
    ],
    [
      'typedef struct { float x; } S; kernel void f(S s, out S c[]) { c[0] = s; }',
      'Scatter stream not supported for struct',
    ],
    [
      'Attribute[GroupSize(64)] kernel void f(float a<>, out float c<>) { c = a; }',
      'Output must be a scatter type if you specify GroupSize attribute',
    ],
    [
      'Attribute[GroupSize(2048)] kernel void f(float a<>, out float c[]) { c[0] = a; }',
      'First dimension of GroupSize must be <= 1024',
    ],
    [
      'Attribute[GroupSize(8, 8)] kernel void f(float a<>, out float c[]) { c[0] = a; }',
      '2th dimension of GroupSize must be 1',
    ],
    [
      'Attribute[GroupSize()] kernel void f(float a<>, out float c[]) { c[0] = a; }',
      'GroupSize must have values',
    ],
    [
      'Attribute[Size(64)] kernel void f(float a<>, out float c[]) { c[0] = a; }',
      'Unsupported kernel Attribute',
    ],
    ['reduce void f(float a<>, out float r<>) { r = a; }', 'Specify reduce qualifier for kernel'],
    [
      'reduce void f(float a<>, float b<>, reduce float r<>) { r += a; }',
      'reduction kernel can only have one input stream and one reduction output scalar/stream',
    ],
    [
      'reduce void f(float a<>, reduce float r<>) { r += (float)instance().x; }',
      'Problem with call expression in kernel: Illegal to use instance() function in reduction kernel',
    ],
  ])('%s', (source, message) => {
    expect(messages(source)).toEqual([`ERROR--1: ${message}`]);
  });

  it.each([
    ['shared float lds[64];', 'Shared array type must be 128 bit type'],
    ['shared float4 lds[64][2];', 'Problem with Array variable declaration: Shared Local Array must be 1D'],
    [
      'shared float4 lds[n];',
      'Problem with Array variable declaration: Local Array size expression must be simple constant int',
    ],
    ['shared float4 lds[2048];', 'Shared array size must be <= 4K 32-bit type'],
    ['shared float4 lds[100];', 'SharedArraySize%GroupSize must be zero'],
    ['shared float4 lds[64]; shared float4 more[64];', 'Only One Shared local array allowed'],
  ])('%s', (body, message) => {
    const source = `Attribute[GroupSize(64)] kernel void f(int n, float4 a<>, out float4 c[]) { ${body} c[0] = a; }`;
    expect(messages(source)).toEqual([`ERROR--1: ${message}`]);
  });
});

describe('functions that return', () => {
  it.each([
    ['if (a > 0.0f) return a; return -a;', []],
    ['if (a > 0.0f) return a; else return -a;', []],
    ['if (a > 0.0f) { return a; } else { if (a < -1.0f) return 1.0f; else return -a; }', []],
    ['while (1) { a2 += a; if (a2 > 9.0f) return a2; }', []],
    ['for (;;) { a2 += a; if (a2 > 9.0f) return a2; }', []],
    ['do { return a; } while (a > 0.0f);', []],
    ['if (a > 0.0f) return a;', ['WARN--1: Must return a value']],
    ['while (a2 < 9.0f) { a2 += 1.0f; return a2; }', ['WARN--1: Must return a value']],
    ['while (1) { if (a > 0.0f) break; return a; }', ['WARN--1: Must return a value']],
    ['do { if (a > 0.0f) continue; return a; } while (a < 1.0f);', ['WARN--1: Must return a value']],
    ['a2 += a;', ['ERROR--1: Must return a value']],
    ['{ }', ['ERROR--1: Must return a value']],
  ])('%s', (body, expected) => {
    expect(messages(`kernel float f(float a) { float a2 = a; ${body} }`)).toEqual(expected);
  });

  it('do not have to where there is nothing to return', () => {
    expect(
      messages('kernel void f(float a<>, out float c<>) { c = a; if (a > 0.0f) return; c = 0.0f; }'),
    ).toEqual([]);
  });
});

describe('how much goes into a kernel', () => {
  const list = (count: number, parameter: (name: string) => string): string =>
    Array.from({ length: count }, (_, index) => `${parameter(`p${index}`)}, `).join('');
  const kernel = (parameters: string): string => `kernel void f(${parameters}out float c<>) { c = 1.0f; }`;
  const stream = (name: string): string => `float ${name}<>`;
  const buffer = (name: string): string => `float ${name}[4]`;

  it('128 streams and gather arrays', () => {
    const gather = (name: string): string => `float g${name}[]`;
    const values = list(20, (name) => `float v${name}`);
    expect(
      messages(
        kernel(list(100, stream) + list(28, gather) + values + list(10, (name) => `float b${name}[4]`)),
      ),
    ).toEqual([]);
    expect(messages(kernel(list(100, stream) + list(29, gather)))).toEqual([
      'ERROR--1: Maximum number of inputs allowed is 128: kernel has 129',
    ]);
  });

  it('10 constant buffers', () => {
    const words = 'Maximum number of constant buffers allowed is 10: kernel has 11';
    expect(messages(kernel(list(10, buffer)))).toEqual([]);
    expect(messages(kernel(list(11, buffer)))).toEqual([
      `ERROR--1: Problem with Array variable declaration: ${words}`,
    ]);
    // Those that are too large for one are ordinary arrays.
    expect(messages(kernel(`${list(10, buffer)}float g[4097], `))).toEqual([]);
    const found = compileBrook('k.br', `\n${kernel(list(11, buffer))}`, { kernelsOnly: true });
    const { span, message } = found.diagnostics.list[0]!;
    expect([message, span.file.position(span.start)]).toEqual([
      `Problem with Array variable declaration: ${words}`,
      { line: 2, column: kernel(list(11, buffer)).indexOf('p10') + 1 },
    ]);
  });

  it('as many as there are with -c', () => {
    const { log } = compileBrook('k.br', kernel(list(12, buffer)), {
      kernelsOnly: true,
      constantBuffers: false,
    });
    expect(log).not.toContain('Maximum');
  });
});

describe('writes to shared memory', () => {
  it.each([
    ['4 * instanceInGroup().x + 2', undefined],
    ['1 + instanceInGroup().x * 4', undefined],
    ['n', 'Shared array index expression must contain instanceInGroup().x'],
    ['4 * instanceInGroup().x', 'offset of Shared array index expression must be a constant integer'],
    ['instanceInGroup().x + 1', 'one of the multiplication operand must be instanceInGroup().x'],
    ['n * instanceInGroup().x + 1', 'stride must be a integer constant'],
    ['2 * instanceInGroup().x + 1', 'stride value must be equal to (SharedArraySize /groupSize)(4)'],
    ['4 * instanceInGroup().x + n', 'offset must be a integer constant'],
    [
      '4 * instanceInGroup().x + 4',
      'offset value(4) must be in the range of 0 <= offset < (SharedArraySize / groupSize)(4)',
    ],
  ])('%s', (subscript, message) => {
    const source = `Attribute[GroupSize(64)] kernel void f(int n, float4 a<>, out float4 c[]) {
      shared float4 lds[256];
      lds[${subscript}] = a;
      syncGroup();
      c[instance().x] = lds[n];
    }`;
    expect(messages(source)).toEqual(
      message ? [`ERROR--1: Problem with expression in kernel: ${message}`] : [],
    );
  });
});

describe('the form of messages', () => {
  it('is file(line) : ERROR--n: text, and the statement', () => {
    const { log } = compileBrook(
      'sum.br',
      '\nkernel void f(float a<>, out float c<>) {\n  c = b;\n  c = d;\n}\n',
    );
    expect(log).toBe(
      'sum.br(3) : ERROR--1: Problem with variable in kernel: b not defined\n\tStatement: c = b;\n\t               ^\n' +
        'sum.br(4) : ERROR--2: Problem with variable in kernel: d not defined\n\tStatement: c = d;\n\t               ^\n',
    );
  });

  it('points below the place, whatever stands before it', () => {
    const { log } = compileBrook(
      'k.br',
      'kernel void f(float a<>, out float c<>) {\n \tif (a >\t b) c = a;\n}',
    );
    expect(log.split('\n').slice(1, 3)).toEqual([
      '\tStatement: if (a >\t b) c = a;',
      '\t                  \t ^',
    ]);
  });

  it('has warnings about types from level 1 on without strong typing', () => {
    const source = 'kernel void f(float a<>, out float4 c<>) { c = a; }';
    expect(messages(source, { strongTypes: false })).toEqual([]);
    expect(messages(source, { strongTypes: false, warningLevel: 1 })).toEqual([
      'WARN--1: In Assignment expression: Conversion from "float" to "float4": uninitialize components',
    ]);
  });
});
