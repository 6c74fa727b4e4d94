/**
 * Each kind of page of the built site as a person sees it: axe finds nothing wrong with it, nothing is wider than the screen, and its
 * picture lies in out/site-faces (or the folder that MILLRACE_FACES names) to be looked at.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, waitUntil } from '../browser/chromium.ts';
import { turnTo, violations } from '../browser/playground-page.ts';
import { type StaticServer, startServer } from '../browser/server.ts';
import { builtSite, missingPackages } from './built-site.ts';

const folder = process.env['MILLRACE_FACES'] ?? 'out/site-faces';
/** Without a wish for pictures each width and each colour scheme is looked at once. */
const all = process.env['MILLRACE_FACES'] !== undefined;

interface Face {
  readonly name: string;
  readonly path: string;
  /** What a person does before the page is looked at. */
  readonly act?: (page: Page) => Promise<unknown>;
}

/** Runs the first example of a page, and waits for what it prints. */
async function runExample(page: Page): Promise<void> {
  await page.locator('.run-example').first().click();
  await page.locator('.run-output:not([hidden])').first().waitFor();
  await waitUntil(page, "document.querySelector('.run-output').textContent !== ''");
}

async function search(page: Page, words: string): Promise<void> {
  await page.locator('#local-search button').click();
  await page.locator('#localsearch-input').fill(words);
  await page.locator('.VPLocalSearchBox .result').first().waitFor({ timeout: 30_000 });
}

const everywhere: readonly Face[] = [
  { name: 'home', path: '/' },
  { name: 'start', path: '/guide/start.html', act: runExample },
  { name: 'guide', path: '/guide/javascript.html' },
  { name: 'guide-tables', path: '/guide/benchmarks.html' },
  {
    name: 'figures',
    path: '/guide/figures.html',
    act: (page) => page.locator('.chart canvas').waitFor(),
  },
  { name: 'glossary', path: '/guide/glossary.html' },
  { name: 'book', path: '/guide/book.html' },
  { name: 'samples', path: '/samples/' },
  { name: 'sample', path: '/samples/saxpy.html' },
  {
    name: 'sample-run',
    path: '/samples/saxpy.html',
    act: async (page) => {
      await page.click('text=Run it here');
      await page.frameLocator('.sample-frame').locator('body[data-ready]').waitFor({ timeout: 60_000 });
    },
  },
  { name: 'references', path: '/reference/' },
  { name: 'reference', path: '/reference/millrace.html' },
  { name: 'project', path: '/project/overview.html' },
  { name: 'changes', path: '/project/changelog.html' },
  { name: 'nothing', path: '/404.html' },
  { name: 'search', path: '/guide/start.html', act: (page) => search(page, 'barrier') },
  {
    name: 'playground',
    path: '/playground/',
    act: (page) => page.waitForSelector('.source[aria-busy="false"]', { timeout: 60_000 }),
  },
];
const onPhones: readonly Face[] = [
  {
    name: 'menu',
    path: '/guide/start.html',
    act: async (page) => {
      await page.locator('.VPNavBarHamburger').click();
      await page.locator('.VPNavScreen').waitFor();
    },
  },
  {
    name: 'side-bar',
    path: '/guide/start.html',
    act: async (page) => {
      await page.locator('.VPLocalNav .menu').click();
      await page.locator('.VPSidebar.open').waitFor();
    },
  },
];

const isSkipped = chromiumPath === undefined || missingPackages !== undefined;
describe.skipIf(isSkipped)('the faces of the site (need Chromium and VitePress)', () => {
  let browser: Browser;
  let server: StaticServer;
  let root: string;
  const errors: string[] = [];
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const [started, built] = await Promise.all([startChromium(), builtSite()]);
    browser = started;
    root = built;
    server = await startServer({ folders: { '': built }, isolated: true });
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  // test/site/pages.test.ts looks at the pages that links lead to.
  it('links to headings of the documents lead to headings', () => {
    const pages = new Map<string, string>();
    for (const folder of ['guide', 'project', 'samples'])
      for (const name of readdirSync(join(root, folder)).filter((each) => each.endsWith('.html')))
        pages.set(`/${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8'));
    expect(pages.size).toBeGreaterThan(90);
    const broken: string[] = [];
    let links = 0;
    for (const [page, text] of pages) {
      for (const [, link] of text.matchAll(/<a [^>]*href="([^"]*#[^"]+)"/g)) {
        const { pathname, hash } = new URL(link!, `http://site${page}`);
        const target = pages.get(pathname);
        if (target === undefined) continue;
        links++;
        if (!target.includes(` id="${decodeURIComponent(hash.slice(1))}"`)) broken.push(`${page}: ${link}`);
      }
    }
    expect(links).toBeGreaterThan(500);
    expect(broken).toEqual([]);
  });

  const light = { kind: 'light', scheme: 'light', width: 1280, height: 800 } as const;
  const darkPhone = { kind: 'dark-phone', scheme: 'dark', width: 390, height: 844 } as const;
  const dark = { kind: 'dark', scheme: 'dark', width: 1280, height: 800 } as const;
  const phone = { kind: 'phone', scheme: 'light', width: 390, height: 844 } as const;
  type Kind = typeof light | typeof darkPhone | typeof dark | typeof phone;

  async function look(page: Page, name: string, { kind, width }: Kind): Promise<void> {
    expect.soft(await violations(page), `${name}, ${kind}`).toEqual([]);
    const picture = await page.screenshot({ animations: 'disabled' });
    writeFileSync(`${folder}/${name}-${kind}.png`, picture);
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(widest, `${name}, ${kind}`).toBeLessThanOrEqual(width);
  }

  // Each page is loaded once and looked at in both ways, by turns first in the one and first in the other.
  it.each(
    all
      ? [
          [light, darkPhone],
          [dark, phone],
        ]
      : [[light, darkPhone]],
  )('$kind', { timeout: 600_000 }, async (wide, narrow) => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    let shown = '';
    page.on('pageerror', (error) => errors.push(`${shown}: ${error.message}`));
    for (const [at, { name, path, act }] of [...everywhere, ...onPhones].entries()) {
      shown = name;
      const kinds = at >= everywhere.length ? [narrow] : at % 2 === 0 ? [wide, narrow] : [narrow, wide];
      const { scheme, width, height } = kinds[0]!;
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height });
      // Another document, so that no dialog and no frame of the one before is left.
      await page.goto(`${server.origin}${path}`);
      const isIdle = page.waitForLoadState('networkidle');
      if (path !== '/playground/') await waitUntil(page, "document.querySelector('#app').__vue_app__");
      await act?.(page);
      await page.mouse.move(0, 0);
      // What is loaded ahead for other pages comes meanwhile.
      await Promise.all([look(page, name, kinds[0]!), isIdle]);
      if (kinds[1] === undefined) continue;
      await turnTo(page, kinds[1]);
      await look(page, name, kinds[1]);
    }
    await page.close();
    expect(errors).toEqual([]);
    expect(server.missing).toEqual([]);
  });
});
