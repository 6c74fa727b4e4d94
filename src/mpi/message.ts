/**
 * What is sent and where it is received: a typed array, or a part of one, in elements of any type. Its address goes to the engine, so
 * nothing is copied; all that a call may touch is checked to lie in the array before.
 */
import { shown } from '../source/shown.ts';
import { type DatatypeLike, ints, type NativeType, nativeType, typeOfArray } from './datatype.ts';
import { MPIError } from './error.ts';
import type { Library } from './library.ts';

/** Memory of a device, as the short form's `DeviceBuffer` is: the host sees its bytes by `map`. */
export interface MappedMemory {
  readonly byteLength: number;
  map(kind: Uint8ArrayConstructor): Uint8Array;
}

/** Bytes that messages are sent from or received to. */
export type Data = ArrayBufferView | ArrayBuffer | SharedArrayBuffer | MappedMemory;

/** Elements of data, when they are not all of it or not of its own type. */
export interface Part {
  readonly data: Data;
  /** Default the data's own; bytes for buffers of a device. */
  readonly type?: DatatypeLike | undefined;
  /** Default all that there is room for. */
  readonly count?: number | undefined;
  /** Bytes before the first element; default 0. */
  readonly byteOffset?: number | undefined;
}

/** One part for each rank, in one array. */
export interface Parts {
  readonly data: Data;
  readonly type?: DatatypeLike | undefined;
  readonly byteOffset?: number | undefined;
  /** Elements for each rank. */
  readonly counts: readonly number[];
  /** Where each begins, in elements; default one after the other. */
  readonly displacements?: readonly number[] | undefined;
}

export type Message = Data | Part;

/** As an engine takes it. What `kept` holds must live until the message has been sent or received. */
export interface NativeMessage {
  readonly address: number;
  readonly count: number;
  readonly type: NativeType;
  readonly kept: unknown;
}

export interface NativeParts {
  readonly address: number;
  readonly counts: number;
  readonly displacements: number;
  readonly type: NativeType;
  readonly kept: unknown;
}

/** @param counted how many ranks get the same number of elements from it: its count is that of one of them */
export function nativeMessage(library: Library, message: Message, counted = 1): NativeMessage {
  const part = isPart(message) ? message : { data: message };
  const { bytes, type } = resolve(library, part);
  const { byteOffset = 0 } = part;
  const room = bytes.byteLength - byteOffset;
  const fits = elementsIn(type, room);
  const count = part.count ?? Math.floor(fits / counted);
  if (!Number.isInteger(count) || count < 0 || count >= 2 ** 31)
    throw new MPIError('MPI_ERR_COUNT', `${shown(count)} is no count of a message`);
  if (part.count === undefined && counted > 1 && fits % counted !== 0)
    throw new MPIError('MPI_ERR_COUNT', `${fits} elements are no whole number for each of ${counted} ranks`);
  checkRange(type, 0, count * counted, byteOffset, bytes);
  return { address: address(library, bytes) + byteOffset, count, type, kept: [bytes, part.data] };
}

/** @throws MPIError MPI_ERR_COUNT unless there are as many counts as ranks */
export function nativeParts(library: Library, parts: Parts, ranks: number): NativeParts {
  const { counts, byteOffset = 0 } = parts;
  if (!Array.isArray(counts) || counts.length !== ranks)
    throw new MPIError('MPI_ERR_COUNT', `one count for each of ${ranks} ranks is wanted`);
  const displacements = parts.displacements ?? running(counts);
  if (displacements.length !== ranks)
    throw new MPIError('MPI_ERR_ARG', `one displacement for each of ${ranks} ranks is wanted`);
  const { bytes, type } = resolve(library, parts);
  for (const [rank, count] of counts.entries()) {
    if (!Number.isInteger(count) || count < 0)
      throw new MPIError('MPI_ERR_COUNT', `${shown(count)} is no count of a message`);
    checkRange(type, displacements[rank]!, count, byteOffset, bytes);
  }
  const lists = [ints(counts), ints(displacements)] as const;
  return {
    address: address(library, bytes) + byteOffset,
    counts: library.addressOf(lists[0]),
    displacements: library.addressOf(lists[1]),
    type,
    kept: [bytes, parts.data, lists],
  };
}

/** Whether it names a part, rather than being data. */
function isPart(message: Message): message is Part {
  return (
    typeof message === 'object' &&
    message !== null &&
    !ArrayBuffer.isView(message) &&
    'data' in message &&
    !isMapped(message)
  );
}

/** Not an array of numbers, which has a `map`, too. */
function isMapped(data: unknown): data is MappedMemory {
  const { map, byteLength } = (data ?? {}) as Partial<MappedMemory>;
  return typeof map === 'function' && typeof byteLength === 'number';
}

function resolve(
  library: Library,
  { data, type }: { readonly data: Data; readonly type?: DatatypeLike | undefined },
): { bytes: ArrayBufferView; type: NativeType } {
  const bytes = bytesOf(data);
  const own = ArrayBuffer.isView(data) ? (type ?? typeOfArray(data)) : (type ?? 'byte');
  return { bytes, type: nativeType(library, own) };
}

function bytesOf(data: Data): ArrayBufferView {
  if (ArrayBuffer.isView(data)) return data;
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return new Uint8Array(data);
  if (isMapped(data)) return data.map(Uint8Array);
  throw new MPIError(
    'MPI_ERR_BUFFER',
    `a message is a typed array, a buffer or a part of one, not ${shown(data)}`,
  );
}

/** Of nothing, too, which is at no place at all. */
function address(library: Library, bytes: ArrayBufferView): number {
  return bytes.byteLength === 0 ? 0 : library.addressOf(bytes);
}

/** How many elements a number of bytes has room for. */
function elementsIn(type: NativeType, bytes: number): number {
  const { extent, trueLowerBound, trueExtent } = type;
  const first = trueLowerBound + trueExtent;
  if (bytes < first || first <= 0) return 0;
  if (extent <= 0) return 1;
  return 1 + Math.floor((bytes - first) / extent);
}

/** @throws MPIError MPI_ERR_BUFFER if some of the elements do not lie in the array */
function checkRange(
  type: NativeType,
  first: number,
  count: number,
  byteOffset: number,
  { byteLength }: ArrayBufferView,
): void {
  if (!Number.isInteger(byteOffset) || byteOffset < 0)
    throw new MPIError('MPI_ERR_ARG', `${shown(byteOffset)} is no offset`);
  if (count === 0 || type.trueExtent === 0) return;
  const { extent, trueLowerBound, trueExtent } = type;
  const ends = [first * extent, (first + count - 1) * extent];
  const from = byteOffset + trueLowerBound + Math.min(...ends);
  const to = byteOffset + trueLowerBound + trueExtent + Math.max(...ends);
  if (from < 0 || to > byteLength)
    throw new MPIError(
      'MPI_ERR_BUFFER',
      `the message is in bytes ${from} to ${to} of an array that has ${byteLength}`,
    );
}

/** The sums of what comes before each. */
function running(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => {
    const before = sum;
    sum += count;
    return before;
  });
}
