/** The page with the graphics card chosen: a kernel on WebGPU gives what WebAssembly gives, and its shaders are in the Compiler panel. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium } from './chromium.ts';
import { openPlayground, run, type as typeSource } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';

const source = `kernel void k(global int *out, int n) {
  int i = get_global_id(0);
  out[i] = i * i + n;
}
`;

describe.skipIf(chromiumPath === undefined)('the playground with WebGPU', () => {
  let browser: Browser;
  let server: StaticServer;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    const flags = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];
    const [started, folder] = await Promise.all([startChromium(flags), builtPlayground()]);
    browser = started;
    server = await startServer({ folders: { '': folder }, isolated: true, policy: contentSecurityPolicy });
    page = await openPlayground(browser, server, { errors });
    await typeSource(page, source);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('the browser has WebGPU', async () => {
    const has = '(await navigator.gpu?.requestAdapter()) !== null';
    expect(await page.evaluate(`(async () => navigator.gpu !== undefined && ${has})()`)).toBe(true);
  });

  /** What the panel says, without times. */
  const shown = async (): Promise<string> => (await run(page)).replaceAll(/[\d.]+ m?s/g, '');

  test('a kernel gives what it gives on WebAssembly', async () => {
    const expected = await shown();
    expect(expected).toContain('out');
    await page.selectOption('select[aria-label="Device"]', 'webgpu');
    expect(await shown()).toBe(expected);
    expect(errors).toEqual([]);
    await page.screenshot({ path: 'out/playground-webgpu-run.png' });
  }, 60_000);

  test('its shaders are listed, and their lines point to the source', async () => {
    await page.click('#tab-compiler');
    await page.click('.choices button:has-text("WGSL")');
    const line = page
      .locator('.listing-line', { hasText: 'bitcast' })
      .or(page.locator('.listing-line'))
      .last();
    await line.waitFor();
    expect(await page.locator('.listing').innerText()).toContain('@compute');
    await line.click();
    await page.screenshot({ path: 'out/playground-webgpu-compiler.png' });
    expect(await page.locator('.listing-line').count()).toBeGreaterThan(3);
  }, 60_000);
});
