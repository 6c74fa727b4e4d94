/**
 * `npm run campaign -- [PART...] --minutes N`: everything that is tried with random numbers, each part for its share of the time. Each
 * ends with a line that has its seed, how many inputs there were and what was found; a part and a seed give the same inputs again.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { positiveNumber, wholeNumber } from '../support/option-numbers.ts';
import { type PartOptions, type PartResult, runToEnd } from './part.ts';
import { parts } from './parts.ts';

interface Options {
  readonly minutes: number;
  readonly seed?: number;
  readonly count: number;
  readonly threads: number;
  readonly json?: string;
  readonly reduce?: true;
}

interface Line extends PartResult {
  readonly part: string;
  readonly seed: number;
  readonly seconds: number;
}

/** Builds the subcommand. */
export function campaignCommand(): Command {
  const width = Math.max(...Object.keys(parts).map((name) => name.length));
  const list = Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
  return new Command('campaign')
    .description('tries hostile inputs and generated programs, for as long as one likes')
    .argument('[parts...]', 'which parts (default: all, each for an equal share of the time)')
    .option('-m, --minutes <count>', 'how long in all', positiveNumber, 10)
    .option('-s, --seed <number>', 'of the first input (default: by the clock)', wholeNumber)
    .option('-n, --count <count>', 'so many inputs of a part at most', wholeNumber, 2 ** 40)
    .option('--threads <count>', 'how many inputs at a time', wholeNumber, availableParallelism())
    .option('--reduce', 'make each generated program that fails as small as can be, and show it')
    .option('--json <file>', 'keep the result here, too')
    .addHelpText('after', `\nParts:\n${list.join('\n')}`)
    .action(run);
}

async function run(names: readonly string[], options: Options, command: Command): Promise<void> {
  const unknown = names.find((name) => !parts[name]);
  if (unknown !== undefined)
    command.error(`there is no part '${unknown}': there are ${Object.keys(parts).join(', ')}`);
  const wanted = names.length > 0 ? names : Object.keys(parts);
  // Seeds of runs on different days do not overlap, however long they take.
  const seed = options.seed ?? Math.floor(Date.now() / 1000) * 1000;
  const seconds = (options.minutes * 60) / wanted.length;
  const lines: Line[] = [];
  for (const name of wanted) {
    lines.push(await runPart(name, seed, seconds, options));
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(lines, undefined, 2)}\n`);
  }
  const findings = lines.reduce((sum, line) => sum + line.findings, 0);
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  console.log(`${count} inputs in ${lines.length} parts, ${findings} findings`);
  process.exitCode = findings === 0 ? 0 : 1;
}

/** Seconds between two lines of progress. */
const pause = 30;

async function runPart(name: string, seed: number, seconds: number, options: Options): Promise<Line> {
  const part = parts[name]!;
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  let told = 0;
  let found = 0;
  const partOptions: PartOptions = {
    seed,
    count: options.count,
    seconds,
    threads: options.threads,
    isReduced: options.reduce === true,
    finding(text) {
      found += 1;
      console.log(`FINDING of ${name}, ${text}`);
    },
    progress(count) {
      if (passed() < told + pause) return;
      told = passed();
      console.log(
        `${name}: ${count} inputs after ${told.toFixed(0)} s of ${seconds.toFixed(0)}, ${found} findings`,
      );
    },
  };
  const again = `npm run campaign -- ${name} --seed ${seed}`;
  const result = await runToEnd(part, partOptions, again);
  const line = { part: name, seed, seconds: Math.round(passed()), ...result };
  console.log(
    `${name}, from seed ${seed}: ${line.count} inputs in ${line.seconds} s: ${line.fates || 'none to its end'}; ${line.findings} findings`,
  );
  if (line.findings > 0) console.log(`  again: ${line.again}`);
  return line;
}
