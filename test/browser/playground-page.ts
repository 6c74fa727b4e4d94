/** The playground in a page of Chromium, used as a person would. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { waitUntil } from './chromium.ts';
import type { StaticServer } from './server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface OpenOptions {
  /** What stands behind the address, `#sample=waves`. */
  readonly hash?: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Gets what goes wrong in the page. */
  readonly errors?: string[];
}

export async function openPlayground(
  browser: Browser,
  { origin }: StaticServer,
  { hash = '', scheme = 'light', width = 1280, height = 800, errors }: OpenOptions = {},
): Promise<Page> {
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height } });
  page.on('pageerror', (error) => errors?.push(error.message));
  await page.goto(`${origin}/${hash}`);
  await page.waitForSelector('body[data-ready]');
  return page;
}

/** Pages that tests leave for the next: another document in one is there in half the time of a new page, and as fresh. */
export class LeftPages {
  readonly #browser: Browser;
  readonly #errors: string[];
  readonly #left: Page[] = [];

  /** `errors` gets what goes wrong in the pages. */
  constructor(browser: Browser, errors: string[]) {
    this.#browser = browser;
    this.#errors = errors;
  }

  async open(server: StaticServer, hash = ''): Promise<Page> {
    const page = this.#left.pop();
    if (page === undefined) return openPlayground(this.#browser, server, { hash, errors: this.#errors });
    await page.goto(`${server.origin}/${hash}`);
    await page.waitForSelector('body[data-ready]');
    return page;
  }

  /** For {@link open} to take; a test that fails need not, and its page is as it left it. */
  async leave(page: Page): Promise<void> {
    // Ends what runs there. From document to document by the hash alone would not load it anew.
    await page.goto('about:blank');
    await page.mouse.move(0, 0);
    this.#left.push(page);
  }
}

/** Clicks Run and waits for the end, and for the pictures that are loaded apart; what the panel says then. */
export async function run(page: Page): Promise<string> {
  const runs = Number(await page.getAttribute('.panel', 'data-runs'));
  await page.click('button.go');
  await page.waitForSelector(`.panel[data-runs="${runs + 1}"]`, { timeout: 60_000 });
  await page.locator('.panel', { hasText: 'Loading…' }).waitFor({ state: 'detached', timeout: 60_000 });
  return page.locator('.panel').innerText();
}

/** Replaces the source by typing. */
export async function type(page: Page, text: string): Promise<void> {
  await page.click('.cm-content');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/** Opens an entry of the gallery. */
export async function choose(page: Page, id: string): Promise<void> {
  await page.click('button:has-text("Samples")');
  await page.click(`dialog [data-entry="${id}"]`);
  await page.waitForSelector('dialog', { state: 'hidden' });
}

/** The ids of the gallery's entries. */
export async function entriesOf(page: Page): Promise<string[]> {
  await page.click('button:has-text("Samples")');
  const ids = await page
    .locator('dialog [data-entry]')
    .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset['entry']!));
  await page.click('dialog button:has-text("Close")');
  return ids;
}

/** How a page is seen. */
export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

/** Changes colours and size of a page in place, as a person does who turns the device. */
export async function turnTo(page: Page, { scheme, width, height }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height });
  // What watches sizes and colours has seen them, and what it changes is drawn.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  await waitUntil(
    page,
    `innerWidth === ${width} && document.getAnimations().every(({ playState }) => playState !== 'running')`,
  );
}

/** What axe says is wrong for people who see, hear or move otherwise. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    // Every rule is looked at; of those that hold there is no need to name each element that they hold for.
    const found = await checker.run({ resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
