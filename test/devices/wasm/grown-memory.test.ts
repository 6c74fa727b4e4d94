/** Memory that grows while the device's threads look at it: what lies behind the end that they know. */
import { afterEach, expect, it } from 'vitest';
import { ControlMemory } from '../../../src/runtime/control-memory.ts';
import { EventTable } from '../../../src/runtime/event-table.ts';
import { bufferUpTo } from '../../../src/runtime/shared-growth.ts';
import { executionStatus } from '../../../src/runtime/status.ts';
import { type Bench, setUp } from './setup.ts';

let bench: Bench | undefined;
afterEach(() => bench?.close());

const pageBytes = 65536;

/** A memory as a thread of V8 sees it that another has made grow: longer only when it is asked to grow itself. */
function toldLate(memory: WebAssembly.Memory): WebAssembly.Memory {
  let { buffer } = memory;
  return {
    get buffer() {
      return buffer;
    },
    grow(pages: number) {
      const before = memory.grow(pages);
      buffer = memory.buffer;
      return before;
    },
  } as WebAssembly.Memory;
}

it('a thread that the engine has not told of growth sees all of the memory', () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true });
  const late = toldLate(memory);
  memory.grow(2);
  expect(bufferUpTo(late, pageBytes).byteLength).toBe(pageBytes);
  expect(bufferUpTo(late, pageBytes + 1).byteLength).toBe(3 * pageBytes);
});

it('an event behind the end that a thread knows is completed and released there', () => {
  const host = ControlMemory.create(true);
  const thread = new EventTable(ControlMemory.attach(toldLate(host.memory!)), () => {});
  const releasing = new EventTable(ControlMemory.attach(toldLate(host.memory!)), () => {});
  const events = new EventTable(host, () => {});
  host.allocate(host.bytes.length - host.used);
  const slot = events.allocate(2);
  expect(slot * 4).toBeGreaterThan(1 << 20);
  thread.start(slot);
  expect(events.status(slot)).toBe(executionStatus.running);
  thread.complete(slot, executionStatus.complete);
  expect(events.isDone(slot)).toBe(true);
  releasing.release(slot);
  expect(events.isHeldOnce(slot)).toBe(true);
});

it('a queue that never got a command is given up, though its stream begins where its record does not', async () => {
  bench = setUp();
  await bench.queue.ready();
  const { control } = bench.context;
  const hole = control.allocate(1024);
  // All that is left, and more than a stream's chunk beyond.
  control.allocate(control.bytes.length - control.used);
  control.allocate(2 * pageBytes);
  control.free(hole);
  const unused = bench.newQueue();
  unused.release();
  const out = bench.buffer(16);
  await bench.launch('number', 16, [out, 3]).done;
  await bench.launch('number', 16, [out, 4]).done;
  expect(bench.read(out, 1).data[0]).toBe(4);
});
