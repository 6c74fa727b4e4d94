/**
 * Threads that one thread of a page has another start. A thread of a page starts only while the one that starts it is in its event
 * loop, and a program in C never goes back to one. So its thread (the client) posts what it wants to the thread that started
 * it (the keeper), which does it. All else goes through shared memory, as between any host and its threads.
 */
import { startThread, startThreadsBy, type Thread } from './host.ts';

/** What a client posts to its keeper. */
export type ThreadRequest =
  | { readonly kind: 'start-thread'; readonly id: number; readonly url: string; readonly data: unknown }
  | { readonly kind: 'post-to-thread'; readonly id: number; readonly message: unknown }
  | { readonly kind: 'end-thread'; readonly id: number };

/**
 * Makes this thread a client, for good. It hears neither messages of its threads nor of their ends, as it is in no event
 * loop.
 */
export function delegateThreads(post: (request: ThreadRequest) => void): void {
  let count = 0;
  startThreadsBy((url, data) => {
    count += 1;
    const id = count;
    post({ kind: 'start-thread', id, url: url.href, data });
    return {
      post: (message) => post({ kind: 'post-to-thread', id, message }),
      terminate: () => {
        post({ kind: 'end-thread', id });
        return new Promise(() => {});
      },
      keepAlive: () => {},
    };
  });
}

/** The threads of one client. */
export class ThreadKeeper {
  readonly #threads = new Map<number, Thread>();
  readonly #failed: (error: Error) => void;

  /** @param failed is told of a thread that cannot start, or dies */
  constructor(failed: (error: Error) => void) {
    this.#failed = failed;
  }

  handle(request: ThreadRequest): void {
    switch (request.kind) {
      case 'start-thread': {
        const listener = { message: () => {}, failed: this.#failed };
        this.#threads.set(request.id, startThread(new URL(request.url), request.data, listener));
        return;
      }
      case 'post-to-thread':
        this.#threads.get(request.id)?.post(request.message);
        return;
      case 'end-thread':
        void this.#threads.get(request.id)?.terminate();
        this.#threads.delete(request.id);
    }
  }

  /** Ends all threads. Resolves when they have ended. */
  async close(): Promise<void> {
    const threads = [...this.#threads.values()];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
