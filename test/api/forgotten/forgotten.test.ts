/**
 * Programs that forget contexts, or what they made in them, stay as they are: threads, descriptors of the system and memory, which no
 * engine sees. Each runs in a process of its own, which never asks the engine to collect.
 *
 * MILLRACE_CONTEXTS=2000 gives threads to all of so many contexts, which takes minutes (docs/testing.md).
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

interface Figures {
  readonly threads: number;
  readonly descriptors: number;
  readonly mebibytes: number;
}

const program = fileURLToPath(new URL('forget.mjs', import.meta.url));

/** What the process has after each tenth of the contexts. */
async function run(manner: string, count: number, launched: number, mode = 'awaits'): Promise<Figures[]> {
  const asked = process.env['MILLRACE_CONTEXTS'];
  const counts = asked === undefined ? [count, launched] : [asked, asked];
  const env = { ...process.env, MILLRACE_THREADS: '1' };
  const args = [program, manner, ...counts.map(String), mode];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  if (asked !== undefined) console.log(manner, mode, stdout.trim());
  return JSON.parse(stdout) as Figures[];
}

/** That the second half is as the first one was. */
function expectLevel(figures: readonly Figures[]): void {
  const most = (part: readonly Figures[], what: keyof Figures) => Math.max(...part.map((each) => each[what]));
  const [first, second] = [figures.slice(0, 5), figures.slice(5)];
  // Two contexts more or less may be waiting for their end at a moment; one has two threads here, and a thread four descriptors.
  expect(most(second, 'threads')).toBeLessThanOrEqual(most(first, 'threads') + 4);
  expect(most(second, 'descriptors')).toBeLessThanOrEqual(most(first, 'descriptors') + 16);
  expect(most(second, 'mebibytes')).toBeLessThanOrEqual(most(first, 'mebibytes') + 64);
  expect(most(figures, 'threads')).toBeLessThan(40);
}

describe.runIf(process.platform === 'linux')('a program stays level that', () => {
  it.each([
    ['releases its contexts with all in them', 'released', 2000, 30],
    ['drops its contexts with all in them', 'dropped', 2000, 30],
    ['releases its contexts and drops half of the rest', 'half', 2000, 30],
    ['drops contexts with commands that wait for its events', 'waiting', 150, 20],
    ['drops contexts of WebCL', 'webcl', 200, 20],
    ['drops programs of the short form', 'compiled', 50, 30],
    ['drops modules and streams of Brook+', 'brook', 200, 200],
  ])('%s', { timeout: 1_800_000 }, async (_, manner, count, launched) => {
    expectLevel(await run(manner, count, launched));
  });

  it.each([['released'], ['half']])(
    'never is in its event loop: %s',
    { timeout: 1_800_000 },
    async (manner) => {
      expectLevel(await run(manner, 500, 30, 'goes on'));
    },
  );
});
