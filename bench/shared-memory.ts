/**
 * Fine-grained shared virtual memory: how soon a kernel that runs sees what the host writes. A thread of the host counts a word up,
 * the kernel waits for that and counts another, for which the host waits: there and back, of which the way there is a half.
 */
import { Worker } from 'node:worker_threads';
import { CL, createContext } from 'millrace/opencl';
import { firstDevices } from './frame/bench-device.ts';
import { median, type Row } from './measure.ts';

const source = `
kernel void answer(global atomic_int *asked, global atomic_int *answered, int times) {
  for (int turn = 1; turn <= times; turn++) {
    while (atomic_load_explicit(asked, memory_order_acquire, memory_scope_all_svm_devices) != turn);
    atomic_store_explicit(answered, turn, memory_order_release, memory_scope_all_svm_devices);
  }
}`;

/** Round trips of one launch. */
const turns = 4000;
const rounds = 8;
/** Bytes from one word to the other: not in one line of the cache. */
const apart = 256;

/** Measures round trips from a worker; a text where memory is not shared between threads. */
export async function measureSharedMemory(): Promise<Row[] | string> {
  const context = createContext(firstDevices()[0]);
  if (!context.runtime.memory.shared) return 'memory is not shared between threads here';
  const flags = CL.MEM_READ_WRITE | CL.MEM_SVM_FINE_GRAIN_BUFFER | CL.MEM_SVM_ATOMICS;
  const memory = context.svmAlloc(flags, 2 * apart);
  const words = memory.view(Int32Array);
  const queue = context.createCommandQueue();
  const program = context.createProgram(source);
  program.build(null, '-cl-std=CL2.0');
  const kernel = program.createKernel('answer');
  kernel.setArgSVMPointer(0, memory);
  kernel.setArgSVMPointer(1, memory.address + apart);
  kernel.setArg(2, turns);
  const worker = new Worker(askingThread, { eval: true, workerData: { words, turns, apart: apart / 4 } });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    words.fill(0);
    queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
    queue.flush();
    const all = new Promise<Float64Array>((resolve) => worker.once('message', resolve));
    worker.postMessage('begin');
    // The first turns wait for the launch, and for the engine.
    times.push(...(await all).subarray(turns / 4));
    await queue.finished();
  }
  await worker.terminate();
  context.releaseAll();
  const [middle, least] = [median(times) * 1000, Math.min(...times) * 1000];
  return [
    { name: "a host's increment, answered by a running kernel", value: middle, unit: 'us' },
    { name: 'one way, half of that', value: middle / 2, unit: 'us', goal: 5 },
    { name: 'the fastest, there and back', value: least, unit: 'us' },
  ];
}

const askingThread = `
const { parentPort, workerData } = require('node:worker_threads');
const { words, turns, apart } = workerData;
function ask() {
  const times = new Float64Array(turns);
  for (let turn = 0; turn < turns; turn++) {
    const start = performance.now();
    Atomics.add(words, 0, 1);
    while (Atomics.load(words, apart) !== turn + 1);
    times[turn] = performance.now() - start;
  }
  return times;
}
parentPort.on('message', () => parentPort.postMessage(ask()));
`;
