/**
 * What host thread and device thread of a native device write for each other in control memory: the processor's words,
 * requests, and the payloads of commands. Queues use the records and streams of the wasm device (queueWords,
 * StreamWriter). In streams, everything that a driver does asynchronously is a `launch`; its first word says what.
 */
import type { ImageShape } from '../../runtime/image-shape.ts';
import { commonProcessorWords } from '../wasm/processor-words.ts';

/** The device thread's words. */
export const processorWords = {
  ...commonProcessorWords,
  /** Head of the list of requests made since the thread last looked. */
  requests: 97,
  /** The number of the message that says why the device is gone, while the thread lives on; 0 while it is there. */
  deviceLost: 98,
  /** 1: the thread is in what a process must not end under (leave-at-exit.ts); 2: it has left it. The host may sleep on it. */
  hold: 99,
} as const;

/** What the host asks the thread for, outside all queues. */
export const requestKind = {
  build: 1,
  releaseProgram: 2,
  forgetBuffer: 3,
  buildBinary: 4,
  openScreen: 5,
  releaseScreen: 6,
} as const;

/** One request's words. */
export const requestWords = {
  link: 0,
  kind: 1,
  /** 1 when answered; the host may sleep on it. */
  state: 2,
  /** Event slot that ends with the answer; 0 for none. */
  event: 3,
  /** CL error code of the answer. */
  status: 4,
  /** build: the program, given back. releaseProgram: the program. openScreen, releaseScreen: its number. Low and high half. */
  handle: 5,
  /** build, buildBinary: bytes of source or binary and of options, which follow. releaseProgram: kernels. forgetBuffer: the buffer's id. */
  first: 7,
  second: 8,
  /** The number of a message that says what went wrong; 0 for none. */
  message: 9,
  /** releaseProgram: number and handle of each kernel, three words each. */
  data: 10,
} as const;

/** What a `launch` in a native device's stream does. Its second word is 1 for eager: see NativeQueue. */
export const operation = { launch: 1, copy: 2, copyRectangle: 3, fill: 4 } as const;

/**
 * A range of a buffer as seen by the device thread. `id` is the whole buffer's number among those of the device, never used
 * twice; `address` and `wholeSize` are those of the whole; `offset` and `size` say which part is meant.
 */
export const rangeWords = {
  id: 0,
  address: 1,
  wholeSize: 2,
  offset: 3,
  size: 4,
  access: 5,
  count: 6,
} as const;

export const access = { reads: 1, writes: 2 } as const;

/** Payloads of transfers; ranges take rangeWords.count words each, sizes and places two. */
export const copyPayload = { source: 2, target: 8, bytes: 14, count: 16 } as const;
/** `numbers`: row and slice pitch of source and of target, region. */
export const rectanglePayload = { source: 2, target: 8, numbers: 14, count: 28 } as const;
export const fillPayload = { target: 2, bytes: 8, patternBytes: 10, pattern: 11 } as const;

/** A launch's payload: words, of which sizes take two each; then its arguments. */
export const launchPayload = {
  operation: 0,
  eager: 1,
  kernelNumber: 2,
  kernel: 3,
  dimensions: 5,
  offset: 6,
  global: 12,
  local: 18,
  argumentCount: 24,
  arguments: 25,
} as const;

/** The first word of each argument. */
export const argumentKind = {
  /** Length in bytes, then the bytes. */
  value: 0,
  /** A range. */
  memory: 1,
  /** Nothing more: a null pointer. */
  none: 2,
  /** Bytes of local memory. */
  local: 3,
  /** A range, then the image's {@link shapeWords}. */
  image: 4,
  /** The sampler's bits (src/runtime/image-descriptor.ts). */
  sampler: 5,
} as const;

/** An ImageShape as words. */
export const shapeWords = [
  'objectType',
  'channelOrder',
  'channelType',
  'pixelBytes',
  'width',
  'height',
  'depth',
  'arraySize',
  'rowPitch',
  'slicePitch',
] as const satisfies readonly (keyof ImageShape)[];

export function writeShape(words: Int32Array, at: number, shape: ImageShape): void {
  for (const [index, name] of shapeWords.entries()) words[at + index] = shape[name];
}

/** Reads what {@link writeShape} wrote. */
export function shapeAt(words: Int32Array, at: number): ImageShape {
  const entries = shapeWords.map((name, index) => [name, words[at + index]! >>> 0] as const);
  return Object.fromEntries(entries) as unknown as ImageShape;
}

/** What the device thread is started with. */
export interface NativeStart {
  readonly control: WebAssembly.Memory;
  readonly memory: WebAssembly.Memory;
  /** Word index of {@link processorWords}. */
  readonly processor: number;
  /** The driver's handle of the device. */
  readonly device: number;
  readonly outOfOrder: boolean;
  /** Buffers are the context's memory itself; else the device has copies. */
  readonly zeroCopy: boolean;
  /** One of {@link eagerTime}. */
  readonly eagerTime: number;
}

/**
 * How long (nanoseconds) the thread, and a blocked host, look again and again before they sleep: on a processor that
 * takes time away from the kernel, on other devices it takes nothing that they need.
 */
export const eagerTime = { processor: 60e3, other: 10e6 } as const;

/** Writes a handle, an address or a size as two words. */
export function setWide(words: Int32Array, at: number, value: number): void {
  words[at] = (value % 0x1_0000_0000) | 0;
  words[at + 1] = Math.floor(value / 0x1_0000_0000);
}

/** Reads what {@link setWide} wrote. */
export function wideAt(words: Int32Array, at: number): number {
  return (words[at]! >>> 0) + (words[at + 1]! >>> 0) * 0x1_0000_0000;
}
