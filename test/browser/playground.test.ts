/**
 * The playground as it is built, in Chromium: it is opened, typed into and run as a person would; its size.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { LeftPages, run, type, violations } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';

describe.skipIf(chromiumPath === undefined)('the playground (needs Chromium)', () => {
  let folder: string;
  let browser: Browser;
  let pages: LeftPages;
  let isolated: StaticServer;
  let plain: StaticServer;
  const errors: string[] = [];
  beforeAll(async () => {
    [browser, folder] = await Promise.all([startChromium(), builtPlayground()]);
    pages = new LeftPages(browser, errors);
    isolated = await startServer({ folders: { '': folder }, isolated: true, policy: contentSecurityPolicy });
    plain = await startServer({ folders: { '': folder }, isolated: false, policy: contentSecurityPolicy });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await isolated?.close();
    await plain?.close();
  });

  const openPlayground = (server: StaticServer, hash = '') => pages.open(server, hash);

  it('is small before the first run, the compiler that looks at the source included', async () => {
    const { asked } = isolated;
    const before = asked.length;
    const own = (from: number) => [...new Set(asked.slice(from))];
    const bytesOf = (paths: readonly string[]) =>
      paths.reduce((sum, path) => sum + gzipSync(readFileSync(`${folder}${path}`)).length, 0);
    const page = await openPlayground(isolated);
    await page.waitForSelector('small:has-text("uchar4*")');
    const first = own(before);
    expect(first.some((path) => path.includes('compiler-worker'))).toBe(true);
    expect(bytesOf(first)).toBeLessThan(420_000);
    // Before the compiler, what is needed to see and type.
    const shown = first.filter((path) => !path.includes('worker'));
    expect(shown.length).toBeLessThan(9);
    // The runtime with its compiler and threads, and nothing of other languages or of samples.
    const sofar = asked.length;
    await run(page);
    const more = own(sofar).filter((path) => !first.includes(path));
    expect(more.some((path) => path.includes('run-worker'))).toBe(true);
    expect(more.filter((path) => /run-(il|study|program)|gallery|photo/.test(path))).toEqual([]);
    expect(bytesOf(more)).toBeLessThan(600_000);
    await pages.leave(page);
  });

  it('draws a picture on the threads of the page', async () => {
    const page = await openPlayground(isolated);
    expect(await run(page)).toMatch(/mandelbrot: 768 × 512 work-items in/);
    // The middle of the set is dark, the corner is not.
    const pixels = await page.evaluate(() => {
      const context = document.querySelector('canvas')!.getContext('2d')!;
      return [context.getImageData(384, 256, 1, 1), context.getImageData(0, 0, 1, 1)].map(({ data }) => [
        ...data,
      ]);
    });
    // 255 (1 - cos t) / 2 for the phases 0, 0.6 and 1.2.
    expect(pixels[0]).toEqual([0, 22, 81, 255]);
    expect(pixels[1]).not.toEqual(pixels[0]);
    // The page has started them, not its worker: see firefox.test.ts. Playwright does not list workers of workers.
    const names = page.workers().map((worker) => worker.url());
    for (const name of ['run-worker', 'processor', 'worker'])
      expect(names).toContainEqual(expect.stringMatching(new RegExp(`/${name}-[^/]*[.]js$`)));
    await pages.leave(page);
  });

  it('says what is wrong while one types, and runs what one typed', async () => {
    const page = await openPlayground(isolated);
    await page.waitForSelector('.source[aria-busy="false"]');
    await type(page, 'kernel void twice(global int *numbers) {\n  numbers[get_global_id(0)] *= factor;\n}\n');
    await page.waitForSelector('.remarks >> text=Line 2: error');
    const said = await run(page);
    expect(said).toContain("kernel.cl:2:32: error: use of undeclared identifier 'factor'");
    expect(said).toContain('this form is for ‘mandelbrot’ of the last source that compiled');
    await type(page, 'kernel void twice(global int *numbers) {\n  numbers[get_global_id(0)] *= 2;\n}\n');
    await page.waitForSelector('.remarks', { state: 'detached' });
    expect(await page.locator('.launch').innerText()).not.toContain('of the last source');
    await page.fill('label:has-text("numbers") input', '(1,2,3,-4)');
    await page.fill('label:has-text("Work-items") input', '');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('text=numbers: int[4] = 2, 4, 6, -8');
    await page.click('button:has-text("Table")');
    expect((await page.locator('.table td').allInnerTexts()).slice(0, 4)).toEqual(['2', '4', '6', '-8']);
    await pages.leave(page);
  });

  it('completes names, and explains them where the pointer rests', async () => {
    const page = await openPlayground(isolated);
    await type(page, 'kernel void f(global float4 *out) { float4 sum = out[0]; out[1] = sum');
    await page.keyboard.type('.');
    const list = page.locator('.cm-tooltip-autocomplete');
    await list.waitFor();
    expect((await list.locator('.cm-completionLabel').allInnerTexts()).slice(0, 7)).toEqual([
      'x',
      'y',
      'z',
      'w',
      'xy',
      'xyz',
      'xyzw',
    ]);
    await page.keyboard.press('Escape');
    await type(page, 'kernel void f(global float *out) { out[0] = native_sin(1.0f); }');
    await page.locator('.cm-content').getByText('native_sin').hover();
    const hover = page.locator('.explanation');
    await hover.waitFor();
    expect(await hover.innerText()).toContain('The sine of x');
    expect(await violations(page)).toEqual([]);
    await pages.leave(page);
  });

  it('shares what one wrote by a link', async () => {
    const page = await openPlayground(isolated);
    await type(page, '// Grüße\nkernel void five(global int *n) { *n = 5; }\n');
    await page.waitForSelector('label:has-text("n") small:has-text("int*")');
    await page.fill('label:has-text("n") >> nth=-1', '').catch(() => {});
    await page.click('button:has-text("Share")');
    await waitUntil(page, 'location.hash.length > 20');
    const { hash } = new URL(page.url());
    const other = await openPlayground(isolated, hash);
    expect(await other.locator('.cm-content').innerText()).toContain('// Grüße');
    for (const one of [page, other]) await pages.leave(one);
  });

  it('points from the listing to the source', async () => {
    const page = await openPlayground(isolated);
    await page.click('#tab-compiler');
    await page.hover('.listing-line:has-text("store")');
    expect(await page.locator('.cm-pointed').innerText()).toContain('image[y * width + x] =');
    await page.click('button:has-text("WebAssembly")');
    await page.waitForSelector('.listing:has-text("v128")');
    await pages.leave(page);
  });

  it('analyzes kernels for the cards of the guide', async () => {
    const page = await openPlayground(isolated, '#sample=waves');
    await page.click('#tab-analyzer');
    await page.waitForSelector('.listing-line:has-text("SIN")');
    expect(await page.locator('.panel table').innerText()).toContain('HD 4870');
    // By size of groups, registers and local memory.
    await page.waitForSelector('.occupancy canvas');
    expect(await page.locator('.occupancy .plot').count()).toBe(3);
    await page.hover('.listing-line:has-text("SIN")');
    expect(await page.locator('.cm-pointed').innerText()).toContain('sin(n * x)');
    await page.click('button:text-is("RV670")');
    await page.waitForSelector("text=Not on RV670, line 5: 'global_size' needs groups of threads");
    await pages.leave(page);
  });

  it('shows when the commands of a run were queued, started and ended', async () => {
    const page = await openPlayground(isolated);
    await run(page);
    await page.click('#tab-profile');
    const timeline = page.locator('.timeline');
    await timeline.focus();
    for (const key of ['ArrowDown', 'ArrowDown', '+', '+', 'ArrowRight', 'Home'])
      await page.keyboard.press(key);
    expect(await page.locator('.panel .hint[role=status]').innerText()).toMatch(
      /^\S.*: [\d.]+ (ns|µs|ms|s) from /,
    );
    await page.keyboard.press('End');
    await timeline.locator('canvas').hover({ position: { x: 300, y: 30 } });
    await page.mouse.wheel(0, -300);
    expect(await page.locator('.panel pre').first().innerText()).toContain('mandelbrot');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button:has-text("Save the trace")'),
    ]);
    const { traceEvents } = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
      traceEvents: { ph: string; name: string }[];
    };
    expect(traceEvents.some(({ ph, name }) => ph === 'X' && name === 'mandelbrot')).toBe(true);
    // Another run beside it.
    await page.click('button:has-text("Keep this run")');
    await run(page);
    await page.click('#tab-profile');
    const comparison = await page.locator('pre[aria-label^="The kept run"]').innerText();
    expect(comparison).toMatch(/mandelbrot +1 +1 .*x/);
    expect(await violations(page)).toEqual([]);
    await pages.leave(page);
  });

  it('finds a data race', async () => {
    const page = await openPlayground(isolated, '#sample=race');
    await page.click('#tab-check');
    await page.click('text=Check this launch');
    await page.click('.finding');
    expect(await page.locator('.finding').innerText()).toMatch(/data race on byte \d+ of 'numbers'/);
    expect(await page.locator('.cm-pointed').innerText()).toContain('numbers[i] = numbers[i + 1];');
    await pages.leave(page);
  });

  it('runs programs in C', async () => {
    const page = await openPlayground(isolated, '#sample=saxpy-c');
    const text = await run(page);
    expect(text).toContain('Ended with exit code 0');
    expect(text).toContain('y[10] = 26, y[999] = 2498.5, 0 wrong');
    await page.click('#tab-check');
    await page.click('text=Check this program');
    await page.waitForSelector('.found-nothing');
    expect(await page.locator('.printed').innerText()).toContain('y[10] = 26, y[999] = 2498.5, 0 wrong');
    await pages.leave(page);
  });

  it('gives programs in C their input, files and device, and shows what they leave', async () => {
    const page = await openPlayground(isolated, '#sample=saxpy-c');
    await type(
      page,
      `#include <CL/cl.h>
#include <stdio.h>
int main(void) {
  int a = 0, b = 0;
  FILE *in = fopen("numbers.txt", "r");
  if (in) fscanf(in, "%d", &a);
  scanf("%d", &b);
  printf("sum %d\\n", a + b);
  FILE *out = fopen("out/grey.pgm", "wb");
  if (!out) out = fopen("grey.pgm", "wb");
  fprintf(out, "P5 2 1 255\\n%c%c", 7, 200);
  fclose(out);
  cl_platform_id platform;
  cl_device_id device;
  clGetPlatformIDs(1, &platform, NULL);
  return clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) ? 3 : 0;
}
`,
    );
    await page.setInputFiles('input[type=file]', [
      { name: 'numbers.txt', mimeType: 'text/plain', buffer: Buffer.from('40') },
    ]);
    await page.fill('label:has-text("Standard input") textarea', '2');
    const text = await run(page);
    expect(text).toContain('Ended with exit code 3');
    expect(text).toContain('sum 42');
    expect(text).toContain('clGetDeviceIDs: CL_DEVICE_NOT_FOUND');
    expect(text).not.toContain('numbers.txt 2 bytes');
    await page.waitForSelector('text=grey.pgm, 2 × 1');
    const pixels = await page.evaluate(() => [
      ...document.querySelector('canvas')!.getContext('2d')!.getImageData(0, 0, 2, 1).data,
    ]);
    expect(pixels).toEqual([7, 7, 7, 255, 200, 200, 200, 255]);
    expect(await violations(page)).toEqual([]);
    await page.selectOption('label:has-text("Device type") select', 'gpu');
    // Shared with the program.
    await page.click('button:has-text("Share")');
    await waitUntil(page, "location.hash.length > 20 && !location.hash.startsWith('#sample')");
    const other = await openPlayground(isolated, new URL(page.url()).hash);
    expect(await run(other)).toMatch(/Ended with exit code 0[\s\S]*sum 2\n/);
    for (const one of [page, other]) await pages.leave(one);
  });

  it('says why a program in C was stopped, and where', async () => {
    const page = await openPlayground(isolated, '#sample=saxpy-c');
    await type(
      page,
      '#include <assert.h>\nstatic void look(int x) { assert(x == 4); }\nint main(int n, char **v) { look(n); }\n',
    );
    const text = await run(page);
    expect(text).toMatch(/Stopped after .*: it aborted\./);
    expect(text).toContain('In look, called by main.');
    expect(text).toContain('main.c:2: look: Assertion `x == 4');
    await type(
      page,
      'static int deep(int n) { volatile int big[1000]; big[n % 9] = n; return deep(n + 1) + big[0]; }\nint main(void) { return deep(0); }\n',
    );
    expect(await run(page)).toMatch(/the stack is full[\s\S]*In deep, called by /);
    await pages.leave(page);
  });

  it('finds null pointers of programs in C in the check', async () => {
    const page = await openPlayground(isolated, '#sample=saxpy-c');
    await type(
      page,
      'static int *find(int key) { return key ? &(int){3} : 0; }\nint main(int n, char **v) { return *find(n - 1); }\n',
    );
    await page.click('#tab-check');
    await page.click('text=Check this program');
    await page.waitForSelector(
      'text=The program was stopped: it used a null pointer, or one close to it, in main.',
    );
    await pages.leave(page);
  });

  it('profiles programs in C', async () => {
    const page = await openPlayground(isolated, '#sample=saxpy-c');
    await run(page);
    await page.click('#tab-profile');
    expect(await page.locator('.panel pre').first().innerText()).toMatch(/^saxpy +1 /m);
    await pages.leave(page);
  });

  it('ends what does not end, and goes on', async () => {
    const page = await openPlayground(isolated);
    await type(page, 'kernel void wait(global volatile int *flag) { while (*flag == 0) flag[1]++; }');
    await page.waitForSelector('label:has-text("flag") small:has-text("int*")');
    await page.fill('label:has-text("Work-items") input', '1');
    await page.fill('label:has-text("flag") input', 'zeros:2');
    await page.click('button.go');
    await page.click('button:has-text("Stop")');
    await page.waitForSelector('.panel[data-runs="1"] >> text=Stopped.');
    await type(page, 'kernel void wait(global int *flag) { flag[1]++; }');
    expect(await run(page)).toContain('flag: int[2] = 0, 1');
    await pages.leave(page);
  });

  it('ends a program that prints without end', async () => {
    const page = await openPlayground(isolated, '#sample=saxpy-c');
    await type(
      page,
      '#include <stdio.h>\nint main(void) { for (int line = 0;; line++) printf("%d\\n", line); }\n',
    );
    await page.click('button.go');
    await waitUntil(page, "document.querySelector('.printed')?.textContent?.includes('\\n3000\\n')");
    await page.click('button:has-text("Stop")');
    await page.waitForSelector('.panel[data-runs="1"] >> text=Stopped.');
    expect(await page.locator('.printed').innerText()).toContain('\n3000\n');
    await pages.leave(page);
  });

  it('has threads where a host sends no headers, by a service worker', async () => {
    const page = await openPlayground(plain);
    await waitUntil(page, 'crossOriginIsolated');
    await page.waitForSelector('body[data-ready]');
    expect(await run(page)).toMatch(/mandelbrot: 768 × 512 work-items in/);
    await pages.leave(page);
  });

  it('asks for nothing that is not there and reports no errors', () => {
    expect(readdirSync(folder)).toContain('index.html');
    expect([...isolated.missing, ...plain.missing]).toEqual([]);
    expect([...isolated.violations, ...plain.violations]).toEqual([]);
    expect(errors).toEqual([]);
  });
});
