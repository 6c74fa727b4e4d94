// What calls of millrace/mpi and launches of millrace/cluster cost: mpirun -n 2 node bench/mpi/overhead.mjs. Rank 0 prints microseconds, the
// least of several rounds. A barrier, a message to oneself and a launch that needs nothing show what is not the engine's waiting.
import { openCluster } from 'millrace/cluster';

const cluster = openCluster();
const { mpi } = cluster;
const { world, self } = mpi;

async function least(name, count, call) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 7; round += 1) {
    world.barrier();
    const start = mpi.wtime();
    for (let index = 0; index < count; index += 1) await call();
    best = Math.min(best, ((mpi.wtime() - start) / count) * 1e6);
  }
  if (world.rank === 0) console.log(`${name}: ${best.toFixed(2)} us`);
}

const [one, other] = [new Int32Array(1), new Int32Array(1)];
await least('probe for nothing', 2000, () => void self.iprobe());
await least('send to and receive from oneself', 2000, () => void self.sendReceive(one, 0, other, 0));
await least('begin, and wait for, both', 2000, () => {
  const request = self.ireceive(other, 0, 1);
  self.send(one, 0, 1);
  request.wait();
});
await least('begin, and await, both', 500, async () => {
  const request = self.ireceive(other, 0, 1);
  self.send(one, 0, 1);
  await request.done;
});
const program = await cluster.compile(
  'kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }',
);
const x = program.buffer(4 * 1024);
await least('a launch of the cluster', 300, () => program.kernel('add')({ global: [1024] }, x, 1));
const { compile } = await import('millrace');
const plain = await compile('kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }');
const y = plain.buffer(4 * 1024);
await least('a launch of one device', 300, () => plain.kernel('add')({ global: [1024] }, y, 1));
cluster.release();
