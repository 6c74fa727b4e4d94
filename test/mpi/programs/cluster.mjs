// One launch over the ranks: the samples' kernels, and launches that must be refused. Expected values are computed here, in JavaScript.
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { all, neighbours, oneToOne, openCluster, rows } from 'millrace/cluster';

const cluster = openCluster();
const { rank, size } = cluster;
const program = await cluster.compile(`
kernel void product(global const int *a, global const int *b, global int *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
kernel void stencil(global const int *from, global int *to, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  to[y * width + x] = from[(y - 1) * width + x] + from[(y + 1) * width + x] + from[y * width + x - 1] - from[y * width + x + 1];
}
kernel void shift(global const int *from, global int *to, int n) {
  int i = get_global_id(0);
  to[i] = from[i > 0 ? i - 1 : 0] + 1;
}
kernel void scattered(global const int *where, global int *to) { to[where[get_global_id(0)]] = get_global_id(0); }
kernel void gathered(global const int *where, global const int *from, global int *to) {
  to[get_global_id(0)] = from[where[get_global_id(0)]];
}
kernel void count(global const int *values, global int *bins) { atomic_inc(&bins[values[get_global_id(0)] & 7]); }
kernel void grouped(global int *to) { to[get_global_id(0)] = get_group_id(0); }
kernel void inplace(global int *x) { int i = get_global_id(0); x[i] = x[i] * 3 + i; }
kernel void reversed(global int *x, int n) { int i = get_global_id(0); x[n - 1 - i] = i; }
kernel void tiled(global const int *a, global int *b, local int *t) {
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = t[n - 1 - l];
}
`);
const kernel = (name) => program.kernel(name);
const numbers = (length, seed) =>
  Int32Array.from({ length }, (_, index) => (((index + seed) * 2654435761) >>> 0) % 97);

// Matrix product: rows of a, all of b.
{
  const n = 33;
  const [a, b] = [numbers(n * n, 1), numbers(n * n, 5)];
  const c = program.buffer(4 * n * n);
  const report = await kernel('product')({ global: [n, n] }, program.buffer(a), program.buffer(b), c, n);
  equal(report.dimension, 1);
  equal(report.received, 0);
  const expected = Int32Array.from({ length: n * n }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < n; k += 1) sum += a[Math.floor(at / n) * n + k] * b[k * n + (at % n)];
    return sum;
  });
  deepEqual(await c.read(Int32Array), expected);
}

// Stencil: rows beside its own come from the neighbours, while the inside computes.
{
  const [width, height, steps] = [20, 64, 7];
  let now = numbers(width * height, 3);
  let [from, to] = [program.buffer(now), program.buffer(now)];
  let overlapped = 0;
  for (let step = 0; step < steps; step += 1) {
    const report = await kernel('stencil')({ global: [width, height] }, from, to, width, height);
    [from, to] = [to, from];
    const edges = (rank > 0 ? 1 : 0) + (rank < size - 1 ? 1 : 0);
    // Of a row's ends, which nobody writes, all have the same.
    if (step > 0) {
      equal(report.received <= edges * 4 * width && report.received >= edges * 4 * (width - 2), true);
      equal(report.sent, report.received);
      equal(report.count, height / size);
    }
    overlapped += report.overlapped;
    const next = now.slice();
    for (let y = 1; y < height - 1; y += 1)
      for (let x = 1; x < width - 1; x += 1) {
        const at = y * width + x;
        next[at] = now[at - width] + now[at + width] + now[at - 1] - now[at + 1];
      }
    now = next;
  }
  deepEqual(await from.read(Int32Array), now);
  equal(overlapped > 0, size > 1);
}

// Along one dimension, with a choice in the index.
{
  const n = 1000;
  let [from, to] = [program.buffer(numbers(n, 9)), program.buffer(4 * n)];
  let now = numbers(n, 9);
  for (let step = 0; step < 5; step += 1) {
    await kernel('shift')({ global: [n] }, from, to, n);
    [from, to] = [to, from];
    now = now.map((_, index) => now[Math.max(index - 1, 0)] + 1);
  }
  deepEqual(await from.read(Int32Array), now);
}

// In place, and the other way round: then each part writes elsewhere.
{
  const n = 777;
  const x = program.buffer(numbers(n, 2));
  await kernel('inplace')({ global: [n] }, x);
  await kernel('reversed')({ global: [n] }, x, n);
  await kernel('inplace')({ global: [n] }, x);
  deepEqual(
    await x.read(Int32Array),
    Int32Array.from({ length: n }, (_, index) => 3 * (n - 1 - index) + index),
  );
  await x.write(Int32Array.of(5, 6), 8);
  deepEqual([...(await x.read(Int32Array))].slice(1, 5), [3 * (n - 2) + 1, 5, 6, 3 * (n - 5) + 4]);
}

// Groups stay whole.
{
  const [n, group] = [96, 8];
  const { local } = await import('millrace');
  const [a, b] = [numbers(n, 4), program.buffer(4 * n)];
  const report = await kernel('tiled')(
    { global: [n], local: [group] },
    program.buffer(a),
    b,
    local(4 * group),
  );
  equal(report.count % group, 0);
  deepEqual(
    await b.read(Int32Array),
    a.map((_, index) => a[index - (index % group) + group - 1 - (index % group)]),
  );
}

// What is read by data's indices may be anything of the buffer; what is written so is refused, with the reason. The program may say what
// is reached.
{
  const n = 400;
  const where = Int32Array.from({ length: n }, (_, index) => (index * 7) % n);
  const [index, from, to] = [program.buffer(where), program.buffer(numbers(n, 6)), program.buffer(4 * n)];
  if (size > 1)
    await rejects(kernel('scattered')({ global: [n] }, index, to), {
      name: 'ClusterError',
      message: /'scattered' is not divided.*'to'/,
    });
  if (size > 1)
    await rejects(kernel('count')({ global: [n] }, index, to), { name: 'ClusterError', message: /'bins'/ });
  if (size > 1) await rejects(kernel('grouped')({ global: [n] }, to), { message: /get_group_id\(0\)/ });
  await rejects(kernel('gathered')({ global: [n], access: { nobody: { reads: all } } }, index, from, to), {
    message: /no parameter 'nobody'/,
  });
  const report = await kernel('gathered')({ global: [n] }, index, from, to);
  equal(report.count, n / size);
  const expected = where.map((at) => numbers(n, 6)[at]);
  deepEqual(await to.read(Int32Array), expected);
  // What was gathered lies with all ranks in parts; gathered once more, all parts travel.
  const second = program.buffer(4 * n);
  await kernel('inplace')({ global: [n] }, to);
  const moved = await kernel('gathered')(
    { global: [n], access: { from: { reads: all }, to: { writes: oneToOne } } },
    index,
    to,
    second,
  );
  equal(moved.received, (4 * n * (size - 1)) / size);
  deepEqual(
    await second.read(Int32Array),
    where.map((at) => expected[at] * 3 + at),
  );
  if (size > 1)
    await rejects(
      kernel('gathered')(
        { global: [n], access: { from: { reads: all }, to: { writes: all } } },
        index,
        from,
        to,
      ),
      {
        message: /what one part writes of 'to'/,
      },
    );
  deepEqual(neighbours(2)({ first: [10], count: [5], length: 16 }), [{ start: 8, end: 16 }]);
  deepEqual(rows(10, { halo: 1 })({ first: [0, 3], count: [10, 2], length: 100 }), [{ start: 20, end: 60 }]);
  await rejects(kernel('inplace')({ global: [n] }, new Int32Array(n)), { message: /an array of one rank/ });
}
await cluster.barrier();
cluster.release();
console.log(`rank ${rank} of ${size}: well`);
