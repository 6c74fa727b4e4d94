import { expect, it } from 'vitest';
import { foldConstants } from '../../src/passes/scalar/constant-folding/constant-folding.ts';
import { licm } from '../../src/passes/scalar/licm.ts';
import { reassociate } from '../../src/passes/scalar/reassociate.ts';
import { afterPass } from './run-stages.ts';

it('adds the row to the pointer before what differs along it', () => {
  expect(
    afterPass(
      `kernel @k(%p: ptr<global>, %n: i32) work-group {
        %two = constant 2 : i32
        work_item_loop {
          %x = query global_id 0 : i32
          %y = query global_id 1 : i32
          %row = imul %y, %n : i32
          %at = iadd %x, %row : i32
          %bytes = shl %at, %two : i32
          %q = offset %p, %bytes : ptr<global>
          store %q, %x align=4
          yield
        }
        return
      }`,
      reassociate,
    ),
  ).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %n: i32) work-group {
      %two = constant 2 : i32
      work_item_loop {
        %x = query global_id 0 : i32
        %y = query global_id 1 : i32
        %row = imul %y, %n : i32
        %at = iadd %x, %row : i32
        %bytes = shl %at, %two : i32
        %0 = constant 2 : i32
        %1 = shl %row, %0 : i32
        %2 = offset %p, %1 : ptr<global>
        %3 = constant 2 : i32
        %4 = shl %x, %3 : i32
        %q = offset %2, %4 : ptr<global>
        store %q, %x align=4
        yield
      }
      return
    }
    "
  `);
});

it('joins the conditions of a row first', () => {
  expect(
    afterPass(
      `kernel @k(%p: ptr<global>, %n: i32) work-group {
        work_item_loop {
          %x = query global_id 0 : i32
          %y = query global_id 1 : i32
          %a = slt %x, %n : bool
          %b = slt %y, %n : bool
          %c = sgt %y, %n : bool
          %d = and %a, %b : bool
          %e = and %d, %c : bool
          if %e {
            store %p, %x align=4
            yield
          } else {
            yield
          }
          yield
        }
        return
      }`,
      reassociate,
    ),
  ).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %n: i32) work-group {
      work_item_loop {
        %x = query global_id 0 : i32
        %y = query global_id 1 : i32
        %a = slt %x, %n : bool
        %b = slt %y, %n : bool
        %c = sgt %y, %n : bool
        %d = and %a, %b : bool
        %0 = and %b, %c : bool
        %e = and %0, %a : bool
        if %e {
          store %p, %x align=4
          yield
        } else {
          yield
        }
        yield
      }
      return
    }
    "
  `);
});

it('moves pointers by constants last', () => {
  expect(
    afterPass(
      `kernel @k(%p: ptr<global>, %n: i32) work-group {
        %far = constant -5000 : i32
        work_item_loop {
          %x = query local_id 0 : i32
          %there = iadd %x, %far : i32
          %at = iadd %there, %n : i32
          %q = offset %p, %at : ptr<global>
          store %q, %x align=1
          yield
        }
        return
      }`,
      reassociate,
    ),
  ).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %n: i32) work-group {
      %far = constant -5000 : i32
      work_item_loop {
        %x = query local_id 0 : i32
        %there = iadd %x, %far : i32
        %at = iadd %there, %n : i32
        %0 = offset %p, %n : ptr<global>
        %1 = offset %0, %x : ptr<global>
        %2 = constant -5000 : i32
        %q = offset %1, %2 : ptr<global>
        store %q, %x align=1
        yield
      }
      return
    }
    "
  `);
});

it('divides sums under products by constants, and adds up their constants', () => {
  expect(
    afterPass(
      `kernel @k(%p: ptr<global>, %n: i32) work-group {
        %c = constant 100 : i32
        %three = constant 3 : i32
        %two = constant 2 : i32
        %one = constant 1 : i32
        work_item_loop {
          %x = query global_id 0 : i32
          %there = iadd %x, %c : i32
          %row = iadd %there, %n : i32
          %pixel = imul %row, %three : i32
          %part = iadd %pixel, %one : i32
          %at = shl %part, %two : i32
          %q = offset %p, %at : ptr<global>
          store %q, %x align=4
          yield
        }
        return
      }`,
      reassociate,
    ),
  ).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %n: i32) work-group {
      %c = constant 100 : i32
      %three = constant 3 : i32
      %two = constant 2 : i32
      %one = constant 1 : i32
      work_item_loop {
        %x = query global_id 0 : i32
        %there = iadd %x, %c : i32
        %row = iadd %there, %n : i32
        %pixel = imul %row, %three : i32
        %part = iadd %pixel, %one : i32
        %at = shl %part, %two : i32
        %0 = constant 12 : i32
        %1 = imul %n, %0 : i32
        %2 = offset %p, %1 : ptr<global>
        %3 = constant 12 : i32
        %4 = imul %x, %3 : i32
        %5 = offset %2, %4 : ptr<global>
        %6 = constant 1204 : i32
        %q = offset %5, %6 : ptr<global>
        store %q, %x align=4
        yield
      }
      return
    }
    "
  `);
});

it('brings rows up from conditions and loops in items, but nothing expensive', () => {
  expect(
    afterPass(
      `kernel @k(%p: ptr<global>, %n: i32) work-group {
        work_item_loop {
          %x = query global_id 0 : i32
          %c = slt %x, %n : bool
          if %c {
            %y = query global_id 1 : i32
            %row = imul %y, %n : i32
            %q = offset %p, %row : ptr<global>
            %part = sdiv %y, %n : i32
            store %q, %part align=4
            yield
          } else {
            yield
          }
          yield
        }
        return
      }`,
      licm,
    ),
  ).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>, %n: i32) work-group {
      work_item_loop {
        %x = query global_id 0 : i32
        %c = slt %x, %n : bool
        %y = query global_id 1 : i32
        %row = imul %y, %n : i32
        %q = offset %p, %row : ptr<global>
        if %c {
          %part = sdiv %y, %n : i32
          store %q, %part align=4
          yield
        } else {
          yield
        }
        yield
      }
      return
    }
    "
  `);
});

it('knows what is in constant tables', () => {
  expect(
    afterPass(
      `constant @table size=8 align=4 = hex"01000000 0000c03f"
      kernel @k(%p: ptr<global>) {
        %four = constant 4 : i32
        %t = global_address @table : ptr<constant>
        %second = offset %t, %four : ptr<constant>
        %a = load %t align=4 : i32
        %b = load %second align=4 : f32
        %c = load %second align=4 volatile : f32
        store %p, %a align=4
        store %p, %b align=4
        store %p, %c align=4
        return
      }`,
      foldConstants,
    ),
  ).toMatchInlineSnapshot(`
    "
    kernel @k(%p: ptr<global>) {
      %four = constant 4 : i32
      %t = global_address @table : ptr<constant>
      %second = offset %t, %four : ptr<constant>
      %a = constant 1 : i32
      %b = constant 1.5 : f32
      %c = load %second align=4 volatile : f32
      store %p, %a align=4
      store %p, %b align=4
      store %p, %c align=4
      return
    }
    "
  `);
});
