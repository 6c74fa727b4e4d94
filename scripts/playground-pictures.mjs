// `npm run playground:pictures`: runs each entry of the built playground in Chromium and keeps what it draws as the
// gallery's small picture; of one that draws nothing, what it prints, or the table of its kernels. With names of entries behind `--`
// only those.
import { rmSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const folder = 'playground/src/gallery/thumbnails';
const executablePath = process.env['MILLRACE_CHROMIUM'] ?? '/usr/bin/chromium';

const textSize = { width: 300, height: 200 };

const server = await preview({ configFile: 'playground/vite.config.ts', preview: { port: 4190 } });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
// As wide as a phone: what is drawn is then about as wide as it is shown.
const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
const origin = 'http://localhost:4190/';
await page.goto(origin);
await page.waitForSelector('body[data-ready]');
await page.click('button:has-text("Samples")');
const named = process.argv.slice(2);
const all = await page
  .locator('dialog [data-entry]')
  .evaluateAll((buttons) => buttons.map((button) => button.dataset['entry']));
for (const id of named.length > 0 ? named : all) {
  await page.goto('about:blank');
  await page.goto(`${origin}#sample=${id}`);
  await page.waitForSelector('body[data-ready]');
  await page.click('button.go');
  await page.waitForSelector('.panel[data-runs="1"]', { timeout: 60_000 });
  await page.waitForTimeout(500);
  const file = `${folder}/${id}.jpg`;
  rmSync(file, { force: true });
  const picture = page.locator('.panel canvas, .panel figure img').first();
  if ((await picture.count()) > 0) await picture.screenshot({ path: file, type: 'jpeg', quality: 60 });
  else {
    // The upper left, as wide to high as the gallery shows it.
    const text = page.locator('.panel .printed, .panel .table').first();
    await text.scrollIntoViewIfNeeded();
    const { x, y } = await text.boundingBox();
    const clip = { x, y, ...textSize };
    await page.screenshot({ path: file, type: 'jpeg', quality: 60, clip });
  }
  console.log(file);
}
await browser.close();
await server.close();
