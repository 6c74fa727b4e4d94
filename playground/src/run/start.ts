/** The page's side of the worker that runs things. It is started by the first run, and kept for the next. */
import { type KeptThreads, keepThreads } from 'millrace/threads';
import type { CheckReply } from '../check/messages.ts';
import type { Document } from '../document.ts';
import { startWorker } from '../own-scripts.ts';
import type { RooflineReply, RooflineRequest } from '../roofline/messages.ts';
import { comparedWith, profiled } from '../state.ts';
import { givenFiles } from './files.ts';
import type { Running, RunReply, RunRequest, Task, TaskStep } from './messages.ts';
import type { RunOutcome } from './outcome.ts';
import runWorker from './run-worker.ts?worker&url';

/** A worker, its threads, and the files that it has. */
interface Runner {
  readonly worker: Worker;
  readonly threads: KeptThreads;
  /** Whether nothing was asked of it yet. */
  isNew: boolean;
  readonly has: Set<Blob>;
}

let kept: Runner | undefined;

function startRunner(): Runner {
  return {
    worker: startWorker(runWorker),
    threads: keepThreads(),
    isNew: true,
    has: new Set(),
  };
}

/** With everything that it has started. */
function endRunner({ worker, threads }: Runner): void {
  worker.terminate();
  void threads.close();
  if (kept?.worker === worker) kept = undefined;
}

function post(runner: Runner, task: Task, document: Document): void {
  const { worker, threads, isNew, has } = runner;
  const files = new Map([...givenFiles()].filter(([, blob]) => !has.has(blob)));
  for (const blob of files.values()) has.add(blob);
  const port = isNew ? threads.port : undefined;
  runner.isNew = false;
  const request: RunRequest = { threads: port, task, document, files };
  const owned: Transferable[] = task.ask === 'animate' ? [task.canvas, task.port] : [];
  worker.postMessage(request, port ? [port, ...owned] : owned);
}

/** Runs a document; `show` gets what there is before the end. One at a time. */
export function startRun(document: Document, show: (outcome: RunOutcome) => void): Running {
  kept ??= startRunner();
  const runner = kept;
  const { worker } = runner;
  let settle: (outcome: RunOutcome) => void;
  const done = new Promise<RunOutcome>((resolve) => {
    settle = resolve;
  });
  // What comes faster than the page can draw it is not drawn: of a program that prints without end Stop would not be heard.
  let newest: RunOutcome | undefined;
  const showNewest = () => {
    if (newest) show(newest);
    newest = undefined;
  };
  const onError = ({ message }: ErrorEvent) => {
    newest = undefined;
    // It could not be loaded, or has died: the next run starts another.
    endRunner(runner);
    settle({ kind: 'failed', message: message || 'What runs kernels could not be loaded.' });
  };
  const onMessage = ({ data }: MessageEvent<RunReply>) => {
    if ('soFar' in data) {
      if (!newest) requestAnimationFrame(showNewest);
      newest = data.soFar;
    } else if ('ended' in data) {
      newest = undefined;
      profiled.value = data.profiled;
      settle(data.ended);
    }
  };
  worker.addEventListener('message', onMessage);
  worker.addEventListener('error', onError);
  void done.then(() => {
    worker.removeEventListener('message', onMessage);
    worker.removeEventListener('error', onError);
  });
  post(runner, { ask: 'run', before: comparedWith.value?.trace }, document);
  return {
    done,
    end() {
      showNewest();
      endRunner(runner);
      settle({ kind: 'stopped' });
    },
  };
}

/** Draws frame after frame on a thread that does nothing else; what it gives ends that. */
export function startFrames(
  document: Document,
  canvas: OffscreenCanvas,
  port: MessagePort,
  fail: (message: string) => void,
): () => void {
  const runner = startRunner();
  runner.worker.addEventListener('error', ({ message }) =>
    fail(message || 'This part of the page could not be loaded.'),
  );
  post(runner, { ask: 'animate', canvas, port }, document);
  return () => endRunner(runner);
}

/** Runs the document with every access to memory by kernels checked, on a thread that does nothing else. */
export function startCheck(document: Document, show: (step: TaskStep) => void): Running<CheckReply> {
  const read = (data: RunReply) => ('checked' in data ? data.checked : undefined);
  return startTask(document, { ask: 'check' }, show, read);
}

/** Counts and times the document's launch, on a thread that does nothing else. */
export function startRoofline(
  document: Document,
  request: RooflineRequest,
  show: (step: TaskStep) => void,
): Running<RooflineReply> {
  const read = (data: RunReply) => ('measured' in data ? data.measured : undefined);
  return startTask(document, { ask: 'roofline', ...request }, show, read);
}

/** @param read the result, if that is what came */
function startTask<Result>(
  document: Document,
  task: Task,
  show: (step: TaskStep) => void,
  read: (data: RunReply) => Result | undefined,
): Running<Result | { readonly failure: string }> {
  const runner = startRunner();
  const { worker } = runner;
  let settle: (result: Result | { readonly failure: string }) => void;
  const done = new Promise<Result | { readonly failure: string }>((resolve) => {
    settle = resolve;
  }).finally(() => endRunner(runner));
  worker.addEventListener('message', ({ data }: MessageEvent<RunReply>) => {
    if ('step' in data) show(data.step);
    const result = read(data);
    if (result !== undefined) settle(result);
  });
  worker.addEventListener('error', ({ message }) =>
    settle({ failure: message || 'This part of the page could not be loaded.' }),
  );
  post(runner, task, document);
  return { done, end: () => settle({ failure: 'Stopped.' }) };
}
