// MPI and the cluster (millrace/mpi, millrace/cluster): heat in a plate, its rows divided over the ranks. mpirun -n 4 node samples/libraries/heat.mjs
import { strict as assert } from 'node:assert';
import { openCluster } from 'millrace/cluster';

const [width, height, steps] = [256, 200, 50];
const cluster = openCluster();
const program = await cluster.compile(`
  kernel void spread_heat(global const float *from, global float *to, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    to[y * width + x] = 0.25f * (from[(y - 1) * width + x] + from[(y + 1) * width + x] + from[y * width + x - 1] + from[y * width + x + 1]);
  }`);

// One edge is hot.
const plate = Float32Array.from({ length: width * height }, (_, at) => (at < width ? 100 : 0));
let [from, to] = [program.buffer(plate), program.buffer(plate)];
let received = 0;
for (let step = 0; step < steps; step += 1) {
  const report = await program.kernel('spread_heat')({ global: [width, height] }, from, to, width, height);
  received += report.received;
  [from, to] = [to, from];
}
const result = await from.read(Float32Array);

let [plain, next] = [plate.slice(), plate.slice()];
for (let step = 0; step < steps; step += 1) {
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      next[at] = 0.25 * (plain[at - width] + plain[at + width] + plain[at - 1] + plain[at + 1]);
    }
  [plain, next] = [next, plain];
}
for (const [at, value] of result.entries()) assert(Math.abs(value - plain[at]) < 1e-4, `element ${at}`);

// Each rank tells how much it has got from others; MPI adds it up.
const total = Float64Array.of(received);
cluster.mpi.world.allreduce(total.slice(), total, 'sum');
if (cluster.rank === 0)
  console.log(`${steps} steps on ${cluster.size} ranks: right, ${total[0]} bytes travelled`);
cluster.release();
