/** The programs of docs/browser.md, taken from its text, do what it says. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { startServer } from './server.ts';

const text = readFileSync('docs/browser.md', 'utf8');

/** The code block that contains a phrase. */
function block(phrase: string): string {
  const blocks = [...text.matchAll(/```\w+\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const found = blocks.filter((code) => code.includes(phrase));
  expect(found.length, `blocks with '${phrase}'`).toBe(1);
  return found[0]!;
}

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';

describe.skipIf(chromiumPath === undefined)('docs/browser.md (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Serves files beside an installed Millrace, opens the page and waits until `condition` holds in it. */
  async function open(files: Record<string, string>, isolated: boolean, condition: string, result: string) {
    const all = new Map<string, string | Uint8Array>(Object.entries(files));
    for (const name of readdirSync('dist').filter((name) => name.endsWith('.js'))) {
      all.set(`/node_modules/millrace/dist/${name}`, readFileSync(`dist/${name}`));
    }
    const server = await startServer({ folders: {}, files: all, isolated });
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(server.origin);
      await waitUntil(page, condition).catch((error) => {
        throw new Error([...errors, ...server.missing, String(error)].join('\n'));
      });
      return await page.evaluate(result);
    } finally {
      await context.close();
      await server.close();
    }
  }

  it.each([true, false])('a page without a bundler; isolated: %s', async (isolated) => {
    const page = `${head}<body>${block('document.body.textContent')}`;
    const done = "document.body.textContent === '2 4 6'";
    expect(await open({ '/index.html': page }, isolated, done, 'crossOriginIsolated')).toBe(isolated);
  });

  it('a worker that blocks', async () => {
    const page = `${head}<script type="module">
      const worker = new Worker('/host.js', { type: 'module' });
      worker.onmessage = ({ data }) => { globalThis.result = [...data]; };
    </script>`;
    const files = { '/index.html': page, '/host.js': block('Int32Array.of(7)') };
    expect(await open(files, true, 'globalThis.result', 'result')).toEqual([7, 7, 7, 7]);
  });

  it('a worker that blocks at once, its threads started by the page', async () => {
    const page = `${head}<script type="module">
      ${block('= keepThreads()')}
      worker.onmessage = ({ data }) => end().then(() => { globalThis.result = [...data]; });
    </script>`;
    const startsNone =
      "globalThis.Worker = class { constructor() { throw new Error('a thread of its own'); } };";
    const files = { '/index.html': page, '/blocks.js': `${block('await delegateThreadsTo(')}${startsNone}` };
    expect(await open(files, true, 'globalThis.result', 'result')).toEqual([8, 8, 8, 8]);
  });

  it('a service worker in place of the headers', async () => {
    const main = `${block("register('/isolate.js')")}
      const { compile, devices } = await import('/node_modules/millrace/dist/index.js');
      const program = await compile('kernel void k(global int *a) { a[0] = 42; }');
      const a = new Int32Array(1);
      await program.kernel('k')({ global: [1] }, a);
      if (crossOriginIsolated) globalThis.result = [a[0], devices()[0].info.maxComputeUnits === navigator.hardwareConcurrency];`;
    const files = {
      '/index.html': `${head}<script type="module" src="/main.js"></script>`,
      '/main.js': main,
      '/isolate.js': block("addEventListener('fetch'"),
    };
    expect(await open(files, false, 'globalThis.result', 'result')).toEqual([42, true]);
  });

  it('a Content-Security-Policy', async () => {
    const policy = /must contain `(script-src [^`]*)` and `(worker-src [^`]*)`/.exec(text)!;
    const page = `${head}<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy[1]}; ${policy[2]}">
      <script type="module" src="/main.js"></script>`;
    const main = `import { compile } from '/node_modules/millrace/dist/index.js';
      const program = await compile('kernel void k(global int *a) { a[0] = 42; }');
      const a = new Int32Array(1);
      await program.kernel('k')({ global: [1] }, a);
      globalThis.result = a[0];`;
    const files = { '/index.html': page, '/main.js': main };
    expect(await open(files, true, 'globalThis.result', 'result')).toBe(42);
  });
});
