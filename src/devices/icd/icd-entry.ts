/** Entry file of a native device's thread (dist/icd.js). */

import { ControlMemory } from '../../runtime/control-memory.ts';
import { EventTable } from '../../runtime/event-table.ts';
import { enterThread } from '../../runtime/host.ts';
import { type NativeStart, processorWords } from './native-layout.ts';
import { NativeProcessor } from './native-processor.ts';

enterThread((data, post) => {
  const start = data as NativeStart;
  try {
    new NativeProcessor(start, () => post(0)).run();
  } catch (error) {
    // A host that sleeps is told so; one that does not gets the error.
    const control = ControlMemory.attach(start.control);
    const events = new EventTable(control, () => post(0));
    const what = error instanceof Error ? error.message : String(error);
    control.words[start.processor + processorWords.lastWords] = events.writeMessage(what);
    Atomics.store(control.words, start.processor + processorWords.died, 1);
    events.wakeHost();
    throw error;
  }
});
