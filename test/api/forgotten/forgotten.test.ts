/**
 * Programs that forget contexts, or what they made in them, stay as they are: threads, descriptors of the system and memory, which no
 * engine sees. Each runs in a process of its own, which never asks the engine to collect.
 *
 * Memory in use is no exact measure: the engine collects when it likes, and a process that compiles grows to its working size. With Brook+
 * it takes some four hundred modules until the heap and the compiled code stay as they are (300 to 400 MiB, of which 20 are JavaScript's; from
 * there on 1 MiB in eighty modules). So there are enough contexts that the first
 * half is the warm-up, each writes at least a mebibyte, and what the second half may add is less than a third of what it would add if
 * nothing were given back; that, too, is measured here, of programs that keep what they make.
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
  // Each thread has an arena of the allocator, which stays with what it has of the system when the thread has ended; so there is one.
  const env = { ...process.env, MILLRACE_THREADS: '1', MALLOC_ARENA_MAX: '1' };
  const args = [program, manner, ...counts.map(String), mode];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  if (asked !== undefined) console.log(manner, mode, stdout.trim());
  return JSON.parse(stdout) as Figures[];
}

function most(part: readonly Figures[], what: keyof Figures): number {
  return Math.max(...part.map((each) => each[what]));
}

/** By how much the second half surpasses the first one. */
function growthOf(figures: readonly Figures[], what: keyof Figures): number {
  return most(figures.slice(5), what) - most(figures.slice(0, 5), what);
}

/** Mebibytes that the second half may add. */
const mostGrowth = (manner: string): number => (manner === 'brook' ? 128 : 64);

/** That the second half is as the first one was. */
function expectLevel(figures: readonly Figures[], manner: string): void {
  // Two contexts more or less may be waiting for their end at a moment; one has two threads here, and a thread four descriptors.
  expect(growthOf(figures, 'threads')).toBeLessThanOrEqual(4);
  expect(growthOf(figures, 'descriptors')).toBeLessThanOrEqual(16);
  expect(growthOf(figures, 'mebibytes')).toBeLessThanOrEqual(mostGrowth(manner));
  expect(most(figures, 'threads')).toBeLessThan(40);
}

/** Contexts of each manner, and those of them that have threads. */
const counts = {
  released: [2000, 30],
  dropped: [2000, 30],
  half: [2000, 30],
  waiting: [400, 20],
  webcl: [600, 20],
  compiled: [80, 40],
  brook: [600, 600],
} as const;

describe.runIf(process.platform === 'linux')('a program stays level that', () => {
  it.each([
    ['releases its contexts with all in them', 'released'],
    ['drops its contexts with all in them', 'dropped'],
    ['releases its contexts and drops half of the rest', 'half'],
    ['drops contexts with commands that wait for its events', 'waiting'],
    ['drops contexts of WebCL', 'webcl'],
    ['drops programs of the short form', 'compiled'],
    ['drops modules and streams of Brook+', 'brook'],
  ] as const)('%s', { timeout: 1_800_000 }, async (_, manner) => {
    const [count, launched] = counts[manner];
    expectLevel(await run(manner, count, launched), manner);
  });

  it.each([['released'], ['half']])(
    'never is in its event loop: %s',
    { timeout: 1_800_000 },
    async (manner) => {
      expectLevel(await run(manner, 500, 30, 'goes on'), manner);
    },
  );

  // The numbers of contexts are this test's own.
  const manners = process.env['MILLRACE_CONTEXTS'] === undefined ? Object.entries(counts) : [];
  it.each(manners)(
    'and would not if it kept them: %s',
    { timeout: 600_000 },
    async (manner, [count, launched]) => {
      const few = Math.min(count, 100);
      const figures = await run(manner, few, Math.ceil((launched * few) / count), 'keeps');
      const ofAll = (growthOf(figures, 'mebibytes') * count) / few;
      expect(ofAll).toBeGreaterThan(3 * mostGrowth(manner));
    },
  );
});
