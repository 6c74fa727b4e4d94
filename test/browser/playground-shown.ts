/** What the page shows of a run, and what the same document gives in Node: for tests that compare the two. */
import type { Page } from 'playwright-core';
import { type Document, runKindOf } from '../../playground/src/document.ts';
import type { RunOutcome } from '../../playground/src/run/outcome.ts';
import { runIl } from '../../playground/src/run/run-il.ts';
import { runKernel } from '../../playground/src/run/run-kernel.ts';
import { runProgram } from '../../playground/src/run/run-program.ts';
import { runStudy } from '../../playground/src/run/run-study.ts';
import type { Picture } from '../../samples/support/sample.ts';

/** What a run shows, apart from times. */
export interface Shown {
  readonly text: readonly string[];
  readonly pictures: readonly ShownPicture[];
}

export interface ShownPicture {
  readonly width: number;
  readonly height: number;
  /** Depends on each byte and its place. */
  readonly sum: number;
}

/** A picture in place of the photograph: browsers and Node decode and shrink JPEG in ways of their own. */
export const photo: Picture = { width: 64, height: 48, data: new Uint8Array(64 * 48 * 4) };
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
export const lines = (text: string) => text.trimEnd().split('\n').sort();

const withoutTimes = (text: string) =>
  text
    .replace(/[\d.]+ ms/g, '# ms')
    .replace(/\d+ frames a second/, '# frames a second')
    .replace(/\d+( of \d+ tiles were ready)/, '#$1');

export function shownOf(outcome: RunOutcome): Shown {
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

export async function shownInPage(page: Page): Promise<Shown> {
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

/** Never fails: what goes wrong is an outcome. */
export async function runInNode(document: Document): Promise<RunOutcome> {
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
