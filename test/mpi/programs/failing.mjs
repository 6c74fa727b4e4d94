// Rank 2 ends badly while the others wait for it: by the way that an argument names.
import { writeFileSync } from 'node:fs';
import { init } from 'millrace/mpi';

const { world } = init();
const [, , way, folder] = process.argv;
// By a file, for what ranks print is lost when they are ended.
writeFileSync(`${folder}/${world.rank}`, String(process.pid));
world.barrier();
if (world.rank === 2) {
  if (way === 'throw') throw new RangeError('rank 2 cannot go on');
  if (way === 'reject') await Promise.reject(new RangeError('rank 2 cannot go on'));
  if (way === 'exit') process.exit(7);
  if (way === 'abort') init().abort(9);
  if (way === 'kill') process.kill(process.pid, 'SIGKILL');
}
if (way === 'end') process.exit(0);
// Some block, and one is in its event loop.
if (world.rank === 0) await world.ireceive(new Int32Array(1), 2, 99).done;
world.receive(new Int32Array(1), 2, 99);
