/**
 * The host's end of a queue on a native device: writes commands into the stream to the device's thread.
 *
 * Where the device keeps copies of buffers, a command is *eager* while somebody else may use the buffers without the
 * device being told: other devices of the context, or the host through a mapping. Copies are then brought up to date
 * before the command, and back before its event is complete.
 */
import type { Command, CommandBody, MemoryObject, MemoryRange } from '../../runtime/command.ts';
import type { DeviceHost, QueueOptions } from '../../runtime/device.ts';
import type { LaunchBody } from '../../runtime/local-engine.ts';
import { type ChunkPool, commandKind } from '../wasm/command-stream.ts';
import { StreamQueue } from '../wasm/stream-queue.ts';
import type { BufferNumbers } from './buffer-numbers.ts';
import {
  access,
  argumentKind,
  copyPayload,
  fillPayload,
  launchPayload,
  operation,
  processorWords,
  rangeWords,
  rectanglePayload,
  setWide,
  shapeWords,
  writeShape,
} from './native-layout.ts';
import type { NativeThread } from './native-thread.ts';

/** A kernel as the device's thread knows it. */
export interface ThreadKernel {
  readonly number: number;
  readonly handle: number;
  /** What the kernel may do with the memory of an argument: bits of `access`. */
  accessOf(index: number): number;
}

type TransferBody = Extract<CommandBody, { kind: 'copy' | 'copy-rectangle' | 'fill' }>;

export class NativeQueue extends StreamQueue {
  readonly #numbers: BufferNumbers | undefined;

  /** `numbers` for devices that keep copies. */
  constructor(
    host: DeviceHost,
    thread: NativeThread,
    chunks: ChunkPool,
    numbers: BufferNumbers | undefined,
    options: QueueOptions,
  ) {
    const newQueues = thread.processor + processorWords.newQueues;
    // The thread keeps the driver's objects, and so never rests.
    const reader = { newQueues, isResting: false, wake: () => {}, ring: () => thread.ring() };
    super(host, reader, chunks, options);
    this.#numbers = numbers;
  }

  protected write({ body, event, waits }: Command): void {
    switch (body.kind) {
      case 'launch':
        this.#launch(body, event, waits);
        break;
      case 'copy':
      case 'copy-rectangle':
      case 'fill':
        this.#transfer(body, event, waits);
        break;
      default:
        this.#synchronise(body, event, waits);
    }
  }

  get #eager(): number {
    return this.#numbers && (this.host.deviceCount > 1 || this.host.memory.mapped > 0) ? 1 : 0;
  }

  #launch(body: LaunchBody, event: number, waits: readonly number[]): void {
    const kernel = body.kernel as LaunchBody['kernel'] & ThreadKernel;
    let length: number = launchPayload.arguments;
    for (const argument of body.arguments) {
      if (argument.kind === 'value') length += 2 + ((argument.bytes.length + 3) >> 2);
      else if (argument.kind === 'local' || argument.kind === 'sampler') length += 2;
      else if (argument.kind === 'image') length += 1 + rangeWords.count + shapeWords.length;
      else length += argument.range ? 1 + rangeWords.count : 1;
    }
    const start = this.stream.begin(commandKind.launch, event, waits, length);
    const { words, bytes } = this.host.control;
    words[start + launchPayload.operation] = operation.launch;
    words[start + launchPayload.eager] = this.#eager;
    words[start + launchPayload.kernelNumber] = kernel.number;
    setWide(words, start + launchPayload.kernel, kernel.handle);
    words[start + launchPayload.dimensions] = body.dimensions;
    for (let axis = 0; axis < 3; axis += 1) {
      setWide(words, start + launchPayload.offset + 2 * axis, body.offset[axis]!);
      setWide(words, start + launchPayload.global + 2 * axis, body.global[axis]!);
      setWide(words, start + launchPayload.local + 2 * axis, body.local[axis]!);
    }
    words[start + launchPayload.argumentCount] = body.arguments.length;
    let at = start + launchPayload.arguments;
    for (let index = 0; index < body.arguments.length; index += 1) {
      const argument = body.arguments[index]!;
      if (argument.kind === 'value') {
        words[at] = argumentKind.value;
        // The last word counts when arguments are compared.
        words[at + 1 + ((argument.bytes.length + 3) >> 2)] = 0;
        words[at + 1] = argument.bytes.length;
        bytes.set(argument.bytes, (at + 2) * 4);
        at += 2 + ((argument.bytes.length + 3) >> 2);
      } else if (argument.kind === 'local') {
        words[at] = argumentKind.local;
        words[at + 1] = argument.bytes;
        at += 2;
      } else if (argument.kind === 'sampler') {
        words[at] = argumentKind.sampler;
        words[at + 1] = argument.bits;
        at += 2;
      } else if (argument.kind === 'image') {
        const { pixels, shape } = argument;
        words[at] = argumentKind.image;
        this.#range(at + 1, pixels, pixels.memory.size - pixels.offset, kernel.accessOf(index));
        writeShape(words, at + 1 + rangeWords.count, shape);
        at += 1 + rangeWords.count + shapeWords.length;
      } else if (argument.range) {
        const { memory, offset } = argument.range;
        words[at] = argumentKind.memory;
        this.#range(at + 1, argument.range, memory.size - offset, kernel.accessOf(index));
        at += 1 + rangeWords.count;
      } else {
        words[at] = argumentKind.none;
        at += 1;
      }
    }
  }

  #transfer(body: TransferBody, event: number, waits: readonly number[]): void {
    const { words, bytes } = this.host.control;
    const head = (at: number, what: number): void => {
      words[at] = what;
      words[at + 1] = this.#eager;
    };
    if (body.kind === 'fill') {
      const patternWords = (body.pattern.length + 3) >> 2;
      const at = this.stream.begin(commandKind.launch, event, waits, fillPayload.pattern + patternWords);
      head(at, operation.fill);
      this.#range(at + fillPayload.target, body.target, body.bytes, access.writes);
      setWide(words, at + fillPayload.bytes, body.bytes);
      words[at + fillPayload.patternBytes] = body.pattern.length;
      bytes.set(body.pattern, (at + fillPayload.pattern) * 4);
    } else if (body.kind === 'copy') {
      // A driver refuses ranges that overlap, so the thread copies them itself; and an image's bytes as bytes.
      const distance = Math.abs(addressOf(body.source) - addressOf(body.target));
      const hasImage = body.source.memory.image !== undefined || body.target.memory.image !== undefined;
      const kind = distance < body.bytes || hasImage ? commandKind.copy : commandKind.launch;
      const at = this.stream.begin(kind, event, waits, copyPayload.count);
      head(at, operation.copy);
      this.#range(at + copyPayload.source, body.source, body.bytes, access.reads);
      this.#range(at + copyPayload.target, body.target, body.bytes, access.writes);
      setWide(words, at + copyPayload.bytes, body.bytes);
    } else {
      const { source, target, region } = body;
      const staged = this.#numbers !== undefined && this.#numbers.of(wholeOf(source.memory)) === 0;
      // Drivers take no row twice, and an image's bytes are where the thread can reach them.
      const repeats = source.rowPitch < region[0];
      const hasImage = source.memory.image !== undefined || target.memory.image !== undefined;
      const kind = staged || repeats || hasImage ? commandKind['copy-rectangle'] : commandKind.launch;
      const at = this.stream.begin(kind, event, waits, rectanglePayload.count);
      head(at, operation.copyRectangle);
      this.#range(at + rectanglePayload.source, source, spanOf(source, region), access.reads);
      this.#range(at + rectanglePayload.target, target, spanOf(target, region), access.writes);
      const numbers = [source.rowPitch, source.slicePitch, target.rowPitch, target.slicePitch, ...region];
      for (const [index, number] of numbers.entries()) {
        setWide(words, at + rectanglePayload.numbers + 2 * index, number);
      }
    }
  }

  /** Markers, barriers, and host commands with the ranges that the host wants to see or has changed. */
  #synchronise(
    body: Extract<CommandBody, { kind: 'marker' | 'barrier' | 'host' }>,
    event: number,
    waits: readonly number[],
  ): void {
    const { reads, writes } = body.kind === 'barrier' ? {} : body;
    const ranges = this.#numbers ? [reads, writes].filter((range) => range !== undefined) : [];
    const start = this.stream.begin(commandKind[body.kind], event, waits, ranges.length * rangeWords.count);
    for (const [index, range] of ranges.entries()) {
      const how = range === writes ? access.reads | access.writes : access.reads;
      const size = range.memory.size - range.offset;
      this.#range(start + index * rangeWords.count, range, size, how);
    }
  }

  #range(at: number, range: MemoryRange, size: number, how: number): void {
    const { words } = this.host.control;
    const whole = wholeOf(range.memory);
    words[at + rangeWords.id] = this.#numbers?.of(whole) ?? 0;
    words[at + rangeWords.address] = whole.address;
    words[at + rangeWords.wholeSize] = whole.size;
    words[at + rangeWords.offset] = addressOf(range) - whole.address;
    words[at + rangeWords.size] = size;
    words[at + rangeWords.access] = how;
  }
}

function addressOf(range: MemoryRange): number {
  return range.memory.address + range.offset;
}

function wholeOf(memory: MemoryObject): MemoryObject {
  let whole = memory;
  while (whole.parent) whole = whole.parent;
  return whole;
}

/** Bytes from the first to the last of a rectangle. */
function spanOf(
  { rowPitch, slicePitch }: { rowPitch: number; slicePitch: number },
  [width, height, depth]: readonly [number, number, number],
): number {
  return (depth - 1) * slicePitch + (height - 1) * rowPitch + width;
}
