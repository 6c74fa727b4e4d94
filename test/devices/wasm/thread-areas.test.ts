import { expect, it } from 'vitest';
import { ThreadAreas } from '../../../src/devices/wasm/thread-areas.ts';
import type { DeviceHost } from '../../../src/runtime/device.ts';
import { OpenCLError } from '../../../src/runtime/status.ts';

const mebi = 1 << 20;

/** A host with so many bytes, of which it gives all that is asked for at once. */
function hostWith(bytes: number): DeviceHost {
  const allocate = (wanted: number): number => {
    if (wanted > bytes) throw new OpenCLError('CL_MEM_OBJECT_ALLOCATION_FAILURE', 'no room');
    return 128;
  };
  return { memory: { allocate }, freeLater: () => {} } as unknown as DeviceHost;
}

it('52 threads have 64 MiB each in 4 GiB, where there is no room for what they may want next', () => {
  const areas = new ThreadAreas(hostWith(4096 * mebi), 52);
  expect(areas.ensure(64 * mebi)).toEqual({ base: 128, stride: 64 * mebi });
  // With fewer there is.
  expect(new ThreadAreas(hostWith(4096 * mebi), 40).ensure(64 * mebi).stride).toBe(80 * mebi);
});

it('the memory says why there is no room at all, and the areas stay as they were', () => {
  const areas = new ThreadAreas(hostWith(4096 * mebi), 65);
  const before = areas.ensure(1);
  expect(() => areas.ensure(64 * mebi)).toThrow(/no room/);
  expect(areas.ensure(1)).toEqual(before);
});
