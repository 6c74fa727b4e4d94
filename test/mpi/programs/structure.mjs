// Communicators, grids and derived datatypes, on typed arrays and in memory of a device.
import { deepEqual, equal, throws } from 'node:assert/strict';
import { compile } from 'millrace';
import { Communicator, Datatype, init, PROC_NULL, UNDEFINED } from 'millrace/mpi';

const mpi = init({ threads: 'multiple' });
const { world, self } = mpi;
const { rank, size } = world;
equal(size, 4);
deepEqual([self.rank, self.size], [0, 1]);
equal(init(), mpi);
equal(['Open MPI', 'MPICH', 'MPI ABI'].includes(mpi.engine), true);
equal(mpi.version[0] >= 3, true);
equal(mpi.processorName.length > 0, true);
equal(['serialized', 'multiple'].includes(mpi.threads), true);
const start = mpi.wtime();
await new Promise((resolve) => setTimeout(resolve, 50));
const passed = mpi.wtime() - start;
equal(passed > 0.04 && passed < 60, true);
equal(mpi.wtick() > 0 && mpi.wtick() < 0.1, true);

// Halves, in the opposite order.
const half = world.split(rank % 2, -rank);
deepEqual([half.size, half.rank], [2, rank < 2 ? 1 : 0]);
const members = new Int32Array(2);
half.allgather(Int32Array.of(rank), members);
deepEqual([...members], rank % 2 ? [3, 1] : [2, 0]);
equal(world.split(rank === 0 ? 1 : undefined)?.size, rank === 0 ? 1 : undefined);
equal(world.split(rank === 0 ? UNDEFINED : 2)?.size, rank === 0 ? undefined : 3);
equal(world.splitShared().size, 4);

// Messages of a duplicate are no messages of the original.
const other = world.duplicate();
other.name = 'the other';
deepEqual([other.name, world.name], ['the other', 'MPI_COMM_WORLD']);
const [one, two] = [new Int32Array(1), new Int32Array(1)];
if (rank === 0) {
  other.send(Int32Array.of(2), 1, 0);
  world.send(Int32Array.of(1), 1, 0);
}
if (rank === 1) {
  world.receive(one, 0, 0);
  other.receive(two, 0, 0);
  deepEqual([one[0], two[0]], [1, 2]);
}
other.free();
throws(() => other.barrier(), { name: 'MPI_ERR_COMM' });
throws(() => world.free(), { name: 'MPI_ERR_COMM' });
throws(() => world.coordinates(), { name: 'MPI_ERR_TOPOLOGY' });

// A grid of 2 by 2 whose rows are rings.
const grid = world.cartesian({ dimensions: [2, 0], periodic: [false, true] });
equal(grid instanceof Communicator, true);
deepEqual([...grid.dimensions], [2, 2]);
const [row, column] = grid.coordinates();
deepEqual([row, column], [Math.floor(rank / 2), rank % 2]);
equal(grid.rankAt([row, column]), rank);
deepEqual(grid.shift(0), {
  source: row === 0 ? PROC_NULL : rank - 2,
  destination: row === 1 ? PROC_NULL : rank + 2,
});
deepEqual(grid.shift(1), { source: rank ^ 1, destination: rank ^ 1 });
const line = grid.slice([false, true]);
deepEqual([line.size, line.rank], [2, column]);
const around = new Int32Array(4).fill(-9);
grid.neighbourAllgather(Int32Array.of(rank), around);
deepEqual([...around], [row === 0 ? -9 : rank - 2, row === 1 ? -9 : rank + 2, rank ^ 1, rank ^ 1]);
equal(world.cartesian({ dimensions: [3] })?.size, rank < 3 ? 3 : undefined);

// Columns, blocks and structures: what is sent as one arrives as plain numbers, and the other way round.
const next = (rank + 1) % size;
const before = (rank + 3) % size;
const matrix = Float32Array.from({ length: 20 }, (_, index) => 100 * rank + index);
const of = (from, ...indices) => indices.map((index) => 100 * from + index);
const types = {
  column: [Datatype.vector(4, 1, 5, 'float'), [0, 5, 10, 15]],
  pairs: [Datatype.hvector(2, 2, 40, 'float'), [0, 1, 10, 11]],
  block: [Datatype.subarray([4, 5], [2, 3], [1, 2], 'float'), [7, 8, 9, 12, 13, 14]],
  some: [Datatype.indexed([1, 2], [3, 8], 'float'), [3, 8, 9]],
  row: [Datatype.contiguous(5, 'float'), [0, 1, 2, 3, 4]],
  fields: [
    Datatype.struct([
      { offset: 4, type: 'float' },
      { offset: 12, type: 'float', count: 2 },
    ]),
    [1, 3, 4],
  ],
};
for (const [name, [type, indices]] of Object.entries(types)) {
  const plain = new Float32Array(indices.length);
  const found = world.sendReceive({ data: matrix, type, count: 1 }, next, plain, before);
  deepEqual([...plain], of(before, ...indices), name);
  equal(found.count, indices.length);
  equal(type.size, 4 * indices.length);
  const back = new Float32Array(20);
  equal(world.sendReceive(plain, before, { data: back, type, count: 1 }, next).count, 1);
  const expected = new Float32Array(20);
  for (const index of indices) expected[index] = 100 * rank + index;
  deepEqual(back, expected, name);
}
// Columns next to each other: with the distance of one element between them, all of a matrix is its transpose.
const columns = Datatype.resized(types.column[0], 0, 4);
deepEqual([columns.extent, columns.size], [4, 16]);
const transposed = new Float32Array(20);
world.sendReceive({ data: matrix, type: columns }, next, transposed, before);
deepEqual(
  [...transposed],
  of(before, ...Array.from({ length: 20 }, (_, index) => (index % 4) * 5 + Math.floor(index / 4))),
);
throws(() => world.send({ data: matrix.subarray(1), type: types.column[0], count: 2 }, next), {
  name: 'MPI_ERR_BUFFER',
});
throws(() => Datatype.vector(-1, 1, 1, 'float'), { name: 'MPI_ERR_COUNT' });
throws(() => Datatype.subarray([4], [5], [0], 'float'), { name: 'MPI_ERR_ARG' });
types.column[0].free();
throws(() => world.send({ data: matrix, type: types.column[0] }, next), { name: 'MPI_ERR_TYPE' });

// Memory of a device: what a kernel has written is sent, what is received a kernel reads, and nobody copies.
const source =
  'kernel void fill(global int *x, int from) { x[get_global_id(0)] = from * 1000 + get_global_id(0); }\n' +
  'kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }\n';
for (const device of [undefined, 'native']) {
  let program;
  try {
    program = await compile(source, { device });
  } catch (error) {
    if (device === 'native') continue;
    throw error;
  }
  const [from, to] = [program.buffer(4 * 1000), program.buffer(4 * 1000)];
  await program.kernel('fill')({ global: [1000] }, from, rank);
  const status = world.sendReceive(from, next, to, before);
  equal(status.byteLength, 4000);
  await program.kernel('twice')({ global: [1000] }, to);
  const result = await to.read(Int32Array);
  deepEqual(
    result,
    Int32Array.from({ length: 1000 }, (_, index) => 2 * (before * 1000 + index)),
  );
  const sums = from.map(Int32Array);
  world.allreduce(sums.slice(), to.map(Int32Array), 'sum');
  deepEqual(await to.read(Int32Array, 0, 2), Int32Array.of(6000, 6004));
  program.release();
}
world.barrier();
console.log(`rank ${rank} of ${size}: well`);
