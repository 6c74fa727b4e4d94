import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { livingKernels } from '../../playground/src/gallery/living.ts';
import { builtPlayground } from './built-playground.ts';
import { startChromiumWithGpu } from './chromium.ts';
import { openPlayground } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';
let browser: Browser; let server: StaticServer;
beforeAll(async () => {
  const [a, f] = await Promise.all([startChromiumWithGpu(), builtPlayground()]);
  browser = a; server = await startServer({ folders: { '': f }, isolated: true, policy: contentSecurityPolicy });
}, 200000);
afterAll(async () => { await browser?.close(); await server?.close(); });
it('x', { timeout: 300000 }, async () => {
  mkdirSync('out/scratch', { recursive: true });
  for (const { id } of livingKernels.filter((k) => ['ray-marcher','camera-filters','ripples'].includes(k.id))) {
    const page = await openPlayground(browser, server, { hash: `#sample=${id}` });
    page.on('console', (m) => console.log(id, m.text()));
    await page.waitForSelector('.rate');
    await page.selectOption('select[aria-label="Device"]', 'webgpu');
    for (let i = 0; i < 200; i++) {
      const t = (await page.locator('.rate').allInnerTexts()).join();
      if (i % 20 === 0) console.log(t);if (/WebGPU, drawn/.test(t) && Number(/frame (\d+)$/.exec(t)?.[1]) > 60) break;
      await new Promise((r) => setTimeout(r, 250));
    }
    await new Promise((r) => setTimeout(r, 1500));
    console.log(id, (await page.locator('.rate').allInnerTexts()).join(), (await page.locator('.failure').allInnerTexts()).join());
    writeFileSync(`out/scratch/${id}.png`, await page.screenshot());
    await page.close();
  }
});
