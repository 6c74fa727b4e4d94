/** Where arguments that name files find them: on the command line the disk, in a page what was dropped there. */
import type { Picture } from './picture.ts';

export interface ArgumentFiles {
  exists(path: string): boolean;
  /** Throws an error in plain words if the file cannot be read. */
  bytes(path: string): Uint8Array<ArrayBuffer>;
  /** Throws an error in plain words if the file is no picture. */
  picture(path: string): Picture;
}
