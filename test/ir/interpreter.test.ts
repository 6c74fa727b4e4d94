import { describe, expect, it } from 'vitest';
import { Interpreter, InterpreterError, type LaunchRange } from '../../src/ir/interpreter.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { type Argument, bytesOf, moduleOf, run } from './run.ts';

const int = (value: number) => ({ value: Int32Array.of(value) });

/** The message of the InterpreterError that running gives. */
function errorOf(text: string, args: readonly Argument[], range?: LaunchRange, options = {}): string {
  try {
    run(text, args, range, options);
  } catch (error) {
    if (error instanceof InterpreterError) return error.message;
    throw error;
  }
  throw new Error('no error was reported');
}

describe('work-items', () => {
  it('run saxpy', () => {
    const text = `
      kernel @saxpy(%a: f32, %x: ptr<global>, %y: ptr<global>, %n: i32) {
        %i = query global_id 0 : i32
        %inside = slt %i, %n : bool
        if %inside {
          %four = constant 4 : i32
          %bytes = imul %i, %four : i32
          %px = offset %x, %bytes : ptr<global>
          %py = offset %y, %bytes : ptr<global>
          %vx = load %px align=4 : f32
          %vy = load %py align=4 : f32
          %ax = fmul contract %a, %vx : f32
          %sum = fadd contract %ax, %vy : f32
          store %py, %sum align=4
          yield
        } else {
          yield
        }
        return
      }`;
    const x = Float32Array.from({ length: 10 }, (_, index) => index * 0.1);
    const y = Float32Array.from({ length: 10 }, (_, index) => index);
    const expected = y.map((value, index) => Math.fround(Math.fround(2.5 * x[index]!) + value));
    run(text, [{ value: Float32Array.of(2.5) }, x, y, int(10)], { globalSize: [16], localSize: [4] });
    expect(y).toEqual(expected);
  });

  it('know who they are, in three dimensions with offset', () => {
    const queries = [
      ...[
        'global_id',
        'local_id',
        'group_id',
        'global_size',
        'local_size',
        'num_groups',
        'global_offset',
      ].flatMap((fn) => [`${fn} 0`, `${fn} 1`, `${fn} 2`]),
      'work_dim',
      'linear_local_id',
    ];
    const lines = queries.map(
      (query, index) => `
        %q${index} = query ${query} : i32
        %o${index} = constant ${index * 4} : i32
        %p${index} = offset %row, %o${index} : ptr<global>
        store %p${index}, %q${index} align=4`,
    );
    const text = `
      kernel @who(%out: ptr<global>) {
        %ticket = constant 1 : i32
        %n = atomic add %out, %ticket relaxed device : i32
        %size = constant ${queries.length * 4} : i32
        %skip = constant 4 : i32
        %start = imul %n, %size : i32
        %begin = offset %out, %skip : ptr<global>
        %row = offset %begin, %start : ptr<global>
        ${lines.join('')}
        return
      }`;
    const items = 4 * 4 * 2;
    const out = new Int32Array(1 + items * queries.length);
    run(text, [out], { globalSize: [4, 4, 2], localSize: [2, 2, 2], globalOffset: [10, 20, 30] });
    expect(out[0]).toBe(items);
    const rows = new Set<string>();
    for (let item = 0; item < items; item += 1) {
      const row = [...out.subarray(1 + item * queries.length, 1 + (item + 1) * queries.length)];
      const [gx, gy, gz, lx, ly, lz, wx, wy, wz, ...rest] = row as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      expect([gx, gy, gz]).toEqual([10 + wx * 2 + lx, 20 + wy * 2 + ly, 30 + wz * 2 + lz]);
      expect(rest).toEqual([4, 4, 2, 2, 2, 2, 2, 2, 1, 10, 20, 30, 3, (lz * 2 + ly) * 2 + lx]);
      rows.add(`${gx},${gy},${gz}`);
    }
    expect(rows.size).toBe(items);
  });

  it('form smaller groups where sizes do not divide', () => {
    const text = `
      kernel @sizes(%out: ptr<global>) {
        %i = query global_id 0 : i32
        %s = query local_size 0 : i32
        %four = constant 4 : i32
        %b = imul %i, %four : i32
        %p = offset %out, %b : ptr<global>
        store %p, %s align=4
        return
      }`;
    const out = new Int32Array(7);
    run(text, [out], { globalSize: [7], localSize: [4] });
    expect([...out]).toEqual([4, 4, 4, 4, 3, 3, 3]);
  });
});

describe('control flow', () => {
  /** Runs a function body that computes %r: i32 from %n, for each n. */
  const results = (body: string, inputs: number[]) =>
    inputs.map((n) => {
      const out = new Int32Array(1);
      run(`kernel @k(%out: ptr<global>, %n: i32) {\n${body}\nstore %out, %r align=4\nreturn\n}`, [
        out,
        int(n),
      ]);
      return out[0];
    });

  it('swaps loop parameters at once (Fibonacci)', () => {
    const body = `
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %r = loop @L (%i: i32 = %zero, %a: i32 = %zero, %b: i32 = %one) : i32 {
        %done = sge %i, %n : bool
        if %done {
          break @L %a
        } else {
          yield
        }
        %next = iadd %i, %one : i32
        %sum = iadd %a, %b : i32
        continue @L %next, %b, %sum
      }`;
    expect(results(body, [0, 1, 2, 10, 46])).toEqual([0, 1, 1, 55, 1836311903]);
  });

  it('leaves outer loops and blocks from inner ones', () => {
    // The first i * j > n with i, j below 10, as i * 100 + j, or -1.
    const body = `
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %ten = constant 10 : i32
      %hundred = constant 100 : i32
      %r = block @found : i32 {
        loop @rows (%i: i32 = %zero) {
          %last = sge %i, %ten : bool
          if %last {
            break @rows
          } else {
            yield
          }
          loop @columns (%j: i32 = %zero) {
            %end = sge %j, %ten : bool
            if %end {
              break @columns
            } else {
              yield
            }
            %product = imul %i, %j : i32
            %more = sgt %product, %n : bool
            if %more {
              %h = imul %i, %hundred : i32
              %place = iadd %h, %j : i32
              break @found %place
            } else {
              yield
            }
            %j1 = iadd %j, %one : i32
            continue @columns %j1
          }
          %i1 = iadd %i, %one : i32
          continue @rows %i1
        }
        %none = constant -1 : i32
        yield %none
      }`;
    const first = (n: number) => {
      for (let i = 0; i < 10; i += 1) for (let j = 0; j < 10; j += 1) if (i * j > n) return i * 100 + j;
      return -1;
    };
    const inputs = [-1, 0, 5, 20, 40, 80, 81];
    expect(results(body, inputs)).toEqual(inputs.map(first));
  });

  it('switches', () => {
    const body = `
      %r = switch %n : i32 {
        case 1, 2 {
          %0 = constant 12 : i32
          yield %0
        }
        case -7 {
          %1 = constant 7 : i32
          yield %1
        }
        default {
          yield %n
        }
      }`;
    expect(results(body, [1, 2, -7, 3])).toEqual([12, 12, 7, 3]);
  });

  it('calls functions, with private variables of their own', () => {
    const out = new Int32Array(1);
    const text = `
      function @square(%x: i32) -> i32 {
        %v = variable private "v" size=4 align=4 : ptr<private>
        store %v, %x align=4
        %y = load %v align=4 : i32
        %r = imul %x, %y : i32
        return %r
      }
      function @twice(%p: ptr<global>, %x: i32) {
        %a = call @square(%x) : i32
        %b = call @square(%a) : i32
        store %p, %b align=4
        return
      }
      kernel @k(%out: ptr<global>, %n: i32) {
        call @twice(%out, %n)
        return
      }`;
    run(text, [out, int(3)]);
    expect(out[0]).toBe(81);
  });

  it('is stopped when it takes too many steps', () => {
    const text = 'kernel @forever() {\nloop @L () {\ncontinue @L\n}\nreturn\n}';
    expect(errorOf(text, [], undefined, { maximumSteps: 1000 })).toBe(
      "test.ir:4:1: kernel 'forever', work-item (0, 0, 0): too many steps: it may never end",
    );
  });
});

describe('memory', () => {
  it('is little-endian bytes, whatever is stored', () => {
    const out = new Uint8Array(32);
    const text = `
      kernel @k(%out: ptr<global>) {
        %0 = constant [1, 2, 3] : i16x3
        store %out, %0 align=2
        %8 = constant 8 : i32
        %p8 = offset %out, %8 : ptr<global>
        %d = constant -2.0 : f64
        store %p8, %d align=8
        %16 = constant 16 : i32
        %p16 = offset %out, %16 : ptr<global>
        %h = constant 1.5 : f16
        store %p16, %h align=2
        %20 = constant 20 : i32
        %p20 = offset %out, %20 : ptr<global>
        store %p20, %out align=4
        %q = load %p20 align=4 : ptr<global>
        %24 = constant 24 : i32
        %q24 = offset %q, %24 : ptr<global>
        %long = constant 72623859790382856 : i64
        store %q24, %long align=8
        return
      }`;
    run(text, [out]);
    expect([...out.subarray(0, 8)]).toEqual([1, 0, 2, 0, 3, 0, 0, 0]);
    expect([...out.subarray(8, 16)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0xc0]);
    expect([...out.subarray(16, 18)]).toEqual([0x00, 0x3e]);
    expect([...out.subarray(24)]).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('copies and fills', () => {
    const out = new Uint8Array(8);
    const text = `
      constant @table size=4 align=4 = hex"01020304"
      kernel @k(%out: ptr<global>) {
        %t = global_address @table : ptr<constant>
        %four = constant 4 : i32
        %zero = constant 0 : i32
        copy %out, %t, %four align=1
        %p = offset %out, %four : ptr<global>
        fill %p, %four byte=255 align=4
        copy %out, %p, %zero align=1
        return
      }`;
    run(text, [out]);
    expect([...out]).toEqual([1, 2, 3, 4, 255, 255, 255, 255]);
  });

  it('fills in the addresses of program-scope variables', () => {
    const text = (load: string) => `
      constant @pointer size=8 align=8 = zero reloc(0: @table + 4)
      constant @table size=8 align=4 = hex"01000000 02000000"
      kernel @k(%out: ptr<global>) {
        %p = global_address @pointer : ptr<constant>
        %t = load %p align=${load} : ptr<constant>
        %v = load %t align=4 : i32
        store %out, %v align=4
        return
      }`;
    for (const bits of [32, 64] as const) {
      const out = new Int32Array(1);
      run(moduleOf(text('8'), bits), [out]);
      expect(out[0]).toBe(2);
    }
  });

  it('does the atomic operations', () => {
    const operations: [string, number, number, number][] = [
      // function, before, operand, after
      ['add', 5, 7, 12],
      ['sub', 5, 7, -2],
      ['exchange', 5, 7, 7],
      ['and', 6, 3, 2],
      ['or', 6, 3, 7],
      ['xor', 6, 3, 5],
      ['smin', -1, 3, -1],
      ['smax', -1, 3, 3],
      ['umin', -1, 3, 3],
      ['umax', -1, 3, -1],
    ];
    for (const [fn, before, operand, after] of operations) {
      const out = Int32Array.of(before, 0);
      const text = `
        kernel @k(%out: ptr<global>, %n: i32) {
          %old = atomic ${fn} %out, %n relaxed device : i32
          %4 = constant 4 : i32
          %p = offset %out, %4 : ptr<global>
          atomic store %p, %old seq_cst device
          return
        }`;
      run(text, [out, int(operand)]);
      expect([fn, ...out]).toEqual([fn, after, before]);
    }
    const cell = BigInt64Array.of(5n, 0n);
    const text = `
      kernel @k(%p: ptr<global>) {
        %a = constant 5 : i64
        %b = constant -1 : i64
        %0 = atomic compare_exchange %p, %a, %b acq_rel device : i64
        %1 = atomic compare_exchange %p, %a, %a acq_rel device : i64
        %8 = constant 8 : i32
        %q = offset %p, %8 : ptr<global>
        store %q, %1 align=8
        return
      }`;
    run(text, [cell]);
    expect([...cell]).toEqual([-1n, -1n]);
  });

  it('takes arguments by value: vectors of three, structs', () => {
    const out = new Float32Array(5);
    const text = `
      kernel @k(%out: ptr<global>, %v: f32x3, %s: ptr<constant> aggregate(8, 4)) {
        store %out, %v align=4
        %4 = constant 4 : i32
        %p = offset %s, %4 : ptr<constant>
        %x = load %p align=4 : f32
        %12 = constant 12 : i32
        %q = offset %out, %12 : ptr<global>
        store %q, %x align=4
        return
      }`;
    run(text, [out, { value: Float32Array.of(1, 2, 3, 99) }, { value: Float32Array.of(7, 8) }]);
    expect([...out]).toEqual([1, 2, 3, 8, 0]);
  });

  it('reports accesses that leave it', () => {
    const at = (offset: number, body: string) => `kernel @k(%out: ptr<global>) {
  %o = constant ${offset} : i32
  %p = offset %out, %o : ptr<global>
  %v = constant 1 : i32
  ${body}
  return
}`;
    const out = new Int32Array(4);
    const load = '%x = load %p align=4 : i32';
    expect(errorOf(at(16, load), [out])).toBe(
      "test.ir:6:3: kernel 'k', work-item (0, 0, 0): load of 4 bytes at byte 16 of 'out', which has 16",
    );
    expect(errorOf(at(-4, load), [out])).toContain("4 bytes before 'out'");
    expect(errorOf(at(-1, load), [out])).toContain("load of 4 bytes 1 byte before 'out'");
    expect(errorOf(at(13, '%x = load %p align=1 : i32'), [out])).toContain(
      "at byte 13 of 'out', which has 16",
    );
    expect(errorOf(at(2, load), [out])).toContain('is not aligned to 4 bytes');
    expect(errorOf(at(100, 'store %p, %v align=4'), [out])).toContain(
      "store of 4 bytes at byte 100 of 'out'",
    );
    expect(
      errorOf(
        at(
          8,
          'fill %p, %o byte=0 align=1\n  copy %out, %p, %o align=1\n  copy %p, %p, %o align=1\n  fill %out, %o byte=1 align=1\n  %z = iadd %o, %v : i32\n  fill %p, %z byte=1 align=1',
        ),
        [out],
      ),
    ).toContain('fill of 9 bytes');
    expect(errorOf(at(4, '%e = iadd %o, %o : i32\n  copy %out, %p, %e align=1'), [out])).toContain(
      'copy between ranges that overlap',
    );
    expect(errorOf(at(0, '%n = constant 0 : ptr<global>\n  %x = load %n align=4 : i32'), [out])).toContain(
      'load of 4 bytes through a null pointer',
    );
    expect(errorOf(at(0, '%n = space %out : ptr<private>\n  %x = load %n align=4 : i32'), [out])).toContain(
      "load through a pointer to private memory reaches global memory, 'out'",
    );
  });

  it('reports stores to constant memory', () => {
    const text = `
      constant @table size=4 align=4 = zero
      kernel @k() {
        %t = global_address @table : ptr<constant>
        %g = space %t : ptr<generic>
        %v = constant 1 : i32
        store %g, %v align=4
        return
      }`;
    expect(errorOf(text, [])).toContain("store to 'table' in constant memory");
  });

  it('reports reads of what was never written, when asked to', () => {
    const text = `
      kernel @k(%out: ptr<global>) {
        %a = variable private "a" size=8 align=4 : ptr<private>
        %b = variable private "b" size=8 align=4 : ptr<private>
        %v = constant 1 : i32
        %8 = constant 8 : i32
        store %a, %v align=4
        copy %b, %a, %8 align=4
        %x = load %b align=4 : i32
        %4 = constant 4 : i32
        %p = offset %b, %4 : ptr<private>
        %y = load %p align=4 : i32
        return
      }`;
    run(text, [new Int32Array(1)]);
    expect(errorOf(text, [new Int32Array(1)], undefined, { checkUninitialised: true })).toContain(
      "load of byte 4 of 'b', which was never written",
    );
  });
});

describe('barriers', () => {
  const reverse = `
    kernel @reverse(%data: ptr<global>, %scratch: ptr<local>) {
      %i = query local_id 0 : i32
      %n = query local_size 0 : i32
      %g = query global_id 0 : i32
      %four = constant 4 : i32
      %one = constant 1 : i32
      %gb = imul %g, %four : i32
      %p = offset %data, %gb : ptr<global>
      %v = load %p align=4 : i32
      %lb = imul %i, %four : i32
      %q = offset %scratch, %lb : ptr<local>
      store %q, %v align=4
      call @wait()
      %last = isub %n, %one : i32
      %j = isub %last, %i : i32
      %jb = imul %j, %four : i32
      %r = offset %scratch, %jb : ptr<local>
      %w = load %r align=4 : i32
      store %p, %w align=4
      return
    }
    function @wait() {
      barrier (local)
      return
    }`;

  it('let every work-item see what the others stored, in called functions too', () => {
    const data = Int32Array.from({ length: 12 }, (_, index) => index);
    run(reverse, [data, { local: 16 }], { globalSize: [12], localSize: [4] });
    expect([...data]).toEqual([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8]);
  });

  it('work in loops, with values kept across', () => {
    // A tree sum in local memory declared in the kernel.
    const text = `
      kernel @sum(%data: ptr<global>) {
        %i = query local_id 0 : i32
        %n = query local_size 0 : i32
        %cells = variable local "cells" size=64 align=4 : ptr<local>
        %four = constant 4 : i32
        %one = constant 1 : i32
        %zero = constant 0 : i32
        %b = imul %i, %four : i32
        %p = offset %data, %b : ptr<global>
        %q = offset %cells, %b : ptr<local>
        %v = load %p align=4 : i32
        store %q, %v align=4
        %half = ushr %n, %one : i32
        loop @L (%step: i32 = %half) {
          barrier (local)
          %done = eq %step, %zero : bool
          if %done {
            break @L
          } else {
            yield
          }
          %mine = slt %i, %step : bool
          if %mine {
            %sb = imul %step, %four : i32
            %o = offset %q, %sb : ptr<local>
            %x = load %o align=4 : i32
            %y = load %q align=4 : i32
            %s = iadd %x, %y : i32
            store %q, %s align=4
            yield
          } else {
            yield
          }
          %next = ushr %step, %one : i32
          continue @L %next
        }
        %total = load %cells align=4 : i32
        store %p, %total align=4
        return
      }`;
    const data = Int32Array.from({ length: 16 }, (_, index) => index * index);
    run(text, [data], { globalSize: [16], localSize: [16] });
    expect([...data]).toEqual(new Array(16).fill(1240));
  });

  const divergent = (first: string, second: string) => `kernel @d() {
  %i = query local_id 0 : i32
  %two = constant 2 : i32
  %low = slt %i, %two : bool
  if %low {
    ${first}
    yield
  } else {
    ${second}
    yield
  }
  return
}`;

  it('must be reached by all', () => {
    const range = { globalSize: [4], localSize: [4] };
    expect(errorOf(divergent('barrier (local)', ''), [], range)).toBe(
      "test.ir:7:5: kernel 'd', work-item (0, 0, 0): barrier divergence: it waits at a barrier, " +
        'but work-item (2, 0, 0) has finished without reaching it',
    );
    expect(errorOf(divergent('', 'barrier (local)'), [], range)).toBe(
      "test.ir:10:5: kernel 'd', work-item (2, 0, 0): barrier divergence: it waits at a barrier, " +
        'but work-item (0, 0, 0) has finished without reaching it',
    );
    expect(errorOf(divergent('barrier (local)', 'barrier (local)'), [], range)).toContain(
      'work-item (2, 0, 0) waits at another barrier (test.ir:10:5)',
    );
  });
});

describe('work-group form', () => {
  it('runs items one after another, with contextArrays and per-item variables', () => {
    const text = `
      kernel @reverse(%data: ptr<global>) work-group {
        context_array $value : i32
        context_array $flag : bool
        %kept = variable private "kept" size=4 align=4 per_item : ptr<private>
        %cells = variable local "cells" size=64 align=4 : ptr<local>
        %n = query local_size 0 : i32
        %four = constant 4 : i32
        %one = constant 1 : i32
        %zero = constant 0 : i32
        %two = constant 2 : i32
        loop @L (%round: i32 = %zero) {
          %done = sge %round, %two : bool
          if %done {
            break @L
          } else {
            yield
          }
          work_item_loop {
            %i = query local_id 0 : i32
            %g = query global_id 0 : i32
            %gb = imul %g, %four : i32
            %p = offset %data, %gb : ptr<global>
            %v = load %p align=4 : i32
            %b = imul %i, %four : i32
            %q = offset %cells, %b : ptr<local>
            store %q, %v align=4
            context_write $value, %gb
            %odd = and %i, %one : i32
            %isOdd = ne %odd, %zero : bool
            context_write $flag, %isOdd
            %mine = item_address %kept : ptr<private>
            %last = isub %n, %one : i32
            %j = isub %last, %i : i32
            store %mine, %j align=4
            yield
          }
          work_item_loop {
            %mine2 = item_address %kept : ptr<private>
            %j2 = load %mine2 align=4 : i32
            %jb = imul %j2, %four : i32
            %r = offset %cells, %jb : ptr<local>
            %w = load %r align=4 : i32
            %gb2 = context_read $value : i32
            %flag = context_read $flag : bool
            %add = select %flag, %one, %zero : i32
            %sum = iadd %w, %add : i32
            %p2 = offset %data, %gb2 : ptr<global>
            store %p2, %sum align=4
            yield
          }
          %next = iadd %round, %one : i32
          continue @L %next
        }
        return
      }`;
    const data = Int32Array.from({ length: 8 }, (_, index) => index * 10);
    // Reversed twice; each work-item with an odd number adds one to what it stores, in each round.
    const round = (values: number[]) => values.map((_, i) => values[(i & ~3) + 3 - (i & 3)]! + (i & 1));
    run(text, [data], { globalSize: [8], localSize: [4] });
    expect([...data]).toEqual(round(round(Array.from({ length: 8 }, (_, index) => index * 10))));
  });

  it('names the work-item inside items and the group outside', () => {
    const bad = (inside: string, outside: string) => `kernel @k(%p: ptr<global>) work-group {
  %o = constant 64 : i32
  %q = offset %p, %o : ptr<global>
  ${outside}
  work_item_loop {
    ${inside}
    yield
  }
  return
}`;
    const range = { globalSize: [4], localSize: [2] };
    const load = '%v = load %q align=4 : i32';
    expect(errorOf(bad(load, ''), [new Int32Array(1)], range)).toContain('work-item (0, 0, 0)');
    expect(errorOf(bad('', load), [new Int32Array(1)], range)).toContain('work-group (0, 0, 0)');
  });
});

describe('errors', () => {
  it('render with the source line', () => {
    const text = 'kernel @k(%p: ptr<global>) {\n  %v = load %p align=4 : i32\n  return\n}';
    try {
      run(text, [new Int32Array(0)]);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof InterpreterError)) throw error;
      expect(error.globalId).toEqual([0, 0, 0]);
      expect(renderDiagnostics([error.diagnostic])).toMatchInlineSnapshot(`
        "test.ir:3:3: error: kernel 'k', work-item (0, 0, 0): load of 4 bytes at byte 0 of 'p', which has 0
          %v = load %p align=4 : i32
          ^~~~~~~~~~~~~~~~~~~~~~~~~~
        1 error generated.
        "
      `);
    }
  });

  it('tell wrong arguments', () => {
    const text = 'kernel @k(%p: ptr<global>, %n: i32, %l: ptr<local>) {\n  return\n}';
    const machine = new Interpreter(moduleOf(text));
    const range = { globalSize: [1], localSize: [1] };
    const address = machine.allocate('global', new Uint8Array(4));
    const bytes = bytesOf(Int32Array.of(1));
    expect(() => machine.launch('nothing', range, [])).toThrow("no kernel 'nothing'");
    expect(() => machine.launch('k', range, [])).toThrow("0 arguments for kernel 'k', which has 3");
    expect(() =>
      machine.launch('k', range, [
        { kind: 'bytes', bytes },
        { kind: 'bytes', bytes },
        { kind: 'local', size: 4 },
      ]),
    ).toThrow("an argument of kind 'bytes' does not fit 'p'");
    expect(() =>
      machine.launch('k', range, [
        { kind: 'address', address },
        { kind: 'bytes', bytes: bytes.subarray(0, 2) },
        { kind: 'local', size: 4 },
      ]),
    ).toThrow("2 bytes for 'n', which has 4");
  });

  it('reach a buffer that was released', () => {
    const text = 'kernel @k(%p: ptr<global>) {\n  %v = load %p align=4 : i32\n  return\n}';
    const machine = new Interpreter(moduleOf(text));
    const range = { globalSize: [1], localSize: [1] };
    const address = machine.allocate('global', new Uint8Array(4));
    machine.launch('k', range, [{ kind: 'address', address }]);
    machine.release(address);
    expect(() => machine.launch('k', range, [{ kind: 'address', address }])).toThrow(InterpreterError);
  });
});

it('uses 64-bit addresses where the module does', () => {
  const text = `
    kernel @k(%out: ptr<global>) {
      %i = query global_id 0 : i64
      %8 = constant 8 : i64
      %b = imul %i, %8 : i64
      %p = offset %out, %b : ptr<global>
      %a = ptoi %p : i64
      %back = itop %a : ptr<global>
      store %back, %i align=8
      return
    }`;
  const out = new BigInt64Array(3);
  run(moduleOf(text, 64), [out], { globalSize: [3], localSize: [1] });
  expect([...out]).toEqual([0n, 1n, 2n]);
});
