/**
 * A page that has Millrace from another origin, as from a CDN: browsers start no threads from there. And pages that lack the threads'
 * files, must not do what stands in for them, or start workers only from addresses that a policy of Trusted Types has looked at.
 */
import { readdirSync, readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from './chromium.ts';
import { firefoxPath } from './firefox-path.ts';
import { type StaticServer, startServer } from './server.ts';

/** A page that runs a kernel, and a program in C if there are threads. */
const page = (millrace: string, withProgram: boolean) => `<!doctype html><meta charset="utf-8">
<link rel="icon" href="data:,"><body><script type="module">
  import { compile, devices } from '${millrace}/index.js';
  const report = { threads: devices()[0].info.maxComputeUnits };
  try {
    const program = await compile('kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }');
    const a = Int32Array.of(1, 2, 3);
    await program.kernel('twice')({ global: [3] }, a);
    report.result = a.join();
    if (${withProgram}) {
      const { compileHost, startProgram } = await import('${millrace}/c-host.js');
      const text = \`#include <CL/cl.h>
        int main(void) {
          cl_device_id device;
          clGetDeviceIDs(NULL, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL);
          cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
          return clFinish(clCreateCommandQueue(context, device, 0, NULL)) == 0 ? 42 : 1;
        }\`;
      report.exitCode = (await startProgram(compileHost([{ name: 'host.c', text }]).bytes).ended).exitCode;
    }
  } catch (error) {
    report.error = error.name + ': ' + error.message;
  }
  globalThis.report = report;
</script>`;

interface Tab {
  goto(address: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

interface AnyBrowser {
  newPage(): Promise<Tab>;
  close(): Promise<void>;
}

const startFirefox = () =>
  puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath!, headless: true });

// Browsers differ in what they say of a thread that they do not start, and when.
describe.each([
  ['Chromium', chromiumPath, startChromium],
  ['Firefox', firefoxPath, startFirefox],
] as const)('a page in %s', { timeout: 120_000 }, (_, path, start) => {
  const ask = it.skipIf(path === undefined);
  let browser: AnyBrowser;
  let cdn: StaticServer;
  let lacking: StaticServer;
  beforeAll(async () => {
    if (path === undefined) return;
    browser = await start();
    cdn = await startServer({ folders: { dist: 'dist' }, isolated: false, forAll: true });
    // As a CDN that gives modules in a form of its own, and nothing that lies beside them.
    const names = readdirSync('dist').filter(
      (name) => name.endsWith('.js') && !['worker.js', 'processor.js', 'program.js'].includes(name),
    );
    const files = new Map(names.map((name) => [`/dist/${name}`, readFileSync(`dist/${name}`, 'utf8')]));
    lacking = await startServer({ folders: {}, files, isolated: false, forAll: true });
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), cdn?.close(), lacking?.close()]);
  });

  /** What the last page that was visited was kept from. */
  let violations: readonly string[] = [];

  async function visit(html: string, isolated: boolean, policy?: string, files = new Map<string, string>()) {
    const server = await startServer({
      folders: {},
      files: new Map([['/index.html', html], ...files]),
      isolated,
      ...(policy === undefined ? {} : { policy }),
    });
    const tab = await browser.newPage();
    try {
      await tab.goto(server.origin);
      const deadline = Date.now() + 60_000;
      while (!(await tab.evaluate('globalThis.report !== undefined'))) {
        if (Date.now() > deadline) throw new Error('the page reports nothing');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return (await tab.evaluate('report')) as Record<string, unknown>;
    } finally {
      await tab.close();
      await server.close();
      ({ violations } = server);
    }
  }

  ask('that is isolated has threads from another origin', async () => {
    const report = await visit(page(`${cdn.origin}/dist`, true), true);
    const cores = (await (await browser.newPage()).evaluate('navigator.hardwareConcurrency')) as number;
    expect(report).toEqual({ threads: cores, result: '2,4,6', exitCode: 42 });
    expect(cdn.asked).toContain('/dist/worker.js');
  });

  ask('that is not isolated runs kernels from another origin itself', async () => {
    expect(await visit(page(`${cdn.origin}/dist`, false), false)).toEqual({ threads: 1, result: '2,4,6' });
  });

  ask('has threads though their files are missing there', async () => {
    const report = await visit(page(`${lacking.origin}/dist`, false), true);
    expect(report['result']).toBe('2,4,6');
    expect(lacking.missing).toContain('/dist/worker.js');
  });

  ask('whose policy allows no blobs says what they would be for', async () => {
    const inline = "'unsafe-inline' 'wasm-unsafe-eval'";
    const policy = `default-src 'none'; script-src 'self' ${inline} ${cdn.origin}; worker-src 'self'`;
    const { error } = await visit(page(`${cdn.origin}/dist`, false), true, policy);
    expect(error).toMatch(/^CL_DEVICE_NOT_AVAILABLE/);
    expect(error).toContain(`is it at ${cdn.origin}/dist/processor.js`);
    expect(error).toContain(
      "a Content-Security-Policy needs worker-src 'self', and blob: for what is at another origin",
    );
    const open = `${policy} blob:`;
    expect(await visit(page(`${cdn.origin}/dist`, false), true, open)).toMatchObject({ result: '2,4,6' });
  });

  const ownPolicy =
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; worker-src 'self'";
  const ownFiles = () =>
    new Map(
      readdirSync('dist')
        .filter((name) => name.endsWith('.js'))
        .map((name) => [`/dist/${name}`, readFileSync(`dist/${name}`, 'utf8')]),
    );

  ask('with its own origin and policy needs none of that', async () => {
    expect(await visit(page('/dist', false), true, ownPolicy, ownFiles())).toMatchObject({ result: '2,4,6' });
  });

  const enforced = `${ownPolicy}; require-trusted-types-for 'script'`;

  ask('that enforces Trusted Types has threads, if it names the policy', async () => {
    const policy = `${enforced}; trusted-types millrace`;
    const report = await visit(page('/dist', true), true, policy, ownFiles());
    expect(report).toMatchObject({ result: '2,4,6', exitCode: 42 });
    expect(violations).toEqual([]);
    // From another origin they start from a blob, which has the page's policy, too.
    const foreign = policy
      .replace("script-src 'self'", `script-src 'self' ${cdn.origin}`)
      .replace("worker-src 'self'", "worker-src 'self' blob:");
    expect(await visit(page(`${cdn.origin}/dist`, false), true, foreign)).toMatchObject({ result: '2,4,6' });
    // Firefox has the import in the blob fail by worker-src, and starts the code.
    expect(violations.filter((text) => text.includes('trusted'))).toEqual([]);
  });

  ask('that enforces Trusted Types and refuses the policy says so', async () => {
    for (const names of ["'none'", 'another']) {
      const policy = `${enforced}; trusted-types ${names}`;
      const { error } = await visit(page('/dist', false), true, policy, ownFiles());
      expect(error).toMatch(/^CL_DEVICE_NOT_AVAILABLE.*cannot start processor\.js as a worker: /);
      expect(error).toContain("Content-Security-Policy needs 'millrace' in trusted-types");
    }
  });

  ask("that enforces Trusted Types by a default policy of its own needs not name Millrace's", async () => {
    const own = "<script>trustedTypes.createPolicy('default', { createScriptURL: (url) => url })</script>";
    const html = page('/dist', false).replace('<body>', `<body>${own}`);
    const policy = `${enforced}; trusted-types default`;
    expect(await visit(html, true, policy, ownFiles())).toMatchObject({ result: '2,4,6' });
  });

  ask('that only names policies, and enforces none, needs not name it', async () => {
    const policy = `${ownPolicy}; trusted-types another`;
    expect(await visit(page('/dist', false), true, policy, ownFiles())).toMatchObject({ result: '2,4,6' });
  });
});
