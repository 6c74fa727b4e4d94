/** Pictures as arguments and results know them; reading and writing their files is for others. */

/** `data` holds four bytes a pixel, red first, rows from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The end of a file's name from its last point, in small letters; empty if it has none. */
export function fileEnding(path: string): string {
  return /[^/\\](\.[^./\\]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** `.pnm` is for either. */
const netpbmEndings = ['.pgm', '.ppm', '.pnm'];

/** Whether a file name says that it holds one of netpbm's pictures. */
export function isNetpbmName(path: string): boolean {
  return netpbmEndings.includes(fileEnding(path));
}

/** Whether a file name says that it holds a picture that can be read and written. */
export function isPictureName(path: string): boolean {
  return ['.png', '.jpg', '.jpeg', '.bmp', ...netpbmEndings].includes(fileEnding(path));
}
