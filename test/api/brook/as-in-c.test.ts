/**
 * Where Brook+ is C: constants as casts make them, assignments that compute, words of types. Expected values are worked out by hand
 * from C99 6.3 and 6.5.16.2, on the wasm device and on the interpreter.
 */
import { type BrookDevice, brook, getDevices, type Stream } from 'millrace/brook';
import { afterAll, describe, expect, it } from 'vitest';

const devices = [getDevices('cal')[0]!, getDevices('cpu')[0]!];

afterAll(() => {
  for (const device of devices) device.close();
});

const arrays = { int: Int32Array, uint: Uint32Array, float: Float32Array, double: Float64Array } as const;

describe.each(devices.map((device) => [device.getType(), device] as const))(
  'on %s',
  (_, device: BrookDevice) => {
    /** What a kernel `f(int a<>, out TYPE b<>)` makes of a stream. */
    function made(
      type: keyof typeof arrays,
      body: string,
      from: readonly number[],
      strongTypes = true,
      width = '',
    ): number[] {
      const source = `kernel void f(int${width} a<>, out ${type}${width} b<>) { ${body} }`;
      const { kernels, stream } = brook(source, { device, strongTypes });
      const count = from.length / Number(width || 1);
      const [a, b] = [stream(`int${width}`, [count]), stream(`${type}${width}`, [count])] as [Stream, Stream];
      a.read(Int32Array.from(from));
      kernels['f']!(a, b);
      const out = new arrays[type](from.length);
      b.write(out);
      expect(b.errorLog()).toBe('');
      return [...out];
    }

    it.each([
      ['double', 'b = (double)0.1f;', Math.fround(0.1)],
      ['double', 'b = (double)(float)0.1;', Math.fround(0.1)],
      ['double', 'b = (double)0.1;', 0.1],
      ['float', 'b = (float)16777217u;', 16777216],
      ['uint', 'b = (uint)(float)16777217;', 16777216],
      ['float', 'b = 0x1.8p3f + (float)0x.4p-2;', 12.0625],
      ['int', 'b = (int)0xFFFFFFFF / 2;', 0],
      ['int', 'b = (int)0xFFFFFFFEu < 0 ? 5 : 6;', 5],
      ['int', 'b = (int)0x80000000 / 2 - (int)4294967295;', -(2 ** 30) + 1],
      ['uint', 'b = (uint)-1 >> 4u;', 2 ** 28 - 1],
      ['int', 'b = (int)(char)300 + (int)(uchar)511 - (int)(short)0x18000;', 44 + 255 + 32768],
    ] as const)('constants: %s %s', (type, body, expected) => {
      expect(made(type, body, [7])).toEqual([expected]);
    });

    it.each([
      ['int i; int j; for (i = 0, j = (i = -3); i < n; i++) s += g[i];', 3 * 10 + 10 + 20 + 30 + 40],
      ['int j; for (int i = 0, k = (i = -3); i < n; i++) s += g[i] + k - k;', 3 * 10 + 10 + 20 + 30 + 40],
      ['int i; for (i = 0; i < n; i++) s += g[i];', 10 + 20 + 30 + 40],
    ])('a counter that begins below the array reads its first element: %s', (loop, expected) => {
      const source = `kernel void f(int g[], int n, out int b<>) { int s = 0; ${loop} b = s; }`;
      const { kernels, stream } = brook(source, { device });
      const [g, b] = [stream('int', [4]), stream('int', [2])] as [Stream, Stream];
      g.read(Int32Array.of(10, 20, 30, 40));
      kernels['f']!(g, 4, b);
      const out = new Int32Array(2);
      b.write(out);
      expect([...out]).toEqual([expected, expected]);
    });

    it.each([
      ['int i = a; i *= 1.5f; b = i;', [1, 3, 5, -7], [1, 4, 7, -10]],
      ['int i = a; i -= 0.5f; b = i;', [1, 3, 5, -7], [0, 2, 4, -7]],
      ['int i = a; i /= 0.25; b = i;', [1, 3, -5], [4, 12, -20]],
      ['char c = (char)a; c /= 300; b = c;', [100, -128, 7], [0, 0, 0]],
      ['uchar c = (uchar)a; c += 1000; b = c;', [100, 255, 7], [76, 231, 239]],
      ['float f = 16777216.0f; f += (double)a + 0.25; b = (int)f;', [1], [16777218]],
    ] as const)('assignments compute in the type of both: %s', (body, from, expected) => {
      expect(made('int', body, from, false)).toEqual(expected);
    });

    it('and so do those to vectors, and to components', () => {
      const body = 'int4 i = a; i *= 1.5f; i.zx -= 0.5f; i.w += float2(0.75f, 9.0f); b = i;';
      expect(made('int', body, [1, 3, 5, -7, 8, -8, 9, -9], false, '4')).toEqual([
        0, 4, 6, -9, 11, -12, 12, -12,
      ]);
    });

    it('and to elements that are scattered to', () => {
      const source = `kernel void f(int i<>, out int2 c[]) {
        c[i] *= 2.5f;
        c[i].y -= 0.5f;
        c[i + 100] += 1.5f;
      }`;
      const { kernels, stream } = brook(source, { device, strongTypes: false });
      const [i, c] = [stream('int', [3]), stream('int2', [3])];
      i.read(Int32Array.of(2, 0, 1));
      c.read(Int32Array.of(1, 3, 5, -7, 9, 10));
      kernels['f']!(i, c);
      const out = new Int32Array(6);
      c.write(out);
      expect([...out]).toEqual([2, 6, 12, -17, 22, 24]);
    });

    it('the words of integers in any order', () => {
      const body = `short unsigned s = (int short unsigned)(int)65535; int unsigned u = 4000000000u; signed short int t = (short signed)-3;
        b = (uint)s + u + (uint)(int)t;`;
      expect(made('uint', body, [0])).toEqual([65535 + 4000000000 - 3 - 2 ** 32 + 2 ** 32]);
    });

    it('structures have zeros where a kernel writes nothing', () => {
      const source = `
        typedef struct { int k; float2 at; } Inner;
        typedef struct { float4 v; Inner in; double d; } Outer;
        kernel void f(int a<>, out Outer p<>) { if (a > 1) p.in.at.y = 7.0f; }`;
      const { kernels, stream } = brook(source, { device });
      const [a, p] = [stream('int', [4]), stream('Outer', [4])];
      a.read(Int32Array.of(0, 1, 2, 3));
      kernels['f']!(a, p);
      const out = new Uint8Array(p.byteLength);
      p.write(out);
      const size = p.byteLength / 4;
      const words = Array.from({ length: 4 }, (_, index) => [
        ...new Float32Array(out.slice(index * size, (index + 1) * size).buffer),
      ]);
      const row = (y: number): number[] => [0, 0, 0, 0, 0, 0, y, ...new Array<number>(size / 4 - 7).fill(0)];
      expect(words).toEqual([row(0), row(0), row(7), row(7)]);
    });
  },
);
