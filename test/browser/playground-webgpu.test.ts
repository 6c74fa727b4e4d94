/**
 * The page with the graphics card chosen, which SwiftShader stands in for: what kernels and case studies give there is what WebAssembly
 * gives in Node, pictures are drawn without being read back, and shaders are in the Compiler panel. Pictures of the page lie in
 * out/playground-webgpu.
 */
import { mkdirSync } from 'node:fs';
import { encode as encodePng } from 'fast-png';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { type Document, noLaunch } from '../../playground/src/document.ts';
import { livingKernels } from '../../playground/src/gallery/living.ts';
import { addPicture, photoName } from '../../playground/src/run/files.ts';
import { decodeDocument, encodeDocument } from '../../playground/src/share.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromiumWithGpu, waitUntil } from './chromium.ts';
import { choose, LeftPages, run, type as typeSource } from './playground-page.ts';
import { photo, runInNode, shownInPage, shownOf } from './playground-shown.ts';
import { type StaticServer, startServer } from './server.ts';

const folder = 'out/playground-webgpu';

const source = `kernel void k(global int *out, int n) {
  int i = get_global_id(0);
  out[i] = i * i + n;
}
`;

/**
 * Case studies of OpenCL 1.2 but for two: SwiftShader compiles JPEG's kernels for minutes, and those of the histogram of images for a quarter
 * of one. Of OpenCL 2.0's the others need what the device has not: shared virtual memory, atomics on 64 bits, queues of kernels.
 */
const studies = [
  'saxpy',
  'matrix-multiplication',
  'buffer-parts',
  'image-filters',
  'image-sampling',
  'bitonic-sort',
  'regression',
  'nearest-neighbours',
  'memory-bandwidth',
  'prefix-sum',
];

const kernels = ['mandelbrot', 'edges', 'waves', 'group-sums', 'hello', 'race'];

/** Sizes for a graphics card that is a program. */
const small: Readonly<Record<string, Partial<Document['launch']>>> = {
  mandelbrot: { global: '48,32', args: { image: 'zeros:48x32' } },
  'group-sums': { global: '4096', args: { numbers: 'range:4096:0:0.001', sums: 'zeros:16' } },
  'n-body': {
    args: {
      bodies: 'zeros:96',
      bodies_next: 'zeros:96',
      speed: 'zeros:96',
      light: 'zeros:1536',
      image_width: '48',
      image_height: '32',
    },
  },
  particles: { args: { dots: 'zeros:96', light: 'zeros:1536', extent: '(48,32)' } },
  'camera-filters': { args: { camera: 'camera:48x32' } },
};

/** With other words for its launch, and as many work-items where its source says how many. */
function shrunk(id: string, { source, launch, ...rest }: Document): Document {
  const { global = launch.global, args = {} } = small[id] ?? {};
  return {
    ...rest,
    source: source.replace(/\[(1536|60000)\]/g, '[96]'),
    launch: { ...launch, global, args: { ...launch.args, ...args } },
  };
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: readonly number[];
}

/** The pixels of the canvases that a selector finds, by way of another canvas: some belong to other threads. */
function pixelsOf(page: Page, selector: string): Promise<Pixels[]> {
  return page.locator(selector).evaluateAll((canvases) =>
    (canvases as HTMLCanvasElement[]).map((canvas) => {
      const copy = document.createElement('canvas');
      copy.width = canvas.width;
      copy.height = canvas.height;
      const context = copy.getContext('2d', { willReadFrequently: true })!;
      context.drawImage(canvas, 0, 0);
      const { width, height, data } = context.getImageData(0, 0, copy.width, copy.height);
      return { width, height, data: [...data] };
    }),
  );
}

/** How many bytes of two pictures are apart by more than a rounding. */
function differing(shown: Pixels, data: ArrayLike<number>): number {
  return shown.data.filter((byte, at) => Math.abs(byte - data[at]!) > 1).length;
}

/** Numbers in a text as they are within the precision of floats, whose functions have errors of their own on each device. */
function rounded(text: string): string {
  return text.replace(/-?\d+\.\d+(e[-+]?\d+)?/g, (digits) => String(Number(Number(digits).toPrecision(4))));
}

describe.skipIf(chromiumPath === undefined)('the playground with WebGPU', () => {
  let browser: Browser;
  let pages: LeftPages;
  let server: StaticServer;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const [started, built] = await Promise.all([startChromiumWithGpu(), builtPlayground()]);
    browser = started;
    pages = new LeftPages(browser, errors);
    server = await startServer({ folders: { '': built }, isolated: true, policy: contentSecurityPolicy });
    page = await pages.open(server);
    await givePhoto(page);
    addPicture(photoName, photo);
    await typeSource(page, source);
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(errors).toEqual([]);
  });

  const givePhoto = (to: Page): Promise<void> =>
    to.setInputFiles('.files input', {
      name: photoName,
      mimeType: 'image/png',
      buffer: Buffer.from(encodePng({ ...photo, channels: 4, depth: 8 })),
    });

  /** A document of the gallery, by the link to it. */
  const fromGallery = async (id: string): Promise<Document> => {
    // Nothing can be clicked in a page behind others.
    await page.bringToFront();
    await choose(page, id);
    await page.evaluate("history.replaceState(null, '', location.pathname)");
    // The button says that it has shared the document before.
    await page.locator('.bar button').nth(1).click();
    await waitUntil(page, 'location.hash.length > 50');
    const shared = await decodeDocument(new URL(page.url()).hash.slice(1));
    if (!('document' in shared)) throw new Error(shared.problem);
    return shared.document;
  };

  /** A page of its own, which is to be left. */
  const open = async (document: Document): Promise<Page> =>
    pages.open(server, `#${await encodeDocument(document)}`);

  test('the browser has WebGPU', async () => {
    const has = '(await navigator.gpu?.requestAdapter()) !== null';
    expect(await page.evaluate(`(async () => navigator.gpu !== undefined && ${has})()`)).toBe(true);
  });

  /** What the panel says, without times. */
  const shown = async (): Promise<string> => (await run(page)).replaceAll(/[\d.]+ m?s/g, '');

  test('a kernel gives what it gives on WebAssembly', { timeout: 120_000 }, async () => {
    const expected = await shown();
    expect(expected).toContain('out');
    await page.selectOption('select[aria-label="Device"]', 'webgpu');
    expect(await shown()).toBe(expected);
    await page.screenshot({ path: `${folder}/run.png` });
  });

  test('its shaders are listed, and their lines point to the source', { timeout: 120_000 }, async () => {
    await page.click('#tab-compiler');
    await page.click('.choices button:has-text("WGSL")');
    const line = page
      .locator('.listing-line', { hasText: 'bitcast' })
      .or(page.locator('.listing-line'))
      .last();
    await line.waitFor();
    expect(await page.locator('.listing').innerText()).toContain('@compute');
    await line.click();
    await page.screenshot({ path: `${folder}/compiler.png` });
    expect(await page.locator('.listing-line').count()).toBeGreaterThan(3);
    await page.click('#tab-run');
  });

  test.each(kernels)('kernel %s', { timeout: 120_000 }, async (id) => {
    await runsAsInNode(shrunk(id, await fromGallery(id)));
  });

  test.each(livingKernels.map(({ id }) => id))('living kernel %s', { timeout: 120_000 }, async (id) => {
    const { live: _live, ...whole } = await livingKernels.find((one) => one.id === id)!.load();
    const launch = { ...whole.launch, global: '48,32', args: { ...whole.launch.args, image: 'zeros:48x32' } };
    await runsAsInNode(shrunk(id, { ...whole, launch }));
  });

  test.each(studies)('case study %s', { timeout: 120_000 }, async (id) => {
    // The page has it open, and the photograph already.
    const document = await fromGallery(id);
    await page.selectOption('select[aria-label="Device"]', 'webgpu');
    await givesAsInNode(page, document);
  });

  async function runsAsInNode(document: Document): Promise<void> {
    const own = await open({ ...document, device: 'webgpu' });
    if (JSON.stringify(document).includes(photoName)) await givePhoto(own);
    await givesAsInNode(own, document);
    await pages.leave(own);
  }

  async function givesAsInNode(own: Page, document: Document): Promise<void> {
    const [inNode] = await Promise.all([runInNode(document), run(own)]);
    const expected = shownOf(inNode);
    const { text } = await shownInPage(own);
    expect(text.map(rounded)).toEqual(expected.text.map(rounded));
    expect(text.filter((one) => one.includes(' wrong: '))).toEqual([]);
    const pictures = await pixelsOf(own, '.panel figure canvas');
    const wanted =
      inNode.kind === 'kernel'
        ? inNode.results.flatMap(({ picture }) => picture ?? [])
        : inNode.kind === 'study'
          ? inNode.pictures.map(({ picture }) => picture)
          : [];
    expect(pictures.map(({ width, height }) => [width, height])).toEqual(
      wanted.map(({ width, height }) => [width, height]),
    );
    // Where a surface ends, or a point leaves a set, one more or less in the last place decides over a pixel.
    for (const [at, picture] of pictures.entries())
      expect(differing(picture, wanted[at]!.data)).toBeLessThanOrEqual(picture.data.length / 200);
  }

  test('pictures are drawn from the memory of the device', { timeout: 120_000 }, async () => {
    const still: Document = {
      name: 'Colours',
      language: 'opencl',
      source: `kernel void colours(global uchar4 *image) { // @frame colours
  int x = get_global_id(0), y = get_global_id(1);
  image[y * get_global_size(0) + x] = (uchar4)(x * 3, y * 7, x ^ y, 255);
}
`,
      options: '',
      launch: { ...noLaunch, global: '50,30', args: { image: 'zeros:50x30' } },
      study: '',
      device: 'webgpu',
      live: true,
    };
    const own = await open(still);
    await waitUntil(own, "/drawn from its memory/.test(document.querySelector('.rate')?.textContent)");
    const expected = Array.from({ length: 50 * 30 }, (_, at) => {
      const [x, y] = [at % 50, Math.floor(at / 50)];
      return [x * 3, y * 7, x ^ y, 255];
    }).flat();
    const pixels = async () => (await pixelsOf(own, '.live canvas'))[0];
    await expect.poll(pixels, { timeout: 60_000 }).toEqual({ width: 50, height: 30, data: expected });
    // On WebAssembly another canvas takes the place of that one, which belongs to the card.
    await own.selectOption('select[aria-label="Device"]', '');
    await waitUntil(own, "/WebAssembly/.test(document.querySelector('.rate')?.textContent)");
    await expect.poll(pixels, { timeout: 60_000 }).toEqual({ width: 50, height: 30, data: expected });
    await own.selectOption('select[aria-label="Device"]', 'webgpu');
    await waitUntil(own, "/drawn from its memory/.test(document.querySelector('.rate')?.textContent)");
    await expect.poll(pixels, { timeout: 60_000 }).toEqual({ width: 50, height: 30, data: expected });
    await pages.leave(own);
  });

  test('frames move', { timeout: 120_000 }, async () => {
    const whole = await livingKernels.find(({ id }) => id === 'fluid')!.load();
    const own = await open({ ...whole, device: 'webgpu' });
    const frame = "Number(/frame (\\d+)$/.exec(document.querySelector('.rate')?.textContent)?.[1])";
    await waitUntil(own, `${frame} >= 4`);
    const [before] = await pixelsOf(own, '.live canvas');
    await waitUntil(own, `${frame} >= 12`);
    const [after] = await pixelsOf(own, '.live canvas');
    const changed = after!.data.filter((byte, at) => byte !== before!.data[at]).length;
    expect(changed).toBeGreaterThan(after!.data.length / 500);
    expect(await own.locator('.live .failure').count()).toBe(0);
    await own.screenshot({ path: `${folder}/fluid.png` });
    expect(server.violations).toEqual([]);
  });
});
