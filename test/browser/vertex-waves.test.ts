/** The sample whose vertices a kernel moves: the vertex buffer and the picture against the reference. */
import { mkdirSync } from 'node:fs';
import { decode } from 'fast-png';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colourAt, seenAt, waveReference } from '../../samples/vertex-waves/reference.ts';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { type StaticServer, startServer } from './server.ts';

const size = 128;
const time = 1.25;

describe.skipIf(chromiumPath === undefined)('vertices from OpenCL (needs Chromium)', () => {
  let browser: Browser;
  let site: StaticServer;
  beforeAll(async () => {
    browser = await startChromium();
    site = await startServer({ folders: { dist: 'dist', samples: 'samples' }, isolated: true });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it('are where the reference says, and drawn there', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    // What the page's Content-Security-Policy keeps from it is said there.
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${site.origin}/samples/vertex-waves/?time=${time}`);
    await waitUntil(page, `document.body?.dataset.drawn === '${time}'`);
    const vertices = (await page.evaluate('[...waves.vertices()]')) as number[];
    const expected = waveReference(size, size, time);
    const worst = vertices.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0);
    expect(vertices).toHaveLength(expected.length);
    expect(worst).toBeLessThan(2e-6);

    mkdirSync('out/browser-tests', { recursive: true });
    const path = 'out/browser-tests/vertex-waves.png';
    const { width, height, data, channels } = decode(await page.locator('canvas').screenshot({ path }));
    // At the vertices of the near half, which nothing hides, away from the edge.
    let looked = 0;
    const off: string[] = [];
    for (let row = size / 2; row < size - 4; row += 5) {
      for (let column = 4; column < size - 4; column += 5) {
        const [x, y, z] = expected.subarray((row * size + column) * 4) as unknown as [number, number, number];
        const [right, up] = seenAt(x, y, z);
        const at = Math.floor((0.5 - up / 2) * height) * width + Math.floor((right / 2 + 0.5) * width);
        const seen = [0, 1, 2].map((channel) => data[at * channels + channel]!);
        const wanted = colourAt(y).map((part) => 255 * part);
        looked += 1;
        // A pixel's middle lies up to a pixel from the vertex, where the height is another one.
        if (seen.some((value, i) => Math.abs(value - wanted[i]!) > 24))
          off.push(`${column}, ${row}: ${seen}`);
      }
    }
    expect(looked).toBeGreaterThan(250);
    expect(off).toEqual([]);
    // Behind the surface it is black.
    expect([...data.slice(0, 3)]).toEqual([0, 0, 0]);
    expect(errors).toEqual([]);
    const intrude = (write: string) =>
      page.evaluate(
        `const script = document.createElement('script'); ${write}; document.body.append(script)`,
      );
    await expect(intrude("script.textContent = 'globalThis.intruder = 1'")).rejects.toThrow('TrustedScript');
    await intrude("script.append('globalThis.intruder = 1')");
    expect(await page.evaluate('globalThis.intruder')).toBeUndefined();
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatch(/Content Security Policy|TrustedScript/);
  });
});
