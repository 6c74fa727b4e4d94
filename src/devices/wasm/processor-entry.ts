/** Entry file of a command processor's thread (dist/processor.js). */
import { endThread, enterThread } from '../../runtime/host.ts';
import { Processor } from './processor.ts';
import type { ThreadStart } from './shared-layout.ts';

enterThread((data, post) => {
  // The first message says that the thread runs.
  post(0);
  new Processor(data as ThreadStart, () => post(0)).run();
  endThread();
});
