/** The command line of the differential runs. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { requestDevice } from 'millrace';
import { readNamedSpecification } from '../../src/cli/arguments/specification.ts';
import { UsageError } from '../../src/cli/errors.ts';
import type { Size } from '../generator/generate.ts';
import { filesUnder } from '../support/folder-files.ts';
import { type Outcome, report } from '../support/outcome.ts';
import { type Contestant, chooseContestants } from './devices.ts';
import { type DifferentialOptions, runDifferential } from './differential.ts';
import { runGenerated } from './generated.ts';
import { printOutcomes, runFilesIsolated } from './isolated.ts';

interface Options {
  readonly device: readonly string[];
  readonly fromIr?: true;
  readonly seed: number;
  readonly ulp?: number;
  readonly exact?: true;
  readonly global?: number[];
  readonly local?: number[];
  readonly arg: readonly string[];
  readonly kernel: readonly string[];
  readonly options: string;
  readonly generated?: number;
  readonly reduce?: true;
  readonly size: Size;
  readonly outcomes?: true;
}

/** Builds the subcommand. */
export function differentialCommand(): Command {
  const command = new Command('differential')
    .description('runs the kernels of OpenCL C files on several devices with the same generated inputs')
    .argument('[files...]', '.cl files, or folders of them')
    .option(
      '-d, --device <name>',
      'a device by a part of its name; again for more (default: all)',
      collect,
      [],
    )
    .option('--from-ir', "drivers' devices also get what codegen/opencl-c writes from IR")
    .option('-s, --seed <number>', 'of the generated inputs, or the first generated program', wholeNumber, 1)
    .option(
      '--ulp <count>',
      'how far floats may lie apart (default: as the built-in functions allow)',
      wholeNumber,
    )
    .option('--exact', "floats must agree to the last bit, NaNs' and zeros' too")
    .option('-k, --kernel <name>', 'only this kernel; again for more', collect, [])
    .option('-g, --global <sizes>', 'work-items, as in 64 or 16,16 (default: guessed)', sizes)
    .option('-l, --local <sizes>', 'work-items in a work-group (default: guessed)', sizes)
    .option('-a, --arg <name=what>', 'an argument, as for millrace run; again for more', collect, [])
    .option('-o, --options <text>', 'build options', '')
    .option('--generated <count>', 'run so many programs of conformance/generator', wholeNumber)
    .option('--reduce', 'make generated programs that fail as small as can be, and show them')
    .addOption(new Option('--outcomes', 'print the outcomes for a program').hideHelp())
    .addOption(
      new Option('--size <size>', 'of generated programs')
        .choices(['small', 'medium', 'large'])
        .default('small'),
    );

  return command.action(async (files: string[], options: Options) => {
    const wrong = complaint(files, options);
    if (wrong !== undefined) command.error(wrong);
    await run(files, options);
  });
}

/** What is wrong with the command line, if anything is. */
function complaint(files: readonly string[], options: Options): string | undefined {
  if (files.length === 0 && options.generated === undefined) return 'give files, or --generated COUNT';
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) return `there is no file '${missing}'`;
  const { global, local, arg } = options;
  if (global && local && global.length !== local.length)
    return '--global and --local differ in their dimensions';
  for (const text of arg) {
    try {
      if (readNamedSpecification(text).name === undefined) return `--arg '${text}': write NAME=WHAT`;
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
  }
  return undefined;
}

async function run(files: readonly string[], options: Options): Promise<void> {
  // They are asked for and waited for; without it there is none of that name.
  const reasons: string[] = [];
  for (const id of ['webgpu', 'native'] as const) {
    if (!options.device.some((name) => name.toLowerCase().startsWith(id))) continue;
    await requestDevice(id).catch(({ message }: Error) => reasons.push(message));
  }
  const { contestants, missing } = chooseContestants(options.device, options.fromIr === true);
  missing.push(...reasons);
  const settings: DifferentialOptions = {
    contestants,
    seed: options.seed,
    tolerance: options.exact ? 'bits' : options.ulp,
    options: options.options,
    arguments: options.arg,
    kernels: options.kernel,
    global: options.global,
    local: options.local,
  };
  if (options.outcomes) {
    printOutcomes(await runDifferential(files, settings));
    return;
  }
  for (const reason of missing) console.log(`skipped a device: ${reason}`);
  const names = contestants.map(({ name }) => name).join(', ') || 'none';
  console.log(`devices: ${names}; judged by the interpreter`);
  const paths = files.flatMap((path) => filesUnder(resolve(path), ['.cl']));
  const outcomes = await runFiles(paths, contestants, settings, options);
  const { seed, size, generated: count = 0 } = options;
  outcomes.push(
    ...(await runGenerated({ contestants, seed, count, size, isReduced: options.reduce === true })),
  );
  process.exitCode = report(outcomes) ? 0 : 1;
}

/** Drivers may crash: with them, several files run in processes of their own. */
function runFiles(
  paths: readonly string[],
  contestants: readonly Contestant[],
  settings: DifferentialOptions,
  options: Options,
): Promise<Outcome[]> {
  const ids = [...new Set(contestants.map(({ device }) => device.id))];
  if (paths.length < 2 || !ids.some((id) => id.startsWith('icd:'))) return runDifferential(paths, settings);
  const words = (file: string, devices: readonly string[]) => sameFor(file, devices, options);
  return runFilesIsolated(process.argv[1]!, paths, ids, words, console.log);
}

/** The words of a command line that ask for the same of one file. */
function sameFor(file: string, devices: readonly string[], options: Options): string[] {
  const many = (name: string, values: readonly string[]) => values.flatMap((value) => [name, value]);
  return [
    ...['differential', file, '--outcomes', '--seed', String(options.seed), '--options', options.options],
    ...many('--device', devices),
    ...many('--arg', options.arg),
    ...many('--kernel', options.kernel),
    ...(options.fromIr ? ['--from-ir'] : []),
    ...(options.exact ? ['--exact'] : []),
    ...(options.ulp === undefined ? [] : ['--ulp', String(options.ulp)]),
    ...(options.global ? ['--global', options.global.join()] : []),
    ...(options.local ? ['--local', options.local.join()] : []),
  ];
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('write a whole number');
  return Number(text);
}

function sizes(text: string): number[] {
  if (!/^[1-9]\d*([,x][1-9]\d*){0,2}$/.test(text)) {
    throw new InvalidArgumentError('write one to three sizes, such as 64 or 16,16');
  }
  return text.split(/[,x]/).map(Number);
}
