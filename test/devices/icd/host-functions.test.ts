/** Functions of the host between kernels of a driver's device, in the host's memory and in copies of it. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/runtime/context.ts';
import { enqueueHostFunction } from '../../../src/runtime/host-function.ts';
import { bufferOf, build, contentOf, copying, launch, native, open, skipped } from './setup.ts';

const source = 'kernel void add(global int *data) { data[get_global_id(0)] += get_global_id(0) + 1; }';

describe.skipIf(!native)(`functions of the host in a driver's queue${skipped}`, () => {
  let context: Context | undefined;
  afterEach(() => context?.close());

  it.each([
    ['in the context’s memory', native, false],
    ['in copies', copying, false],
    ['in copies, out of order', copying, true],
  ] as const)('%s', (_, device, outOfOrder) => {
    const { context: opened, queue } = open(device!, { outOfOrder });
    context = opened;
    const program = build(opened, device!, source);
    const buffer = bufferOf(queue, new Int32Array(4));
    const first = launch(queue, program, 'add', [buffer], { global: [4] });
    const called = enqueueHostFunction(
      queue,
      0x11f2,
      ([bytes]) => {
        const data = new Int32Array(bytes!.buffer, bytes!.byteOffset, 4);
        for (const [index, value] of data.entries()) data[index] = value * 10;
      },
      [buffer],
      [first],
    );
    launch(queue, program, 'add', [buffer], { global: [4] }, [called]).wait();
    expect([...contentOf(queue, buffer, new Int32Array(4))]).toEqual([11, 22, 33, 44]);
  });
});
