/** A group of ranks that talk to each other and to nobody else. */

import { Collectives } from './collectives.ts';
import { textBytes } from './constants.ts';
import { ints } from './datatype.ts';
import { call, MPIError } from './error.ts';
import { HandleArray } from './handle-array.ts';
import { keepAlive } from './keep-alive.ts';
import type { Library } from './library.ts';
import { fromEngine } from './status.ts';

export interface CartesianOptions {
  /** Ranks in each dimension; 0 for as many as suit. */
  readonly dimensions: readonly number[];
  /** Whether the last is a neighbour of the first; default of none. */
  readonly periodic?: readonly boolean[] | undefined;
  /** Whether ranks may get other numbers; default false. */
  readonly reorder?: boolean | undefined;
}

export class Communicator extends Collectives {
  readonly rank: number;
  readonly size: number;
  readonly #isOwn: boolean;
  /** Of the grid that it is; none if it is no grid. */
  readonly dimensions: readonly number[];

  /** Made by others, and by `init`. @param isOwn whether it can be freed */
  constructor(library: Library, handle: number, isOwn = true) {
    super(library, handle);
    this.#isOwn = isOwn;
    const places = new Int32Array(3);
    const at = library.addressOf(places);
    call(library, 'MPI_Comm_rank', handle, at);
    call(library, 'MPI_Comm_size', handle, at + 4);
    call(library, 'MPI_Topo_test', handle, at + 8);
    this.rank = places[0]!;
    this.size = places[1]!;
    this.dimensions = places[2] === library.table.numbers.MPI_CART ? this.#cart() : [];
  }

  protected get neighbours(): number {
    return 2 * this.dimensions.length;
  }

  /** The same ranks, among which messages are told from those of this one. */
  duplicate(): Communicator {
    return this.#made('MPI_Comm_dup', [this.handle])!;
  }

  /**
   * Ranks that give the same colour are in one communicator afterwards, in the order of their keys. Without a colour, or with
   * `UNDEFINED`, a rank is in none.
   */
  split(colour: number | undefined, key = this.rank): Communicator | undefined {
    const undefinedColour = this.library.table.numbers.MPI_UNDEFINED;
    return this.#made('MPI_Comm_split', [this.handle, colour ?? undefinedColour, key]);
  }

  /** The ranks that share the memory of this one's machine. */
  splitShared(key = this.rank): Communicator {
    const { table } = this.library;
    const info = this.library.handle('MPI_INFO_NULL');
    const values = [this.handle, table.numbers.MPI_COMM_TYPE_SHARED, key, info];
    return this.#made('MPI_Comm_split_type', values)!;
  }

  /** The ranks as a grid. Those that have no place in it get nothing. */
  cartesian({ dimensions, periodic = [], reorder = false }: CartesianOptions): Communicator | undefined {
    const sizes = dimensions.includes(0)
      ? balancedDimensions(this.library, this.size, dimensions)
      : dimensions;
    const lists = [ints(sizes), ints(sizes.map((_, index) => (periodic[index] ? 1 : 0)))] as const;
    const [counts, wraps] = lists.map(this.library.addressOf) as [number, number];
    const values = [this.handle, sizes.length, counts, wraps, reorder ? 1 : 0];
    const made = this.#made('MPI_Cart_create', values);
    keepAlive(lists);
    return made;
  }

  /** In a grid: where a rank is. */
  coordinates(rank = this.rank): number[] {
    const places = ints(this.#grid().map(() => 0));
    const { length } = this.dimensions;
    call(this.library, 'MPI_Cart_coords', this.handle, rank, length, this.library.addressOf(places));
    return [...places].slice(0, length);
  }

  /** In a grid: who is somewhere. */
  rankAt(coordinates: readonly number[]): number {
    if (coordinates.length !== this.#grid().length)
      throw new MPIError(
        'MPI_ERR_DIMS',
        `${coordinates.length} coordinates in ${this.dimensions.length} dimensions`,
      );
    const given = ints(coordinates);
    const place = new Int32Array(1);
    const { addressOf } = this.library;
    call(this.library, 'MPI_Cart_rank', this.handle, addressOf(given), addressOf(place));
    keepAlive(given);
    return place[0]!;
  }

  /** In a grid: who is so many steps before this rank, and behind it; `PROC_NULL` beyond the edge. */
  shift(dimension: number, steps = 1): { readonly source: number; readonly destination: number } {
    this.#grid();
    const places = new Int32Array(2);
    const at = this.library.addressOf(places);
    call(this.library, 'MPI_Cart_shift', this.handle, dimension, steps, at, at + 4);
    const { MPI_PROC_NULL, MPI_ANY_SOURCE } = this.library.table.numbers;
    // A rank is never anybody.
    const [source, destination] = [...places].map((rank) => fromEngine(rank, MPI_PROC_NULL, MPI_ANY_SOURCE));
    return { source: source!, destination: destination! };
  }

  /** In a grid: the row, column or plane of this rank, which has the dimensions that are kept. */
  slice(kept: readonly boolean[]): Communicator {
    const given = ints(this.#grid().map((_, index) => (kept[index] ? 1 : 0)));
    const made = this.#made('MPI_Cart_sub', [this.handle, this.library.addressOf(given)])!;
    keepAlive(given);
    return made;
  }

  get name(): string {
    const text = new Uint8Array(textBytes);
    const length = new Int32Array(1);
    const { addressOf } = this.library;
    call(this.library, 'MPI_Comm_get_name', this.handle, addressOf(text), addressOf(length));
    return new TextDecoder().decode(text.subarray(0, length[0]));
  }

  set name(name: string) {
    const text = new TextEncoder().encode(`${name}\0`);
    call(this.library, 'MPI_Comm_set_name', this.handle, this.library.addressOf(text));
    keepAlive(text);
  }

  /** All ranks do it together. Communication under way comes to its end. */
  free(): void {
    if (!this.#isOwn) throw new MPIError('MPI_ERR_COMM', 'communicators that were there from the start stay');
    const place = new HandleArray(this.library, [this.handle]);
    this.leave();
    call(this.library, 'MPI_Comm_free', place.address);
  }

  #made(name: string, values: readonly number[]): Communicator | undefined {
    const place = new HandleArray(this.library, 1);
    call(this.library, name, ...values, place.address);
    const handle = place.get(0);
    return handle === this.library.handle('MPI_COMM_NULL')
      ? undefined
      : new Communicator(this.library, handle);
  }

  #cart(): number[] {
    const { addressOf } = this.library;
    const count = new Int32Array(1);
    call(this.library, 'MPI_Cartdim_get', this.handle, addressOf(count));
    const places = new Int32Array(3 * Math.max(count[0]!, 1));
    const [at, bytes] = [addressOf(places), 4 * count[0]!];
    call(this.library, 'MPI_Cart_get', this.handle, count[0]!, at, at + bytes, at + 2 * bytes);
    return [...places].slice(0, count[0]);
  }

  #grid(): readonly number[] {
    if (this.dimensions.length > 0) return this.dimensions;
    throw new MPIError('MPI_ERR_TOPOLOGY', 'the communicator is no grid: cartesian() makes one');
  }
}

/** Dimensions as equal as possible for so many ranks; those that are not 0 stay. */
export function balancedDimensions(library: Library, ranks: number, wanted: readonly number[]): number[] {
  const places = ints(wanted);
  call(library, 'MPI_Dims_create', ranks, wanted.length, library.addressOf(places));
  return [...places].slice(0, wanted.length);
}
