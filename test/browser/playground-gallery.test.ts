/**
 * Every entry of the playground's gallery in Chromium: what the page shows is what the same document gives in Node. What the
 * samples' results are to be is told by their own references and, for CAL, by the texts beside them.
 */
import { readFileSync } from 'node:fs';
import { encode as encodePng } from 'fast-png';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../playground/policy.ts';
import { runKindOf } from '../../playground/src/document.ts';
import { addPicture, photoName } from '../../playground/src/run/files.ts';
import type { RunOutcome } from '../../playground/src/run/outcome.ts';
import { runIl } from '../../playground/src/run/run-il.ts';
import { runKernel } from '../../playground/src/run/run-kernel.ts';
import { runProgram } from '../../playground/src/run/run-program.ts';
import { runStudy } from '../../playground/src/run/run-study.ts';
import { decodeDocument } from '../../playground/src/share.ts';
import type { Picture } from '../../samples/support/sample.ts';
import { builtPlayground } from './built-playground.ts';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { choose, entriesOf, openPlayground, run } from './playground-page.ts';
import { type StaticServer, startServer } from './server.ts';

/** What a run shows, apart from times. */
interface Shown {
  readonly text: readonly string[];
  readonly pictures: readonly { readonly width: number; readonly height: number; readonly sum: number }[];
}

/** A picture in place of the photograph: browsers and Node decode and shrink JPEG in ways of their own. */
const photo: Picture = { width: 64, height: 48, data: new Uint8Array(64 * 48 * 4) };
for (let at = 0; at < photo.data.length; at++)
  photo.data[at] = at % 4 === 3 ? 255 : (((at * at) >> 5) % 256) ^ ((at >> 3) % 256);

/** Depends on each byte and its place. A canvas keeps colours only as far as they are seen. */
const sumOf = (data: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < data.length; at++) {
    const isSeen = data[at - (at % 4) + 3] === 255;
    sum = (Math.imul(sum, 31) + (isSeen ? data[at]! : 0)) | 0;
  }
  return sum;
};

/** Work-groups print in any order. */
const lines = (text: string) => text.trimEnd().split('\n').sort();

const withoutTimes = (text: string) =>
  text
    .replace(/[\d.]+ ms/g, '# ms')
    .replace(/\d+ frames a second/, '# frames a second')
    .replace(/\d+( of \d+ tiles were ready)/, '#$1');

function shownOf(outcome: RunOutcome): Shown {
  const pictures = (all: readonly (Picture | undefined)[]) =>
    all.flatMap((picture) =>
      picture ? [{ width: picture.width, height: picture.height, sum: sumOf(picture.data) }] : [],
    );
  switch (outcome.kind) {
    case 'kernel':
      return {
        text: [...lines(outcome.printed), ...outcome.results.map(({ summary }) => summary)].filter(Boolean),
        pictures: pictures(outcome.results.map(({ picture }) => picture)),
      };
    case 'program':
      return { text: [`exit code ${outcome.exitCode}`, ...lines(outcome.text)], pictures: [] };
    case 'study':
      return {
        text: [
          ...outcome.runs.map(
            ({ kernel, check }) => `${kernel} ${check.ok ? 'right' : 'wrong'}: ${check.detail}`,
          ),
          ...outcome.findings.map(withoutTimes),
          ...outcome.drawings.map(({ svg }) => svg),
        ],
        pictures: pictures(outcome.pictures.map(({ picture }) => picture)),
      };
    default:
      throw new Error(JSON.stringify(outcome));
  }
}

async function shownInPage(page: Page): Promise<Shown> {
  const [failure] = await page.locator('.failure').allInnerTexts();
  if (failure !== undefined) throw new Error(failure);
  const texts = (selector: string) => page.locator(`.panel ${selector}`).allTextContents();
  const printed = (await texts('.printed')).flatMap(lines);
  const exit = /exit code \d+/.exec((await texts('.verdict')).join());
  // The kernel, two times, the verdict.
  const verdicts = await page
    .locator('.panel tr:has(td.right, td.wrong)')
    .evaluateAll((rows) =>
      rows.map(({ children }) => `${children[0]!.textContent} ${children[3]!.textContent}`),
    );
  const drawings = await page
    .locator('.panel figure img')
    .evaluateAll((images) => images.map((image) => decodeURIComponent((image as HTMLImageElement).src)));
  const pictures = await page.locator('.panel canvas').evaluateAll((canvases) =>
    (canvases as HTMLCanvasElement[])
      .filter((canvas) => canvas.closest('figure'))
      .map((canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
        let sum = 0;
        for (const [at, byte] of data.entries()) {
          const isSeen = data[at - (at % 4) + 3] === 255;
          sum = (Math.imul(sum, 31) + (isSeen ? byte : 0)) | 0;
        }
        return { width, height, sum };
      }),
  );
  return {
    text: [
      ...(exit ? [exit[0]] : []),
      ...printed,
      ...(await texts('.summary')),
      ...verdicts,
      ...(await texts('.findings li')).map(withoutTimes),
      ...drawings.map((source) => source.slice(source.indexOf(',') + 1)),
    ],
    pictures,
  };
}

/** What needs WebGL is compared with its reference in the page; test/browser/vertex-waves.test.ts looks at its picture. */
const inPageOnly: Readonly<Record<string, readonly string[]>> = {
  'vertex-waves': [
    'wave_vertices right: 128 x 128 vertices, at most 0.000002 from the reference',
    '# frames a second, each read back for this page',
  ],
};

/** What a sample of CAL prints. */
const expectedOf = (id: string) => [
  'exit code 0',
  ...lines(readFileSync(`samples/${id}/expected.txt`, 'utf8')),
];

async function runInNode(hash: string): Promise<RunOutcome> {
  const shared = await decodeDocument(hash);
  if (!('document' in shared)) throw new Error(shared.problem);
  const { document } = shared;
  const ignore = () => {};
  switch (runKindOf(document)) {
    case 'program':
      return runProgram(document, ignore);
    case 'study':
      return runStudy(document, ignore);
    case 'kernel':
      return document.language === 'il' ? runIl(document) : runKernel(document);
  }
}

describe.skipIf(chromiumPath === undefined)('the gallery of the playground (needs Chromium)', () => {
  let browser: Browser;
  let server: StaticServer;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    const [started, folder] = await Promise.all([
      // Relaxed SIMD, which Node 20 has not, rounds a product and its sum once where the processor can; here it cannot.
      startChromium(['--js-flags=--no-enable-fma3']),
      builtPlayground(),
    ]);
    browser = started;
    server = await startServer({ folders: { '': folder }, isolated: true, policy: contentSecurityPolicy });
    page = await openPlayground(browser, server, { errors });
    await page.setInputFiles('.files input', {
      name: photoName,
      mimeType: 'image/png',
      buffer: Buffer.from(encodePng({ ...photo, channels: 4, depth: 8 })),
    });
    addPicture(photoName, photo);
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('runs in the page as in Node', { timeout: 300_000 }, async () => {
    const ids = await entriesOf(page);
    expect(ids.length).toBeGreaterThan(50);
    for (const id of ids) {
      await choose(page, id);
      await page.click('button:has-text("Share")');
      await waitUntil(page, 'location.hash.length > 50');
      const hash = new URL(page.url()).hash.slice(1);
      // That the programs of CAL print the same in Node is tested in test/samples/cal.test.ts.
      const inNode = id.startsWith('cal-')
        ? { text: expectedOf(id), pictures: [] }
        : id in inPageOnly
          ? { text: inPageOnly[id]!, pictures: [expect.anything()] }
          : runInNode(hash).then(shownOf);
      const [wanted] = await Promise.all([inNode, run(page)]);
      expect.soft(await shownInPage(page), id).toEqual(wanted);
      const wrong = wanted.text.filter((text) => text.includes(' wrong: '));
      expect.soft(wrong, id).toEqual([]);
    }
    expect(server.violations).toEqual([]);
    expect(errors).toEqual([]);
  });
});
