/** The parts of `npm run campaign`, by name. */
import { fileURLToPath } from 'node:url';
import { runFuzz } from '../fuzz/fuzz.ts';
import { kinds } from '../fuzz/fuzz-case.ts';
import { hostileKinds } from '../hostile/index.ts';
import { runStress } from '../stress/stress.ts';
import { runSeeds } from '../support/seeds-in-children.ts';
import type { Part } from './part.ts';

/** Bundled, this is a part of dist/conformance/run.js. */
const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Seconds that one input may take on a machine with much else to do. */
const mostSeconds = 60;

/** Inputs that child processes make of seeds. */
function seeded(about: string, path: string, args: readonly string[], again: string): Part {
  return {
    about,
    async run({ seed, count, seconds, threads, finding, progress }) {
      const { fates, failed } = await runSeeds({
        count,
        seed,
        threads,
        timeout: mostSeconds,
        seconds,
        program: program(path),
        args,
        failure: (which, text) => finding(`seed ${which}: ${text}`),
        progress: ({ fates, failed }) => progress(countOf(fates) + failed),
      });
      const shown = [...fates].sort((a, b) => b[1] - a[1]).map(([fate, count]) => `${count} ${fate}`);
      return { count: countOf(fates) + failed, fates: shown.join(', '), findings: failed, again };
    },
  };
}

function countOf(fates: ReadonlyMap<string, number>): number {
  return [...fates.values()].reduce((sum, count) => sum + count, 0);
}

const generated: Part = {
  about: 'generated kernels: vectorised, on scalars, coarsened and interpreted alike',
  async run({ seed, count, seconds, threads, finding, progress }) {
    const result = await runFuzz({
      kinds,
      seed,
      count,
      seconds,
      threads,
      timeout: 2 * mostSeconds,
      isShrunk: true,
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

export const parts: Readonly<Record<string, Part>> = {
  generated,
  binaries: seeded(
    'damaged program binaries',
    './binaries/child.js',
    [],
    'npm run conformance -- binaries --seed SEED --count 1',
  ),
  queues,
  ...Object.fromEntries(
    Object.entries(hostileKinds).map(([name, { about }]) => [
      name,
      seeded(about, './hostile/child.js', [name], `npm run campaign -- ${name} --seed SEED --count 1`),
    ]),
  ),
};
