// One rank among imagined ones: node bench/mpi/imagined.mjs 1 2 4 64. For each number of ranks and each of the steps of steps.mjs, the rank in the
// middle does what it would do among them, planning and all its part of the work, but its messages arrive at once. Prints as JSON how long a
// step takes it (ms) and what it would send and receive: what is left to know is the network (model.ts).
import { compile } from 'millrace';
import { ClusterProgram } from 'millrace/cluster';
import { samples, timeSteps } from './steps.mjs';

/** What ClusterProgram needs of a communicator. `log` gets what would be sent. */
function imaginedRanks(size, log) {
  const over = { done: Promise.resolve(), wait: () => undefined };
  return {
    rank: Math.floor(size / 2),
    size,
    isend(bytes) {
      log.sent.push(bytes.byteLength);
      return over;
    },
    ireceive(bytes) {
      log.received.push(bytes.byteLength);
      return over;
    },
  };
}

const found = [];
for (const ranks of process.argv.slice(2).map(Number)) {
  for (const sample of samples) {
    const log = { sent: [], received: [], reduced: [] };
    const made = await compile(sample.source);
    const program = new ClusterProgram(imaginedRanks(ranks, log), made, sample.source, {});
    const run = sample.prepare(program, {
      allreduce: (numbers) => void log.reduced.push(numbers.byteLength),
    });
    const time = await timeSteps(
      run,
      sample.steps,
      () => undefined,
      () => performance.now(),
    );
    for (const list of Object.values(log)) list.length = 0;
    const reports = await run.step();
    const ids = reports.reduce((sum, { count }) => sum + count, 0);
    const overlapped = reports.reduce((sum, report) => sum + report.overlapped, 0) / ids;
    found.push({ sample: sample.name, ranks, time, overlapped, ...log });
    program.release();
  }
}
console.log(JSON.stringify(found));
process.exit();
