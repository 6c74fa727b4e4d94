/**
 * Pixels of a page's elements (WebCL extensions WEBCL_html_image and WEBCL_html_video): eight bits each of red, green, blue
 * and alpha, which is not multiplied in. Elements are known by what they call themselves, as this code has no page of its own.
 */
import { CL } from '../opencl/constants.ts';
import { WebCLException } from './exception.ts';
import { checkEnabledInPage } from './extensions.ts';

/** What is used of ImageData. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** What is used of a 2D canvas. */
interface Canvas2D {
  imageSmoothingEnabled: boolean;
  drawImage(source: object, x: number, y: number, width: number, height: number): void;
  getImageData(x: number, y: number, width: number, height: number): Pixels;
  putImageData(pixels: Pixels, x: number, y: number): void;
}

/** An HTMLCanvasElement. */
export interface CanvasElement {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d', options?: { willReadFrequently: boolean }): Canvas2D | null;
}

/** An HTMLImageElement or HTMLVideoElement; both have a size in the page. */
export interface PictureElement {
  readonly width: number;
  readonly height: number;
}

/** ImageData, HTMLCanvasElement, HTMLImageElement, HTMLVideoElement. */
export type PixelSource = Pixels | CanvasElement | PictureElement;

const sources = ['ImageData', 'HTMLCanvasElement', 'HTMLImageElement', 'HTMLVideoElement'] as const;

function kindOf(value: unknown): (typeof sources)[number] | undefined {
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return sources.find((source) => source === name);
}

export function isPixelSource(value: unknown): value is PixelSource {
  return kindOf(value) !== undefined;
}

export function isVideo(value: unknown): boolean {
  return kindOf(value) === 'HTMLVideoElement';
}

/**
 * The pixels of an element as they are now.
 * @param limits the largest size, by default any
 * @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_HOST_PTR for an element without pixels, INVALID_IMAGE_SIZE
 */
export function pixelsOf(source: PixelSource, limits?: readonly [number, number]): Pixels {
  const kind = kindOf(source)!;
  checkEnabledInPage(kind === 'HTMLVideoElement' ? 'WEBCL_html_video' : 'WEBCL_html_image');
  if (!hasPixels(source, kind)) fail('INVALID_HOST_PTR', 'the element has no pixels');
  const { width, height } = source;
  const [maxWidth, maxHeight] = limits ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (width < 1 || height < 1 || width > maxWidth || height > maxHeight) {
    fail('INVALID_IMAGE_SIZE', `the element has ${width} x ${height} pixels`);
  }
  if (kind === 'ImageData') return source as Pixels;
  const own = kind === 'HTMLCanvasElement' ? (source as CanvasElement).getContext('2d') : null;
  if (own) return own.getImageData(0, 0, width, height);
  // A picture, or a canvas that is drawn in another way.
  const canvas = new (globalThis as unknown as { OffscreenCanvas: OffscreenCanvasClass }).OffscreenCanvas(
    width,
    height,
  );
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.imageSmoothingEnabled = false;
  context.drawImage(source, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

type OffscreenCanvasClass = new (width: number, height: number) => CanvasElement;

function hasPixels(source: PixelSource, kind: string): boolean {
  const facts = source as unknown as Readonly<Record<string, number>>;
  if (kind === 'HTMLImageElement') return facts['naturalWidth']! > 0;
  if (kind === 'HTMLVideoElement') return facts['videoWidth']! > 0;
  return source.width > 0 && source.height > 0;
}

/**
 * A canvas to be written: its pixels as they are, to be changed, and what puts them back.
 * @throws WebCLException WEBCL_EXTENSION_NOT_ENABLED, INVALID_HOST_PTR
 */
export function canvasTarget(canvas: CanvasElement): { readonly pixels: Pixels; put(): void } {
  if (kindOf(canvas) !== 'HTMLCanvasElement') fail('INVALID_HOST_PTR', 'only a canvas can be written to');
  const pixels = pixelsOf(canvas);
  const context = canvas.getContext('2d');
  if (!context) return fail('INVALID_HOST_PTR', 'the canvas is not a 2D canvas');
  return { pixels, put: () => context.putImageData(pixels, 0, 0) };
}

function fail(name: 'INVALID_HOST_PTR' | 'INVALID_IMAGE_SIZE', why: string): never {
  throw new WebCLException(name, why, CL[name]);
}
