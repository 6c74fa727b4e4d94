/**
 * The one door to the machine that JavaScript runs on: threads, a clock, environment variables, and what the
 * place allows. Everything else under src/ (but the command line) is the same in Node and in a browser page.
 */
import { longestEnd, newWorker, type PageStart, PageThread } from './page-threads.ts';
import { codeAtHand, type ThreadFile } from './thread-file.ts';

/** A running thread, seen from the one that started it. */
export interface Thread {
  /** What is transferred (in pages) goes to a thread that has said something already. */
  post(message: unknown, transfer?: Transferable[]): void;
  /** Ends the thread wherever it is, an endless loop included. Resolves when it has ended. */
  terminate(): Promise<void>;
  /** Whether the running thread keeps a Node process from ending. Off at the start. */
  keepAlive(on: boolean): void;
  /** It was told to end by itself (see {@link endThread}): nothing more is heard of it, and nothing here keeps it. */
  dismiss(): void;
}

/** What {@link startThread} reports. */
export interface ThreadListener {
  message(message: unknown): void;
  /** The thread could not start, or died of an error. */
  failed(error: Error): void;
}

interface NodeWorker {
  postMessage(message: unknown): void;
  terminate(): Promise<number>;
  on(event: string, listener: (value: never) => void): void;
  ref(): void;
  unref(): void;
}

interface NodePort {
  postMessage(message: unknown): void;
  once(event: 'message', listener: (message: unknown) => void): void;
}

interface NodeThreads {
  /** 0 for the main thread. */
  readonly threadId: number;
  readonly Worker: new (file: URL | string, options: object) => NodeWorker;
  readonly parentPort: NodePort | null;
}

interface NodeProcess {
  readonly platform: string;
  readonly env: Record<string, string | undefined>;
  readonly hrtime: { bigint(): bigint };
  readonly stdout?: { write(text: string): unknown };
  on?(event: 'exit', listener: (code: number) => void): unknown;
  exitCode?: number | string | undefined;
  cwd?(): string;
  getBuiltinModule?(name: string): unknown;
  geteuid?(): number;
}

const node = (globalThis as { process?: NodeProcess }).process;
const nodeThreads =
  typeof node?.getBuiltinModule === 'function'
    ? (node.getBuiltinModule('node:worker_threads') as NodeThreads | undefined)
    : undefined;

/** Whether threads can share memory here: always in Node, in a page only when it is cross-origin isolated. */
export function hasSharedMemory(): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  if (nodeThreads !== undefined) return true;
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  return crossOriginIsolated !== false && typeof Worker !== 'undefined';
}

let blocking: boolean | undefined;

/** Whether this thread may sleep in Atomics.wait; the main thread of a page may not. */
export function mayBlock(): boolean {
  if (blocking === undefined) {
    try {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
      blocking = true;
    } catch {
      blocking = false;
    }
  }
  return blocking;
}

/** Starts a thread: see {@link startThread}. */
export type ThreadStarter = (file: ThreadFile, data: unknown, listener: ThreadListener) => Thread;

/** Another thread that starts threads for this one; see {@link startThreadsBy}. */
let deputy: ThreadStarter | undefined;

/**
 * From now on this thread has its threads started by another, which stays in its event loop. See delegated-threads.ts, which says
 * who needs that.
 */
export function startThreadsBy(starter: ThreadStarter): void {
  deputy = starter;
}

/**
 * Whether threads start and end while the thread that wants them sleeps. Node's do; those of a page wait until the one that
 * starts them is back in its event loop, unless that is another thread.
 */
export function threadsAreIndependent(): boolean {
  return nodeThreads !== undefined || deputy !== undefined;
}

/** How many threads the machine runs at the same time, at least 1. */
export function hardwareConcurrency(): number {
  if (nodeThreads !== undefined) {
    const os = node?.getBuiltinModule?.('node:os') as { availableParallelism(): number } | undefined;
    if (os !== undefined) return Math.max(1, os.availableParallelism());
  }
  return Math.max(1, globalThis.navigator?.hardwareConcurrency ?? 1);
}

/** Whether there is OpenGL here: WebGL 2, in a page and its workers. */
export function hasWebGL2(): boolean {
  return 'WebGL2RenderingContext' in globalThis;
}

let readClock = (): number => 0;

/** Megahertz of the machine's processor; 0 where nothing tells, as in a page. */
export function clockFrequency(): number {
  return readClock();
}

/** Where there is a machine: what finds it out (clock-frequency.ts), which no page has to load. */
export function provideClock(read: () => number): void {
  readClock = read;
}

/** A module of Node itself, such as `node:fs`; undefined where there is none, as in a page. */
export function machineModule(name: `node:${string}`): unknown {
  return node?.getBuiltinModule?.(name);
}

/** An environment variable, where there are any. */
export function environment(name: string): string | undefined {
  return node?.env?.[name];
}

/** The number of the user whose rights the process has; undefined where users have none, as in a page and on Windows. */
export function userId(): number | undefined {
  return node?.geteuid?.();
}

/** Milliseconds: two clocks that differ by less begin with the same thread, and not one with the machine. */
const ownClock = 1000;

// performance.now counts from the start of each thread; this brings all threads to one clock.
const clockOffset = nodeThreads === undefined ? performance.timeOrigin : offsetFromProcessClock();

/**
 * Milliseconds between performance.now and Node's clock of the process. Either call may be held up (the first one, or
 * when the thread is put aside), so the pair that lies closest together counts.
 */
function offsetFromProcessClock(): number {
  let offset = 0;
  let closest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 8; attempt++) {
    const before = performance.now();
    const processTime = Number(node?.hrtime.bigint() ?? 0n) / 1e6;
    const after = performance.now();
    if (after - before < closest) {
      closest = after - before;
      offset = processTime - (before + after) / 2;
    }
  }
  // Bun and Deno count this clock from the start of each thread, too; what they say of its origin is right.
  return Math.abs(offset) < ownClock ? performance.timeOrigin : offset;
}

/** Nanoseconds on a clock that all threads of the process share. */
export function now(): number {
  return (clockOffset + performance.now()) * 1e6;
}

/** Whether a file of Node's disk is not there. */
function isMissing({ url }: ThreadFile): boolean {
  if (url === undefined) return true;
  if (!url.startsWith('file:')) return false;
  const files = machineModule('node:fs') as { existsSync(path: URL): boolean } | undefined;
  return files?.existsSync(new URL(url)) === false;
}

/** Why a thread of Node cannot start: a bundler has left its file behind. */
function missing({ name, url }: ThreadFile): string {
  const place = url ?? `${name}, beside a bundle that does not know where it is (an ES module would),`;
  return `${place} is not there. If the program was bundled, either keep Millrace out of the bundle (external: ['millrace']), or copy node_modules/millrace/dist/${name} to that place`;
}

/** A file for other threads of Node, which have no code of their own in its place. */
export function forOtherThreads(file: ThreadFile): ThreadFile {
  return nodeThreads !== undefined && isMissing(file) ? { ...file, code: codeAtHand(file) } : file;
}

/**
 * Starts a file as a thread and sends it `data`, which it takes with {@link enterThread}.
 * @throws OpenCLError CL_OUT_OF_HOST_MEMORY if the system gives no thread
 */
export function startThread(from: ThreadFile | URL, data: unknown, listener: ThreadListener): Thread {
  const file = from instanceof URL ? { name: from.pathname.replace(/^.*\//, ''), url: from.href } : from;
  if (deputy !== undefined) return deputy(file, data, listener);
  return nodeThreads === undefined
    ? new PageThread(file, data, listener)
    : startInNode(nodeThreads, file, data, listener);
}

function startInNode(
  { Worker }: NodeThreads,
  file: ThreadFile,
  data: unknown,
  listener: ThreadListener,
): Thread {
  // Node keeps the object of an ended thread until its event loop turns, which a program may never let it do: what listens,
  // and all that it refers to, must not be kept along.
  let hears: ThreadListener | undefined = listener;
  const fail = (error: Error) => {
    const told = hears;
    hears = undefined;
    told?.failed(error);
  };
  const { url } = file;
  const isThere = !isMissing(file);
  const code = isThere ? undefined : codeAtHand(file);
  if (!isThere && code === undefined) {
    later(() => fail(new Error(missing(file))));
    return { post: () => {}, terminate: async () => {}, keepAlive: () => {}, dismiss: () => {} };
  }
  const worker = newWorker(() => {
    if (code !== undefined) return new Worker(code, { execArgv: [], eval: true });
    return new Worker(new URL(url!), { execArgv: [] });
  });
  worker.on('message', (message: never) => hears?.message(message));
  worker.on('error', fail as (error: never) => void);
  worker.on('exit', (exitCode: number) => fail(new Error(`the thread ended with exit code ${exitCode}`)));
  // A listener on 'message' refs the worker's port, so this comes last.
  worker.unref();
  worker.postMessage(data);
  return {
    post: (message) => worker.postMessage(message),
    terminate: async () => {
      hears = undefined;
      await worker.terminate();
    },
    keepAlive: (on) => (on ? worker.ref() : worker.unref()),
    dismiss: () => {
      hears = undefined;
      worker.unref();
    },
  };
}

/** Nanoseconds after which a thread that was told to end has ended, for those who sleep and do not hear of it. */
export const threadEndingTime = nodeThreads !== undefined ? 40e6 : longestEnd * 1e6;

/** Takes a lock that this thread keeps until it ends, and then calls `then` from the event loop. */
function holdLock(lock: string, then: () => void): void {
  const held = new Promise<void>((resolve, reject) => {
    const keep = () => {
      resolve();
      return new Promise(() => {});
    };
    navigator.locks.request(lock, keep).catch(reject);
  });
  // From the event loop, so that what `then` throws is an error of the thread and not of this promise.
  held.then(
    () => later(then),
    () => later(then),
  );
}

/** In a thread's entry file: calls `main` with the data of {@link startThread} and a way to post to the starter. */
export function enterThread(main: (data: unknown, post: (message: unknown) => void) => void): void {
  const port = nodeThreads?.parentPort;
  if (port) {
    port.once('message', (data) => main(data, (message) => port.postMessage(message)));
    return;
  }
  const scope = globalThis as unknown as {
    onmessage: ((event: MessageEvent) => void) | null;
    postMessage(message: unknown): void;
  };
  scope.onmessage = (event) => {
    scope.onmessage = null;
    const { data, lock } = event.data as PageStart;
    holdLock(lock, () => main(data, (message) => scope.postMessage(message)));
  };
}

/**
 * In a thread that has done what it was started for: it ends when it is back in its event loop. Node's do so by themselves once
 * nothing is left to come.
 */
export function endThread(): void {
  if (nodeThreads === undefined) (globalThis as { close?(): void }).close?.();
}

/** The number of this thread of Node, 0 for the main one; 0 in a page. */
export function threadNumber(): number {
  return nodeThreads?.threadId ?? 0;
}

/** Calls `task` with the exit code when this process, or this thread of it, ends; never in a page. */
export function atExit(task: (code: number) => void): void {
  node?.on?.('exit', task);
}

/** Lets a process that would end well end with exit code 1. */
export function failAtExit(): void {
  node?.on?.('exit', (code) => {
    if (code === 0) node.exitCode = 1;
  });
}

/** Runs `task` after the page or the event loop had its turn. */
export function later(task: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => void };
  if (setImmediate !== undefined) setImmediate(task);
  else {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      task();
    };
    channel.port2.postMessage(0);
  }
}

/** Calls `task` again and again, at intervals of so many milliseconds, until it says false. No process lives on for it. */
export function everyNowAndThen(milliseconds: number, task: () => boolean): void {
  const timer: unknown = setInterval(() => {
    if (!task()) clearInterval(timer as number);
  }, milliseconds);
  (timer as { unref?(): void }).unref?.();
}

/**
 * A module of the machine that need not be there, loaded now; undefined where there are no such modules. A bundle that does not know
 * where it is looks from the current folder. Throws if it is missing.
 */
export function optionalModule(name: string): unknown {
  const modules = node?.getBuiltinModule?.('node:module') as
    | { createRequire(from: string): (name: string) => unknown }
    | undefined;
  return modules?.createRequire(import.meta.url ?? `${node?.cwd?.()}/`)(name);
}

/** Text that a line's end has not come for yet, where only whole lines can be written. */
let unfinishedLine = '';

/** Writes text to standard output; in a page to its console, a line at a time. */
export function writeOutput(text: string): void {
  if (node?.stdout !== undefined) {
    node.stdout.write(text);
    return;
  }
  const isWaiting = unfinishedLine !== '';
  const lines = (unfinishedLine + text).split('\n');
  unfinishedLine = lines.pop() ?? '';
  for (const line of lines) console.log(line);
  if (unfinishedLine === '' || isWaiting) return;
  later(() => {
    if (unfinishedLine !== '') console.log(unfinishedLine);
    unfinishedLine = '';
  });
}

/** The operating system: `linux`, `darwin`, `win32`; undefined in a page. */
export function operatingSystem(): string | undefined {
  return node?.platform;
}
