/** Entry file of a WebGPU device's thread (dist/gpu.js). */
import { ControlMemory } from '../../runtime/control-memory.ts';
import { EventTable } from '../../runtime/event-table.ts';
import { endThread, enterThread } from '../../runtime/host.ts';
import { processorWords } from '../icd/native-layout.ts';
import { findAdapter, openDevice } from './gpu-api.ts';
import type { GpuStart } from './gpu-layout.ts';
import { GpuProcessor } from './gpu-processor.ts';

async function run(start: GpuStart, post: () => void): Promise<void> {
  const { words } = ControlMemory.attach(start.control);
  const hold = start.processor + processorWords.hold;
  // Said before it is asked: one of the two who look sees the other.
  Atomics.store(words, hold, 1);
  try {
    if (Atomics.load(words, start.processor + processorWords.shutdown) === 0) await work(start, post);
  } finally {
    Atomics.store(words, hold, 2);
    Atomics.notify(words, hold);
  }
}

async function work(start: GpuStart, post: () => void): Promise<void> {
  const adapter = await findAdapter();
  if (typeof adapter === 'string') throw new Error(adapter);
  const device = await openDevice(adapter);
  await new GpuProcessor(start, device, post).run();
}

enterThread((data, post) => {
  const start = data as GpuStart;
  run(start, () => post(0)).then(endThread, (error: unknown) => {
    // A host that sleeps is told so; one that does not gets the error.
    const control = ControlMemory.attach(start.control);
    const events = new EventTable(control, () => post(0));
    const what = error instanceof Error ? error.message : String(error);
    control.words[start.processor + processorWords.lastWords] = events.writeMessage(what);
    Atomics.store(control.words, start.processor + processorWords.died, 1);
    events.wakeHost();
    throw error;
  });
});
