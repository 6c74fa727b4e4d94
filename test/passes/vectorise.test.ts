/**
 * What vectorisation makes of the ways in which kernels reach memory and part: what it says it does, and that the outcome is
 * that of one work-item after another, for lane counts that fill several vectors and rows that vectors do not fill.
 */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/build/inspect.ts';
import type { LaneCount } from '../../src/ir/types.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import type { VectoriseDecision } from '../../src/passes/vectorize/vectorize.ts';
import type { Target } from '../../src/target/target.ts';
import { wasm } from '../../src/target/wasm.ts';
import { x64 } from '../../src/target/x64.ts';
import { compileForTest, runOnInterpreter, type TestArgument, wasmRunner } from '../support/run-kernel.ts';

const items = 44;
const range = { global: [items], local: [22] };

/** Two buffers of numbers, the second of which the kernel fills, and the number of work-items. */
function freshArguments(): TestArgument[] {
  const input = Int32Array.from({ length: items * 4 }, (_, at) => (at * 7919) % 103);
  return [
    { buffer: new Uint8Array(input.buffer) },
    { buffer: new Uint8Array(items * 16) },
    { bytes: new Uint8Array(Int32Array.of(items - 3).buffer) },
  ];
}

function outputOf(run: (args: TestArgument[]) => void): Uint8Array {
  const args = freshArguments();
  run(args);
  return (args[1] as { buffer: Uint8Array }).buffer;
}

function kernel(body: string, type = 'int'): string {
  return `kernel void test(global ${type} *in, global ${type} *out, int n) { int i = get_global_id(0); ${body} }`;
}

/** The shapes of the accesses, as decided for that many lanes. */
function shapesOf(source: string, lanes: LaneCount, target: Target = wasm): string[] {
  const decisions: VectoriseDecision[] = [];
  optimise(compileForTest(source), {
    target,
    vectorise: { lanes, onDecision: (one) => decisions.push(one) },
  });
  return decisions.flatMap(({ outcome }) =>
    'report' in outcome
      ? outcome.report.accesses.map(({ op, shape, isMasked }) => `${op} ${shape}${isMasked ? ' masked' : ''}`)
      : [outcome.reason],
  );
}

const cases: readonly { name: string; source: string; shapes: readonly string[] }[] = [
  {
    name: 'neighbours',
    source: kernel('out[i] = in[i] * 3;'),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'neighbours in bytes',
    source: kernel('out[i] = in[i] * in[i] + 1;', 'uchar'),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'neighbours of 64 bits',
    source: kernel('out[i] = in[i] * in[i] / 3;', 'long'),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'doubles',
    source: kernel('out[i] = in[i] > 0.5 ? (double)i / 3.0 : (double)(float)i;', 'double'),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'backwards',
    source: kernel('out[n + 2 - i] = in[n + 2 - i] + i;'),
    shapes: ['load reversed', 'store reversed'],
  },
  {
    name: 'a border that does nothing',
    source: kernel('if (i == 0 || i == n - 1 || n == 0) return; out[i] = in[i - 1] + in[i + 1];'),
    shapes: ['load consecutive', 'load consecutive', 'store consecutive'],
  },
  {
    name: 'all but one place',
    source: kernel('if (i != 5) out[i] = in[i];'),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'one place',
    source: kernel('if (i == 5) out[i] = in[i];'),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'rows of a length that the launch gives',
    source: kernel('int s = 0; for (int k = 0; k < 2; k++) s += in[i * (n >> 4) + k]; out[i] = s;'),
    shapes: ['load strided', 'load strided', 'store consecutive'],
  },
  {
    name: 'a row each that is written, whose length the launch gives',
    source: kernel('for (int k = 0; k < 2; k++) out[i * (n >> 4) + k] = in[i] + k;'),
    shapes: ['load consecutive', 'store strided', 'load consecutive', 'store strided'],
  },
  {
    name: 'rows of no length: the last one stays',
    source: kernel('out[i * (n - 41) + 7] = in[i];'),
    shapes: ['load consecutive', 'store strided'],
  },
  {
    name: 'reads along rows',
    source: kernel(
      'int s = 0; for (int k = 0; k < n - 22; k++) s = s * 3 + in[i * (n >> 4) + k] * in[k]; out[i] = s;',
    ),
    shapes: ['load transposed', 'load uniform', 'store consecutive'],
  },
  {
    name: 'reads along rows that are too short, backwards or forwards from below zero',
    source: kernel(`
      int s = 0;
      for (int k = 0; k < n - 39; k++) s = s * 3 + in[i * (n >> 4) + k];
      for (int k = n; k < 5; k++) s = s * 3 + in[i * (n >> 4) + k];
      for (int k = -n; k < -20; k++) s = s * 3 + in[i * (n >> 4) + n + k];
      for (uint k = n; k > 20; k--) s = s * 3 + in[i * (n >> 4) + k];
      for (uint k = 2; k < n - 20; k += 3) s = s * 5 + in[(n + 2 - i) * (n >> 4) + k / 2] + in[i * 3 + k];
      out[i] = s;`),
    shapes: [],
  },
  {
    name: 'reads along rows of 64 bits',
    source: kernel(
      'long s = 0; for (int k = 0; k < n - 20; k++) s = s * 3 + in[(n + 2 - i) / 3 * (n >> 5) + k]; out[i] = s;',
      'long',
    ),
    shapes: [],
  },
  {
    name: 'two rows, with pointers that move and a condition inside',
    source: kernel(
      `
      float s = 0; global float *p = in + i * (n >> 4), *q = in + (n + 3 - i) * (n >> 4);
      for (int k = 0; k < n - 22; k++, p++) { float v = *p; if (q[k] > 0.5f) v = v * 2 + k; s = s * 0.5f + v; }
      out[i] = s;`,
      'float',
    ),
    shapes: [],
  },
  {
    name: 'reads along rows that the loop writes to',
    source: kernel(`
      global int *row = out + i * 2;
      int s = 0; for (int k = 0; k < 2 + (n & 1); k++) { if (k < 2) row[k] = in[i] + s; s += in[i * (n >> 4) + k] + row[k & 1]; }
      out[i * 2] = s;`),
    shapes: [],
  },
  {
    name: 'reads along rows of some',
    source: kernel(`
      int s = 0; if (in[i] & 1) for (int k = 0; k < n - 22; k++) s = s * 3 + in[i * (n >> 4) + k];
      for (int k = 0; k < (in[i] & 7); k++) s = s * 3 + in[i * (n >> 4) + k]; out[i] = s;`),
    shapes: [],
  },
  {
    name: 'neighbours in rows, written out',
    source: kernel(`
      int w = n >> 4, at = (i - 1) * w; if (n > 50) at = 0;
      out[i] = in[i * w + 1] + 3 * in[i * w + 4] - in[i * w + 3] + 7 * in[i * w + 2] + 5 * in[i * w];`),
    shapes: [],
  },
  {
    name: 'four in a row of a fixed length',
    source: kernel('out[i] = in[4 * i] + 3 * in[4 * i + 1] - in[4 * i + 2] * in[4 * i + 3];'),
    shapes: ['load transposed', 'load transposed', 'load transposed', 'load transposed', 'store consecutive'],
  },
  {
    name: 'a guard',
    source: kernel('if (i < n) out[i] = in[i] + 1;'),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'a guard of what was computed before, also before it was written over',
    source: kernel(
      'int v = in[i] * 3, w = in[i + 1]; in[i + 66] = 5; int u = in[i + 66] - in[i + 130]; if (i < n) out[i] = v - w + u;',
    ),
    shapes: [],
  },
  {
    name: 'a condition on data for what was computed before',
    source: kernel('int v = in[i + n] + 1; if (in[i] > 50) out[i] = v;'),
    shapes: ['load consecutive', 'load consecutive', 'store consecutive masked'],
  },
  {
    name: 'a condition on data',
    source: kernel('if (in[i] > 50) out[i] = in[i + n] + 1;'),
    shapes: ['load consecutive', 'load consecutive masked', 'store consecutive masked'],
  },
  {
    name: 'every third',
    source: kernel('out[3 * i] = in[3 * i + 1];'),
    shapes: ['load strided', 'store strided'],
  },
  {
    name: 'every third, of some',
    source: kernel('if (in[i] & 1) out[3 * i] = in[3 * i + 1];'),
    shapes: ['load consecutive', 'load strided masked', 'store strided masked'],
  },
  {
    name: 'addresses read from memory',
    source: kernel('out[i] = in[(uint)in[i] % 44u];'),
    shapes: ['load consecutive', 'load scattered', 'store consecutive'],
  },
  {
    name: 'addresses that are mostly neighbours',
    source: kernel('out[clamp(i + 2, 0, n)] = in[clamp(i - 2, 0, n)];').replace(
      'out[clamp(i + 2, 0, n)]',
      'out[i]',
    ),
    shapes: ['load consecutive or scattered', 'store consecutive'],
  },
  {
    name: 'a border that does something else',
    source: kernel('if (i == 3 || i == n - 1) { out[i] = 7; return; } out[i] = in[i + 3] - in[i];'),
    shapes: ['store consecutive', 'load consecutive', 'load consecutive', 'store consecutive'],
  },
  {
    name: 'a border with a value',
    source: kernel('out[i] = i > n - 9 ? in[i + 1] : in[i] + in[i + 2];'),
    shapes: ['load consecutive', 'load consecutive', 'load consecutive', 'store consecutive'],
  },
  {
    name: 'conditions of every kind',
    source:
      kernel(`int s = 0; if (i < 9) s += in[i]; if (i <= n - 9) s += in[i + 1]; if (i > 17) s ^= in[i + 2];
      if (12 <= i) s += in[i + 3]; if (n - 7 < i) s ^= in[i + 4]; if (3 * i > 50) s += in[i + 5];
      if (i != 20) s += in[i + 6]; if (3 * i == 51) s += in[i + 7]; out[i] = s;`),
    shapes: [],
  },
  {
    name: 'numbers that wrap around',
    source:
      kernel(`int s = 0; uint u = i - 5, v = i + 0x7ffffff0u; if (u < n - 9u) s += in[i]; if (u >= 0xfffffffdu) s += in[i + 1];
      if ((int)v > n) s += in[i + 2]; if ((int)v <= 0) s ^= in[i + 3]; if (u > 0xfffffffcu) s += in[i + 4];
      s += in[min(u, n + 20u)] + in[max((int)v, 5) & 31] + in[min((int)v, 9) & 31]; out[i] = s;`),
    shapes: [],
  },
  {
    name: 'low bits',
    source: kernel('out[(i & 15) + (i >> 4) * 16] = in[i & (n - 10)] + in[2 * i - (i & 7)];'),
    shapes: [],
  },
  {
    name: 'loops that lanes leave at nearly the same time',
    source: kernel(`int s = 0; for (int k = i; k < 4 * n - 9; k += 11) s += in[k] ^ k;
      for (int k = 4 * n; k > i; k -= 7) s -= in[k]; for (uint k = i; k <= n + 3u; k += 5) { if (n > 50) s += 3; s ^= in[k]; }
      for (int k = i + 132; k >= 5; k -= 44) { s += k; out[k] = s; } out[i] = s;`),
    shapes: [
      ...['load consecutive', 'load uniform', 'load consecutive'],
      ...['store consecutive', 'store consecutive'],
    ],
  },
  {
    name: 'loops that lanes never or hardly go through together',
    source:
      kernel(`int s = 0; for (int k = i; k != i + 9; k++) s += in[k]; for (int k = i; k != 21; k += 21 - i) s ^= in[k];
      for (uint k = i - 30; k < n; k += 9) s += in[k]; for (int k = i; k < n + i; k += 20) s += in[k];
      for (uint k = i; k - 9 > 3u; k++) { s += k; if (s > 100) break; } out[i] = s;`),
    shapes: [],
  },
  {
    name: 'rows and columns of a division',
    source: kernel(
      'int w = n - 25; out[(i / w) * w + i % w] = in[(uint)(i - 3) % (uint)w] + in[10 + (i - 9) % w];',
    ),
    shapes: [],
  },
  {
    name: 'vectors of four',
    source: kernel('int4 v = in[i]; out[i] = v.wzyx + v.x;', 'int4'),
    shapes: ['load interleaved', 'store interleaved'],
  },
  {
    name: 'vectors of two, of some',
    source: kernel('if (i & 2) out[i] = in[i].yx;', 'int2'),
    shapes: ['load strided masked', 'store strided masked'],
  },
  {
    name: 'vectors that are words, of some',
    source: kernel('if (i & 2) out[i] = in[i].yx;', 'short2'),
    shapes: ['load consecutive masked', 'store consecutive masked'],
  },
  {
    name: 'words in any order',
    source: kernel(
      'uchar4 v = in[(i * 5) % n]; out[i ^ 3] = convert_uchar4_sat_rte(convert_float4(v) * 1.3f - 9.5f).zyxw;',
      'uchar4',
    ),
    shapes: ['load strided', 'store consecutive or scattered'],
  },
  {
    name: 'two words each',
    source: kernel(
      'char8 v = in[i]; out[i] = convert_char8_sat(convert_short8(v) * (short)2).s13570246;',
      'char8',
    ),
    shapes: [],
  },
  {
    name: 'one place for all',
    source: kernel('if (i == 5) out[0] = in[7] + i;'),
    shapes: ['load uniform', 'store uniform'],
  },
  {
    name: 'private arrays',
    source: kernel(
      'int a[9]; for (int k = 0; k < 9; k++) a[k] = in[i] * k; int s = 0; for (int k = 0; k < n; k++) s += a[k % 9] ^ a[(i + k) % 9]; out[i] = s;',
    ),
    shapes: [],
  },
  {
    name: 'atomics',
    source: kernel('if (in[i] > 20) atomic_add(&out[in[i] & 3], in[i]);'),
    shapes: ['load consecutive', 'atomic lane by lane masked'],
  },
  {
    name: 'loops of different length, with continue, break and return',
    source: kernel(`
      int s = 0;
      for (int k = 0; k < in[i]; k++) {
        if ((k & 3) == (i & 3)) continue;
        if (k > 60 && in[i] > 80) break;
        for (int j = k; j > 0; j >>= 1) { if (j == 5) return; s += j; }
        s ^= k;
      }
      out[i] = s;`),
    shapes: [],
  },
  {
    name: 'a switch that falls through',
    source: kernel(
      'int s = i; switch (in[i] & 7) { case 0: s = 5; break; case 1: case 2: s += 9; case 3: s *= 2; break; default: s = -s; } out[i] = s;',
    ),
    shapes: ['load consecutive', 'store consecutive'],
  },
  {
    name: 'rotations, products of bytes and upper halves',
    source: kernel(
      'out[i] = rotate(in[i], 7) ^ mul_hi(in[i], 0x12345678) ^ as_int(as_uchar4(in[i]) * (uchar4)(3, 5, 7, 9));',
    ),
    shapes: [],
  },
  {
    name: 'values across a barrier',
    source: kernel(`
      local int t[22]; int4 v = (int4)(i, in[i], 3, i * i); int l = get_local_id(0);
      bool odd = in[i] & 1; t[l] = in[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[i] = t[21 - l] + v.x - v.w + (odd ? v.y : v.z);`),
    shapes: [],
  },
  {
    name: 'a private array across a barrier',
    source: kernel(`
      local int t[22]; int a[12]; int l = get_local_id(0);
      for (int k = 0; k < n % 13 + 9; k++) a[k] = in[i] * k;
      t[l] = a[3];
      barrier(CLK_LOCAL_MEM_FENCE);
      int s = t[21 - l];
      for (int k = 0; k < n % 13 + 9; k++) s += a[k];
      if (in[i] & 1) a[2] = s;
      out[i] = s + a[n & 3] + a[i & 1];`),
    shapes: [
      'load consecutive',
      'store consecutive',
      'load consecutive',
      'store consecutive',
      'load reversed',
      'load consecutive',
      'load consecutive',
      'store consecutive masked',
      'load consecutive',
      'load consecutive or scattered',
      'store consecutive',
    ],
  },
  {
    name: 'a private array of vectors across a barrier',
    source: kernel(`
      local int t[22]; int4 a[3]; int l = get_local_id(0);
      for (int k = 0; k < n % 4 + 2; k++) a[k] = (int4)(i, k, in[i], 7);
      t[l] = a[n & 1].x;
      barrier(CLK_LOCAL_MEM_FENCE);
      int4 s = t[21 - l];
      for (int k = 0; k < n % 4 + 2; k++) s = s * 3 + a[k];
      out[i] = s.x + s.y * 5 + s.z * 7 + s.w;`),
    shapes: [],
  },
  {
    name: 'a private array across a barrier, touched in pieces of several sizes',
    source: kernel(`
      local int t[22]; int a[8]; int l = get_local_id(0);
      for (int k = 0; k < 8; k++) a[(k + n) & 7] = in[i] * k;
      t[l] = a[n & 7];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[i] = t[21 - l] + ((private short *)a)[(n & 7) + (i & 1)] + vload2(n & 1, a).y;`),
    shapes: [],
  },
];

describe.each(cases)('vectorised: $name', ({ source, shapes }) => {
  it.each([wasm, x64])('reaches memory so on $name', (target) => {
    if (shapes.length > 0) expect(shapesOf(source, 8, target)).toEqual(shapes);
  });

  it.each([2, 8, 16] as const)('by %i does what one by one does', (lanes) => {
    const expected = outputOf((args) => runOnInterpreter(compileForTest(source), 'test', range, args));
    const module = compileForTest(source);
    optimise(module, { verify: assertValid, target: wasm, vectorise: { lanes } });
    expect(outputOf((args) => runOnInterpreter(module, 'test', range, args))).toEqual(expected);
    const run = wasmRunner(compileForTest(source), { lanes });
    expect(outputOf((args) => run('test', range, args))).toEqual(expected);
  });
});

describe('a loop that work-items leave in hundreds of places', () => {
  const loop = (count: number, leave: string): string => {
    const ways = Array.from({ length: count }, (_, at) => `if (a == ${at} + j) ${leave} a = a * 3 + j;`);
    return kernel(`int a = in[i]; for (int j = 0; j < n >> 3; j++) { ${ways.join('\n')} } out[i] = a;`);
  };
  const throughout = loop(520, '{ a++; continue; }');
  it('is left alone where its vectorised form would nest too deep, and still compiles', () => {
    expect(shapesOf(throughout, 8)).toEqual(['its work-items leave loops and blocks in too many places']);
    const expected = outputOf((args) => runOnInterpreter(compileForTest(throughout), 'test', range, args));
    const run = wasmRunner(compileForTest(throughout), { lanes: 8, verify: false });
    expect(outputOf((args) => run('test', range, args))).toEqual(expected);
  });
  it('is vectorised where nobody who leaves comes back, for that does not nest', () => {
    expect(shapesOf(loop(500, 'break;'), 4)).toEqual(['load consecutive', 'store consecutive']);
  });
});

describe('the cost model', () => {
  const lanesOf = (source: string): unknown => {
    let found: unknown;
    const onDecision = ({ itemLoop, outcome }: VectoriseDecision): void => {
      // Where a long loop is cut, it is the loop that counts.
      const hasLoop = itemLoop.regions[0]!.instructions.some(({ op }) => op === 'loop');
      if (found === undefined || hasLoop) found = 'lanes' in outcome ? outcome.lanes : 'one by one';
    };
    optimise(compileForTest(source), { target: wasm, vectorise: { onDecision } });
    return found;
  };
  it('takes as many lanes as suit the types', () => {
    const polynomial = (degree: number): string =>
      `${'((i * 3 + '.repeat(degree)}in[i]${') * in[i])'.repeat(degree)}`;
    expect(lanesOf(kernel(`out[i] = ${polynomial(9)};`))).toBe(8);
    expect(lanesOf(kernel(`out[i] = ${polynomial(9)};`, 'double'))).toBe(4);
    expect(lanesOf(kernel('out[i] = in[i];', 'uchar'))).toBe(16);
  });
  it('takes half as many where sums would need several times the registers', () => {
    const sums = (type: string): string =>
      kernel(
        `${type} a = 0, b = 0; for (int k = 0; k < n; k++) { float v = in[k * n + i]; a += v; b += a * v; } out[i] = a.s0 * b.s1;`,
        'float',
      );
    expect(lanesOf(sums('float8'))).toBe(8);
    expect(lanesOf(sums('float16'))).toBe(4);
  });
  it('takes twice as many for what only passes through, where rows are long', () => {
    expect(lanesOf(kernel('out[i] = in[i] * 2 + in[i + 1];'))).toBe(16);
    expect(lanesOf(kernel('out[i] = in[i] * 2 + in[i + 1];', 'double'))).toBe(8);
    expect(lanesOf(kernel('for (int k = i; k < n; k += 99) out[k] = in[k] + 2;'))).toBe(16);
    const below = 'i += get_global_id(1) * n;';
    expect(lanesOf(kernel(`${below} out[i] = in[i] * 2;`))).toBe(16);
    expect(lanesOf(kernel(`${below} out[i] = in[i] * 2 + get_group_id(0);`))).toBe(8);
    expect(lanesOf(kernel('out[i] = in[i & (n - 1)] * 2;'))).toBe(16);
    expect(lanesOf(kernel('out[i & (n - 1)] = in[i] * 2;'))).toBe(8);
  });
  it('leaves alone what would wait for itself', () => {
    const lock = 'while (atomic_cmpxchg(&in[0], 0, 1) != 0) {} out[0] += i; atomic_xchg(&in[0], 0);';
    expect(lanesOf(kernel(lock))).toBe('one by one');
    const sum = 'int old; do old = in[0]; while (atomic_cmpxchg(&in[0], old, old + in[i]) != old);';
    expect(lanesOf(kernel(`${sum} for (int k = 0; k < 99; k++) out[i] += in[i + k];`))).toBe(8);
  });
  it('takes twice the lanes where a loop waits for its own sums, along long rows', () => {
    const sums = (inner: string, more = ''): string =>
      kernel(`${more} float a = 0, b = 0; for (int k = 0; k < n; k++) { ${inner} } out[i] = a + b;`, 'float');
    expect(lanesOf(sums('a += in[k * n + i];'))).toBe(16);
    expect(lanesOf(sums('a += in[k * n + i]; b += in[(k + n) * n + i];'))).toBe(16);
    // A row may be short where there are several.
    expect(lanesOf(sums('a += in[k * n + i];', 'i += n * get_global_id(1);'))).toBe(8);
    // Busy enough, or out of registers.
    expect(lanesOf(sums('float v = in[k * n + i]; a += fabs(v) * v + fabs(v - 1) * v * v;'))).toBe(8);
    expect(lanesOf(sums('c += in[k * n + i]; b += c; a += b;', 'float c = 0;'))).toBe(8);
  });
  it('leaves alone what would lose', () => {
    const atomics = [0, 1, 2, 3, 4, 5].map((bit) => `atomic_add(&out[(in[i] >> ${bit}) & 3], ${bit});`);
    expect(lanesOf(kernel(atomics.join(' ')))).toBe('one by one');
  });
  it('leaves alone what reads in a row of a matrix for each work-item, but for more to gain', () => {
    const rows = (inner: string): string =>
      kernel(`float a = 0, b = 0; for (int k = 0; k < n; k++) { ${inner} } out[i] = a + b;`, 'float');
    expect(lanesOf(rows('a += in[i * n + 2 * k]; b += in[(i + n) * n + 2 * k];'))).toBe('one by one');
    expect(lanesOf(rows('a += in[i * n + k];'))).toBe(8);
    // Four iterations of both would take all registers.
    expect(lanesOf(rows('a += in[i * n + k]; b += in[(i + n) * n + k];'))).toBe(4);
    expect(lanesOf(rows('a += in[i * n + k] * in[k * n]; b = sqrt(a) * b + a / (b + 2);'))).toBe(8);
    expect(lanesOf(rows('a += in[k * n + i]; b += in[(k + n) * n + i];'))).toBe(16);
  });
});

it('tells people what it did', () => {
  const source = `kernel void scale(global const float *in, global float *out, float factor, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < 100; k++) v = v * factor + in[k];
  out[i * 5] = v;
}
`;
  expect(inspect(source, { name: 'scale.cl', emit: 'vectors' }).output).toMatchInlineSnapshot(`
    "kernel scale
      work-items from scale.cl:2: 16 at once
        3:3      if      guard                    if (i >= n) return;
        4:13     load    consecutive              in[i]
        5:12     loop    uniform                  k
        5:12     if      uniform                  k
        5:50     load    uniform                  in[k]
        6:3      store   strided                  out[i * 5] = v
    "
  `);
});

it('judges calls of functions that stay by what these serve, not by their names', () => {
  const text = (attributes: string): string => `module address=32

kernel @k(%a: ptr<global>) {
  %0 = query global_id 0 : i32
  %1 = constant 4 : i32
  %2 = imul %0, %1 : i32
  %3 = offset %a, %2 : ptr<global>
  %4 = load %3 align=4 : f32
  %5 = call @root(%4) : f32
  store %3, %5 align=4
  return
}

function @root(%x: f32) -> f32 outlined${attributes} {
  %0 = fsqrt %x : f32
  return %0
}
`;
  const told = (attributes: string): string =>
    String(inspect(text(attributes), { name: 'k.ir', emit: 'vectors' }).output);
  expect(told('')).toContain("one by one, for calls of 'root', which stays a function");
  expect(told(' serves(images)')).toContain('one by one, for reads and writes of images whose formats');
  expect(told(' serves(pipes)')).toMatch(/work-items .*: \d+ at once/);
});

it('says why a kernel stays as it is', () => {
  const source = `kernel void swap(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, p.yx));
}
__attribute__((noinline)) float root(float x) { return sqrt(x); }
kernel void roots(global float *a) { a[get_global_id(0)] = root(a[get_global_id(0)]); }
`;
  expect(inspect(source, { name: 'stays.cl', emit: 'vectors' }).output).toMatchInlineSnapshot(`
    "kernel swap
      work-items from stays.cl:2: one by one, for reads and writes of images whose formats only a launch knows

    kernel roots
      work-items from stays.cl:6: one by one, for calls of 'root', which stays a function (6:60  root(a[get_global_id(0)]))
    "
  `);
});
