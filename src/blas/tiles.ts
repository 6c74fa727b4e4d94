/**
 * The sizes of what gemm computes at a time, from the facts of a device. A work-item has a tile of the result in registers: `rows` times
 * `vectors` vectors of `width` numbers. A step along the depth loads `vectors` vectors and `rows` single numbers for `rows * vectors`
 * products, so tiles are as large as the registers allow.
 */
import type { DeviceInfo } from '../runtime/device.ts';
import type { NumberKind } from './number-kinds.ts';

export interface Tile {
  readonly rows: number;
  /** Of numbers in the vectors of OpenCL C. */
  readonly width: 1 | 2 | 4 | 8 | 16;
  readonly vectors: number;
  /** Tiles of a work-group, which share panels: by rows and by columns. */
  readonly group: readonly [rows: number, columns: number];
}

/** Registers for vectors that processors have. */
const registers = 16;

export function tileFor({ type, nativeVectorWidths }: DeviceInfo, { real, isComplex }: NumberKind): Tile {
  const native = real === 'float' ? nativeVectorWidths.float : nativeVectorWidths.double;
  const isGpu = type === 'gpu';
  const width = (isGpu ? (real === 'float' ? 4 : 2) : Math.min(16, Math.max(native, 2))) as Tile['width'];
  // A complex sum is two vectors, and so is a factor.
  const vectors = isComplex ? 1 : 2;
  const each = isComplex ? 2 : 1;
  // A factor that is no vector takes a register only while its row is computed; but the engines of WebAssembly, whose vectors have 128
  // bits, load those of all rows first.
  const isLoadedFirst = width * (real === 'float' ? 4 : 8) <= 16;
  // Beside the sums there are the factors that are vectors, and one for what else there is.
  const free = registers - 1 - each * vectors - (isLoadedFirst ? 0 : each - 1);
  const rows = Math.floor(free / (each * vectors + (isLoadedFirst ? each : 0)));
  return { rows: isGpu ? 4 : rows, width, vectors, group: isGpu ? [8, 8] : [16, 16] };
}

/** Columns of a tile. */
export const columnsOf = ({ width, vectors }: Tile): number => width * vectors;
