/** The files that arguments may name: the photograph, and what was dropped on the page or picked. */
import { signal } from '@preact/signals';
import photoUrl from '../../../samples/photo/dandelions.jpg?url';
import type { ArgumentFiles } from '../../../src/cli/arguments/files.ts';
import { decodeNetpbm } from '../../../src/cli/arguments/netpbm.ts';
import { isNetpbmName, isPictureName, type Picture } from '../../../src/cli/arguments/picture.ts';

/** What a kernel finds under this name without anybody giving it. */
export const photoName = 'photo.jpg';

/** A photograph is shrunk to this width: enough to look at, quick to compute. */
const mostWidth = 1024;

interface PageFile {
  /** What a person gave; undefined for what the page has itself. */
  readonly blob: Blob | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly picture: Picture | undefined;
}

const files = new Map<string, PageFile>();
/** Names, for the form. */
export const fileNames = signal<readonly string[]>([photoName]);

async function readPicture(blob: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(blob);
  const scale = Math.min(1, mostWidth / bitmap.width);
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.drawImage(bitmap, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data.buffer) };
}

/** Keeps a file that a person gave. @throws Error if it says that it is a picture and is none */
export async function addFile(name: string, blob: Blob): Promise<void> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const picture = isNetpbmName(name)
    ? decodeNetpbm(bytes)
    : isPictureName(name)
      ? await readPicture(blob)
      : undefined;
  files.set(name, { blob, bytes, picture });
  if (!fileNames.value.includes(name)) fileNames.value = [...fileNames.value, name];
}

/** Keeps a picture that is decoded already. */
export function addPicture(name: string, picture: Picture): void {
  files.set(name, { blob: undefined, bytes: new Uint8Array(0), picture });
}

/** The photograph, loaded once; or what a person gave under its name. */
export async function loadPhoto(): Promise<Picture> {
  if (!files.has(photoName)) addPicture(photoName, await readPicture(await (await fetch(photoUrl)).blob()));
  return files.get(photoName)!.picture!;
}

/** What a person gave, for another thread. */
export function givenFiles(): Map<string, Blob> {
  return new Map([...files].flatMap(([name, { blob }]) => (blob ? [[name, blob]] : [])));
}

/** What a person gave, as a program in C finds it. */
export function programFiles(): Record<string, Uint8Array<ArrayBuffer>> {
  return Object.fromEntries(
    [...files].flatMap(([name, { blob, bytes }]) => (blob ? [[name, bytes] as const] : [])),
  );
}

function find(name: string): PageFile {
  const file = files.get(name);
  if (!file) throw new Error(`there is no file '${name}'`);
  return file;
}

export const pageFiles: ArgumentFiles = {
  exists: (name) => files.has(name),
  bytes: (name) => find(name).bytes,
  picture: (name) => {
    const { picture } = find(name);
    if (!picture) throw new Error(`'${name}' is no picture`);
    return picture;
  },
};

/** Where the form tells what arguments can be. */
export const argumentHelpPlace = 'see “What an argument can be” in the form';
