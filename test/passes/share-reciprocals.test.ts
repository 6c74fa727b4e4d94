import { expect, it } from 'vitest';
import { foldConstants } from '../../src/passes/scalar/constant-folding/constant-folding.ts';
import { gvn } from '../../src/passes/scalar/gvn.ts';
import { shareReciprocals } from '../../src/passes/scalar/share-reciprocals.ts';
import { afterPass } from './run-stages.ts';

/** The body of a kernel after the pass, constant folding and gvn. */
function shared(body: string): string {
  return afterPass(
    `kernel @k(%p: ptr<global>, %a: f32, %b: f32, %d: f32, %n: i32) {\n${body}\nreturn\n}`,
    (fn) => {
      shareReciprocals(fn);
      foldConstants(fn, 32);
      gvn(fn, 32);
    },
  );
}

const operations = (text: string): string[] => text.match(/fdiv|fmul|\bif\b/g) ?? [];

it('divides once for two quotients with one divisor', () => {
  const text = shared(`
    %x = fdiv reassociate %a, %d : f32
    %y = fdiv reassociate %b, %d : f32
    store %p, %x align=4
    store %p, %y align=4`);
  expect(operations(text)).toEqual(['fdiv', 'fmul', 'fmul']);
});

it('uses a reciprocal that the source has already', () => {
  const text = shared(`
    %one = constant 1.0 : f32
    %r = fdiv reassociate %one, %d : f32
    %x = fdiv reassociate %a, %d : f32
    store %p, %r align=4
    store %p, %x align=4`);
  expect(operations(text)).toEqual(['fdiv', 'fmul']);
});

it('leaves what is divided by different values, and what has to be exact', () => {
  const text = shared(`
    %x = fdiv reassociate %a, %d : f32
    %y = fdiv reassociate %a, %b : f32
    %z = fdiv %b, %d : f32
    store %p, %x align=4
    store %p, %y align=4
    store %p, %z align=4`);
  expect(operations(text)).toEqual(['fdiv', 'fdiv', 'fdiv']);
});

it('leaves a single division in another block of code', () => {
  const text = shared(`
    %x = fdiv reassociate %a, %d : f32
    store %p, %x align=4
    %is = flt %a, %b : bool
    if %is {
      %y = fdiv reassociate %b, %d : f32
      store %p, %y align=4
      yield
    } else {
      yield
    }`);
  expect(operations(text)).toEqual(['fdiv', 'if', 'fdiv']);
});

it('divides once for vectors, too', () => {
  const text = shared(`
    %v = load %p align=16 : f32x4
    %x = fdiv reassociate %v, %v : f32x4
    %y = fdiv reassociate %x, %v : f32x4
    store %p, %y align=16`);
  expect(operations(text)).toEqual(['fdiv', 'fmul', 'fmul']);
});
