/** Threads that another thread starts, in Node; test/browser/delegated-threads.test.ts has them in a page. */
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ThreadReport, ThreadRequest } from '../../src/runtime/delegated-threads.ts';
import type { Thread } from '../../src/runtime/host.ts';

const script = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

/** Says what it hears, dies of the message 'die' and never comes back from 'spin', which counts in what it got first. */
const child = script(`
  import { parentPort } from 'node:worker_threads';
  let counter;
  parentPort.on('message', (message) => {
    counter ??= message;
    if (message === 'die') throw new Error('died of it');
    if (message === 'spin') for (;;) Atomics.add(counter, 0, 1);
    parentPort.postMessage(message === counter ? 'started' : 'heard ' + message);
  });
`);

/** A client and its keeper, modules apart as in two threads, which exchange copies as two threads would. */
async function pair() {
  vi.resetModules();
  const { startThread } = await import('../../src/runtime/host.ts');
  const { delegateThreads } = await import('../../src/runtime/delegated-threads.ts');
  vi.resetModules();
  const { ThreadKeeper } = await import('../../src/runtime/delegated-threads.ts');
  const asked: ThreadRequest['kind'][] = [];
  const later = <Message>(take: (message: Message) => void) => {
    return (message: Message) => {
      const copy = structuredClone(message);
      setImmediate(() => take(copy));
    };
  };
  let hear = (_: ThreadReport): void => {};
  const keeper = new ThreadKeeper(later((report) => hear(report)));
  const keptAlive: boolean[] = [];
  hear = delegateThreads(
    later((request) => {
      asked.push(request.kind);
      keeper.handle(request);
    }),
    (on) => keptAlive.push(on),
  );
  onTestFinished(() => keeper.close());

  /** Starts a thread; `said` waits for a word of it, `failure` for its end. */
  function start(url: URL, counter = new Int32Array(new SharedArrayBuffer(4))) {
    const heard: unknown[] = [];
    let failed: (error: Error) => void;
    const failure = new Promise<Error>((resolve) => {
      failed = resolve;
    });
    const thread: Thread = startThread(url, counter, {
      message: (message) => heard.push(message),
      failed: (error) => failed(error),
    });
    thread.keepAlive(true);
    const said = (text: string) => vi.waitFor(() => expect(heard).toContain(text), 20_000);
    return { thread, heard, said, failure, counter };
  }
  return { start, keeper, asked, keptAlive };
}

it('say what they say to the client', async () => {
  const { start, asked } = await pair();
  const [one, two] = [start(child), start(child)];
  one.thread.post('one');
  two.thread.post('two');
  await Promise.all([one.said('heard one'), two.said('heard two')]);
  expect(one.heard).toEqual(['started', 'heard one']);
  expect(two.heard).toEqual(['started', 'heard two']);
  expect(asked).toEqual(['start-thread', 'start-thread', 'post-to-thread', 'post-to-thread']);
});

it('fail at the client', async () => {
  const { start, keptAlive } = await pair();
  const dying = start(child);
  dying.thread.post('die');
  expect(await dying.failure).toMatchObject({ message: 'died of it' });
  expect((await start(script('no script')).failure).message).toContain('Unexpected identifier');
  // An address that threads cannot start from, which a keeper that started its own would throw.
  expect((await start(new URL('https://localhost/thread.js')).failure).message).toContain('scheme file');
  expect(keptAlive.at(-1)).toBe(false);
  dying.thread.keepAlive(true);
  expect(keptAlive.at(-1)).toBe(false);
});

it('have ended when the client hears so, and are not heard any more', async () => {
  const { start, keptAlive } = await pair();
  const { thread, heard, said, counter } = start(child);
  await said('started');
  thread.post('a word that is on the way');
  thread.post('spin');
  await vi.waitFor(() => expect(Atomics.load(counter, 0)).toBeGreaterThan(0), 20_000);
  const before = heard.length;
  const ended = thread.terminate();
  expect(keptAlive).toEqual([true, false]);
  await ended;
  const last = Atomics.load(counter, 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(Atomics.load(counter, 0)).toBe(last);
  expect(heard.length).toBe(before);
  // As for any thread: once more does no harm.
  await thread.terminate();
  thread.keepAlive(true);
  expect(keptAlive.at(-1)).toBe(false);
});

it('end with their keeper, which starts no more', async () => {
  const { start, keeper, asked } = await pair();
  const { thread, said, counter } = start(child);
  await said('started');
  thread.post('spin');
  await vi.waitFor(() => expect(Atomics.load(counter, 0)).toBeGreaterThan(0), 20_000);
  await keeper.close();
  const last = Atomics.load(counter, 0);
  const late = start(child);
  late.thread.post('late');
  await vi.waitFor(() => expect(asked.filter((kind) => kind === 'post-to-thread').length).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(Atomics.load(counter, 0)).toBe(last);
  expect(late.heard).toEqual([]);
});

it('have ended when their keeper has, also those that were told to end just before', async () => {
  const { start, keeper } = await pair();
  const { thread, said, counter } = start(child);
  await said('started');
  thread.post('spin');
  await vi.waitFor(() => expect(Atomics.load(counter, 0)).toBeGreaterThan(0), 20_000);
  keeper.handle({ kind: 'end-thread', id: 1 });
  await keeper.close();
  const last = Atomics.load(counter, 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(Atomics.load(counter, 0)).toBe(last);
});

it("are a worker's that may start none itself, and blocks at once", async () => {
  const { keepThreads } = await import('millrace/threads');
  const file = (name: string) => JSON.stringify(new URL(`../../dist/${name}`, import.meta.url).href);
  const worker = new Worker(
    script(`
      import threads, { parentPort } from 'node:worker_threads';
      import { delegateThreadsTo } from ${file('threads.js')};
      import { compile } from ${file('index.js')};
      import { CL, createContext } from ${file('opencl.js')};
      threads.Worker = class { constructor() { throw new Error('it starts threads itself'); } };
      parentPort.once('message', async (port) => {
        await delegateThreadsTo(port);
        const context = createContext();
        const queue = context.createCommandQueue();
        const buffer = context.createBuffer(CL.MEM_READ_WRITE, 16);
        const filled = new Int32Array(4);
        queue.enqueueFillBuffer(buffer, Int32Array.of(7), 0, 16);
        queue.enqueueReadBuffer(buffer, true, 0, 16, filled);
        context.releaseAll();
        const program = await compile('kernel void k(global int *a) { a[get_global_id(0)] += get_global_id(0); }');
        const sums = Int32Array.of(10, 20, 30);
        await program.kernel('k')({ global: [3] }, sums);
        const endless = await compile('kernel void e(global volatile int *a) { while (a[0] == 0) a[1] += 1; }', { timeout: 100 });
        const failure = await endless.kernel('e')({ global: [1] }, new Int32Array(2)).catch(({ name }) => name);
        parentPort.postMessage({ filled, sums, failure });
      });
    `),
  );
  const threads = keepThreads();
  onTestFinished(async () => {
    await worker.terminate();
    await threads.close();
  });
  const answer = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  worker.postMessage(threads.port, [threads.port as never]);
  expect(await answer).toEqual({
    filled: Int32Array.of(7, 7, 7, 7),
    sums: Int32Array.of(10, 21, 32),
    failure: 'CL_OUT_OF_RESOURCES',
  });
});
