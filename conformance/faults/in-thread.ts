/**
 * Is loaded in a thread before the thread's own code, and lets go wrong there what `workerData` says. Every operation on shared memory is a
 * call of `Atomics`, so a thread that ends at one of them has ended at any point that another thread could tell from others.
 */
import { workerData } from 'node:worker_threads';
import { Random } from '../../test/support/random.ts';
import type { ThreadFault } from './fault-plan.ts';

const fault = workerData as ThreadFault | null;
if (fault?.kind === 'end') beforeAtomics(countdown(fault.at, leave));
if (fault?.kind === 'delays') delay(fault.oneIn, fault.seed);
if (fault?.kind === 'no code') failCode(fault.at);
if (fault?.kind === 'device loss') loseDevice(fault.at);

function leave(): void {
  process.exit(3);
  // process.exit lets a worker's code go on for a moment.
  for (;;);
}

function countdown(count: number, then: () => void): () => void {
  let left = count;
  return () => {
    left -= 1;
    if (left === 0) then();
  };
}

type Operation = (...values: never[]) => unknown;

function beforeAtomics(what: () => void): void {
  const operations = Atomics as unknown as Record<string, Operation>;
  for (const name of Object.getOwnPropertyNames(operations)) {
    const own = operations[name];
    if (typeof own !== 'function') continue;
    operations[name] = (...values) => {
      what();
      return own(...values);
    };
  }
}

function delay(oneIn: number, seed: number): void {
  const random = new Random(seed);
  const wait = Atomics.wait.bind(Atomics);
  const word = new Int32Array(new SharedArrayBuffer(4));
  beforeAtomics(() => {
    if (random.below(oneIn) > 0) return;
    // Sleeps let others run, loops let them be faster.
    if (random.below(2) === 0) wait(word, 0, 0, 0.05 + random.next());
    else for (const until = performance.now() + random.next() / 5; performance.now() < until; );
  });
}

function failCode(at: number): void {
  const count = countdown(at, () => {
    throw new RangeError('WebAssembly.Instance(): Out of memory: cannot allocate (injected)');
  });
  for (const name of ['Module', 'Instance'] as const) {
    Object.defineProperty(WebAssembly, name, {
      value: new Proxy(WebAssembly[name], {
        construct(target, values) {
          count();
          return Reflect.construct(target, values);
        },
      }),
    });
  }
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Puts something in front of a method of an object; `call` makes the call. */
function replace(object: object, name: string, by: (call: () => unknown) => unknown): void {
  const own = (object as Record<string, Method>)[name]!;
  const value: Method = function (...values) {
    return by(() => own.apply(this, values));
  };
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
}

/** The thread keeps WebGPU's first object in this place (devices/webgpu/gpu-api.ts). */
function loseDevice(at: number): void {
  let kept: unknown;
  Object.defineProperty(globalThis, 'millraceGpu', {
    get: () => kept,
    set(gpu: object) {
      kept = gpu;
      replace(gpu, 'requestAdapter', async (call) => {
        const adapter = (await call()) as object | null;
        if (adapter) replace(adapter, 'requestDevice', (open) => openLosable(open, at));
        return adapter;
      });
    },
  });
}

async function openLosable(open: () => unknown, at: number): Promise<unknown> {
  if (at === 0) throw new DOMException('no device is given (injected)', 'OperationError');
  const device = (await open()) as { readonly queue: object; destroy(): void };
  const count = countdown(at, () => device.destroy());
  for (const object of [device, device.queue]) {
    const methods = Object.getPrototypeOf(object) as object;
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(methods))) {
      if (typeof value !== 'function' || name === 'constructor' || name === 'destroy') continue;
      replace(methods, name, (call) => {
        count();
        return call();
      });
    }
  }
  return device;
}
