/** Millrace in the window of a cross-origin isolated page, with threads. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from './chromium.ts';
import type { StaticServer } from './server.ts';
import { openPage, startSite, type TestPage } from './site.ts';

describe.skipIf(chromiumPath === undefined)('an isolated page (needs Chromium)', () => {
  let browser: Browser;
  let site: StaticServer;
  let test: TestPage;
  beforeAll(async () => {
    [browser, site] = await Promise.all([startChromium(), startSite(true)]);
    test = await openPage(browser, site);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it('has shared memory and the threads of the machine', async () => {
    const found = await test.here('surroundings');
    expect(found).toMatchObject({ isolated: true, sharedArrayBuffer: true, window: true });
    expect(found.devices).toEqual(['wasm', 'interpreter']);
    expect(found.threads).toBe(found.hardware);
  });

  it('runs saxpy', async () => {
    expect(await test.here('saxpy', 100_003)).toEqual({ wrong: 0, timesInOrder: true });
    expect(await test.here('saxpy', 1003, 'interpreter')).toEqual({ wrong: 0, timesInOrder: true });
  });

  it('prints what kernels print', async () => {
    expect(await test.here('printing')).toEqual({
      logged: ['0: 0.00', '1: 0.25', 'end'],
      taken: '0: 0.00\nend',
    });
  });

  it('runs barriers in a loop', async () => {
    // The sum of 64 numbers from 64 g + 1 on.
    const expected = Array.from({ length: 16 }, (_, g) => 64 * 64 * g + (64 * 65) / 2);
    expect(await test.here('barriers')).toEqual(expected);
  });

  it('runs many launches in their order', async () => {
    expect(await test.here('manyLaunches', 500)).toEqual({ values: [500], timesInOrder: true });
  });

  it('keeps the threads of a few idle contexts only, and starts those of others anew', async () => {
    const { threads } = await test.here('surroundings');
    expect(await test.here('contextsInTurn', 8, 3)).toEqual({ least: 3, most: 3 });
    const most = 6 * (threads + 1);
    // The last to rest are on their way out.
    for (let wait = 0; wait < 500 && test.page.workers().length > most; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(test.page.workers().length).toBeLessThanOrEqual(most);
  });

  it('writes, maps and reads buffers; a mapping is the device memory itself', async () => {
    expect(await test.here('bufferUse')).toEqual({
      throughMapping: [-4, 11, 21, 31, 41, 51, 61, 71],
      read: [11, 21, 31],
      sharedBytes: true,
    });
  });

  it('tells where a source is wrong', async () => {
    expect(await test.here('compileError')).toEqual({
      name: 'BuildError',
      message: expect.stringContaining("k.cl:2:10: error: use of undeclared identifier 'b'"),
    });
  });

  it('stops an endless kernel, and nothing of it runs on', async () => {
    const found = await test.here('endlessKernel', 1000, 8);
    expect(found.error).toEqual({
      name: 'CL_OUT_OF_RESOURCES',
      message: expect.stringContaining('time-out of 1000 ms'),
    });
    expect(found.stillWriting).toBe(false);
    expect(found.after).toBe(true);
  });

  it.each(['hello', 'overlap', 'multi-device'])('runs the sample %s of CAL', async (name) => {
    const expected = readFileSync(`samples/cal-${name}/expected.txt`, 'utf8');
    expect(await test.here('calSample', name)).toEqual(expected.replace(/\n$/, '').split('\n'));
  });

  it('runs OpenCL host programs that await or take callbacks', async () => {
    const right = { wrong: 0, sameBytes: true, timesInOrder: true };
    expect(await test.here('openCL', 'promise')).toEqual(right);
    expect(await test.here('openCL', 'callback')).toEqual(right);
  });

  it('refuses to block the window', async () => {
    const refused = {
      name: 'CL_INVALID_OPERATION',
      message: expect.stringContaining('this thread may not block'),
    };
    expect(await test.here('blockingCalls')).toEqual({ finish: refused, read: refused });
  });

  it('leaves the window free during a long launch', async () => {
    const found = await test.here('longLaunch', 64, 1_000_000);
    expect(found.error).toBe('no error');
    expect(found.fired).toBeGreaterThan(0);
  });

  it('asks for nothing that is not there and reports no errors', () => {
    expect(site.missing).toEqual([]);
    expect(test.errors).toEqual([]);
  });
});
