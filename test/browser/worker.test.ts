/** Millrace in a dedicated worker of a cross-origin isolated page, where a host program may block. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from './chromium.ts';
import type { StaticServer } from './server.ts';
import { openPage, startSite, type TestPage } from './site.ts';

describe.skipIf(chromiumPath === undefined)('a worker of an isolated page (needs Chromium)', () => {
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

  it('says how to begin where a sleep would be for ever', async () => {
    // Threads of a page do not start while the thread that started them sleeps.
    expect(await test.inWorker('blockAtOnce')).toEqual({
      name: 'CL_INVALID_OPERATION',
      message: expect.stringContaining('await queue.ready()'),
    });
  });

  it('runs host programs that block', async () => {
    const right = { wrong: 0, sameBytes: true, timesInOrder: true };
    expect(await test.inWorker('openCL', 'blocking')).toEqual(right);
    expect(await test.inWorker('openCL', 'promise')).toEqual(right);
    expect(await test.inWorker('blockingCalls')).toEqual({ finish: 'no error', read: 'no error' });
  });

  it('runs the short form', async () => {
    expect(await test.inWorker('surroundings')).toMatchObject({ isolated: true, window: false });
    expect(await test.inWorker('saxpy', 100_003)).toEqual({ wrong: 0, timesInOrder: true });
    expect(await test.inWorker('manyLaunches', 500)).toEqual({ values: [500], timesInOrder: true });
  });

  it('stops an endless kernel', async () => {
    const found = await test.inWorker('endlessKernel', 1000, 8);
    expect(found.error).toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    expect(found).toMatchObject({ stillWriting: false, after: true });
  });

  it('does not sleep for ever behind an endless kernel', async () => {
    const found = await test.inWorker('blockBehindEndlessKernel');
    expect(found.blocking).toEqual({
      name: 'CL_INVALID_OPERATION',
      message: expect.stringContaining('await queue.finished()'),
    });
    expect(found.launch).toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    expect(found.after).toBe('no error');
  });

  it('reports no errors', () => {
    expect(site.missing).toEqual([]);
    expect(test.errors).toEqual([]);
  });
});
