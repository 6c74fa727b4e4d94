/**
 * `npm run conformance -- webcl DIR`: the pages of the Khronos WebCL-conformance suite, each as it is, in a Chromium of
 * this machine to which `millrace/webcl` has been added.
 *
 * The pages block, so Millrace works on the page's own thread, as it does where there is no shared memory. A page counts
 * as one test: it passes if it reports its end, at least one check, and no check that failed. What a page says of its
 * checks it says to the harness of the suite in the window above it, whose place a small recorder takes.
 */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { chromiumPath, startChromium } from '../../test/browser/chromium.ts';
import { startServer } from '../../test/browser/server.ts';
import { filesUnder } from '../support/folder-files.ts';
import type { Outcome } from '../support/outcome.ts';

export interface WebCLRunOptions {
  /** Whether exceptions must have the names that the pages say; without, as in the suite, any WebCLException will do. */
  readonly isStrict: boolean;
  /** Whether pages that ask for WebGL 1, with which Millrace does not share, get WebGL 2 under its name; else they are skipped. */
  readonly givesWebGL2: boolean;
  /** Only pages whose path has one of these texts in it. */
  readonly only?: readonly string[] | undefined;
}

/** What the recorder in a page has heard. */
interface Report {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly isFinished: boolean;
  /** What Millrace has of the extension that the page is about. */
  readonly hasExtension: boolean;
  /** The page asked for WebGL 1 and got it. */
  readonly wantsWebGL1: boolean;
}

/** Milliseconds in which a page must say something. */
const patience = 60_000;

/** The outcomes of all pages under `folder`, in the order of their paths. */
export async function runWebCL(folder: string, options: WebCLRunOptions): Promise<Outcome[]> {
  if (chromiumPath === undefined)
    throw new Error('there is no Chromium here; MILLRACE_CHROMIUM can say where it is');
  const root = resolve(folder);
  const pages = filesUnder(join(root, 'conformance'), ['.html'])
    .map((path) => relative(root, path))
    .filter((path) => !options.only || options.only.some((part) => path.includes(part)));
  const library = await bundle();
  const selection = readFileSync(join(root, 'resources/cl_global.js'), 'utf8');
  const browser = await startChromium();
  const server = await startServer({ folders: { '': root }, isolated: false });
  const outcomes: Outcome[] = [];
  try {
    for (const path of pages) {
      const scripts = [library, recorder(path, options.givesWebGL2), selection, select(options.isStrict)];
      outcomes.push(outcomeOf(path, await visit(browser, `${server.origin}/${path}`, scripts)));
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return outcomes;
}

/** `millrace/webcl` as one script that makes everything global. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "import { installWebCL } from './dist/webcl.js'; installWebCL();", resolveDir: '.' },
    bundle: true,
    write: false,
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'iife',
    platform: 'neutral',
    external: ['node:*'],
    logLevel: 'error',
    // Thread files are found beside the module, but here are no threads.
    define: { 'import.meta.url': '"http://localhost/"' },
  });
  return outputFiles[0]!.text;
}

/** The extension that a page is about, by its folder. */
function extensionOf(path: string): string | undefined {
  return /extension[\\/]([^\\/]+)/.exec(path)?.[1];
}

function recorder(path: string, givesWebGL2: boolean): string {
  const extension = JSON.stringify(extensionOf(path) ?? '');
  return `globalThis.report = {
    passed: 0,
    failures: [],
    isFinished: false,
    hasExtension: ${extension} === '' || webcl.getSupportedExtensions().includes(${extension}),
    wantsWebGL1: false,
  };
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    const isWebGL1 = kind === 'webgl' || kind === 'experimental-webgl';
    if (isWebGL1) report.wantsWebGL1 = ${!givesWebGL2};
    return getContext.call(this, isWebGL1 && ${givesWebGL2} ? 'webgl2' : kind, ...rest);
  };
  if (${givesWebGL2}) globalThis.WebGLRenderingContext = WebGL2RenderingContext;
  globalThis.webclTestHarness = {
    reportResults(page, success, message) {
      if (success) report.passed += 1;
      else report.failures.push(String(message));
    },
    notifyFinished() { report.isFinished = true; },
    getPage() { return ''; },
  };`;
}

/** What a user of the suite chooses in its welcome page. */
function select(isStrict: boolean): string {
  return `globalThis.CLGlobalVariables = CLGlobalVariables;
  CLGlobalVariables.getInstance().setwebCLDevicesIndex([0]);
  CLGlobalVariables.getInstance().setStrictFlag(${isStrict});`;
}

async function visit(browser: Browser, address: string, scripts: readonly string[]): Promise<Report> {
  const page = await browser.newPage();
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(String(error)));
  // One script: what it declares must be global, and each init script is a scope of its own.
  await page.addInitScript({ content: scripts.join('\n;\n') });
  try {
    await page.goto(address, { timeout: patience });
    await page.waitForFunction('report.isFinished', undefined, { timeout: patience }).catch(() => {});
    // Pages that wait for callbacks say that they have ended before the last check.
    await page.waitForTimeout(20);
    const report = (await page.evaluate('report')) as Report;
    return thrown.length === 0 ? report : { ...report, failures: [...report.failures, ...thrown] };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
    return {
      passed: 0,
      failures: [...thrown, why],
      isFinished: false,
      hasExtension: true,
      wantsWebGL1: false,
    };
  } finally {
    await page.close();
  }
}

function outcomeOf(path: string, report: Report): Outcome {
  const { passed, failures, isFinished, hasExtension, wantsWebGL1 } = report;
  if (!hasExtension) {
    return { name: path, status: 'skipped', reason: `the extension ${extensionOf(path)} is not there` };
  }
  if (wantsWebGL1) return { name: path, status: 'skipped', reason: 'the page asks for WebGL 1' };
  if (failures.length > 0) {
    const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
    return { name: path, status: 'failed', reason: `${failures[0]}${more}` };
  }
  if (!isFinished) return { name: path, status: 'failed', reason: 'the page did not come to its end' };
  if (passed === 0) return { name: path, status: 'failed', reason: 'the page checked nothing' };
  return { name: path, status: 'passed' };
}
