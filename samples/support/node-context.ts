// A SampleContext on Node: kernels and the photograph are read from the samples' folder, pictures are written
// to an output folder. The device is the caller's affair, by way of `compile`.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode as encodePng } from 'fast-png';
import jpeg from 'jpeg-js';
import { contextOn } from './device.ts';
import type { Picture, SampleContext, SampleSize, StreamContext } from './sample.ts';
import { brook, devicesOfStreams } from './streams.ts';

/** What a context is made from. */
export interface ContextSettings {
  readonly size: SampleSize;
  /** The folder `samples/` as a file URL that ends in a slash. */
  readonly samplesFolder: URL;
  /** Where pictures go; made when the first one is written. */
  readonly outFolder: string;
  readonly computeUnits: number;
  readonly compile: SampleContext['compile'];
  /** The name of the device that `compile` is for; the default one without. */
  readonly deviceName?: string;
  readonly progress?: SampleContext['progress'];
}

/** The width of the photograph at size `small`. */
const smallWidth = 37;

/** Makes a context. */
export function createContext(settings: ContextSettings): StreamContext {
  async function store(file: string, data: string | Uint8Array): Promise<string> {
    await mkdir(settings.outFolder, { recursive: true });
    const path = join(settings.outFolder, file);
    await writeFile(path, data);
    return path;
  }

  return {
    size: settings.size,
    computeUnits: settings.computeUnits,
    compile: settings.compile,
    openContext: () => contextOn(settings.deviceName),
    brook: (source, { device = devicesOfStreams(settings.deviceName)[0] } = {}) => brook(source, { device }),
    get streamDevices() {
      return devicesOfStreams(settings.deviceName);
    },
    progress: settings.progress ?? (() => {}),
    readKernel: (name) => readFile(new URL(name, settings.samplesFolder), 'utf8'),
    readPhoto: () => photoOf(settings),
    writePicture: (name, picture) => store(`${name}.png`, pngOf(picture)),
    writeDrawing: (name, svg) => store(`${name}.svg`, svg),
  };
}

/** Photographs by size and folder: decoding takes longer than most samples, and contexts are many in tests. */
const photos = new Map<string, Promise<Picture>>();

function photoOf(settings: ContextSettings): Promise<Picture> {
  const key = `${settings.size} ${settings.samplesFolder.href}`;
  const photo = photos.get(key) ?? loadPhoto(settings);
  photos.set(key, photo);
  return photo;
}

async function loadPhoto(settings: ContextSettings): Promise<Picture> {
  const file = await readFile(new URL('photo/dandelions.jpg', settings.samplesFolder));
  const { width, height, data } = jpeg.decode(file, { useTArray: true, formatAsRGBA: true });
  const photo = { width, height, data };
  return settings.size === 'full' ? photo : thin(photo, smallWidth);
}

/** A smaller picture made of some of the pixels. */
function thin(picture: Picture, width: number): Picture {
  const step = picture.width / width;
  const height = Math.floor(picture.height / step);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (Math.floor(y * step) * picture.width + Math.floor(x * step)) * 4;
      data.set(picture.data.subarray(from, from + 4), (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

/** PNG without the alpha channel, which the samples' pictures do not use. Packed quickly rather than tightly. */
function pngOf(picture: Picture): Uint8Array {
  const { width, height, data } = picture;
  const colours = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    colours[to] = data[from]!;
    colours[to + 1] = data[from + 1]!;
    colours[to + 2] = data[from + 2]!;
  }
  return encodePng({ width, height, data: colours, channels: 3, depth: 8 }, { zlib: { level: 3 } });
}
