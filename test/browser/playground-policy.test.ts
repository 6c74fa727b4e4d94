/**
 * What the playground does not let in: programs that are not its own, and links that hold more than a document. That nothing of the
 * page's own breaks its policy is seen by all tests of the page, whose server is told of everything that a browser keeps from it.
 */
import { deflateRawSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { LeftPages, openPlayground, run, type } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';

const linkOf = (bytes: Uint8Array) => `#${deflateRawSync(bytes, { level: 9 }).toString('base64url')}`;
const documentOf = (source: string) => ({
  name: 'shared',
  language: 'opencl',
  source,
  options: '',
  launch: { kernel: '', global: '', local: '', args: {} },
  study: '',
});
const linkTo = (source: string) => linkOf(new TextEncoder().encode(JSON.stringify(documentOf(source))));

/**
 * What tries to run in the page as somebody who could write into its HTML would. `refused` gets the names of those that failed at once,
 * which is what Trusted Types do.
 */
const intrusion = `
  globalThis.intruders = [];
  globalThis.refused = [];
  const attempts = {
    'inline script': () => {
      const script = document.createElement('script');
      document.body.append(script);
      script.textContent = 'intruders.push("inline script")';
    },
    'data: script': () => {
      const script = document.createElement('script');
      document.body.append(script);
      script.src = 'data:text/javascript,intruders.push("data: script")';
    },
    handler: () => {
      const button = document.createElement('div');
      document.body.append(button);
      button.innerHTML = '<img src="x:" onerror="intruders.push(\\'handler\\')">';
    },
    frame: () => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      frame.srcdoc = '<script>parent.intruders.push("frame")</script>';
    },
    timer: () => setTimeout('intruders.push("text for a timer")'),
    worker: () => new Worker('data:text/javascript,1'),
    'worker of this origin': () => new Worker('isolate.js'),
    'service worker': () => navigator.serviceWorker.register('isolate.js'),
    policy: () => trustedTypes.createPolicy('intruder', { createHTML: (text) => text }),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      Promise.resolve(attempt()).catch((error) => error instanceof TypeError && refused.push(name));
    } catch (error) {
      if (error instanceof TypeError) refused.push(name);
    }
  }
  // What is evaluated from outside may evaluate more at once, but not later.
  setTimeout(() => new Function('intruders.push("function")')());
  setTimeout(() => import('data:text/javascript,intruders.push("module")').catch(() => {}));
  fetch('https://example.com/').catch(() => {});
`;
const everyAttempt = [
  'data: script',
  'frame',
  'handler',
  'inline script',
  'policy',
  'service worker',
  'timer',
  'worker',
  'worker of this origin',
];

describe.skipIf(chromiumPath === undefined)("the playground's policy (needs Chromium)", () => {
  let browser: Browser;
  /** Sends the policy and hears what breaks it. */
  let strict: StaticServer;
  /** A host of files, which sends no headers at all. */
  let plain: StaticServer;
  beforeAll(async () => {
    const [started, folder] = await Promise.all([startChromium(), builtPlayground()]);
    browser = started;
    strict = await startServer({ folders: { '': folder }, isolated: true, policy: contentSecurityPolicy });
    plain = await startServer({ folders: { '': folder }, isolated: false });
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await strict?.close();
    await plain?.close();
  });

  const intrudersIn = async (page: Page) => {
    await page.evaluate(intrusion);
    await page.waitForTimeout(500);
    return page.evaluate('({ intruders, refused: refused.sort() })');
  };
  const allRefused = { intruders: [], refused: everyAttempt };
  const kindsOf = ({ violations }: StaticServer) =>
    new Set(violations.map((text) => text.replace(/: .*/, '')));

  it('lets nothing run that is put into the page', async () => {
    const page = await openPlayground(browser, strict);
    expect(await intrudersIn(page)).toEqual(allRefused);
    const kinds = kindsOf(strict);
    for (const kind of ['require-trusted-types-for', 'trusted-types', 'script-src-elem', 'connect-src'])
      expect(kinds).toContain(kind);
    expect(await run(page)).toMatch(/mandelbrot: 768 × 512 work-items in/);
    // The two policies that there may be are taken, and in the workers no text is an address, either.
    for (const name of ['millrace', 'millrace-playground']) {
      const again = page.evaluate(`trustedTypes.createPolicy('${name}', {}).name`);
      await expect(again).rejects.toThrow('Policy with name');
    }
    // Threads of kernels sleep, and answer nothing.
    const workers = page.workers().filter((worker) => /(compiler|run)-worker/.test(worker.url()));
    expect(workers).toHaveLength(2);
    for (const worker of workers) {
      const started = worker.evaluate("new Worker('isolate.js')");
      await expect(started, worker.url()).rejects.toThrow('TrustedScriptURL');
    }
    await page.close();
  });

  it('lets nothing run where a browser knows no Trusted Types', async () => {
    const policy = contentSecurityPolicy.replace(/; require-trusted-types-for.*/, '');
    expect(policy).not.toContain('trusted');
    const html = '<!doctype html><link rel="icon" href="data:,"><body>';
    const server = await startServer({
      folders: {},
      files: new Map([['/index.html', html]]),
      isolated: true,
      policy,
    });
    const page = await browser.newPage();
    await page.goto(server.origin);
    expect(await intrudersIn(page)).toMatchObject({ intruders: [] });
    const kinds = kindsOf(server);
    for (const kind of ['script-src-elem', 'script-src-attr', 'script-src', 'worker-src', 'connect-src'])
      expect(kinds).toContain(kind);
    await page.close();
    await server.close();
  });

  it('stands in the page itself, and comes with the workers from the service worker', async () => {
    const page = await openPlayground(browser, plain);
    await waitUntil(page, 'crossOriginIsolated');
    await page.waitForSelector('body[data-ready]');
    const content = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
    expect(content).toBe(contentSecurityPolicy);
    expect(await intrudersIn(page)).toEqual(allRefused);
    const sent = await page.evaluate(async () => {
      const { headers } = await fetch('index.html');
      return headers.get('Content-Security-Policy');
    });
    expect(sent).toBe(contentSecurityPolicy);
    await page.close();
  });

  it("holds while the page is worked on, with vite's server", { timeout: 120_000 }, async () => {
    let server: ViteDevServer | undefined;
    try {
      server = await createServer({
        configFile: 'playground/vite.config.ts',
        server: { port: 0, host: 'localhost' },
        cacheDir: '../out/vite-policy',
        logLevel: 'error',
      });
      await server.listen();
      const origin = server.resolvedUrls!.local[0]!.replace(/\/$/, '');
      const said: string[] = [];
      const page = await browser.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') said.push(message.text());
      });
      const response = await page.goto(`${origin}/`);
      expect(response!.headers()['content-security-policy']).toBe(contentSecurityPolicy);
      await page.waitForSelector('body[data-ready]', { timeout: 60_000 });
      // The editor's style sheets are there.
      expect(await page.locator('.cm-content').evaluate((one) => getComputedStyle(one).whiteSpace)).toMatch(
        /pre|break-spaces/,
      );
      expect(await run(page)).toMatch(/mandelbrot: 768 × 512 work-items in/);
      expect(said).toEqual([]);
      expect(await intrudersIn(page)).toEqual(allRefused);
      await page.close();
    } finally {
      await server?.close();
    }
  });

  describe('a link', () => {
    let pages: LeftPages;
    beforeAll(() => {
      pages = new LeftPages(browser, []);
    });
    const opened = async (hash: string): Promise<{ page: Page; notice: string }> => {
      const page = await pages.open(strict, hash);
      const [notice = ''] = await page.locator('.notice p').allInnerTexts();
      return { page, notice };
    };

    it('may not hold more than a document', { timeout: 60_000 }, async () => {
      // 500 MB of one letter in about as many characters as the longest link has.
      const bomb = linkOf(Buffer.alloc(500_000_000, 'a'));
      expect(bomb.length).toBeLessThan(1 << 20);
      const { page, notice } = await opened(bomb);
      expect(notice).toBe('The link cannot be opened: it holds more than 4 MiB of text.');
      // The page is as it is without a link, and works.
      expect(await run(page)).toMatch(/mandelbrot: 768 × 512 work-items in/);
      await page.click('.notice button');
      expect(await page.locator('.notice').count()).toBe(0);
      await pages.leave(page);
    });

    it('may hold a long document, and says what is wrong with others', { timeout: 60_000 }, async () => {
      const long = `kernel void last(global int *n) { *n = 5; }\n${'// a line\n'.repeat(100_000)}`;
      const cases = [
        [linkTo(long), ''],
        [linkTo(long.repeat(5)), 'The link cannot be opened: it holds more than 4 MiB of text.'],
        [linkOf(Buffer.from('{"name":3}')), 'The link cannot be opened: what it holds is no document.'],
        [linkTo(long).slice(0, 100), 'The link cannot be opened: it is damaged or cut off.'],
        ['#%%%', 'The link cannot be opened: it is damaged or cut off.'],
        ['#sample=%E0%A4%A', 'There is no sample of the name in the link.'],
        [
          `#${'A'.repeat(1_100_000)}`,
          'The link cannot be opened: it is longer than the 1048576 characters of the longest link.',
        ],
      ] as const;
      for (const [hash, expected] of cases) {
        const { page, notice } = await opened(hash);
        expect(notice).toBe(expected);
        if (expected === '') expect(await page.locator('.bar .name').innerText()).toBe('shared');
        await pages.leave(page);
      }
    });

    it('is not made for what it could not open', { timeout: 60_000 }, async () => {
      const page = await pages.open(strict);
      await type(page, `// ${'x'.repeat(5_000_000)}`);
      await page.click('button:has-text("Share")');
      await page.waitForSelector('.notice >> text=There is no link: the document has more than 4 MiB.');
      expect(new URL(page.url()).hash).toBe('');
      await pages.leave(page);
    });
  });
});
