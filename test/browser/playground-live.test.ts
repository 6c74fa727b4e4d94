/**
 * Kernels that move, in Chromium: each living kernel of the gallery draws frames that differ, an edit and a slider change what goes on
 * without beginning anew, a camera is seen, and a page of others can embed it. Pictures lie in out/playground-live.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { livingKernels } from '../../playground/src/gallery/living.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { LeftPages, openPlayground, run, type, violations } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';

const folder = process.env['MILLRACE_LIVE'] ?? 'out/playground-live';

/** Until so many frames were drawn; how fast, in the page's words. */
async function frames(page: Page, count: number): Promise<string> {
  const text = "document.querySelector('.rate')?.textContent";
  await waitUntil(
    page,
    `document.querySelector('.live .failure') || /frame (\\d+)$/.exec(${text})?.[1] >= ${count}`,
  );
  const [failure] = await page.locator('.live .failure').allInnerTexts();
  if (failure !== undefined) throw new Error(failure);
  return page.locator('.rate').innerText();
}

/** The pixels that the canvas shows, in the page, from another canvas: its own are the worker's. */
const inPage = `() => {
  const shown = document.querySelector('.live canvas');
  const copy = document.createElement('canvas');
  copy.width = shown.width;
  copy.height = shown.height;
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(shown, 0, 0);
  return context.getImageData(0, 0, copy.width, copy.height).data;
}`;

const ask = <T>(page: Page, question: string) =>
  page.evaluate(`(() => { const data = (${inPage})(); ${question} })()`) as Promise<T>;

/** The first two pixels. */
const pixels = (page: Page) => ask<number[]>(page, 'return [...data.subarray(0, 8)];');

describe.skipIf(chromiumPath === undefined)('kernels that move (need Chromium)', () => {
  let browser: Browser;
  let pages: LeftPages;
  let server: StaticServer;
  const errors: string[] = [];
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
    const [started, built] = await Promise.all([startChromium(camera), builtPlayground()]);
    browser = started;
    pages = new LeftPages(browser, errors);
    server = await startServer({ folders: { '': built }, isolated: true, policy: contentSecurityPolicy });
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(errors).toEqual([]);
  });
  const open = (hash: string) => pages.open(server, hash);

  it.each(livingKernels.map(({ id }) => id))('%s', { timeout: 90_000 }, async (id) => {
    const page = await open(`#sample=${id}`);
    await frames(page, 5);
    await ask(page, 'globalThis.before = data;');
    const rate = await frames(page, 40);
    const { changed, values, length } = await ask<{ changed: number; values: number; length: number }>(
      page,
      'return { changed: data.filter((byte, at) => byte !== before[at]).length, values: new Set(data).size, length: data.length };',
    );
    expect(changed).toBeGreaterThan(length / 500);
    // More than one colour, and not all dark.
    expect(values).toBeGreaterThan(20);
    await page.waitForSelector('.source[aria-busy="false"]');
    expect(await page.locator('input[type=range]').count()).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);
    writeFileSync(`${folder}/${id}.png`, await page.screenshot());
    console.log(`${id}: ${rate}`);
    await pages.leave(page);
  });

  it('is drawn on a phone and in the dark', { timeout: 90_000 }, async () => {
    const page = await openPlayground(browser, server, {
      hash: '#sample=reaction-diffusion',
      scheme: 'dark',
      width: 390,
      height: 844,
      errors,
    });
    await frames(page, 5);
    await page.waitForSelector('.source[aria-busy="false"]');
    await page.click('button:has-text("Pause")');
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    writeFileSync(`${folder}/phone-dark.png`, await page.screenshot({ fullPage: true }));
    await page.close();
  });

  it('takes numbers from sliders and edits from the source, and goes on', { timeout: 90_000 }, async () => {
    const page = await open('');
    await type(
      page,
      `// @frame add sums<->sums_next, draw
kernel void add(global const int *sums, global int *sums_next, const int by) { // @slider by 0..200 = 0
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  sums_next[i] = min(sums[i] + 1, 100) | by;
}
kernel void draw(global const int *sums, global uchar4 *image, int red) { // @slider red 0..255 = 7
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  image[i] = (uchar4)(red, sums[i], 0, 255);
}
`,
    );
    await page.waitForSelector('label:has-text("sums_next") small');
    await page.fill('label:has-text("Work-items") input', '8,4');
    await page.click('button:has-text("Live")');
    // Counted to the end: what a frame leaves is what the next begins with.
    await frames(page, 110);
    expect((await pixels(page)).slice(0, 4)).toEqual([7, 100, 0, 255]);
    await page.locator('input[aria-label^="red,"]').fill('200');
    await expect.poll(async () => (await pixels(page))[0], { timeout: 30_000 }).toBe(200);
    expect(await page.inputValue('label:has-text("red") input')).toBe('200');
    // An edit: the sums are still there, as nothing below 100 could show.
    await page.locator('.cm-line:has-text("image[i] =")').click();
    await page.keyboard.press('End');
    await page.keyboard.insertText(' image[i].z = sums[i] - 1;');
    await expect.poll(async () => (await pixels(page)).slice(1, 3), { timeout: 30_000 }).toEqual([100, 99]);
    // One that does not compile is told, and the frames before go on.
    await page.keyboard.insertText(' oops');
    await page.waitForSelector('.live .failure:has-text("oops")');
    expect((await pixels(page)).slice(1, 3)).toEqual([100, 99]);
    await pages.leave(page);
  });

  it('draws a launch that stands still again when a slider moves', { timeout: 90_000 }, async () => {
    const page = await open('#sample=waves');
    await page.waitForSelector('input[aria-label^="terms,"]');
    await page.click('button:has-text("Live")');
    const summary = page.locator('.live .summary');
    await summary.waitFor();
    const before = await summary.innerText();
    await page.locator('input[aria-label^="terms,"]').fill('1');
    await expect.poll(() => summary.innerText(), { timeout: 30_000 }).not.toBe(before);
    // One sine: no overshoot over 4 / pi.
    expect(await summary.innerText()).toMatch(/max 1\.27/);
    await pages.leave(page);
  });

  it('follows the pointer', { timeout: 90_000 }, async () => {
    const page = await open('');
    await type(
      page,
      'kernel void at(global uchar4 *image, float4 mouse) {\n  image[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (uchar4)(convert_uchar3_sat(mouse.xyz), 255);\n}\n',
    );
    await page.waitForSelector('small:has-text("float4")');
    await page.fill('label:has-text("Work-items") input', '200,100');
    await page.fill('label:has-text("image") input', 'zeros:200x100');
    await page.click('button:has-text("Live")');
    await page.waitForSelector('.live .screen canvas');
    const { x, y, width, height } = (await page.locator('.live canvas').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 4);
    await page.mouse.down();
    await expect.poll(async () => (await pixels(page))[2], { timeout: 30_000 }).toBe(1);
    const [red, green] = await pixels(page);
    expect(Math.abs(red! - 100)).toBeLessThan(3);
    expect(Math.abs(green! - 25)).toBeLessThan(3);
    await pages.leave(page);
  });

  it('sees the camera', { timeout: 90_000 }, async () => {
    const page = await open('#sample=camera-filters');
    await frames(page, 5);
    await page.locator('input[aria-label^="strength,"]').fill('0');
    await page.locator('input[aria-label^="kind,"]').fill('3');
    // The drawn scene has no such green; Chromium's has little else.
    const green = () =>
      ask<number>(
        page,
        'let count = 0; for (let at = 0; at < data.length; at += 4) count += data[at + 1] > 120 && data[at] < 30 && data[at + 2] < 30; return (count * 4) / data.length;',
      );
    await page.click('button:has-text("Use the camera")');
    await page.waitForSelector('button:has-text("Use the camera")', { state: 'detached' });
    await expect.poll(green, { timeout: 30_000 }).toBeGreaterThan(0.3);
    writeFileSync(`${folder}/camera.png`, await page.screenshot());
    await pages.leave(page);
  });

  it('is embedded in other pages, and forked', { timeout: 90_000 }, async () => {
    const page = await open('?embed#sample=clouds');
    await frames(page, 5);
    expect(await page.locator('.cm-content').count()).toBe(0);
    await page.waitForSelector('input[aria-label^="amount,"]');
    expect(await violations(page)).toEqual([]);
    writeFileSync(`${folder}/embedded.png`, await page.screenshot());
    expect(await page.getAttribute('a', 'href')).toBe(`${server.origin}/#sample=clouds`);
    await pages.leave(page);
    const own = await open('#sample=clouds');
    await own.click('button:has-text("Fork")');
    expect(await own.locator('.bar .name').innerText()).toBe('Clouds (fork)');
    expect(new URL(own.url()).hash).toBe('');
    // A run shows the first frame, and ends the others.
    expect(await run(own)).toMatch(/sky: 480 × 300 work-items/);
    expect(await own.locator('.live').count()).toBe(0);
    await pages.leave(own);
  });

  it('waits for those who want no motion', { timeout: 90_000 }, async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(`${server.origin}/#sample=cells`);
    await page.waitForSelector('.source[aria-busy="false"]');
    expect(await page.locator('.live').count()).toBe(0);
    await page.click('button:has-text("Live")');
    await frames(page, 3);
    await page.close();
    expect(server.violations).toEqual([]);
  });
});
