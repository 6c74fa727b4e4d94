/** `npm run fuzz -- --count N`: the checks of generated kernels that `npm test` makes some hundreds of, in any number. */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../support/option-numbers.ts';
import { type FuzzResult, type KindResult, runFuzz } from './fuzz.ts';
import { type Kind, kinds } from './fuzz-case.ts';

interface Options {
  readonly count: number;
  readonly kind: readonly Kind[];
  readonly seed: number;
  readonly threads: number;
  readonly seconds?: number;
  readonly timeout: number;
  readonly json?: string;
  readonly shrink: boolean;
  readonly device?: 'native';
  readonly against?: 'wasm';
}

/** Builds the subcommand. */
export function fuzzCommand(): Command {
  return new Command('fuzz')
    .description('checks that generated kernels leave the same however they are run, vectorised or not')
    .option('-n, --count <count>', 'how many kernels', positive, 1000)
    .addOption(
      new Option('-k, --kind <kinds...>', 'of which kinds; each in turn')
        .choices(kinds)
        .default([...kinds], 'all'),
    )
    .option('-s, --seed <number>', 'the first of each kind', wholeNumber, 1)
    .option('--threads <count>', 'how many at a time', positive, availableParallelism())
    .option('--seconds <count>', 'begin no other kernel after so long', positive)
    .option('--timeout <seconds>', 'a kernel that takes longer has failed', positive, 120)
    .option('--json <file>', 'keep the result here, too')
    .addOption(
      new Option('-d, --device <id>', 'kernels run as machine code in the place of WebAssembly').choices([
        'native',
      ]),
    )
    .addOption(
      new Option(
        '--against <id>',
        'compare machine code with WebAssembly, which is quicker; the interpreter only says which idioms mean one thing, and who is wrong',
      ).choices(['wasm']),
    )
    .option('--no-shrink', 'show kernels that fail as they were generated')
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const { count, kind, seed, threads, seconds, timeout, json, shrink, device, against } = options;
  if (against && !device) command.error("--against is for '--device native'");
  const facts = { began: new Date().toISOString(), count, threads, node: process.version };
  const keep = (result: FuzzResult): void => {
    if (json !== undefined) writeFileSync(json, `${JSON.stringify({ ...facts, ...result }, undefined, 2)}\n`);
  };
  const result = await runFuzz({
    kinds: kind,
    seed,
    count,
    seconds,
    threads,
    timeout,
    isShrunk: shrink,
    device,
    against,
    // Bundled, this is a part of dist/conformance/run.js.
    program: fileURLToPath(new URL('./fuzz/child.js', import.meta.url)),
    failure: (report) => console.log(`FAILED ${report}`),
    progress: (sofar) => {
      // A run of hours that is ended from outside leaves what it had.
      keep(sofar);
      console.log(progressText(sofar, count));
    },
  });
  keep(result);
  for (const each of result.kinds) console.log(kindText(each));
  const done = total(result.kinds, countOf);
  if (done < count) console.log(`stopped after ${seconds} seconds with ${count - done} kernels to go`);
  const [good, bad, none] = (['passed', 'failed', 'skipped'] as const).map((status) =>
    total(result.kinds, (each) => each[status]),
  );
  console.log(`${good} passed, ${bad} failed, ${none} skipped (no launch means one thing only)`);
  console.log(`${done} kernels in ${result.seconds.toFixed(0)} seconds on ${threads} threads`);
  process.exitCode = result.failures.length === 0 ? 0 : 1;
}

function progressText({ seconds, kinds: results, failures }: FuzzResult, count: number): string {
  const done = total(results, countOf);
  const each = results.map((one) => `${countOf(one)} ${one.kind}`).join(', ');
  const rate = (done / seconds).toFixed(1);
  return `${done} of ${count} after ${seconds.toFixed(0)} s, ${rate} a second: ${each}; ${failures.length} failed`;
}

function kindText(result: KindResult): string {
  const { kind, seed, passed, failed, skipped } = result;
  const seeds = `seeds ${seed} to ${seed + countOf(result) - 1}`;
  return `${kind}, ${seeds}: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function countOf({ passed, failed, skipped }: KindResult): number {
  return passed + failed + skipped;
}

function total(results: readonly KindResult[], of: (result: KindResult) => number): number {
  return results.reduce((sum, result) => sum + of(result), 0);
}

function positive(text: string): number {
  const count = wholeNumber(text);
  if (count === 0) throw new InvalidArgumentError('write a number above 0');
  return count;
}
