/**
 * Commands on buffers and parts of them, in random orders over three queues, each behind the one before it: what a buffer holds
 * is what the same commands make of an array here. Devices that keep copies (drivers of graphics cards, WebGPU) must know at each step which bytes are
 * newer on which side. MILLRACE_SEEDS (`7,8,9`) says which orders.
 */
import '../support/webgpu.ts';
import { requestDevice } from 'millrace';
import {
  CL,
  type CLBuffer,
  type CLCommandQueue,
  type CLContext,
  type CLDevice,
  CLEvent,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { Random } from '../support/random.ts';

const seeds = (process.env['MILLRACE_SEEDS'] ?? '1,2,3').split(',').map(Number);
const bytes = 4096;
const steps = 60;

const source = `
kernel void add(global uint *a, uint v) { a[get_global_id(0)] += v; }
kernel void addBytes(global uchar *a, uchar v) { a[get_global_id(0)] += v; }
kernel void move(global const uint *a, global uint *b) { b[get_global_id(0)] = a[get_global_id(0)] * 3 + 1; }`;

/** A buffer or a part of one, and what it should hold. */
interface Part {
  readonly memory: CLBuffer;
  readonly whole: Uint8Array;
  readonly first: number;
  readonly length: number;
}

/** What the host has mapped at the moment. */
interface Mapped {
  readonly part: Part;
  readonly offset: number;
  readonly view: Uint8Array;
  readonly isWritten: boolean;
}

class Commands {
  readonly #random: Random;
  readonly #context: CLContext;
  readonly #kernels;
  readonly #buffers: Part[];
  readonly #parts: Part[];
  readonly #queues: CLCommandQueue[];
  #mapped: Mapped[] = [];
  #last: CLEvent | undefined;

  constructor(device: CLDevice, seed: number) {
    this.#random = new Random(seed);
    const context = createContext(device);
    this.#context = context;
    const program = context.createProgram(source);
    program.build();
    this.#kernels = {
      add: program.createKernel('add'),
      addBytes: program.createKernel('addBytes'),
      move: program.createKernel('move'),
    };
    this.#buffers = [0, 1, 2].map(() => {
      const whole = this.#bytes(bytes);
      const memory = context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, bytes, whole.slice());
      return { memory, whole, first: 0, length: bytes };
    });
    this.#parts = this.#buffers.flatMap((buffer) => {
      const parts = [0, 1, 2, 3].map((at) => {
        // One does not end with a word.
        const [first, length] = [at * 1024, at === 2 ? 1021 : 1024];
        const memory = buffer.memory.createSubBuffer(CL.MEM_READ_WRITE, first, length);
        return { memory, whole: buffer.whole, first, length };
      });
      return [buffer, ...parts];
    });
    this.#queues = [
      context.createCommandQueue(),
      context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
      context.createCommandQueue(),
    ];
  }

  run(): void {
    try {
      for (let step = 0; step < steps; step += 1) {
        this.#step(`step ${step}`);
        for (const queue of this.#queues) queue.flush();
      }
      while (this.#mapped.length > 0) this.#unmap();
      for (const buffer of this.#buffers) this.#read(buffer, 0, bytes, 'in the end');
    } finally {
      this.#context.releaseAll();
    }
  }

  #bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#random.below(256));
  }

  get #queue(): CLCommandQueue {
    return this.#random.pick(this.#queues);
  }

  /** The events of a command: it comes behind the one before. */
  #inTurn(): [CLEvent[] | null, CLEvent] {
    const before = this.#last ? [this.#last] : null;
    this.#last = new CLEvent();
    return [before, this.#last];
  }

  #step(what: string): void {
    const random = this.#random;
    const kind = random.below(9);
    if (kind === 0) {
      if (this.#mapped.length > 0) this.#unmap();
      return;
    }
    const part = random.pick(this.#parts);
    const other = random.pick(this.#parts);
    const isMapped = ({ whole }: Part): boolean => this.#mapped.some(({ part }) => part.whole === whole);
    if (isMapped(part)) return;
    const offset = random.below(part.length);
    const length = 1 + random.below(part.length - offset);
    switch (kind) {
      case 1:
        this.#add(part);
        return;
      case 2:
        this.#addBytes(part);
        return;
      case 3:
        this.#write(part, offset, length);
        return;
      case 4:
        this.#read(part, offset, length, what);
        return;
      case 5:
        this.#fill(part);
        return;
      case 6:
        this.#map(part, offset, length, what);
        return;
      default:
        if (part.whole === other.whole || isMapped(other)) return;
        if (kind === 7) this.#copy(part, other);
        else if (random.below(2) === 0) this.#copyRectangle(part, other);
        else this.#move(part, other);
    }
  }

  #add({ memory, whole, first, length }: Part): void {
    const [value, words] = [this.#random.below(1000), length >> 2];
    const from = this.#random.below(2) === 0 ? 0 : this.#random.below(words);
    const { add } = this.#kernels;
    add.setArg(0, memory);
    add.setArg(1, Uint32Array.of(value));
    this.#queue.enqueueNDRangeKernel(add, 1, [from], [words - from], null, ...this.#inTurn());
    const expected = new Uint32Array(whole.buffer, first, words);
    for (let at = from; at < words; at += 1) expected[at]! += value;
  }

  #addBytes({ memory, whole, first, length }: Part): void {
    const value = this.#random.below(256);
    const { addBytes } = this.#kernels;
    addBytes.setArg(0, memory);
    addBytes.setArg(1, Uint8Array.of(value));
    this.#queue.enqueueNDRangeKernel(addBytes, 1, null, [length], null, ...this.#inTurn());
    for (let at = 0; at < length; at += 1) whole[first + at]! += value;
  }

  #move(from: Part, to: Part): void {
    const words = Math.min(from.length, to.length) >> 2;
    const { move } = this.#kernels;
    move.setArg(0, from.memory);
    move.setArg(1, to.memory);
    this.#queue.enqueueNDRangeKernel(move, 1, null, [words], null, ...this.#inTurn());
    const [read, written] = [from, to].map(({ whole, first }) => new Uint32Array(whole.buffer, first, words));
    read!.forEach((value, at) => {
      written![at] = Math.imul(value, 3) + 1;
    });
  }

  #write({ memory, whole, first }: Part, offset: number, length: number): void {
    const data = this.#bytes(length);
    const blocks = this.#random.below(2) === 0;
    this.#queue.enqueueWriteBuffer(memory, blocks, offset, length, data, ...this.#inTurn());
    whole.set(data, first + offset);
  }

  #read(part: Part, offset: number, length: number, what: string): void {
    const data = new Uint8Array(length);
    this.#queue.enqueueReadBuffer(part.memory, true, offset, length, data, ...this.#inTurn());
    this.#expectSame(part, offset, data, what);
  }

  #fill({ memory, whole, first, length }: Part): void {
    const size = 1 << this.#random.below(5);
    const offset = this.#random.below(Math.floor(length / size)) * size;
    const count = this.#random.below(Math.floor((length - offset) / size));
    if (count === 0) return;
    const pattern = this.#bytes(size);
    this.#queue.enqueueFillBuffer(memory, pattern, offset, count * size, ...this.#inTurn());
    for (let at = 0; at < count; at += 1) whole.set(pattern, first + offset + at * size);
  }

  #copy(from: Part, to: Part): void {
    const align = this.#random.pick([1, 4]);
    const place = (length: number): number => this.#random.below(Math.floor(length / align)) * align;
    const [at, there] = [place(from.length), place(to.length)];
    const most = Math.floor(Math.min(from.length - at, to.length - there) / align);
    if (most === 0) return;
    const count = (1 + this.#random.below(most)) * align;
    this.#queue.enqueueCopyBuffer(from.memory, to.memory, at, there, count, ...this.#inTurn());
    to.whole.set(from.whole.slice(from.first + at, from.first + at + count), to.first + there);
  }

  #copyRectangle(from: Part, to: Part): void {
    const size = this.#random.pick([1, 4]);
    const [width, height] = [(1 + this.#random.below(8)) * size, 1 + this.#random.below(6)];
    const corner = () => [this.#random.below(4) * size, this.#random.below(3), 0] as const;
    const [at, there] = [corner(), corner()];
    const [pitch, other] = [64, 48];
    const region = [width, height, 1] as const;
    this.#queue.enqueueCopyBufferRect(
      from.memory,
      to.memory,
      at,
      there,
      region,
      pitch,
      0,
      other,
      0,
      ...this.#inTurn(),
    );
    for (let row = 0; row < height; row += 1) {
      const begin = from.first + at[0] + (at[1] + row) * pitch;
      to.whole.set(from.whole.slice(begin, begin + width), to.first + there[0] + (there[1] + row) * other);
    }
  }

  #map(part: Part, offset: number, length: number, what: string): void {
    const flags = this.#random.pick([
      CL.MAP_READ,
      CL.MAP_READ | CL.MAP_WRITE,
      CL.MAP_WRITE_INVALIDATE_REGION,
    ]);
    const view = this.#queue.enqueueMapBuffer(part.memory, true, flags, offset, length, ...this.#inTurn());
    if (flags !== CL.MAP_WRITE_INVALIDATE_REGION) this.#expectSame(part, offset, view, what);
    this.#mapped.push({ part, offset, view, isWritten: flags !== CL.MAP_READ });
  }

  /** Ends one of the mappings. */
  #unmap(): void {
    const [{ part, offset, view, isWritten }] = this.#mapped.splice(
      this.#random.below(this.#mapped.length),
      1,
    ) as [Mapped];
    if (isWritten) {
      view.set(this.#bytes(view.length));
      part.whole.set(view, part.first + offset);
    }
    this.#queue.enqueueUnmapMemObject(part.memory, view, ...this.#inTurn());
  }

  #expectSame({ whole, first }: Part, offset: number, actual: Uint8Array, what: string): void {
    const expected = whole.subarray(first + offset, first + offset + actual.length);
    if (Buffer.compare(actual, expected) === 0) return;
    const at = actual.findIndex((byte, index) => byte !== expected[index]);
    expect.fail(`${what}: byte ${first + offset + at} is ${actual[at]}, not ${expected[at]}`);
  }
}

const devices = (): CLDevice[] =>
  getPlatforms().flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL));
const webgpu = await requestDevice('webgpu').then(
  ({ name }) => name,
  () => undefined,
);
const ours = getPlatforms()[0]!.getDevices()[0]!.getInfo(CL.DEVICE_NAME);
const driver = devices()
  .map((device) => device.getInfo(CL.DEVICE_NAME))
  .find((name) => name !== ours && name !== webgpu && /pthread|cpu/i.test(name));

describe.each([
  ['threads', ours, false],
  ['a driver that shares memory', driver, false],
  ['a driver with memory of its own', driver, true],
  ['WebGPU', webgpu, false],
] as const)('commands on parts of buffers: %s', (_, name, copies) => {
  it.skipIf(name === undefined).each(seeds)('seed %i', { timeout: 120_000 }, (seed) => {
    if (copies) process.env['MILLRACE_ICD_COPIES'] = '1';
    try {
      new Commands(devices().find((device) => device.getInfo(CL.DEVICE_NAME) === name)!, seed).run();
    } finally {
      delete process.env['MILLRACE_ICD_COPIES'];
    }
  });
});
