/** The playground's debugger in Chromium: breakpoints in the gutter, steps by buttons and keys, back again, and an endless loop. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium } from './chromium.ts';
import { openPlayground, type } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const source = `kernel void scale(global float *numbers, local float *tile) {
  int l = get_local_id(0);
  tile[l] = numbers[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float2 pair = (float2)(tile[l], tile[(l + 1) % 4]);
  numbers[get_global_id(0)] = pair.x * pair.y;
}
`;

describe.skipIf(chromiumPath === undefined)("the playground's debugger (needs Chromium)", () => {
  let browser: Browser;
  let server: StaticServer;
  const errors: string[] = [];
  beforeAll(async () => {
    const [started, folder] = await Promise.all([startChromium(), builtPlayground()]);
    browser = started;
    server = await startServer({ folders: { '': folder }, isolated: true });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(errors).toEqual([]);
  });

  /** The line it stands at, when it has come there. */
  const isAt = (page: Page, line: number, text = '') =>
    page.waitForSelector(`p[data-line="${line}"]${text && `:has-text("${text}")`}`);

  const shownValue = (page: Page, name: string) =>
    page.locator('.values tr').filter({ hasText: name }).first().locator('.value').innerText();

  it('steps, looks and goes back', async () => {
    const page = await openPlayground(browser, server, { errors });
    await type(page, source);
    await page.fill('label:has-text("numbers") input', '(2,3,5,7,1,1,1,1)');
    await page.fill('label:has-text("tile") input', 'local:16');
    await page.fill('label:has-text("Work-items") input', '8');
    await page.fill('label:has-text("Work-group") input', '4');
    await page.click('#tab-debugger');
    await page.locator('.cm-stops .cm-gutterElement').nth(4).click();
    await page.click('text=Debug this launch');
    await isAt(page, 2);
    await page.keyboard.press('F10');
    await isAt(page, 3);
    expect(await page.locator('.cm-pointed').innerText()).toContain('tile[l] =');
    await page.fill('label:has-text("Line 5") input', 'get_global_id(0) == 2');
    await page.keyboard.press('Enter');
    await page.click('button:has-text("Continue")');
    await isAt(page, 5, 'work-item (2)');
    expect(await shownValue(page, 'tile')).toBe('&tile = {2, 3, 5, 7}');
    const states = await page
      .locator('.work-items button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    expect(states[2]).toBe('Work-item (2), ready, line 5');
    await page.keyboard.press('F10');
    await isAt(page, 6);
    expect(await shownValue(page, 'pair')).toBe('(5, 7)');
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const found = await checker.run();
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    expect(violations).toEqual([]);
    await page.keyboard.press('F10');
    await isAt(page, 7);
    await page.keyboard.press('Shift+F10');
    await isAt(page, 6);
    await page.click('button[aria-label^="Work-item (3)"]');
    await isAt(page, 5, 'work-item (3)');
    await page.fill('[aria-label="An expression to show"]', 'tile[l] * 10');
    await page.click('button:has-text("Show")');
    await page.waitForSelector('.value:has-text("70")');
    await page.close();
  });

  it('goes through a program in AMD IL by its instructions', async () => {
    const page = await openPlayground(browser, server, { hash: '#sample=group-counts-il', errors });
    await page.waitForSelector('.source[aria-busy="false"]');
    await page.click('#tab-debugger');
    await page.click('text=Debug this launch');
    await isAt(page, 7, 'work-item (0, 0, 0)');
    await page.click('button[aria-label^="Work-item (3, 0, 0)"]');
    await isAt(page, 7, 'work-item (3, 0, 0)');
    // It begins with the first step.
    await page.keyboard.press('F10');
    await isAt(page, 7, 'Stepped');
    // The square of three, of which the next instruction keeps three bits.
    await page.keyboard.press('F10');
    await isAt(page, 8);
    await page.fill('[aria-label="An expression to show"]', 'as_int4(r1).x');
    await page.click('button:has-text("Show")');
    await page.waitForSelector('.value:text-is("9")');
    await page.keyboard.press('F10');
    await isAt(page, 9);
    await page.waitForSelector('.value:text-is("1")');
    await page.close();
  });

  it('goes through the launch of a program in Brook+ that one asks for', async () => {
    const page = await openPlayground(browser, server, { hash: '#sample=streams', errors });
    await page.click('#tab-debugger');
    await page.fill('label:has-text("of") input', 'saxpy');
    await page.click('text=Debug this launch');
    await isAt(page, 5);
    await page.waitForSelector('h2:has-text("of saxpy")');
    await page.click('button[aria-label^="Work-item (10)"][aria-pressed="false"]');
    await page.waitForSelector('button[aria-label^="Work-item (10)"][aria-pressed="true"]');
    await page.keyboard.press('F10');
    await isAt(page, 5, 'Stepped — work-item (10) at line 5');
    for (const expression of ['x', 'a * x + y']) {
      await page.fill('[aria-label="An expression to show"]', expression);
      await page.click('button:has-text("Show")');
    }
    await page.waitForSelector('.value:text-is("10")');
    await page.waitForSelector('.value:text-is("6")');
    await page.close();
  });

  it('stays alive beside an endless loop, and pauses it', async () => {
    const page = await openPlayground(browser, server, { errors });
    await type(page, 'kernel void stuck(global int *x) {\n  while (true)\n    x[0]++;\n}\n');
    await page.fill('label:has-text("Work-items") input', '1');
    await page.click('#tab-debugger');
    await page.click('text=Debug this launch');
    await isAt(page, 2);
    await page.click('button:has-text("Continue")');
    await page.click('button:has-text("Pause")');
    await page.waitForSelector('p:has-text("Paused")');
    await page.click('button:has-text("Step back")');
    await isAt(page, 3);
    await page.click('button:has-text("End")');
    await page.waitForSelector('text=Debug this launch');
    await page.close();
  });
});
