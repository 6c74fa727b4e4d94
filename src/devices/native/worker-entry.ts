/** Entry file of a compute thread that runs machine code (dist/native-worker.js). */
import { endThread, enterThread } from '../../runtime/host.ts';
import type { ThreadStart } from '../wasm/shared-layout.ts';
import { runWorker } from '../wasm/worker.ts';
import { enterCode, leaveCode, nativeKernels } from './native-kernels.ts';
import { openSystem } from './system.ts';

enterThread((data, post) => {
  const start = data as ThreadStart;
  // What calls code is there before the first launch: it takes milliseconds, which are no launch's.
  enterCode(start);
  openSystem();
  leaveCode(start);
  post(0);
  runWorker(start, () => post(0), nativeKernels(start));
  endThread();
});
