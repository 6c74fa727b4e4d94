// n-body and k-means over the ranks, with floats, against the same kernels on one device: the same, bit for bit.
import { deepEqual, equal } from 'node:assert/strict';
import { compile } from 'millrace';
import { openCluster } from 'millrace/cluster';

const source = `
kernel void pull(global const float4 *at, global float4 *speed, int bodies, float step) {
  int i = get_global_id(0);
  float4 own = at[i], sum = 0;
  for (int j = 0; j < bodies; j++) {
    float4 d = at[j] - own;
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
    sum += d * (at[j].w / (r2 * sqrt(r2)));
  }
  speed[i] += step * (float4)(sum.xyz, 0);
}
kernel void move(global float4 *at, global const float4 *speed, float step) {
  int i = get_global_id(0);
  at[i] += step * speed[i];
}
kernel void nearest(global const float2 *points, global const float2 *centres, global int *of, int clusters) {
  int i = get_global_id(0), best = 0;
  float least = INFINITY;
  for (int c = 0; c < clusters; c++) {
    float2 d = points[i] - centres[c];
    float r2 = d.x * d.x + d.y * d.y;
    if (r2 < least) { least = r2; best = c; }
  }
  of[i] = best;
}
kernel void centre(global const float2 *points, global const int *of, global float2 *centres, int count) {
  int c = get_global_id(0), members = 0;
  float2 sum = 0;
  for (int i = 0; i < count; i++) if (of[i] == c) { sum += points[i]; members++; }
  if (members > 0) centres[c] = sum / (float)members;
}
`;

/** Numbers between 0 and 1. */
const numbers = (length, seed) =>
  Float32Array.from({ length }, (_, at) => (((at + seed) * 2654435761) >>> 0) / 2 ** 32);

async function results(program, read) {
  const found = [];
  const bodies = 200;
  const [at, speed] = [program.buffer(numbers(4 * bodies, 1)), program.buffer(new Float32Array(4 * bodies))];
  for (let step = 0; step < 5; step += 1) {
    await program.kernel('pull')({ global: [bodies] }, at, speed, bodies, 0.001);
    await program.kernel('move')({ global: [bodies] }, at, speed, 0.001);
  }
  found.push(await read(at), await read(speed));
  const [count, clusters] = [1000, 7];
  const points = program.buffer(numbers(2 * count, 5));
  const centres = program.buffer(numbers(2 * clusters, 77));
  const of = program.buffer(new Int32Array(count));
  for (let round = 0; round < 4; round += 1) {
    await program.kernel('nearest')({ global: [count] }, points, centres, of, clusters);
    await program.kernel('centre')({ global: [clusters] }, points, of, centres, count);
  }
  found.push(await read(centres), await read(of));
  return found;
}

const cluster = openCluster();
const together = await results(await cluster.compile(source), (buffer) => buffer.read(Uint32Array));
const alone = await results(await compile(source), (buffer) => buffer.read(Uint32Array));
equal(
  together[0].some((bits) => bits !== 0),
  true,
);
deepEqual(together, alone);
await cluster.barrier();
console.log(`rank ${cluster.rank} of ${cluster.size}: well`);
