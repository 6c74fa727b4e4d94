/** `npm run conformance -- COMMAND`: the tests that are too many, too slow or too foreign for `npm test`. */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Device, devices } from 'millrace';
import { acceptFolder } from './accept/accept.ts';
import { measureAccuracy } from './accuracy/accuracy.ts';
import { chooseContestants } from './differential/devices.ts';
import { runDifferential } from './differential/differential.ts';
import { runGenerated } from './differential/generated.ts';
import { printOutcomes, runFilesIsolated } from './differential/isolated.ts';
import type { Size } from './generator/generate.ts';
import { runPiglit } from './piglit/piglit.ts';
import { filesUnder } from './support/folder-files.ts';
import { report } from './support/outcome.ts';

interface AcceptCommandOptions {
  readonly options: string;
  readonly only?: string[];
  readonly part?: string;
  readonly judge?: string;
  readonly verdicts?: string;
  readonly listRefused?: true;
  readonly device?: string;
}

const command = new Command('conformance').description('Runs conformance tests of OpenCL C.');

function deviceOf(id: string | undefined): Device {
  const all = devices();
  const found = id === undefined ? all[0] : all.find((device) => device.id === id);
  if (!found)
    return command.error(`there is no device '${id}'; there are ${all.map((each) => each.id).join(', ')}`);
  return found;
}

command
  .command('piglit')
  .description("runs tests in the format of piglit's OpenCL program tester")
  .argument('<folder>', 'a folder of .cl and .program_test files, or one such file')
  .option('-d, --device <id>', 'the device, by default the first')
  .action(async (folder: string, options: { device?: string }) => {
    process.exitCode = report(await runPiglit(folder, deviceOf(options.device))) ? 0 : 1;
  });

command
  .command('accept')
  .description('compiles every .cl file under a folder')
  .argument('<folder>', 'subfolders named like a list in conformance/accept/projects are built by that list')
  .option('-o, --options <text>', 'build options of files outside these projects', '')
  .option('--only <projects...>', 'only these projects')
  .option('--part <n/m>', 'only the n-th of m parts')
  .option('--judge <compiler>', "'clang': leave out what it refuses")
  .option('--verdicts <file>', "keep the judge's verdicts here, and do not ask again")
  .option('--list-refused', 'print what the judge said to each file that it refuses')
  .option('-d, --device <id>', 'the device, by default the first')
  .action(async (folder: string, options: AcceptCommandOptions) => {
    const { options: buildOptions, only, judge, verdicts, listRefused } = options;
    if (judge !== undefined && judge !== 'clang')
      command.error(`there is no judge '${judge}'; there is clang`);
    const parts = /^(\d+)\/(\d+)$/.exec(options.part ?? '');
    if (options.part !== undefined && !parts) command.error('--part takes two numbers, such as 1/4');
    const part = parts ? { index: Number(parts[1]) % Number(parts[2]), of: Number(parts[2]) } : undefined;
    const settings = {
      options: buildOptions,
      part,
      only,
      verdicts,
      listRefused,
      isJudged: judge !== undefined,
    };
    const outcomes = await acceptFolder(folder, { device: deviceOf(options.device), ...settings });
    process.exitCode = report(outcomes) ? 0 : 1;
  });

command
  .command('accuracy')
  .description('measures the error of every math function and writes docs/accuracy.md')
  .option('--float <count>', 'samples for each function of float', '1000000')
  .option('--double <count>', 'samples for each function of double', '100000')
  .option('--only <names...>', 'only these functions; the table is not written')
  .option('-d, --device <id>', 'the device, by default the first')
  .action(async (options: { float: string; double: string; only?: string[]; device?: string }) => {
    const isGood = await measureAccuracy({
      device: deviceOf(options.device),
      floatSamples: Number(options.float),
      doubleSamples: Number(options.double),
      ...(options.only ? { only: options.only } : { output: 'docs/accuracy.md' }),
    });
    process.exitCode = isGood ? 0 : 1;
  });

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

interface DifferentialCommand {
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
  readonly size: Size;
  readonly outcomes?: true;
}

/** The words of a command line that ask for the same of one file. */
function sameFor(file: string, devices: readonly string[], options: DifferentialCommand): string[] {
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

command
  .command('differential')
  .description('runs the kernels of OpenCL C files on several devices with the same generated inputs')
  .argument('[files...]', '.cl files, or folders of them')
  .option('-d, --device <name>', 'a device by a part of its name; again for more (default: all)', collect, [])
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
  .addOption(new Option('--outcomes', 'print the outcomes for a program').hideHelp())
  .addOption(
    new Option('--size <size>', 'of generated programs')
      .choices(['small', 'medium', 'large'])
      .default('small'),
  )
  .action(async (files: string[], options: DifferentialCommand) => {
    if (files.length === 0 && options.generated === undefined)
      command.error('give files, or --generated COUNT');
    const { contestants, missing } = chooseContestants(options.device, options.fromIr === true);
    const settings = {
      contestants,
      seed: options.seed,
      tolerance: options.exact ? ('bits' as const) : options.ulp,
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
    const list = contestants.map(({ name }) => name).join(', ') || 'none';
    console.log(`devices: ${list}; judged by the interpreter`);
    const paths = files.flatMap((path) => filesUnder(resolve(path), ['.cl']));
    const ids = [...new Set(contestants.map(({ device }) => device.id))];
    const isRisky = paths.length > 1 && ids.some((id) => id.startsWith('icd:'));
    const outcomes = isRisky
      ? await runFilesIsolated(
          process.argv[1]!,
          paths,
          ids,
          (file, on) => sameFor(file, on, options),
          console.log,
        )
      : await runDifferential(paths, settings);
    const { seed, size, generated: count = 0 } = options;
    outcomes.push(...(await runGenerated({ contestants, seed, count, size })));
    process.exitCode = report(outcomes) ? 0 : 1;
  });

await command.parseAsync();
// The device's threads would keep the process alive.
process.exit();
