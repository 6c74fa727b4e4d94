/**
 * What a call of a program may touch of its memory. The engine would touch anything: so each message is checked to lie in the memory before.
 * Counts and types come behind the data, in a few ways:
 *
 *     buf int type            one message; of all ranks where a collective call says so
 *     buf buf int type        what is combined, and the result
 *     buf ptr ptr type        counts and displacements of all ranks
 *     buf buf ptr type        counts of all ranks, of a combined result
 */
import { signatures } from '../signatures.ts';
import type { Program } from './program.ts';

/** Arguments that are messages of all ranks, by their functions without MPI_ and I. */
const ofAllRanks: Readonly<Record<string, readonly number[]>> = {
  gather: [3],
  scatter: [0],
  allgather: [3],
  alltoall: [0, 3],
  neighbor_allgather: [3],
  neighbor_alltoall: [0, 3],
};

/** Arguments that matter at the root alone. */
const ofRoot: Readonly<Record<string, number>> = {
  gather: 3,
  gatherv: 3,
  scatter: 0,
  scatterv: 0,
  reduce: 1,
};

const inPlace = 1;

/** Whether all messages of a call lie in the program's memory. */
export function messagesFit(program: Program, name: string, args: readonly number[]): boolean {
  const parameters = signatures.get(name)!;
  const plain = name.replace(/^MPI_(?:I(?=[a-z]))?/, '').toLowerCase();
  const commAt = parameters.indexOf('comm');
  const comm = commAt < 0 ? undefined : program.handles.engine('comm', args[commAt]!);
  return parameters.every((parameter, index) => {
    if (parameter !== 'buf' || args[index] === inPlace) return true;
    if (ofRoot[plain] === index && comm !== undefined) {
      const root = args[parameters.indexOf('root')];
      if (program.ask('MPI_Comm_rank', comm) !== root) return true;
    }
    const ranks = (): number => (comm === undefined ? 1 : peers(program, plain, comm));
    const pointer = args[index]! >>> 0;
    const rest = parameters.slice(index + 1);
    const skipped = rest[0] === 'buf' ? 1 : 0;
    const at = index + 1 + skipped;
    const [first, second, third] = rest.slice(skipped);
    if (first === 'int' && second === 'type') {
      const isOfAll = ofAllRanks[plain]?.includes(index) || (plain === 'reduce_scatter_block' && index === 0);
      const count = args[at]! * (isOfAll ? ranks() : 1);
      return lies(program, pointer, 0, count, args[at + 1]!);
    }
    if (first === 'ptr' && second === 'type') {
      const counts = program.ints(args[at]!, ranks());
      const own = index === 0 ? sum(counts) : (counts[program.ask('MPI_Comm_rank', comm!)] ?? 0);
      return lies(program, pointer, 0, own, args[at + 1]!);
    }
    if (first === 'ptr' && second === 'ptr' && third === 'type') {
      const [counts, places] = [program.ints(args[at]!, ranks()), program.ints(args[at + 1]!, ranks())];
      return counts.every((count, rank) => lies(program, pointer, places[rank]!, count, args[at + 2]!));
    }
    if (first === 'ptr' && second === 'ptr' && third === 'types') {
      const lists = [at, at + 1, at + 2].map((place) => program.ints(args[place]!, ranks()));
      const [counts, places, types] = lists as [number[], number[], number[]];
      return counts.every((count, rank) => lies(program, pointer + places[rank]!, 0, count, types[rank]!));
    }
    return first !== 'int' || inMemory(program, pointer, pointer + args[at]!);
  });
}

/** Packed data, which has a size and a position. */
export function packedFits(program: Program, name: string, args: readonly number[]): boolean {
  const at = name === 'MPI_Pack' ? 3 : 0;
  const pointer = args[at]! >>> 0;
  return args[at + 1]! >= 0 && inMemory(program, pointer, pointer + args[at + 1]!);
}

/** How many ranks a rank has to do with in a call. */
function peers(program: Program, plain: string, comm: number): number {
  if (!plain.startsWith('neighbor_')) return program.ask('MPI_Comm_size', comm);
  const { numbers } = program.library.table;
  if (program.ask('MPI_Topo_test', comm) === numbers.MPI_CART)
    return 2 * program.ask('MPI_Cartdim_get', comm);
  const places = new Int32Array(3);
  const address = program.library.addressOf(places);
  program.library.function('MPI_Dist_graph_neighbors_count')(comm, address, address + 4, address + 8);
  return Math.max(places[0]!, places[1]!);
}

function lies(program: Program, pointer: number, first: number, count: number, type: number): boolean {
  if (count <= 0) return true;
  const handle = program.handles.engine('type', type);
  // The engine refuses it.
  if (handle === program.handles.null('type')) return true;
  const { extent, trueLowerBound, trueExtent } = program.typeOf(handle);
  const ends = [first * extent, (first + count - 1) * extent];
  const from = pointer + trueLowerBound + Math.min(...ends);
  return inMemory(program, from, pointer + trueLowerBound + trueExtent + Math.max(...ends));
}

const inMemory = (program: Program, from: number, to: number): boolean =>
  from >= 0 && to <= program.view.byteLength;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
