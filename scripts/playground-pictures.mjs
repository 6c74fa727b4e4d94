// `npm run playground:pictures`: runs each entry of the built playground in Chromium and keeps what it draws as the
// gallery's small picture; of one that draws nothing, what it prints, and of one that does neither, its first kernel. With names of
// entries behind `--` only those.
import { rmSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const folder = 'playground/src/gallery/thumbnails';
const executablePath = process.env['MILLRACE_CHROMIUM'] ?? '/usr/bin/chromium';

/** As wide as a phone: what is drawn is then about as wide as it is shown. */
const narrow = { width: 360, height: 800 };
/** So high that all of a text is there. */
const high = { width: 1280, height: 6000 };
/** Of pictures of text, as wide to high as the gallery shows them. */
const printedSize = { width: 300, height: 200 };
/** Of what moves, before it is looked at. */
const liveFrames = 150;
const sourceSize = { width: 480, height: 320 };

const server = await preview({ configFile: 'playground/vite.config.ts', preview: { port: 4190 } });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: narrow });
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
  const file = `${folder}/${id}.jpg`;
  // What moves shows little in its first frame.
  const isLive = await page
    .waitForSelector('.live', { timeout: 1000 })
    .then(() => true)
    .catch(() => false);
  if (isLive) {
    for (let frame = 0; frame < liveFrames; await page.waitForTimeout(100))
      frame = Number(/frame (\d+)$/.exec(await page.locator('.rate').innerText())?.[1] ?? 0);
    await page.locator('.live canvas').screenshot({ path: file, type: 'jpeg', quality: 60 });
    console.log(file);
    continue;
  }
  await page.click('button.go');
  await page.waitForSelector('.panel[data-runs="1"]', { timeout: 60_000 });
  await page.waitForTimeout(500);
  rmSync(file, { force: true });
  const picture = page.locator('.panel canvas, .panel figure img').first();
  if ((await picture.count()) > 0) await picture.screenshot({ path: file, type: 'jpeg', quality: 60 });
  else {
    const printed = page.locator('.panel .printed');
    const isPrinted = (await printed.count()) > 0;
    // Nothing but the text, however little there is.
    await page.addStyleTag({ content: '.printed { border: 0; min-height: 20rem; white-space: pre-wrap }' });
    await page.setViewportSize(isPrinted ? { ...narrow, height: high.height } : high);
    const kernel = page.locator('.cm-line').filter({ hasText: /^\s*(__)?(kernel|reduce)\b/ });
    const { x, y } = await (isPrinted ? printed : kernel.first()).boundingBox();
    const clip = { x, y, ...(isPrinted ? printedSize : sourceSize) };
    await page.screenshot({ path: file, type: 'jpeg', quality: 60, clip });
    await page.setViewportSize(narrow);
  }
  console.log(file);
}
await browser.close();
await server.close();
