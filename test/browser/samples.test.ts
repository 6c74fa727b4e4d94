/**
 * Every sample in a page, with threads and without: checks right, and the numbers those of Node, bit for bit, as long as
 * neither contracts.
 */
import { createHash } from 'node:crypto';
import { compile } from 'millrace';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gallery } from '../../samples/gallery.ts';
import { chromiumPath, startChromium } from './chromium.ts';
import type { StaticServer } from './server.ts';
import { nodeContext, openPage, startSite, type TestPage } from './site.ts';

describe.skipIf(chromiumPath === undefined)('the samples (need Chromium)', () => {
  let browser: Browser;
  const sites: StaticServer[] = [];
  const pages: TestPage[] = [];
  beforeAll(async () => {
    browser = await startChromium();
    for (const isolated of [true, false]) {
      const site = await startSite(isolated, ['small']);
      sites.push(site);
      pages.push(await openPage(browser, site));
    }
  });
  afterAll(async () => {
    await browser?.close();
    for (const site of sites) await site.close();
  });

  it.each(gallery.map(({ name }) => name))('%s', async (name) => {
    const context = {
      ...nodeContext('small'),
      compile: (source: string, options?: string) => compile(source, { options }),
    };
    const { runs, findings } = await gallery.find((sample) => sample.name === name)!.run(context);
    const expected = {
      runs: runs.map(({ kernel, check, output }) => ({
        kernel,
        ...check,
        digest: createHash('sha256').update(output).digest('hex'),
      })),
      findings,
    };
    for (const { ok, detail } of expected.runs) expect(ok, detail).toBe(true);
    for (const page of pages) {
      const { runs: inPage, findings: said } = await page.sample(name, 'small');
      expect(inPage).toEqual(expected.runs);
      expect(said).toEqual(findings);
    }
  });

  it('ask for nothing that is not there and report no errors', () => {
    expect(sites.flatMap((site) => site.missing)).toEqual([]);
    expect(pages.flatMap((page) => page.errors)).toEqual([]);
  });
});
