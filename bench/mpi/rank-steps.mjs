// The steps of steps.mjs on real ranks: mpirun -n 4 node bench/mpi/rank-steps.mjs. Rank 0 prints as JSON the milliseconds of a step of each,
// and numbers of its result, which are the same on any number of ranks but for the order of sums.
import { openCluster } from 'millrace/cluster';
import { IN_PLACE } from 'millrace/mpi';
import { samples, timeSteps } from './steps.mjs';

const cluster = openCluster();
const { world } = cluster.mpi;
const found = [];
for (const sample of samples) {
  const program = await cluster.compile(sample.source);
  const run = sample.prepare(program, { allreduce: (numbers) => world.allreduce(IN_PLACE, numbers, 'sum') });
  const time = await timeSteps(
    run,
    sample.steps,
    () => cluster.barrier(),
    () => performance.now(),
  );
  const result = await run.result();
  const every = Math.max(1, Math.floor(result.length / 64));
  found.push({
    sample: sample.name,
    ranks: cluster.size,
    time,
    result: [...result.filter((_, at) => at % every === 0)],
  });
  program.release();
}
if (cluster.rank === 0) console.log(JSON.stringify(found));
cluster.release();
