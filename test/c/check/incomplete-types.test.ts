/** Objects of types that are not known yet, and parentheses and braces too many: what the tables do not hold. */
import { expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const dialect = plainC();

it('an incomplete object can be neither read nor written', () => {
  expect(
    diagnose('extern struct T t; struct T g(struct T *); void f(void) { g(&t); t = *&t; }', dialect),
  ).toMatchInlineSnapshot(`
    [
      "1:59: error: calling function with incomplete return type 'struct T'",
      "1:68: error: incomplete type 'struct T' is not assignable",
    ]
  `);
  expect(diagnose('extern struct T t; void f(int i) { i = i ? t : t; }', dialect)).toMatchInlineSnapshot(`
    [
      "1:44: error: incomplete type 'struct T' where a complete type is required",
      "1:48: error: incomplete type 'struct T' where a complete type is required",
    ]
  `);
});

it('braces around a scalar', () => {
  expect(diagnose('int a = {{1}};', dialect)).toEqual([]);
  expect(diagnose('int a = {{1}, 2};', dialect)).toMatchInlineSnapshot(`
    [
      "1:10: error: too many braces around scalar initializer",
    ]
  `);
});

it('a function without a body', () => {
  expect(diagnose('void f(void) g', dialect)).toMatchInlineSnapshot(`
    [
      "1:14: error: expected function body after function declarator",
    ]
  `);
});
