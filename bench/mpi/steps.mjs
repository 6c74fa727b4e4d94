// What the part `mpi` of the bench measures over ranks: programs that go on in steps, each a few launches of a cluster. They are the same for
// real ranks (rank-steps.mjs) and for one rank among imagined ones (imagined.mjs).

/** Numbers between 0 and 1. */
const numbers = (length, seed) =>
  Float32Array.from({ length }, (_, at) => (((at + seed) * 2654435761) >>> 0) / 2 ** 32);

const stencilSide = 4096;
const bodies = 16384;
const productSide = 768;
const [points, clusters] = [2 ** 20, 64];

/**
 * Each: how many steps are timed at once; its source; `prepare` makes buffers and gives `step`, which resolves with the reports of its launches, and `result`, what is compared
 * between runs on different numbers of ranks.
 */
export const samples = [
  {
    name: 'stencil',
    steps: 10,
    title: `heat, ${stencilSide} x ${stencilSide}, a halo of a row`,
    source: `kernel void smooth(global const float *from, global float *to, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  to[y * width + x] = 0.25f * (from[(y - 1) * width + x] + from[(y + 1) * width + x] + from[y * width + x - 1] + from[y * width + x + 1]);
}`,
    prepare(program) {
      const start = numbers(stencilSide ** 2, 3);
      let [from, to] = [program.buffer(start), program.buffer(start)];
      return {
        async step() {
          const range = { global: [stencilSide, stencilSide] };
          const report = await program.kernel('smooth')(range, from, to, stencilSide, stencilSide);
          [from, to] = [to, from];
          return [report];
        },
        result: () => from.read(Float32Array),
      };
    },
  },
  {
    name: 'n-body',
    steps: 1,
    title: `${bodies} bodies, all pairs`,
    source: `kernel void pull(global const float4 *at, global float4 *speed, int bodies, float step) {
  int i = get_global_id(0);
  float4 own = at[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < bodies; j++) {
    float4 other = at[j];
    float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
    float pull = other.w / (r2 * sqrt(r2));
    x += dx * pull; y += dy * pull; z += dz * pull;
  }
  speed[i] += step * (float4)(x, y, z, 0);
}
kernel void move(global float4 *at, global const float4 *speed, float step) {
  int i = get_global_id(0);
  at[i] += step * speed[i];
}`,
    prepare(program) {
      const at = program.buffer(numbers(4 * bodies, 1));
      const speed = program.buffer(new Float32Array(4 * bodies));
      return {
        step: async () => [
          await program.kernel('pull')({ global: [bodies] }, at, speed, bodies, 1e-6),
          await program.kernel('move')({ global: [bodies] }, at, speed, 1e-6),
        ],
        result: () => at.read(Float32Array),
      };
    },
  },
  {
    name: 'product',
    steps: 5,
    title: `X = A X, ${productSide} x ${productSide}, X whole on all`,
    source: `kernel void product(global const float *a, global const float *x, global float *y, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * x[k * n + j];
  y[i * n + j] = sum;
}`,
    prepare(program) {
      const n = productSide;
      // The rows' sums are near 1, so that powers of the matrix neither vanish nor overflow.
      const a = program.buffer(numbers(n * n, 5).map((value) => (2 * value) / n));
      let [x, y] = [program.buffer(numbers(n * n, 7)), program.buffer(4 * n * n)];
      return {
        async step() {
          const report = await program.kernel('product')({ global: [n, n] }, a, x, y, n);
          [x, y] = [y, x];
          return [report];
        },
        result: () => x.read(Float32Array),
      };
    },
  },
  {
    name: 'k-means',
    steps: 6,
    title: `${points} points, ${clusters} clusters, sums by an allreduce`,
    source: `kernel void nearest(global const float2 *points, global const float2 *centres, global int *of, int clusters) {
  int i = get_global_id(0), best = 0;
  float2 own = points[i];
  float least = INFINITY;
  for (int c = 0; c < clusters; c++) {
    float2 d = own - centres[c];
    float r2 = d.x * d.x + d.y * d.y;
    if (r2 < least) { least = r2; best = c; }
  }
  of[i] = best;
}`,
    prepare(program, { allreduce }) {
      const data = numbers(2 * points, 5);
      const at = program.buffer(data);
      const of = program.buffer(4 * points);
      let centres = data.slice(0, 2 * clusters);
      return {
        async step() {
          // All ranks have the same centres, so nothing of them is sent.
          const given = program.buffer(centres);
          const report = await program.kernel('nearest')({ global: [points] }, at, given, of, clusters);
          // Each rank adds up its own points.
          const sums = new Float64Array(3 * clusters);
          const own = of.local.map(Int32Array, report.first, report.count);
          for (let i = 0; i < own.length; i += 1) {
            const place = 3 * own[i];
            const point = 2 * (report.first + i);
            sums[place] += data[point];
            sums[place + 1] += data[point + 1];
            sums[place + 2] += 1;
          }
          allreduce(sums);
          centres = Float32Array.from(centres, (was, at) => {
            const count = sums[3 * (at >> 1) + 2];
            return count > 0 ? sums[3 * (at >> 1) + (at & 1)] / count : was;
          });
          given.release();
          return [report];
        },
        result: async () => centres,
      };
    },
  },
];

/** Milliseconds a step: the least of some rounds of so many. `together` is awaited before and after each. */
export async function timeSteps({ step }, steps, together, now) {
  for (let warm = 0; warm < 2; warm += 1) await step();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    await together();
    const start = now();
    for (let index = 0; index < steps; index += 1) await step();
    await together();
    best = Math.min(best, (now() - start) / steps);
  }
  return best;
}

const rounds = 5;
