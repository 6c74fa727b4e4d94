/** What cannot be atomic, and atomic functions that are called wrongly, in C for the host (C11, 6.5.1.1, 6.7.2.4, 7.17). */
import { describe, expect, it } from 'vitest';
import { compileHost } from '../../src/hosted/compile.ts';

function errorsOf(text: string): string[] {
  const { diagnostics } = compileHost([
    { name: 'a.c', text: `#include <stdatomic.h>\n${text}\nint main(void) { return 0; }` },
  ]);
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

describe('atomic objects in C for the host', () => {
  it.each([
    ['struct s { int a[4]; }; _Atomic struct s x;', /^_Atomic cannot be applied to type 'struct s': only/],
    ['typedef int two[2]; _Atomic two x;', /^_Atomic cannot be applied to type 'two'/],
    ['_Atomic(const int) x;', /^_Atomic cannot be applied to qualified type 'const int'/],
    ['_Atomic(_Atomic(int)) x;', /^_Atomic cannot be applied to atomic type/],
    [
      'int x; int f(void) { return atomic_load(&x); }',
      /^no matching function for call to '__c11_atomic_load'/,
    ],
    [
      'const atomic_int x; void f(void) { atomic_store(&x, 1); }',
      /^no matching function for call to '__c11_atomic_store'/,
    ],
    [
      'const atomic_int x; void f(void) { x += 1; }',
      /^cannot assign to variable 'x' with const-qualified type/,
    ],
    ['_Atomic double x; void f(void) { atomic_fetch_add(&x, 1); }', /^no matching function for call/],
    [
      'int x; void f(void) { __atomic_fetch_add(&x, 1); }',
      /^no matching function for call to '__atomic_fetch_add'/,
    ],
    ['_Atomic double x; void f(void) { x <<= 1; }', /^invalid operands/],
    ['atomic_int x; atomic_int *p; void f(void) { p = &x; p->a = 1; }', /^member reference base type/],
  ])('%s', (text, message) => {
    const errors = errorsOf(text);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(message);
  });

  it('uses the instructions of WebAssembly, as wide as the object', () => {
    const text = `#include <stdatomic.h>
      atomic_schar b; atomic_short h; atomic_int w; atomic_llong d;
      int main(void) { b += 2; atomic_fetch_or(&h, 3); w--; return (int)atomic_exchange(&d, 5); }`;
    const { log, show } = compileHost([{ name: 'a.c', text }]);
    expect(log).toBe('');
    const wat = show('wat');
    for (const instruction of [
      'i32.atomic.rmw8.add_u',
      'i32.atomic.rmw16.or_u',
      'i64.atomic.rmw.xchg',
      'i32.atomic.rmw.cmpxchg',
    ])
      expect(wat).toContain(instruction);
  });
});
