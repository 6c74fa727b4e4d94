/**
 * `npm run conformance -- binaries`: damaged program binaries in great numbers. Each must be refused or be a program that every back end
 * takes or refuses in its own words, in little time and memory.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { runSeeds } from '../support/seeds-in-children.ts';

interface CommandOptions {
  readonly count: string;
  readonly seed: string;
  readonly threads: string;
  readonly timeout: string;
  readonly seconds?: string;
}

/** Builds the subcommand. */
export function binariesCommand(): Command {
  return new Command('binaries')
    .description(
      'damages program binaries: each is refused, or a program that every back end takes or refuses',
    )
    .option('-n, --count <count>', 'how many', '10000')
    .option('-s, --seed <number>', 'the first', '0')
    .option('--threads <count>', 'how many at a time', String(availableParallelism()))
    .option('--timeout <seconds>', 'a binary that takes longer has failed', '60')
    .option('--seconds <count>', 'begin no other after so long')
    .action(async ({ count, seed, threads, timeout, seconds }: CommandOptions) => {
      const start = performance.now();
      const { originals, fates, failed, slowest } = await runSeeds({
        count: Number(count),
        seed: Number(seed),
        threads: Number(threads),
        timeout: Number(timeout),
        seconds: Number(seconds ?? Number.POSITIVE_INFINITY),
        // Bundled, this is a part of dist/conformance/run.js.
        program: fileURLToPath(new URL('./binaries/child.js', import.meta.url)),
        failure: (which, text) => console.log(`FAILED seed ${which}: ${text}`),
      });
      const all = [...fates].map(([fate, number]) => `${number} ${fate}`).join(', ');
      console.log(`of ${originals} binaries damaged: ${all}, ${failed} failed`);
      const longest = `the longest ${slowest.milliseconds.toFixed(0)} ms (seed ${slowest.seed})`;
      console.log(
        `in ${((performance.now() - start) / 1000).toFixed(0)} seconds on ${threads} threads; ${longest}`,
      );
      process.exitCode = failed === 0 ? 0 : 1;
    });
}
