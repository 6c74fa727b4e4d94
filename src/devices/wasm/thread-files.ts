/** Where the files of the threads are, and how their code is had where they are not. */
import { fileBeside, loadThreadCodeBy, type ThreadFile } from '../../runtime/thread-file.ts';

/** The files of the threads, next to this module. Bundlers look for addresses written like these, and move the files. */
export function threadFiles(): { readonly processor: ThreadFile; readonly worker: ThreadFile } {
  loadCodeWhenMissing();
  return {
    processor: fileBeside('processor.js', () => new URL('./processor.js', import.meta.url)),
    worker: fileBeside('worker.js', () => new URL('./worker.js', import.meta.url)),
  };
}

/** For who starts threads: code is loaded in the place of files that are not there. */
export function loadCodeWhenMissing(): void {
  loadThreadCodeBy(async () => (await import('./embedded-threads.ts')).threadCode);
}
