/**
 * What A.7 of the Stream Computing User Guide lists and diagnostics.test.ts has not: each message from a source that leads to it, in
 * the guide's words.
 */
import { describe, expect, it } from 'vitest';
import { type BrookOptions, compileBrook } from '../../src/brook/compile.ts';
import { compileHost } from '../../src/hosted/compile.ts';

/** The messages about a source without the file's name and the statement; the line stays. */
function messages(source: string, options: BrookOptions = {}): string[] {
  const { log } = compileBrook('k.br', source, { kernelsOnly: true, ...options });
  return log.split('\n').flatMap((line) => (line.startsWith('k.br(') ? [line.slice('k.br'.length)] : []));
}

const weak: BrookOptions = { strongTypes: false, warningLevel: 1 };

/** A kernel of its own around statements, on line 1; before it on the same line what it may call. */
function kernel(body: string): string {
  return `typedef struct { float m; } S; kernel float same(float x) { return x; } kernel void part(float b[4], out float y<>) { y = b[0]; } kernel void whole(float b[], out float y<>) { y = b[0]; } kernel void spread(float x, out float y[]) { y[0] = x; } kernel void f(float a<>, S s, float g[], float e[8], float h[][], int n, int4 i, double2 d, float4 w, out float c<>, out float4 v<>) { ${body} }`;
}

describe('errors in bodies', () => {
  it.each([
    ['if (n > 0) break;', 'control flow statement not supported'],
    ['while (n > 0) { c = a; } continue;', 'control flow statement not supported'],
    ['c = (same)(a)(a);', 'Problem with call expression in kernel: indirect call not supported'],
    [
      'spread(a, g);',
      'Problem with call expression in kernel: Illegal to call scatter kernel from any kernel',
    ],
    [
      'c = same(g);',
      'Problem with call expression in kernel: Illegal to use array type at argument 1: Expected value',
    ],
    [
      'whole(h, c);',
      'Problem with call expression in kernel: Mismatched dimensions of formal and actual arguments for argument 1',
    ],
    [
      'whole(e, c);',
      'Problem with call expression in kernel: Mismatched resource type of gather array for argument 1',
    ],
    [
      'part(e, c);',
      'Problem with call expression in kernel: Mismatched element count of gather array for argument 1',
    ],
    ['whole(a, c);', 'Problem with call expression in kernel: Must be gather array type for argument 1'],
    ['c = -g;', 'Operator not supported in kernel: Illegal to use array type as unary operand'],
    ['c = *a;', 'Operator not supported in kernel: pointer dereference(*)'],
    ['c = &a;', 'Operator not supported in kernel: variable address(&)'],
    ['c = s->m;', 'Operator not supported in kernel: pointer dereference(->)'],
    ['c = ~a;', 'operand is not a Integer type'],
    ['c = -s;', 'operand is not a Arithmetic type'],
    ['n = n | a;', 'right operand is not a Integer type'],
    ['c = s + a;', 'left operand is not a Arithmetic type'],
    ['c = a + s;', 'right operand is not a Arithmetic type'],
    ['c = g + a;', 'Problem with expression in kernel: Illegal to use array type as left operand'],
    ['c = a + g;', 'Problem with expression in kernel: Illegal to use array type as right operand'],
    ['g = a;', 'Problem in Assignment expression: Illegal to use array type as left operand'],
    ['c = g;', 'Problem in Assignment expression: Illegal to use array type as right operand'],
    ['d.xyx;', 'double data types can have 1 or 2 components'],
    ['w.xyzwx;', 'Non double data types can have 1, 2, 3, or 4 components except void type'],
    ['if (s) c = a;', 'conditional resultant type is not a Arithmetic type'],
    ['while (w) c = a;', 'conditional expression must be a scalar data type.'],
    ['do c = a; while (w);', 'conditional expression must be a scalar data type.'],
    ['for (; w;) c = a;', 'conditional expression must be a scalar data type.'],
    ['c = w ? a : a;', 'conditional expression must be a scalar data type.'],
    ['c = (float)g;', 'Illegal to use array type as casting expression'],
    ['c = (float)w;', 'explicit casting required to have same no of components'],
    [
      'c = (a + a)[0];',
      'Problem in index expression: Array expression of index expression must be variable type',
    ],
    ['n = 99999999999;', 'Problem with expression in kernel: Unsupported constant type inside kernel'],
    ['c = 1.y;', 'Problem with expression in kernel: Unsupported constant type inside kernel'],
    ['n = 08;', 'Problem with expression in kernel: Unsupported constant type inside kernel'],
    ['float4 q = 1.0f;', 'In Initialization: Initializer is not vector type'],
    ['float4 q = {};', 'In Initialization: Empty array initializer'],
    ['float4 q = {1.0f, 1.0f};', 'In Initialization: Uninitialized components'],
    ['float2 q = {1.0f, 1.0f, 1.0f};', 'In Initialization: Too many initializers'],
    [
      'float2 q = {{1.0f}, {1.0f}};',
      'Problem with initializer in kernel: Mismatched array dimensions and initializer dimensions',
    ],
    ['i = i << i.xy;', 'In Binary expression: shift count not specified for all components'],
    ['n = n << i;', 'In Binary expression: unused shift count components'],
    [
      'c = indexof(n).x;',
      'Problem with call expression in kernel: indexof()operator allowed only on stream/scatter',
    ],
    [
      'c = a < n;',
      'In Relational expression: Mismatched operands: both must have same type and same number of components',
    ],
    [
      'shared float q;',
      'Problem with variable in kernel: Shared qualifier valid only for Local Array declared inside kernel',
    ],
    ['float q = same(a); q();', 'Problem with call expression in kernel: callee is not a function'],
  ])('%s', (body, message) => {
    const source = body === 'c = a < n;' ? 'if (a < n) c = a;' : body;
    expect(messages(kernel(source))[0]).toBe(`(1) : ERROR--1: ${message}`);
  });
});

describe('errors in declarations', () => {
  it.each([
    [
      'void host(int x) { } kernel void f(float a<>, out float c<>) { host(1); c = a; }',
      "Problem with call expression in kernel: kernel can't call a non-kernel callee",
    ],
    ['kernel int f(float a) { return a; }', 'Mismatched type: actual type is float but expected type is int'],
    [
      'kernel void f(float a<>, out float c) { c = a; }',
      'Not supported kernel local/parameter data struture type: non-reduce output parameter must be stream type.',
    ],
    [
      'kernel void f(float a[2.0f], out float c<>) { c = 1.0f; }',
      'Problem with Array variable declaration: Gather Array size must be constant int type if specified',
    ],
    [
      'kernel void f(float a[2 * 2], out float c<>) { c = 1.0f; }',
      'Problem with Array variable declaration: Gather Array size expression must be simple constant int if specified',
    ],
    [
      'kernel void f(float a<>, out float c[0]) { c[0] = a; }',
      'Problem with Array variable declaration: Scatter Array size must be non-zero positive int value if specified',
    ],
    [
      'kernel void f(float a<>, out float c[2.0f]) { c[0] = a; }',
      'Problem with Array variable declaration: Scatter Array size must be constant int type if specified',
    ],
    [
      'kernel void f(float a<>, out float c[2 * 2]) { c[0] = a; }',
      'Problem with Array variable declaration: Scatter Array size expression must be simple constant int if specified',
    ],
    [
      'kernel void f(shared float4 a[64], out float c<>) { c = 1.0f; }',
      'Problem with variable in kernel: Shared qualifier valid only for Local Array declared inside kernel',
    ],
    [
      'Attribute[GroupSize(64)] Attribute[GroupSize(64)] kernel void f(float a<>, out float c[]) { c[0] = a; }',
      'More than one GroupSize specified: only one GroupSize allowed',
    ],
    [
      'Attribute[GroupSize(64, 1, 1, 1, 1)] kernel void f(float a<>, out float c[]) { c[0] = a; }',
      'More than 4 components not allowed in GroupSize',
    ],
    ['kernel void f(vout [2] float a<>) { }', 'Problem with variable in kernel: vout deprecated'],
    ['kernel void f(float a<>) { } kernel void f(float a<>) { }', 'Variable name Duplicated: f'],
    ...['indexof(a)', 'instance()', 'instanceInGroup()', 'syncGroup()'].map((call) => [
      `reduce void f(float a<>, reduce float r<>) { ${call}; r += a; }`,
      `Problem with call expression in kernel: Illegal to use ${call.replace('a)', ')')} function in reduction kernel`,
    ]),
  ])('%s', (source, message) => {
    expect(messages(source!)).toEqual([`(1) : ERROR--1: ${message}`]);
  });

  it.each([
    [
      'shared float4 q[64.0f];',
      'Problem with Array variable declaration: Local Array size must be constant int type',
    ],
    [
      'shared float4 q[0];',
      'Problem with Array variable declaration: Local Array size must be non-zero positive int value',
    ],
    [
      'shared float4 q[];',
      'Problem with Array variable declaration: Local Array size expression must be simple constant int',
    ],
    [
      'shared float4 q[32 * 2];',
      'Problem with Array variable declaration: Local Array size expression must be simple constant int',
    ],
    [
      'shared float4 q[64] = {a};',
      'Problem with Array variable declaration: Shared Local Array should not be initialized',
    ],
    ['shared float4 q[48];', 'SharedArraySize/GroupSize must be multiples of 4'],
    [
      'shared float4 q[64]; all(q, c);',
      'Problem with call expression in kernel: Local array not allowed to pass as kernel parameter for argument 1',
    ],
    [
      'shared float4 q[64]; a = q[0][0];',
      'Problem in index expression: Local array variable dimensions and index expression dimensions must be same',
    ],
  ])('%s', (body, message) => {
    const source = `kernel float4 all(float4 x[]) { return x[0]; } Attribute[GroupSize(64)] kernel void f(float4 a<>, out float4 c[]) { ${body.replace('all(q, c)', 'c[0] = all(q)')} }`;
    expect(messages(source)).toEqual([`(1) : ERROR--1: ${message}`]);
  });

  it('has a limit of what one thread of a small group owns', () => {
    const source =
      'Attribute[GroupSize(16)] kernel void f(float4 a<>, out float4 c[]) { shared float4 q[512]; c[0] = a; }';
    expect(messages(source)).toEqual(['(1) : ERROR--1: SharedArraySize/GroupSize must be <= 64']);
  });
});

describe('errors outside of kernels', () => {
  it.each([
    ['float s<1, 2, 3, 4, 5>;', 'Problem with stream declaration: dimension == 5 not supported'],
    ['float s<>;', 'Problem with stream declaration'],
    ['float s<2.5f>;', 'Problem with stream declaration: expect int for stream dimension parameter'],
    ['float s<4> = 1;', "Stream can't have an initializer"],
    ['long s<4>;', 'Stream element type not supported'],
    ['iter float s<4>;', 'Iterator not supported'],
    ['float s<4>; indexof(s);', 'Indexof()operator has no meaning inside Non-kernel functions'],
    ['instance();', 'Instance()operator has no meaning inside Non-kernel functions'],
    ['instanceInGroup();', 'instanceInGroup()operator has no meaning inside Non-kernel functions'],
    ['syncGroup();', 'syncGroup()operator has no meaning inside Non-kernel functions'],
  ])('%s', (body, message) => {
    const { diagnostics } = compileHost([{ name: 'k.br', text: `int main(void) { ${body} return 0; }` }]);
    expect(diagnostics[0]?.message).toBe(message);
  });
});

describe('warnings without strong type checking', () => {
  const conversion = (from: string, to: string, loss: string): string =>
    `In Assignment expression: Conversion from "${from}" to "${to}": ${loss}`;
  const implicit = (way: 'left' | 'right', loss = ''): string =>
    `In Binary expression: implicit conversion from ${way} type to ${way === 'left' ? 'right' : 'left'} type${loss && `: ${loss}`}`;
  it.each([
    ['int2 q; q = w;', conversion('float4', 'int2', 'possible lose of data and lose of components')],
    ['int4 q; q = w.xy;', conversion('float2', 'int4', 'possible lose of data and uninitialize components')],
    ['v = w.xy;', conversion('float2', 'float4', 'uninitialize components')],
    ['c = w;', conversion('float4', 'float', 'lose of components')],
    ['int q; q = a;', conversion('float', 'int', 'possible lose of data')],
    ['v.xy = i + w.xy;', implicit('left', 'unused left operand components and possible lose of data')],
    ['v = i.xy + w;', implicit('left', 'uninitialized left operand components and possible lose of data')],
    ['short4 t; int2 q = t + i.xy;', implicit('left', 'unused left operand components')],
    ['v = w.xy + w;', implicit('left', 'uninitialized left operand components')],
    ['v = i + w;', implicit('left', 'possible lose of data')],
    ['v.xy = w.xy + i;', implicit('right', 'unused right operand components and possible lose of data')],
    ['v = w + i.xy;', implicit('right', 'uninitialized right operand components and possible lose of data')],
    ['short4 t; int2 q = i.xy + t;', implicit('right', 'unused right operand components')],
    ['v = w + w.xy;', implicit('right', 'uninitialized right operand components')],
    ['v = w + i;', implicit('right', 'possible lose of data')],
    ['short t; int q = n + t;', implicit('right')],
    ['int4 q = i << i.xy;', 'In Binary expression: shift count not specified for all components'],
    ['int q = n << i;', 'In Binary expression: unused shift count components'],
    [
      'v = float4(1, 1.0f, 1.0f, 1.0f);',
      'In Initialization: possible lose of data for element 1: conversion from "int" to "float"',
    ],
    ['float2 q = {1.0f};', 'In Initialization: Uninitialized components'],
    ['float2 q = {1.0f, 1.0f, 1.0f};', 'In Initialization: Too many initializers'],
    ['float2 q = {};', 'In Initialization: Empty array initializer'],
    ['float2 q = 1.0f;', 'In Initialization: Initializer is not vector type'],
    ['c = (float)w;', 'explicit casting required to have same no of components'],
    [
      'float q = n > 0 ? 1.0f : 1;',
      'In Trinary expression: Mismatched types: True expression type and false expression type must have same types and same number of components',
    ],
    ['c = h[w.xy];', 'Strongly recommended to use c-style indexing for gather/scatter arrays'],
  ])('%s', (body, message) => {
    expect(messages(kernel(body), weak)[0]).toBe(`(1) : WARN--1: ${message}`);
    expect(messages(kernel(body), { strongTypes: false })).toEqual([]);
  });

  it('are about the sizes of arrays with -c', () => {
    const source = (parameters: string): string => `kernel void f(float a<>, ${parameters}) { c[0] = a; }`;
    const found = (parameters: string): string[] => messages(source(parameters), { constantBuffers: false });
    expect(found('float g[5][], out float c[]')).toEqual([
      '(1) : WARN--1: Incomplete array size specification: Specify all array sizes for cached buffers (e.g. a[5][5]) or no array sizes for Streams (e.g. a[][])',
    ]);
    expect(found('float g[2 * 2], out float c[]')).toEqual([
      '(1) : WARN--1: Gather Array size expression must be simple constant int if specified',
    ]);
    expect(found('out float c[2 * 2]')).toEqual([
      '(1) : WARN--1: Scatter Array size expression must be simple constant int if specified',
    ]);
    expect(found('out float c[4]')).toEqual([
      '(1) : WARN--1: Specifying scatter array sizes have no meaning presently. Do not specify sizes',
    ]);
  });

  it('tell of kernels with more outputs than a pass has', () => {
    const outputs = (count: number): string =>
      `kernel void f(float a<>, ${Array.from({ length: count }, (_, index) => `out float c${index}<>`).join(', ')}) { c0 = a; }`;
    expect(messages(outputs(8))).toEqual([]);
    expect(messages(outputs(9))).toEqual([
      '(1) : WARN--1: kernel required 2 passes. There could be redundant calculations',
    ]);
  });
});

describe("brcc's preprocessor", () => {
  const found = (text: string, definitions: readonly string[] = []): string[] =>
    messages(`${text}\nkernel void f(int a<>, out int c<>) { c = a; }`, {
      brccPreprocessor: true,
      definitions,
    });

  it.each([
    ['#define', "(1) : ERROR--1: Expecting token after '#define'"],
    ['#undef 5', "(1) : ERROR--1: Expecting token after '#undef'"],
    ['#ifdef\n#endif', "(1) : ERROR--1: Expecting token after '#ifdef'"],
    ['#ifndef // nothing\n#endif', "(1) : ERROR--1: Expecting token after '#ifndef'"],
    ['#define A 1 /* it\ngoes on */', '(1) : ERROR--1: Expecting end of comment'],
    [
      '#if 0x10\n#endif',
      '(1) : ERROR--1: Follow signed integer semantics (only decimal format) for macro value',
    ],
    [
      '#if 2147483648\n#endif',
      '(1) : ERROR--1: Follow signed integer semantics (only decimal format) for macro value',
    ],
    [
      '#define A b\n#if A\n#endif',
      '(2) : ERROR--1: Follow signed integer semantics (only decimal format) for macro value',
    ],
    ['#if TOKEN\n#endif', '(1) : ERROR--1: Undefined preprocessor directive("TOKEN")'],
    ['#if 1 + 1\n#endif', '(1) : ERROR--1: Unsupported #if syntax'],
    ['#line 5', "(1) : ERROR--1: '#line' is not yet supported"],
    ['#include "a.h"', "(1) : ERROR--1: '#include' is not yet supported"],
    ['#pragma once', '(1) : ERROR--1: Unsupported preprocessor directive syntax'],
    ['#if 1\n#elif 1\n#endif', '(2) : ERROR--1: Unsupported preprocessor directive syntax'],
    ['#define A(x) x', '(1) : ERROR--1: Unsupported preprocessor directive syntax'],
    ['#define A 1 \\', '(1) : ERROR--1: Unsupported preprocessor directive syntax'],
    ['#endif', '(1) : ERROR--1: Unsupported preprocessor directive syntax'],
    ['#if 1', "(2) : ERROR--1: Expecting '#endif' before end of file"],
    ['#define A 1\n#define A 2', '(2) : WARN--1: "A": Macro redefinition'],
    [
      '#undef A b',
      '(1) : WARN--1: Unexpected token following preprocessor directive (#undef "A") -- expected a new line',
    ],
    [
      '#ifdef A b\n#endif',
      '(1) : WARN--1: Unexpected token following preprocessor directive (#ifdef "A") -- expected a new line',
    ],
    [
      '#ifndef A b\n#endif',
      '(1) : WARN--1: Unexpected token following preprocessor directive (#ifndef "A") -- expected a new line',
    ],
    [
      '#if 1\n#else b\n#endif',
      '(2) : WARN--1: Unexpected token following preprocessor directive (#else) -- expected a new line',
    ],
    [
      '#if 1\n#endif b',
      '(2) : WARN--1: Unexpected token following preprocessor directive (#endif) -- expected a new line',
    ],
    ['/* a comment\n#line 5\n// */', undefined],
    ['#if 0\n#line 5\n#ifdef A\n#else\n#line 5\n#endif\n#endif', undefined],
  ])('%s', (text, message) => {
    expect(found(text)).toEqual(message === undefined ? [] : [message]);
  });

  it('says what comes with two of the messages on a line of its own', () => {
    const log = (text: string): string =>
      compileBrook('k.br', text, { brccPreprocessor: true, kernelsOnly: true }).log;
    expect(log('#define A 10\n#define A 15\n')).toBe(
      'k.br(2) : WARN--1: "A": Macro redefinition\n\tSee previous definition of "A" and latest one considered as macro\n\tStatement: #define A 15\n\t           ^\n',
    );
    expect(log('#undef A /* it\n')).toBe(
      'k.br(1) : ERROR--1: Expecting end of comment\n\tNote: comment should end in the same line if it is in the preprocessor directive line\n\tStatement: #undef A /* it\n\t           ^\n',
    );
  });

  it('puts in what is defined, the latest of several, and chooses by numbers and names', () => {
    const text = `#define VALUE 10
#define VALUE 15
#define SEVEN 7
#if LIMIT
#define A SEVEN
#else
#define A 1
#endif
#ifdef NONE
not anything
#else
kernel void f(int a<>, out int c<>) { c = VALUE + A; }
#endif
#undef SEVEN
#ifndef SEVEN
kernel void g(int a<>, out int c<>) { c = SEVEN; }
#endif
`;
    expect(messages(text, { brccPreprocessor: true, definitions: ['LIMIT=-3'] })).toEqual([
      '(2) : WARN--1: "VALUE": Macro redefinition',
      '(16) : ERROR--1: Problem with variable in kernel: SEVEN not defined',
    ]);
    const { kernels } = compileBrook('k.br', text, { brccPreprocessor: true, definitions: ['LIMIT=0'] });
    const [statement] = kernels[0]!.body;
    expect(JSON.stringify(statement)).toMatch(/"text":"15".*"text":"1"/);
  });
});
