/** Text as it is while somebody types: what is around the cursor is broken, and names are known all the same. `|` is the cursor. */
import { describe, expect, it } from 'vitest';
import { type Reading, readText } from '../../../src/tools/language-service/index.ts';

function at(marked: string): { reading: Reading; offset: number; text: string } {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return { reading: readText('opencl', text), offset, text };
}

function labels(marked: string): string[] {
  const { reading, offset } = at(marked);
  return reading.completions(offset).items.map(({ label }) => label);
}

function hover(marked: string): string | undefined {
  const { reading, offset } = at(marked);
  return reading.hover(offset)?.text;
}

describe('completion', () => {
  it('of members, before anything stands behind the dot', () => {
    const struct = 'typedef struct { float4 colour; int count; } Cell;\n';
    expect(labels(`${struct}kernel void f(global Cell *c) { c->| }`)).toEqual(['colour', 'count']);
    expect(labels(`${struct}kernel void f(global Cell *c) { int i = c[0].co|`)).toEqual(['colour', 'count']);
    expect(labels(`${struct}kernel void f(Cell c) {\n  if (c.colour.|\n  int next = 1;\n}`)).toContain(
      'xyzw',
    );
    // Members of what a function gives, in a line that is broken before the dot.
    expect(labels(`${struct}Cell make(int n);\nkernel void f() { ) make(1).| }`)).toEqual([
      'colour',
      'count',
    ]);
  });

  it('of components has only those that there are', () => {
    expect(labels('kernel void f(float2 v) { v.| }')).toEqual([
      'x',
      'y',
      'xy',
      's0',
      's1',
      'lo',
      'hi',
      'even',
      'odd',
    ]);
  });

  it('knows the names around a broken line, and not those behind or beside it', () => {
    const found = labels(`int before;
kernel void f(int parameter) {
  int local_one = ( ;
  { int inner; }
  loc|
}
int behind;`);
    expect(found).toContain('local_one');
    const all = labels(
      'int before;\nkernel void f(int parameter) { { int inner; } int own = ; | }\nint behind;',
    );
    expect(all).toEqual(
      expect.arrayContaining(['before', 'f', 'parameter', 'own', 'get_global_id', 'float4', 'for']),
    );
    expect(all).not.toContain('inner');
    expect(all).not.toContain('behind');
  });

  it('speaks the words of the preprocessor', () => {
    expect(labels('#|')).toContain('pragma');
    expect(labels('#pragma OPENCL EXTENSION cl_khr_fp|')).toEqual(
      expect.arrayContaining(['cl_khr_fp16', 'cl_khr_fp64']),
    );
    expect(labels('#define SIZE 4\n#ifdef S|')).toContain('SIZE');
  });

  it('is silent in comments, strings and numbers', () => {
    for (const text of ['// a|', '/* a|', 'constant char *s = "a|";', 'int a = 1|;', '// x\n/* y */ // z|']) {
      expect([text, labels(text)]).toEqual([text, []]);
    }
  });
});

describe('names', () => {
  it('mean what the innermost scope says, from their declaration on', () => {
    const body = (mark: string) => `int n;\nvoid f(float n) { ${mark} { char n = 1; n; } }`;
    expect(hover(body('n|;').replace('char n = 1; n;', ''))).toContain('float n');
    expect(hover('void f(float n) { { char n = 1; n|; } }')).toContain('char n');
    expect(hover('int n;\nvoid f() { n|; }')).toContain('int n');
  });

  it('are found in functions that never end', () => {
    expect(hover('kernel void f(global int *p) {\n  for (int i = 0; i < 4; ++i) {\n    p[i|]')).toContain(
      'int i',
    );
  });

  it('of macros, and of what macros hold, are told apart', () => {
    const text = '#define TWICE(x) ((x) + (x))\nint x;\nint y = TWICE(3);\n';
    const reading = readText('opencl', text);
    const words = (offset: number) => reading.references(offset).map(({ start }) => start);
    // The parameter of the macro is not the variable of its name.
    expect(words(text.indexOf('x)'))).toEqual([14, 19, 25]);
    expect(words(text.indexOf('x;'))).toEqual([text.indexOf('x;')]);
    expect(words(text.indexOf('TWICE(3'))).toEqual([8, text.indexOf('TWICE(3')]);
  });

  it('are not renamed where a macro pastes them together', () => {
    const text = '#define JOIN(a, b) a##b\nint count;\nint f() { return JOIN(co, unt) + count; }\n';
    expect(readText('opencl', text).renameable(text.indexOf('count;'))).toEqual({
      refusal: "a macro makes the name 'count' of parts",
    });
  });
});

it('helps with the arguments of a call that is not closed', () => {
  const { reading, offset } = at(
    'float mixed(float a, float4 b, int c);\nkernel void f() { mixed(1.0f, (float4)(1, 2, 3, 4), |',
  );
  expect(reading.signatureHelp(offset)).toMatchObject({
    activeParameter: 2,
    signatures: [{ label: 'float mixed(float a, float4 b, int c)' }],
  });
});
