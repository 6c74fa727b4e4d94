/**
 * Every entry of the playground's gallery in Chromium: what the page shows is what the same document gives in Node. What the
 * samples' results are to be is told by their own references and, for CAL, by the texts beside them.
 */
import { readFileSync } from 'node:fs';
import { encode as encodePng } from 'fast-png';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import type { Document } from '../../playground/src/document.ts';
import { addPicture, photoName } from '../../playground/src/run/files.ts';
import { decodeDocument } from '../../playground/src/share.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { choose, entriesOf, openPlayground, run } from './playground-page.ts';
import { lines, photo, runInNode, shownInPage, shownOf } from './playground-shown.ts';
import { type StaticServer, startServer } from './server.ts';

/** What needs WebGL is compared with its reference in the page; test/browser/vertex-waves.test.ts looks at its picture. */
const inPageOnly: Readonly<Record<string, readonly string[]>> = {
  'vertex-waves': [
    'wave_vertices right: 128 x 128 vertices, at most 0.000002 from the reference',
    '# frames a second, each read back for this page',
  ],
};

/** What a sample of CAL prints. */
const expectedOf = (id: string) => [
  'exit code 0',
  ...lines(readFileSync(`samples/${id}/expected.txt`, 'utf8')),
];

async function documentOf(hash: string): Promise<Document> {
  const shared = await decodeDocument(hash);
  if (!('document' in shared)) throw new Error(shared.problem);
  return shared.document;
}

describe.skipIf(chromiumPath === undefined)('the gallery of the playground (needs Chromium)', () => {
  let browser: Browser;
  let server: StaticServer;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    const [started, folder] = await Promise.all([
      // Relaxed SIMD, which Node 20 has not, rounds a product and its sum once where the processor can; here it cannot.
      startChromium(['--js-flags=--no-enable-fma3']),
      builtPlayground(),
    ]);
    browser = started;
    server = await startServer({ folders: { '': folder }, isolated: true, policy: contentSecurityPolicy });
    page = await openPlayground(browser, server, { errors });
    await page.setInputFiles('.files input', {
      name: photoName,
      mimeType: 'image/png',
      buffer: Buffer.from(encodePng({ ...photo, channels: 4, depth: 8 })),
    });
    addPicture(photoName, photo);
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('runs in the page as in Node', { timeout: 300_000 }, async () => {
    const ids = await entriesOf(page);
    expect(ids.length).toBeGreaterThan(50);
    for (const id of ids) {
      await choose(page, id);
      await page.click('button:has-text("Share")');
      await waitUntil(page, 'location.hash.length > 50');
      const hash = new URL(page.url()).hash.slice(1);
      // That the programs of CAL print the same in Node is tested in test/samples/cal.test.ts.
      const inNode = id.startsWith('cal-')
        ? { text: expectedOf(id), pictures: [] }
        : id in inPageOnly
          ? { text: inPageOnly[id]!, pictures: [expect.anything()] }
          : documentOf(hash).then(runInNode).then(shownOf);
      const [wanted] = await Promise.all([inNode, run(page)]);
      expect.soft(await shownInPage(page), id).toEqual(wanted);
      const wrong = wanted.text.filter((text) => text.includes(' wrong: '));
      expect.soft(wrong, id).toEqual([]);
    }
    expect(server.violations).toEqual([]);
    expect(errors).toEqual([]);
  });
});
