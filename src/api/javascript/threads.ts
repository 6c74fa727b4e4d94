/**
 * What `import ... from 'millrace/threads'` gives: a page starts the threads that Millrace uses in a worker of the page
 * (docs/browser.md). It is an entry of its own, for a page that leaves all work to a worker need not load the compiler.
 */
import { loadCodeWhenMissing } from '../../devices/wasm/thread-files.ts';
import {
  delegateThreads,
  ThreadKeeper,
  type ThreadReport,
  type ThreadRequest,
} from '../../runtime/delegated-threads.ts';

/** The page's side of threads that it starts for one worker. */
export interface KeptThreads {
  /** For the worker, which gives it to {@link delegateThreadsTo}: it is transferred, `worker.postMessage(port, [port])`. */
  readonly port: MessagePort;
  /**
   * Ends the worker's threads, and starts no more: to be called when the worker has been ended, for the page does not notice.
   * Resolves when they have ended.
   */
  close(): Promise<void>;
}

/** What the worker hears: its threads, and first of all that there is somebody who keeps them. */
type Told = ThreadReport | { readonly kind: 'connected' };
type Asked = ThreadRequest | { readonly kind: 'connect' };

/** Ports of Node keep their thread alive if they are not told otherwise. */
interface NodePort extends MessagePort {
  ref?(): void;
  unref?(): void;
}

/** On the page: from now on it starts threads for one worker, as that asks for them. It does so in its event loop. */
export function keepThreads(): KeptThreads {
  const { port1, port2 } = new MessageChannel();
  const own: NodePort = port1;
  const tell = (told: Told) => own.postMessage(told);
  loadCodeWhenMissing();
  const keeper = new ThreadKeeper(tell);
  own.onmessage = ({ data }: MessageEvent<Asked>) => {
    if (data.kind === 'connect') tell({ kind: 'connected' });
    else keeper.handle(data);
  };
  own.unref?.();
  return {
    port: port2,
    close: () => {
      own.close();
      return keeper.close();
    },
  };
}

/**
 * In the worker, before anything else of Millrace: all threads that it uses from now on are started by the page that has the other
 * end of this port. They start and end also while the worker blocks. Resolves when the page has answered.
 * @param port of {@link keepThreads}
 */
export function delegateThreadsTo(port: MessagePort): Promise<void> {
  const own: NodePort = port;
  const hear = delegateThreads(
    (request, transfer = []) => own.postMessage(request, transfer),
    (on) => (on ? own.ref?.() : own.unref?.()),
  );
  return new Promise((resolve) => {
    own.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind !== 'connected') {
        hear(data);
        return;
      }
      own.unref?.();
      resolve();
    };
    // Until both ends are connected a browser may hold back what is posted, which a thread that blocks would wait for in vain.
    own.postMessage({ kind: 'connect' } satisfies Asked);
  });
}
