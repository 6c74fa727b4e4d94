/**
 * Kernels that are large once everything is inlined and unrolled: what their first run takes is mostly compiling. They are for the part
 * `first-run` (first-run.ts).
 */
import { createRandom } from '../samples/support/random.ts';
import { type BenchKernel, float, floats, int } from './frame/bench-kernel.ts';
import { near, sample } from './frame/checks.ts';

/** A transform of 512 points by 64 work-items: three rounds of eight points in registers, which local memory transposes in between. */
const fft512: BenchKernel = {
  name: 'FFT of 512 points',
  source: `
float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

void pair(float2 *a, float2 *b) { float2 sum = *a + *b; *b = *a - *b; *a = sum; }

// Frequency k of eight comes to lie at the place whose bits are those of k reversed.
constant int places[8] = {0, 4, 2, 6, 1, 5, 3, 7};

void eight(float2 *p) {
  const float root = 0.70710678f;
  for (int i = 0; i < 4; i++) pair(p + i, p + i + 4);
  p[5] = root * (float2)(p[5].x + p[5].y, p[5].y - p[5].x);
  p[6] = (float2)(p[6].y, -p[6].x);
  p[7] = root * (float2)(p[7].y - p[7].x, -p[7].x - p[7].y);
  for (int half_of = 0; half_of < 8; half_of += 4) {
    float2 *q = p + half_of;
    pair(q, q + 2);
    pair(q + 1, q + 3);
    q[3] = (float2)(q[3].y, -q[3].x);
    pair(q, q + 1);
    pair(q + 2, q + 3);
  }
}

void twiddle(float2 *p, float step) {
  for (int k = 1; k < 8; k++) {
    float angle = step * places[k];
    p[k] = times(p[k], (float2)(cos(angle), sin(angle)));
  }
}

void exchange(float2 *p, local float *room, int put, int put_step, int get, int get_step) {
  for (int k = 0; k < 8; k++) room[put + places[k] * put_step] = p[k].x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; k++) p[k].x = room[get + k * get_step];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; k++) room[put + places[k] * put_step] = p[k].y;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; k++) p[k].y = room[get + k * get_step];
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void fft512(global const float2 *in, global float2 *out) {
  local float room[8 * 66];
  int id = get_local_id(0), high = id >> 3, low = id & 7;
  in += get_group_id(0) * 512;
  out += get_group_id(0) * 512;
  float2 p[8];
  for (int k = 0; k < 8; k++) p[k] = in[id + 64 * k];
  eight(p);
  twiddle(p, -6.2831853f / 512 * id);
  exchange(p, room, id, 66, high * 66 + low, 8);
  eight(p);
  twiddle(p, -6.2831853f / 64 * low);
  exchange(p, room, high * 64 + low, 8, id * 8, 1);
  eight(p);
  for (int k = 0; k < 8; k++) out[high + 8 * low + 64 * places[k]] = p[k];
}`,
  prepare() {
    const transforms = 16;
    const points = floats(2 * 512 * transforms, 21, -1, 1);
    const expected = (index: number): number => {
      const [place, part] = [index >> 1, index & 1];
      const [first, frequency] = [place - (place % 512), place % 512];
      let sum = 0;
      for (let n = 0; n < 512; n += 1) {
        const angle = (-2 * Math.PI * ((n * frequency) % 512)) / 512;
        const [x, y] = [points[2 * (first + n)]!, points[2 * (first + n) + 1]!];
        sum +=
          part === 0 ? x * Math.cos(angle) - y * Math.sin(angle) : x * Math.sin(angle) + y * Math.cos(angle);
      }
      return sum;
    };
    return {
      size: `${transforms} transforms`,
      buffers: { points, spectra: points.byteLength },
      launches: [
        { kernel: 'fft512', global: [64 * transforms], local: [64], arguments: ['points', 'spectra'] },
      ],
      work: { unit: 'GFLOP/s', amount: 5 * 512 * 9 * transforms },
      check: (result) =>
        near(result('spectra', Float32Array), expected, {
          tolerance: 1e-4,
          scale: 20,
          indices: sample(points.length, 500),
        }),
    };
  },
};

/** A product of matrices after Volkov: each work-item keeps 16 sums of a row in registers and shares 16 columns in local memory. */
const sixteenSums: BenchKernel = {
  name: 'sum of 16 products',
  source: `
void add(float a, local const float *b, float *sums) {
  for (int j = 0; j < 16; j++) sums[j] += a * b[j];
}

kernel void product(global const float *a, global const float *b, global float *c, int n) {
  local float shared[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  int id = y * 16 + x;
  int row = get_group_id(0) * 64 + id, column = get_group_id(1) * 16;
  float sums[16] = {0};
  a += row;
  b += x + (column + y) * n;
  for (int first = 0; first < n; first += 16) {
    for (int i = 0; i < 16; i += 4) shared[x][y + i] = b[i * n];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++, a += n) add(a[0], shared[k], sums);
    barrier(CLK_LOCAL_MEM_FENCE);
    b += 16;
  }
  for (int j = 0; j < 16; j++) c[row + (column + j) * n] = sums[j];
}`,
  prepare() {
    const n = 64;
    const [a, b] = [floats(n * n, 22), floats(n * n, 23)];
    const expected = (index: number): number => {
      const [row, column] = [index % n, Math.floor(index / n)];
      let sum = 0;
      for (let k = 0; k < n; k += 1) sum += a[k * n + row]! * b[column * n + k]!;
      return sum;
    };
    return {
      size: `${n} x ${n}`,
      buffers: { a, b, c: 4 * n * n },
      launches: [
        { kernel: 'product', global: [n / 4, n / 4], local: [16, 4], arguments: ['a', 'b', 'c', int(n)] },
      ],
      work: { unit: 'GFLOP/s', amount: 2 * n ** 3 },
      check: (result) => near(result('c', Float32Array), expected, { tolerance: 1e-4, scale: 1 }),
    };
  },
};

const reactions = 1000;
const species = 32;

/** A reaction by its number: factor, power of the temperature, activation energy and the two species that it needs. */
function reaction(number: number): { factor: number; power: number; energy: number; from: [number, number] } {
  const random = createRandom(number + 1);
  const [factor, power, energy] = [
    random.between(0.5, 2),
    random.between(-0.5, 0.5),
    random.between(0.1, 3),
  ].map((value) => Math.fround(Number(value.toFixed(4)))) as [number, number, number];
  return { factor, power, energy, from: [random.below(species), random.below(species)] };
}

/** Rates of a thousand reactions, as a program writes such kernels: one line, and one exponential, for each. */
const chemistry: BenchKernel = {
  name: 'a thousand exponentials',
  source: `
kernel void rates(global const float *temperatures, global const float *amounts, global float *totals, int count) {
  int i = get_global_id(0);
  float t = temperatures[i], inverse = 1.0f / t, logarithm = log(t);
  float total = 0.0f;
${Array.from({ length: reactions }, (_, number) => {
  const { factor, power, energy, from } = reaction(number);
  const constant = (value: number) => `${value.toFixed(4)}f`;
  const rate = `${constant(factor)} * exp(${constant(power)} * logarithm - ${constant(energy)} * inverse)`;
  return `  total += ${rate} * amounts[${from[0]} * count + i] * amounts[${from[1]} * count + i];`;
}).join('\n')}
  totals[i] = total;
}`,
  prepare() {
    const count = 1024;
    const temperatures = floats(count, 24, 0.5, 2);
    const amounts = floats(count * species, 25);
    const all = Array.from({ length: reactions }, (_, number) => reaction(number));
    const expected = (i: number): number =>
      all.reduce((total, { factor, power, energy, from: [first, second] }) => {
        const t = temperatures[i]!;
        const rate = factor * Math.exp(power * Math.log(t) - energy / t);
        return total + rate * amounts[first * count + i]! * amounts[second * count + i]!;
      }, 0);
    return {
      size: `${count} cells`,
      buffers: { temperatures, amounts, totals: 4 * count },
      launches: [
        {
          kernel: 'rates',
          global: [count],
          local: [64],
          arguments: ['temperatures', 'amounts', 'totals', int(count)],
        },
      ],
      work: { unit: 'M/s', amount: count * reactions },
      check: (result) =>
        near(result('totals', Float32Array), expected, { tolerance: 1e-4, indices: sample(count, 50) }),
    };
  },
};

/** Rays that go as far as nothing can be in their way, again and again: short to write, with functions that are large inlined. */
const rayMarcher: BenchKernel = {
  name: 'ray marcher',
  source: `
float scene(float3 p, float time) {
  float ball = length(p - (float3)(sin(time), 0.0f, 0.0f)) - 1.0f;
  float floor_of = p.y + 1.0f + 0.1f * sin(4.0f * p.x) * cos(4.0f * p.z);
  float3 q = fabs(p - (float3)(0.0f, 0.0f, 2.0f)) - (float3)(0.6f, 0.6f, 0.6f);
  float box = length(fmax(q, 0.0f)) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0f);
  return fmin(fmin(ball, floor_of), box);
}

kernel void march(global float *shades, int width, int height, float time) {
  int x = get_global_id(0), y = get_global_id(1);
  float3 ray = normalize((float3)((x - 0.5f * width) / height, (0.5f * height - y) / height, 1.0f));
  float3 eye = (float3)(0.0f, 0.5f, -4.0f);
  float far = 0.0f;
  for (int i = 0; i < 64 && far < 20.0f; i++) far += 0.7f * scene(eye + far * ray, time);
  float3 at = eye + far * ray, e = (float3)(0.01f, 0.0f, 0.0f);
  float3 normal = normalize((float3)(scene(at + e.xyy, time) - scene(at - e.xyy, time),
      scene(at + e.yxy, time) - scene(at - e.yxy, time), scene(at + e.yyx, time) - scene(at - e.yyx, time)));
  float light = fmax(0.0f, dot(normal, normalize((float3)(1.0f, 2.0f, -1.0f))));
  shades[y * width + x] = far < 20.0f ? light + pow(light, 20.0f) : 0.1f;
}`,
  prepare() {
    const [width, height] = [128, 64];
    const time = Math.fround(0.7);
    const places = sample(width * height, 500);
    return {
      size: `${width} x ${height}`,
      buffers: { shades: 4 * width * height },
      launches: [
        {
          kernel: 'march',
          global: [width, height],
          local: [16, 8],
          arguments: ['shades', int(width), int(height), float(time)],
        },
      ],
      work: { unit: 'M/s', amount: width * height },
      check(result) {
        const shades = result('shades', Float32Array);
        // Rays along an edge meet it or miss it by their last bits.
        const wrong = places.filter(
          (index) =>
            !(
              Math.abs(
                shades[index]! - shadeAt(index % width, Math.floor(index / width), width, height, time),
              ) < 0.05
            ),
        );
        return wrong.length > places.length / 20 ? `${wrong.length} of ${places.length} differ` : undefined;
      },
    };
  },
};

type Vector = readonly [number, number, number];

function sceneAt([x, y, z]: Vector, time: number): number {
  const ball = Math.hypot(x - Math.sin(time), y, z) - 1;
  const floor = y + 1 + 0.1 * Math.sin(4 * x) * Math.cos(4 * z);
  const q = [Math.abs(x) - 0.6, Math.abs(y) - 0.6, Math.abs(z - 2) - 0.6];
  const box = Math.hypot(...q.map((part) => Math.max(part, 0))) + Math.min(Math.max(...q), 0);
  return Math.min(ball, floor, box);
}

const normalised = (vector: Vector): Vector =>
  vector.map((part) => part / Math.hypot(...vector)) as unknown as Vector;

/** What the ray marcher's kernel computes, in double precision. */
function shadeAt(x: number, y: number, width: number, height: number, time: number): number {
  const ray = normalised([(x - 0.5 * width) / height, (0.5 * height - y) / height, 1]);
  let far = 0;
  const at = (): Vector => [far * ray[0], 0.5 + far * ray[1], -4 + far * ray[2]];
  for (let i = 0; i < 64 && far < 20; i += 1) far += 0.7 * sceneAt(at(), time);
  if (far >= 20) return 0.1;
  const moved = (axis: number, by: number): number =>
    sceneAt(at().map((part, index) => (index === axis ? part + by : part)) as unknown as Vector, time);
  const normal = normalised(
    [0, 1, 2].map((axis) => moved(axis, 0.01) - moved(axis, -0.01)) as unknown as Vector,
  );
  const sun = normalised([1, 2, -1]);
  const light = Math.max(0, normal[0] * sun[0] + normal[1] * sun[1] + normal[2] * sun[2]);
  return light + light ** 20;
}

export const largeKernels: readonly BenchKernel[] = [fft512, sixteenSums, chemistry, rayMarcher];
