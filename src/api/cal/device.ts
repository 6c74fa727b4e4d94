/** A device that a program has opened: its resources, its contexts, and how much of its memory is taken. */
import type { Context } from '../../runtime/context.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import type { CalContext } from './context.ts';
import type { DeviceKind } from './devices.ts';
import { failed, invalid } from './error.ts';
import type { Format } from './formats.ts';
import { CalObject } from './handles.ts';
import type { Place, Resource } from './resource.ts';
import type { Runtimes } from './runtimes.ts';
import { type CALdevicestatus, statusBytes } from './structures.ts';

const mebibyte = 1 << 20;

export class CalDevice extends CalObject {
  readonly kind: DeviceKind;
  readonly context: Context;
  readonly contexts = new Set<CalContext>();
  /** Those whose memory is in this device's budgets: local ones, and remote ones of which it is the first device. */
  readonly resources = new Set<Resource>();
  readonly #runtimes: Runtimes;

  constructor(kind: DeviceKind, runtimes: Runtimes) {
    super();
    this.kind = kind;
    this.#runtimes = runtimes;
    this.context = runtimes.contextOf(kind.device);
  }

  newQueue(): CommandQueue {
    return this.#runtimes.queueOn(this.context, this.kind.device);
  }

  /** Bytes that resources have of a kind of memory. */
  used(place: Place): number {
    let bytes = 0;
    for (const resource of this.resources) if (resource.place === place) bytes += resource.shape.bytes;
    return bytes;
  }

  get status(): CALdevicestatus {
    const left = (megabytes: number, place: Place): number =>
      Math.max(0, Math.floor((megabytes * mebibyte - this.used(place)) / mebibyte));
    const { localRAM, uncachedRemoteRAM, cachedRemoteRAM } = this.kind.attribs;
    const local = left(localRAM, 'local');
    const uncached = left(uncachedRemoteRAM, 'uncached');
    const cached = left(cachedRemoteRAM, 'cached');
    // C has the members in this order. The host sees all of the local memory; nothing is known of blocks.
    return {
      struct_size: statusBytes,
      availLocalRAM: local,
      availUncachedRemoteRAM: uncached,
      availCachedRemoteRAM: cached,
      availVisibleHeap: local,
      availInvisibleHeap: 0,
      availDirectHeap: 0,
      availCoherentHeap: 0,
      availRemoteSharedHeap: 0,
      availCachedRemoteSharedHeap: 0,
      largestBlockVisibleHeap: local,
      largestBlockInvisibleHeap: 0,
      largestBlockRemoteHeap: uncached,
      largestBlockCachedRemoteHeap: cached,
      largestBlockDirectHeap: 0,
      largestBlockCoherentHeap: 0,
      largestBlockRemoteSharedHeap: 0,
      largestBlockCachedRemoteSharedHeap: 0,
    };
  }

  /** Why a resource cannot be so large. */
  refusesSize(dimensions: 1 | 2, width: number, height: number): string | undefined {
    const { maxResource1DWidth, maxResource2DWidth, maxResource2DHeight } = this.kind.info;
    const limit = dimensions === 1 ? [maxResource1DWidth, 1] : [maxResource2DWidth, maxResource2DHeight];
    const [widest, highest] = limit as [number, number];
    const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
    if (isCount(width, widest) && isCount(height, highest)) return undefined;
    const size = dimensions === 1 ? `${width} elements` : `${width} x ${height} elements`;
    const most = dimensions === 1 ? `1 to ${widest}` : `1 x 1 to ${widest} x ${highest}`;
    return `${size}: on ${this.kind.name} resources may have ${most}`;
  }

  /**
   * Checks what a resource of this device needs of it.
   * @throws CalError CAL_RESULT_ERROR
   */
  checkFormat(format: Format, isGlobalBuffer: boolean): void {
    const { attribs, name } = this.kind;
    if (format.element.type === 'float64' && !attribs.doublePrecision) throw failed(`${name} has no doubles`);
    if (isGlobalBuffer && !attribs.memExport) throw failed(`${name} has no global buffer`);
  }

  /** @throws CalError CAL_RESULT_ERROR if there is not so much memory left */
  checkRoom(place: Place, bytes: number): void {
    const { localRAM, uncachedRemoteRAM, cachedRemoteRAM } = this.kind.attribs;
    const limits = {
      local: localRAM,
      uncached: uncachedRemoteRAM,
      cached: cachedRemoteRAM,
      pinned: Infinity,
    };
    const left = limits[place] * mebibyte - this.used(place);
    if (bytes > left) throw failed(`${bytes} bytes of ${place} memory are not to be had: ${left} are left`);
  }

  /** @throws CalError CAL_RESULT_INVALID_PARAMETER for flags that there are not */
  static checkFlags(flags: number, allowed: number): void {
    if ((flags & ~allowed) !== 0) throw invalid(`0x${flags.toString(16)} are no flags of such resources`);
  }
}
