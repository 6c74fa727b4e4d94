/** The test pages: their scripts bundled as an application would, with Millrace left as it is built. */
import { build, type Plugin } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { createContext } from '../../samples/support/node-context.ts';
import type { SampleSize } from '../../samples/support/sample.ts';
import { waitUntil } from './chromium.ts';
import type { ProgramOptions, ProgramReport } from './page/programs.ts';
import type { SampleReport } from './page/samples.ts';
import type { Scenarios } from './page/scenarios.ts';
import { type StaticServer, startServer } from './server.ts';

/** Workers know no import maps, so the scripts import Millrace's files by path. */
const millraceAsBuilt: Plugin = {
  name: 'millrace-as-built',
  setup({ onResolve }) {
    onResolve({ filter: /^millrace$/ }, () => ({ path: '/dist/index.js', external: true }));
    onResolve({ filter: /^millrace\/(opencl|c-host|cal)$/ }, ({ path }) => ({
      path: `/dist/${path.slice('millrace/'.length)}.js`,
      external: true,
    }));
  },
};

const html = `<!doctype html><meta charset="utf-8"><title>Millrace in a page</title>
<link rel="icon" href="data:,">
<style>
  body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; background: #f6f6f3; color: #222; }
  figure { display: inline-block; margin: 0 16px 16px 0; }
  figure > :first-child { display: block; width: 600px; height: auto; }
</style>
<body><script type="module" src="/scripts/window.js"></script>`;

/** The server of the test pages; `isolated` with the headers for threads, `photos` for samples of these sizes, more files. */
export async function startSite(
  isolated: boolean,
  photos: readonly SampleSize[] = [],
  more: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<StaticServer> {
  const { outputFiles } = await build({
    entryPoints: { window: 'test/browser/page/window.ts', worker: 'test/browser/page/worker.ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    outdir: '/scripts',
    write: false,
    plugins: [millraceAsBuilt],
  });
  const files = new Map<string, string | Uint8Array>([['/index.html', html], ...more]);
  for (const { path, contents } of outputFiles) files.set(path, contents);
  for (const size of photos) files.set(`/photo-${size}`, await photo(size));
  return startServer({ folders: { dist: 'dist', samples: 'samples' }, files, isolated });
}

/** Width and height as 32-bit numbers, then four bytes a pixel: exactly what the samples get on Node. */
async function photo(size: SampleSize): Promise<Uint8Array> {
  const { width, height, data } = await nodeContext(size).readPhoto();
  const file = new Uint8Array(8 + data.length);
  file.set(new Uint8Array(Uint32Array.of(width, height).buffer));
  file.set(data, 8);
  return file;
}

/** A SampleContext on Node without output; `compile` is given by who runs a sample in it. */
export function nodeContext(size: SampleSize) {
  return createContext({
    size,
    samplesFolder: new URL('../../samples/', import.meta.url),
    outFolder: 'out/browser-tests',
    computeUnits: 2,
    compile: () => Promise.reject(new Error('this context compiles nothing')),
  });
}

/** A page of the site with typed calls into it; console errors and page errors are kept. */
export interface TestPage {
  readonly page: Page;
  readonly errors: readonly string[];
  here<Name extends keyof Scenarios>(name: Name, ...args: Parameters<Scenarios[Name]>): Promise<Result<Name>>;
  inWorker<Name extends keyof Scenarios>(
    name: Name,
    ...args: Parameters<Scenarios[Name]>
  ): Promise<Result<Name>>;
  sample(name: string, size: SampleSize): Promise<SampleReport>;
  program(path: string, options?: ProgramOptions): Promise<ProgramReport>;
}

type Result<Name extends keyof Scenarios> = Awaited<ReturnType<Scenarios[Name]>>;

export async function openPage(browser: Browser, site: StaticServer): Promise<TestPage> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(site.origin);
  await waitUntil(page, 'globalThis.millraceTest !== undefined');
  const call = (method: string, args: readonly unknown[]) =>
    page.evaluate(`millraceTest.${method}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`);
  return {
    page,
    errors,
    here: (name, ...args) => call('here', [name, ...args]) as Promise<Result<typeof name>>,
    inWorker: (name, ...args) => call('inWorker', [name, ...args]) as Promise<Result<typeof name>>,
    sample: (name, size) => call('sample', [name, size]) as Promise<SampleReport>,
    program: (path, options = {}) => call('program', [path, options]) as Promise<ProgramReport>,
  };
}
