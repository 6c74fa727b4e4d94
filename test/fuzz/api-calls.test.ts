/**
 * Random calls of the host API with random objects, numbers and arrays, right ones and wrong ones: each does its work or
 * throws an OpenCLError, and no byte of the host changes that it was not given. MILLRACE_CALLS says how many calls,
 * MILLRACE_SEEDS (`4711`) with which seed.
 */
import {
  CL,
  type CLContext,
  CLEvent,
  CLSVMBuffer,
  CLUserEvent,
  createContext,
  OpenCLError,
  waitForEvents,
} from 'millrace/opencl';
import { expect, it } from 'vitest';
import { Random } from '../support/random.ts';

const calls = Number(process.env['MILLRACE_CALLS'] ?? 5_000);
const seed = Number(process.env['MILLRACE_SEEDS'] ?? 1);

const source = `
kernel void add(global int *data, int value) { data[get_global_id(0) % 8] += value; }
kernel void tile(global float *data, local float *l, float4 v) { l[0] = v.x; data[0] = l[0]; }
kernel void pass(read_only pipe int from, write_only pipe int4 to, queue_t queue) {
  int x;
  int4 four;
  if (read_pipe(from, &x) == 0) write_pipe(to, &four);
}
kernel void paint(write_only image2d_t image, read_only image2d_t from, sampler_t s) {
  write_imagef(image, (int2)(0, 0), read_imagef(from, s, (float2)(0, 0)));
}`;

/** Objects of one context, alive and released. */
type Pool = Record<
  | 'context'
  | 'queue'
  | 'deviceQueue'
  | 'pipe'
  | 'buffer'
  | 'svm'
  | 'image'
  | 'sampler'
  | 'program'
  | 'kernel'
  | 'event'
  | 'device',
  object[]
>;

/** What a parameter may be; see `Calls.value`. */
type Kind =
  | keyof Pool
  | 'size'
  | 'offset'
  | 'triple'
  | 'pitch'
  | 'flags'
  | 'bool'
  | 'host'
  | 'pattern'
  | 'waits'
  | 'out'
  | 'index'
  | 'argument'
  | 'pointer'
  | 'pointers'
  | 'name'
  | 'text'
  | 'format'
  | 'descriptor'
  | 'properties'
  | 'sizes'
  | 'number'
  | 'none';

interface Call {
  readonly on: keyof Pool;
  readonly method: string;
  readonly takes: readonly Kind[];
  /** Where the result goes. */
  readonly gives?: keyof Pool;
  /** It sleeps until commands have ended, so no user event may be open. */
  readonly blocks?: true;
}

const rectangle: readonly Kind[] = ['triple', 'triple', 'triple', 'pitch', 'pitch', 'pitch', 'pitch'];
const table: readonly Call[] = [
  { on: 'context', method: 'createBuffer', takes: ['flags', 'size', 'host'], gives: 'buffer' },
  { on: 'context', method: 'createImage', takes: ['flags', 'format', 'descriptor', 'host'], gives: 'image' },
  {
    on: 'context',
    method: 'createImage2D',
    takes: ['flags', 'format', 'size', 'size', 'pitch', 'host'],
    gives: 'image',
  },
  { on: 'context', method: 'createSampler', takes: ['bool', 'number', 'number'], gives: 'sampler' },
  { on: 'context', method: 'createCommandQueue', takes: ['device', 'number'], gives: 'queue' },
  {
    on: 'context',
    method: 'createCommandQueueWithProperties',
    takes: ['device', 'properties'],
    gives: 'deviceQueue',
  },
  { on: 'context', method: 'setDefaultDeviceCommandQueue', takes: ['device', 'deviceQueue'] },
  { on: 'context', method: 'createPipe', takes: ['flags', 'size', 'size', 'properties'], gives: 'pipe' },
  {
    on: 'context',
    method: 'createBufferWithProperties',
    takes: ['properties', 'flags', 'size', 'host'],
    gives: 'buffer',
  },
  {
    on: 'context',
    method: 'createImageWithProperties',
    takes: ['properties', 'flags', 'format', 'descriptor', 'host'],
    gives: 'image',
  },
  { on: 'context', method: 'createSamplerWithProperties', takes: ['properties'], gives: 'sampler' },
  { on: 'deviceQueue', method: 'getInfo', takes: ['name'] },
  { on: 'deviceQueue', method: 'enqueueNDRangeKernel', takes: ['kernel', 'number', 'sizes', 'sizes'] },
  { on: 'deviceQueue', method: 'finish', takes: [], blocks: true },
  { on: 'pipe', method: 'getInfo', takes: ['name'] },
  { on: 'pipe', method: 'getPipeInfo', takes: ['name'] },
  { on: 'context', method: 'createUserEvent', takes: [], gives: 'event' },
  { on: 'context', method: 'createProgram', takes: ['text'], gives: 'program' },
  { on: 'context', method: 'getInfo', takes: ['name'] },
  { on: 'context', method: 'getSupportedImageFormats', takes: ['flags', 'number'] },
  { on: 'context', method: 'linkProgram', takes: ['none', 'text', 'none'] },
  { on: 'buffer', method: 'createSubBuffer', takes: ['flags', 'offset', 'size'], gives: 'buffer' },
  { on: 'buffer', method: 'getInfo', takes: ['name'] },
  { on: 'buffer', method: 'setDestructorCallback', takes: ['none'] },
  { on: 'image', method: 'getImageInfo', takes: ['name'] },
  { on: 'sampler', method: 'getInfo', takes: ['name'] },
  { on: 'device', method: 'getInfo', takes: ['name'] },
  { on: 'device', method: 'createSubDevices', takes: ['triple'] },
  { on: 'program', method: 'createKernel', takes: ['text'], gives: 'kernel' },
  { on: 'program', method: 'getInfo', takes: ['name'] },
  { on: 'program', method: 'getBuildInfo', takes: ['device', 'name'] },
  { on: 'kernel', method: 'setArg', takes: ['index', 'argument'] },
  { on: 'kernel', method: 'setArg', takes: ['index', 'size', 'argument'] },
  { on: 'kernel', method: 'getInfo', takes: ['name'] },
  { on: 'kernel', method: 'getArgInfo', takes: ['index', 'name'] },
  { on: 'kernel', method: 'getWorkGroupInfo', takes: ['device', 'name'] },
  { on: 'event', method: 'getInfo', takes: ['name'] },
  { on: 'event', method: 'getProfilingInfo', takes: ['name'] },
  { on: 'event', method: 'setStatus', takes: ['number'] },
  { on: 'event', method: 'setCallback', takes: ['number', 'none'] },
  { on: 'queue', method: 'getInfo', takes: ['name'] },
  {
    on: 'queue',
    method: 'enqueueNDRangeKernel',
    takes: ['kernel', 'number', 'sizes', 'sizes', 'sizes', 'waits', 'out'],
  },
  { on: 'queue', method: 'enqueueTask', takes: ['kernel', 'waits', 'out'] },
  { on: 'queue', method: 'enqueueNativeKernel', takes: ['none', 'none', 'none', 'none', 'waits', 'out'] },
  {
    on: 'queue',
    method: 'enqueueReadBuffer',
    takes: ['buffer', 'bool', 'offset', 'size', 'host', 'waits', 'out'],
    blocks: true,
  },
  {
    on: 'queue',
    method: 'enqueueWriteBuffer',
    takes: ['buffer', 'bool', 'offset', 'size', 'host', 'waits', 'out'],
    blocks: true,
  },
  {
    on: 'queue',
    method: 'enqueueReadBufferRect',
    takes: ['buffer', 'bool', ...rectangle, 'host', 'waits', 'out'],
    blocks: true,
  },
  {
    on: 'queue',
    method: 'enqueueWriteBufferRect',
    takes: ['buffer', 'bool', ...rectangle, 'host', 'waits', 'out'],
    blocks: true,
  },
  {
    on: 'queue',
    method: 'enqueueCopyBuffer',
    takes: ['buffer', 'buffer', 'offset', 'offset', 'size', 'waits', 'out'],
  },
  { on: 'queue', method: 'enqueueCopyBufferRect', takes: ['buffer', 'buffer', ...rectangle, 'waits', 'out'] },
  {
    on: 'queue',
    method: 'enqueueFillBuffer',
    takes: ['buffer', 'pattern', 'offset', 'size', 'waits', 'out'],
  },
  {
    on: 'queue',
    method: 'enqueueMapBuffer',
    takes: ['buffer', 'bool', 'number', 'offset', 'size', 'waits', 'out'],
    blocks: true,
  },
  {
    on: 'queue',
    method: 'enqueueReadImage',
    takes: ['image', 'bool', 'triple', 'triple', 'pitch', 'pitch', 'host', 'waits', 'out'],
    blocks: true,
  },
  {
    on: 'queue',
    method: 'enqueueWriteImage',
    takes: ['image', 'bool', 'triple', 'triple', 'pitch', 'pitch', 'host', 'waits', 'out'],
    blocks: true,
  },
  {
    on: 'queue',
    method: 'enqueueFillImage',
    takes: ['image', 'pattern', 'triple', 'triple', 'waits', 'out'],
  },
  {
    on: 'queue',
    method: 'enqueueCopyImage',
    takes: ['image', 'image', 'triple', 'triple', 'triple', 'waits', 'out'],
  },
  {
    on: 'queue',
    method: 'enqueueCopyImageToBuffer',
    takes: ['image', 'buffer', 'triple', 'triple', 'offset', 'waits', 'out'],
  },
  {
    on: 'queue',
    method: 'enqueueCopyBufferToImage',
    takes: ['buffer', 'image', 'offset', 'triple', 'triple', 'waits', 'out'],
  },
  {
    on: 'queue',
    method: 'enqueueMapImage',
    takes: ['image', 'bool', 'number', 'triple', 'triple', 'triple', 'triple', 'waits', 'out'],
    blocks: true,
  },
  { on: 'queue', method: 'enqueueUnmapMemObject', takes: ['buffer', 'host', 'waits', 'out'] },
  { on: 'queue', method: 'enqueueMarkerWithWaitList', takes: ['waits', 'out'] },
  { on: 'queue', method: 'enqueueBarrierWithWaitList', takes: ['waits', 'out'] },
  { on: 'queue', method: 'enqueueWaitForEvents', takes: ['waits'] },
  { on: 'queue', method: 'enqueueMigrateMemObjects', takes: ['none', 'number', 'waits', 'out'] },
  { on: 'context', method: 'svmAlloc', takes: ['flags', 'size', 'number'], gives: 'svm' },
  { on: 'context', method: 'svmFree', takes: ['pointer'] },
  { on: 'kernel', method: 'setArgSVMPointer', takes: ['index', 'pointer'] },
  { on: 'kernel', method: 'setExecInfo', takes: ['name', 'pointers'] },
  { on: 'kernel', method: 'clone', takes: [], gives: 'kernel' },
  { on: 'queue', method: 'enqueueSVMFree', takes: ['pointers', 'none', 'waits', 'out'] },
  {
    on: 'queue',
    method: 'enqueueSVMMemcpy',
    takes: ['bool', 'pointer', 'pointer', 'size', 'waits', 'out'],
    blocks: true,
  },
  { on: 'queue', method: 'enqueueSVMMemFill', takes: ['pointer', 'pattern', 'size', 'waits', 'out'] },
  {
    on: 'queue',
    method: 'enqueueSVMMap',
    takes: ['bool', 'number', 'pointer', 'size', 'waits', 'out'],
    blocks: true,
  },
  { on: 'queue', method: 'enqueueSVMUnmap', takes: ['pointer', 'waits', 'out'] },
  {
    on: 'queue',
    method: 'enqueueSVMMigrateMem',
    takes: ['pointers', 'none', 'number', 'waits', 'out'],
  },
  { on: 'queue', method: 'flush', takes: [] },
  { on: 'queue', method: 'finish', takes: [], blocks: true },
  ...(['queue', 'deviceQueue', 'pipe', 'buffer', 'image', 'sampler', 'kernel', 'event'] as const).flatMap(
    (on): Call[] => [
      { on, method: 'retain', takes: [] },
      { on, method: 'release', takes: [] },
    ],
  ),
];

const numbers = [
  0,
  1,
  2,
  3,
  4,
  8,
  16,
  64,
  100,
  128,
  256,
  1024,
  -1,
  -4,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 33,
  2 ** 53,
];
const names = Object.values(CL);
/** Bytes before and after each array of the host, which nobody may change. */
const guard = 64;

class Calls {
  readonly random: Random;
  pool: Pool;
  context: CLContext;
  arrays: Uint8Array[] = [];
  /** User events that are not complete: what waits for them waits for ever. */
  readonly #open = new Set<CLUserEvent>();
  refused = 0;
  done = 0;

  constructor(random: Random) {
    this.random = random;
    this.context = createContext();
    this.pool = this.#newPool();
  }

  /** A few objects of every kind, so that many calls are right. */
  #newPool(): Pool {
    const { context } = this;
    const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
    const program = context.createProgram(source);
    program.build(null, '-cl-kernel-arg-info -cl-std=CL2.0');
    return {
      context: [context],
      queue: [context.createCommandQueue(), context.createCommandQueue(null, 3)],
      deviceQueue: [
        context.createCommandQueueWithProperties(null, [
          CL.QUEUE_PROPERTIES,
          CL.QUEUE_ON_DEVICE | CL.QUEUE_ON_DEVICE_DEFAULT | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
          0,
        ]),
      ],
      pipe: [context.createPipe(0, 4, 16), context.createPipe(0, 16, 100)],
      buffer: [context.createBuffer(0, 1024), context.createBuffer(CL.MEM_READ_ONLY, 64)],
      svm: [context.svmAlloc(0, 1024), context.svmAlloc(CL.MEM_SVM_FINE_GRAIN_BUFFER, 64)],
      image: [context.createImage2D(CL.MEM_READ_WRITE, format, 16, 8)],
      sampler: [context.createSampler(true, CL.ADDRESS_CLAMP, CL.FILTER_NEAREST)],
      program: [program],
      kernel: program.createKernelsInProgram(),
      event: [new CLEvent()],
      device: [...context.devices],
    };
  }

  /** Begins again with a new context. */
  renew(): void {
    this.settle();
    this.checkGuards();
    this.context.releaseAll();
    this.context = createContext();
    this.pool = this.#newPool();
    this.arrays = [];
  }

  /** Completes all user events, so that nothing waits for ever. */
  settle(): void {
    for (const event of this.#open) attempt(() => event.setStatus(CL.COMPLETE));
    this.#open.clear();
  }

  checkGuards(): void {
    for (const whole of this.arrays) {
      const ends = [whole.subarray(0, guard), whole.subarray(whole.length - guard)];
      expect(ends.every((end) => end.every((byte) => byte === 0xa5))).toBe(true);
    }
  }

  step(): void {
    const { random } = this;
    const call = random.pick(table);
    const target = random.pick(this.pool[call.on]);
    const args = call.takes.map((kind) => (random.below(12) === 0 ? this.anything() : this.value(kind)));
    // Nobody could complete a user event that has been released.
    if (call.blocks || call.method === 'release') this.settle();
    const method = (target as Record<string, unknown>)[call.method];
    if (typeof method !== 'function') return;
    const result = attempt(() => method.apply(target, args));
    if (result instanceof OpenCLError) {
      this.refused += 1;
      return;
    }
    this.done += 1;
    if (result instanceof CLUserEvent) this.#open.add(result);
    if (call.gives && typeof result === 'object' && result !== null)
      keep(this.pool[call.gives], result, random);
  }

  /** Something that a call may well not expect. */
  anything(): unknown {
    const { random } = this;
    const others = [
      undefined,
      null,
      '',
      'x',
      {},
      [],
      [null],
      true,
      () => {},
      new Uint8Array(3),
      2n ** 70n,
      Symbol.iterator,
    ];
    if (random.below(2) === 0) return random.pick(others);
    return random.pick(this.pool[random.pick(Object.keys(this.pool) as (keyof Pool)[])]);
  }

  value(kind: Kind): unknown {
    const { random } = this;
    switch (kind) {
      case 'size':
      case 'offset':
      case 'pitch':
      case 'number':
      case 'index':
        return random.pick(kind === 'index' ? [0, 1, 2, 3] : numbers);
      case 'flags':
        return random.pick([0, 1, 2, 4, 8, 32, 33, 36, 40, 0x80, 0x100, 0x200, 0x400, 0xc00, -1]);
      case 'bool':
        return random.below(2) === 0;
      case 'triple':
        return [0, 1, 2].map(() => random.pick([0, 0, 1, 1, 2, 4, 8, 16, 0x1086, -1, 2 ** 40]));
      case 'sizes':
        return random.below(3) === 0 ? null : [0, 1, 2].map(() => random.pick([0, 1, 1, 2, 8, 64, 100]));
      case 'host':
        return random.below(3) === 0 ? null : this.#hostArray();
      case 'pattern':
        return random.pick([
          new Uint8Array(4),
          new Uint16Array(1),
          new Float32Array(4),
          [0, 0.5, 1, 1],
          new Uint8Array(3),
        ]);
      case 'waits':
        if (random.below(3) > 0) return null;
        return Array.from({ length: random.below(4) }, () => random.pick(this.pool.event));
      case 'out': {
        if (random.below(2) === 0) return null;
        const event = new CLEvent();
        keep(this.pool.event, event, random);
        return event;
      }
      case 'argument':
        return random.pick([
          1,
          2.5,
          null,
          [1, 2, 3, 4],
          new Uint32Array(1),
          new Float32Array(4),
          random.pick(this.pool.buffer),
          random.pick(this.pool.image),
          random.pick(this.pool.sampler),
          random.pick(this.pool.pipe),
          random.pick(this.pool.deviceQueue),
        ]);
      case 'pointer':
        return this.#pointer();
      case 'pointers':
        return Array.from({ length: random.below(3) }, () => this.#pointer());
      case 'name':
        return random.pick(names);
      case 'text':
        return random.pick(['add', 'tile', 'paint', 'none', '', source]);
      case 'format':
        return {
          channelOrder: random.pick([CL.R, CL.RGBA, CL.RGB, 7]),
          channelType: random.pick([CL.FLOAT, CL.UNORM_INT8, 9]),
        };
      case 'descriptor':
        return {
          type: random.pick([
            CL.MEM_OBJECT_IMAGE1D,
            CL.MEM_OBJECT_IMAGE2D,
            CL.MEM_OBJECT_IMAGE3D,
            CL.MEM_OBJECT_IMAGE1D_BUFFER,
            5,
          ]),
          width: random.pick(numbers),
          height: random.pick(numbers),
          depth: random.pick(numbers),
          rowPitch: random.pick([0, 0, 64, 7]),
          buffer: random.below(2) === 0 ? null : random.pick(this.pool.buffer),
        };
      case 'properties':
        return random.below(4) === 0 ? null : this.#properties();
      case 'none':
        return random.pick([null, undefined, [], () => {}, this.pool.buffer, this.pool.program]);
      default:
        return random.pick(this.pool[kind]);
    }
  }

  /** To shared memory, mostly. */
  #pointer(): unknown {
    const { random } = this;
    const memory = random.pick(this.pool.svm);
    if (!(memory instanceof CLSVMBuffer)) return memory;
    return random.pick([memory, memory.address, memory.address + 16, this.#hostArray(), 0, 2 ** 40]);
  }

  /** Names and values, and mostly a zero at the end. */
  #properties(): number[] {
    const { random } = this;
    const names = [
      CL.QUEUE_PROPERTIES,
      CL.QUEUE_SIZE,
      CL.SAMPLER_NORMALIZED_COORDS,
      CL.SAMPLER_ADDRESSING_MODE,
      CL.SAMPLER_FILTER_MODE,
    ];
    const values = [...numbers.slice(0, 10), CL.QUEUE_ON_DEVICE | 1, 13, CL.ADDRESS_CLAMP, CL.FILTER_LINEAR];
    const list = Array.from({ length: random.below(3) }, () => [random.pick(names), random.pick(values)]);
    return [...list.flat(), ...(random.below(8) === 0 ? [] : [0])];
  }

  #hostArray(): Uint8Array {
    const { random } = this;
    const bytes = random.pick([0, 4, 64, 1024, 4096]);
    if (this.arrays.length > 64) this.arrays.splice(0, 32);
    const whole = new Uint8Array(bytes + 2 * guard).fill(0xa5);
    this.arrays.push(whole);
    return whole.subarray(guard, guard + bytes);
  }
}

/** Puts an object into a list that stays short. */
function keep(list: object[], object: object, random: Random): void {
  if (list.length < 12) list.push(object);
  else list[random.below(list.length)] = object;
}

/** What an action returns, or the OpenCLError that it throws; any other error is a fault. */
function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    if (error instanceof OpenCLError) return error;
    throw error;
  }
}

it(`takes ${calls} random calls`, { timeout: 60_000 + calls * 5 }, async () => {
  const fuzz = new Calls(new Random(seed));
  for (let call = 0; call < calls; call += 1) {
    fuzz.step();
    if (call % 500 === 499) {
      fuzz.checkGuards();
      // Callbacks and collections have their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (call % 2000 === 1999) fuzz.renew();
  }
  fuzz.settle();
  fuzz.checkGuards();
  // The context still works.
  fuzz.renew();
  const queue = fuzz.context.createCommandQueue();
  const event = new CLEvent();
  queue.enqueueFillBuffer(fuzz.context.createBuffer(0, 4), Uint8Array.of(1), 0, 4, null, event);
  waitForEvents([event]);
  fuzz.context.releaseAll();
  expect(fuzz.done).toBeGreaterThan(calls / 10);
  expect(fuzz.refused).toBeGreaterThan(calls / 10);
});
