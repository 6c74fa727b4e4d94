/**
 * How soon the playground is there: the page as it is built, from a server on this machine, in a Chromium that has nothing of it
 * in its cache. Times are the page's own, from the beginning of the navigation.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromiumPath } from '../test/browser/chromium-path.ts';
import { median, type Row } from './measure.ts';

const loads = 7;
const config = 'playground/vite.config.ts';

interface Load {
  /** Something is to be seen. */
  readonly painted: number;
  /** The editor takes what is typed. */
  readonly ready: number;
  /** The types of the kernel's arguments, as the compiler says, stand beside it. */
  readonly examined: number;
  /** From a click on Run to its result. */
  readonly firstRun: number;
}

/** Milliseconds of a page; or why they cannot be measured. */
export async function measurePageLoad(): Promise<Row[] | string> {
  if (chromiumPath === undefined)
    return 'no Chromium here (apt-get install chromium, or set MILLRACE_CHROMIUM)';
  // Only this part needs them; they are no dependencies of Millrace.
  const [{ build, preview }, { chromium }] = await Promise.all([import('vite'), import('playwright-core')]);
  const outDir = mkdtempSync(join(tmpdir(), 'millrace-page-'));
  const site = { configFile: config, build: { outDir, emptyOutDir: true }, logLevel: 'warn' } as const;
  await build(site);
  const server = await preview({ ...site, preview: { port: 0 } });
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const address = server.resolvedUrls!.local[0]!;
    await load(browser, address);
    const all: Load[] = [];
    for (let round = 0; round < loads; round++) all.push(await load(browser, address));
    const row = (name: string, key: keyof Load, goal?: number): Row => ({
      name,
      value: median(all.map((one) => one[key])),
      unit: 'ms',
      ...(goal === undefined ? {} : { goal }),
    });
    return [
      row('first paint', 'painted'),
      row('ready to be typed into', 'ready', 1000),
      row('the source examined', 'examined'),
      row('from the first Run to its result', 'firstRun'),
    ];
  } finally {
    await browser.close();
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
}

async function load(browser: Browser, address: string): Promise<Load> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(`
      window.times = {};
      new MutationObserver(() => {
        if (document.body?.dataset.ready !== undefined) times.ready ??= performance.now();
        const types = [...document.querySelectorAll('.panel small')].map((one) => one.textContent);
        if (types.some((type) => type.includes('*'))) times.examined ??= performance.now();
      }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`);
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
    await page.waitForSelector('.panel small:has-text("*")');
    const times = await page.evaluate<Omit<Load, 'firstRun'>>(
      `({ ...times, painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime })`,
    );
    const start = performance.now();
    await page.click('button.go');
    await page.waitForSelector('.panel[data-runs="1"]', { timeout: 60_000 });
    return { ...times, firstRun: performance.now() - start };
  } finally {
    await context.close();
  }
}
