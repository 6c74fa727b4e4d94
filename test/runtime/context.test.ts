/** What a context tells of a device that dies. */
import { expect, it } from 'vitest';
import { Context } from '../../src/runtime/context.ts';
import type { Device, DeviceHost } from '../../src/runtime/device.ts';
import { OpenCLError } from '../../src/runtime/status.ts';

it('tells once that a device has died', () => {
  const hosts: DeviceHost[] = [];
  const device = {
    open(host: DeviceHost) {
      hosts.push(host);
      return { close() {} };
    },
  } as unknown as Device;
  const context = new Context([device], { shared: false });
  const told: string[] = [];
  context.whenLost((error) => told.push(error.message));
  for (const message of ['first', 'second']) {
    hosts[0]!.lost(new OpenCLError('CL_DEVICE_NOT_AVAILABLE', message));
  }
  expect(told).toEqual(['first']);
  expect(context.lost?.message).toBe('first');
  context.close();
});
