// Messages between ranks, of all kinds. Expected values are computed from the ranks' numbers.
import { deepEqual, equal, throws } from 'node:assert/strict';
import { ANY_SOURCE, ANY_TAG, init, MPIError, PROC_NULL, Request, UNDEFINED } from 'millrace/mpi';

const mpi = init();
const { world } = mpi;
const { rank, size } = world;
const next = (rank + 1) % size;
const before = (rank + size - 1) % size;
const status = ({ source, tag, count }) => [source, tag, count];

// All kinds of arrays arrive as they are.
const kinds = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
];
for (const kind of [...kinds, BigInt64Array, BigUint64Array]) {
  const value = (from, index) =>
    kind.name.startsWith('Big') ? BigInt(10 * from + index) : 10 * from + index;
  const sent = kind.from({ length: 5 }, (_, index) => value(rank, index));
  const received = new kind(5);
  deepEqual(status(world.sendReceive(sent, next, received, before, { send: 3, receive: 3 })), [before, 3, 5]);
  deepEqual(
    received,
    kind.from({ length: 5 }, (_, index) => value(before, index)),
  );
}

// Shared memory, parts of arrays, views that begin later.
const shared = new Int32Array(new SharedArrayBuffer(40));
shared.fill(-1);
const request = world.ireceive(shared.subarray(2, 6), before, 1);
world.send({ data: Int32Array.of(9, rank, 2, 3, 4, 9), count: 4, byteOffset: 4 }, next, 1, 'synchronous');
deepEqual(status(request.wait()), [before, 1, 4]);
deepEqual([...shared], [-1, -1, before, 2, 3, 4, -1, -1, -1, -1]);

// The event loop goes on while a request is awaited: a rank asks for its message when its clock has struck some times.
let rounds = 0;
const clock = setInterval(() => {
  rounds += 1;
  if (rounds === 4) world.send(Int32Array.of(rounds), before, 31);
}, 1);
const late = new Float64Array(1);
const awaited = world.ireceive(late, before, 30);
equal(awaited.test(), undefined);
const asked = world.ireceive(new Int32Array(1), next, 31);
const answered = asked.done.then(() => world.send(Float64Array.of(rank + 0.5), next, 30));
deepEqual(status(await awaited.done), [before, 30, 1]);
equal(late[0], before + 0.5);
await answered;
clearInterval(clock);
equal(rounds >= 4, true);
equal(awaited.wait(), awaited.test());

// Many at once, in any order.
const many = Array.from({ length: 20 }, (_, tag) => {
  const data = new Int32Array(1);
  return { data, request: world.ireceive(data, before, tag) };
});
const sends = many.map((_, tag) => world.isend(Int32Array.of(100 * rank + 19 - tag), next, 19 - tag));
const all = await Promise.all([...many.map((one) => one.request.done), ...sends.map((one) => one.done)]);
deepEqual(
  all.slice(0, 20).map(({ tag }) => tag),
  Array.from({ length: 20 }, (_, tag) => tag),
);
deepEqual(
  many.map(({ data }) => data[0]),
  Array.from({ length: 20 }, (_, tag) => 100 * before + tag),
);

// From anybody: every rank but 0 sends as many messages as its number, and all are accounted for.
if (rank === 0) {
  const counts = new Array(size).fill(0);
  for (let left = (size * (size - 1)) / 2; left > 0; left -= 1) {
    const found = world.probe(ANY_SOURCE, 5);
    const data = new Uint8Array(found.byteLength);
    const { source, count } = world.receive(data, found.source, 5);
    equal(count, source);
    equal(
      data.every((byte) => byte === source),
      true,
    );
    counts[source] += 1;
  }
  deepEqual(
    counts,
    Array.from({ length: size }, (_, index) => index),
  );
  equal(world.iprobe(ANY_SOURCE, 5), undefined);
} else for (let index = 0; index < rank; index += 1) world.send(new Uint8Array(rank).fill(rank), 0, 5);
world.barrier();

const probed = world.probed(before, ANY_TAG);
world.isend(Float32Array.of(1, 2, 3), next, 8).wait();
const seen = await probed;
deepEqual(
  [seen.source, seen.tag, seen.byteLength, seen.countOf('float'), seen.countOf('double')],
  [before, 8, 12, 3, undefined],
);
equal(world.receive(new Float32Array(8), seen.source, seen.tag).count, 3);

// Persistent requests.
const [out, into] = [new Int32Array(2), new Int32Array(2)];
const lasting = [world.persistentReceive(into, before, 6), world.persistentSend(out, next, 6)];
for (let round = 0; round < 5; round += 1) {
  out.set([rank, round]);
  Request.startAll(lasting);
  throws(() => lasting[0].start(), { name: 'MPI_ERR_REQUEST' });
  if (round % 2) Request.waitAll(lasting);
  else await Promise.all(lasting.map(({ done }) => done));
  deepEqual([...into], [before, round]);
}
for (const one of lasting) one.free();
throws(() => lasting[0].start(), { name: 'MPI_ERR_REQUEST' });

// The first of several.
const places = [new Int32Array(1), new Int32Array(1)];
const both = places.map((data, tag) => world.ireceive(data, before, 20 + tag));
world.send(Int32Array.of(rank), next, 21);
equal(Request.waitAny(both), 1);
equal(places[1][0], before);
both[0].cancel();
equal(both[0].wait().cancelled, true);
equal(Request.waitAny(both), -1);

// Nobody.
deepEqual(status(world.receive(new Int32Array(1), PROC_NULL)), [PROC_NULL, ANY_TAG, 0]);
world.send(new Int32Array(1), PROC_NULL);

// Errors, by MPI's classes; nothing of it ends the job.
throws(
  () => world.send(new Int32Array(1), size),
  (error) =>
    error instanceof MPIError &&
    error.errorClass === 'MPI_ERR_RANK' &&
    error.code !== 0 &&
    /invalid rank/i.test(error.message),
);
throws(() => world.send(new Int32Array(1), -7), { name: 'MPI_ERR_RANK' });
throws(() => world.send(new Int32Array(1), 0, -5), { name: 'MPI_ERR_TAG' });
throws(() => world.send({ data: new Int32Array(4), count: 5 }, 0), { name: 'MPI_ERR_BUFFER' });
throws(() => world.send({ data: new Int32Array(4), count: 1.5 }, 0), { name: 'MPI_ERR_COUNT' });
throws(() => world.send({ data: new Int32Array(4), byteOffset: 4, count: 4 }, 0), { name: 'MPI_ERR_BUFFER' });
throws(() => world.send([1, 2, 3], 0), { name: 'MPI_ERR_BUFFER' });
throws(() => world.send({ data: new Int32Array(1), type: 'quad' }, 0), { name: 'MPI_ERR_TYPE' });
world.barrier();
const short = world.ireceive(new Int32Array(1), before, 9);
world.isend(Int32Array.of(1, 2, 3), next, 9);
await short.done.then(
  () => equal(0, 1),
  (error) => equal(error.name, 'MPI_ERR_TRUNCATE'),
);
equal(UNDEFINED < 0, true);
world.barrier();
mpi.finalize();
throws(() => init(), { name: 'MPI_ERR_OTHER' });
console.log(`rank ${rank} of ${size}: well`);
