/**
 * The threads of this process, as Node starts them for Millrace: how many live, and which of them something is to go wrong in. They are
 * started through the object of the module, in which the class is replaced here.
 */

import { dirname, join } from 'node:path';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { ThreadFault } from './fault-plan.ts';

/** Next to the program that this process runs, dist/conformance/faults/child.js. */
const inThread = join(dirname(process.argv[1] ?? '.'), 'in-thread.js');

/** Decides what goes wrong in the next thread, whose file has that name; `refused` does not even start. */
export type Injector = (file: string) => ThreadFault | 'refused' | undefined;

let injector: Injector | undefined;
const living = new Set<Worker>();

/** From now on each new thread is asked about. */
export function injectFaults(into: Injector | undefined): void {
  injector = into;
}

/** Threads that have been started and have not ended. */
export function livingThreads(): ReadonlySet<Worker> {
  return living;
}

type Start = [file: URL | string, options?: WorkerOptions];

/** Must be called once, before the first context is made. */
export function watchThreads(): void {
  const threads = process.getBuiltinModule('node:worker_threads') as { Worker: typeof Worker };
  threads.Worker = new Proxy(threads.Worker, {
    construct(target, [file, options]: Start) {
      const name = String(file).replace(/^.*\//, '');
      const fault = injector?.(name);
      if (fault === 'refused') throw refusal();
      const worker: Worker = Reflect.construct(target, [
        file,
        fault ? { ...options, execArgv: ['--import', inThread], workerData: fault } : options,
      ]);
      living.add(worker);
      worker.once('exit', () => living.delete(worker));
      return worker;
    },
  });
}

/** What Node throws where the system gives no thread. */
function refusal(): Error {
  const error = new Error('Worker initialization failure: EAGAIN');
  return Object.assign(error, { code: 'ERR_WORKER_INIT_FAILED' });
}
