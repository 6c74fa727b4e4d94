/**
 * Pictures on a canvas of a page. A device that can draws them from its own memory; of others they are read back. In a file of its
 * own, for most pages draw nothing.
 */
import { channelOrder, channelType } from '../../runtime/image-format.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { type DeviceScreen, type PixelKind, pixelKinds, screenWords } from '../../runtime/screen.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { type DeviceBuffer, done } from './device-buffer.ts';
import { DeviceImage } from './device-image.ts';
import type { Program } from './program.ts';

export type { PixelKind };

/** What of a buffer is a picture: rows from the top, without gaps. */
export interface ShownBuffer {
  readonly width: number;
  readonly height: number;
  /**
   * `rgba8` (uchar4, or uint with red in its lowest byte), `bgra8`, `grey8` (uchar), `rgba32f` (float4 of 0 to 1), `grey32f` (float).
   * Default `rgba8`. Alpha is ignored.
   */
  readonly pixels?: PixelKind | undefined;
}

/** A canvas that pictures are shown on; see {@link openScreen}. */
export interface Screen {
  /** The device draws by itself: nothing is read back. */
  readonly isDirect: boolean;
  /** Whether it shows what kernels of this program have written: programs for one device, with one time-out, share their memory. */
  fits(program: Program): boolean;
  /**
   * Shows a buffer, or a 2D image with channels of 8 bits or floats, as it is once all calls so far have ended. Resolves when it has been
   * drawn. The canvas gets its size.
   * @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_BUFFER_SIZE, CL_INVALID_MEM_OBJECT; CL_IMAGE_FORMAT_NOT_SUPPORTED
   */
  show(image: DeviceImage): Promise<void>;
  show(buffer: DeviceBuffer, picture: ShownBuffer): Promise<void>;
  /** Draws no more. The canvas keeps the last picture. */
  release(): void;
}

/**
 * Shows results on a canvas, which from now on is drawn on by nobody else: one of `transferControlToOffscreen()` or `new
 * OffscreenCanvas`. On WebGPU the device draws from its own memory; elsewhere pictures are read back. The canvas may be transferred
 * to another thread.
 * @throws OpenCLError CL_INVALID_VALUE if it is no such canvas, CL_OUT_OF_RESOURCES if it cannot be drawn on
 */
export async function openScreen(program: Program, canvas: OffscreenCanvas): Promise<Screen> {
  if (typeof OffscreenCanvas === 'undefined' || !(canvas instanceof OffscreenCanvas))
    throw new OpenCLError('CL_INVALID_VALUE', `a screen is an OffscreenCanvas, not ${shown(canvas)}`);
  const { queue } = program;
  const opened = queue.context.opened(queue.device);
  return opened.openScreen
    ? new DirectScreen(queue, await opened.openScreen(canvas))
    : new ReadBackScreen(queue, canvas);
}

const commandLaunch = 0x11f0;

const bytesOf: Readonly<Record<PixelKind, number>> = {
  rgba8: 4,
  bgra8: 4,
  grey8: 1,
  rgba32f: 16,
  grey32f: 4,
};

interface Shown {
  readonly width: number;
  readonly height: number;
  readonly pixels: PixelKind;
}

abstract class AnyScreen implements Screen {
  protected readonly queue: CommandQueue;
  abstract readonly isDirect: boolean;

  constructor(queue: CommandQueue) {
    this.queue = queue;
  }

  fits(program: Program): boolean {
    return program.queue === this.queue;
  }

  show(source: DeviceBuffer | DeviceImage, picture?: ShownBuffer): Promise<void> {
    return this.draw(
      source,
      source instanceof DeviceImage ? this.#ofImage(source) : ofBuffer(source, picture),
    );
  }

  #ofImage(image: DeviceImage): Shown {
    const { width, height, kind } = image;
    const { shape } = image.imageFor(this.queue);
    const pixels = kind === 'image2d_t' ? pixelsOf(shape.channelOrder, shape.channelType) : undefined;
    if (pixels) return { width, height, pixels };
    throw new OpenCLError('CL_IMAGE_FORMAT_NOT_SUPPORTED', 'a screen shows 2D images of bytes or floats');
  }

  protected abstract draw(source: DeviceBuffer | DeviceImage, shown: Shown): Promise<void>;
  abstract release(): void;
}

function ofBuffer(buffer: DeviceBuffer, picture: ShownBuffer | undefined): Shown {
  const { width, height, pixels = 'rgba8' } = picture ?? ({} as Partial<ShownBuffer>);
  const isSize = (side: unknown): side is number => Number.isInteger(side) && (side as number) > 0;
  if (!isSize(width) || !isSize(height))
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `a buffer is shown with width and height, not ${shown(picture)}`,
    );
  if (!pixelKinds.includes(pixels))
    throw new OpenCLError('CL_INVALID_VALUE', `pixels are ${pixelKinds.join(', ')}, not ${shown(pixels)}`);
  const needed = width * height * bytesOf[pixels];
  if (needed > buffer.byteLength)
    throw new OpenCLError(
      'CL_INVALID_BUFFER_SIZE',
      `${width} x ${height} pixels of ${pixels} take ${needed} bytes; the buffer has ${buffer.byteLength}`,
    );
  return { width, height, pixels };
}

function pixelsOf(order: number, type: number): PixelKind | undefined {
  const isBytes = type === channelType.UNORM_INT8 || type === channelType.UNSIGNED_INT8;
  if (!isBytes && type !== channelType.FLOAT) return undefined;
  switch (order) {
    case channelOrder.RGBA:
      return isBytes ? 'rgba8' : 'rgba32f';
    case channelOrder.BGRA:
      return isBytes ? 'bgra8' : undefined;
    case channelOrder.R:
    case channelOrder.LUMINANCE:
      return isBytes ? 'grey8' : 'grey32f';
    default:
      return undefined;
  }
}

/** The device draws. */
class DirectScreen extends AnyScreen {
  readonly isDirect = true;
  readonly #screen: DeviceScreen;

  constructor(queue: CommandQueue, screen: DeviceScreen) {
    super(queue);
    this.#screen = screen;
  }

  protected async draw(source: DeviceBuffer | DeviceImage, { width, height, pixels }: Shown): Promise<void> {
    const { queue } = this;
    const memory = source instanceof DeviceImage ? source.imageFor(queue).pixels : source.memoryFor(queue);
    const words = new Uint32Array(screenWords.count);
    words[screenWords.width] = width;
    words[screenWords.height] = height;
    words[screenWords.pixels] = pixelKinds.indexOf(pixels);
    const event = queue.enqueue(
      commandLaunch,
      {
        kind: 'launch',
        kernel: this.#screen.kernel,
        arguments: [
          { kind: 'memory', range: { memory, offset: 0 } },
          { kind: 'value', bytes: new Uint8Array(words.buffer) },
        ],
        dimensions: 2,
        offset: [0, 0, 0],
        global: [width, height, 1],
        local: [1, 1, 1],
      },
      [],
      [memory],
    );
    await done(event);
  }

  release(): void {
    this.#screen.release();
  }
}

/** Pictures come back, and are put on a canvas of two dimensions. */
class ReadBackScreen extends AnyScreen {
  readonly isDirect = false;
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  #drawn: ImageData | undefined;

  /** @throws OpenCLError CL_OUT_OF_RESOURCES */
  constructor(queue: CommandQueue, canvas: OffscreenCanvas) {
    super(queue);
    this.#canvas = canvas;
    const context = canvas.getContext('2d', { alpha: false });
    if (!context)
      throw new OpenCLError('CL_OUT_OF_RESOURCES', 'the canvas is drawn on by something else already');
    this.#context = context;
  }

  protected async draw(source: DeviceBuffer | DeviceImage, { width, height, pixels }: Shown): Promise<void> {
    const count = width * height * bytesOf[pixels];
    const bytes =
      source instanceof DeviceImage ? await source.read(Uint8Array) : await source.read(Uint8Array, 0, count);
    if (this.#drawn?.width !== width || this.#drawn.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#drawn = new ImageData(width, height);
    }
    toOpaque(bytes, pixels, this.#drawn.data);
    this.#context.putImageData(this.#drawn, 0, 0);
  }

  release(): void {}
}

const opaque = 0xff00_0000;

/** Pixels as a canvas has them. Machines that a page runs on are little-endian. */
function toOpaque(bytes: Uint8Array<ArrayBuffer>, pixels: PixelKind, data: Uint8ClampedArray): void {
  const target = new Uint32Array(data.buffer);
  switch (pixels) {
    case 'rgba8': {
      const words = new Uint32Array(bytes.buffer);
      for (let at = 0; at < target.length; at += 1) target[at] = words[at]! | opaque;
      return;
    }
    case 'bgra8': {
      const words = new Uint32Array(bytes.buffer);
      for (let at = 0; at < target.length; at += 1) {
        const word = words[at]!;
        target[at] = (word & 0xff00) | ((word & 0xff) << 16) | ((word >>> 16) & 0xff) | opaque;
      }
      return;
    }
    case 'grey8':
      for (let at = 0; at < target.length; at += 1) target[at] = (bytes[at]! * 0x1_0101) | opaque;
      return;
    default: {
      // A clamped array rounds halves to even; screens round them up.
      const values = new Float32Array(bytes.buffer);
      const lanes = pixels === 'rgba32f' ? 4 : 1;
      const byteOf = (value: number): number => Math.floor(255 * Math.min(1, Math.max(0, value)) + 0.5);
      for (let at = 0; at < target.length; at += 1) {
        const first = at * lanes;
        const [red, green, blue] = lanes === 1 ? [first, first, first] : [first, first + 1, first + 2];
        target[at] =
          byteOf(values[red]!) | (byteOf(values[green]!) << 8) | (byteOf(values[blue]!) << 16) | opaque;
      }
    }
  }
}
