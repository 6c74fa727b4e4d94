/** The page's side of the checker. */
import type { Document } from '../document.ts';
import { givenFiles } from '../run/files.ts';
import type { CheckReply, CheckRequest } from './messages.ts';

/** Runs the document's launch with every access to memory checked. Never throws. */
export function checkDocument(document: Document): Promise<CheckReply> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' });
  const request: CheckRequest = { document, files: givenFiles() };
  return new Promise<CheckReply>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => resolve(data));
    worker.addEventListener('error', ({ message }) =>
      resolve({ failure: message || 'the checker could not be loaded' }),
    );
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
