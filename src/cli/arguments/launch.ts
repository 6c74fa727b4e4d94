/** From bound arguments to a launch: how many work-items, memory on the device, and what the kernel wrote back. */
import {
  type DeviceBuffer,
  type DeviceImage,
  type Kernel,
  type KernelArgument,
  type LaunchTimes,
  local,
  type Program,
  sampler,
} from 'millrace';
import { UsageError } from '../errors.ts';
import { type BoundArgument, elementsOf } from './bind.ts';
import type { PictureSize } from './specification.ts';

/**
 * One work-item a pixel of the pictures, or an element of the buffers; rounded up to whole groups.
 * @throws UsageError if they differ, for then work-items would reach beyond one of them; or if there is none
 */
export function guessGlobal(
  bound: readonly BoundArgument[],
  localSizes: readonly number[] | undefined,
  kernel: Kernel,
): number[] {
  const roundUp = (size: number, dimension: number): number => {
    const group = localSizes?.[dimension] ?? kernel.requiredWorkGroupSize?.[dimension] ?? 1;
    return Math.ceil(size / group) * group;
  };
  const inMemory = bound.flatMap((argument) => {
    const elements = elementsOf(argument);
    return elements ? [{ argument, count: elements.count }] : [];
  });
  // Constant memory holds tables, such as the weights of a filter.
  const data = inMemory.filter(({ argument }) => argument.parameter.kind !== 'constant');
  const [first, ...others] = data.length > 0 ? data : inMemory;
  if (!first) throw new UsageError('say how many work-items to run, as in --global 1024');
  const pictures = others.filter(({ argument }) => argument.picture);
  const pictured = first.argument.picture ? first : pictures[0];
  for (const other of others) {
    if (other.count !== first.count) throw differing(first, other);
  }
  const size = pictured?.argument.picture;
  for (const other of pictures) {
    if (other.argument.picture?.width !== size?.width) throw differing(pictured!, other);
  }
  return size && localSizes?.length !== 1
    ? [size.width, size.height].map(roundUp)
    : [roundUp(first.count, 0)];
}

interface Counted {
  readonly argument: BoundArgument;
  readonly count: number;
}

/** Two arguments that do not say alike how many work-items there are. */
function differing(one: Counted, other: Counted): UsageError {
  const sized = ({ argument: { picture }, count }: Counted): string =>
    picture ? `${picture.width} x ${picture.height}` : String(count);
  const [name, otherName] = [one, other].map(({ argument }) => argument.parameter.name);
  const unit = one.count === 1 ? 'element' : 'elements';
  const said = `${name} has ${sized(one)} ${unit}, ${otherName} ${sized(other)}`;
  return new UsageError(`${said}: say how many work-items to run, as in --global 1024`);
}

/** The buffers and images that the kernel may write. */
export function resultsOf(bound: readonly BoundArgument[]): BoundArgument[] {
  return bound.filter(({ parameter, value }) => {
    if (value.kind === 'image') return parameter.image?.access !== 'read_only';
    return value.kind === 'buffer' && parameter.kind === 'global' && !parameter.isConst;
  });
}

const channelTypes = { unorm8: 'UNORM_INT8', uint8: 'UNSIGNED_INT8', float: 'FLOAT' } as const;

function imageFor(
  program: Program,
  { elements, type }: Extract<BoundArgument['value'], { kind: 'image' }>,
  { width, height }: PictureSize,
): DeviceImage {
  return program.image({ width, height, order: 'RGBA', type: channelTypes[type], data: elements.bytes });
}

/**
 * Runs a kernel on device buffers and images of its own; `isRead` says whether what it may have changed is read back into the
 * arguments' entries.
 */
export async function launchOnce(
  program: Program,
  kernel: Kernel,
  range: Parameters<Kernel>[0],
  bound: readonly BoundArgument[],
  isRead: boolean,
): Promise<LaunchTimes> {
  const results = resultsOf(bound);
  const memories: (DeviceBuffer | DeviceImage)[] = [];
  const readers: (() => Promise<void>)[] = [];
  const memoryFor = (argument: BoundArgument): KernelArgument => {
    const { value } = argument;
    if (value.kind === 'local') return local(value.bytes);
    if (value.kind === 'null') return null;
    if (value.kind === 'bytes') return value.bytes;
    if (value.kind === 'sampler') return sampler(value.settings);
    const { bytes } = value.elements;
    const memory =
      value.kind === 'image' ? imageFor(program, value, argument.picture!) : program.buffer(bytes);
    memories.push(memory);
    if (isRead && results.includes(argument)) {
      readers.push(async () => bytes.set(await memory.read(Uint8Array)));
    }
    return memory;
  };
  try {
    const times = await kernel(range, ...bound.map(memoryFor));
    for (const read of readers) await read();
    return times;
  } finally {
    for (const memory of memories) memory.release();
  }
}

/** Milliseconds to go on with launches, and how many there are at least and at most: the fastest counts. */
const launchTime = 500;
const fewestLaunches = 5;
const mostLaunches = 200;

/** The time of the fastest of some launches, in seconds. Each has fresh arguments. */
export async function fastestLaunch(
  program: Program,
  kernel: Kernel,
  range: Parameters<Kernel>[0],
  bound: readonly BoundArgument[],
): Promise<number> {
  const begin = performance.now();
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < mostLaunches; count += 1) {
    if (count >= fewestLaunches && performance.now() - begin > launchTime) break;
    const { started, ended } = await launchOnce(program, kernel, range, bound, false);
    // A clock may stand still for a while.
    best = Math.min(best, Math.max(Number(ended - started), 1));
  }
  return best / 1e9;
}
