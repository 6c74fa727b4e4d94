/** `npm run conformance -- COMMAND`: the tests that are too many, too slow or too foreign for `npm test`. */
import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type Device, devices, requestDevice } from 'millrace';
import { getDevices } from 'millrace/brook';
import { acceptFolder } from './accept/accept.ts';
import { measureAccuracy } from './accuracy/accuracy.ts';
import { binariesCommand } from './binaries/campaign.ts';
import { runBlasCampaign } from './blas/command.ts';
import { runCorpus } from './brook/corpus.ts';
import { brookPage } from './brook/page.ts';
import { calibrateCommand } from './calibrate/command.ts';
import { campaignCommand } from './campaign/command.ts';
import { runSuite } from './cts/cts.ts';
import { differentialCommand } from './differential/command.ts';
import { fuzzCommand } from './fuzz/command.ts';
import { runGpuVerify } from './gpuverify/gpuverify.ts';
import { runIlPrograms } from './il/il.ts';
import { compareOclgrind, runOclgrind } from './oclgrind/oclgrind.ts';
import { apiPage, gaps } from './opencl-api/page.ts';
import { runPiglit } from './piglit/piglit.ts';
import { stressCommand } from './stress/command.ts';
import { existing } from './support/existing.ts';
import { report } from './support/outcome.ts';

// What the passes make of programs is judged, which the first launches of kernels do not run (docs/runtime.md).
process.env['MILLRACE_TIERS'] ??= '0';

interface AcceptCommandOptions {
  readonly options: string;
  readonly only?: string[];
  readonly part?: string;
  readonly judge?: string;
  readonly verdicts?: string;
  readonly listRefused?: true;
  readonly device?: string;
}

interface SuiteCommandOptions {
  readonly only?: string[];
  readonly tests?: string[];
  readonly parallel: string;
  readonly built?: true;
  readonly logs?: string;
  readonly resume?: true;
  readonly device?: 'native';
}

const command = new Command('conformance').description('Runs conformance tests of OpenCL C.');

async function deviceOf(id: string | undefined): Promise<Device> {
  if (id === 'webgpu' || id === 'native') {
    return requestDevice(id).catch(({ message }: Error) =>
      command.error(`there is no device '${id}': ${message}`),
    );
  }
  const all = devices();
  const found = id === undefined ? all[0] : all.find((device) => device.id === id);
  if (!found)
    return command.error(`there is no device '${id}'; there are ${all.map((each) => each.id).join(', ')}`);
  return found;
}

/** The place of a device among those that BRT_ADAPTER counts, by a part of its name. */
function adapterOf(name: string): number {
  const names = getDevices('cal').map((device) => device.name);
  const place = names.findIndex((each) => each.toLowerCase().includes(name.toLowerCase()));
  if (place < 0) return command.error(`there is no device '${name}'; there are ${names.join(', ')}`);
  return place;
}

command
  .command('piglit')
  .description("runs tests in the format of piglit's OpenCL program tester")
  .argument('<folder>', 'a folder of .cl and .program_test files, or one such file', existing)
  .option('-d, --device <id>', 'the device, by default the first')
  .action(async (folder: string, options: { device?: string }) => {
    process.exitCode = report(await runPiglit(folder, await deviceOf(options.device))) ? 0 : 1;
  });

command
  .command('blas')
  .description("compares random calls of BLAS's routines with OpenBLAS")
  .option('-d, --device <id>', 'the device, by default the first')
  .option('-n, --cases <number>', 'how many calls', '20000')
  .option('-s, --seed <number>', 'the first seed', '1')
  .option('-l, --largest <number>', 'the largest size', '70')
  .option('-o, --only <name>', "a part of routines' names")
  .action(
    async (options: { device?: string; cases: string; seed: string; largest: string; only?: string }) => {
      const [cases, seed, largest] = [options.cases, options.seed, options.largest].map(Number) as [
        number,
        number,
        number,
      ];
      const device = await deviceOf(options.device);
      process.exitCode = (await runBlasCampaign({ device, cases, seed, largest, only: options.only }))
        ? 0
        : 1;
    },
  );

command
  .command('il')
  .description('compiles every .il file under a folder, and runs those that there is a reference for')
  .argument(
    '<folder>',
    'programs in AMD IL, one a file; docs/il.md says where public ones are from',
    existing,
  )
  .action((folder: string) => {
    process.exitCode = report(runIlPrograms(folder)) ? 0 : 1;
  });

command
  .command('accept')
  .description('compiles every .cl file under a folder')
  .argument(
    '<folder>',
    'subfolders named like a list in conformance/accept/projects are built by that list',
    existing,
  )
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
    const outcomes = await acceptFolder(folder, { device: await deviceOf(options.device), ...settings });
    process.exitCode = report(outcomes) ? 0 : 1;
  });

interface AccuracyArguments {
  readonly float: string;
  readonly double: string;
  readonly options: string;
  readonly only?: string[];
  readonly types?: string[];
  readonly device?: string;
}

command
  .command('accuracy')
  .description(
    'measures the error of every math function; writes docs/accuracy.md where all are measured on the first device',
  )
  .option('--float <count>', 'samples for each function of float', '1000000')
  .option('--double <count>', 'samples for each function of double', '100000')
  .option('--only <names...>', 'only these functions')
  .option('--types <types...>', 'of half, float and double, with --only: float is always measured')
  .option('--options <text>', 'build options, such as -millrace-singles', '')
  .option('-d, --device <id>', 'the device, by default the first')
  .action(async (options: AccuracyArguments) => {
    const isGood = await measureAccuracy({
      options: options.options,
      ...(options.types ? { types: options.types } : {}),
      device: await deviceOf(options.device),
      floatSamples: Number(options.float),
      doubleSamples: Number(options.double),
      ...(options.only ? { only: options.only } : {}),
      // The document has every function on the first device, as it is without options: a run on another device would replace that by its own.
      ...(options.only || options.types || options.options || options.device
        ? {}
        : { output: 'docs/accuracy.md' }),
    });
    process.exitCode = isGood ? 0 : 1;
  });

command
  .command('opencl-api')
  .description('writes docs/opencl-api.md: every function of the OpenCL host API and the tests that call it')
  .action(() => {
    const page = apiPage('.');
    writeFileSync('docs/opencl-api.md', page);
    for (const line of gaps(page)) console.log(line);
    process.exitCode = gaps(page).length === 0 ? 0 : 1;
  });

command
  .command('webcl')
  .description('runs the pages of the Khronos WebCL-conformance suite in Chromium')
  .argument('<folder>', 'a checkout of the suite', existing)
  .option('--strict', 'exceptions must have the names that the pages say')
  .option('--webgl2', 'pages that ask for WebGL 1 get WebGL 2; else they are skipped')
  .option('--only <parts...>', 'only pages with one of these texts in their paths')
  .action(async (folder: string, options: { strict?: true; webgl2?: true; only?: string[] }) => {
    const settings = {
      isStrict: options.strict ?? false,
      givesWebGL2: options.webgl2 ?? false,
      only: options.only,
    };
    // It needs a browser and a bundler, which the other commands do without.
    const { runWebCL } = await import('./webcl/webcl.ts');
    process.exitCode = report(await runWebCL(folder, settings)) ? 0 : 1;
  });

command
  .command('cts')
  .description('builds the Khronos OpenCL-CTS for WebAssembly, runs it and writes docs/conformance.md')
  .argument('<folder>', 'a checkout of the suite', existing)
  .option('--only <directories...>', 'only these directories')
  .option('--tests <parts...>', 'only tests with one of these texts in their names; the page is not written')
  .option('--parallel <count>', 'tests at a time', '2')
  .option('--built', 'take the programs as they are')
  .option('--logs <folder>', 'keep what each test says here')
  .option('--resume', 'do not run tests again whose logs are there')
  .addOption(
    new Option('-d, --device <id>', 'run on machine code; the page gets what differs').choices(['native']),
  )
  .action(async (folder: string, options: SuiteCommandOptions) => {
    const { only, tests, parallel, built, logs, resume, device } = options;
    if (resume && logs === undefined) command.error('--resume needs --logs, where it finds what has run');
    const settings = { only, tests, parallel: Number(parallel), isBuilt: built ?? false, logs, device };
    process.exitCode = report(await runSuite(folder, { ...settings, resumes: resume ?? false })) ? 0 : 1;
  });

command
  .command('brook')
  .description(
    'runs the programs of lkosmid/brook, a Brook from before Brook+, and writes docs/conformance.md',
  )
  .argument('<folder>', 'a checkout of the repository', existing)
  .option(
    '--only <parts...>',
    'only programs with one of these texts in their names; the page is not written',
  )
  .option('-d, --device <name>', "part of a device's name; the page is not written")
  .action(async (folder: string, { only, device }: { only?: string[]; device?: string }) => {
    const result = await runCorpus(folder, only, device === undefined ? 0 : adapterOf(device));
    console.log('Programs with an expected output:');
    const areGood = report(result.programs);
    console.log('Files whose kernels compile:');
    const doCompile = report(result.files);
    if (!only && device === undefined) writeFileSync('docs/conformance.md', brookPage(folder, result));
    process.exitCode = areGood && doCompile ? 0 : 1;
  });

command
  .command('oclgrind')
  .description('runs the checker on the test kernels of Oclgrind')
  .argument('<folder>', 'a checkout of Oclgrind', existing)
  .option(
    '-d, --device <id>',
    'instead, compare what kernels without faults leave on this device and on WebAssembly',
  )
  .action(async (folder: string, { device }: { device?: string }) => {
    const outcomes =
      device === undefined
        ? await runOclgrind(folder)
        : await compareOclgrind(folder, await deviceOf(device));
    process.exitCode = report(outcomes) ? 0 : 1;
  });

command
  .command('gpuverify')
  .description('runs the checker on the OpenCL tests of GPUVerify')
  .argument('<folder>', 'a checkout of GPUVerify', existing)
  .action(async (folder: string) => {
    process.exitCode = report(await runGpuVerify(folder)) ? 0 : 1;
  });

command.addCommand(binariesCommand());
command.addCommand(campaignCommand());
command.addCommand(differentialCommand());
command.addCommand(fuzzCommand());
command.addCommand(calibrateCommand());
command.addCommand(stressCommand());

await command.parseAsync();
// The device's threads would keep the process alive.
process.exit();
