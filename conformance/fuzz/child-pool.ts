/**
 * Spreads tasks over child processes (child.ts), one at a time each. A child that takes too long over a kernel is killed, and
 * one that crashes is replaced; the kernel has failed then.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Message, Task } from './child.ts';
import { failed, type Verdict } from './verdict.ts';

export interface PoolOptions {
  /** The file that children run. */
  readonly program: string;
  /** What children are told to run kernels on, besides the interpreter; default WebAssembly. */
  readonly device?: 'native' | undefined;
  /** What machine code is compared with where kernels have one meaning; default the interpreter. */
  readonly against?: 'wasm' | undefined;
  /** How many children there are. */
  readonly size: number;
  /** Seconds that a child may take over the checks of one kernel. */
  readonly timeout: number;
  /** The next task, or undefined when there is none any more. */
  next(): Task | undefined;
  /** Is told what each task came to; the report is that of a failure. */
  done(task: Task, verdict: Verdict, report?: string): void;
}

/** Hardly anything outlives its kernel: with a large nursery the collector has little to do. */
const engineFlags = ['--max-semi-space-size=64'];

/** In milliseconds, also on a machine with much else to do. */
const startTime = 60_000;

/** What time there is beside shrinking for the rest of a report, in milliseconds. */
const reportSlack = 30_000;

/**
 * Does all tasks.
 * @throws Error if a child does not even start
 */
export async function runPool(options: PoolOptions): Promise<void> {
  const work = async (): Promise<void> => {
    for (let task = options.next(); task; ) task = await runChild(options, task);
  };
  await Promise.all(Array.from({ length: options.size }, work));
}

/** Does tasks in one child until there are none, or it is lost; the task that another child begins with, if any is left. */
function runChild(
  { program, device, against, timeout, next, done }: PoolOptions,
  first: Task,
): Promise<Task | undefined> {
  const child: ChildProcess = fork(
    program,
    [device, against].filter((word) => word !== undefined),
    { execArgv: engineFlags },
  );
  let task: Task | undefined = first;
  let isReady = false;
  let isLate = false;
  /** What the task came to, while its report is still to come. */
  let verdict: Verdict | undefined;
  let alarm: NodeJS.Timeout | undefined;
  const expectWithin = (milliseconds: number): void => {
    clearTimeout(alarm);
    alarm = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, milliseconds);
  };
  const begin = (): void => {
    verdict = undefined;
    if (!task) {
      child.kill('SIGKILL');
      return;
    }
    expectWithin(timeout * 1000);
    // Should it be gone by now, its end says so.
    child.send(task, () => {});
  };
  const finish = (came: Verdict, report?: string): void => {
    done(task!, came, report);
    task = next();
    begin();
  };
  child.on('message', (message: Message) => {
    if (message.what === 'ready') {
      isReady = true;
      begin();
    } else if (message.what === 'report') finish(verdict!, message.text);
    else if (message.verdict.status !== 'failed') finish(message.verdict);
    else {
      verdict = message.verdict;
      expectWithin(task!.shrinking + reportSlack);
    }
  });
  expectWithin(startTime);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(alarm);
      if (!isReady) {
        reject(new Error(`${program} does not start: it ended with ${signal ?? code}`));
        return;
      }
      if (!task) {
        resolve(undefined);
        return;
      }
      // One that has failed before was being made small.
      const lost = isLate
        ? `it takes longer than ${timeout} seconds`
        : `its process ended with ${signal ?? code}`;
      done(task, verdict ?? failed(lost), verdict && `${verdict.reason}\nshrinking it did not end well`);
      resolve(next());
    });
  });
}
