/** Entry file of a native device's thread (dist/icd.js). */

import { ControlMemory } from '../../runtime/control-memory.ts';
import { enterThread } from '../../runtime/host.ts';
import { type NativeStart, processorWords } from './native-layout.ts';
import { NativeProcessor } from './native-processor.ts';

enterThread((data, post) => {
  const start = data as NativeStart;
  try {
    new NativeProcessor(start, () => post(0)).run();
  } catch (error) {
    // A host that sleeps is told so; one that does not gets the error.
    const { words } = ControlMemory.attach(start.control);
    Atomics.store(words, start.processor + processorWords.failed, 1);
    throw error;
  }
});
