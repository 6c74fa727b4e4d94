/**
 * The machine code of a context: puts programs into pages of their own, and gives the pages back when no thread can be in them. A thread says in a
 * word of its own that it is in code; one that was told to end may still be on its way out of a kernel that nobody waits for.
 */

import { stopCondemned } from '../../codegen/x64/calling-convention.ts';
import type { DeviceHost } from '../../runtime/device.ts';
import { atExit, everyNowAndThen } from '../../runtime/host.ts';
import { OpenCLError } from '../../runtime/status.ts';
import type { CodeKeeper, PlacedCode } from '../wasm/machine-code.ts';
import { type SharedLayout, workerWords } from '../wasm/shared-layout.ts';
import { type CodePages, placeCode } from './code-pages.ts';
import { openGuard } from './memory-guard.ts';
import { decodeNative, encodePlaced } from './native-module.ts';

/** Milliseconds between two looks whether pages can be given back. */
const lookTime = 1000;

/** Between two looks whether threads that are told to end are out of code; and milliseconds that a process waits for them at most. */
const endTime = 2;
const longestExit = 5000;

const nobody = new Int32Array(new SharedArrayBuffer(4));

function pause(): void {
  Atomics.wait(nobody, 0, 0, endTime);
}

/** Of contexts whose threads may be in code, which must come back before the process can end. */
const open = new Set<Threads>();
let watchesExit = false;

/** @throws OpenCLError CL_DEVICE_NOT_AVAILABLE in a context whose memory is none for machine code */
export function openKeeper(host: DeviceHost, layout: SharedLayout): CodeKeeper {
  const fault = host.memory.shared
    ? openGuard(host.memory.memory)
    : 'machine code needs a context whose memory threads can share';
  if (fault) throw new OpenCLError('CL_DEVICE_NOT_AVAILABLE', fault);
  if (!watchesExit) {
    watchesExit = true;
    atExit(() => {
      for (const threads of open) threads.stop();
      // Node ends the threads now, which must not be on their way out of code.
      const until = Date.now() + longestExit;
      while ([...open].some((threads) => !threads.areOut) && Date.now() < until) pause();
    });
  }
  const threads = new Threads(host.control, layout);
  const keeper = new Keeper(threads);
  open.add(threads);
  dropped.register(keeper, threads, keeper);
  return keeper;
}

/** Contexts that nobody has closed: their threads have ended by themselves, or rest. */
const dropped = new FinalizationRegistry<Threads>((threads) => threads.end());

/** What threads say, and the pages that they may be in. It lives on where the context does not. */
class Threads {
  readonly #control: DeviceHost['control'];
  readonly #layout: SharedLayout;
  readonly #pages = new Set<CodePages>();
  readonly #waiting = new Set<CodePages>();
  #looks = false;

  constructor(control: DeviceHost['control'], layout: SharedLayout) {
    this.#control = control;
    this.#layout = layout;
  }

  place(bytes: Uint8Array): CodePages {
    this.#look();
    const pages = placeCode(bytes);
    this.#pages.add(pages);
    return pages;
  }

  release(pages: CodePages): void {
    if (!this.#pages.delete(pages)) return;
    this.#waiting.add(pages);
    if (this.#look() || this.#looks) return;
    this.#looks = true;
    everyNowAndThen(lookTime, () => {
      this.#looks = !this.#look();
      return this.#looks;
    });
  }

  /** Gives back what waits, if no thread is in code; false if one is. */
  #look(): boolean {
    if (this.#waiting.size === 0) return true;
    if (!this.areOut) return false;
    for (const pages of this.#waiting) pages.release();
    this.#waiting.clear();
    return true;
  }

  get areOut(): boolean {
    for (let index = 0; index < this.#layout.workerCount; index += 1) {
      if (Atomics.load(this.#control.words, this.#word(index, 'inCode')) !== 0) return false;
    }
    return true;
  }

  /** Lets code return soon, wherever it is. */
  stop(): void {
    for (let index = 0; index < this.#layout.workerCount; index += 1) {
      Atomics.store(this.#control.words, this.#word(index, 'kill'), stopCondemned);
    }
  }

  /** All threads have ended. */
  end(): void {
    open.delete(this);
    for (const pages of [...this.#pages, ...this.#waiting]) pages.release();
    this.#pages.clear();
    this.#waiting.clear();
  }

  #word(index: number, name: 'inCode' | 'kill'): number {
    return this.#layout.workers + index * workerWords.size + workerWords[name];
  }
}

class Keeper implements CodeKeeper {
  readonly #threads: Threads;

  constructor(threads: Threads) {
    this.#threads = threads;
  }

  place(module: Uint8Array): PlacedCode {
    const code = decodeNative(module);
    if (!code) return { bytes: module, release() {} };
    let pages: CodePages;
    try {
      pages = this.#threads.place(code.bytes);
    } catch (cause) {
      throw new OpenCLError('CL_OUT_OF_HOST_MEMORY', (cause as Error).message, { cause });
    }
    const release = (): void => this.#threads.release(pages);
    return { bytes: encodePlaced(code, pages.address), release };
  }

  close(end: () => Promise<unknown> | undefined): void {
    const threads = this.#threads;
    dropped.unregister(this);
    threads.stop();
    const endNow = (): boolean => {
      // From now on none enters code: they look at the word first.
      if (!threads.areOut) return true;
      const ended = end();
      if (ended) void ended.then(() => threads.end());
      else threads.end();
      return false;
    };
    if (endNow()) everyNowAndThen(endTime, endNow);
  }
}
