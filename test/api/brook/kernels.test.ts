/**
 * Kernels of Brook+ run on the wasm device, on the interpreter (Brook+'s cpu) and from plain sizes to odd ones. Values come from the
 * Stream Computing User Guide where it prints them, else from the same computation in JavaScript.
 */
import { type BrookDevice, brook, getDevices, type Stream, useDevices } from 'millrace/brook';
import { afterAll, describe, expect, it } from 'vitest';

const devices = [getDevices('cal')[0]!, getDevices('cpu')[0]!];

afterAll(() => {
  for (const device of devices) device.close();
});

const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

function floats(stream: Stream): number[] {
  const out = new Float32Array(stream.byteLength / 4);
  stream.write(out);
  return [...out];
}

describe.each(devices.map((device) => [device.getType(), device] as const))(
  'on %s',
  (_, device: BrookDevice) => {
    const source = `
    kernel void sum(float a<>, float b<>, out float c<>) { c = a + b; }
    kernel void copy(float a<>, out float b<>) { b = a; }
    kernel void place(float a<>, out float4 b<>) { b = indexof(b); }
    kernel void mul(float A[][], float B[][], int n, out float c<>) {
      int4 at = instance();
      int i = 0;
      float total = 0.0f;
      for (i = 0; i < n; i++) total += A[at.y][i] * B[i][at.x];
      c = total;
    }
    kernel float search(float key, float a[], int steps, int n) {
      float stride = floor((float)n * 0.5f + 0.5f);
      float at = stride;
      int i = 0;
      for (i = 0; i < steps; i++) {
        stride = floor(stride * 0.5f + 0.5f);
        at += (key <= a[at] ? -1.0f : 1.0f) * stride;
      }
      at += key <= a[at] ? -1.0f : 1.0f;
      at += key <= a[at] ? 0.0f : 1.0f;
      at = max(at, 0.0f);
      return key == a[at] ? at : -1.0f;
    }
    kernel void binary_search(float key<>, float a[], int steps, int n, out float found<>) {
      found = search(key, a, steps, n);
    }
    kernel void scatter(float index<>, float a<>, out float b[]) { b[index] = a; }
    reduce void total(float a<>, reduce float r<>) { r += a; }
    reduce void largest(float a<>, reduce float r<>) { if (a > r) r = a; }
    reduce void last(float a<>, reduce float r<>) { if (a != 0.0f) r = a; }
    reduce void over10(float a<>, reduce float r) { if (a > 10.0f) r += a; }
    reduce void product(reduce float4 r<>, float4 m<>) {
      r = float4(r.x * m.x + r.y * m.z, r.x * m.y + r.y * m.w, r.z * m.x + r.w * m.z, r.z * m.y + r.w * m.w);
    }
    Attribute[GroupSize(64)]
    kernel void neighbour(float4 a<>, out float4 c[][]) {
      shared float4 lds[64];
      int own = instanceInGroup().x;
      lds[1 * instanceInGroup().x + 0] = a;
      syncGroup();
      c[instance().y][instance().x] = lds[(own + 1) % 64];
    }
    typedef struct Pair_t { float4 first; float second; } Pair;
    kernel void swapped(Pair p<>, out Pair q<>) { q.first = p.first.wzyx; q.second = -p.second; }
    kernel void wide(char3 a<>, float3 b<>, out float3 c<>) { c = b + (float3)a; }`;
    const { kernels, stream } = brook(source, { device });

    /** A stream with numbers. */
    function filled(sizes: readonly number[], values: readonly number[], type = 'float'): Stream {
      const made = stream(type, sizes);
      made.read(Float32Array.from(values));
      return made;
    }

    it.each([[[10]], [[10, 10]], [[3, 5, 7]], [[2, 3, 4, 5]]])('maps streams of sizes %j', (sizes) => {
      const all = sizes.reduce((product, size) => product * size, 1);
      const c = stream('float', sizes);
      kernels['sum']!(
        filled(sizes, count(all)),
        filled(
          sizes,
          count(all).map((one) => one * 100),
        ),
        c,
      );
      expect(floats(c)).toEqual(count(all).map((one) => one * 101));
      expect(c.error()).toBe('BR_NO_ERROR');
    });

    it('resizes inputs as the guide prints it', () => {
      const [five, ten] = [stream('float', [5]), stream('float', [10])];
      kernels['copy']!(filled([10], count(10)), five);
      kernels['copy']!(filled([5], count(5)), ten);
      expect(floats(five)).toEqual([0, 2, 4, 6, 8]);
      expect(floats(ten)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
      expect(five.error()).toBe('BR_NO_ERROR');
      expect(five.errorLog()).toContain("Input stream dimension doesn't match with output dimension");
    });

    it('tells positions with x first', () => {
      const b = stream('float4', [3, 2]);
      kernels['place']!(filled([3, 2], count(6)), b);
      const rows = [0, 1].flatMap((y) => [0, 1, 2].flatMap((x) => [x, y, 0, 0]));
      expect(floats(b)).toEqual(rows);
    });

    it('multiplies matrices by gathering', () => {
      const [a, b] = [count(12), count(20).map((one) => one - 7)];
      const c = stream('float', [5, 3]);
      kernels['mul']!(filled([4, 3], a), filled([5, 4], b), 4, c);
      const expected = count(15).map((at) => {
        const [row, column] = [Math.floor(at / 5), at % 5];
        return count(4).reduce((sum, i) => sum + a[row * 4 + i]! * b[i * 5 + column]!, 0);
      });
      expect(floats(c)).toEqual(expected);
    });

    // The interpreter takes its time.
    const large = device.getType() === 'cal' ? 1000 : 100;

    it.each([4, 16, 64, large])('searches among %d elements, reading beyond both ends', (n) => {
      const data = count(n).map((one) => one * 2);
      const keys = count(2 * n).map((one) => one - 1);
      const found = stream('float', [keys.length]);
      kernels['binary_search']!(
        filled([keys.length], keys),
        filled([n], data),
        Math.ceil(Math.log2(n)),
        n,
        found,
      );
      expect(floats(found)).toEqual(keys.map((key) => data.indexOf(key)));
    });

    it('scatters, and writes nothing beyond the array', () => {
      const b = filled([4], [9, 9, 9, 9]);
      kernels['scatter']!.domainSize(5);
      kernels['scatter']!(filled([5], [3, 2, 1, -1, 4]), filled([5], [10, 20, 30, 40, 50]), b);
      expect(floats(b)).toEqual([9, 30, 20, 10]);
    });

    it.each([1, 7, 100, 5 * large])('reduces %d elements', (n) => {
      const values = count(n).map((one) => (one * 37) % 101);
      const result = Float32Array.of(12345);
      const a = filled([n], values);
      kernels['total']!(a, result);
      expect(result[0]).toBe(values.reduce((sum, one) => sum + one, 0));
      kernels['largest']!(a, result);
      expect(result[0]).toBe(Math.max(...values));
      kernels['over10']!(a, result);
      expect(result[0]).toBe(values.filter((one) => one > 10).reduce((sum, one) => sum + one, 0));
    });

    it('keeps the order of elements where the operation does not commute', () => {
      // Matrices (1 1; 0 1) and (1 0; 1 1) in turn: Fibonacci numbers.
      const matrices = count(16).flatMap((one) => (one % 2 === 0 ? [1, 1, 0, 1] : [1, 0, 1, 1]));
      const result = new Float32Array(4);
      kernels['product']!(result, filled([16], matrices, 'float4'));
      expect([...result]).toEqual([1597, 987, 987, 610]);
    });

    it('reduces to streams by blocks and by rows', () => {
      const s = filled([6, 4], count(24));
      const [blocks, rows] = [stream('float', [3, 2]), stream('float', [4])];
      kernels['total']!(s, blocks);
      kernels['total']!(s, rows);
      expect(floats(blocks)).toEqual([14, 22, 30, 62, 70, 78]);
      expect(floats(rows)).toEqual([15, 51, 87, 123]);
    });

    it('reduces long rows, long columns and large blocks', () => {
      const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
      const wide = count(2048).map((one) => (one * 7) % 32);
      const s = filled([1024, 2], wide);
      const rows = [stream('float', [2]), stream('float', [2])] as const;
      kernels['total']!(s, rows[0]);
      kernels['largest']!(s, rows[1]);
      expect(floats(rows[0])).toEqual([sum(wide.slice(0, 1024)), sum(wide.slice(1024))]);
      expect(floats(rows[1])).toEqual([31, 31]);
      const columns = stream('float', [4, 1]);
      kernels['total']!(filled([4, 512], wide), columns);
      expect(floats(columns)).toEqual(count(4).map((x) => sum(wide.filter((_, index) => index % 4 === x))));
      // What comes last stays last, also where blocks are folded in parts.
      const blocks = stream('float', [2, 1]);
      kernels['last']!(
        filled(
          [128, 64],
          count(8192).map((one) => (one % 128 === 50 || one % 128 === 70 ? one : 0)),
        ),
        blocks,
      );
      expect(floats(blocks)).toEqual([63 * 128 + 50, 63 * 128 + 70]);
    });

    it.each([[[128, 2]], [[100, 3]]])('shares memory in groups over %j', (sizes) => {
      const [width = 1, height = 1] = sizes;
      const total = width * height;
      const c = stream('float4', sizes);
      const values = count(total * 4);
      kernels['neighbour']!(filled(sizes, values, 'float4'), c);
      const out = floats(c);
      // Groups of 64 count along the rows.
      const expected = count(total).map((at) => (at % 64 === 63 ? at - 63 : at + 1) * 4);
      const whole = count(total - (total % 64));
      expect(whole.map((at) => out[at * 4])).toEqual(whole.map((at) => expected[at]));
    });

    it('takes structures and vectors of three as C lays them out', () => {
      const [p, q] = [stream('Pair', [2]), stream('Pair', [2])];
      p.read(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
      kernels['swapped']!(p, q);
      expect(floats(q)).toEqual([4, 3, 2, 1, -5, 9, 8, 7, 6, -10]);
      const [a, b, c] = [stream('char3', [2]), stream('float3', [2]), stream('float3', [2])];
      a.read(Int8Array.of(1, -2, 3, 4, 5, -6));
      b.read(Float32Array.of(10, 20, 30, 40, 50, 60));
      kernels['wide']!(a, b, c);
      expect(floats(c)).toEqual([11, 18, 33, 44, 55, 54]);
    });

    it('works on parts of streams', () => {
      const whole = filled([4, 3], count(12));
      const part = whole.domain([1, 1], [3, 3]);
      const out = stream('float', [2, 2]);
      kernels['copy']!(part, out);
      expect(floats(out)).toEqual([5, 6, 9, 10]);
      part.read(Float32Array.of(-1, -2, -3, -4));
      expect(floats(whole)).toEqual([0, 1, 2, 3, 4, -1, -2, 7, 8, -3, -4, 11]);
    });

    it('reads what was there before it where parts of a stream overlap', () => {
      const whole = filled([8], count(8));
      kernels['copy']!(whole.domain([0], [6]), whole.domain([2], [8]));
      expect(floats(whole)).toEqual([0, 1, 0, 1, 2, 3, 4, 5]);
      const square = filled([3, 3], count(9));
      kernels['sum']!(
        square.domain([0, 0], [2, 2]),
        square.domain([0, 1], [2, 3]),
        square.domain([1, 1], [3, 3]),
      );
      expect(floats(square)).toEqual([0, 1, 2, 3, 3, 5, 6, 9, 11]);
    });

    it('assigns, waits, and runs for a part of a stream', () => {
      const [a, b] = [filled([4], [1, 2, 3, 4]), stream('float', [4])];
      b.assign(a);
      b.finish();
      expect(b.isSync()).toBe(true);
      expect(floats(b)).toEqual([1, 2, 3, 4]);
      b.execDomain(2);
      kernels['copy']!(filled([4], [9, 9, 9, 9]), b);
      expect(floats(b)).toEqual([9, 9, 3, 4]);
      kernels['copy']!.domainOffset(1);
      kernels['copy']!.domainSize(2);
      kernels['copy']!(filled([4], [5, 6, 7, 8]), b);
      expect(floats(b)).toEqual([9, 6, 7, 4]);
      const out = new Float32Array(4);
      b.write(out, 'async nocopy');
      b.finish();
      expect([...out]).toEqual([9, 6, 7, 4]);
    });

    it('reads arrays beyond their ends also where it reads at its own position', () => {
      const small = filled([2, 2], [1, 2, 3, 4]);
      const c = stream('float', [3, 3]);
      kernels['mul']!(small, small, 2, c);
      // Rows and columns behind the last one are the last one.
      expect(floats(c)).toEqual([7, 10, 10, 15, 22, 22, 15, 22, 22]);
      const square = stream('float', [2, 2]);
      kernels['mul']!(small, small, 2, square);
      expect(floats(square)).toEqual([7, 10, 15, 22]);
      // The third turn multiplies the last column by the last row once more.
      kernels['mul']!(small, small, 3, square);
      expect(floats(square)).toEqual([13, 18, 27, 38]);
    });

    it('runs nothing that would go beyond the ends of a stream', () => {
      const module = brook(
        `kernel void wide(float4 a<>, out float4 b<>) { b = a; }
         kernel void both(float a<>, out float b<>, out float c<>) { b = a; c = a; }`,
        { device },
      );
      const [four, eight] = [filled([4], [1, 2, 3, 4]), filled([8], [1, 2, 3, 4, 5, 6, 7, 8])];
      const vectors = filled(
        [4],
        Array.from({ length: 16 }, () => 1),
        'float4',
      );
      const out = stream('float', [4]);
      module.kernels['wide']!(vectors, out);
      expect(out.error()).toBe('BR_ERROR_KERNEL');
      expect(out.errorLog()).toContain("Invalid output stream. 'b' is of float4, the stream of float.");
      module.kernels['wide']!(four, vectors);
      expect(vectors.errorLog()).toContain("Invalid Input stream. 'a' is of float4, the stream of float.");
      module.kernels['both']!(eight, stream('float', [8]), out);
      expect(out.error()).toBe('BR_ERROR_KERNEL');
      for (const [offset, size] of [
        [2, 3],
        [0, 5],
        [-1, 2],
        [0, 0],
        [0, 1.5],
        [4, undefined],
      ] as const) {
        kernels['copy']!.domainOffset(offset);
        if (size !== undefined) kernels['copy']!.domainSize(size);
        kernels['copy']!(four, out);
        expect(out.error(), `${size} from ${offset}`).toBe('BR_ERROR_KERNEL');
      }
      expect(out.hasContent).toBe(false);
      const ints = stream('int', [4]);
      ints.read(new Int32Array(4));
      kernels['total']!(ints, new Float32Array(1));
      expect(ints.error()).toBe('BR_ERROR_KERNEL');
    });
  },
);

describe('devices', () => {
  it('are of two types, and those that are used make the streams', () => {
    const [cpu] = getDevices('cpu');
    expect(getDevices('fpga')).toEqual([]);
    expect(getDevices('all')).toEqual([...getDevices('cal'), ...getDevices('cpu')].sort(byPlace));
    const before = useDevices([cpu!]);
    try {
      expect(brook('kernel void f(out float a<>) { a = 1.0f; }').stream('float', [1]).session.device).toBe(
        cpu!.device,
      );
    } finally {
      expect(useDevices(before)).toEqual([cpu]);
    }
  });

  it('take arguments of the right kinds only', () => {
    const { kernels, stream } = brook('kernel void f(float k, float a<>, out float b<>) { b = a * k; }');
    const a = stream('float', [1]);
    expect(() => kernels['f']!(1, a)).toThrow("the kernel 'f' takes 3 arguments, not 2");
    expect(() => kernels['f']!(a, a, a)).toThrow("argument 'k' of the kernel 'f' is no stream");
    expect(() => kernels['f']!(1, 2, a)).toThrow("argument 'a' of the kernel 'f' must be a stream");
    expect(() => kernels['f']!([1, 2], a, a)).toThrow(
      "argument 'k' of the kernel 'f' has 1 components, not 2",
    );
    expect(() => a.read(new Uint8Array(3))).toThrow('the array has 3 bytes, the stream 4');
    a.read(new Uint8Array(4));
    expect(() => a.write(new Uint8Array(3))).toThrow('the array has 3 bytes, the stream 4');
    expect(() => kernels['f']!(new Uint8Array(2), a, a)).toThrow(
      "argument 'k' of the kernel 'f' has 4 bytes, not 2",
    );
    expect(() => kernels['f']!('1' as never, a, a)).toThrow(
      "argument 'k' of the kernel 'f' is made of numbers, not '1'",
    );
    expect(() => kernels['f']!(new Int32Array(1), a, a)).toThrow(
      "argument 'k' of the kernel 'f' takes a Float32Array, not Int32Array",
    );
    // Bits of another kind of number would be other numbers.
    expect(() => a.read(new Int32Array(1))).toThrow(
      "give a Float32Array, or the stream's bytes as a Uint8Array, not Int32Array",
    );
    expect(() => a.write(new Float64Array(1))).toThrow('give a Float32Array');
    const counts = stream('uint2', [1]);
    counts.read(new Int32Array(2));
    counts.read(new Uint32Array(2));
    expect(() => counts.read(new Float32Array(2))).toThrow('give a Uint32Array');
    expect(() => a.domain(0 as never, 1 as never)).toThrow('the points of a domain are arrays');
    expect(() => stream('floof', [1])).toThrow("there is no type 'floof' for streams");
  });
});

function byPlace(left: BrookDevice, right: BrookDevice): number {
  const all = getDevices('all');
  return all.indexOf(left) - all.indexOf(right);
}
