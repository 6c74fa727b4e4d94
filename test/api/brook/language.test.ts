/**
 * What kernels of Brook+ compute: operators on every type, built-in functions, components, control flow, positions, arrays. Expected
 * values come from the same computation in JavaScript, on the wasm device and on the interpreter.
 */
import { type BrookDevice, brook, getDevices, type Stream } from 'millrace/brook';
import { afterAll, describe, expect, it } from 'vitest';

const devices = [getDevices('cal')[0]!, getDevices('cpu')[0]!];

afterAll(() => {
  for (const device of devices) device.close();
});

const arrays = {
  char: Int8Array,
  uchar: Uint8Array,
  short: Int16Array,
  ushort: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
  float: Float32Array,
  double: Float64Array,
} as const;

type Scalar = keyof typeof arrays;

const scalars = Object.keys(arrays) as Scalar[];
const integers = scalars.filter((scalar) => scalar !== 'float' && scalar !== 'double');

/** Numbers of which some overflow when they are added or multiplied, as a type holds them. */
function samples(scalar: Scalar, seed: number): number[] {
  const values = [1, 2, 3, 7, 100, 127, 128, 200, 1000, 40000, 70000, 2 ** 31 - 1].map(
    (value) => value * seed + seed,
  );
  return [...arrays[scalar].from(values)].map((value) => (value === 0 ? 5 : value));
}

/** `value` as a variable of the type keeps it. */
function wrapped(scalar: Scalar, value: number): number {
  if (scalar === 'float') return Math.fround(value);
  return scalar === 'double'
    ? value
    : arrays[scalar].of(Number(BigInt.asUintN(32, BigInt(Math.trunc(value)))))[0]!;
}

/** The widest vector of a scalar. */
const wide = (scalar: Scalar): string => (scalar === 'double' ? 'double2' : `${scalar}4`);

const arithmetic = (type: string, one: string): string => `
  kernel void arithmetic_${type}(${type} a<>, ${type} b<>, out ${type} sum<>, out ${type} difference<>, out ${type} product<>,
                                 out ${type} quotient<>, out ${type} negative<>, out ${type} steps<>) {
    ${type} x = a;
    ${type} y = b;
    sum = a + b;
    difference = a - b;
    product = a * b;
    quotient = a / b;
    negative = -a;
    steps = x++ - --y;
    steps += ++x * y--;
    steps -= x;
    steps *= ${one};
  }`;

const relations = (type: string, ints: string): string => `
  kernel void relations_${type}(${type} a<>, ${type} b<>, out ${ints} less<>, out ${ints} most<>, out ${ints} equal<>) {
    less = (a < b) + (a > b) * (${ints})((a >= b));
    most = (a <= b);
    equal = (a == b) - (a != b);
  }`;

const remainders = (type: string, ints: string): string => `
  kernel void remainders_${type}(${type} a<>, ${type} b<>, out ${type} rest<>, out ${ints} logic<>) {
    rest = a % b;
    logic = (a && b) + (a || b) + !a;
  }`;

const bits = (type: string): string => `
  kernel void bits_${type}(${type} a<>, ${type} b<>, out ${type} both<>, out ${type} shifted<>, out ${type} inverse<>) {
    both = (a & b) ^ (a | b);
    shifted = (a << (b & ${type.startsWith('u') ? '(uint4)' : '(int4)'}THREE)) + (a >> ONE);
    inverse = ~a;
    inverse &= b;
    inverse |= a;
    inverse ^= b;
  }`;

const source = `
  ${scalars.map((scalar) => arithmetic(wide(scalar), constant(scalar, 1))).join('')}
  ${scalars
    .filter((scalar) => scalar !== 'double')
    .map((scalar) => relations(`${scalar}4`, 'int4'))
    .join('')}
  ${integers.map((scalar) => remainders(`${scalar}4`, 'int4')).join('')}
  ${['int', 'uint']
    .map((scalar) =>
      bits(`${scalar}4`)
        .replace('(int4)THREE', 'int4(3, 3, 3, 3)')
        .replace('(uint4)THREE', 'uint4(3u, 3u, 3u, 3u)')
        .replace('ONE', constant(scalar as Scalar, 1)),
    )
    .join('')}

  kernel void functions(float x<>, float y<>, out float4 r[][]) {
    int i = instance().x;
    float4 v = float4(x, y, x * y, x - y);
    float3 across = cross(v.xyz, v.wzy);
    r[0][i] = float4(abs(x), acos(x * 0.125f), asin(x * 0.125f), clamp(x, -1.0f, y));
    r[1][i] = float4(cos(x), across.x, across.y, across.z);
    r[2][i] = float4(dot(v, v.wzyx), exp(x), floor(x), fmod(x, y));
    r[3][i] = float4(frac(x), lerp(x, y, 0.25f), log(abs(x)), max(x, y));
    r[4][i] = float4(min(x, y), pow(abs(x), y), round(x), rsqrt(abs(x)));
    r[5][i] = float4(sign(x), sin(x), sqrt(abs(x)), isfinite(x / 0.0f));
    r[6][i] = normalize(v);
    r[7][i] = float4(isinf(x / 0.0f), isnan(x), isnan(sqrt(-1.0f)), isfinite(y));
    r[8][i] = max(v, v.wzyx) + min(v, v.yxwz) + clamp(v, v.xxxx, v.yyyy) + floor(v);
  }

  kernel void components(float4 a<>, out float4 b<>, out float2 c<>, out double2 d<>) {
    float4 t = a.wzyx;
    t.xy = t.yx;
    t.z += t.w;
    t.rgba.ba = a.rr;
    b = t;
    c = float2(a.xx.y, a.wz.x) + a.zw;
    c.y *= 2.0f;
    t.yx++;
    b += t.wzyx++;
    b -= --t.zyxw;
    c.xy--;
    d = double2((double)a.x, 0.5);
    d.x = d.yx.x + d.x;
  }

  kernel float4 twice(float4 a<>, out float sum<>) {
    float4 made = a + a;
    sum = made.x + made.y;
    return made;
  }
  kernel float power(float base, int times) {
    float result = 1.0f;
    int i;
    for (i = 0; i < times; i++) result *= base;
    return result;
  }
  void kernel calls(float4 a<>, out float4 b<>, out float c<>) {
    float local;
    b = twice(a, local);
    c = local + power(a.x, 3);
  }

  kernel void flow(int n<>, out int steps<>, out int odd<>) {
    int value = n;
    int i;
    steps = 0;
    odd = 0;
    while (value > 1) {
      if (value % 2 == 0) value /= 2;
      else value = value * 3 + 1;
      steps++;
      if (steps == 200) break;
    }
    for (i = 0; ; i++) {
      if (i % 3 == 0) continue;
      if (i > n) break;
      odd += i % 2 == 1 ? i : -1;
    }
    do {
      value += 2;
      { int steps = 3; value += steps; }
    } while (value < n);
    odd = odd * 1000 + value;
  }

  kernel void places(float4 a<>, out float4 own<>, out float4 others<>, out int4 at<>) {
    own = indexof(own);
    others = indexof(a);
    at = instance();
  }

  kernel void arrays(float one[], float two[][], float three[][][], float few[2][3], float2 offset, out float4 c<>) {
    int4 at = instance();
    float2 f = float2((float)at.x, (float)at.y) + offset;
    c.x = one[at.x] + one[f.x];
    c.y = two[at.y][at.x] - two[f];
    c.z = three[at.x % 2][at.y][at.x] + three[int3(at.x, at.y, at.x % 2)];
    c.w = few[at.y][at.x % 3];
  }

  kernel void many(float a<>, float4 v, out float c0<>, out float c1<>, out float c2<>, out float c3<>, out float c4<>,
                   out float c5<>, out float c6<>, out float c7<>) {
    c0 = a; c1 = a + v.x; c2 = a + v.y; c3 = a + v.z; c4 = a + v.w; c5 = -a; c6 = a * a; c7 = 7.0f;
  }

  kernel void grid(int a<>, out int c[][]) {
    int4 at = instance();
    c[at.x][at.y] = a;
  }

  reduce void product(int a<>, reduce int r<>) { r *= a; }
  reduce void any_bit(uint a<>, reduce uint r<>) { r |= a; }
  reduce void odd_bits(int4 a<>, reduce int4 r<>) { r ^= a; }
  reduce void all_bits(uint a, reduce uint r) { r &= a; }
  void reduce smallest(double a<>, reduce double r<>) { r = a < r ? a : r; }
`;

/** A number as strong types want it in a vector of the scalar. */
function constant(scalar: Scalar, value: number): string {
  const one = scalar === 'float' ? `${value}.0f` : scalar === 'double' ? `${value}.0` : `(${scalar})${value}`;
  const width = scalar === 'double' ? 2 : 4;
  return `${wide(scalar)}(${Array.from({ length: width }, () => one).join(', ')})`;
}

describe.each(devices.map((device) => [device.getType(), device] as const))(
  'on %s',
  (_, device: BrookDevice) => {
    const { kernels, stream } = brook(source, { device });

    function filled(type: string, sizes: readonly number[], values: ArrayLike<number>): Stream {
      const made = stream(type, sizes);
      made.read(arrays[type.replace(/\d$/, '') as Scalar].from(values));
      return made;
    }

    function numbers(made: Stream, type: string): number[] {
      const scalar = type.replace(/\d$/, '') as Scalar;
      const out = new arrays[scalar](made.byteLength / arrays[scalar].BYTES_PER_ELEMENT);
      made.write(out);
      expect(made.errorLog()).toBe('');
      return [...out];
    }

    /** Runs a kernel on two streams of samples and hands out what each output and JavaScript have. */
    function onSamples(kernel: string, scalar: Scalar, outputs: readonly string[]) {
      const type = wide(scalar);
      const [a, b] = [samples(scalar, 3), samples(scalar, -1)];
      const length = a.length / (type.endsWith('2') ? 2 : 4);
      const made = outputs.map((output) => stream(output, [length]));
      kernels[`${kernel}_${type}`]!(filled(type, [length], a), filled(type, [length], b), ...made);
      const results = made.map((one, index) => numbers(one, outputs[index]!));
      return a.map((left, at) => ({ left, right: b[at]!, found: results.map((result) => result[at]!) }));
    }

    it.each(scalars)('computes with %s', (scalar) => {
      const type = wide(scalar);
      const keep = (value: number): number => wrapped(scalar, value);
      const isFloating = scalar === 'float' || scalar === 'double';
      const multiplied = (x: number, y: number): number =>
        isFloating ? keep(x * y) : wrapped(scalar, Math.imul(x, y));
      for (const { left, right, found } of onSamples(
        'arithmetic',
        scalar,
        Array.from({ length: 6 }, () => type),
      )) {
        const quotient = isFloating ? left / right : Math.trunc(left / right);
        const before = keep(right - 1);
        let steps = keep(left - before);
        steps = keep(steps + multiplied(keep(keep(left + 1) + 1), before));
        steps = keep(steps - keep(keep(left + 1) + 1));
        const expected = [
          keep(left + right),
          keep(left - right),
          multiplied(left, right),
          keep(quotient),
          keep(-left),
        ];
        expect(found, `${left} and ${right}`).toEqual([...expected, steps].map((value) => value));
      }
    });

    it.each(scalars.filter((scalar) => scalar !== 'double'))('compares %s', (scalar) => {
      for (const { left, right, found } of onSamples('relations', scalar, ['int4', 'int4', 'int4'])) {
        const less = Number(left < right) + Number(left > right) * Number(left >= right);
        expect(found).toEqual([less, Number(left <= right), left === right ? 1 : -1]);
      }
    });

    it.each(integers)('divides with rest and combines %s', (scalar) => {
      for (const { left, right, found } of onSamples('remainders', scalar, [`${scalar}4`, 'int4'])) {
        expect(found, `${left} and ${right}`).toEqual([left % right === 0 ? 0 : left % right, 2]);
      }
    });

    it.each(['int', 'uint'] as const)('has bits of %s', (scalar) => {
      const type = `${scalar}4`;
      const keep = (value: number): number => (scalar === 'uint' ? value >>> 0 : value | 0);
      for (const { left, right, found } of onSamples('bits', scalar, [type, type, type])) {
        const right1 = scalar === 'uint' ? left >>> 1 : left >> 1;
        expect(found).toEqual([
          keep((left & right) ^ (left | right)),
          keep((left << (right & 3)) + right1),
          keep(((~left & right) | left) ^ right),
        ]);
      }
    });

    it('has the functions of the guide', () => {
      const xs = [0.3, -2.5, 7.75, -0.125, 5, -7];
      const ys = [1.5, 2, 0.75, 3, 2.5, 4];
      const r = stream('float4', [xs.length, 9]);
      kernels['functions']!.domainSize(xs.length);
      kernels['functions']!(filled('float', [xs.length], xs), filled('float', [xs.length], ys), r);
      const out = numbers(r, 'float4');
      for (const [index, x] of Float32Array.from(xs).entries()) {
        const y = ys[index]!;
        const v = [x, y, x * y, x - y];
        const w = [...v].reverse();
        const u = [v[1]!, v[0]!, v[3]!, v[2]!];
        const cross = [
          v[1]! * w[2]! - v[2]! * w[1]!,
          v[2]! * w[0]! - v[0]! * w[2]!,
          v[0]! * w[1]! - v[1]! * w[0]!,
        ];
        // The vectors of the cross product are x, y, xy and x - y, xy, y.
        const length = Math.hypot(...v);
        const dot = v.reduce((sum, one, lane) => sum + one * w[lane]!, 0);
        const between = (low: number, one: number, high: number): number =>
          Math.min(Math.max(one, low), high);
        const expected = [
          [Math.abs(x), Math.acos(x / 8), Math.asin(x / 8), between(-1, x, y)],
          [Math.cos(x), ...cross],
          [dot, Math.exp(x), Math.floor(x), x % y],
          [x - Math.floor(x), 0.75 * x + 0.25 * y, Math.log(Math.abs(x)), Math.max(x, y)],
          [Math.min(x, y), Math.abs(x) ** y, Math.floor(x + 0.5), 1 / Math.sqrt(Math.abs(x))],
          [Math.sign(x), Math.sin(x), Math.sqrt(Math.abs(x)), 0],
          v.map((one) => one / length),
          [1, 0, 1, 1],
          v.map(
            (one, lane) =>
              Math.max(one, w[lane]!) +
              Math.min(one, u[lane]!) +
              between(x, one, Math.max(x, y)) +
              Math.floor(one),
          ),
        ];
        for (const [row, values] of expected.entries()) {
          // A clamp between bounds in the wrong order may be either of them.
          if (row === 8 && x > y) continue;
          for (const [lane, value] of values.entries()) {
            const found = out[(row * xs.length + index) * 4 + lane]!;
            expect(Math.abs(found - value), `row ${row}, lane ${lane} of ${x}, ${y}`).toBeLessThanOrEqual(
              4e-6 * Math.max(1, Math.abs(value)),
            );
          }
        }
      }
    });

    it('reads and writes components', () => {
      const a = filled('float4', [1], [1, 2, 3, 4]);
      const [b, c, d] = [stream('float4', [1]), stream('float2', [1]), stream('double2', [1])];
      kernels['components']!(a, b, c, d);
      expect(numbers(b, 'float4')).toEqual([3, 0, 2, 4]);
      expect(numbers(c, 'float2')).toEqual([3, 15]);
      expect(numbers(d, 'double2')).toEqual([1.5, 0.5]);
    });

    it('calls kernels, with outputs that are variables', () => {
      const [b, c] = [stream('float4', [2]), stream('float', [2])];
      kernels['calls']!(filled('float4', [2], [1, 2, 3, 4, 5, 6, 7, 8]), b, c);
      expect(numbers(b, 'float4')).toEqual([2, 4, 6, 8, 10, 12, 14, 16]);
      expect(numbers(c, 'float')).toEqual([7, 147]);
    });

    it('loops and chooses', () => {
      const given = [1, 2, 3, 7, 27, 50];
      const [steps, odd] = [stream('int', [6]), stream('int', [6])];
      kernels['flow']!(filled('int', [6], given), steps, odd);
      const expected = given.map((n) => {
        let [value, count, sum] = [n, 0, 0];
        for (; value > 1 && count < 200; count += 1) value = value % 2 === 0 ? value / 2 : value * 3 + 1;
        for (let i = 1; i <= n; i += 1) if (i % 3 !== 0) sum += i % 2 === 1 ? i : -1;
        // One more number may be looked at, which is larger: it ends the loop.
        do value += 5;
        while (value < n);
        return [count, sum * 1000 + value];
      });
      expect(numbers(steps, 'int')).toEqual(expected.map(([count]) => count));
      expect(numbers(odd, 'int')).toEqual(expected.map(([, value]) => value));
    });

    // Larger than a row of the hardware could be; the interpreter takes its time.
    const long = device.getType() === 'cal' ? 20_000 : 100;

    it.each([[[5]], [[4, 3]], [[2, 3, 2]], [[2, 2, 2, 2]], [[long]]])(
      'knows its place in streams of sizes %j',
      (sizes) => {
        const [own, others, at] = [stream('float4', sizes), stream('float4', sizes), stream('int4', sizes)];
        const [w = 1, h = 1, d = 1, all = 1] = sizes;
        const total = w * h * d * all;
        kernels['places']!(filled('float4', sizes, new Array(total * 4).fill(0)), own, others, at);
        const expected = Array.from({ length: total }, (_, index) => [
          index % w,
          Math.floor(index / w) % h,
          Math.floor(index / w / h) % d,
          Math.floor(index / w / h / d),
        ]).flat();
        expect(numbers(own, 'float4')).toEqual(expected);
        expect(numbers(others, 'float4')).toEqual(expected);
        expect(numbers(at, 'int4')).toEqual(expected);
      },
    );

    it('gathers by numbers and by vectors, x first', () => {
      const c = stream('float4', [4, 2]);
      const [one, two] = [
        [10, 11, 12, 13],
        [0, 1, 2, 3, 4, 5, 6, 7],
      ];
      const three = Array.from({ length: 16 }, (_, index) => index * 100);
      const few = [1, 2, 3, 4, 5, 6];
      kernels['arrays']!(
        filled('float', [4], one),
        filled('float', [4, 2], two),
        filled('float', [4, 2, 2], three),
        filled('float', [3, 2], few),
        [1, -1],
        c,
      );
      const inside = (at: number, size: number): number => Math.min(Math.max(at, 0), size - 1);
      const expected = [0, 1].flatMap((y) =>
        [0, 1, 2, 3].flatMap((x) => [
          one[x]! + one[inside(x + 1, 4)]!,
          two[y * 4 + x]! - two[inside(y - 1, 2) * 4 + inside(x + 1, 4)]!,
          2 * three[((x % 2) * 2 + y) * 4 + x]!,
          few[y * 3 + (x % 3)]!,
        ]),
      );
      expect(numbers(c, 'float4')).toEqual(expected);
    });

    it('writes eight outputs', () => {
      const outs = Array.from({ length: 8 }, () => stream('float', [2]));
      kernels['many']!(filled('float', [2], [3, 4]), [10, 20, 30, 40], ...outs);
      expect(outs.map((out) => numbers(out, 'float'))).toEqual([
        [3, 4],
        [13, 14],
        [23, 24],
        [33, 34],
        [43, 44],
        [-3, -4],
        [9, 16],
        [7, 7],
      ]);
    });

    it('scatters in two dimensions', () => {
      const c = filled('int', [2, 3], [0, 0, 0, 0, 0, 0]);
      kernels['grid']!.domainSize(3, 2);
      kernels['grid']!(filled('int', [3, 2], [1, 2, 3, 4, 5, 6]), c);
      expect(numbers(c, 'int')).toEqual([1, 4, 2, 5, 3, 6]);
    });

    it('reduces with every operator, and with functions', () => {
      const values = [3, 5, 12, 9, 2];
      const [int, uint] = [new Int32Array(1), new Uint32Array(1)];
      kernels['product']!(filled('int', [5], values), int);
      expect(int[0]).toBe(3240);
      kernels['any_bit']!(filled('uint', [5], values), uint);
      expect(uint[0]).toBe(15);
      kernels['all_bits']!(filled('uint', [3], [13, 5, 12]), uint);
      expect(uint[0]).toBe(4);
      const four = new Int32Array(4);
      kernels['odd_bits']!(filled('int4', [2], [1, 2, 3, 4, 7, 7, 7, 7]), four);
      expect([...four]).toEqual([6, 5, 4, 3]);
      const double = new Float64Array(1);
      kernels['smallest']!(filled('double', [3], [2.5, -1e300, 4]), double);
      expect(double[0]).toBe(-1e300);
    });
  },
);

describe('without strong type checking', () => {
  const { kernels, stream } = brook(
    `kernel void mixed(int4 i<>, float2 f<>, out float4 a<>, out float4 b<>, out float4 c<>, out float4 d<>) {
      a = 2;
      b = i + f;
      c = i;
      d = f > 0.5 ? f.x + 1 : i.y;
      if (f) d.w = 9;
      d.z = any((char4)i) + all((uchar4)(i - 1));
    }`,
    { device: devices[0]!, strongTypes: false },
  );

  it('types are brought together', () => {
    const [i, f] = [stream('int4', [1]), stream('float2', [1])];
    const outs = [0, 1, 2, 3].map(() => stream('float4', [1]));
    i.read(Int32Array.of(1, 2, 3, 4));
    f.read(Float32Array.of(0.25, 0));
    kernels['mixed']!(i, f, ...outs);
    const found = outs.map((out) => {
      const values = new Float32Array(4);
      out.write(values);
      return [...values];
    });
    // int4 becomes float2 next to float2 and has two components from then on; a vector as a condition means its x.
    expect(found).toEqual([
      [2, 2, 2, 2],
      [1.25, 2, 0, 0],
      [1, 2, 3, 4],
      [2, 2, 1, 9],
    ]);
  });
});
