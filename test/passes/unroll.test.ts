import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { unrollLoops } from '../../src/passes/scalar/unroll.ts';
import { afterPass } from './run-stages.ts';

/** A loop over `%i` from 0 to below `limit` that stores to `%p + 4 * %i`. */
function counting(limit: string, attribute = '', extra = ''): string {
  return `kernel @k(%p: ptr<global>, %n: i32) {
    %zero = constant 0 : i32
    %one = constant 1 : i32
    %four = constant 4 : i32
    ${limit}
    %last = loop @l (%i: i32 = %zero) ${attribute}: i32 {
      %more = slt %i, %limit : bool
      if %more {
        yield
      } else {
        break @l %i
      }
      %bytes = imul %i, %four : i32
      %q = offset %p, %bytes : ptr<global>
      store %q, %i align=4
      ${extra}
      %next = iadd %i, %one : i32
      continue @l %next
    }
    store %p, %last align=4
    return
  }`;
}

/** How many loops and stores a kernel has once the whole pipeline has run. */
function optimised(text: string): { loops: number; stores: number; unroll: (number | undefined)[] } {
  const module = parseModule(`module address=32\n${text}`, 'test.ir');
  optimise(module, { verify: assertValid });
  const unroll: (number | undefined)[] = [];
  let stores = 0;
  walkFunction(module.functions[0]!, (instruction: ir.Instruction) => {
    if (instruction.op === 'loop') unroll.push(instruction.unroll);
    if (instruction.op === 'store') stores += 1;
  });
  return { loops: unroll.length, stores, unroll };
}

const limitOf = (limit: number): string => `%limit = constant ${limit} : i32`;

describe('unroll', () => {
  it('keeps loops that load what rows may share, in kernels of two dimensions', () => {
    const loading = (dimension: number): string => `
      %id = query global_id ${dimension} : i32
      %v = load %p align=4 : i32
      %w = iadd %v, %id : i32
      store %q, %w align=4`;
    expect(optimised(counting(limitOf(16), '', loading(0))).loops).toBe(0);
    expect(optimised(counting(limitOf(16), '', loading(1))).loops).toBe(1);
    expect(optimised(counting(limitOf(8), '', loading(1))).loops).toBe(0);
    expect(optimised(counting(limitOf(16), 'unroll=0 ', loading(1))).loops).toBe(0);
  });

  it('writes out a copy for each iteration, and the way out', () => {
    expect(afterPass(counting(limitOf(2)), unrollLoops)).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %n: i32) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %four = constant 4 : i32
        %limit = constant 2 : i32
        %last = block @L0 : i32 {
          %more = slt %zero, %limit : bool
          if %more {
            yield
          } else {
            break @L0 %zero
          }
          %bytes = imul %zero, %four : i32
          %q = offset %p, %bytes : ptr<global>
          store %q, %zero align=4
          %next = iadd %zero, %one : i32
          %more.1 = slt %next, %limit : bool
          if %more.1 {
            yield
          } else {
            break @L0 %next
          }
          %bytes.1 = imul %next, %four : i32
          %q.1 = offset %p, %bytes.1 : ptr<global>
          store %q.1, %next align=4
          %next.1 = iadd %next, %one : i32
          %more.2 = slt %next.1, %limit : bool
          break @L0 %next.1
        }
        store %p, %last align=4
        return
      }
      "
    `);
  });

  it('puts several iterations into a loop where asked to, with the test where the loop may end', () => {
    expect(afterPass(counting(limitOf(5), 'unroll=2 '), unrollLoops)).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %n: i32) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %four = constant 4 : i32
        %limit = constant 5 : i32
        %last = loop @L0 (%i: i32 = %zero) unroll=1 : i32 {
          %more = slt %i, %limit : bool
          %0 = constant true : bool
          if %0 {
            yield
          } else {
            break @L0 %i
          }
          %bytes = imul %i, %four : i32
          %q = offset %p, %bytes : ptr<global>
          store %q, %i align=4
          %next = iadd %i, %one : i32
          %more.1 = slt %next, %limit : bool
          if %more.1 {
            yield
          } else {
            break @L0 %next
          }
          %bytes.1 = imul %next, %four : i32
          %q.1 = offset %p, %bytes.1 : ptr<global>
          store %q.1, %next align=4
          %next.1 = iadd %next, %one : i32
          continue @L0 %next.1
        }
        store %p, %last align=4
        return
      }
      "
    `);
  });

  it('keeps all tests when the count is not known', () => {
    expect(
      afterPass(counting('%limit = iadd %n, %one : i32', 'unroll=2 '), unrollLoops),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %n: i32) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %four = constant 4 : i32
        %limit = iadd %n, %one : i32
        %last = loop @L0 (%i: i32 = %zero) unroll=1 : i32 {
          %more = slt %i, %limit : bool
          if %more {
            yield
          } else {
            break @L0 %i
          }
          %bytes = imul %i, %four : i32
          %q = offset %p, %bytes : ptr<global>
          store %q, %i align=4
          %next = iadd %i, %one : i32
          %more.1 = slt %next, %limit : bool
          if %more.1 {
            yield
          } else {
            break @L0 %next
          }
          %bytes.1 = imul %next, %four : i32
          %q.1 = offset %p, %bytes.1 : ptr<global>
          store %q.1, %next align=4
          %next.1 = iadd %next, %one : i32
          continue @L0 %next.1
        }
        store %p, %last align=4
        return
      }
      "
    `);
  });

  it('leaves alone what is large, unknown, or asked to be left', () => {
    const whole = { loops: 0, stores: 6, unroll: [] };
    const loop = { loops: 1, stores: 2 };
    expect(optimised(counting(limitOf(5)))).toEqual(whole);
    expect(optimised(counting(limitOf(5), 'unroll=1 '))).toMatchObject(loop);
    expect(optimised(counting(limitOf(200)))).toMatchObject(loop);
    expect(optimised(counting('%limit = iadd %n, %one : i32'))).toMatchObject(loop);
    expect(optimised(counting('%limit = iadd %n, %one : i32', 'unroll=0 '))).toMatchObject(loop);
    expect(optimised(counting(limitOf(5), '', 'barrier (local)'))).toMatchObject(loop);
  });

  it('follows requests as far as there is room', () => {
    expect(optimised(counting(limitOf(200), 'unroll=0 '))).toEqual({ loops: 0, stores: 201, unroll: [] });
    expect(optimised(counting(limitOf(200), 'unroll=8 '))).toEqual({ loops: 1, stores: 9, unroll: [1] });
    const { loops, stores } = optimised(counting(limitOf(1_000_000), 'unroll=0 '));
    expect(loops).toBe(1);
    expect(stores).toBeLessThan(20_000);
  });

  it('unrolls nested loops, the inner count depending on the outer counter', () => {
    const { loops, stores } = optimised(`kernel @k(%p: ptr<global>) {
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %three = constant 3 : i32
      loop @outer (%i: i32 = %zero) {
        %more = slt %i, %three : bool
        if %more {
          yield
        } else {
          break @outer
        }
        loop @inner (%j: i32 = %zero) {
          %again = slt %j, %i : bool
          if %again {
            yield
          } else {
            break @inner
          }
          store %p, %j align=4 volatile
          %k = iadd %j, %one : i32
          continue @inner %k
        }
        %next = iadd %i, %one : i32
        continue @outer %next
      }
      return
    }`);
    expect({ loops, stores }).toEqual({ loops: 0, stores: 3 });
  });
});
