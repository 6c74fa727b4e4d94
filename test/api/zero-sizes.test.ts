/**
 * Commands on no bytes of a buffer. OpenCL has never had an error for a fill of size 0; for reads, writes and copies it dropped
 * that error in 2.1. For maps it kept it (3.0, 5.2.1 to 5.2.4). PoCL has fills like this, too. They are commands like others:
 * they wait, and have events.
 */
import { CL, CLEvent, createContext, getPlatforms } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const devices = getPlatforms().flatMap((platform) => [
  ...platform.getDevices(CL.DEVICE_TYPE_ALL),
  ...(platform === getPlatforms()[0] ? platform.getDevices(CL.DEVICE_TYPE_CUSTOM) : []),
]);

describe.each(devices.map((device) => [device.getInfo(CL.DEVICE_NAME) as string, device] as const))(
  'on %s',
  (_, device) => {
    const context = createContext([device]);
    const queue = context.createCommandQueue(device);
    const content = Uint8Array.from({ length: 64 }, (_, index) => index + 1);
    const pattern = Uint32Array.of(0xffffffff);
    const buffer = () => context.createBuffer(CL.MEM_COPY_HOST_PTR, content);

    const commands = [
      [CL.COMMAND_FILL_BUFFER, (b, at, w, e) => queue.enqueueFillBuffer(b, pattern, at, 0, w, e)],
      [CL.COMMAND_READ_BUFFER, (b, at, w, e) => queue.enqueueReadBuffer(b, !w, at, 0, pattern, w, e)],
      [CL.COMMAND_WRITE_BUFFER, (b, at, w, e) => queue.enqueueWriteBuffer(b, !w, at, 0, pattern, w, e)],
      [CL.COMMAND_COPY_BUFFER, (b, at, w, e) => queue.enqueueCopyBuffer(b, b, at, at, 0, w, e)],
    ] as readonly [
      number,
      (b: ReturnType<typeof buffer>, at: number, waits: CLEvent[] | null, event: CLEvent | null) => void,
    ][];

    it.each(commands)('%d changes nothing, anywhere in the buffer and at its end', (type, enqueue) => {
      const target = buffer();
      for (const at of [0, 8, 64]) {
        const event = new CLEvent();
        enqueue(target, at, null, event);
        queue.finish();
        expect(event.getInfo(CL.EVENT_COMMAND_TYPE)).toBe(type);
        expect(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(CL.COMPLETE);
      }
      expect(errorName(() => enqueue(target, 68, null, null))).toBe('CL_INVALID_VALUE');
      const found = new Uint8Array(64);
      queue.enqueueReadBuffer(target, true, 0, 64, found);
      expect(found).toEqual(content);
      expect(pattern[0]).toBe(0xffffffff);
    });

    it.each(commands)('%d waits for its events', async (_type, enqueue) => {
      const gate = context.createUserEvent();
      const event = new CLEvent();
      enqueue(buffer(), 0, [gate], event);
      expect(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).not.toBe(CL.COMPLETE);
      gate.setStatus(CL.COMPLETE);
      await event.done;
      expect(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBe(CL.COMPLETE);
    });

    it('is refused where there is no such thing', () => {
      const target = buffer();
      const fill = (at: number, bytes: Uint8Array) =>
        errorName(() => queue.enqueueFillBuffer(target, bytes, at, 0));
      expect(fill(2, new Uint8Array(4))).toBe('CL_INVALID_VALUE');
      expect(fill(0, new Uint8Array(0))).toBe('CL_INVALID_VALUE');
      expect(fill(0, new Uint8Array(3))).toBe('CL_INVALID_VALUE');
      expect(errorName(() => queue.enqueueMapBuffer(target, true, CL.MAP_READ, 0, 0))).toBe(
        'CL_INVALID_VALUE',
      );
    });
  },
);
