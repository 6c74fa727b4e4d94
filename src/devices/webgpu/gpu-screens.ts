/**
 * Canvases that the device's thread draws on: what a kernel has computed becomes a picture without a way through the host. A canvas comes
 * by a message, to a thread that waits for it; a picture is then drawn by a command, as launches are (screen.ts), in a pass of its
 * own that reads the buffer.
 *
 * The browser shows what was drawn when the thread is back in its event loop, so that it does not sleep before.
 */
import { roundUp } from '../../runtime/range-allocator.ts';
import { pixelKinds, screenWords } from '../../runtime/screen.ts';
import { statusCodes } from '../../runtime/status.ts';
import { rangeAt } from '../icd/memory-access.ts';
import { argumentKind, launchPayload, rangeWords } from '../icd/native-layout.ts';
import { type GpuBuffer, type GpuCanvasContext, type GpuDevice, type GpuObject, usage } from './gpu-api.ts';
import type { GpuEncoding } from './gpu-encoding.ts';
import type { Begun } from './gpu-launches.ts';
import { firstScreenNumber } from './gpu-layout.ts';
import type { GpuMemory } from './gpu-memory.ts';

/** Ranges that are bound begin at multiples of this (minStorageBufferOffsetAlignment). */
const bindingAlign = 256;
/** The screen's kernel has these: the range of the pixels, and the words of the picture as a value. */
const pixelsAt = launchPayload.arguments;
const wordsAt = pixelsAt + 1 + rangeWords.count + 2;
const fragment = 2;

/** Bytes are exact: what is drawn is what a host would make of the pixels. */
const shader = `@group(0) @binding(0) var<uniform> picture: vec4<u32>;
@group(0) @binding(1) var<storage, read> memory: array<u32>;
@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
  return vec4<f32>(f32((index & 1u) * 4u) - 1.0, f32((index & 2u) * 2u) - 1.0, 0.0, 1.0);
}
fn numberAt(word: u32) -> f32 {
  let bits = memory[word];
  let isNumber = (bits & 0x7fffffffu) <= 0x7f800000u;
  let value = clamp(bitcast<f32>(select(0u, bits, isNumber)), 0.0, 1.0);
  return floor(value * 255.0 + 0.5) / 255.0;
}
@fragment
fn colour(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
  let pixel = u32(at.y) * picture.x + u32(at.x);
  let first = picture.w >> 2u;
  var colour = vec3<f32>(0.0);
  switch picture.z {
    case ${pixelKinds.indexOf('rgba8')}u: {
      colour = unpack4x8unorm(memory[first + pixel]).rgb;
    }
    case ${pixelKinds.indexOf('bgra8')}u: {
      colour = unpack4x8unorm(memory[first + pixel]).bgr;
    }
    case ${pixelKinds.indexOf('grey8')}u: {
      let byte = picture.w + pixel;
      colour = vec3<f32>(f32((memory[byte >> 2u] >> ((byte & 3u) * 8u)) & 0xffu) / 255.0);
    }
    case ${pixelKinds.indexOf('rgba32f')}u: {
      let word = first + 4u * pixel;
      colour = vec3<f32>(numberAt(word), numberAt(word + 1u), numberAt(word + 2u));
    }
    default: {
      colour = vec3<f32>(numberAt(first + pixel));
    }
  }
  return vec4<f32>(colour, 1.0);
}
`;

/** A canvas, ready to be drawn on. */
interface Screen {
  readonly canvas: OffscreenCanvas;
  readonly context: GpuCanvasContext;
  readonly pipeline: GpuObject;
  /** Of the picture. */
  readonly words: GpuBuffer;
}

/** What the host thread sends. */
interface CanvasMessage {
  readonly screen: number;
  readonly canvas: OffscreenCanvas;
}

/** Whether a launch's program is a screen. */
export function isScreen(program: number): boolean {
  return program >= firstScreenNumber;
}

export class GpuScreens {
  readonly #device: GpuDevice;
  readonly #memory: GpuMemory;
  readonly #screens = new Map<number, Screen>();
  /** Canvases that have come, and who waits for one. */
  readonly #canvases = new Map<number, OffscreenCanvas>();
  readonly #awaited = new Map<number, () => void>();
  #layout: GpuObject | undefined;

  constructor(device: GpuDevice, memory: GpuMemory) {
    this.#device = device;
    this.#memory = memory;
    // Node has no canvases.
    if (!('addEventListener' in globalThis)) return;
    globalThis.addEventListener('message', ({ data }: MessageEvent<CanvasMessage | undefined>) => {
      if (typeof data?.screen !== 'number') return;
      this.#canvases.set(data.screen, data.canvas);
      this.#awaited.get(data.screen)?.();
    });
  }

  /** Makes a screen of a canvas that is to come. @throws Error in words if nothing can be drawn there */
  async open(number: number): Promise<void> {
    if (!this.#canvases.has(number)) {
      await new Promise<void>((resolve) => this.#awaited.set(number, resolve));
      this.#awaited.delete(number);
    }
    const canvas = this.#canvases.get(number)!;
    this.#canvases.delete(number);
    const context = canvas.getContext('webgpu' as never) as unknown as GpuCanvasContext | null;
    if (!context) throw new Error('the canvas cannot be drawn on by WebGPU');
    const { gpu } = navigator as unknown as { gpu: { getPreferredCanvasFormat(): string } };
    const format = gpu.getPreferredCanvasFormat();
    context.configure({ device: this.#device, format, alphaMode: 'opaque' });
    const pipeline = await this.#pipelineFor(format);
    const words = this.#device.createBuffer({
      size: 16,
      usage: usage.uniform | usage.copyTo,
      label: 'picture',
    });
    this.#screens.set(number, { canvas, context, pipeline, words });
  }

  #pipelineFor(format: string): Promise<GpuObject> {
    const device = this.#device;
    const module = device.createShaderModule({ code: shader, label: 'screen' });
    this.#layout ??= device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: fragment, buffer: { type: 'uniform' } },
        { binding: 1, visibility: fragment, buffer: { type: 'read-only-storage' } },
      ],
    });
    return device.createRenderPipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: [this.#layout] }),
      vertex: { module, entryPoint: 'corner' },
      fragment: { module, entryPoint: 'colour', targets: [{ format }] },
    });
  }

  release(number: number): void {
    const screen = this.#screens.get(number);
    this.#screens.delete(number);
    screen?.context.unconfigure();
    screen?.words.destroy();
  }

  /** Prepares what a launch of a screen's kernel draws. What it encodes has to be submitted at once: the canvas gives a texture for now. */
  begin(number: number, payload: Int32Array, eager: boolean): Begun {
    const screen = this.#screens.get(number);
    if (!screen || payload[pixelsAt] !== argumentKind.memory) {
      const message = 'the screen is gone';
      return { kind: 'refused', status: statusCodes.CL_INVALID_OPERATION, message };
    }
    const range = rangeAt(payload, pixelsAt + 1);
    const why = this.#memory.prepare(range, eager, 'any');
    if (why) {
      return { kind: 'refused', status: statusCodes.CL_MEM_OBJECT_ALLOCATION_FAILURE, message: why };
    }
    const [width, height, pixels] = [screenWords.width, screenWords.height, screenWords.pixels].map(
      (word) => payload[wordsAt + word]!,
    ) as [number, number, number];
    const { buffer, base } = this.#memory.placeOf(range);
    const at = range.address + range.offset - base;
    const start = at - (at % bindingAlign);
    const size = roundUp(at + range.size, 4) - start;
    const draw = (encoding: GpuEncoding): void =>
      this.#draw(screen, encoding, { width, height, pixels, first: at - start, buffer, start, size });
    const nothing = { written: [], printed: undefined, left: [], block: new Uint32Array(0) };
    return { kind: 'launch', launch: { ...nothing, memory: [], reads: [], draw } };
  }

  #draw(
    { canvas, context, pipeline, words }: Screen,
    encoding: GpuEncoding,
    picture: {
      width: number;
      height: number;
      pixels: number;
      first: number;
      buffer: GpuBuffer;
      start: number;
      size: number;
    },
  ): void {
    const { width, height, pixels, first, buffer, start, size } = picture;
    const device = this.#device;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const numbers = Uint32Array.of(width, height, pixels, first);
    device.queue.writeBuffer(words, 0, new Uint8Array(numbers.buffer));
    const resource = { buffer, offset: start, size };
    const group = device.createBindGroup({
      layout: this.#layout!,
      entries: [
        { binding: 0, resource: { buffer: words } },
        { binding: 1, resource },
      ],
    });
    const view = context.getCurrentTexture().createView();
    const pass = encoding.forRendering().beginRenderPass({
      colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }],
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.draw(3);
    pass.end();
  }

  /** Until the browser has taken what was drawn; in a page that nobody sees, when somebody does. */
  async presented(): Promise<void> {
    await new Promise<unknown>((resolve) => {
      if ('requestAnimationFrame' in globalThis) requestAnimationFrame(resolve);
      else setTimeout(resolve, 20);
    });
    // It is taken behind the calls of this frame.
    await new Promise((resolve) => setTimeout(resolve));
  }
}
