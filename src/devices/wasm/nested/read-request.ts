/** Reads what a kernel gave enqueue_kernel out of device memory, and says what is wrong with it (OpenCL 2.0, 6.13.17.1). */
import type { KernelCode } from '../../../codegen/wasm/module/abi.ts';
import { queueStatus, rangeFields } from '../../../ir/device-queues.ts';
import type { Triple } from '../../../runtime/command.ts';
import { groupCounts } from '../../../runtime/launch.ts';
import { localMemoryBytes } from '../device-info.ts';
import type { LaunchSizes } from '../launch-encoding.ts';
import { chooseLocalSize, sizeFactsOf } from '../local-size.ts';

/** A kernel that others may launch, as threads know it. */
export interface NestedKernel {
  readonly code: KernelCode;
  readonly maxWorkGroupSize: number;
}

/** Device memory as of now; a kernel may give any number as an address. */
export interface MemoryView {
  /** @throws RangeError if the bytes are not all there */
  words(address: number, bytes: number): Int32Array;
  readonly bytes: Uint8Array;
}

const fields = rangeFields(4);

/** A launch, or the status that says why there can be none. */
export function readRequest(
  memory: MemoryView,
  { code, maxWorkGroupSize }: NestedKernel,
  range: number,
  captures: number,
  sizes: number,
  threads: number,
): LaunchSizes | number {
  const words = memory.words(range, fields.size);
  const at = range >>> 2;
  const dimensions = words[at]!;
  if (dimensions !== 1 && dimensions !== 2 && dimensions !== 3) return queueStatus.invalidRange;
  const triple = (field: number, otherwise: number): Triple => {
    const first = at + field / 4;
    const of = (axis: number) => (axis < dimensions ? words[first + axis]! >>> 0 : otherwise);
    return [of(0), of(1), of(2)];
  };
  const offset = triple(fields.offset, 0);
  const global = triple(fields.global, 1);
  let local = triple(fields.local, 1);
  const largest = 2 ** 31 - 1;
  for (let axis = 0; axis < 3; axis += 1) {
    if (global[axis] === 0 || global[axis]! + offset[axis]! > largest) return queueStatus.invalidRange;
  }
  const given = words.subarray(at + fields.local / 4, at + fields.local / 4 + dimensions);
  if (given.every((size) => size === 0))
    local = chooseLocalSize(global, sizeFactsOf(code, maxWorkGroupSize, threads));
  const items = local[0] * local[1] * local[2];
  if (items === 0 || items > maxWorkGroupSize) return queueStatus.invalidRange;
  if (!code.attributes.mayCutGroups && global.some((size, axis) => size % local[axis]! !== 0)) {
    return queueStatus.invalidRange;
  }
  if (groupCounts(global, local).reduce((product, count) => product * count, 1) > largest) {
    return queueStatus.invalidRange;
  }
  const list: LaunchSizes['arguments'][number][] = [];
  let localBytes = code.localBytes;
  let next = sizes;
  for (const { kind, size } of code.parameters) {
    if (kind === 'local') {
      const bytes = memory.words(next, 4)[next >>> 2]! >>> 0;
      if (bytes === 0) return queueStatus.invalidArgumentSize;
      localBytes += bytes;
      next += 4;
      list.push({ kind: 'local', bytes });
    } else {
      memory.words(captures & ~3, size);
      list.push({ kind: 'value', bytes: memory.bytes.subarray(captures >>> 0, (captures >>> 0) + size) });
    }
  }
  if (localBytes > localMemoryBytes) return queueStatus.outOfResources;
  return { dimensions, offset, global, local, arguments: list };
}
