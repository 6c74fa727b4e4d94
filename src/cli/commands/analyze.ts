/** `millrace analyze`: what kernels would cost on AMD's R600 family. */
import { type Command, Option } from 'commander';
import { inspect } from 'millrace';
import {
  type Analysis,
  analyze,
  chipNames,
  type KernelAnalysis,
  occupancyChartsSvg,
  occupancyOf,
  occupancySvg,
  occupancyText,
  reportText,
} from 'millrace/analyze';
import { noParameter } from '../arguments/no-parameter.ts';
import { pixelTypes } from '../arguments/pixels.ts';
import { FailureError, UsageError } from '../errors.ts';
import { checkPlace, shownName, writeFile } from '../files.ts';
import { isProgramFile } from '../program-files.ts';
import type { RooflineOptions } from './roofline.ts';
import {
  addFormerCheck,
  addSourceOptions,
  buildOptionsText,
  collect,
  readProgram,
  sourceFiles,
} from './source.ts';

interface AnalyzeCommandOptions extends RooflineOptions {
  readonly chip?: string;
  readonly occupancy?: true;
  readonly il?: true;
  readonly roofline?: true;
}

/** Declares arguments, options and action of the subcommand. */
export function analyzeCommand(command: Command): void {
  command
    .argument('<file>', 'OpenCL C (.cl), Brook+ (.br) or AMD IL (.il)')
    .option('--kernel <name>', 'only this kernel')
    .option('--il', 'print the kernels as programs in AMD IL, too')
    .option('--chip <name>', `whose listing to show: ${chipNames.join(', ')}`)
    .option('-g, --global <sizes>', 'work-items, in one or two dimensions (default: 1024,1024)')
    .option('-l, --local <size>', 'work-items of a work-group (default: what the kernel asks for, or 64)')
    .option('-a, --arg <name=number>', 'the value of an argument (default: 256)', collect)
    .option('--json', 'everything, for programs')
    .option('--occupancy', 'tables of wavefronts by size of groups, registers and local memory')
    .option('--roofline', 'run the kernel here, and say how near it comes to what this machine can do')
    .option('--remeasure', "with --roofline: measure this machine's peaks again; the better ones are kept")
    .option(
      '--svg <file>',
      'write a chart of wavefronts over registers, of all that --occupancy or --roofline shows',
    )
    .addOption(new Option('--offset <sizes>', 'as for millrace run').hideHelp())
    .addOption(new Option('-i, --image <file>', 'as for millrace run').hideHelp())
    .addOption(new Option('--pixels <type>').choices(pixelTypes).default('unorm8').hideHelp())
    .addOption(new Option('-t, --timeout <seconds>').default('60').hideHelp())
    .addHelpText(
      'after',
      '\nWith --roofline, --global, --local, --offset, --arg, --image, --pixels and --timeout are those of\nmillrace run: buffers and all.\n\nThat no chip can run a kernel is an answer like others: the exit code is 0,\nbut 1 where --occupancy or --svg needs a chip that can.',
    );
  addFormerCheck(addSourceOptions(command)).action(run);
}

async function run(file: string, options: AnalyzeCommandOptions): Promise<void> {
  if (isProgramFile(file) && !file.endsWith('.br')) {
    throw new UsageError(`${file} is a program: analyze takes kernels, in .cl, .br or .il files`);
  }
  if (options.svg !== undefined) checkPlace(options.svg);
  if (options.roofline) {
    const { showRoofline } = await import('./roofline.ts');
    await showRoofline(file, options);
    return;
  }
  if (options.remeasure) throw new UsageError('--remeasure is for --roofline');
  const chip = chipOf(options.chip);
  const source = readProgram(file);
  if (typeof source !== 'string') {
    throw new UsageError(
      `${file} is a binary and holds no source: analyze takes kernels, in .cl, .br or .il files`,
    );
  }
  const [width = 1024, height = options.global === undefined ? 1024 : 1] = sizes(
    '--global',
    options.global,
    2,
  );
  const args = argumentsOf(options.arg ?? []);
  const analysis = analyze(source, {
    name: shownName(file),
    buildOptions: buildOptionsText(options),
    files: sourceFiles(options),
    width,
    height,
    groupSize: sizes('--local', options.local, 1)[0],
    args,
  });
  process.stderr.write(analysis.log);
  if (analysis.hasErrors) {
    process.exitCode = 1;
    return;
  }
  const kernel = analysis.kernels.find(({ name }) => options.kernel === undefined || name === options.kernel);
  if (analysis.kernels.length === 0 && !options.json)
    throw new UsageError(`${shownName(file)} has no kernel`);
  if (!kernel && options.kernel !== undefined)
    throw new UsageError(
      `${shownName(file)} has no kernel '${options.kernel}'; it has ${analysis.kernels.map(({ name }) => name).join(', ')}`,
    );
  checkArguments(args, options.kernel !== undefined && kernel ? [kernel] : analysis.kernels, analysis.left);
  if (options.occupancy) {
    showOccupancy(options.kernel !== undefined && kernel ? [kernel] : analysis.kernels, options);
    return;
  }
  if (options.json) console.log(JSON.stringify(analysis, withoutSpans, 2));
  else process.stdout.write(reportText(analysis, { chip, kernel: options.kernel }));
  if (options.il) printIl(file, source, options);
  if (options.svg !== undefined) {
    const program = kernel?.chips.findLast((one) => one.program)?.program;
    if (!kernel || !program) throw new FailureError(`${options.svg}: no chip can run the kernel`);
    writeFile(options.svg, new TextEncoder().encode(occupancySvg(program.registers, kernel.name)));
  }
}

/** What IL cannot say is told, and is no mistake of the file. */
function printIl(file: string, source: string, options: AnalyzeCommandOptions): void {
  if (/\.(il|br)$/.test(file))
    throw new UsageError(`${file}: --il is for OpenCL C; brcc -k keeps the IL of Brook+`);
  const { output, log } = inspect(source, {
    name: shownName(file),
    buildOptions: buildOptionsText(options),
    files: sourceFiles(options),
    emit: 'il',
    kernel: options.kernel,
  });
  process.stdout.write(`\n${output ?? log}`);
}

/** The tables of these kernels, or their records; the picture of the first. */
function showOccupancy(kernels: readonly KernelAnalysis[], { svg, json }: AnalyzeCommandOptions): void {
  const found = kernels.flatMap((kernel) => occupancyOf(kernel) ?? []);
  if (found.length === 0) throw new FailureError('no chip can run the kernel');
  if (json) console.log(JSON.stringify(found, undefined, 2));
  else process.stdout.write(found.map(occupancyText).join('\n'));
  if (svg !== undefined) writeFile(svg, new TextEncoder().encode(occupancyChartsSvg(found[0]!)));
}

/** Places in the source are whole files; their lines stand in the record. */
function withoutSpans(key: string, value: unknown): unknown {
  return key === 'span' ? undefined : value;
}

function sizes(option: string, text: string | undefined, most: number): readonly number[] {
  if (text === undefined) return [];
  const parts = text.split(',');
  if (parts.length > most)
    throw new UsageError(
      `${option} ${text}: ${most === 1 ? 'write one number' : `there are at most ${most} dimensions here`}`,
    );
  return parts.map((part) => {
    const size = Number(part);
    if (!Number.isInteger(size) || size < 1 || size > 2 ** 26)
      throw new UsageError(`${option} ${text}: sizes are whole numbers from 1 to ${2 ** 26}`);
    return size;
  });
}

/** The chip of that name, in capitals or not. */
function chipOf(name: string | undefined): string | undefined {
  const chip = chipNames.find((one) => one.toLowerCase() === name?.toLowerCase());
  if (name !== undefined && chip === undefined)
    throw new UsageError(`--chip ${name}: there are ${chipNames.join(', ')}`);
  return chip;
}

/** Refuses numbers that none of the kernels takes. What those take that were left out is not known. */
function checkArguments(
  args: ReadonlyMap<string, number>,
  kernels: readonly KernelAnalysis[],
  left: Analysis['left'],
): void {
  if (kernels.length === 0) return;
  const parameters = kernels.flatMap((kernel) => kernel.parameters);
  for (const name of args.keys()) {
    const named = parameters.filter((parameter) => parameter.name === name);
    if (named.some(({ takesNumber }) => takesNumber)) continue;
    if (named.length > 0)
      throw new UsageError(`--arg ${name}: the parameter is not passed by value, and takes no number here`);
    if (left.length > 0) continue;
    throw new UsageError(noParameter(name, parameters, kernels.length));
  }
}

function argumentsOf(given: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    given.map((text) => {
      const [name, number] = text.split('=');
      if (!name || number === undefined || number === '' || Number.isNaN(Number(number)))
        throw new UsageError(`--arg ${text}: write NAME=NUMBER`);
      return [name, Number(number)];
    }),
  );
}
