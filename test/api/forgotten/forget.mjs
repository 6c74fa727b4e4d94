/**
 * A program that makes contexts one after another, in the manner of the first argument, and prints what its process has after
 * each tenth of them: threads, descriptors, mebibytes of memory that are in use. Nothing here asks the engine to collect.
 *
 * Where the last argument is `keeps`, it forgets nothing: that is what a leak of all that a context has looks like.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { compile } from 'millrace';
import { brook } from 'millrace/brook';
import { CL, createContext } from 'millrace/opencl';
import { webcl } from 'millrace/webcl';

const [manner, total, launched, mode = 'awaits'] = process.argv.slice(2);
const count = Number(total);
/** Of so many contexts one has a queue, and with it threads. */
const every = Math.max(1, Math.round(count / Number(launched)));
const kept = mode === 'keeps' ? [] : undefined;
/** A mebibyte that is written, and so is in use. */
const full = new Uint8Array(1 << 20).fill(1);
const source = 'kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }';

/** Whether all is kept. */
function keeps(...objects) {
  kept?.push(objects);
  return kept !== undefined;
}

function measure() {
  const status = readFileSync('/proc/self/status', 'utf8');
  const value = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  return {
    threads: value('Threads'),
    descriptors: readdirSync('/proc/self/fd').length,
    mebibytes: Math.round(value('VmRSS') / 1024),
  };
}

/** Objects of one context, by the names of their kinds, after some work. */
function use(round) {
  const context = createContext();
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, full);
  const other = context.createBuffer(CL.MEM_READ_WRITE, Int32Array.of(1, 2, 3, 4));
  if (round % every !== 0) return { context, buffer, other };
  const queue = context.createCommandQueue();
  const program = context.createProgram(source);
  program.build();
  const kernel = program.createKernel('add');
  kernel.setArg(0, other);
  kernel.setArg(1, round);
  queue.enqueueFillBuffer(buffer, Uint8Array.of(1), 0, 1 << 20);
  queue.enqueueNDRangeKernel(kernel, 1, null, [4], null);
  const result = new Int32Array(4);
  queue.enqueueReadBuffer(other, true, 0, 16, result);
  if (result[3] !== 4 + round) throw new Error(`round ${round}: ${result}`);
  return { context, buffer, other, queue, program, kernel };
}

const manners = {
  released(round) {
    const objects = use(round);
    if (keeps(objects)) return;
    for (const object of Object.values(objects).reverse()) object.release();
  },
  dropped(round) {
    keeps(use(round));
  },
  half(round) {
    const objects = use(round);
    if (keeps(objects)) return;
    const { context, buffer, other, queue, program, kernel } = objects;
    context.release();
    for (const object of round % 2 ? [buffer, queue] : [other, program, kernel]) object?.release();
  },
  waiting(round) {
    // The command waits for what nobody can complete any more.
    const { context, buffer, queue } = use(round);
    keeps(context, buffer, queue);
    if (queue) queue.enqueueFillBuffer(buffer, Uint8Array.of(2), 0, 1 << 20, [context.createUserEvent()]);
  },
  webcl(round) {
    const context = webcl.createContext();
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, full.length, full);
    if (keeps(context, buffer) || round % every !== 0) return;
    const queue = context.createCommandQueue();
    queue.enqueueWriteBuffer(buffer, true, 0, 16, Int32Array.of(1, 2, 3, 4));
    if (round % 2) context.release();
  },
  async compiled(round) {
    // Each time-out has a context of its own.
    const program = await compile(source, { timeout: 1000 + round });
    // Compiling takes and leaves so much itself that a mebibyte would not be seen.
    const x = program.buffer(new Uint8Array(8 << 20).fill(1));
    if (round % every === 0) await program.kernel('add')({ global: [4] }, x, round);
    if (!keeps(program, x) && round % 2) program.release();
  },
  brook(round) {
    const { kernels, stream } = brook(`kernel void add(float a<>, out float b<>) { b = a + ${round}.0f; }`);
    const [a, b] = [stream('float', [1 << 18]), stream('float', [1 << 18])];
    keeps(kernels, stream, a, b);
    a.read(new Float32Array(1 << 18).fill(1));
    kernels.add(a, b);
    const sums = new Float32Array(1 << 18);
    b.write(sums);
    if (sums[7] !== 1 + round) throw new Error(`round ${round}: ${sums[7]}`);
  },
};

const figures = [];
for (let round = 0; round < count; round += 1) {
  const done = manners[manner](round);
  if (mode !== 'goes on') {
    await done;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if ((round + 1) % Math.ceil(count / 10) === 0) figures.push(measure());
}
console.log(JSON.stringify(figures));
