import { expect, it } from 'vitest';
import { gvn } from '../../src/passes/scalar/gvn.ts';
import { licm } from '../../src/passes/scalar/licm.ts';
import { shareReciprocals } from '../../src/passes/scalar/share-reciprocals.ts';
import { afterPass } from './run-stages.ts';

/** The body of a kernel after the pass, gvn and licm. */
function shared(body: string): string {
  return afterPass(
    `kernel @k(%p: ptr<global>, %a: f32, %b: f32, %d: f32, %n: i32) {\n${body}\nreturn\n}`,
    (fn) => {
      shareReciprocals(fn);
      gvn(fn, 32);
      licm(fn, 32);
    },
  );
}

const operations = (text: string): string[] => text.match(/fdiv|fmul|loop|\bif\b/g) ?? [];

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

/** A loop whose body has `inside`. */
const loop = (inside: string): string => `
    %zero = constant 0 : i32
    %one = constant 1 : i32
    loop @l (%i: i32 = %zero) {
      %more = slt %i, %n : bool
      if %more {
        yield
      } else {
        break @l
      }
      ${inside}
      %next = iadd %i, %one : i32
      continue @l %next
    }`;

it('divides before the loop by what the loop does not change', () => {
  const text = shared(
    loop(`
      %v = load %p align=4 : f32
      %x = fdiv reassociate %v, %d : f32
      store %p, %x align=4`),
  );
  expect(operations(text)).toEqual(['fdiv', 'loop', 'if', 'fmul']);
});

it('leaves a single division under a condition, from which the reciprocal would not come out', () => {
  const text = shared(
    loop(`
      %v = load %p align=4 : f32
      %is = flt %v, %d : bool
      if %is {
        %x = fdiv reassociate %v, %d : f32
        store %p, %x align=4
        yield
      } else {
        yield
      }`),
  );
  expect(operations(text)).toEqual(['loop', 'if', 'if', 'fdiv']);
});
