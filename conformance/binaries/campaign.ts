/**
 * `npm run conformance -- binaries`: damaged program binaries in great numbers. Each must be refused or be a program that every back end
 * takes or refuses in its own words, in little time and memory.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { Message } from './child.ts';

export interface CampaignOptions {
  readonly count: number;
  /** The first; the others follow. */
  readonly seed: number;
  readonly threads: number;
  /** Seconds that one binary may take. */
  readonly timeout: number;
  /** After so many seconds no other binary is begun. */
  readonly seconds: number;
  /** The file that children run. */
  readonly program: string;
  failure(seed: number, text: string): void;
}

export interface CampaignResult {
  readonly originals: number;
  readonly fates: ReadonlyMap<string, number>;
  readonly failed: number;
  /** The binary that took longest. */
  readonly slowest: { readonly seed: number; readonly milliseconds: number };
}

/** Megabytes of JavaScript that a child may use: what one binary takes must be in proportion. */
const childMegabytes = 1024;
/** How many seeds a child is sent at a time. */
const batch = 50;

export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seed, count, threads, timeout, seconds, program, failure } = options;
  const end = performance.now() + seconds * 1000;
  const fates = new Map<string, number>();
  let originals = 0;
  let failed = 0;
  let slowest = { seed: 0, milliseconds: 0 };
  let next = seed;
  const fail = (which: number, text: string): void => {
    failed += 1;
    failure(which, text);
  };

  const work = async (): Promise<void> => {
    let left: number[] = [];
    while (await runChild()) {}

    /** Whether another child is to go on. */
    function runChild(): Promise<boolean> {
      const child: ChildProcess = fork(program, { execArgv: [`--max-old-space-size=${childMegabytes}`] });
      let alarm: NodeJS.Timeout | undefined;
      let isLate = false;
      let isReady = false;
      const watch = (): void => {
        clearTimeout(alarm);
        alarm = setTimeout(() => {
          isLate = true;
          child.kill('SIGKILL');
        }, timeout * 1000);
      };
      const begin = (): void => {
        if (left.length === 0 && performance.now() < end) {
          while (left.length < batch && next < seed + count) left.push(next++);
        }
        if (left.length === 0) child.kill('SIGKILL');
        // Should it be gone by now, its end says so.
        else child.send(left, () => {});
        watch();
      };
      child.on('message', (message: Message) => {
        watch();
        if (message.what === 'ready') {
          isReady = true;
          ({ originals } = message);
          begin();
          return;
        }
        left = left.filter((one) => one !== message.seed);
        if (message.what === 'failed') fail(message.seed, `${message.name}: ${message.error}`);
        else {
          fates.set(message.fate, (fates.get(message.fate) ?? 0) + 1);
          if (message.milliseconds > slowest.milliseconds)
            slowest = { seed: message.seed, milliseconds: message.milliseconds };
        }
        if (left.length === 0) begin();
      });
      watch();
      return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code, signal) => {
          clearTimeout(alarm);
          if (!isReady) {
            reject(new Error(`${program} does not start: it ended with ${signal ?? code}`));
            return;
          }
          const lost = left.shift();
          if (lost === undefined) {
            resolve(false);
            return;
          }
          fail(
            lost,
            isLate ? `it takes longer than ${timeout} seconds` : `its process ended with ${signal ?? code}`,
          );
          resolve(true);
        });
      });
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return { originals, fates, failed, slowest };
}

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
      const { originals, fates, failed, slowest } = await runCampaign({
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
