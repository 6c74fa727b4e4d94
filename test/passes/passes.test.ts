import { describe, expect, it } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { printModule } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { optimise, passNames } from '../../src/passes/pipeline.ts';
import { simplifyBlockArguments } from '../../src/passes/scalar/block-arguments.ts';
import { foldConstants } from '../../src/passes/scalar/constant-folding/constant-folding.ts';
import { dce } from '../../src/passes/scalar/dce.ts';
import { gvn } from '../../src/passes/scalar/gvn.ts';
import { inlineCalls } from '../../src/passes/scalar/inline.ts';
import { licm } from '../../src/passes/scalar/licm.ts';
import { mem2reg } from '../../src/passes/scalar/mem2reg.ts';
import { simplifyCfg } from '../../src/passes/scalar/simplify-cfg.ts';
import { sroa } from '../../src/passes/scalar/sroa.ts';
import { formWorkItemLoops } from '../../src/passes/workgroup/form-work-item-loops.ts';
import { wasm } from '../../src/target/wasm.ts';
import { afterPass } from './run-stages.ts';

function inlined(text: string, limit?: number): string {
  const module = parseModule(`module address=32\n${text}`, 'test.ir');
  const problems = inlineCalls(module, { inlineLimit: limit });
  if (problems.length > 0) return problems.map(({ message }) => message).join('\n');
  assertValid(module, 'inlining');
  return `\n${printModule(module)}`;
}

describe('inline', () => {
  it('puts bodies in the place of calls, early returns becoming breaks', () => {
    expect(
      inlined(`
        function @twice(%x: i32) -> i32 {
          %y = iadd %x, %x : i32
          return %y
        }
        function @clamp(%x: i32) -> i32 {
          %zero = constant 0 : i32
          %negative = slt %x, %zero : bool
          if %negative {
            return %zero
          } else {
            yield
          }
          %double = call @twice(%x) : i32
          return %double
        }
        kernel @k(%p: ptr<global>, %n: i32) {
          %a = call @clamp(%n) : i32
          store %p, %a align=4
          return
        }`),
    ).toMatchInlineSnapshot(`
      "
      module address=32

      kernel @k(%p: ptr<global>, %n: i32) {
        %a = block @L0 : i32 {
          %zero = constant 0 : i32
          %negative = slt %n, %zero : bool
          if %negative {
            break @L0 %zero
          } else {
            yield
          }
          %y = iadd %n, %n : i32
          yield %y
        }
        store %p, %a align=4
        return
      }
      "
    `);
  });
  it('inlines a kernel that a kernel calls, and keeps both', () => {
    expect(
      inlined(`
        kernel @inner(%p: ptr<global>) {
          %one = constant 1 : i32
          store %p, %one align=4
          return
        }
        kernel @outer(%p: ptr<global>) {
          call @inner(%p)
          call @inner(%p)
          return
        }`),
    ).toMatchInlineSnapshot(`
      "
      module address=32

      kernel @inner(%p: ptr<global>) {
        %one = constant 1 : i32
        store %p, %one align=4
        return
      }

      kernel @outer(%p: ptr<global>) {
        %one = constant 1 : i32
        store %p, %one align=4
        %one.1 = constant 1 : i32
        store %p, %one.1 align=4
        return
      }
      "
    `);
  });
  it('names what cannot be inlined', () => {
    expect(
      inlined(`
        function @missing()
        kernel @k() {
          call @missing()
          return
        }`),
    ).toBe("unresolved: function 'missing' has no body");
    expect(
      inlined(`
        function @a() {
          call @b()
          return
        }
        function @b() {
          call @a()
          return
        }
        kernel @k() {
          call @a()
          return
        }`),
    ).toBe("recursion: function 'a' calls itself");
  });
  it('refuses what would become too large', () => {
    // With a barrier inside none of them can stay a function.
    const functions = ['function @f0(%x: i32) -> i32 {\n  barrier (local)\n  return %x\n}'];
    for (let n = 1; n < 40; n += 1) {
      const call = (result: string, x: string) => `  ${result} = call @f${n - 1}(${x}) : i32`;
      functions.push(
        `function @f${n}(%x: i32) -> i32 {\n${call('%y', '%x')}\n${call('%z', '%y')}\n  return %z\n}`,
      );
    }
    functions.push('kernel @k(%x: i32) {\n  %y = call @f39(%x) : i32\n  return\n}');
    expect(inlined(functions.join('\n'))).toMatch(/^'f\d+' grows by more than 1000000 instructions/);
  });
  it('keeps large helpers that would be copied often', () => {
    const calls = (count: number, callee: string): string =>
      Array.from({ length: count }, (_, n) => `  %${callee}${n} = call @${callee}(%x) : i32\n`).join('');
    const names = (count: number, limit: number, extra = ''): string[] => {
      const text = inlined(
        `function @large(%x: i32) -> i32 {
          ${extra}
          %a = iadd %x, %x : i32
          %b = imul %a, %x : i32
          return %b
        }
        function @once(%x: i32) -> i32 {\n${calls(count, 'large')}  return %x\n}
        kernel @k(%x: i32) {\n${calls(1, 'once')}  return\n}`,
        limit,
      );
      return [...text.matchAll(/(?:function|kernel) @(\w+)/g)].map((match) => match[1]!);
    };
    expect(names(30, 2)).toEqual(['large', 'k']);
    expect(names(20, 2)).toEqual(['k']);
    expect(names(30, 3)).toEqual(['k']);
    expect(names(1, 0)).toEqual(['large', 'once', 'k']);
    expect(names(30, 2, 'barrier (local)')).toEqual(['k']);
    expect(names(30, 2, '%v = variable local "v" size=4 align=4 : ptr<local>')).toEqual(['k']);
  });
  /** A chain of functions, each of which calls the next under a condition. */
  const nested = (length: number, start: string): string => {
    const functions = [`function @f0(%c: i32) {\n  ${start}\n  return\n}`];
    for (let n = 1; n < length; n += 1) {
      functions.push(`function @f${n}(%c: i32) {
        %b = ne %c, %c : bool
        if %b {
          call @f${n - 1}(%c)
          yield
        } else {
          yield
        }
        return
      }`);
    }
    functions.push(`kernel @k(%c: i32) {\n  call @f${length - 1}(%c)\n  return\n}`);
    return functions.join('\n');
  };
  it('refuses what would nest too deep', () => {
    // With a barrier inside none of them can stay a function.
    expect(inlined(nested(3000, 'barrier (local)'))).toMatch(/^'f1001' nests more than 1000 deep/);
  });
  it('leaves calls where functions would nest too deep', () => {
    const text = inlined(nested(3000, ''));
    const names = [...text.matchAll(/(?:function|kernel) @(\w+)/g)].map((match) => match[1]!);
    expect(names).toEqual([...Array.from({ length: 11 }, (_, n) => `f${(n + 1) * 250}`), 'k']);
  });
  it('puts long chains of calls together', () => {
    // More than any stack holds, if each call took a part of it.
    const functions = ['function @f0(%x: i32) -> i32 {\n  return %x\n}'];
    for (let n = 1; n < 30_000; n += 1) {
      const body = `%y = call @f${n - 1}(%x) : i32\n  %z = iadd %y, %x : i32`;
      functions.push(`function @f${n}(%x: i32) -> i32 {\n  ${body}\n  return %z\n}`);
    }
    functions.push('kernel @k(%x: i32) {\n  %y = call @f29999(%x) : i32\n  return\n}');
    const text = inlined(functions.join('\n'));
    expect(text).not.toContain('call');
    expect(text.match(/iadd %\S+, %x : i32/g)).toHaveLength(29_999);
  });
});

describe('sroa', () => {
  it('copies all of a struct to one that stays whole, because it is read in other pieces', () => {
    const text = afterPass(
      `kernel @k(%in: ptr<global>, %out: ptr<global>) {
        %s = variable private "s" size=8 align=4 : ptr<private>
        %t = variable private "t" size=8 align=4 : ptr<private>
        %eight = constant 8 : i32
        %four = constant 4 : i32
        copy %s, %in, %eight align=4
        copy %t, %s, %eight align=4
        %half = load %t align=2 : i16
        %first = load %s align=4 : i32
        %place = offset %t, %four : ptr<private>
        %second = load %place align=4 : i32
        store %out, %first align=4
        store %out, %half align=2
        store %out, %second align=4
        return
      }`,
      sroa,
    );
    expect(text).toContain('%t = variable private "t" size=8');
    expect(text).toMatch(/store %t, %\d+ align=4\n/);
    expect(text).toMatch(/%(\d+) = offset %t, %\d+ : ptr<private>\n[\s\S]*store %\1, %\d+ align=4\n/);
  });
  it('makes a struct that is copied in and out its parts', () => {
    expect(
      afterPass(
        `kernel @k(%in: ptr<global>, %out: ptr<global>, %x: i32) {
          %s = variable private "s" size=12 align=4 : ptr<private>
          %t = variable private "t" size=12 align=4 : ptr<private>
          %twelve = constant 12 : i32
          %four = constant 4 : i32
          copy %s, %in, %twelve align=4
          %field = offset %s, %four : ptr<private>
          %old = load %field align=4 : f32
          %new = fadd %old, %old : f32
          store %field, %new align=4
          copy %t, %s, %twelve align=4
          copy %out, %t, %twelve align=4
          return
        }`,
        sroa,
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%in: ptr<global>, %out: ptr<global>, %x: i32) {
        %s.0 = variable private "s.0" size=4 align=4 : ptr<private>
        %s.4 = variable private "s.4" size=4 align=4 : ptr<private>
        %s.8 = variable private "s.8" size=4 align=4 : ptr<private>
        %t.0 = variable private "t.0" size=4 align=4 : ptr<private>
        %t.4 = variable private "t.4" size=4 align=4 : ptr<private>
        %t.8 = variable private "t.8" size=4 align=4 : ptr<private>
        %twelve = constant 12 : i32
        %four = constant 4 : i32
        %0 = load %in align=4 : i32
        %1 = constant 4 : i32
        %2 = offset %in, %1 : ptr<global>
        %3 = load %2 align=4 : f32
        %4 = constant 8 : i32
        %5 = offset %in, %4 : ptr<global>
        %6 = load %5 align=4 : i32
        store %s.0, %0 align=4
        store %s.4, %3 align=4
        store %s.8, %6 align=4
        %old = load %s.4 align=4 : f32
        %new = fadd %old, %old : f32
        store %s.4, %new align=4
        %7 = load %s.0 align=4 : i32
        %8 = load %s.4 align=4 : f32
        %9 = load %s.8 align=4 : i32
        store %t.0, %7 align=4
        store %t.4, %8 align=4
        store %t.8, %9 align=4
        %10 = load %t.0 align=4 : i32
        %11 = constant 4 : i32
        %12 = offset %out, %11 : ptr<global>
        %13 = load %t.4 align=4 : f32
        %14 = constant 8 : i32
        %15 = offset %out, %14 : ptr<global>
        %16 = load %t.8 align=4 : i32
        store %out, %10 align=4
        store %12, %13 align=4
        store %15, %16 align=4
        return
      }
      "
    `);
  });
  it('leaves what is indexed at run time, or escapes, whole', () => {
    const text = `
kernel @k(%out: ptr<global>, %x: i32) {
  %s = variable private "s" size=8 align=4 : ptr<private>
  %t = variable private "t" size=8 align=4 : ptr<private>
  %0 = constant 4 : i32
  %1 = constant 0 : i32
  fill %s, %0 byte=0 align=4
  %2 = offset %s, %x : ptr<private>
  store %2, %x align=4
  %3 = offset %t, %0 : ptr<private>
  %4 = ptoi %3 : i32
  store %out, %4 align=4
  return
}
`;
    expect(afterPass(text, sroa).trim()).toBe(text.trim());
  });
});

describe('mem2reg and simplify-block-arguments', () => {
  const sum = `kernel @k(%p: ptr<global>, %n: i32) {
    %sum = variable private "sum" size=4 align=4 : ptr<private>
    %i = variable private "i" size=4 align=4 : ptr<private>
    %step = variable private "step" size=4 align=4 : ptr<private>
    %zero = constant 0 : i32
    %one = constant 1 : i32
    store %sum, %zero align=4
    store %i, %zero align=4
    store %step, %one align=4
    loop @for () {
      %i1 = load %i align=4 : i32
      %more = slt %i1, %n : bool
      if %more {
        yield
      } else {
        break @for
      }
      %s = load %sum align=4 : i32
      %t = iadd %s, %i1 : i32
      %temporary = variable private "temporary" size=4 align=4 : ptr<private>
      store %temporary, %t align=4
      %u = load %temporary align=4 : i32
      store %sum, %u align=4
      %st = load %step align=4 : i32
      %i2 = iadd %i1, %st : i32
      store %i, %i2 align=4
      store %step, %st align=4
      continue @for
    }
    %result = load %sum align=4 : f32
    store %p, %result align=4
    return
  }`;
  it('carries what is stored in a loop through its parameters', () => {
    expect(afterPass(sum, mem2reg)).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %n: i32) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %sum, %i, %step = loop @L0 (%sum.1: i32 = %zero, %i.1: i32 = %zero, %step.1: i32 = %one) : i32, i32, i32 {
          %more = slt %i.1, %n : bool
          if %more {
            yield
          } else {
            break @L0 %sum.1, %i.1, %step.1
          }
          %t = iadd %sum.1, %i.1 : i32
          %i2 = iadd %i.1, %step.1 : i32
          continue @L0 %t, %i2, %step.1
        }
        %0 = bitcast %sum : f32
        store %p, %0 align=4
        return
      }
      "
    `);
  });
  it('then takes back what never changes', () => {
    expect(
      afterPass(sum, (fn, addressBits) => {
        mem2reg(fn, addressBits);
        simplifyBlockArguments(fn);
        dce(fn);
      }),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %n: i32) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %sum = loop @L0 (%sum.1: i32 = %zero, %i: i32 = %zero) : i32 {
          %more = slt %i, %n : bool
          if %more {
            yield
          } else {
            break @L0 %sum.1
          }
          %t = iadd %sum.1, %i : i32
          %i2 = iadd %i, %one : i32
          continue @L0 %t, %i2
        }
        %0 = bitcast %sum : f32
        store %p, %0 align=4
        return
      }
      "
    `);
  });
  it('makes one of counters that count alike', () => {
    const counters = `kernel @k(%p: ptr<global>, %n: i32) {
      %zero = constant 0 : i32
      %loop, %also, %other = loop @L0 (%i: i32 = %zero, %j: i32 = %zero, %k: i32 = %n) : i32, i32, i32 {
        %done = sge %i, %n : bool
        if %done {
          break @L0 %i, %j, %k
        } else {
          yield
        }
        %one = constant 1 : i32
        %i2 = iadd %i, %one : i32
        %uno = constant 1 : i32
        %j2 = iadd %j, %uno : i32
        %k2 = iadd %k, %one : i32
        continue @L0 %i2, %j2, %k2
      }
      %a = iadd %also, %other : i32
      %b = iadd %loop, %a : i32
      store %p, %b align=4
      return
    }`;
    const text = afterPass(counters, (fn, addressBits) => {
      simplifyBlockArguments(fn);
      foldConstants(fn, addressBits);
      dce(fn);
    });
    expect(text.slice(text.indexOf('  %loop'), text.indexOf('  %a'))).toMatchInlineSnapshot(`
      "  %loop, %also, %other = loop @L0 (%i: i32 = %zero, %k: i32 = %n) : i32, i32, i32 {
          %0 = slt %i, %n : bool
          if %0 {
            yield
          } else {
            break @L0 %i, %i, %k
          }
          %one = constant 1 : i32
          %i2 = iadd %i, %one : i32
          %k2 = iadd %k, %one : i32
          continue @L0 %i2, %k2
        }
      "
    `);
  });
  it('reads undefined where nothing was stored', () => {
    expect(
      afterPass(
        `kernel @k(%p: ptr<global>, %c: i32) {
          %x = variable private "x" size=4 align=4 : ptr<private>
          %zero = constant 0 : i32
          %b = ne %c, %zero : bool
          if %b {
            store %x, %c align=4
            yield
          } else {
            yield
          }
          %v = load %x align=4 : i32
          store %p, %v align=4
          return
        }`,
        mem2reg,
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %c: i32) {
        %0 = undefined : i32
        %zero = constant 0 : i32
        %b = ne %c, %zero : bool
        %x = if %b : i32 {
          yield %c
        } else {
          yield %0
        }
        store %p, %x align=4
        return
      }
      "
    `);
  });
});

describe('constant-folding', () => {
  it('computes, simplifies and gathers address arithmetic', () => {
    expect(
      afterPass(
        `kernel @k(%p: ptr<global>, %x: i32, %f: f32, %v: f32x4) {
          %c2 = constant 2 : i32
          %c3 = constant 3 : i32
          %c8 = constant 8 : i32
          %c1f = constant 1.0 : f32
          %c0f = constant 0.0 : f32
          %c4f = constant 4.0 : f32
          %six = imul %c2, %c3 : i32
          %a = imul %x, %c8 : i32
          %b = udiv %x, %c8 : i32
          %c = urem %x, %c8 : i32
          %d = iadd %c2, %x : i32
          %e = iadd %d, %c3 : i32
          %f1 = fmul %f, %c1f : f32
          %f2 = fadd %f1, %c0f : f32
          %f3 = fdiv %f2, %c4f : f32
          %w = insert %v, %f3, 1 : f32x4
          %lane = extract %w, 1 : f32
          %other = extract %w, 2 : f32
          %index = iadd %x, %c2 : i32
          %bytes = imul %index, %c8 : i32
          %q = offset %p, %bytes : ptr<global>
          %q2 = offset %q, %six : ptr<global>
          %less = slt %c3, %x : bool
          %z = zext %less : i32
          %again = ne %z, %c2 : bool
          %zero = constant 0 : i32
          %truth = ne %z, %zero : bool
          %chosen = select %truth, %a, %b : i32
          store %q2, %chosen align=4
          store %q, %e align=4
          store %q, %c align=4
          store %q, %lane align=4
          store %q, %other align=4
          return
        }`,
        (fn, addressBits) => {
          foldConstants(fn, addressBits);
          dce(fn);
        },
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %x: i32, %f: f32, %v: f32x4) {
        %c3 = constant 3 : i32
        %c0f = constant 0.0 : f32
        %0 = constant 3 : i32
        %a = shl %x, %0 : i32
        %1 = constant 3 : i32
        %b = ushr %x, %1 : i32
        %2 = constant 7 : i32
        %c = and %x, %2 : i32
        %3 = constant 5 : i32
        %e = iadd %x, %3 : i32
        %f2 = fadd %f, %c0f : f32
        %4 = constant 0.25 : f32
        %f3 = fmul %f2, %4 : f32
        %other = extract %v, 2 : f32
        %5 = constant 3 : i32
        %6 = shl %x, %5 : i32
        %7 = constant 16 : i32
        %8 = offset %p, %6 : ptr<global>
        %q = offset %8, %7 : ptr<global>
        %9 = constant 22 : i32
        %q2 = offset %8, %9 : ptr<global>
        %less = sgt %x, %c3 : bool
        %chosen = select %less, %a, %b : i32
        store %q2, %chosen align=4
        store %q, %e align=4
        store %q, %c align=4
        store %q, %f3 align=4
        store %q, %other align=4
        return
      }
      "
    `);
  });
});

describe('simplify-cfg', () => {
  it('takes away what decides nothing', () => {
    expect(
      afterPass(
        `kernel @k(%p: ptr<global>, %x: i32) {
          %true = constant true : bool
          %c3 = constant 3 : i32
          %a = if %true : i32 {
            yield %x
          } else {
            yield %c3
          }
          %less = slt %x, %c3 : bool
          %smaller = if %less : i32 {
            yield %x
          } else {
            %t = iadd %c3, %c3 : i32
            yield %t
          }
          %s = switch %c3 : i32 {
            case 1, 3 {
              yield %smaller
            }
            default {
              yield %x
            }
          }
          %r = block @early : i32 {
            if %less {
              store %p, %x align=4
              break @early %a
            } else {
              yield
            }
            store %p, %c3 align=4
            yield %s
          }
          loop @once (%i: i32 = %r) {
            store %p, %i align=4
            break @once
          }
          return
        }`,
        (fn) => simplifyCfg(fn),
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %x: i32) {
        %true = constant true : bool
        %c3 = constant 3 : i32
        %less = slt %x, %c3 : bool
        %t = iadd %c3, %c3 : i32
        %smaller = select %less, %x, %t : i32
        %r = if %less : i32 {
          store %p, %x align=4
          yield %x
        } else {
          store %p, %c3 align=4
          yield %smaller
        }
        store %p, %r align=4
        return
      }
      "
    `);
  });
});

describe('gvn', () => {
  it('takes the results of an if that asked and computed the same', () => {
    const twice = (second: string) =>
      afterPass(
        `kernel @k(%p: ptr<global>, %x: i32, %y: i32) {
          %c = slt %x, %y : bool
          %a = if %c : i32 {
            %s = iadd %x, %y : i32
            %t = imul %s, %y : i32
            yield %t
          } else {
            yield %x
          }
          %b = if %c : i32 {
            %s2 = iadd %y, %x : i32
            %t2 = ${second} : i32
            yield %t2
          } else {
            yield %x
          }
          %q = iadd %a, %b : i32
          store %p, %q align=4
          return
        }`,
        gvn,
      ).match(/ = if /g)!.length;
    expect(twice('imul %s2, %y')).toBe(1);
    expect(twice('imul %s2, %x')).toBe(2);
    expect(twice('iadd %s2, %y')).toBe(2);
  });

  it('computes and loads once what is visible', () => {
    expect(
      afterPass(
        `kernel @k(%p: ptr<global>, %q: ptr<global>, %r: ptr<global> const restrict, %x: i32) {
          %c = constant 4 : i32
          %a = imul %x, %c : i32
          %c2 = constant 4 : i32
          %b = imul %c2, %x : i32
          %pa = offset %p, %a : ptr<global>
          %pb = offset %p, %b : ptr<global>
          %v = load %pa align=4 : i32
          %w = load %pb align=4 : i32
          %u = load %r align=4 : i32
          store %q, %v align=4
          %v2 = load %pa align=4 : i32
          %u2 = load %r align=4 : i32
          %w2 = load %q align=4 : i32
          store %p, %w align=4
          store %p, %v2 align=4
          store %p, %u align=4
          store %p, %u2 align=4
          store %p, %w2 align=4
          return
        }`,
        gvn,
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %q: ptr<global>, %r: ptr<global> const restrict, %x: i32) {
        %c = constant 4 : i32
        %a = imul %x, %c : i32
        %pa = offset %p, %a : ptr<global>
        %v = load %pa align=4 : i32
        %u = load %r align=4 : i32
        store %q, %v align=4
        %v2 = load %pa align=4 : i32
        store %p, %v align=4
        store %p, %v2 align=4
        store %p, %u align=4
        store %p, %u align=4
        store %p, %v align=4
        return
      }
      "
    `);
  });
});

describe('licm', () => {
  it('moves computations out of loops, and loads that nothing may change', () => {
    expect(
      afterPass(
        `kernel @k(%p: ptr<global>, %q: ptr<global> const restrict, %n: i32) {
          %zero = constant 0 : i32
          %one = constant 1 : i32
          loop @l (%i: i32 = %zero) {
            %n4 = shl %n, %one : i32
            %v = load %q align=4 : i32
            %own = load %p align=4 : i32
            %pi = offset %p, %n4 : ptr<global>
            store %pi, %v align=4
            store %pi, %own align=4
            %more = slt %i, %n4 : bool
            if %more {
              yield
            } else {
              break @l
            }
            %late = load %q align=2 : i16
            %quotient = sdiv %n, %one : i32
            if %more {
              %guarded = srem %n, %one : i32
              store %pi, %guarded align=4
              yield
            } else {
              yield
            }
            store %pi, %late align=2
            %next = iadd %i, %quotient : i32
            continue @l %next
          }
          return
        }`,
        licm,
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %q: ptr<global> const restrict, %n: i32) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %n4 = shl %n, %one : i32
        %v = load %q align=4 : i32
        %pi = offset %p, %n4 : ptr<global>
        %quotient = sdiv %n, %one : i32
        loop @L0 (%i: i32 = %zero) {
          %own = load %p align=4 : i32
          store %pi, %v align=4
          store %pi, %own align=4
          %more = slt %i, %n4 : bool
          if %more {
            yield
          } else {
            break @L0
          }
          %late = load %q align=2 : i16
          if %more {
            %guarded = srem %n, %one : i32
            store %pi, %guarded align=4
            yield
          } else {
            yield
          }
          store %pi, %late align=2
          %next = iadd %i, %quotient : i32
          continue @L0 %next
        }
        return
      }
      "
    `);
  });
});

describe('dce', () => {
  it('removes what nobody can notice', () => {
    expect(
      afterPass(
        `kernel @k(%p: ptr<global>, %n: i32) {
          %zero = constant 0 : i32
          %one = constant 1 : i32
          %unused = load %p align=4 : i32
          %never = variable private "never" size=4 align=4 : ptr<private>
          store %never, %n align=4
          %r, %s = loop @l (%i: i32 = %zero, %useless: i32 = %one) : i32, i32 {
            %more = slt %i, %n : bool
            if %more {
              yield
            } else {
              break @l %i, %useless
            }
            %x = if %more : i32 {
              yield %one
            } else {
              yield %zero
            }
            %next = iadd %i, %one : i32
            %u = iadd %useless, %x : i32
            continue @l %next, %u
          }
          store %p, %r align=4
          return
        }`,
        (fn) => dce(fn),
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %n: i32) {
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %r = loop @L0 (%i: i32 = %zero) : i32 {
          %more = slt %i, %n : bool
          if %more {
            yield
          } else {
            break @L0 %i
          }
          %next = iadd %i, %one : i32
          continue @L0 %next
        }
        store %p, %r align=4
        return
      }
      "
    `);
  });
});

describe('form-work-item-loops', () => {
  const reverse = `kernel @reverse(%p: ptr<global>, %n: i32) {
    %tile = variable local "tile" size=256 align=4 : ptr<local>
    %four = constant 4 : i32
    %one = constant 1 : i32
    %x = query local_id 0 : i32
    %bytes = imul %x, %four : i32
    %here = offset %tile, %bytes : ptr<local>
    %there = offset %p, %bytes : ptr<global>
    %v = load %there align=4 : i32
    store %here, %v align=4
    barrier (local)
    %size = query local_size 0 : i32
    %last = isub %size, %one : i32
    %y = isub %last, %x : i32
    %other = imul %y, %four : i32
    %source = offset %tile, %other : ptr<local>
    %w = load %source align=4 : i32
    %sum = iadd %v, %w : i32
    store %there, %sum align=4
    return
  }`;
  it('cuts at a barrier; cheap values are computed again, others kept in contextArrays', () => {
    expect(afterPass(reverse, formWorkItemLoops)).toMatchInlineSnapshot(`
      "
      kernel @reverse(%p: ptr<global>, %n: i32) work-group {
        context_array $v : i32
        %tile = variable local "tile" size=256 align=4 : ptr<local>
        %four = constant 4 : i32
        %one = constant 1 : i32
        work_item_loop {
          %x = query local_id 0 : i32
          %bytes = imul %x, %four : i32
          %here = offset %tile, %bytes : ptr<local>
          %there = offset %p, %bytes : ptr<global>
          %v = load %there align=4 : i32
          context_write $v, %v
          store %here, %v align=4
          yield
        }
        %size = query local_size 0 : i32
        %last = isub %size, %one : i32
        work_item_loop {
          %x.1 = query local_id 0 : i32
          %y = isub %last, %x.1 : i32
          %other = imul %y, %four : i32
          %source = offset %tile, %other : ptr<local>
          %w = load %source align=4 : i32
          %v.1 = context_read $v : i32
          %sum = iadd %v.1, %w : i32
          %bytes.1 = imul %x.1, %four : i32
          %there.1 = offset %p, %bytes.1 : ptr<global>
          store %there.1, %sum align=4
          yield
        }
        return
      }
      "
    `);
  });
  it('computes for the group what comes from constants that can always be read', () => {
    // Not all work-items come to the loads: those that can fail stay theirs.
    const text = afterPass(
      `kernel @k(%p: ptr<global>, %c: ptr<constant> readable(16), %d: ptr<constant>) {
        %x = query global_id 0 : i32
        %zero = constant 0 : i32
        %isFirst = eq %x, %zero : bool
        if %isFirst {
          return
        } else {
          yield
        }
        %n = load %c align=4 : i32
        %m = load %d align=4 : i32
        barrier (local)
        %sum = iadd %m, %n : i32
        store %p, %sum align=4
        return
      }`,
      formWorkItemLoops,
    );
    expect(text).toMatch(/ {2}%n = load %c align=4 : i32\n {2}work_item_loop/);
    expect(text).toMatch(/ {4,}%m = load %d align=4 : i32\n *context_write \$m, %m/);
  });

  it('computes for the group what all work-items load where nobody writes', () => {
    const text = afterPass(
      `kernel @k(%p: ptr<global>, %d: ptr<constant>) {
        %m = load %d align=4 : i32
        %written = load %p align=4 : i32
        barrier (local)
        %sum = iadd %m, %written : i32
        store %p, %sum align=4
        return
      }`,
      formWorkItemLoops,
    );
    expect(text.slice(text.indexOf('  context_array'))).toMatchInlineSnapshot(`
      "  context_array $written : i32
        %m = load %d align=4 : i32
        work_item_loop {
          %written = load %p align=4 : i32
          context_write $written, %written
          yield
        }
        work_item_loop {
          %written.1 = context_read $written : i32
          %sum = iadd %m, %written.1 : i32
          store %p, %sum align=4
          yield
        }
        return
      }
      "
    `);
  });

  it('guards what follows an early return', () => {
    expect(
      afterPass(
        `kernel @k(%p: ptr<global>, %n: i32) {
          %x = query global_id 0 : i32
          %outside = sge %x, %n : bool
          if %outside {
            return
          } else {
            yield
          }
          barrier (global)
          store %p, %x align=4
          return
        }`,
        (fn, addressBits) => {
          formWorkItemLoops(fn, addressBits);
          gvn(fn, addressBits);
        },
      ),
    ).toMatchInlineSnapshot(`
      "
      kernel @k(%p: ptr<global>, %n: i32) work-group {
        context_array $pending : i32
        %0 = constant 0 : i32
        %1 = constant 1 : i32
        %2 = constant false : bool
        %3 = constant true : bool
        work_item_loop {
          context_write $pending, %0
          %x = query global_id 0 : i32
          %outside = sge %x, %n : bool
          %4 = block @L0 : bool {
            if %outside {
              context_write $pending, %1
              break @L0 %2
            } else {
              yield
            }
            yield %3
          }
          if %4 {
            yield
          } else {
            yield
          }
          yield
        }
        work_item_loop {
          %5 = context_read $pending : i32
          %6 = eq %5, %0 : bool
          if %6 {
            %x.1 = query global_id 0 : i32
            store %p, %x.1 align=4
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
});

describe('the pipeline', () => {
  it('names its passes in the order in which they first run', () => {
    const seen = new Set<string>();
    const module = parseModule('module address=32\nkernel @k() {\n  return\n}', 'test.ir');
    optimise(module, { target: wasm, after: (name) => seen.add(name) });
    expect([...seen]).toEqual(passNames);
  });
  it('throws for what a linker should have refused', () => {
    const module = parseModule(
      'module address=32\nfunction @f()\nkernel @k() {\n  call @f()\n  return\n}',
      'test.ir',
    );
    expect(() => optimise(module)).toThrow("unresolved: function 'f' has no body");
  });
});
