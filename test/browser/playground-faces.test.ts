/**
 * Each face of the playground as a person sees it: axe finds nothing wrong with it, nothing is wider than the screen, and its
 * picture lies in out/playground-faces (or the folder that MILLRACE_FACES names) to be looked at.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium } from './chromium.ts';
import { choose, openPlayground, run, turnTo, type, violations } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';

const folder = process.env['MILLRACE_FACES'] ?? 'out/playground-faces';
/** Without a wish for pictures only some faces are looked at in the dark and on a phone. */
const all = process.env['MILLRACE_FACES'] !== undefined;

interface Face {
  readonly name: string;
  /** The entry of the gallery. */
  readonly sample: string;
  readonly show: (page: Page) => Promise<unknown>;
}

const tab = async (page: Page, name: string, shown: string) => {
  await page.click(`#tab-${name}`);
  await page.waitForSelector(shown);
};

const wide: readonly Face[] = [
  { name: 'picture', sample: 'mandelbrot', show: run },
  {
    name: 'plot',
    sample: 'waves',
    show: (page) => run(page).then(() => page.waitForSelector('.plot canvas')),
  },
  {
    name: 'table',
    sample: 'group-sums',
    show: (page) => run(page).then(() => page.click('button:has-text("Table")')),
  },
  { name: 'printed', sample: 'hello', show: run },
  { name: 'case-study', sample: 'regression', show: run },
  { name: 'c-program', sample: 'saxpy-c', show: run },
  { name: 'brook-program', sample: 'mandelbrot-brook', show: run },
  { name: 'brook-study', sample: 'brook-reductions', show: run },
  { name: 'il', sample: 'edges-il', show: run },
  { name: 'cal', sample: 'cal-hello', show: run },
  { name: 'compiler', sample: 'mandelbrot', show: (page) => tab(page, 'compiler', '.listing-line') },
  { name: 'analyzer', sample: 'waves', show: (page) => tab(page, 'analyzer', '.listing-line') },
  {
    name: 'roofline',
    sample: 'waves',
    show: async (page) => {
      await tab(page, 'analyzer', 'text=This machine');
      await page.click('text=This machine');
      await page.click('text=Measure this launch');
      await page.waitForSelector('.roofline img', { timeout: 60_000 });
      // Sums of sines: there is more to compute than to fetch.
      await page.waitForSelector('text=/^Bound by arithmetic, at \\d+% of that roof/');
      await page.click('text=Measure the machine again');
      await page.waitForSelector('text=peaks measured again', { timeout: 60_000 });
    },
  },
  {
    name: 'check',
    sample: 'race',
    show: (page) =>
      tab(page, 'check', 'text=Check this launch')
        .then(() => page.click('text=Check this launch'))
        .then(() => page.click('.finding', { timeout: 60_000 })),
  },
  {
    name: 'profile',
    sample: 'mandelbrot',
    show: (page) => run(page).then(() => tab(page, 'profile', '.timeline canvas')),
  },
  {
    name: 'debugger',
    sample: 'group-sums',
    show: async (page) => {
      await tab(page, 'debugger', 'text=Debug this launch');
      await page.click('text=Debug this launch');
      await page.waitForSelector('.work-items button', { timeout: 60_000 });
    },
  },
  {
    name: 'live',
    sample: 'reaction-diffusion',
    show: async (page) => {
      await page.waitForSelector('.live canvas', { timeout: 60_000 });
      await page.waitForSelector('.rate >> text=/frame [1-9]/');
      await page.click('button:has-text("Pause")');
    },
  },
  // Before anything has been asked of them.
  { name: 'empty-run', sample: 'waves', show: (page) => tab(page, 'run', '.launch') },
  { name: 'empty-check', sample: 'waves', show: (page) => tab(page, 'check', 'text=Check this launch') },
  {
    name: 'empty-debugger',
    sample: 'waves',
    show: (page) => tab(page, 'debugger', 'text=Debug this launch'),
  },
  { name: 'empty-profile', sample: 'waves', show: (page) => page.click('#tab-profile') },
  {
    name: 'mistakes',
    sample: 'waves',
    show: async (page) => {
      await tab(page, 'run', '.launch');
      await type(
        page,
        'kernel void twice(global int *numbers) {\n  numbers[get_global_id(0)] *= factor;\n}\n',
      );
      await page.waitForSelector('.remarks >> text=Line 2: error');
      await run(page);
    },
  },
  { name: 'gallery', sample: 'mandelbrot', show: (page) => page.click('button:has-text("Samples")') },
];

const some = (...names: string[]) => wide.filter(({ name }) => names.includes(name));

describe.skipIf(chromiumPath === undefined)('the faces of the playground (need Chromium)', () => {
  let browser: Browser;
  let server: StaticServer;
  const errors: string[] = [];
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const [started, built] = await Promise.all([startChromium(), builtPlayground()]);
    browser = started;
    server = await startServer({ folders: { '': built }, isolated: true, policy: contentSecurityPolicy });
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** The first is how the page is loaded; into the others it is turned. */
  const kinds = [
    { kind: 'light', faces: wide, scheme: 'light', width: 1280, height: 800 },
    {
      kind: 'dark',
      faces: all ? wide : some('picture', 'analyzer', 'roofline', 'mistakes', 'debugger'),
      scheme: 'dark',
      width: 1280,
      height: 800,
    },
    {
      kind: 'phone',
      faces: all ? wide : some('picture', 'compiler', 'gallery'),
      scheme: 'light',
      width: 390,
      height: 844,
    },
    {
      kind: 'dark-phone',
      faces: all ? wide : some('check', 'profile'),
      scheme: 'dark',
      width: 390,
      height: 844,
    },
  ] as const;

  it('are right, in the dark and on a phone too', { timeout: 600_000 }, async () => {
    const page = await openPlayground(browser, server, { errors });
    const looked = new Map<string, number>(kinds.map(({ kind }) => [kind, 0]));
    for (const face of wide) {
      const { name, sample, show } = face;
      await page.click('#tab-run');
      await choose(page, sample);
      // Until the compiler has read it, the form is not whole.
      await page.waitForSelector('.source[aria-busy="false"]', { timeout: 60_000 });
      await show(page);
      // Where the pointer rests is nobody's business.
      await page.mouse.move(0, 0);
      for (const look of kinds.filter(({ faces }) => faces.includes(face))) {
        const { kind, width } = look;
        if (look !== kinds[0]) await turnTo(page, look);
        expect.soft(await violations(page), `${name}, ${kind}`).toEqual([]);
        const widest = await page.evaluate(() => document.documentElement.scrollWidth);
        expect.soft(widest, `${name}, ${kind}`).toBeLessThanOrEqual(width);
        const picture = await page.screenshot({ animations: 'disabled', fullPage: width < 500 });
        writeFileSync(`${folder}/playground-${kind === 'light' ? '' : `${kind}-`}${name}.png`, picture);
        // Much less is an empty page.
        expect.soft(picture.length, `${name}, ${kind}`).toBeGreaterThan(20_000);
        looked.set(kind, looked.get(kind)! + 1);
      }
      await turnTo(page, kinds[0]);
    }
    await page.close();
    expect([...looked.values()]).toEqual(kinds.map(({ faces }) => faces.length));
    expect(server.violations).toEqual([]);
    expect(errors).toEqual([]);
  });
});
