/** What brcc -k writes runs through CAL, and leaves what the kernels leave on the runtime's own way. */
import { getDevices } from 'millrace/brook';
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { begin, end } from '../api/cal/il-programs.ts';
import { type KernelResults, type KernelRun, runOnBrook, runThroughCal } from './run-through-cal.ts';

const device = getDevices('cal')[0]!;

beforeAll(() => {
  cal.calChooseDevices('webassembly');
});
afterEach(() => end());
afterAll(() => {
  cal.calShutdown();
  device.close();
});

/** Both ways must leave the same; gives it. */
function runBoth(source: string, run: KernelRun, strongTypes = true): KernelResults {
  const own = runOnBrook(device, source, run, strongTypes);
  end();
  expect(runThroughCal(begin(), source, run, strongTypes)).toEqual(own);
  return own;
}

const count = (length: number, from = 0): number[] => Array.from({ length }, (_, index) => index + from);
const nothing = (length: number): number[] => new Array<number>(length).fill(0);

describe('IL through CAL', () => {
  it('has structures, as streams, arrays, values, variables and results', () => {
    const source = `
      typedef struct { float2 at; int weight; } Point;
      typedef struct { Point a; double b; Point c; } Pair;
      kernel Point moved(Point p, float2 by) { Point q; q = p; q.at += by; q.weight++; return q; }
      kernel void swap(Pair from, out Pair to<>) { to.a = from.c; to.c = from.a; to.b = -from.b; }
      kernel void f(Pair a<>, Point all[], Point by, int turn, out Pair b<>, out float sum<>) {
        Pair other = a;
        Point mine;
        swap(a, other);
        mine = turn > 0 ? moved(all[instance().x], by.at) : other.a;
        b = other;
        b.a = moved(b.a, by.at);
        b.c.at.y = mine.at.x;
        sum = mine.at.y + (float)(mine.weight * by.weight);
      }`;
    const points = [1, 2, 3, 4, 5, 6, 7];
    const b = { sizes: [2], numbers: nothing(14) };
    const run = (turn: number): KernelRun => ({
      a: { sizes: [2], numbers: [...points, ...points.map((number) => number * 10)] },
      all: { sizes: [2], numbers: [0.5, 1.5, 100, 2.5, 3.5, 200] },
      by: { numbers: [0.25, 8, 3] },
      turn: { numbers: [turn] },
      b,
      sum: { sizes: [2], numbers: [0, 0] },
    });
    expect(runBoth(source, run(1))).toEqual({
      b: [5.25, 14, 8, -4, 1, 0.75, 3, 50.25, 68, 71, -40, 10, 2.75, 30],
      sum: [9.5 + 303, 11.5 + 603],
    });
    expect(runBoth(source, run(0))['sum']).toEqual([6 + 21, 60 + 210]);
  });

  it('has doubles', () => {
    const source = `
      kernel void f(double a<>, double2 b<>, double k, int n, out double2 c<>, out double2 d<>, out int4 e<>) {
        double2 both = double2(a, k);
        c = both.yx * b - b / both;
        c.y += a > k ? abs(-a) : sqrt(k);
        d = double2(floor(b.x), fmod(b.y, k)) + double2(round(a), sign(b.y));
        d.x = min(d.x, 1.0e300) + clamp(a, 0.0, 1.0) + dot(b, b) + (double)n + (double)(float)a;
        e = int4(a == k, b.x < b.y && a != k, (int)b.y, any(b) == 1.0);
      }`;
    const run = {
      a: { sizes: [3], numbers: [0.1, 2.5, -7.25] },
      b: { sizes: [3], numbers: [1.75, -2.25, 1e10, 1e-10, 3.125, 0] },
      k: { numbers: [2.5] },
      n: { numbers: [3] },
      c: { sizes: [3], numbers: nothing(6) },
      d: { sizes: [3], numbers: nothing(6) },
      e: { sizes: [3], numbers: nothing(12) },
    };
    const { c, d, e } = runBoth(source, run);
    expect(c!.slice(0, 2)).toEqual([2.5 * 1.75 - 1.75 / 0.1, 0.1 * -2.25 - -2.25 / 2.5 + Math.sqrt(2.5)]);
    expect(d![1]).toBe((-2.25 % 2.5) + -1);
    expect(e!.slice(0, 8)).toEqual([0, 0, -2, 1, 1, 0, 0, 1]);
  });

  it('has streams of 8 and 16 bits, with all of their values', () => {
    const source = `
      kernel void f(char a<>, uchar b<>, short4 c[], ushort2 d<>, uchar k, out char p<>, out uchar2 q<>, out short r<>, out ushort4 s<>) {
        p = a + (char)1;
        q = uchar2(b - k, (uchar)a);
        r = c[instance().x].w;
        s = ushort4(d.y, d.x * (ushort)2, (ushort)c[instance().x].x, (ushort)(int)b);
      }`;
    const shorts = Array.from({ length: 256 * 4 }, (_, index) => ((index * 8191) % 65536) - 32768);
    const { p, q, r, s } = runBoth(source, {
      a: { sizes: [256], numbers: count(256, -128) },
      b: { sizes: [256], numbers: count(256) },
      c: { sizes: [256], numbers: shorts },
      d: { sizes: [256], numbers: count(512, 65024) },
      k: { numbers: [200] },
      p: { sizes: [256], numbers: nothing(256) },
      q: { sizes: [256], numbers: nothing(512) },
      r: { sizes: [256], numbers: nothing(256) },
      s: { sizes: [256], numbers: nothing(1024) },
    });
    expect(p).toEqual([...count(255, -127), -128]);
    expect(q!.slice(0, 4)).toEqual([56, 128, 57, 129]);
    expect(r).toEqual(shorts.filter((_, index) => index % 4 === 3));
    expect(s!.slice(-4)).toEqual([65535, 65532, shorts[1020]! & 0xffff, 255]);
  });

  it('has arrays of three and four dimensions, kept inside', () => {
    const source = `
      kernel void f(float a[][][], int b[][][][], int i<>, out float c<>, out int d<>) {
        int4 at = instance();
        c = a[i][at.y][at.x] + 1000.0f * a[int3(at.x, at.y, i)];
        d = b[i][1][at.y][at.x] + b[at];
      }`;
    const { c, d } = runBoth(source, {
      a: { sizes: [3, 2, 4], numbers: count(24) },
      b: { sizes: [3, 2, 2, 2], numbers: count(24, 100) },
      i: { sizes: [3, 2], numbers: [0, 1, 2, 3, -5, 9] },
      c: { sizes: [3, 2], numbers: nothing(6) },
      d: { sizes: [3, 2], numbers: nothing(6) },
    });
    expect(c).toEqual([0, 7, 14, 21, 4, 23].map((place) => place * 1001));
    expect(d).toEqual([206, 220, 222, 224, 214, 228]);
  });

  it('reduces, to one element and to blocks, in the order of the elements', () => {
    const sum = 'reduce void f(float a<>, reduce float r<>) { r += a * a; }';
    const a = { sizes: [6, 4], numbers: count(24) };
    expect(runBoth(sum, { a, r: { sizes: [1, 1], numbers: [0] } })).toEqual({ r: [4324] });
    const product = `typedef struct { float4 m; } Matrix;
      reduce void f(Matrix a, reduce Matrix r<>) {
        float4 b = r.m;
        r.m = float4(b.x * a.m.x + b.y * a.m.z, b.x * a.m.y + b.y * a.m.w, b.z * a.m.x + b.w * a.m.z, b.z * a.m.y + b.w * a.m.w);
      }`;
    const matrices = Array.from({ length: 8 }, (_, index) => [1, index + 1, 0, 1 + (index % 3)]).flat();
    const { r } = runBoth(product, {
      a: { sizes: [4, 2], numbers: matrices },
      r: { sizes: [2, 1], numbers: nothing(8) },
    });
    // (1 1; 0 1) (1 2; 0 2) (1 5; 0 2) (1 6; 0 3)
    expect(r!.slice(0, 4)).toEqual([1, 45, 0, 12]);
    const most = 'reduce void f(char a<>, reduce char r<>) { r = max(r, a); }';
    expect(
      runBoth(most, {
        a: { sizes: [8], numbers: [-128, -3, -7, -100, 5, 6, 127, 1] },
        r: { sizes: [2], numbers: [0, 0] },
      }),
    ).toEqual({ r: [-3, 127] });
  });

  it('shares memory in groups of threads', () => {
    const source = `
      Attribute[GroupSize(16)]
      kernel void f(float4 a<>, int step, out float4 b[][]) {
        shared float4 lds[32];
        int own = instanceInGroup().x;
        lds[2 * instanceInGroup().x + 0] = a;
        lds[2 * instanceInGroup().x + 1] = float4((float)instance().y, a.x * 2.0f, 0.0f, 0.0f);
        lds[2 * instanceInGroup().x + 1].zw = a.zw;
        syncGroup();
        b[instance().y][instance().x] = lds[2 * ((own + step) % 16)] + lds[2 * (15 - own) + 1];
      }`;
    const { b } = runBoth(source, {
      a: { sizes: [16, 3], numbers: count(192) },
      step: { numbers: [5] },
      b: { sizes: [16, 3], numbers: nothing(192) },
    });
    // The first thread of the second row: the element of thread 5, and of thread 15 its row and twice its first component.
    expect(b!.slice(64, 66)).toEqual([84 + 1, 85 + 2 * 124]);
    const odd = `
      Attribute[GroupSize(16)]
      kernel void f(int a<>, out int b[][]) {
        shared int4 lds[16];
        lds[1 * instanceInGroup().x + 0] = int4(a, 0, 0, a);
        syncGroup();
        b[instance().y][instance().x] = lds[0].w + instance().y * 1000;
      }`;
    const rows = runBoth(odd, {
      a: { sizes: [10, 4], numbers: count(40) },
      b: { sizes: [10, 4], numbers: nothing(40) },
    });
    expect(rows['b']!.slice(10, 20)).toEqual([1000, 1000, 1000, 1000, 1000, 1000, 1016, 1016, 1016, 1016]);
  });

  it('changes elements of arrays that it scatters to, and their components', () => {
    const source = `
      kernel void f(int i<>, float4 a<>, out float4 c[][]) {
        c[0][i].xz = a.yw;
        c[0][i].w += a.x;
        c[1][i].zyx.y *= 2.0f;
        c[1][i]--;
        c[1][3 - i] = c[1][3 - i] + c[7][i];
      }`;
    const { c } = runBoth(source, {
      i: { sizes: [3, 2], numbers: [1, 0, 5, 7, -1, 2] },
      a: { sizes: [3, 2], numbers: count(24, 1) },
      c: { sizes: [3, 2], numbers: count(24, 100) },
    });
    expect(c!.slice(0, 4)).toEqual([6, 101, 8, 108]);
    expect(c!.slice(8, 12)).toEqual([22, 109, 24, 132]);
  });

  it('computes assignments in the type of both operands, and has constants as casts make them', () => {
    const source = `
      kernel void f(int i<>, float2 a<>, out int4 c[]) {
        char small = (char)300;
        int2 v = int2(i, 3);
        v.y *= a.x;
        v *= 1.5f;
        c[i].xz *= a;
        c[i].w -= 0.5f;
        c[i].y = v.x * 1000 + v.y + ((int)0xFFFFFFFFu < 0 ? 100 : 200) * small;
      }`;
    const run = {
      i: { sizes: [2], numbers: [1, 0] },
      a: { sizes: [2], numbers: [1.5, 2.5, 0.5, -1] },
      c: { sizes: [2], numbers: [1, 2, 3, 4, 5, 6, 7, -8] },
    };
    // v is (i * 1.5, (int)(3 * a.x) * 1.5), which are (1, 6) and (0, 1).
    expect(runBoth(source, run, false)).toEqual({ c: [0, 4401, -3, 3, 7, 5406, 17, -8] });
  });

  it('has the values of assignments, of which a part of the source may change', () => {
    const source = `
      kernel void f(int2 a<>, double2 d<>, out int2 b<>, out double2 c<>) {
        int2 w = a;
        double2 e = d;
        int2 v = (w.yx = w);
        double2 g = (e.yx = e);
        b = v * 10 + w;
        c = g * 10.0 + e;
      }`;
    const run = {
      a: { sizes: [1], numbers: [1, 2] },
      d: { sizes: [1], numbers: [3, 4] },
      b: { sizes: [1], numbers: [0, 0] },
      c: { sizes: [1], numbers: [0, 0] },
    };
    expect(runBoth(source, run, false)).toEqual({ b: [12, 21], c: [34, 43] });
  });
});
