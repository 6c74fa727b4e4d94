/** Writes what a kernel reads about its launch: sizes and arguments, in the layout of the kernel ABI. */
import { areaAlignment, type KernelCode, launchOffsets, sizesAt } from '../../codegen/wasm/module/abi.ts';
import type { MemoryRange, Triple } from '../../runtime/command.ts';
import { groupCounts } from '../../runtime/launch.ts';
import type { LaunchBody } from '../../runtime/local-engine.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { type Chunks, divideGroups } from './launch-chunks.ts';
import { launchBlockBytes } from './shared-layout.ts';

/** Words of a launch block with the sizes of its arguments; without them where there is no room. */
export function blockWords(code: KernelCode): number {
  const start = sizesAt(code.argumentBytes) >> 2;
  return hasSizes(code) ? start + code.parameters.length : start;
}

/** Whether a launch block has the sizes of the arguments, for messages. */
export function hasSizes({ argumentBytes, parameters }: KernelCode): boolean {
  return sizesAt(argumentBytes) + 4 * parameters.length <= launchBlockBytes;
}

/** Writes the sizes of memory objects behind the arguments of a launch block. */
export function encodeSizes(body: LaunchSizes, code: KernelCode, words: Int32Array, at: number): void {
  if (!hasSizes(code)) return;
  const start = (at + sizesAt(code.argumentBytes)) >>> 2;
  for (let index = 0; index < body.arguments.length; index += 1) {
    const argument = body.arguments[index]!;
    const range = argument.kind === 'memory' ? argument.range : undefined;
    words[start + index] = range ? range.memory.size - range.offset : 0;
  }
}

/** How the work-groups of a launch are divided. */
export interface LaunchShape extends Chunks {
  /** Bytes of a thread's area that it needs. */
  readonly areaBytes: number;
}

/** What a launch block says: sizes, and arguments. */
export type LaunchSizes = Pick<LaunchBody, 'dimensions' | 'offset' | 'global' | 'local' | 'arguments'>;

/** Sizes and offsets as the kernel takes them: one whose dimensions are interchanged takes dimension 0 for dimension 1 (interchange-dimensions.ts). */
function sizesFor(
  { attributes }: KernelCode,
  { offset, global, local }: LaunchSizes,
): Pick<LaunchSizes, 'offset' | 'global' | 'local'> {
  if (attributes.interchange !== 'done') return { offset, global, local };
  return { offset: interchanged(offset), global: interchanged(global), local: interchanged(local) };
}

/** With dimensions 0 and 1 in each other's place. */
export function interchanged([x, y, z]: Triple): Triple {
  return [y, x, z];
}

export function shapeOf(body: LaunchSizes, code: KernelCode, threads: number): LaunchShape {
  const { global, local } = sizesFor(code, body);
  const [x, y, z] = groupCounts(global, local);
  let dynamic = 0;
  for (const argument of body.arguments) {
    if (argument.kind === 'local') dynamic += roundUp(argument.bytes, areaAlignment);
  }
  return {
    ...divideGroups(x * y * z, local[0] * local[1] * local[2], threads, code.groupsTogether),
    areaBytes: localStart(code, body) + dynamic,
  };
}

/** Writes the launch block at byte `at`, a multiple of 4. `printf` is the address of a buffer for what it prints, or 0. */
export function encodeLaunch(
  body: LaunchSizes,
  code: KernelCode,
  words: Int32Array,
  bytes: Uint8Array,
  at: number,
  printf: number,
): void {
  const { offset, global, local } = sizesFor(code, body);
  const counts = groupCounts(global, local);
  const word = at >>> 2;
  words[word + launchOffsets.workDim / 4] = body.dimensions;
  for (let axis = 0; axis < 3; axis += 1) {
    words[word + launchOffsets.globalOffset / 4 + axis] = offset[axis]!;
    words[word + launchOffsets.globalSize / 4 + axis] = global[axis]!;
    words[word + launchOffsets.localSize / 4 + axis] = local[axis]!;
    words[word + launchOffsets.numGroups / 4 + axis] = counts[axis]!;
  }
  words[word + launchOffsets.items / 4] = local[0] * local[1] * local[2];
  words[word + launchOffsets.printf / 4] = printf;
  let nextLocal = localStart(code, body);
  const start = at + launchOffsets.arguments;
  for (let index = 0; index < body.arguments.length; index += 1) {
    const argument = body.arguments[index]!;
    const place = start + code.parameters[index]!.offset;
    if (argument.kind === 'value') {
      bytes.set(argument.bytes, place);
    } else if (argument.kind === 'memory') {
      words[place >>> 2] = argument.range ? addressOf(argument.range) : 0;
    } else if (argument.kind === 'image') {
      words[place >>> 2] = addressOf(argument.descriptor);
    } else if (argument.kind === 'sampler') {
      words[place >>> 2] = argument.bits;
    } else {
      words[place >>> 2] = nextLocal;
      nextLocal += roundUp(argument.bytes, areaAlignment);
    }
  }
  words[word + launchOffsets.areaBytes / 4] = nextLocal;
}

function addressOf({ memory, offset }: MemoryRange): number {
  return memory.address + offset;
}

/** Where dynamic local arguments begin in a thread's area. */
function localStart(code: KernelCode, body: LaunchSizes): number {
  const items = body.local[0] * body.local[1] * body.local[2];
  return code.fixedBytes + roundUp(code.perItemBytes * items, areaAlignment);
}
