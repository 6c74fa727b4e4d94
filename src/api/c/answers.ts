/** What clGet*Info gives: the answers of the objects as bytes, in the sizes that the specification's tables say. */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import { Handle } from '../opencl/handle.ts';
import type { CLNameVersion } from '../opencl/later-queries.ts';
import { CLPlatform } from '../opencl/platform.ts';
import type { CHost } from './host.ts';
import { encodeText } from './host-memory.ts';
import type { Named } from './objects.ts';

/** Answers of 64 bits (cl_ulong, cl_bitfield); other numbers have 32, as size_t and cl_uint do here. */
const wide: ReadonlySet<number> = new Set<number>([
  CL.DEVICE_TYPE,
  CL.DEVICE_MAX_MEM_ALLOC_SIZE,
  CL.DEVICE_SINGLE_FP_CONFIG,
  CL.DEVICE_DOUBLE_FP_CONFIG,
  CL.DEVICE_HALF_FP_CONFIG,
  CL.DEVICE_GLOBAL_MEM_CACHE_SIZE,
  CL.DEVICE_GLOBAL_MEM_SIZE,
  CL.DEVICE_MAX_CONSTANT_BUFFER_SIZE,
  CL.DEVICE_LOCAL_MEM_SIZE,
  CL.DEVICE_EXECUTION_CAPABILITIES,
  CL.DEVICE_QUEUE_PROPERTIES,
  CL.DEVICE_PARTITION_AFFINITY_DOMAIN,
  CL.DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
  CL.QUEUE_PROPERTIES_ARRAY,
  CL.DEVICE_SVM_CAPABILITIES,
  CL.DEVICE_ATOMIC_MEMORY_CAPABILITIES,
  CL.DEVICE_ATOMIC_FENCE_CAPABILITIES,
  CL.DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
  CL.PLATFORM_HOST_TIMER_RESOLUTION,
  CL.QUEUE_PROPERTIES,
  CL.QUEUE_PROPERTIES_ARRAY,
  CL.MEM_PROPERTIES,
  CL.SAMPLER_PROPERTIES,
  CL.MEM_FLAGS,
  CL.KERNEL_ARG_TYPE_QUALIFIER,
  CL.KERNEL_LOCAL_MEM_SIZE,
  CL.KERNEL_PRIVATE_MEM_SIZE,
]);

/** What objects answer with. Arrays of bytes stand for pointers to them. */
export type Answer =
  | number
  | bigint
  | boolean
  | string
  | null
  | Named
  | Uint8Array
  | object
  | readonly Answer[];

/**
 * Writes an answer to `pointer`, if that is not NULL, and its length to `sizePointer`, if that is not.
 * @throws OpenCLError CL_INVALID_VALUE if `size` is less than the answer's
 */
export function writeAnswer(
  host: CHost,
  name: number,
  answer: Answer,
  size: number,
  pointer: number,
  sizePointer: number,
): void {
  writeBytes(host, encode(host, answer, wide.has(name)), size, pointer, sizePointer);
}

/** The same for bytes as they are. */
export function writeBytes(
  host: CHost,
  bytes: Uint8Array,
  size: number,
  pointer: number,
  sizePointer: number,
): void {
  const { memory } = host;
  if (sizePointer !== 0) memory.check(sizePointer, 4);
  if (pointer !== 0) {
    if (size < bytes.length) {
      throw new OpenCLError('CL_INVALID_VALUE', `${bytes.length} bytes do not fit into ${size}`);
    }
    if (bytes.length > 0) memory.bytes(pointer, bytes.length).set(bytes);
  }
  if (sizePointer !== 0) memory.setU32(sizePointer, bytes.length);
}

/** How many there are, and the first of them: clGetPlatformIDs and its like. */
export function writeObjects(
  host: CHost,
  objects: readonly Named[],
  room: number,
  pointer: number,
  countPointer: number,
): void {
  const { memory } = host;
  if ((room === 0 && pointer !== 0) || (pointer === 0 && countPointer === 0)) {
    throw new OpenCLError('CL_INVALID_VALUE', 'there is no room for an answer');
  }
  if (countPointer !== 0) memory.check(countPointer, 4);
  if (pointer !== 0) {
    const numbers = objects.slice(0, room).map((object) => host.objects.number(object));
    memory.setList(pointer, numbers);
  }
  if (countPointer !== 0) memory.setU32(countPointer, objects.length);
}

function encode(host: CHost, answer: Answer, isWide: boolean): Uint8Array {
  if (typeof answer === 'string') return encodeText(answer);
  const values: readonly Answer[] = Array.isArray(answer) ? answer : [answer];
  if (values.some(isNameVersion)) return encodeNames(values as readonly CLNameVersion[]);
  const hasWide = isWide || values.some((value) => typeof value === 'bigint');
  const numbers = values.map((value) => numberOf(host, value));
  if (hasWide)
    return new Uint8Array(
      new BigUint64Array(numbers.map((number) => BigInt.asUintN(64, BigInt(number)))).buffer,
    );
  return new Uint8Array(new Uint32Array(numbers.map(narrow)).buffer);
}

function isNameVersion(value: Answer): value is CLNameVersion {
  return typeof value === 'object' && value !== null && 'version' in value && 'name' in value;
}

/** cl_name_version: a version, and a name of up to 63 bytes with its NUL. */
function encodeNames(values: readonly CLNameVersion[]): Uint8Array {
  const size = 68;
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (const [index, { name, version }] of values.entries()) {
    view.setUint32(index * size, version, true);
    bytes.set(encodeText(name).subarray(0, 63), index * size + 4);
  }
  return bytes;
}

function numberOf(host: CHost, value: Answer): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? CL.TRUE : CL.FALSE;
  if (value === null) return 0;
  if (value instanceof Uint8Array) return value.byteOffset;
  if (value instanceof Handle || value instanceof CLPlatform) return host.objects.number(value);
  throw new Error('an answer that C has no form for');
}

/** A size_t or a cl_uint; sizes beyond what it can say are the most that it can. */
function narrow(number: number | bigint): number {
  return Math.min(Number(number), 0xffffffff) >>> 0;
}
