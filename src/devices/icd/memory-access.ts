/** How a device thread gets at buffers: as views of the context's memory, or as copies that it keeps up to date. */
import type { ImageShape } from '../../runtime/image-shape.ts';
import { rangeWords } from './native-layout.ts';

/** A part of a buffer; see rangeWords. */
export interface Range {
  readonly id: number;
  readonly address: number;
  readonly wholeSize: number;
  readonly offset: number;
  readonly size: number;
  readonly access: number;
}

/** Results that are CL error codes are negative, handles positive, success 0. All calls are from the device thread. */
export interface DeviceMemoryAccess {
  /** Counts up whenever a driver's buffer is given up: as long as it stays, equal ranges have equal buffers. */
  readonly epoch: number;
  /** The driver's buffer for a range, as a kernel argument: it begins where the range does. Or a CL error code. */
  bufferFor(range: Range): number;
  /** The driver's buffer for the whole of which a range is a part, or a CL error code. */
  wholeFor(range: Range): number;
  /** The driver's image for a range of that shape, or a CL error code. To be asked for before the range is prepared. */
  imageFor(range: Range, shape: ImageShape): number;
  /** Whether the range lies in the host's memory only, as staging memory does. */
  isHostOnly(range: Range): boolean;
  /** Sees to it that a range's bytes on the device are the newest. `always`: whatever is known of them. */
  prepare(range: Range, always: boolean): number;
  /** A command has been enqueued that writes the range on the device. */
  written(range: Range): void;
  /** Sees to it that the host's bytes are the newest, once the commands that write them are complete. */
  publish(range: Range): number;
  /** The host has written the range. */
  hostChanged(range: Range): void;
  /** The buffer of that id is gone. */
  forget(id: number): void;
  close(): void;
}

/** The address behind the buffer that a range is a part of. */
export function endOf({ address, wholeSize }: Range): number {
  return address + wholeSize;
}

export function rangeAt(words: Int32Array, at: number): Range {
  return {
    id: words[at + rangeWords.id]!,
    address: words[at + rangeWords.address]! >>> 0,
    wholeSize: words[at + rangeWords.wholeSize]! >>> 0,
    offset: words[at + rangeWords.offset]! >>> 0,
    size: words[at + rangeWords.size]! >>> 0,
    access: words[at + rangeWords.access]!,
  };
}
