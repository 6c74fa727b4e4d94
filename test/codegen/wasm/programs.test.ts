/**
 * Control flow, memory, atomics and calls: IR text, compiled, against the interpreter on the same buffers.
 */
import { describe, expect, it } from 'vitest';
import { type Argument, bytesOf, moduleOf, run } from '../../ir/run.ts';
import { launch } from './harness.ts';

/** Runs the text both ways and expects equal buffers; gives them. */
function compare(
  text: string,
  buffers: readonly ArrayBufferView[],
  items = 16,
  groups = 2,
  changes = true,
): void {
  const module = moduleOf(text);
  const expected = buffers.map((one) => bytesOf(one).slice());
  const got = buffers.map((one) => bytesOf(one).slice());
  const range = { globalSize: [items * groups], localSize: [items] };
  run(module, expected as Argument[], range);
  launch(
    module,
    module.functions.find((fn) => fn.kind === 'kernel')!.name,
    { global: [items * groups], local: [items] },
    got,
  );
  expect(got).toEqual(expected);
  if (changes) expect(got, 'the program does something').not.toEqual(buffers.map((one) => bytesOf(one)));
}

/** A kernel whose work-items compute one i32 %r from their id %i and store it; `helpers` go before it. */
function perItem(body: string, helpers = ''): string {
  return `${helpers}
    kernel @k(%out: ptr<global>) work-group {
      work_item_loop {
        %i = query global_id 0 : i32
        %four = constant 4 : i32
        %bytes = imul %i, %four : i32
        %p = offset %out, %bytes : ptr<global>
        ${body}
        store %p, %r align=4
        yield
      }
      return
    }`;
}

const out = (): Int32Array => new Int32Array(32).fill(-77);

describe('control flow', () => {
  it('if with results, one of them unused', () => {
    compare(
      perItem(`
        %c5 = constant 5 : i32
        %t = slt %i, %c5 : bool
        %r, %unused = if %t : i32, i32 {
          %a = imul %i, %c5 : i32
          yield %a, %i
        } else {
          %b = isub %i, %c5 : i32
          yield %b, %c5
        }`),
      [out()],
    );
  });

  it('switch, dense, sparse, on i64 and with an empty default', () => {
    compare(
      perItem(`
        %c1 = constant 1 : i32
        %c100 = constant 100 : i32
        %dense = switch %i : i32 {
          case 2, 3 {
            yield %c100
          }
          case 4 {
            yield %c1
          }
          case 5, 6, 7 {
            %x = iadd %i, %c100 : i32
            yield %x
          }
          default {
            yield %i
          }
        }
        %far = constant 1000003 : i32
        %big = imul %i, %far : i32
        %sparse = switch %big : i32 {
          case 0 {
            yield %c1
          }
          case 1000003 {
            yield %c100
          }
          case 3000009, 4000012, -7 {
            yield %big
          }
          case 9000027, 5000015 {
            yield %i
          }
          default {
            yield %far
          }
        }
        %wide = sext %big : i64
        %long = switch %wide : i32 {
          case 2000006 {
            yield %c100
          }
          case 123456789123456789 {
            yield %big
          }
          default {
            yield %dense
          }
        }
        %sum = iadd %sparse, %long : i32
        %r = iadd %sum, %dense : i32`),
      [out()],
    );
  });

  it('loops that test first, with values in the test used nowhere else', () => {
    compare(
      perItem(`
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %r = loop @l (%k: i32 = %zero, %sum: i32 = %i) : i32 {
          %double = iadd %k, %k : i32
          %more = slt %double, %i : bool
          if %more {
            yield
          } else {
            %ten = constant 10 : i32
            break @l %ten
          }
          %limit = constant 300 : i32
          %enough = sgt %sum, %limit : bool
          if %enough {
            break @l %sum
          } else {
            yield
          }
          %next = iadd %k, %one : i32
          %more.sum = imul %sum, %next : i32
          continue @l %next, %more.sum
        }`),
      [out()],
    );
  });

  it('loops whose parameters change places', () => {
    compare(
      perItem(`
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %r = loop @l (%a: i32 = %zero, %b: i32 = %one, %n: i32 = %i) : i32 {
          %done = eq %n, %zero : bool
          if %done {
            break @l %a
          } else {
            %sum = iadd %a, %b : i32
            %less = isub %n, %one : i32
            continue @l %b, %sum, %less
          }
          unreachable
        }`),
      [out()],
    );
  });

  it('break out of nested loops, and continue the outer from the inner', () => {
    compare(
      perItem(`
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %six = constant 6 : i32
        %r = block @b : i32 {
          %done = loop @outer (%x: i32 = %zero, %s: i32 = %zero) : i32 {
            %go = slt %x, %six : bool
            if %go {
              yield
            } else {
              break @outer %s
            }
            %x1 = iadd %x, %one : i32
            loop @inner (%y: i32 = %zero, %t: i32 = %s) {
              %mixed = imul %y, %x : i32
              %hit = sgt %mixed, %i : bool
              if %hit {
                continue @outer %x1, %t
              } else {
                yield
              }
              %t1 = iadd %t, %one : i32
              %limit = constant 40 : i32
              %far = sgt %t1, %limit : bool
              if %far {
                break @b %limit
              } else {
                yield
              }
              %y1 = iadd %y, %one : i32
              %again = eq %y1, %six : bool
              if %again {
                continue @outer %x1, %t1
              } else {
                continue @inner %y1, %t1
              }
              unreachable
            }
            unreachable
          }
          yield %done
        }`),
      [out()],
    );
  });

  it('a kernel that leaves some work-groups early', () => {
    compare(
      `kernel @k(%out: ptr<global>) work-group {
        %g = query group_id 0 : i32
        %zero = constant 0 : i32
        %first = eq %g, %zero : bool
        if %first {
          return
        } else {
          yield
        }
        work_item_loop {
          %i = query global_id 0 : i32
          %four = constant 4 : i32
          %bytes = imul %i, %four : i32
          %p = offset %out, %bytes : ptr<global>
          store %p, %i align=4
          yield
        }
        return
      }`,
      [out()],
    );
  });
});

describe('memory', () => {
  it('loads are not carried past stores', () => {
    compare(
      perItem(`
        %c3 = constant 3 : i32
        store %p, %i align=4
        %before = load %p align=4 : i32
        store %p, %c3 align=4
        %after = load %p align=4 : i32
        %t = slt %i, %c3 : bool
        %old = load %p align=4 : i32
        if %t {
          %seven = constant 7 : i32
          store %p, %seven align=4
          yield
        } else {
          yield
        }
        %x = imul %before, %c3 : i32
        %y = iadd %x, %after : i32
        %r = iadd %y, %old : i32`),
      [out()],
    );
  });

  it('copies and fills, of small, large and unknown sizes', () => {
    const sizes = [1, 3, 7, 16, 31, 63, 64, 65, 100];
    const lines = sizes.map(
      (size, index) => `
        %s${index} = constant ${size} : i32
        %at${index} = constant ${index * 256} : i32
        %d${index} = offset %out, %at${index} : ptr<global>
        copy %d${index}, %in, %s${index} align=1
        %far${index} = constant 128 : i32
        %f${index} = offset %d${index}, %far${index} : ptr<global>
        fill %f${index}, %s${index} byte=${index * 31} align=1
        %one${index} = constant 1 : i32
        %odd${index} = offset %f${index}, %one${index} : ptr<global>
        %n${index} = load %in align=4 : i32
        fill %odd${index}, %n${index} byte=9 align=1
        copy %odd${index}, %in, %n${index} align=1`,
    );
    const input = new Uint8Array(256).map((_, i) => i * 7);
    input.set([5, 0, 0, 0]);
    compare(
      `kernel @k(%out: ptr<global>, %in: ptr<global>) work-group {
        ${lines.join('')}
        return
      }`,
      [new Uint8Array(4096).fill(1), input],
      1,
      1,
    );
  });

  it('program-scope variables, with addresses in them', () => {
    compare(
      `constant @numbers size=16 align=4 = hex"01000000 02000000 30000000 04000000"
      constant @pointer size=4 align=4 = hex"00000000" reloc(0: @numbers + 4)
      ${perItem(`
        %where = global_address @pointer : ptr<constant>
        %to = load %where align=4 : ptr<constant>
        %three = constant 3 : i32
        %masked = and %i, %three : i32
        %base = global_address @numbers : ptr<constant>
        %scaled = imul %masked, %four : i32
        %q = offset %base, %scaled : ptr<constant>
        %a = load %q align=4 : i32
        %q4 = offset %to, %four : ptr<constant>
        %b = load %q4 align=4 : i32
        %r = imul %a, %b : i32`)}`,
      [out()],
    );
  });

  it('volatile loads are kept and narrow loads are extended', () => {
    compare(
      perItem(
        `
        %unused = load %p align=4 volatile : i32
        %a = load %p align=1 : i8
        %b = load %p align=2 : i16
        %ua = zext %a : i32
        %sb = sext %b : i64
        %low = trunc %sb : i32
        %ub = zext %b : i64
        %lub = trunc %ub : i32
        %again = trunc %low : i8
        %z = zext %again : i32
        %x = iadd %ua, %low : i32
        %y = ixor %x, %lub : i32
        %r = iadd %y, %z : i32`.replace('ixor', 'xor'),
      ),
      [out().map((_, i) => i * 0x01234567)],
    );
  });
});

describe('atomics', () => {
  const fns = ['exchange', 'add', 'sub', 'and', 'or', 'xor', 'smin', 'smax', 'umin', 'umax'];

  it.each(['global', 'local'])('in %s memory', (space) => {
    const place = space === 'global' ? 'offset %out, %at' : 'offset %cells, %at';
    const lines = fns.map((fn, index) =>
      ['i32', 'i64'].map((type, wide) => {
        const n = `${index}.${wide}`;
        return `
          %v${n} = constant ${index % 2 ? -5 - index : 1000} : ${type}
          %m${n} = constant 77 : ${type}
          %c${n} = constant ${index * 32 + wide * 16} : i32
          %q${n} = offset %base, %c${n} : ptr<${space}>
          atomic store %q${n}, %m${n} relaxed device
          %old${n} = atomic ${fn} %q${n}, %v${n} relaxed device : ${type}
          %seen${n} = atomic load %q${n} seq_cst device : ${type}
          %ce${n} = atomic compare_exchange %q${n}, %seen${n}, %old${n} relaxed device : ${type}
          %no${n} = atomic compare_exchange %q${n}, %v${n}, %m${n} relaxed device : ${type}
          %d${n} = offset %out, %c${n} : ptr<global>
          %end${n} = atomic load %q${n} relaxed device : ${type}
          %s1${n} = iadd %old${n}, %seen${n} : ${type}
          %s2${n} = imul %s1${n}, %ce${n} : ${type}
          %s3${n} = xor %s2${n}, %no${n} : ${type}
          %s4${n} = iadd %s3${n}, %end${n} : ${type}
          store %d${n}, %s4${n} align=${wide ? 8 : 4}`;
      }),
    );
    compare(
      `kernel @k(%out: ptr<global>) work-group {
        %cells = variable local "cells" size=1024 align=8 : ptr<local>
        %at = constant 512 : i32
        %base = ${place} : ptr<${space}>
        ${lines.flat().join('')}
        fence (global, local) acq_rel device
        return
      }`,
      [new Uint8Array(1024)],
      1,
      1,
    );
  });

  it('of floats, and counting by all work-items', () => {
    compare(
      `kernel @k(%out: ptr<global>) work-group {
        work_item_loop {
          %one = constant 1 : i32
          %n = atomic add %out, %one relaxed device : i32
          %i = query global_id 0 : i32
          %f = stof %i : f32
          %eight = constant 8 : i32
          %q = offset %out, %eight : ptr<global>
          %old = atomic exchange %q, %f relaxed device : f32
          %seen = atomic load %q relaxed device : f32
          %sum = fadd %old, %seen : f32
          %c16 = constant 16 : i32
          %s = offset %out, %c16 : ptr<global>
          atomic store %s, %sum relaxed device
          yield
        }
        return
      }`,
      [new Uint8Array(64)],
    );
  });
});

describe('calls', () => {
  it('of helpers with variables, queries, vectors and truth values', () => {
    compare(
      `function @inner(%p: ptr<private>, %t: bool) -> i32 {
        %own = variable private "own" size=8 align=4 : ptr<private>
        %x = load %p align=4 : i32
        %id = query local_id 0 : i32
        %n = select %t, %x, %id : i32
        store %own, %n align=4
        if %t {
          return %id
        } else {
          yield
        }
        %y = load %own align=4 : i32
        return %y
      }
      function @outer(%v: f32x8, %i: i32) -> f32x8 {
        %own = variable private "own" size=4 align=4 : ptr<private>
        store %own, %i align=4
        %three = constant 3 : i32
        %t = slt %i, %three : bool
        %n = call @inner(%own, %t) : i32
        %kept = load %own align=4 : i32
        %sum = iadd %n, %kept : i32
        %f = stof %sum : f32
        %s = splat %f : f32x8
        %r = fadd %v, %s : f32x8
        return %r
      }
      function @truths(%a: f64x4, %b: f64x4) -> boolx4 {
        %t = flt %a, %b : boolx4
        return %t
      }
      kernel @k(%out: ptr<global>) work-group {
        work_item_loop {
          %i = query global_id 0 : i32
          %size = constant 64 : i32
          %bytes = imul %i, %size : i32
          %p = offset %out, %bytes : ptr<global>
          %v = load %p align=4 : f32x8
          %w = call @outer(%v, %i) : f32x8
          store %p, %w align=4
          %a = constant [1.0, 2.0, 3.0, 4.0] : f64x4
          %fi = stof %i : f64
          %b = splat %fi : f64x4
          %t = call @truths(%a, %b) : boolx4
          %m = sext %t : i32x4
          %c32 = constant 32 : i32
          %q = offset %p, %c32 : ptr<global>
          store %q, %m align=4
          %shorts = zext %t : i16x4
          %c48 = constant 48 : i32
          %q2 = offset %p, %c48 : ptr<global>
          store %q2, %shorts align=2
          yield
        }
        return
      }`,
      [new Uint8Array(64 * 32)],
    );
  });
});

describe('masks', () => {
  it('of different widths meet, and cross regions and context arrays', () => {
    compare(
      `kernel @k(%out: ptr<global>) work-group {
        context_array $kept : boolx8
        work_item_loop {
          %i = query global_id 0 : i32
          %f = stof %i : f64
          %a = constant [1.0, 2.0, 3.0, 4.0, 50.0, 6.0, 7.0, 80.0] : f64x8
          %b = splat %f : f64x8
          %wide = flt %a, %b : boolx8
          %n = trunc %i : i8
          %c = constant [1, 2, 3, 4, -5, 6, 70, 8] : i8x8
          %d = splat %n : i8x8
          %narrow = slt %c, %d : boolx8
          %both = xor %wide, %narrow : boolx8
          %other = and %narrow, %wide : boolx8
          %three = constant 3 : i32
          %t = slt %i, %three : bool
          %m = if %t : boolx8 {
            yield %both
          } else {
            yield %other
          }
          context_write $kept, %m
          yield
        }
        work_item_loop {
          %z.i = query global_id 0 : i32
          %z.size = constant 16 : i32
          %z.bytes = imul %z.i, %z.size : i32
          %z.p = offset %out, %z.bytes : ptr<global>
          %z.m = context_read $kept : boolx8
          %z.x = constant [1, 2, 3, 4, 5, 6, 7, 8] : i16x8
          %z.y = constant [10, 20, 30, 40, 50, 60, 70, 80] : i16x8
          %z.r = select %z.m, %z.x, %z.y : i16x8
          store %z.p, %z.r align=2
          yield
        }
        return
      }`,
      [new Uint8Array(16 * 32)],
    );
  });
});

describe('guards that bound the loop over work-items', () => {
  const guards = [
    'slt %i, %n',
    'ult %i, %n',
    'sgt %n, %i',
    'ugt %n, %i',
    'not sge %i, %n',
    'not uge %i, %n',
    'not sle %n, %i',
    'not ule %n, %i',
  ];
  for (const id of ['global_id', 'local_id']) {
    it.each(guards)(`${id}: %s`, (guard) => {
      const isNegated = guard.startsWith('not ');
      const [taken, skipped] = ['store %p, %x align=4\n yield', 'yield'];
      for (const n of [-3, 0, 1, 5, 8, 13, 16, 31, 1000]) {
        const text = `
          kernel @k(%out: ptr<global>) work-group {
            work_item_loop {
              %n = constant ${n} : i32
              %i = query ${id} 0 : i32
              %g = query global_id 0 : i32
              %t = ${guard.replace('not ', '')} : bool
              %four = constant 4 : i32
              %bytes = imul %g, %four : i32
              %p = offset %out, %bytes : ptr<global>
              %x = load %p align=4 : i32
              if %t {
                ${isNegated ? skipped : `%y = iadd %x, %four : i32\n${taken.replace('%x', '%y')}`}
              } else {
                ${isNegated ? `%y = iadd %x, %four : i32\n${taken.replace('%x', '%y')}` : skipped}
              }
              yield
            }
            return
          }`;
        compare(text, [out()], 16, 2, n > 0);
      }
    });
  }
});
