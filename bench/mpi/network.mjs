// The constants of the network between ranks: mpirun -n 2 node bench/mpi/network.mjs. Rank 0 prints JSON; all times are in microseconds, each
// the least of several rounds.
// - messages: half of the way there and back, by bytes, between ranks 0 and 1, with blocking calls
// - perMessage: what one more message costs the rank that sends or receives it, with awaited calls, as launches of a cluster use them
// - collectives: allreduce of doubles, and broadcast, of all ranks, by bytes
import { init } from 'millrace/mpi';

const mpi = init();
const { world } = mpi;
const { rank, size } = world;

async function least(rounds, count, call) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    world.barrier();
    const start = mpi.wtime();
    for (let index = 0; index < count; index += 1) await call();
    best = Math.min(best, ((mpi.wtime() - start) / count) * 1e6);
  }
  return best;
}

const messageBytes = [1, 8, 64, 512, 4096, 16384, 65536, 262144, 2 ** 20, 2 ** 22];
const countFor = (bytes) => (bytes > 100_000 ? 8 : bytes > 10_000 ? 40 : 200);

const messages = [];
if (size >= 2) {
  for (const bytes of messageBytes) {
    const data = new Uint8Array(bytes);
    const bounce = () => {
      if (rank === 0) {
        world.send(data, 1);
        world.receive(data, 1);
      } else if (rank === 1) {
        world.receive(data, 0);
        world.send(data, 0);
      }
    };
    messages.push({ bytes, time: (await least(9, countFor(bytes), bounce)) / 2 });
  }
}

/** Both ranks send and receive so many small messages at once. */
async function several(count) {
  const peer = 1 - rank;
  const buffers = Array.from({ length: 2 * count }, () => new Uint8Array(64));
  return least(9, 50, async () => {
    const requests = buffers.map((data, at) =>
      at < count ? world.ireceive(data, peer, 0) : world.isend(data, peer, 0),
    );
    await Promise.all(requests.map((request) => request.done));
  });
}
const few = size === 2 ? await several(1) : undefined;
const many = size === 2 ? await several(16) : undefined;

const collectives = [];
for (const bytes of [8, 1024, 65536, 2 ** 20]) {
  const [sent, received] = [new Float64Array(bytes / 8), new Float64Array(bytes / 8)];
  const count = countFor(bytes);
  collectives.push({
    bytes,
    allreduce: await least(7, count, () => world.allreduce(sent, received, 'sum')),
    broadcast: await least(7, count, () => {
      world.broadcast(sent);
      // Else the root is ahead of the others.
      world.barrier();
    }),
    barrier: await least(7, 200, () => world.barrier()),
  });
}

if (rank === 0) {
  const perMessage = few === undefined ? undefined : (many - few) / 30;
  console.log(
    JSON.stringify({ engine: mpi.libraryVersion.split('\n')[0], messages, perMessage, collectives }),
  );
}
