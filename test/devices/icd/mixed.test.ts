/** Contexts that hold the wasm device and a driver's device together. */
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeBuffer } from '../../../src/runtime/buffer.ts';
import { Context } from '../../../src/runtime/context.ts';
import { completeUserEvent, createUserEvent } from '../../../src/runtime/event.ts';
import { CommandQueue } from '../../../src/runtime/queue.ts';
import { bufferOf, build, contentOf, copying, launch, native, skipped, wasmDevice } from './setup.ts';

const source = `
kernel void square(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = in[i] * in[i];
}
kernel void add(global int *data, int value) { data[get_global_id(0)] += value; }`;

describe.skipIf(!native)(`our device and a driver's in one context${skipped}`, () => {
  let context: Context | undefined;
  afterEach(() => context?.close());

  const start = (device: NonNullable<typeof native>) => {
    const ours = wasmDevice();
    context = new Context([ours, device]);
    return {
      context,
      ours: { queue: new CommandQueue(context, ours), program: build(context, ours, source) },
      theirs: { queue: new CommandQueue(context, device), program: build(context, device, source) },
    };
  };

  it('split one range by its offset', async () => {
    const { ours, theirs } = start(native!);
    const count = 100_000;
    const input = bufferOf(
      ours.queue,
      Int32Array.from({ length: count }, (_, i) => i % 40_000),
    );
    const output = bufferOf(ours.queue, new Int32Array(count));
    const half = count / 2;
    const events = [
      launch(ours.queue, ours.program, 'square', [input, output], { global: [half] }),
      launch(theirs.queue, theirs.program, 'square', [input, output], { global: [half], offset: [half] }),
    ];
    await Promise.all(events.map((event) => event.done));
    const expected = Int32Array.from({ length: count }, (_, i) => (i % 40_000) ** 2);
    expect(contentOf(ours.queue, output, new Int32Array(count))).toEqual(expected);
  });

  it('split one range over parts of a buffer where the driver keeps copies', async () => {
    const { ours, theirs } = start(copying!);
    const count = 65_536;
    const input = bufferOf(
      ours.queue,
      Int32Array.from({ length: count }, (_, i) => i),
    );
    const output = bufferOf(ours.queue, new Int32Array(count));
    const half = count / 2;
    const launchOn = ({ queue, program }: typeof ours, from: number) =>
      launch(queue, program, 'square', [input.part(from * 4, half * 4), output.part(from * 4, half * 4)], {
        global: [half],
      });
    await Promise.all([launchOn(ours, 0).done, launchOn(theirs, half).done]);
    const expected = Int32Array.from({ length: count }, (_, i) => Math.imul(i, i));
    expect(contentOf(theirs.queue, output, new Int32Array(count))).toEqual(expected);
  });

  it.each([
    ["the context's memory", native!],
    ['copies', copying!],
  ])('take turns on a buffer, ordered by events (%s)', async (_, device) => {
    const { context: shared, ours, theirs } = start(device);
    const data = RuntimeBuffer.create(shared, 4096);
    data.view(0, 4096).fill(0);
    const gate = createUserEvent(shared, 0x1204);
    let last = launch(ours.queue, ours.program, 'add', [data, Int32Array.of(1)], { global: [1024] }, [gate]);
    for (let turn = 0; turn < 50; turn += 1) {
      const { queue, program } = turn % 2 === 0 ? theirs : ours;
      last = launch(queue, program, 'add', [data, Int32Array.of(1)], { global: [1024] }, [last]);
    }
    completeUserEvent(gate, 0);
    await last.done;
    expect(contentOf(theirs.queue, data, new Int32Array(1024))).toEqual(new Int32Array(1024).fill(51));
  });
});
