/** Entry file of a compute thread (dist/worker.js). */
import { endThread, enterThread } from '../../runtime/host.ts';
import type { ThreadStart } from './shared-layout.ts';
import { runWorker } from './worker.ts';

enterThread((data, post) => {
  // The first message says that the thread runs.
  post(0);
  runWorker(data as ThreadStart, () => post(0));
  endThread();
});
