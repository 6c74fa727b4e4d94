/**
 * A kernel whose pointers are moved beyond the place that its indices lead back to, on buffers wherever they lie: first in their context,
 * behind others, parts of others, in shared virtual memory. What is left of an address when its constant part is taken out may be
 * below zero there.
 */
import {
  CL,
  type CLBuffer,
  type CLContext,
  type CLKernel,
  type CLSVMBuffer,
  createContext,
  getPlatforms,
} from 'millrace/opencl';
import { afterEach, expect, it } from 'vitest';

const source = `
kernel void move(global float *a, global float *b) {
  a += 614400;
  int x = get_global_id(0);
  b[x] = a[x - 307200];
}
kernel void put(global float *a, global float *b) {
  a += 614400;
  int x = get_global_id(0);
  a[x - 307200] = b[x] + a[x - 614400];
}`;

const [wasm] = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CPU);
const count = 1 << 20;
const items = 1000;
const data = Float32Array.from({ length: count }, (_, index) => index % 9973);

let context: CLContext | undefined;
afterEach(() => context?.releaseAll());

/** Runs both kernels, after `setArguments`, on memory that begins with the data from element `at` on. */
function check(
  setArguments: (kernel: CLKernel) => void,
  read: (which: 'a' | 'b') => Float32Array,
  at: number,
): void {
  const queue = context!.createCommandQueue();
  const program = context!.createProgram(source);
  program.build(null, '-cl-std=CL2.0');
  for (const name of ['move', 'put']) {
    const kernel = program.createKernel(name);
    setArguments(kernel);
    queue.enqueueNDRangeKernel(kernel, 1, null, [items]);
    queue.finish();
  }
  const moved = data.subarray(at + 307200, at + 307200 + items);
  expect(read('b').subarray(0, items)).toEqual(moved);
  expect(read('a').subarray(307200, 307200 + items)).toEqual(moved.map((each, x) => each + data[at + x]!));
}

function checkBuffers(a: CLBuffer, at = 0): void {
  const b = context!.createBuffer(CL.MEM_READ_WRITE, items * 4);
  const buffers = { a, b };
  const setArguments = (kernel: CLKernel): void => {
    kernel.setArg(0, a);
    kernel.setArg(1, b);
  };
  const read = (which: 'a' | 'b'): Float32Array => {
    const array = new Float32Array(which === 'a' ? 307200 + items : items);
    context!.createCommandQueue().enqueueReadBuffer(buffers[which], true, 0, array.byteLength, array);
    return array;
  };
  check(setArguments, read, at);
}

it.each([
  ['first in its context, on threads', true, 0],
  ['first in its context, on the host thread', false, 0],
  ['behind another', true, 100_000],
  ['behind a large one', true, 30 << 20],
] as const)('a buffer %s', (_title, shared, before) => {
  context = createContext(wasm!, { shared });
  if (before > 0) context.createBuffer(CL.MEM_READ_WRITE, before);
  checkBuffers(context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, data));
});

it('a part of a buffer', () => {
  context = createContext(wasm!);
  const whole = context.createBuffer(CL.MEM_READ_WRITE | CL.MEM_COPY_HOST_PTR, data);
  const at = 1024;
  checkBuffers(whole.createSubBuffer(CL.MEM_READ_WRITE, at * 4, 950_000 * 4), at);
});

it('shared virtual memory', () => {
  context = createContext(wasm!);
  const allocate = (elements: number): CLSVMBuffer =>
    context!.svmAlloc(CL.MEM_READ_WRITE | CL.MEM_SVM_FINE_GRAIN_BUFFER, elements * 4);
  const buffers = { a: allocate(count), b: allocate(items) };
  buffers.a.view(Float32Array).set(data);
  const setArguments = (kernel: CLKernel): void => {
    kernel.setArgSVMPointer(0, buffers.a);
    kernel.setArgSVMPointer(1, buffers.b);
  };
  check(setArguments, (which) => buffers[which].view(Float32Array).slice(), 0);
});
