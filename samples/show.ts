// The guided show that `npm start` runs: every sample on real input, checked against plain JavaScript, with
// timings and pictures. It exits with 1 if any check fails.
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import colours from 'picocolors';
import { allSamples, firstPart, secondPart, thirdPart } from './gallery.ts';
import { compile, devices, requestDevice } from './support/device.ts';
import { createContext } from './support/node-context.ts';
import { type SampleSize, type StreamSample, sampleNeeds } from './support/sample.ts';
import { createTerminal, type Terminal } from './support/terminal.ts';

interface Choices {
  readonly only?: string[];
  readonly size: SampleSize;
  readonly list?: boolean;
  readonly device: string;
}

// The show is built to dist/samples/show.js; kernels and the photograph stay where their sources are.
const samplesFolder = new URL('../../samples/', import.meta.url);
const outFolder = fileURLToPath(new URL('../../out/', import.meta.url));

const command = new Command('show')
  .description('Runs the samples of Millrace, checks every result and writes pictures to out/.')
  .addOption(
    new Option('--only <name...>', 'run only these samples').choices(allSamples.map((sample) => sample.name)),
  )
  .addOption(
    new Option('--size <size>', 'full, or small for a quick look').choices(['full', 'small']).default('full'),
  )
  .option('--device <name>', 'an id of `millrace devices`, or part of a name or id', 'wasm')
  .option('--list', 'list the samples and stop')
  .action(async (choices: Choices) => {
    const terminal = createTerminal(process.stdout);
    if (choices.list) listSamples(terminal);
    else if (!(await show(terminal, choices))) process.exitCode = 1;
  });

await command.parseAsync();

function listSamples(terminal: Terminal): void {
  const longest = Math.max(...allSamples.map((sample) => sample.name.length));
  for (const sample of allSamples) terminal.line(`${sample.name.padEnd(longest)}  ${sample.title}`);
}

/** Runs the chosen samples; true if every check was right. */
async function show(terminal: Terminal, choices: Choices): Promise<boolean> {
  const started = performance.now();
  const device = await findDevice(choices.device);
  // Devices of drivers have OpenCL 1.2 here.
  const isWhole = device.info.pipes !== undefined;
  const whole: readonly StreamSample[] = isWhole ? allSamples : [...firstPart, ...thirdPart];
  const wanted = choices.only ? allSamples.filter(({ name }) => choices.only!.includes(name)) : whole;
  const lacks = ({ needs }: StreamSample): boolean => needs !== undefined && !sampleNeeds[needs](device.info);
  const samples = wanted.filter((sample) => !lacks(sample));
  const context = createContext({
    size: choices.size,
    samplesFolder,
    outFolder,
    computeUnits: device.id === 'wasm' ? availableParallelism() : device.info.maxComputeUnits,
    deviceName: device.name,
    compile: (source, options) => compile(source, { device, ...(options === undefined ? {} : { options }) }),
    progress: (fraction, text) => terminal.progress(fraction, text),
  });

  const { name, info } = device;
  const units = `${info.maxComputeUnits} compute unit${info.maxComputeUnits === 1 ? '' : 's'}`;
  terminal.line(`${samples.length === 1 ? 'A sample' : `${samples.length} samples`} on ${name}, ${units}.`);
  terminal.line('Every result is checked against plain JavaScript on one thread, which is timed too.');
  if (choices.size === 'small')
    terminal.line('Size small: inputs are much smaller than the descriptions say.');
  if (!choices.only && !isWhole) {
    terminal.line('The second part, OpenCL 2.0, is for devices of Millrace.');
  }
  for (const { name: left, needs } of wanted.filter(lacks)) {
    terminal.line(`Left out: ${left}. It needs ${needs}, which this device lacks.`);
  }
  let runs = 0;
  const failures: string[] = [];
  for (const sample of samples) {
    if (sample === secondPart[0]) terminal.line('\nThe second part: OpenCL 2.0');
    if (sample === thirdPart[0]) terminal.line('\nThe third part: Brook+');
    terminal.heading(sample);
    try {
      const result = await sample.run(context);
      terminal.result({ ...result, pictures: result.pictures.map((path) => relative('.', path)) });
      runs += result.runs.length;
      for (const run of result.runs) if (!run.check.ok) failures.push(`${sample.name}/${run.kernel}`);
    } catch (error) {
      // The other samples are still worth seeing.
      terminal.line(`  ${colours.red(describeError(error))}`);
      failures.push(sample.name);
    }
  }

  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  terminal.line();
  if (failures.length === 0) {
    terminal.line(
      colours.green(`${samples.length} samples ran, all of their ${runs} results are right (${seconds} s).`),
    );
    return true;
  }
  terminal.line(colours.red(`Not everything is right (${seconds} s): ${failures.join(', ')}`));
  return false;
}

async function findDevice(name: string): Promise<ReturnType<typeof devices>[number]> {
  if (name === 'webgpu' || name === 'native') {
    return requestDevice(name).catch(({ message }: Error) =>
      command.error(`there is no device '${name}': ${message}`),
    );
  }
  const all = devices();
  const wanted = name.toLowerCase();
  const found =
    all.find(({ id }) => id === wanted) ??
    all.find((device) => device.name.toLowerCase().includes(wanted) || device.id.includes(wanted));
  if (found) return found;
  return command.error(`there is no device '${name}'; there are ${all.map(({ id }) => id).join(', ')}`);
}

/** A failed build tells its reasons in its log; anything else in its message. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = `${error.name}: ${error.message}`;
  return 'log' in error && typeof error.log === 'string' && !text.includes(error.log)
    ? `${text}\n${error.log}`
    : text;
}
