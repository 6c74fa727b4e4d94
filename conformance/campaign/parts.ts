/** The parts of `npm run campaign`, by name. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { smallestLost } from '../dialects/lost.ts';
import { faultKinds } from '../faults/index.ts';
import { runFuzz } from '../fuzz/fuzz.ts';
import { kinds } from '../fuzz/fuzz-case.ts';
import { hostileKinds } from '../hostile/index.ts';
import type { SoakMessage } from '../soak/child.ts';
import { type SoakResult, shownSoak } from '../soak/soak.ts';
import { runStress } from '../stress/stress.ts';
import { runSeeds } from '../support/seeds-in-children.ts';
import type { Part, PartOptions, PartResult } from './part.ts';

/** Bundled, this is a part of dist/conformance/run.js. */
const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Seconds that one input may take on a machine with much else to do. */
const mostSeconds = 60;

/** The same where something goes wrong: a thread that does not start is waited for half a minute, twice at most. */
const faultSeconds = 180;

/** Inputs that child processes make of seeds. */
function seeded(
  about: string,
  path: string,
  args: readonly string[],
  again: string,
  timeout = mostSeconds,
): Part {
  return {
    about,
    run: (options) => runSeeded({ program: program(path), args, again, timeout }, options),
  };
}

interface Seeded {
  readonly program: string;
  readonly args: readonly string[];
  readonly again: string;
  readonly timeout: number;
  /** See SeedsOptions. */
  readonly lost?: (seed: number) => Promise<string>;
}

async function runSeeded(
  { program, args, again, timeout, lost }: Seeded,
  { seed, count, seconds, threads, finding, progress }: PartOptions,
): Promise<PartResult> {
  const { fates, failed } = await runSeeds({
    count,
    seed,
    threads,
    timeout,
    seconds,
    program,
    args,
    failure: (which, text) => finding(`seed ${which}: ${text}`),
    ...(lost ? { lost } : {}),
    progress: ({ fates, failed }) => progress(countOf(fates) + failed),
  });
  const shown = [...fates].sort((a, b) => b[1] - a[1]).map(([fate, count]) => `${count} ${fate}`);
  return { count: countOf(fates) + failed, fates: shown.join(', '), findings: failed, again };
}

function countOf(fates: ReadonlyMap<string, number>): number {
  return [...fates.values()].reduce((sum, count) => sum + count, 0);
}

const generated: Part = {
  about: 'generated kernels: vectorised, on scalars, coarsened and interpreted alike',
  async run({ seed, count, seconds, threads, isReduced, finding, progress }) {
    const result = await runFuzz({
      kinds,
      seed,
      count,
      seconds,
      threads,
      timeout: 2 * mostSeconds,
      isShrunk: isReduced,
      program: program('./fuzz/child.js'),
      failure: finding,
      progress: (sofar) => progress(sumOf(sofar.kinds, 'passed', 'failed', 'skipped')),
    });
    const tried = sumOf(result.kinds, 'passed', 'failed', 'skipped');
    const fates = `${sumOf(result.kinds, 'passed')} alike, ${sumOf(result.kinds, 'skipped')} with no launch that means one thing only`;
    return {
      count: tried,
      fates,
      findings: result.failures.length,
      again: 'npm run fuzz -- --kind KIND --seed SEED --count 1',
    };
  },
};

type Counts = Readonly<Record<'passed' | 'failed' | 'skipped', number>>;

function sumOf(results: readonly Counts[], ...which: readonly (keyof Counts)[]): number {
  return results.reduce((sum, result) => sum + which.reduce((part, key) => part + result[key], 0), 0);
}

const queues: Part = {
  about: 'eight queues that share pipes, with nested launches and events: every token is counted',
  async run({ seed, seconds, finding, progress }) {
    const result = await runStress({ seconds, seed, progress: ({ commands }) => progress(commands) });
    for (const problem of result.problems) finding(problem);
    return {
      count: result.commands,
      fates: `${result.rounds} rounds, ${result.hops} hops of tokens`,
      findings: result.problems.length,
      again: 'npm run stress -- --seed SEED',
    };
  },
};

/** Seconds for making a program small. */
const reduceSeconds = 120;

const devices: Part = {
  about: 'generated programs in OpenCL C 1.2 and 2.0, Brook+, AMD IL and C, on all devices of this machine',
  run: (options) =>
    runSeeded(
      {
        program: program('./dialects/child.js'),
        args: [options.isReduced ? String(reduceSeconds * 1000) : '0'],
        again: 'npm run campaign -- devices --seed SEED --count 1 --reduce',
        timeout: mostSeconds + (options.isReduced ? 2 * reduceSeconds : 0),
        ...(options.isReduced
          ? { lost: (seed) => smallestLost(seed, program('./dialects/lost-child.js'), reduceSeconds * 1000) }
          : {}),
      },
      options,
    ),
};

/**
 * Each thread's heap has a nursery that the engine lets grow by up to 48 MiB, when it likes, and the C library keeps what threads gave back in up to
 * eight pools a processor. Both look like a leak for an hour; so a soak has little of either.
 */
const smallNurseries = ['--max-semi-space-size=1'];

const soak: Part = {
  about:
    'random use of the API in one process: sums, callbacks, and the level of memory, threads and descriptors',
  run: ({ seed, seconds, finding, progress }) =>
    new Promise((resolve) => {
      const child = fork(program('./soak/child.js'), [String(seed), String(seconds)], {
        execArgv: smallNurseries,
        env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      });
      let last: SoakResult | undefined;
      let problems: readonly string[] = [];
      let isEnd = false;
      child.on('message', (message: SoakMessage) => {
        last = message.result;
        ({ isEnd } = message);
        ({ problems } = last);
        if (isEnd) child.kill('SIGKILL');
        else progress(last.commands);
      });
      child.on('exit', (code, signal) => {
        if (!isEnd) problems = [`its process ended with ${signal ?? code}`];
        for (const problem of problems) finding(problem);
        resolve({
          count: last?.commands ?? 0,
          fates: last ? shownSoak(last) : '',
          findings: problems.length,
          again: 'npm run campaign -- soak --seed SEED --minutes MINUTES',
        });
      });
    }),
};

export const parts: Readonly<Record<string, Part>> = {
  generated,
  binaries: seeded(
    'damaged program binaries',
    './binaries/child.js',
    [],
    'npm run conformance -- binaries --seed SEED --count 1',
  ),
  queues,
  devices,
  models: seeded(
    'the lock-free parts with their threads interrupted at any atomic operation, in random orders',
    './models/child.js',
    [],
    'npm run campaign -- models --seed SEED --count 1',
  ),
  soak,
  ...Object.fromEntries(
    Object.entries(hostileKinds).map(([name, { about }]) => [
      name,
      seeded(about, './hostile/child.js', [name], `npm run campaign -- ${name} --seed SEED --count 1`),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(faultKinds).map(([name, { about }]) => [
      name,
      seeded(
        about,
        './faults/child.js',
        [name],
        `npm run campaign -- ${name} --seed SEED --count 1`,
        faultSeconds,
      ),
    ]),
  ),
};
