/**
 * The thread that has the runtime: it runs whatever the document is, so that the page stays alive and a person can end what does
 * not end. Streams of Brook+ wait for their device, which only a worker may.
 */
import type { Document } from '../document.ts';
import { runKindOf } from '../document.ts';
import { addFile } from './files.ts';
import type { RunReply, RunRequest } from './messages.ts';
import type { RunOutcome } from './outcome.ts';

const reply = (message: RunReply) => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<RunRequest>) => {
  void answer(data);
});

async function answer({ ask, document, files }: RunRequest): Promise<void> {
  try {
    for (const [name, blob] of files) await addFile(name, blob);
    if (ask === 'check') {
      const { checkLaunch } = await import('../check/check-launch.ts');
      reply({ checked: await checkLaunch(document) });
    } else {
      const { startProfile } = await import('./profile-run.ts');
      const endProfile = startProfile();
      const ended = await run(document);
      reply({ ended, profiled: endProfile() });
    }
  } catch (error) {
    const message = `This part of the page could not be loaded: ${(error as Error).message}`;
    reply(
      ask === 'check'
        ? { checked: { failure: message } }
        : { ended: { kind: 'failed', message }, profiled: undefined },
    );
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
