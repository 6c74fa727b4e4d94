/**
 * Runs the project's samples in a page: kernels and the photograph come by fetch, pictures are drawn on canvases. The
 * numbers that kernels leave behind go back as digests, to be compared with Node's bit by bit.
 */
import { compile, devices } from 'millrace';
import { gallery } from '../../../samples/gallery.ts';
import { contextOn } from '../../../samples/support/device.ts';
import type { Picture, SampleContext, SampleSize } from '../../../samples/support/sample.ts';

/** What a sample computed, as plain data. */
export interface SampleReport {
  readonly runs: readonly { kernel: string; ok: boolean; detail: string; digest: string }[];
  readonly findings: readonly string[];
}

export async function runSample(name: string, size: SampleSize): Promise<SampleReport> {
  const sample = gallery.find((candidate) => candidate.name === name);
  if (!sample) throw new Error(`there is no sample '${name}'`);
  const { runs, findings } = await sample.run(context(size));
  return {
    runs: await Promise.all(
      runs.map(async ({ kernel, check, output }) => ({ kernel, ...check, digest: await digest(output) })),
    ),
    findings,
  };
}

function context(size: SampleSize): SampleContext {
  return {
    size,
    computeUnits: devices()[0]!.info.maxComputeUnits,
    // Chromium has relaxed SIMD, which rounds a product and its sum once; in these tests Node does not.
    compile: (source, options) => compile(`#pragma OPENCL FP_CONTRACT OFF\n${source}`, { options }),
    openContext: () => contextOn(),
    readKernel: async (name) => (await fetch(`/samples/${name}`)).text(),
    readPhoto: async () => {
      const file = await (await fetch(`/photo-${size}`)).arrayBuffer();
      const [width, height] = new Uint32Array(file, 0, 2);
      return { width: width!, height: height!, data: new Uint8Array(file, 8) };
    },
    writePicture: async (name, picture) => {
      show(name, drawn(picture));
      return name;
    },
    writeDrawing: async (name, svg) => {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      await image.decode();
      show(name, image);
      return name;
    },
    progress: () => {},
  };
}

function drawn(picture: Picture): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  const pixels = new ImageData(picture.width, picture.height);
  pixels.data.set(picture.data);
  // The samples keep no opacity.
  for (let alpha = 3; alpha < pixels.data.length; alpha += 4) pixels.data[alpha] = 255;
  canvas.getContext('2d')!.putImageData(pixels, 0, 0);
  return canvas;
}

function show(name: string, element: HTMLElement): void {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  figure.append(element, caption);
  document.body.append(figure);
}

async function digest(data: ArrayBufferView): Promise<string> {
  const copy = new Uint8Array(data.byteLength);
  copy.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', copy));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
