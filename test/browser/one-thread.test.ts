/** Millrace in a page without the isolating headers: no shared memory, one thread. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from './chromium.ts';
import type { StaticServer } from './server.ts';
import { openPage, startSite, type TestPage } from './site.ts';

describe.skipIf(chromiumPath === undefined)('a page that is not isolated (needs Chromium)', () => {
  let browser: Browser;
  let site: StaticServer;
  let test: TestPage;
  beforeAll(async () => {
    [browser, site] = await Promise.all([startChromium(), startSite(false)]);
    test = await openPage(browser, site);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it('has no shared memory and says that it has one thread', async () => {
    expect(await test.here('surroundings')).toMatchObject({
      isolated: false,
      sharedArrayBuffer: false,
      threads: 1,
    });
  });

  it('prints what kernels print', async () => {
    expect(await test.here('printing')).toEqual({
      logged: ['0: 0.00', '1: 0.25', 'end'],
      taken: '0: 0.00\nend',
    });
  });

  it('computes the same', async () => {
    expect(await test.here('saxpy', 100_003)).toEqual({ wrong: 0, timesInOrder: true });
    const sums = Array.from({ length: 16 }, (_, g) => 64 * 64 * g + (64 * 65) / 2);
    expect(await test.here('barriers')).toEqual(sums);
    expect(await test.here('manyLaunches', 500)).toEqual({ values: [500], timesInOrder: true });
    expect(await test.here('bufferUse')).toEqual({
      throughMapping: [-4, 11, 21, 31, 41, 51, 61, 71],
      read: [11, 21, 31],
      sharedBytes: false,
    });
  });

  it.each(['promise', 'callback', 'blocking'] as const)(
    'runs an OpenCL host program: %s',
    async (waiting) => {
      // A blocking call does the work itself here, so the window may block too.
      const right = { wrong: 0, sameBytes: true, timesInOrder: true };
      expect(await test.here('openCL', waiting)).toEqual(right);
      expect(await test.inWorker('openCL', waiting)).toEqual(right);
    },
  );

  it('gives the page its turns during a long launch', async () => {
    const found = await test.here('longLaunch', 20_000, 2_000);
    expect(found.error).toBe('no error');
    // Far fewer than there would be if the page were idle, far more than if it were stuck.
    expect(found.fired).toBeGreaterThan(found.milliseconds / 100);
  });

  it('stops a launch beyond its time-out between work-groups', async () => {
    const found = await test.here('longLaunch', 1_000_000, 2_000, 100);
    expect(found.error).toEqual({
      name: 'CL_OUT_OF_RESOURCES',
      message: expect.stringContaining('time-out of 100 ms'),
    });
  });

  it('says what programs in C lack', async () => {
    await expect(test.program('/index.html')).rejects.toThrow(
      /it is not cross-origin isolated: .*Cross-Origin-Opener-Policy: same-origin/,
    );
  });

  it('reports no errors', () => {
    expect(site.missing).toEqual([]);
    expect(test.errors).toEqual([]);
  });
});
