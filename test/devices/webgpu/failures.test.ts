// Launches that take too long, and what is left of a context whose device is gone. Needs the built dist/ and a WebGPU; see device.test.ts.
import '../../support/webgpu.ts';
import { compile, type Device, requestDevice } from 'millrace';
import { describe, expect, test } from 'vitest';

const found: Device | string = await requestDevice('webgpu').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (SKIPPED: ${found})` : '';

const source = `
kernel void slow(global uint *p, uint rounds) {
  uint x = get_global_id(0);
  for (uint r = 0; r < rounds; r++) x = x * 1664525u + 1013904223u;
  p[get_local_id(0)] = x;
}
kernel void fast(global uint *p) { p[get_global_id(0)] = get_global_id(0); }`;

describe.skipIf(skipped !== '')(`launches that take too long${skipped}`, () => {
  test('of a long range no more is begun after the time-out, and the device lives on', async () => {
    const program = await compile(source, { device: found as Device, timeout: 2000 });
    const out = program.buffer(64 * 4);
    // A small part of a second for the first groups, also where others keep the processors busy; many seconds for all.
    const start = performance.now();
    const slow = program.kernel('slow')({ global: [64 * 240_000], local: [64] }, out, 400);
    await expect(slow).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    expect(performance.now() - start).toBeGreaterThan(1900);
    await program.kernel('fast')({ global: [64] }, out);
    expect([...(await out.read(Uint32Array))]).toEqual(Array.from({ length: 64 }, (_, at) => at));
    program.release();
  }, 180_000);

  test('one group that does not end is ended with the device; the next program gets a new one', async () => {
    const program = await compile(source, { device: found as Device, timeout: 300 });
    const kept = program.buffer(Uint32Array.of(1, 2, 3));
    const slow = program.kernel('slow')({ global: [1] }, program.buffer(4), 200_000_000);
    await expect(slow).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    const next = program.kernel('fast')({ global: [1] }, program.buffer(4));
    await expect(next).rejects.toMatchObject({ name: 'CL_DEVICE_NOT_AVAILABLE' });
    expect([...(await kept.read(Uint32Array))]).toEqual([1, 2, 3]);
    program.release();

    // No time-out: the stand-in for a card that tests have runs the long kernel to its end all the same, and this one waits for it.
    const again = await compile(source, { device: found as Device });
    const out = new Uint32Array(4);
    await again.kernel('fast')({ global: [4] }, out);
    expect([...out]).toEqual([0, 1, 2, 3]);
    again.release();
  }, 180_000);
});
