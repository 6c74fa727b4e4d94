/**
 * Where frames are drawn: a canvas that the page has given to the worker. A device that draws what it holds without reading it back has
 * a screen of its own; `screenFor` chooses.
 */
import { elementsToPicture, pixelForm } from '../../../src/cli/arguments/pixels.ts';
import type { Drawn } from './frames.ts';

export interface Screen {
  show(drawn: Drawn): Promise<void>;
}

/** Reads each picture back, and puts it on a canvas of two dimensions. */
class CanvasScreen implements Screen {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  #pixels: ImageData | undefined;

  constructor(canvas: OffscreenCanvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: false })!;
  }

  async show({ memory, elements, width, height }: Drawn): Promise<void> {
    const bytes = await memory.read(Uint8Array);
    if (this.#pixels?.width !== width || this.#pixels.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#pixels = new ImageData(width, height);
    }
    const pixels = this.#pixels.data;
    const form = pixelForm(elements.shape);
    const isRgba = elements.shape.size === 4 && (form === 'bytes' || form === 'word');
    if (isRgba) pixels.set(bytes.subarray(0, pixels.length));
    else {
      elements.bytes.set(bytes);
      pixels.set(elementsToPicture(elements, width, height)!.data);
    }
    this.#context.putImageData(this.#pixels, 0, 0);
  }
}

export function screenFor(canvas: OffscreenCanvas): Screen {
  return new CanvasScreen(canvas);
}
