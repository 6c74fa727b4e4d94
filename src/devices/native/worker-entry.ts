/** Entry file of a compute thread that runs machine code (dist/native-worker.js). */
import { endThread, enterThread } from '../../runtime/host.ts';
import type { ThreadStart } from '../wasm/shared-layout.ts';
import { runWorker } from '../wasm/worker.ts';
import { nativeKernels } from './native-kernels.ts';

enterThread((data, post) => {
  post(0);
  const start = data as ThreadStart;
  runWorker(start, () => post(0), nativeKernels(start));
  endThread();
});
