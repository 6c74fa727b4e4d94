/** Arithmetic in loops: bodies that attract each other, the Mandelbrot set, option prices. */
import { createRandom } from '../../samples/support/random.ts';
import { type BenchKernel, count, float, floats, int, square } from '../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../frame/checks.ts';

export const nBody: BenchKernel = {
  name: 'n-body',
  source: `
kernel void attract(int count, float softening, global const float4 *bodies, global float4 *forces) {
  size_t i = get_global_id(0);
  float4 own = bodies[i];
  float3 force = (float3)(0.0f);
  for (int j = 0; j < count; j++) {
    float4 other = bodies[j];
    float3 way = other.xyz - own.xyz;
    float inverse = rsqrt(dot(way, way) + softening);
    force += way * (other.w * inverse * inverse * inverse);
  }
  forces[i] = (float4)(force, 0.0f);
}`,
  prepare(size) {
    const n = size === 'full' ? 8192 : 2048;
    const softening = Math.fround(0.01);
    const bodies = floats(4 * n, 9);
    const force = (index: number): number => {
      const body = index >> 2;
      const axis = index & 3;
      if (axis === 3) return 0;
      let sum = 0;
      for (let other = 0; other < n; other += 1) {
        let distance = softening;
        for (let k = 0; k < 3; k += 1) distance += (bodies[4 * other + k]! - bodies[4 * body + k]!) ** 2;
        sum +=
          ((bodies[4 * other + axis]! - bodies[4 * body + axis]!) * bodies[4 * other + 3]!) / distance ** 1.5;
      }
      return sum;
    };
    return {
      size: `${count(n)} bodies`,
      buffers: { bodies, forces: 16 * n },
      launches: [
        {
          kernel: 'attract',
          global: [n],
          local: [64],
          arguments: [int(n), float(softening), 'bodies', 'forces'],
        },
      ],
      work: { unit: 'GFLOP/s', amount: 20 * n * n },
      check: (result) =>
        near(result('forces', Float32Array), force, {
          tolerance: 1e-4,
          scale: n / 10,
          indices: sample(4 * n, 300),
        }),
    };
  },
};

export const mandelbrot: BenchKernel = {
  name: 'Mandelbrot',
  source: `
kernel void mandelbrot(int width, int height, int limit, global int *out) {
  int column = get_global_id(0), row = get_global_id(1);
  float cx = -2.0f + 3.0f * column / width, cy = -1.5f + 3.0f * row / height;
  float x = 0.0f, y = 0.0f;
  int count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    count++;
  }
  out[row * width + column] = count;
}`,
  prepare(size) {
    const n = size === 'full' ? 2048 : 512;
    const limit = 256;
    const places = sample(n * n, 20_000);
    const f = Math.fround;
    const steps = (index: number): number => {
      const [column, row] = [index % n, Math.floor(index / n)];
      const [cx, cy] = [f(-2 + f(f(3 * column) / n)), f(-1.5 + f(f(3 * row) / n))];
      let [x, y, done] = [0, 0, 0];
      while (done < limit && f(f(x * x) + f(y * y)) <= 4) {
        const next = f(f(f(x * x) - f(y * y)) + cx);
        y = f(f(f(2 * x) * y) + cy);
        x = next;
        done += 1;
      }
      return done;
    };
    return {
      size: square(n),
      buffers: { out: 4 * n * n },
      launches: [
        {
          kernel: 'mandelbrot',
          global: [n, n],
          local: [32, 8],
          arguments: [int(n), int(n), int(limit), 'out'],
        },
      ],
      work: { unit: 'M/s', amount: n * n },
      check(result) {
        // Points at the edge of the set escape a little earlier or later when operations are fused.
        const out = result('out', Int32Array);
        const wrong = places.filter((index) => Math.abs(out[index]! - steps(index)) > 1).length;
        return wrong > places.length / 50 ? `${wrong} of ${places.length} points differ` : undefined;
      },
    };
  },
};

export const blackScholes: BenchKernel = {
  name: 'Black-Scholes',
  source: `
// The normal distribution, by the rational approximation of Abramowitz and Stegun, 26.2.17.
float below(float x) {
  float t = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float tail = t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  tail *= 0.39894228f * exp(-0.5f * x * x);
  return x > 0.0f ? 1.0f - tail : tail;
}

kernel void prices(float rate, float volatility, global const float *spots, global const float *strikes,
                   global const float *years, global float *calls, global float *puts) {
  size_t i = get_global_id(0);
  float spot = spots[i], strike = strikes[i], time = years[i];
  float deviation = volatility * sqrt(time);
  float d1 = (log(spot / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
  float d2 = d1 - deviation;
  float discounted = strike * exp(-rate * time);
  calls[i] = spot * below(d1) - discounted * below(d2);
  puts[i] = discounted * below(-d2) - spot * below(-d1);
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 22 : 2 ** 18;
    const random = createRandom(10);
    const make = (low: number, high: number) =>
      Float32Array.from({ length: n }, () => random.between(low, high));
    const [spots, strikes, years] = [make(5, 30), make(1, 100), make(0.25, 10)];
    const [rate, volatility] = [Math.fround(0.02), Math.fround(0.3)];
    const price = (i: number, isCall: boolean): number => {
      const [spot, strike, time] = [spots[i]!, strikes[i]!, years[i]!];
      const deviation = volatility * Math.sqrt(time);
      const d1 = (Math.log(spot / strike) + (rate + 0.5 * volatility ** 2) * time) / deviation;
      const discounted = strike * Math.exp(-rate * time);
      const d2 = d1 - deviation;
      if (isCall) return spot * below(d1) - discounted * below(d2);
      return discounted * below(-d2) - spot * below(-d1);
    };
    const indices = sample(n, 5000);
    const how = { tolerance: 1e-5, scale: 100, indices };
    return {
      size: count(n),
      buffers: { spots, strikes, years, calls: 4 * n, puts: 4 * n },
      launches: [
        {
          kernel: 'prices',
          global: [n],
          local: [256],
          arguments: [float(rate), float(volatility), 'spots', 'strikes', 'years', 'calls', 'puts'],
        },
      ],
      work: { unit: 'M/s', amount: n },
      check: (result) =>
        firstOf(
          near(result('calls', Float32Array), (i) => price(i, true), how),
          near(result('puts', Float32Array), (i) => price(i, false), how),
        ),
    };
  },
};

/** The normal distribution, by the same approximation in double precision. */
function below(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = factors.reduceRight((value, factor) => t * (factor + value), 0);
  const tail = sum * 0.39894228 * Math.exp(-0.5 * x * x);
  return x > 0 ? 1 - tail : tail;
}
