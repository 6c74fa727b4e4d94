/**
 * Bytes that nobody may change: the device memory of a context that has nothing to do with what runs, places between the structures of the
 * runtime in that context's control memory and in the other's, and arrays of the program.
 */
import { CL, type CLBuffer, type CLContext, type CLKernel, createContext } from 'millrace/opencl';

const guardBytes = 4096;

/** A pattern in which every place has bytes of its own. */
function pattern(bytes: Uint8Array, seed: number): void {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.imul(at + seed, 0x9e3779b1) >>> 24;
}

function firstDifference(bytes: Uint8Array, seed: number): number {
  for (let at = 0; at < bytes.length; at += 1)
    if (bytes[at] !== Math.imul(at + seed, 0x9e3779b1) >>> 24) return at;
  return -1;
}

/** Guards in a context's control memory. */
export class ControlGuards {
  readonly #context: CLContext;
  readonly #places: number[] = [];

  constructor(context: CLContext) {
    this.#context = context;
  }

  /** One more, behind what has been allocated so far. */
  add(): void {
    const { control } = this.#context.runtime;
    const place = control.allocate(guardBytes);
    pattern(control.bytes.subarray(place * 4, place * 4 + guardBytes), place);
    this.#places.push(place);
  }

  /** @throws Error if one has changed */
  check(whose: string): void {
    const { control } = this.#context.runtime;
    for (const place of this.#places) {
      const at = firstDifference(control.bytes.subarray(place * 4, place * 4 + guardBytes), place);
      if (at >= 0) throw new Error(`${whose} control memory has changed at ${place * 4 + at}`);
    }
  }
}

/** A context that minds its own business. */
export class Bystander {
  readonly #context: CLContext;
  readonly #control: ControlGuards;
  readonly #tame: CLKernel;
  readonly #out: CLBuffer;
  readonly #memory: Uint8Array;
  readonly #arrays: readonly Uint8Array[];

  constructor() {
    this.#context = createContext();
    this.#control = new ControlGuards(this.#context);
    this.#control.add();
    const queue = this.#context.createCommandQueue();
    for (let count = 0; count < 6; count += 1) {
      const data = new Uint8Array(1 << 20);
      pattern(data, count);
      this.#context.createBuffer(CL.MEM_COPY_HOST_PTR, data);
      this.#control.add();
    }
    const program = this.#context.createProgram(
      'kernel void tame(global int *p, int v) { p[get_global_id(0)] = v + get_global_id(0); }',
    );
    program.build();
    this.#out = this.#context.createBuffer(CL.MEM_READ_WRITE, 64 * 4);
    this.#tame = program.createKernel('tame');
    this.#tame.setArg(0, this.#out);
    this.#tame.setArg(1, 0);
    queue.enqueueNDRangeKernel(this.#tame, 1, null, [64]);
    queue.finish();
    this.#queue = queue;
    this.#memory = this.#context.runtime.memory.bytes.slice();
    this.#arrays = Array.from({ length: 4 }, (_, index) => {
      const array = new Uint8Array(1 << 16);
      pattern(array, index);
      return array;
    });
  }

  readonly #queue;

  /** @throws Error if something of it has changed, or it does not work any more */
  check(): void {
    this.#control.check("another context's");
    const now = this.#context.runtime.memory.bytes.subarray(0, this.#memory.length);
    if (Buffer.compare(Buffer.from(now.buffer, 0, now.length), this.#memory) !== 0) {
      const at = now.findIndex((byte, index) => byte !== this.#memory[index]);
      throw new Error(`another context's memory has changed at ${at}`);
    }
    for (const [index, array] of this.#arrays.entries())
      if (firstDifference(array, index) >= 0) throw new Error('an array of the program has changed');
  }

  /** @throws Error if it computes wrong numbers */
  work(value: number): void {
    this.#tame.setArg(1, value);
    this.#queue.enqueueNDRangeKernel(this.#tame, 1, null, [64]);
    const data = new Int32Array(64);
    this.#queue.enqueueReadBuffer(this.#out, true, 0, data.byteLength, data);
    data.forEach((found, index) => {
      if (found !== value + index) throw new Error(`another context computes ${found}, not ${value + index}`);
    });
    // What its launch has written is as it should be.
    const { bytes } = this.#context.runtime.memory;
    this.#memory.set(bytes.subarray(0, this.#memory.length));
  }
}
