/**
 * The playground in Firefox: it loads, is typed into, and runs things of each kind on its threads. If a run never ends now
 * and then, see whether a worker of the page starts workers, at which Firefox may hang under automation
 * (docs/browser.md#threads-that-the-page-starts): the page is to start them.
 */
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPlayground } from './built-playground.ts';
import { firefoxPath } from './firefox-path.ts';
import { type StaticServer, startServer } from './server.ts';

const [width, height] = [64, 48];
/** Integers and floats; with the pragma a product and a sum are rounded one after the other, as JavaScript does it. */
const source = `#pragma OPENCL FP_CONTRACT OFF
kernel void weave(global uchar4 *image, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  float f = 0.37f * x + 1.3f * y;
  image[y * width + x] = (uchar4)(x * y, x ^ y, (uchar)f, 255);
}
`;

function expectedPixels(): number[] {
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const f = Math.fround(Math.fround(Math.fround(0.37) * x) + Math.fround(Math.fround(1.3) * y));
      pixels.push((x * y) & 255, x ^ y, Math.trunc(f) & 255, 255);
    }
  }
  return pixels;
}

describe.skipIf(firefoxPath === undefined)('the playground in Firefox (needs Firefox)', () => {
  let browser: Browser;
  let server: StaticServer;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    const folder = await builtPlayground();
    server = await startServer({ folders: { '': folder }, isolated: true });
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath!, headless: true });
    page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${server.origin}/`);
    await page.waitForSelector('body[data-ready]');
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function run(): Promise<string> {
    const runs = await page.$eval('.panel', (panel) => Number((panel as HTMLElement).dataset['runs']));
    await page.click('button.go');
    await page.waitForSelector(`.panel[data-runs="${runs + 1}"]`, { timeout: 100_000 });
    return page.$eval('.panel', (panel) => (panel as HTMLElement).innerText);
  }

  async function selectAll(): Promise<void> {
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
  }

  async function choose(id: string): Promise<void> {
    await page.click('.bar button:nth-of-type(1)');
    await page.locator(`dialog [data-entry="${id}"]`).click();
    await page.waitForSelector('dialog:not([open])');
  }

  it('runs what one types on its threads', { timeout: 120_000 }, async () => {
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await page.click('.cm-content');
    await selectAll();
    await page.evaluate((text) => document.execCommand('insertText', false, text), source);
    // The form follows when the compiler has read it.
    await page.waitForFunction(() => document.querySelector('.launch')?.textContent?.includes('width'));
    for (const [label, words] of [
      ['Work-items', `${width},${height}`],
      ['image', `zeros:${width}x${height}`],
      ['width', `${width}`],
    ]) {
      const field = await page.waitForSelector(`::-p-xpath(//label[contains(., '${label}')]/input)`);
      await field!.click();
      // Three clicks count as one gesture only if they come fast enough.
      await selectAll();
      await field!.type(words!);
    }
    expect(await run()).toContain(`weave: ${width} × ${height} work-items in`);
    const pixels = await page.$eval('.panel canvas', (canvas) => [
      ...(canvas as HTMLCanvasElement)
        .getContext('2d')!
        .getImageData(0, 0, (canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height).data,
    ]);
    expect(pixels).toEqual(expectedPixels());
  });

  it('runs samples of each kind', { timeout: 300_000 }, async () => {
    for (const [id, said] of [
      ['saxpy-c', 'y[10] = 26, y[999] = 2498.5, 0 wrong'],
      ['streams', 'results[10] = 6, results[999] = 500.5'],
      ['brook-sum', 'right:'],
      ['prefix-sum', 'right:'],
      ['group-counts-il', 'g: float4[256] = (0 0 16 0), (1 1 32 0), (2 4 16 0)'],
      ['cal-compile', 'written and read again: true'],
    ] as const) {
      await choose(id);
      expect.soft(await run(), id).toContain(said);
    }
    expect(errors).toEqual([]);
    expect(server.missing).toEqual([]);
  });
});
