/** Stores of both sides of an `if` to one place, and what may not be moved. */
import { describe, expect, it } from 'vitest';
import { sinkStores } from '../../src/passes/scalar/sink-stores.ts';
import { buffer, compileForTest, value, wasmRunner } from '../support/run-kernel.ts';
import { afterPass } from './run-stages.ts';

/** What the condition is no pass over ranges of work-items knows. */
const header = `kernel @k(%p: ptr<global>, %q: ptr<global>, %x: i32, %y: i32) {
  %data = load %q align=4 : i32
  %c = slt %data, %x : bool`;

/** What becomes of the body of a kernel, in which a semicolon ends a line. */
const sunk = (body: string): string =>
  afterPass(`${header}\n${body.replaceAll(';', '\n')}\nreturn\n}`, sinkStores);

/** The stores of a text by where they are: in a region of an `if`, or in none. */
function stores(text: string): { inside: number; outside: number } {
  const depths = text.split('\n').flatMap((line) => {
    const found = /^( *)store/.exec(line);
    return found ? [found[1]!.length] : [];
  });
  return {
    inside: depths.filter((depth) => depth > 2).length,
    outside: depths.filter((depth) => depth === 2).length,
  };
}

it('stores once what both sides store', () => {
  expect(
    sunk('if %c {; store %p, %x align=4; yield; } else {; store %p, %y align=4; yield; }'),
  ).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %q: ptr<global>, %x: i32, %y: i32) {
      %data = load %q align=4 : i32
      %c = slt %data, %x : bool
      %0 = if %c : i32 {
        yield %x
      } else {
        yield %y
      }
      store %p, %0 align=4
      return
    }
    "
  `);
});

it('keeps the alignment of the store before the `if`: that of the inner one may hold inside alone', () => {
  const text = sunk('store %p, %x align=4; if %c {; store %p, %y align=16; yield; } else {; yield; }');
  expect(stores(text)).toEqual({ inside: 0, outside: 1 });
  expect(text).toContain('align=4\n  return');
});

it('compares how places are computed, and computes one before', () => {
  const text = sunk(`
    if %c {
      %two = constant 2 : i32
      %at = shl %x, %two : i32
      %to = offset %p, %at : ptr<global>
      store %to, %x align=4
      yield
    } else {
      %shift = constant 2 : i32
      %place = shl %x, %shift : i32
      %other = offset %p, %place : ptr<global>
      store %other, %y align=4
      yield
    }`);
  expect(text).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %q: ptr<global>, %x: i32, %y: i32) {
      %data = load %q align=4 : i32
      %c = slt %data, %x : bool
      %two = constant 2 : i32
      %at = shl %x, %two : i32
      %to = offset %p, %at : ptr<global>
      %0 = if %c : i32 {
        %two.1 = constant 2 : i32
        %at.1 = shl %x, %two.1 : i32
        %to.1 = offset %p, %at.1 : ptr<global>
        yield %x
      } else {
        %shift = constant 2 : i32
        %place = shl %x, %shift : i32
        %other = offset %p, %place : ptr<global>
        yield %y
      }
      store %to, %0 align=4
      return
    }
    "
  `);
});

it('stores once what one side stores over what was stored before', () => {
  const text = sunk(`
    store %p, %x align=4
    %sum = iadd %x, %y : i32
    if %c {; yield; } else {; store %p, %sum align=4; yield; }`);
  expect(text).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %q: ptr<global>, %x: i32, %y: i32) {
      %data = load %q align=4 : i32
      %c = slt %data, %x : bool
      %sum = iadd %x, %y : i32
      %0 = if %c : i32 {
        yield %x
      } else {
        yield %sum
      }
      store %p, %0 align=4
      return
    }
    "
  `);
});

it('keeps the order of several stores', () => {
  const text = sunk(`
    %four = constant 4 : i32
    %next = offset %p, %four : ptr<global>
    if %c {; store %p, %x align=4; store %next, %y align=4; yield;
    } else {; store %p, %y align=4; store %next, %x align=4; yield; }`);
  expect(stores(text)).toEqual({ inside: 0, outside: 2 });
  expect(text.indexOf('store %p')).toBeLessThan(text.indexOf('store %next'));
});

describe('stays as it is', () => {
  it.each([
    ['other places', 'if %c {; store %p, %x align=4; yield; } else {; store %q, %y align=4; yield; }', 2],
    [
      'what may be read behind it',
      'if %c {; store %p, %x align=4; %v = load %q align=4 : i32; store %q, %v align=4; yield; } else {; store %p, %y align=4; yield; }',
      3,
    ],
    [
      'what is behind a barrier',
      'if %c {; store %p, %x align=4; barrier (global); yield; } else {; store %p, %y align=4; yield; }',
      2,
    ],
    [
      'volatile stores',
      'if %c {; store %p, %x align=4 volatile; yield; } else {; store %p, %y align=4 volatile; yield; }',
      2,
    ],
    ['one side alone', 'if %c {; store %p, %x align=4; yield; } else {; yield; }', 1],
  ])('%s', (_, body, inside) => {
    expect(stores(sunk(body))).toEqual({ inside, outside: 0 });
  });

  it('what bounds of ids decide: passes over ranges of work-items find it', () => {
    const text = sunk(`
      %i = query global_id 0 : i32
      %edge = isub %x, %y : i32
      %inside = slt %i, %edge : bool
      if %inside {; store %p, %x align=4; yield; } else {; store %p, %y align=4; yield; }`);
    expect(stores(text)).toEqual({ inside: 2, outside: 0 });
  });

  it('what is read between both stores', () => {
    const text = sunk(`
      store %p, %x align=4
      %v = load %q align=4 : i32
      if %c {; store %p, %v align=4; yield; } else {; yield; }`);
    expect(stores(text)).toEqual({ inside: 1, outside: 1 });
  });

  it('what the region reads before it overwrites it', () => {
    const text = sunk(`
      store %p, %x align=4
      if %c {; %v = load %p align=4 : i32; %w = iadd %v, %y : i32; store %p, %w align=4; yield; } else {; yield; }`);
    expect(stores(text)).toEqual({ inside: 1, outside: 1 });
  });
});

it('kernels leave what they left before', () => {
  const source = `
    kernel void test(global int *a, global int *b, int n) {
      int i = get_global_id(0);
      if (b[i] & 1) a[i] = b[i]; else a[i] = -b[i];
      a[i + n] = 1;
      if (b[i] & 2) a[i + n] = i;
      if (b[i] & 4) { a[i + 2 * n] = 5; b[i] = 6; } else if (b[i] & 8) { b[i] = 7; a[i + 2 * n] = 8; } else { a[i + 2 * n] = 9; b[i] = a[i]; }
      b[i] += 1;
      if (a[i] > 3) a[i] = 3;
    }`;
  const n = 100;
  const b = Int32Array.from({ length: n }, (_, i) => Math.imul(i, 0x9e3779b1) >> 20);
  const expected = { a: new Int32Array(3 * n), b: b.slice() };
  for (let i = 0; i < n; i += 1) {
    const bits = b[i]!;
    const { a } = expected;
    a[i] = bits & 1 ? bits : -bits;
    a[i + n] = bits & 2 ? i : 1;
    a[i + 2 * n] = bits & 4 ? 5 : bits & 8 ? 8 : 9;
    expected.b[i] = (bits & 4 ? 6 : bits & 8 ? 7 : a[i]!) + 1;
    a[i] = Math.min(a[i]!, 3);
  }
  for (const lanes of [undefined, 'chosen', 8] as const) {
    const found = { a: new Int32Array(3 * n), b: b.slice() };
    const launch = wasmRunner(compileForTest(source), lanes ? { lanes } : {});
    launch('test', { global: [n], local: [20] }, [buffer(found.a), buffer(found.b), value.int(n)]);
    expect(found).toEqual(expected);
  }
});
