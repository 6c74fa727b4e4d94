/**
 * Threads of pages: workers. A browser takes a worker's script only from the page's own origin, and tells whether it is there only
 * after the worker was made. So there are several places that a thread may start from, one after the other:
 * - its file;
 * - where that is at another origin, a script of this page's own (a blob) that imports it;
 * - in Vite's development server, which moves the modules of packages away from their other files, the package;
 * - the file's code, which is loaded then, as a blob.
 */
import type { Thread, ThreadListener } from './host.ts';
import { OpenCLError } from './status.ts';
import { codeOf, type ThreadFile } from './thread-file.ts';
import { blobOf, policyMissing, workerAddress } from './worker-address.ts';

/**
 * What a page's thread is sent first. Worker.terminate does not say when a thread has ended, and Chromium lets one that
 * does not return to its event loop run for two more seconds. So each thread holds a lock for all its life.
 */
export interface PageStart {
  readonly data: unknown;
  readonly lock: string;
}

/** Milliseconds after which a thread of a page counts as ended where locks are not to be had. */
export const longestEnd = 3000;

/** A place that a thread may start from. */
interface Place {
  /** As messages call it. */
  readonly name: string;
  /** The worker's address, at once or later; undefined if there is none. */
  address(): string | Promise<string | undefined>;
}

/** Vite's development server has what it made of packages here. */
const viteFolder = '/.vite/deps/';

function placesOf(file: ThreadFile): Place[] {
  const places: Place[] = [];
  const { url } = file;
  if (url !== undefined && new URL(url).origin === globalThis.origin) {
    places.push({ name: url, address: () => url });
    if (url.includes(viteFolder)) {
      const inPackage = new URL(`../../millrace/dist/${file.name}`, url).href;
      places.push({ name: inPackage, address: () => inPackage });
    }
  } else if (url !== undefined) {
    places.push({
      name: `a blob that imports ${url}`,
      address: () => blobOf(`import ${JSON.stringify(url)};`),
    });
  }
  places.push({
    name: 'a blob with its code',
    address: async () => {
      const code = await codeOf(file);
      return code === undefined ? undefined : blobOf(code);
    },
  });
  return places;
}

/** By the names of files, which of their places the last thread has started from: the next one begins there. */
const goodPlaces = new Map<string, number>();

/** Engines have errors of many kinds for a thread that the system does not give. */
export function newWorker<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    // Addresses from which a page may start none.
    if ((cause as Error)?.name === 'SecurityError' || policyMissing(cause) !== undefined) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OpenCLError('CL_OUT_OF_HOST_MEMORY', `no thread can be started: ${why}`, { cause });
  }
}

export class PageThread implements Thread {
  readonly #file: ThreadFile;
  readonly #data: unknown;
  readonly #places: readonly Place[];
  #listener: ThreadListener | undefined;
  #worker: Worker | undefined;
  #lock = '';
  /** What was posted until the thread has said anything, to be sent again to one from another place. */
  #posted: unknown[] | undefined = [];
  #tried: string[] = [];
  #isEnded = false;

  /** @throws OpenCLError CL_OUT_OF_HOST_MEMORY if the system gives no thread */
  constructor(file: ThreadFile, data: unknown, listener: ThreadListener) {
    this.#file = file;
    this.#data = data;
    this.#listener = listener;
    this.#places = placesOf(file);
    this.#tryFrom(goodPlaces.get(file.name) ?? 0);
  }

  post(message: unknown, transfer: Transferable[] = []): void {
    this.#posted?.push(message);
    this.#worker?.postMessage(message, transfer);
  }

  terminate(): Promise<void> {
    this.#isEnded = true;
    if (this.#worker === undefined) return Promise.resolve();
    this.#worker.terminate();
    return lockFreed(this.#lock);
  }

  keepAlive(): void {}

  dismiss(): void {
    this.#listener = undefined;
  }

  #tryFrom(index: number): void {
    const place = this.#places[index];
    if (place === undefined) {
      this.#listener?.failed(new Error(this.#whyNot()));
      return;
    }
    const address = place.address();
    if (typeof address === 'string') {
      this.#startFrom(index, address);
      return;
    }
    const startLater = (found: string | undefined) => {
      if (this.#isEnded) return;
      if (found === undefined) this.#tryFrom(index + 1);
      else this.#startFrom(index, found);
    };
    address
      .catch((error: unknown) => void this.#tried.push(`${place.name}: ${messageOf(error)}`))
      .then(startLater)
      .catch((error: Error) => this.#listener?.failed(error));
  }

  #startFrom(index: number, address: string): void {
    const notThere = (why: string) => {
      this.#tried.push(`${this.#places[index]!.name}${why}`);
      this.#tryFrom(index + 1);
    };
    let worker: Worker;
    try {
      const trusted = workerAddress(address);
      worker = newWorker(() => new Worker(trusted, { type: 'module' }));
    } catch (error) {
      if (error instanceof OpenCLError) throw error;
      const why = policyMissing(error);
      if (why !== undefined) {
        // It is the same from every other place. Who makes the thread does not have it yet.
        queueMicrotask(() =>
          this.#listener?.failed(new Error(`cannot start ${this.#file.name} as a worker: ${why}`)),
        );
        return;
      }
      notThere(`: ${messageOf(error)}`);
      return;
    }
    this.#worker = worker;
    this.#lock = `millrace-${crypto.randomUUID()}`;
    worker.onmessage = (event) => {
      if (this.#posted !== undefined) goodPlaces.set(this.#file.name, index);
      this.#posted = undefined;
      this.#listener?.message(event.data);
    };
    worker.onerror = (event) => {
      if (this.#isEnded) return;
      // Only what a script throws has words; the browser keeps to itself why it has not loaded one.
      if (event.message || this.#posted === undefined) {
        this.#listener?.failed(new Error(event.message || 'the thread has died'));
      } else {
        this.#worker = undefined;
        notThere('');
      }
    };
    worker.postMessage({ data: this.#data, lock: this.#lock } satisfies PageStart);
    for (const message of this.#posted ?? []) worker.postMessage(message);
  }

  #whyNot(): string {
    const { name, url } = this.#file;
    const tried = this.#tried.length > 0 ? ` (tried ${this.#tried.join('; ')})` : '';
    const where = url ?? 'the place of the script, which this bundle does not know (an ES module would)';
    return `cannot load ${name} as a worker${tried}: is it at ${where}, with the page's headers? Bundlers may have to be told to copy it from node_modules/millrace/dist; a Content-Security-Policy needs worker-src 'self', and blob: for what is at another origin or not there`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Resolves when the thread that held a lock has ended. */
async function lockFreed(lock: string): Promise<void> {
  try {
    await navigator.locks.request(lock, () => {});
  } catch {
    // Locks are refused where a page may not store anything.
    await new Promise((resolve) => setTimeout(resolve, longestEnd));
  }
}
