// `npm run playground:pictures`: runs each entry of the built playground in Chromium and keeps what it draws as the
// gallery's small picture. Entries that draw nothing have none.
import { rmSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const folder = 'playground/src/gallery/thumbnails';
const executablePath = process.env['MILLRACE_CHROMIUM'] ?? '/usr/bin/chromium';

const server = await preview({ configFile: 'playground/vite.config.ts', preview: { port: 4190 } });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
// As wide as a phone: what is drawn is then about as wide as it is shown.
const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
const origin = 'http://localhost:4190/';
await page.goto(origin);
await page.waitForSelector('body[data-ready]');
await page.click('button:has-text("Samples")');
const ids = await page
  .locator('dialog [data-entry]')
  .evaluateAll((buttons) => buttons.map((button) => button.dataset['entry']));
for (const id of ids) {
  await page.goto('about:blank');
  await page.goto(`${origin}#sample=${id}`);
  await page.waitForSelector('body[data-ready]');
  await page.click('button.go');
  await page.waitForSelector('.panel[data-runs="1"]', { timeout: 60_000 });
  await page.waitForTimeout(500);
  const drawn = page.locator('.panel canvas, .panel figure img').first();
  const file = `${folder}/${id}.jpg`;
  rmSync(file, { force: true });
  if ((await drawn.count()) === 0) {
    console.log(`${id}: draws nothing`);
    continue;
  }
  await drawn.screenshot({ path: file, type: 'jpeg', quality: 60 });
  console.log(file);
}
await browser.close();
await server.close();
