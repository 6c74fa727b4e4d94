/** What reductions combine values with: MPI's operations, and functions of the program's own. */
import { shown } from '../source/shown.ts';
import type { HandleName } from './constants.ts';
import { currentLibrary } from './current.ts';
import { type DatatypeLike, nativeType } from './datatype.ts';
import { call, MPIError } from './error.ts';
import { HandleArray } from './handle-array.ts';
import type { Callback, Library } from './library.ts';

const names = {
  sum: 'MPI_SUM',
  product: 'MPI_PROD',
  min: 'MPI_MIN',
  max: 'MPI_MAX',
  and: 'MPI_LAND',
  or: 'MPI_LOR',
  xor: 'MPI_LXOR',
  'bit-and': 'MPI_BAND',
  'bit-or': 'MPI_BOR',
  'bit-xor': 'MPI_BXOR',
  minloc: 'MPI_MINLOC',
  maxloc: 'MPI_MAXLOC',
} as const satisfies Record<string, HandleName>;

export type OperationName = keyof typeof names;

export type OperationLike = OperationName | Operation;

/** Arrays that a reduction's function gets: with elements of a type that typed arrays have, else bytes. */
export type ReductionArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>;

interface ArrayKind<T> {
  new (buffer: ArrayBuffer): T;
}

const kinds: Readonly<Partial<Record<Exclude<DatatypeLike, object>, ArrayKind<ReductionArray>>>> = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float: Float32Array,
  double: Float64Array,
};

/** What functions of the program threw inside of the engine; thrown on once the call is back. */
let escaped: { readonly error: unknown } | undefined;

/** @throws what a reduction's function threw meanwhile */
export function throwEscaped(): void {
  const thrown = escaped;
  if (!thrown) return;
  escaped = undefined;
  throw thrown.error;
}

export class Operation {
  readonly #library: Library;
  readonly #callback: Callback;
  #handle: number | undefined;

  /**
   * Combines elements: `combine(input, inout)` replaces each of `inout` by what it and its neighbour in `input` give, `input` being of the
   * lower rank. Both are copies that the function may keep. Reductions with it are of elements of one type.
   */
  constructor(
    type: DatatypeLike,
    combine: (input: ReductionArray, inout: ReductionArray) => void,
    { commutes = true }: { readonly commutes?: boolean } = {},
  ) {
    const library = currentLibrary();
    const { extent, handle: typeHandle } = nativeType(library, type);
    const kind = (typeof type === 'string' ? kinds[type] : undefined) ?? Uint8Array;
    const narrow = library.table.handleType === 'int32_t';
    this.#library = library;
    this.#callback = library.callback((input, inout, lengthAt, typeAt) => {
      try {
        const length = new Int32Array(library.view(lengthAt, 4))[0]!;
        const given = narrow
          ? new Int32Array(library.view(typeAt, 4))[0]!
          : Number(new BigUint64Array(library.view(typeAt, 8))[0]!);
        if (given !== typeHandle)
          throw new MPIError('MPI_ERR_OP', 'the operation is for elements of another type');
        if (length === 0) return;
        const target = new Uint8Array(library.view(inout, length * extent));
        const result = new kind(target.slice().buffer);
        combine(new kind(new Uint8Array(library.view(input, length * extent)).slice().buffer), result);
        target.set(new Uint8Array(result.buffer, 0, target.length));
      } catch (error) {
        escaped ??= { error };
      }
    });
    const place = new HandleArray(library, 1);
    call(library, 'MPI_Op_create', this.#callback.address, commutes ? 1 : 0, place.address);
    this.#handle = place.get(0);
  }

  /** @throws MPIError MPI_ERR_OP once it is freed */
  get handle(): number {
    if (this.#handle === undefined) throw new MPIError('MPI_ERR_OP', 'the operation has been freed');
    return this.#handle;
  }

  /** To be called when no reduction with it is under way. */
  free(): void {
    if (this.#handle === undefined) return;
    const place = new HandleArray(this.#library, [this.#handle]);
    this.#handle = undefined;
    call(this.#library, 'MPI_Op_free', place.address);
    this.#callback.release();
  }
}

/** @throws MPIError MPI_ERR_OP for what is none */
export function nativeOperation(library: Library, operation: OperationLike): number {
  if (operation instanceof Operation) return operation.handle;
  const name = Object.hasOwn(names, operation) ? names[operation] : undefined;
  if (!name) throw new MPIError('MPI_ERR_OP', `${shown(operation)} is no operation`);
  return library.handle(name);
}
