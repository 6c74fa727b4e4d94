// Jumps into statements: gotos into loops and branches, cases inside the statements of their switch. Each kernel runs on
// the interpreter as it is lowered and as WebAssembly after every pass, against the same program in JavaScript.
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

const inputs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const range = { global: [inputs.length], local: [4] };

/** One work-item for each input; `reference` says what `out` of each must be. */
function expectFor(statements: string, reference: (n: number) => number): void {
  const source = `kernel void k(global const int* in, global int* out) {
    int n = in[get_global_id(0)], r = 0; ${statements} out[get_global_id(0)] = r; }`;
  const expected = inputs.map(reference);
  const interpreted = new Int32Array(inputs.length).fill(-99);
  runOnInterpreter(compileForTest(source), 'k', range, [
    buffer(Int32Array.from(inputs)),
    buffer(interpreted),
  ]);
  expect([...interpreted]).toEqual(expected);
  const compiled = new Int32Array(inputs.length).fill(-99);
  wasmRunner(compileForTest(source))('k', range, [buffer(Int32Array.from(inputs)), buffer(compiled)]);
  expect([...compiled]).toEqual(expected);
}

describe('gotos into statements', () => {
  it('into the middle of a while loop', () => {
    expectFor('int i = 0; if (n & 1) goto in; while (i < n) { r += 10; in: r += 1; i++; }', (n) => {
      let r = n % 2 === 1 ? 1 : 0;
      for (let i = n % 2 === 1 ? 1 : 0; i < n; i++) r += 11;
      return r;
    });
  });

  it('into a do loop, over its beginning', () => {
    expectFor('if (n >= 6) goto in; do { r += 100; in: n += 3; r++; } while (n < 10);', (n) => {
      let [r, at, isFirst] = [0, n, n >= 6];
      do {
        if (!isFirst) r += 100;
        isFirst = false;
        at += 3;
        r++;
      } while (at < 10);
      return r;
    });
  });

  it('into a for loop with break and continue', () => {
    expectFor(
      'int i = 2; if (n > 8) goto in; for (i = 0; i < 6; i++) { if (i == n) continue; if (i == n + 2) break; in: r += i + 1; }',
      (n) => {
        let r = n > 8 ? 3 : 0;
        for (let i = n > 8 ? 3 : 0; i < 6; i++) {
          if (i === n) continue;
          if (i === n + 2) break;
          r += i + 1;
        }
        return r;
      },
    );
  });

  it('from one branch into another', () => {
    expectFor('if (n < 4) { r = 1; goto in; } else if (n < 8) { r = 2; in: r += 10; } else r = 5;', (n) => {
      if (n < 4) return 11;
      return n < 8 ? 12 : 5;
    });
  });

  it('into the middle of a loop of gotos', () => {
    expectFor('if (n > 5) goto mid; top: r += 100; mid: r++; n += 2; if (n < 9) goto top;', (n) => {
      let [r, at] = [0, n];
      if (n <= 5) r += 100;
      for (;;) {
        r++;
        at += 2;
        if (at >= 9) return r;
        r += 100;
      }
    });
  });

  it('between two loops, there and back', () => {
    expectFor(
      'for (int i = 0; i < 3; i++) { one: r += 1; if (r == n) goto two; } for (int j = 0; j < 2; j++) { r += 10; two: r += 100; if (r < 150) goto one; }',
      (n) => {
        // Written as the machine that it is.
        let [r, i, j, at] = [0, 0, 0, 'one'];
        for (;;) {
          if (at === 'one') {
            r += 1;
            if (r === n) at = 'two';
            else if (++i >= 3) {
              j = 0;
              r += 10;
              at = 'two';
            }
          } else {
            r += 100;
            if (r < 150) at = 'one';
            else if (++j >= 2) return r;
            else r += 10;
          }
        }
      },
    );
  });
});

describe('cases inside statements', () => {
  it("Duff's device", () => {
    expectFor(
      'int c = n + 1, t = (c + 3) / 4; switch (c % 4) { case 0: do { r++; case 3: r++; case 2: r++; case 1: r++; } while (--t > 0); }',
      (n) => n + 1,
    );
  });

  it('a decoder that goes on where it stopped', () => {
    expectFor(
      `int state = 0;
       for (int step = 0; step < n; step++) switch (state) {
         case 0: r += 1; state = 1; break;
         for (;;) { r += 10; if (r > 40) { case 1: r += 100; state = 2; break; } default: r += 5; state = 3; break; }
         r += 1000;
         case 3: state = 0;
       }`,
      (n) => {
        let [state, r] = [0, 0];
        for (let step = 0; step < n; step++) {
          if (state === 0) {
            r += 1;
            state = 1;
          } else if (state === 3) state = 0;
          else {
            // case 1 and default both leave the loop they stand in, and fall into case 3.
            r += state === 1 ? 100 : 5;
            state = 0;
            r += 1000;
          }
        }
        return r;
      },
    );
  });

  it('with ranges, default and continue', () => {
    expectFor(
      'for (int i = 0; i < 3; i++) { switch (n + i) { case 1 ... 4: if (i == 1) { case 9: r += 1; continue; } r += 10; break; default: { r += 100; case 7: r += 1000; } } r += 10000; }',
      (n) => {
        let r = 0;
        for (let i = 0; i < 3; i++) {
          const at = n + i;
          if (at === 9 || (at >= 1 && at <= 4 && i === 1)) {
            r += 1;
            continue;
          }
          if (at >= 1 && at <= 4) r += 10;
          else r += at === 7 ? 1000 : 1100;
          r += 10000;
        }
        return r;
      },
    );
  });
});

describe('loops that begin with their exit', () => {
  it('do what stands before the break', () => {
    expectFor('for (;;) { if (n <= 3) { r++; break; } r += n; n -= 2; }', (n) => {
      let [r, at] = [1, n];
      for (; at > 3; at -= 2) r += at;
      return r;
    });
  });

  it('do it where it is all that the loop leaves behind', () => {
    const source = `kernel void k(global int* seen, int n) {
      for (;;) { if (n <= 0) { seen[get_global_id(0)] = n; break; } n -= 2; }
    }`;
    const seen = new Int32Array(4);
    wasmRunner(compileForTest(source))('k', { global: [4], local: [4] }, [
      buffer(seen),
      { bytes: new Uint8Array([9, 0, 0, 0]) },
    ]);
    expect([...seen]).toEqual([-1, -1, -1, -1]);
  });

  it('do it for a whole group, with barriers in the loop', () => {
    const source = `kernel void k(global int* sums, constant int* goesOn) {
      local int tile[4];
      int x = get_local_id(0), sum = 1;
      for (int n = 9; n > 0; n -= 2) {
        tile[x] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[3 - x] + x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!goesOn[0]) break;
      }
      sums[get_global_id(0)] = sum;
    }`;
    const sums = new Int32Array(4);
    wasmRunner(compileForTest(source))('k', { global: [4], local: [4] }, [
      buffer(sums),
      buffer(Int32Array.of(1)),
    ]);
    let expected = [1, 1, 1, 1];
    for (let n = 9; n > 0; n -= 2) expected = expected.map((sum, x) => sum + expected[3 - x]! + x);
    expect([...sums]).toEqual(expected);
  });
});
