/** Programs that are long or deep where compilers like to go by recursion: they compile, or are refused with a place. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { isStackFull } from '../../src/source/stack-full.ts';

const repeated = (count: number, text: (index: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);

function messages(source: string): string[] {
  return compileOpenCL(source).diagnostics.list.map(({ severity, message, span }) => {
    const { line, column } = span.file.position(span.start);
    return `${line}:${column}: ${severity}: ${message}`;
  });
}

describe('structs of structs', () => {
  /** A struct of four structs of four others, and so on. */
  const nested = (levels: number, first: string): string =>
    `typedef struct { ${first} } S0;\n${repeated(levels, (n) => `typedef struct { S${n} a, b, c, d; } S${n + 1};`)}\n`;
  const parameterOf = (source: string): ir.ParameterInfo | undefined =>
    compileOpenCL(source).module!.functions.find(({ kind }) => kind === 'kernel')!.parameters[0]!.info;

  it('are not looked through part by part', () => {
    // 4^40 parts: whoever visits each never ends.
    expect(
      messages(`${nested(40, '')}kernel void k(global S40 *p) { S40 s = p[0]; s.a = s.b; p[1] = s; }`),
    ).toEqual([]);
    expect(messages(`${nested(40, 'global int *q;')}kernel void k(S3 s, global int *p) { *p = 1; }`)).toEqual(
      [expect.stringContaining('error: struct kernel parameters may not contain pointers')],
    );
  });

  it('have a layout for hosts as long as that has not very many parts', () => {
    const kernel = (levels: number): string =>
      `${nested(levels, 'int a[4];')}kernel void k(global S${levels} *p) {}`;
    let layout = parameterOf(kernel(5))!.pointee;
    for (const size of [16 * 4 ** 5, 16 * 4 ** 4, 16 * 4 ** 3, 16 * 4 ** 2, 16 * 4]) {
      if (layout?.kind !== 'struct') throw new Error('no struct');
      expect(layout.size).toBe(size);
      expect(layout.fields.map(({ name, offset }) => `${name} ${offset}`)).toEqual([
        'a 0',
        `b ${size / 4}`,
        `c ${size / 2}`,
        `d ${(3 * size) / 4}`,
      ]);
      layout = layout.fields[3]!.layout;
    }
    expect(layout).toMatchObject({ kind: 'struct', size: 16 });
    expect(parameterOf(kernel(12))!.pointee).toBeUndefined();
  });

  it('are bytes where they are given by value and have very many parts', () => {
    const { module } = compileOpenCL(`${nested(40, '')}kernel void k(S40 s, global int *p) { *p = 1; }`);
    expect(module!.functions[0]!.parameters[0]!.info!.layout).toMatchObject({
      kind: 'struct',
      size: 0,
      fields: [],
    });
  });

  it('nest so deep and no deeper', () => {
    const chain = (length: number): string =>
      `struct S1 { int a; };\n${repeated(length - 1, (n) => `struct S${n + 2} { struct S${n + 1} a; };`)}
kernel void k(global struct S${length} *p) { struct S${length} s = {{1}}; p[1] = s; }`;
    expect(messages(chain(500))).toEqual([]);
    expect(messages(chain(501))[0]).toBe('501:27: error: structs and unions nest more than 500 deep');
  });
});

describe('long chains', () => {
  it('of conditionals compile', () => {
    const kernel = (value: (n: number) => string): string =>
      `kernel void k(global float *p) { p[0] = ${repeated(1000, (n) => `p[${n}] > ${n} ? ${value(n)} :`, ' ')} 7; }`;
    expect(messages(kernel((n) => `${n}.0f`))).toEqual([]);
    // Each of these is converted to what is around it.
    expect(messages(kernel((n) => (n % 2 === 0 ? `${n}` : `${n}.0f`)))).toEqual([]);
  });
});

describe('a stack that is full', () => {
  it('is told from other errors', () => {
    const forever = (depth: number): number => forever(depth + 1) + 1;
    expect(() => forever(0)).toThrow(expect.toSatisfy(isStackFull));
    expect(() => new Array(-1)).toThrow(expect.toSatisfy((error) => !isStackFull(error)));
  });
});
