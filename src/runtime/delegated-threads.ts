/**
 * Threads that one thread (the client) has another (the keeper) start, which stays in its event loop. A client posts what it wants,
 * and hears, if it is in an event loop itself, what its threads say and how they end. All else goes through shared memory, as
 * between any host and its threads. Two kinds of clients there are. A thread of a page starts only while the one that
 * starts it is in its event loop, and a program in C never goes back to one. And a worker may have its threads started by
 * the window: see api/javascript/threads.ts.
 */
import { startThread, startThreadsBy, type Thread, type ThreadListener } from './host.ts';
import type { ThreadFile } from './thread-file.ts';

/** What a client posts to its keeper. */
export type ThreadRequest =
  | { readonly kind: 'start-thread'; readonly id: number; readonly file: ThreadFile; readonly data: unknown }
  | {
      readonly kind: 'post-to-thread';
      readonly id: number;
      readonly message: unknown;
      readonly transfer?: Transferable[] | undefined;
    }
  | { readonly kind: 'end-thread'; readonly id: number }
  /** It ends by itself; see Thread.dismiss. */
  | { readonly kind: 'dismiss-thread'; readonly id: number };

/** What a keeper tells its client. */
export type ThreadReport =
  | { readonly kind: 'thread-message'; readonly id: number; readonly message: unknown }
  /** It could not start, or died: why. Words, for errors that Node's threads die of lose theirs when they travel once more. */
  | { readonly kind: 'thread-failed'; readonly id: number; readonly reason: string }
  /** It was told to end, and has. */
  | { readonly kind: 'thread-ended'; readonly id: number };

/** A thread as its client knows it. */
interface Delegated {
  /** Undefined once it was told to end: what was on the way then is not heard any more. */
  listener: ThreadListener | undefined;
  /** Neither told to end nor failed: only then can it keep this thread from ending. */
  runs: boolean;
  readonly hasEnded: () => void;
}

/**
 * Makes this thread a client, for good, and gives the function that takes what the keeper tells. A client that is in no event loop
 * never calls it: it hears neither messages of its threads nor of their ends.
 * @param keepAlive is told whether any thread is to keep this thread of Node from ending
 */
export function delegateThreads(
  post: (request: ThreadRequest, transfer?: Transferable[]) => void,
  keepAlive: (on: boolean) => void = () => {},
): (report: ThreadReport) => void {
  const threads = new Map<number, Delegated>();
  const keptAlive = new Set<Delegated>();
  const setKeepAlive = (thread: Delegated, on: boolean) => {
    if (on && thread.runs) keptAlive.add(thread);
    else keptAlive.delete(thread);
    keepAlive(keptAlive.size > 0);
  };
  const runsNoMore = (thread: Delegated) => {
    thread.runs = false;
    setKeepAlive(thread, false);
  };
  let count = 0;
  startThreadsBy((file, data, listener) => {
    count += 1;
    const id = count;
    post({ kind: 'start-thread', id, file, data });
    let hasEnded = () => {};
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve;
    });
    const thread: Delegated = { listener, runs: true, hasEnded };
    threads.set(id, thread);
    return {
      post: (message, transfer) => post({ kind: 'post-to-thread', id, message, transfer }, transfer),
      terminate: () => {
        if (thread.listener) {
          thread.listener = undefined;
          runsNoMore(thread);
          post({ kind: 'end-thread', id });
        }
        return ended;
      },
      keepAlive: (on) => setKeepAlive(thread, on),
      dismiss: () => {
        thread.listener = undefined;
        runsNoMore(thread);
        threads.delete(id);
        post({ kind: 'dismiss-thread', id });
      },
    };
  });
  return (report) => {
    const thread = threads.get(report.id);
    switch (report.kind) {
      case 'thread-message':
        thread?.listener?.message(report.message);
        return;
      case 'thread-failed':
        if (thread) runsNoMore(thread);
        thread?.listener?.failed(new Error(report.reason));
        return;
      case 'thread-ended':
        threads.delete(report.id);
        thread?.hasEnded();
    }
  };
}

/** The threads of one client. */
export class ThreadKeeper {
  readonly #threads = new Map<number, Thread>();
  readonly #tell: (report: ThreadReport) => void;
  #closed = false;

  constructor(tell: (report: ThreadReport) => void) {
    this.#tell = tell;
  }

  handle(request: ThreadRequest): void {
    // What a client wanted before it was ended may come after it.
    if (this.#closed) return;
    const { id } = request;
    switch (request.kind) {
      case 'start-thread':
        this.#start(id, request.file, request.data);
        return;
      case 'post-to-thread':
        this.#threads.get(id)?.post(request.message, request.transfer);
        return;
      case 'dismiss-thread':
        this.#threads.get(id)?.dismiss();
        this.#threads.delete(id);
        return;
      case 'end-thread': {
        // It stays on the list meanwhile: whoever closes waits for it, too.
        const ending = this.#threads.get(id)?.terminate() ?? Promise.resolve();
        void ending.then(() => {
          this.#threads.delete(id);
          this.#tell({ kind: 'thread-ended', id });
        });
      }
    }
  }

  #start(id: number, file: ThreadFile, data: unknown): void {
    const failed = ({ message }: Error) => this.#tell({ kind: 'thread-failed', id, reason: message });
    try {
      const thread = startThread(file, data, {
        message: (message) => this.#tell({ kind: 'thread-message', id, message }),
        failed,
      });
      this.#threads.set(id, thread);
    } catch (error) {
      // An address that this thread must not start from.
      failed(error as Error);
    }
  }

  /** Ends all threads, and starts no more. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#threads.values()];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
