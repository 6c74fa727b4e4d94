/**
 * The thread that has the runtime: it runs whatever the document is, so that the page stays alive and a person can end what does
 * not end. Streams of Brook+ wait for their device, which only a worker may.
 */
import { delegateThreadsTo } from 'millrace/threads';
import type { Document } from '../document.ts';
import { runKindOf } from '../document.ts';
import { addFile } from './files.ts';
import type { RunReply, RunRequest, Task } from './messages.ts';
import type { RunOutcome } from './outcome.ts';

const reply = (message: RunReply) => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<RunRequest>) => {
  void answer(data);
});

async function answer({ threads, task, document, files }: RunRequest): Promise<void> {
  try {
    if (threads) await delegateThreadsTo(threads);
    for (const [name, blob] of files) await addFile(name, blob);
    if (task.ask === 'animate') {
      const { animate } = await import('../live/animate.ts');
      return await animate(document, task.canvas, task.port);
    }
    reply(await work(task, document));
  } catch (error) {
    const message = `This part of the page could not be loaded: ${(error as Error).message}`;
    switch (task.ask) {
      case 'animate':
        return task.port.postMessage({ problem: message });
      case 'check':
        return reply({ checked: { failure: message } });
      case 'roofline':
        return reply({ measured: { failure: message } });
      case 'run':
        return reply({ ended: { kind: 'failed', message }, profiled: undefined });
    }
  }
}

async function work(task: Exclude<Task, { ask: 'animate' }>, document: Document): Promise<RunReply> {
  switch (task.ask) {
    case 'check': {
      const { checkDocument } = await import('../check/check-document.ts');
      return { checked: await checkDocument(document, (step) => reply({ step })) };
    }
    case 'roofline': {
      const { measureRoofline } = await import('../roofline/measure.ts');
      return { measured: await measureRoofline(document, task, (step) => reply({ step })) };
    }
    case 'run': {
      const { startProfile } = await import('./profile-run.ts');
      const endProfile = startProfile(task.before);
      const ended = await run(document);
      return { ended, profiled: endProfile() };
    }
  }
}

/** What runs each kind is loaded when it is first run. */
async function run(document: Document): Promise<RunOutcome> {
  const show = (soFar: RunOutcome) => reply({ soFar });
  switch (runKindOf(document)) {
    case 'program': {
      const { runProgram } = await import('./run-program.ts');
      return runProgram(document, show);
    }
    case 'study': {
      const { runStudy } = await import('./run-study.ts');
      return runStudy(document, show);
    }
    case 'kernel': {
      if (document.language === 'il') {
        const { runIl } = await import('./run-il.ts');
        return runIl(document);
      }
      const { runKernel } = await import('./run-kernel.ts');
      return runKernel(document);
    }
  }
}
