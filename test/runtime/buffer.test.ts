/** When the bytes of a memory object are used no more: as soon as the events of the commands that use them have ended. */
import { expect, it } from 'vitest';
import { RuntimeBuffer } from '../../src/runtime/buffer.ts';
import type { Command } from '../../src/runtime/command.ts';
import { Context } from '../../src/runtime/context.ts';
import type { Device, DeviceHost } from '../../src/runtime/device.ts';
import { CommandQueue } from '../../src/runtime/queue.ts';
import { executionStatus } from '../../src/runtime/status.ts';

/** A device that ends commands when the test says so, and never comes to count them. */
function slowToCount() {
  const commands: Command[] = [];
  const device = {
    open: (host: DeviceHost) => ({
      createQueue: () => ({
        owner: 1,
        submit(command: Command) {
          host.events.setOwner(command.event, 1);
          commands.push(command);
        },
        completed: () => 0,
        flush() {},
        release() {},
      }),
      close() {},
    }),
  } as unknown as Device;
  return { device, commands };
}

it.each([false, true])(
  'of commands whose end the device has not counted yet (out of order: %s)',
  (outOfOrder) => {
    const { device, commands } = slowToCount();
    const context = new Context([device], { shared: false });
    const queue = new CommandQueue(context, device, { outOfOrder });
    const buffer = RuntimeBuffer.create(context, 64);
    for (let index = 0; index < 3; index += 1) queue.enqueueUnseen(0, { kind: 'marker' }, [], [buffer]);
    const [first, second, third] = commands.map(({ event }) => event);
    let told = 0;
    const ask = () =>
      buffer.whenUnused(() => {
        told += 1;
      });
    context.events.complete(third!, executionStatus.complete);
    context.events.complete(first!, -5);
    expect(queue.isOver).toBe(false);
    context.events.complete(second!, executionStatus.complete);
    expect(queue.isOver).toBe(true);
    ask();
    expect(told).toBe(1);
    context.close();
  },
);
