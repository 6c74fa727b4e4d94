/**
 * What messages consist of: the types of typed arrays, and types derived from them for rows, columns and blocks of larger arrays. A derived
 * type is committed when it is made.
 */
import { shown } from '../source/shown.ts';
import type { HandleName } from './constants.ts';
import { beforeEnd, currentLibrary } from './current.ts';
import { call, MPIError } from './error.ts';
import { HandleArray } from './handle-array.ts';
import { keepAlive } from './keep-alive.ts';
import type { Library } from './library.ts';

const names = {
  byte: 'MPI_BYTE',
  packed: 'MPI_PACKED',
  char: 'MPI_CHAR',
  bool: 'MPI_C_BOOL',
  int8: 'MPI_INT8_T',
  uint8: 'MPI_UINT8_T',
  int16: 'MPI_INT16_T',
  uint16: 'MPI_UINT16_T',
  int32: 'MPI_INT32_T',
  uint32: 'MPI_UINT32_T',
  int64: 'MPI_INT64_T',
  uint64: 'MPI_UINT64_T',
  float: 'MPI_FLOAT',
  double: 'MPI_DOUBLE',
  /** Pairs of a value and an `int32`, for `minloc` and `maxloc`. */
  'float-int': 'MPI_FLOAT_INT',
  'double-int': 'MPI_DOUBLE_INT',
  'int-int': 'MPI_2INT',
  'complex-float': 'MPI_C_FLOAT_COMPLEX',
  'complex-double': 'MPI_C_DOUBLE_COMPLEX',
} as const satisfies Record<string, HandleName>;

/** A type that MPI has. */
export type TypeName = keyof typeof names;

/** A type, by its name or as a derived one. */
export type DatatypeLike = TypeName | Datatype;

/** What typed arrays hold; views and buffers hold bytes. */
const ofArrays: Readonly<Record<string, TypeName>> = {
  Int8Array: 'int8',
  Uint8Array: 'uint8',
  Uint8ClampedArray: 'uint8',
  Int16Array: 'int16',
  Uint16Array: 'uint16',
  Int32Array: 'int32',
  Uint32Array: 'uint32',
  Float32Array: 'float',
  Float64Array: 'double',
  BigInt64Array: 'int64',
  BigUint64Array: 'uint64',
  DataView: 'byte',
};

/** A type as messages are checked by: how far its elements are apart, and what they touch. Bytes. */
export interface NativeType {
  readonly handle: number;
  readonly size: number;
  readonly extent: number;
  /** From the element's address to the first byte that it touches, and how many there are from that on. */
  readonly trueLowerBound: number;
  readonly trueExtent: number;
}

export class Datatype {
  readonly #library: Library;
  #native: NativeType | undefined;
  readonly #forget: () => void;

  /** Made by the functions below. */
  constructor(library: Library, handle: number) {
    this.#library = library;
    const place = new HandleArray(library, [handle]);
    call(library, 'MPI_Type_commit', place.address);
    this.#native = measure(library, place.get(0));
    this.#forget = beforeEnd(() => this.free());
  }

  /** Elements next to each other. */
  static contiguous(count: number, of: DatatypeLike): Datatype {
    return derived('MPI_Type_contiguous', [whole(count), typed(of)]);
  }

  /**
   * `count` blocks of `blockLength` elements whose first ones are `stride` elements apart: a column of a matrix with `width` columns is
   * `Datatype.vector(height, 1, width, 'float')`.
   */
  static vector(count: number, blockLength: number, stride: number, of: DatatypeLike): Datatype {
    return derived('MPI_Type_vector', [whole(count), whole(blockLength), int(stride), typed(of)]);
  }

  /** The same, with bytes from block to block. */
  static hvector(count: number, blockLength: number, byteStride: number, of: DatatypeLike): Datatype {
    return derived('MPI_Type_create_hvector', [whole(count), whole(blockLength), byteStride, typed(of)]);
  }

  /** Blocks of different lengths at places that are counted in elements. */
  static indexed(
    blockLengths: readonly number[],
    displacements: readonly number[],
    of: DatatypeLike,
  ): Datatype {
    if (blockLengths.length !== displacements.length)
      throw new MPIError('MPI_ERR_ARG', 'an indexed type has as many block lengths as displacements');
    const kept = [ints(blockLengths), ints(displacements)];
    return derived('MPI_Type_indexed', [blockLengths.length, ...kept.map(addressOf), typed(of)], kept);
  }

  /** A block of an array of several dimensions, in the order of rows: `sizes` of the whole, `subsizes` of the block, and where it starts. */
  static subarray(
    sizes: readonly number[],
    subsizes: readonly number[],
    starts: readonly number[],
    of: DatatypeLike,
  ): Datatype {
    if (sizes.length !== subsizes.length || sizes.length !== starts.length)
      throw new MPIError('MPI_ERR_DIMS', 'a block has as many sizes and starts as its array has dimensions');
    // Engines differ in what they check.
    for (const [index, size] of sizes.entries()) {
      const [subsize, start] = [subsizes[index]!, starts[index]!];
      if (subsize < 1 || start < 0 || start + subsize > size)
        throw new MPIError('MPI_ERR_ARG', `${subsize} elements from ${start} on do not lie in ${size}`);
    }
    const kept = [ints(sizes), ints(subsizes), ints(starts)];
    const order = currentLibrary().table.numbers.MPI_ORDER_C;
    return derived(
      'MPI_Type_create_subarray',
      [sizes.length, ...kept.map(addressOf), order, typed(of)],
      kept,
    );
  }

  /** Fields at places that are counted in bytes. */
  static struct(
    fields: readonly { readonly offset: number; readonly type: DatatypeLike; readonly count?: number }[],
  ): Datatype {
    const library = currentLibrary();
    const lengths = ints(fields.map(({ count = 1 }) => count));
    const offsets = new BigInt64Array(fields.map(({ offset }) => BigInt(offset)));
    const types = new HandleArray(
      library,
      fields.map(({ type }) => typed(type)),
    );
    const values = [fields.length, addressOf(lengths), addressOf(offsets), types.address];
    return derived('MPI_Type_create_struct', values, [lengths, offsets, types]);
  }

  /** The same elements with other distances between them, in bytes. */
  static resized(of: DatatypeLike, lowerBound: number, extent: number): Datatype {
    return derived('MPI_Type_create_resized', [typed(of), lowerBound, extent]);
  }

  /** What calls take. @throws MPIError MPI_ERR_TYPE once it is freed */
  get native(): NativeType {
    if (!this.#native) throw new MPIError('MPI_ERR_TYPE', 'the datatype has been freed');
    return this.#native;
  }

  /** Bytes of its elements' data. */
  get size(): number {
    return this.native.size;
  }

  /** Bytes from one element to the next. */
  get extent(): number {
    return this.native.extent;
  }

  /** Messages under way keep it. */
  free(): void {
    if (!this.#native) return;
    const place = new HandleArray(this.#library, [this.#native.handle]);
    this.#native = undefined;
    this.#forget();
    call(this.#library, 'MPI_Type_free', place.address);
  }
}

function derived(name: string, values: readonly number[], kept: readonly unknown[] = []): Datatype {
  const library = currentLibrary();
  const place = new HandleArray(library, 1);
  call(library, name, ...values, place.address);
  keepAlive(kept);
  return new Datatype(library, place.get(0));
}

const known = new Map<TypeName, NativeType>();

/** @throws MPIError MPI_ERR_TYPE for what is no type */
export function nativeType(library: Library, type: DatatypeLike): NativeType {
  if (type instanceof Datatype) return type.native;
  let found = known.get(type);
  if (found) return found;
  const name = Object.hasOwn(names, type) ? names[type] : undefined;
  if (!name) throw new MPIError('MPI_ERR_TYPE', `${shown(type)} is no datatype`);
  found = measure(library, library.handle(name));
  known.set(type, found);
  return found;
}

/** The type of what an array holds. @throws MPIError MPI_ERR_TYPE for arrays of what MPI does not know */
export function typeOfArray(data: ArrayBufferView): TypeName {
  const kind = Object.prototype.toString.call(data).slice(8, -1);
  const name = ofArrays[kind];
  if (!name) throw new MPIError('MPI_ERR_TYPE', `MPI has no type for the elements of a ${kind}`);
  return name;
}

/** Asks the engine. @throws MPIError */
export function measure(library: Library, handle: number): NativeType {
  const size = new Int32Array(1);
  const bounds = new BigInt64Array(4);
  const at = library.addressOf(bounds);
  call(library, 'MPI_Type_size', handle, library.addressOf(size));
  call(library, 'MPI_Type_get_extent', handle, at, at + 8);
  call(library, 'MPI_Type_get_true_extent', handle, at + 16, at + 24);
  const [, extent, trueLowerBound, trueExtent] = [...bounds].map(Number) as [number, number, number, number];
  return { handle, size: size[0]!, extent, trueLowerBound, trueExtent };
}

const typed = (type: DatatypeLike): number => nativeType(currentLibrary(), type).handle;
const addressOf = (array: ArrayBufferView): number => currentLibrary().addressOf(array);

/** Numbers as C has them. An empty array has no address. */
export function ints(values: readonly number[]): Int32Array {
  if (!values.every((value) => Number.isInteger(value) && Math.abs(value) < 2 ** 31))
    throw new MPIError('MPI_ERR_ARG', `${values.join(', ')}: whole numbers of 32 bits are wanted`);
  return new Int32Array(values.length === 0 ? [0] : values);
}

function int(value: number): number {
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 31)
    throw new MPIError('MPI_ERR_ARG', `${value} is no whole number of 32 bits`);
  return value;
}

function whole(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 31)
    throw new MPIError('MPI_ERR_COUNT', `${value} is no count`);
  return value;
}
