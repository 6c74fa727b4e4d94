/** What the interpreter is told to run: the range, the arguments, and what each group of the range is to begin with. */
import { subGroupSize } from '../collectives.ts';
import type { Group, Launch, Triple } from './state.ts';

/** Sizes in one to three dimensions; where the sizes do not divide, the last groups are smaller. */
export interface LaunchRange {
  readonly globalSize: readonly number[];
  readonly localSize: readonly number[];
  readonly globalOffset?: readonly number[];
}

/**
 * An argument: the address of a buffer (0 for null), or a buffer; the bytes of a by-value scalar, vector or struct as the host lays
 * it out (three lanes take the room of four); a size of local memory; an image; or a sampler's bits.
 */
export type LaunchArgument =
  | BufferArgument
  | { readonly kind: 'address'; readonly address: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'local'; readonly size: number }
  | ImageArgument
  | { readonly kind: 'sampler'; readonly bits: number };

/** An image that has an address only for this launch. */
export interface ImageArgument {
  readonly kind: 'image';
  readonly pixels: BufferArgument;
  /** Its descriptor (src/runtime/image-descriptor.ts); the address of the pixels, its first eight bytes, is filled in here. */
  readonly descriptor: Uint8Array;
}

/** A buffer that has an address only for this launch. */
export interface BufferArgument {
  readonly kind: 'buffer';
  readonly space: 'global' | 'constant';
  /** What messages call it. */
  readonly name: string;
  /** The bytes, used in place; asked for again at each slice, in case they have moved in between. */
  bytes(): Uint8Array;
}

/** Memory that kernels may reach by its address, without an argument that leads there. */
export interface SharedRegion {
  readonly address: number;
  /** What messages call it. */
  readonly name: string;
  /** As {@link BufferArgument.bytes}. */
  bytes(): Uint8Array;
}

/**
 * Takes what one call of printf prints, a byte a character. `size` is what the call takes of a printf buffer (see
 * printf/record.ts). False if there is no room.
 */
export type PrintSink = (text: string, size: number) => boolean;

/** What work-items are told of a range. */
export function launchOf({ globalSize, localSize, globalOffset }: LaunchRange): Launch {
  const workDim = globalSize.length;
  if (workDim < 1 || workDim > 3) throw new Error(`a launch in ${workDim} dimensions`);
  const global = triple(globalSize, 1);
  const local = triple(localSize, 1);
  const numGroups: Triple = [0, 0, 0];
  for (const dimension of [0, 1, 2] as const) {
    if (!(local[dimension] >= 1)) throw new Error(`a local size of ${local[dimension]}`);
    numGroups[dimension] = Math.ceil(global[dimension] / local[dimension]);
  }
  return {
    workDim,
    globalSize: global,
    localSize: local,
    globalOffset: triple(globalOffset ?? [], 0),
    numGroups,
  };
}

function triple(sizes: readonly number[], otherwise: number): Triple {
  return [sizes[0] ?? otherwise, sizes[1] ?? otherwise, sizes[2] ?? otherwise];
}

/** A group that has not begun. */
export function groupOf(launch: Launch, id: Triple): Group {
  const left = (dimension: 0 | 1 | 2) =>
    Math.min(
      launch.localSize[dimension],
      launch.globalSize[dimension] - id[dimension] * launch.localSize[dimension],
    );
  const size: Triple = [left(0), left(1), left(2)];
  const itemCount = size[0] * size[1] * size[2];
  const { numGroups } = launch;
  const serial = (id[2] * numGroups[1] + id[1]) * numGroups[0] + id[0];
  return {
    launch,
    id,
    serial,
    phase: 0,
    subPhases: new Array<number>(Math.ceil(itemCount / subGroupSize)).fill(0),
    offers: { 'work-group': [[], []], 'sub-group': [[], []] },
    size,
    itemCount,
    locals: new Map(),
    perItem: new Map(),
    contextArrays: new Map(),
  };
}
