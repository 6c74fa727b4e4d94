/** Times, sizes and rates in words of about the same width. */

/** Nanoseconds as `850 ns`, `12.3 µs`, `4.56 ms`, `7.89 s`. */
export function timeText(nanoseconds: number): string {
  return withUnit(nanoseconds, 1000, ['ns', 'µs', 'ms', 's']);
}

/** Bytes as `512 B`, `1.50 KiB`, `64.0 MiB`. */
export function bytesText(bytes: number): string {
  return withUnit(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']);
}

/** Bytes per second as `3.20 GB/s`, in powers of 1000 as memories are sold. */
export function rateText(bytesPerSecond: number): string {
  return withUnit(bytesPerSecond, 1000, ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s']);
}

/** 0 to 1 as `45.2%`. */
export function percentText(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** A quotient as `1.25x`. */
export function ratioText(ratio: number): string {
  return `${ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2)}x`;
}

/** Three digits in the largest unit in which there is something before the point; whole numbers in the first. */
function withUnit(value: number, step: number, units: readonly string[]): string {
  let rest = value;
  let unit = 0;
  // 999.6 would be written as 1000.
  while (rest >= step - 0.5 && unit < units.length - 1) {
    rest /= step;
    unit += 1;
  }
  const digits = unit === 0 || rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
  return `${rest.toFixed(digits)} ${units[unit]}`;
}
