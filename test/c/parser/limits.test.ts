/** Sources made to be too much: the parser ends with one error, and never throws or hangs. */
import { describe, expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const many = 20_000;
const dialect = plainC();

const nested: readonly (readonly [name: string, source: string, message: string])[] = [
  ['parentheses', `int x = ${'('.repeat(many)}1;`, 'bracket nesting level exceeded maximum of 256'],
  ['braces', `void f(void) ${'{'.repeat(many)}`, 'bracket nesting level exceeded maximum of 256'],
  ['initializers', `int x = ${'{'.repeat(many)}1;`, 'bracket nesting level exceeded maximum of 256'],
  ['structs', `struct S { ${'struct { '.repeat(many)}`, 'bracket nesting level exceeded maximum of 256'],
  ['declarators', `int ${'('.repeat(many)}p;`, 'bracket nesting level exceeded maximum of 256'],
  ['parameters', `void ${'f(int '.repeat(many)};`, 'bracket nesting level exceeded maximum of 256'],
  [
    'calls',
    `int g(int); void f(void) { ${'g('.repeat(many)}`,
    'bracket nesting level exceeded maximum of 256',
  ],
  ['pointers', `int ${'*'.repeat(many)}p;`, 'nesting level exceeded maximum of 256'],
  ['arrays', `int p${'[1]'.repeat(many)};`, 'nesting level exceeded maximum of 256'],
  ['signs', `int x = ${'- '.repeat(many)}1;`, 'nesting level exceeded maximum of 1024'],
  ['casts', `int x = ${'(int)'.repeat(many)}1;`, 'nesting level exceeded maximum of 1024'],
  ['conditionals', `int x = ${'1 ? 1 : '.repeat(many)}1;`, 'nesting level exceeded maximum of 1024'],
  ['assignments', `void f(int x) { ${'x = '.repeat(many)}1; }`, 'nesting level exceeded maximum of 1024'],
  ['ifs', `void f(void) { ${'if (1) '.repeat(many)}; }`, 'nesting level exceeded maximum of 1024'],
  ['sizeofs', `int x = ${'sizeof '.repeat(many)}1;`, 'nesting level exceeded maximum of 1024'],
  ['sums', `int x = 1${' + 1'.repeat(many)};`, 'more than 1024 operators in a row'],
  ['commas', `void f(int x) { x = 1${', x = 1'.repeat(many)}; }`, 'more than 1024 operators in a row'],
];

describe('limits', () => {
  it.each(nested)('%s too deep', (_name, source, message) => {
    const lines = diagnose(source, dialect);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`error: ${message}`);
  });

  it('long lists are no nesting', () => {
    expect(diagnose(`int x[] = {${'1,'.repeat(many)}};`, dialect)).toEqual([]);
    expect(diagnose(`char *s = ${'"a" '.repeat(many)};`, dialect)).toEqual([]);
  });

  it('types nested by names end in an error, not in an exception', () => {
    const types = Array.from({ length: 60_000 }, (_, index) => `typedef T${index} *T${index + 1};`);
    const source = `typedef int T0; ${types.join('\n')} void f(T60000 a, T59999 b) { a = b; }`;
    expect(diagnose(source, dialect).join('\n')).toContain('error: program is nested too deeply');
  });

  it('values that double by names are worked out once each', () => {
    const sums = Array.from(
      { length: 200 },
      (_, index) => `const int a${index + 1} = a${index} + a${index};`,
    );
    expect(diagnose(`const int a0 = 1; ${sums.join('\n')}`, dialect)).toEqual([]);
  });
});
