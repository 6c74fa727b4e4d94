// What ranks do together. Expected values are computed from the ranks' numbers.
import { deepEqual, equal, throws } from 'node:assert/strict';
import { Datatype, IN_PLACE, init, Operation, Request } from 'millrace/mpi';

const mpi = init();
const { world } = mpi;
const { rank, size } = world;
const ranks = Array.from({ length: size }, (_, index) => index);
const sum = (values) => values.reduce((total, value) => total + value, 0);
const last = size - 1;

/** Blocking and begun, the call gives the same. */
const both = async (name, check) => {
  check((...given) => world[name](...given));
  const begun = [];
  check(
    (...given) => begun.push(world[`i${name}`](...given)),
    () => Request.waitAll(begun),
  );
  await Promise.all(begun.map(({ done }) => done));
};
const nothing = () => {};

await both('broadcast', (call, wait = nothing) => {
  const data = rank === last ? Float32Array.of(1, 2, 3) : new Float32Array(3);
  call(data, last);
  wait();
  deepEqual([...data], [1, 2, 3]);
});
await both('gather', (call, wait = nothing) => {
  const all = rank === 0 ? new Int32Array(2 * size) : undefined;
  call(Int32Array.of(rank, rank * rank), all, 0);
  wait();
  if (all)
    deepEqual(
      [...all],
      ranks.flatMap((one) => [one, one * one]),
    );
});
await both('gatherv', (call, wait = nothing) => {
  // Rank r gives r + 1 elements; there is a gap before each.
  const counts = ranks.map((one) => one + 1);
  const displacements = ranks.map((one) => (one * (one + 1)) / 2 + one + 1);
  const data = new Float64Array(sum(counts) + size).fill(-1);
  call(
    new Float64Array(rank + 1).fill(rank),
    rank === last ? { data, counts, displacements } : undefined,
    last,
  );
  wait();
  if (rank === last)
    deepEqual(
      [...data],
      ranks.flatMap((one) => [-1, ...new Array(one + 1).fill(one)]),
    );
});
await both('scatter', (call, wait = nothing) => {
  const mine = new Int16Array(2);
  call(rank === 0 ? Int16Array.from({ length: 2 * size }, (_, index) => 7 * index) : undefined, mine);
  wait();
  deepEqual([...mine], [14 * rank, 14 * rank + 7]);
});
await both('scatterv', (call, wait = nothing) => {
  const counts = ranks.map((one) => (one % 2) + 1);
  const mine = new Int32Array(counts[rank]);
  call(
    rank === 0 ? { data: Int32Array.from({ length: sum(counts) }, (_, index) => index), counts } : undefined,
    mine,
    0,
  );
  wait();
  const start = sum(counts.slice(0, rank));
  deepEqual(
    [...mine],
    Array.from(mine, (_, index) => start + index),
  );
});
await both('allgather', (call, wait = nothing) => {
  const all = new BigInt64Array(size);
  call(BigInt64Array.of(BigInt(rank) << 40n), all);
  wait();
  deepEqual(
    [...all],
    ranks.map((one) => BigInt(one) << 40n),
  );
});
await both('allgatherv', (call, wait = nothing) => {
  const counts = ranks.map((one) => size - one);
  const data = new Uint8Array(sum(counts));
  call(new Uint8Array(size - rank).fill(rank + 1), { data, counts });
  wait();
  deepEqual(
    [...data],
    ranks.flatMap((one) => new Array(size - one).fill(one + 1)),
  );
});
await both('alltoall', (call, wait = nothing) => {
  const all = new Int32Array(size);
  call(
    Int32Array.from(ranks, (to) => 100 * rank + to),
    all,
  );
  wait();
  deepEqual(
    [...all],
    ranks.map((from) => 100 * from + rank),
  );
});
await both('alltoallv', (call, wait = nothing) => {
  // Rank r gets r elements from each.
  const sent = { data: new Int32Array(sum(ranks)).fill(rank), counts: ranks };
  const received = { data: new Int32Array(size * rank), counts: ranks.map(() => rank) };
  call(sent, received);
  wait();
  deepEqual(
    [...received.data],
    ranks.flatMap((from) => new Array(rank).fill(from)),
  );
});
await both('reduce', (call, wait = nothing) => {
  const result = rank === last ? new Float64Array(2) : undefined;
  call(Float64Array.of(rank, 2 ** rank), result, 'sum', last);
  wait();
  if (result) deepEqual([...result], [sum(ranks), 2 ** size - 1]);
});
await both('allreduce', (call, wait = nothing) => {
  const data = Int32Array.of(rank + 1, -rank, 1 << rank);
  const results = ['product', 'min', 'max', 'bit-or'].map((operation) => {
    const result = new Int32Array(3);
    call(data, result, operation);
    return result;
  });
  call(IN_PLACE, data, 'sum');
  wait();
  const factorial = ranks.reduce((product, one) => product * (one + 1), 1);
  equal(results[0][0], factorial);
  equal(results[1][1], 0 - last);
  equal(results[2][0], size);
  equal(results[3][2], (1 << size) - 1);
  deepEqual([...data], [sum(ranks) + size, 0 - sum(ranks), (1 << size) - 1]);
});
await both('reduceScatter', (call, wait = nothing) => {
  const mine = new Int32Array(1);
  call(
    Int32Array.from(ranks, (to) => to * 10 + rank),
    mine,
    'sum',
  );
  wait();
  equal(mine[0], rank * 10 * size + sum(ranks));
});
await both('scan', (call, wait = nothing) => {
  const result = new Int32Array(1);
  call(Int32Array.of(rank + 1), result, 'sum');
  wait();
  equal(result[0], sum(ranks.slice(0, rank + 1)) + rank + 1);
});
await both('exscan', (call, wait = nothing) => {
  const result = Int32Array.of(-5);
  call(Int32Array.of(rank + 1), result, 'sum');
  wait();
  equal(result[0], rank === 0 ? -5 : sum(ranks.slice(0, rank)) + rank);
});
await both('barrier', (call, wait = nothing) => {
  call();
  wait();
});

// Where the largest is: pairs of a value and a rank.
const pair = new DataView(new ArrayBuffer(16));
pair.setFloat64(0, (rank * 5) % size, true);
pair.setInt32(8, rank, true);
const found = new DataView(new ArrayBuffer(16));
world.allreduce({ data: pair, type: 'double-int' }, { data: found, type: 'double-int' }, 'maxloc');
deepEqual([found.getFloat64(0, true), (found.getInt32(8, true) * 5) % size], [last, last]);

// Operations of the program's own: matrices of 2 by 2 multiply in the order of ranks.
const matrix = Datatype.contiguous(4, 'double');
const product = new Operation(
  matrix,
  (input, inout) => {
    const [a, b] = [input, inout].map(({ buffer }) => new Float64Array(buffer));
    for (let at = 0; at < a.length; at += 4) {
      const [p, q, r, s] = b.subarray(at, at + 4);
      const [i, j, k, l] = a.subarray(at, at + 4);
      b.set([i * p + j * r, i * q + j * s, k * p + l * r, k * q + l * s], at);
    }
  },
  { commutes: false },
);
const multiply = ([i, j, k, l], [p, q, r, s]) => [i * p + j * r, i * q + j * s, k * p + l * r, k * q + l * s];
const own = (one) => [one + 1, 2, 1 - one, one % 2];
const together = new Float64Array(4);
world.allreduce(
  { data: Float64Array.from(own(rank)), type: matrix },
  { data: together, type: matrix },
  product,
);
deepEqual([...together], ranks.map(own).reduce(multiply));
product.free();
throws(() => world.allreduce({ data: together, type: matrix }, { data: together, type: matrix }, product), {
  name: 'MPI_ERR_OP',
});
const failing = new Operation('int32', () => {
  throw new RangeError('of the program');
});
const several = new Int32Array(1);
let thrown = 0;
try {
  world.allreduce(Int32Array.of(rank), several, failing);
} catch (error) {
  equal(error.message, 'of the program');
  thrown = 1;
}
// Some rank has called it.
world.allreduce(IN_PLACE, several.fill(thrown), 'max');
equal(several[0], size > 1 ? 1 : 0);

// Errors.
throws(() => world.gather(Int32Array.of(1), undefined, rank), { name: 'MPI_ERR_BUFFER' });
throws(() => world.allreduce(new Int32Array(2), new Int32Array(3), 'sum'), { name: 'MPI_ERR_COUNT' });
throws(() => world.allreduce(new Int32Array(2), new Float32Array(2), 'sum'), { name: 'MPI_ERR_TYPE' });
throws(() => world.allreduce(new Int32Array(2), new Int32Array(2), 'mean'), { name: 'MPI_ERR_OP' });
if (size > 1)
  throws(() => world.allgather(Int32Array.of(1), new Int32Array(size + 1)), { name: 'MPI_ERR_COUNT' });
throws(
  () =>
    world.allgatherv(Int32Array.of(1), { data: new Int32Array(size), counts: new Array(size + 1).fill(0) }),
  {
    name: 'MPI_ERR_COUNT',
  },
);
throws(() => world.broadcast(new Int32Array(1), size), { name: /MPI_ERR_R(OOT|ANK)/ });
world.barrier();
console.log(`rank ${rank} of ${size}: well`);
