/**
 * The script of the test page: `millraceTest.here(name, ...)` runs a scenario on the window's thread,
 * `millraceTest.inWorker(name, ...)` in a dedicated worker, `millraceTest.sample(name)` a sample, and
 * `millraceTest.program(path)` a program in C.
 */
import { runProgram } from './programs.ts';
import { runSample } from './samples.ts';
import { scenarios } from './scenarios.ts';

type Call = (...args: readonly unknown[]) => unknown;

let worker: Worker | undefined;

function inWorker(name: string, ...args: readonly unknown[]): Promise<unknown> {
  worker ??= new Worker('/scripts/worker.js', { type: 'module' });
  const running = worker;
  return new Promise((resolve, reject) => {
    running.onerror = (event) => reject(new Error(event.message || 'the worker did not start'));
    running.onmessage = ({ data }: MessageEvent<{ result?: unknown; error?: string }>) => {
      if (data.error === undefined) resolve(data.result);
      else reject(new Error(data.error));
    };
    running.postMessage({ name, args });
  });
}

Object.assign(globalThis, {
  millraceTest: {
    here: (name: string, ...args: readonly unknown[]) =>
      (scenarios as unknown as Record<string, Call>)[name]!(...args),
    inWorker,
    sample: runSample,
    program: runProgram,
  },
});
