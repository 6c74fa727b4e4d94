/** `millrace run`: one kernel of a file on data from the command line, its results printed, saved or shown. */
import { type Command, Option } from 'commander';
import { compile, type Kernel, type LaunchRange, type LaunchTimes, type Program } from 'millrace';
import { apiLogOption, beginApiLog } from '../api-log.ts';
import { type BoundArgument, bindArguments, elementsOf } from '../arguments/bind.ts';
import { describeBuffer, pictureOf } from '../arguments/describe.ts';
import type { ArgumentFiles } from '../arguments/files.ts';
import { guessGlobal, launchOnce, resultsOf } from '../arguments/launch.ts';
import { type PixelType, pixelTypes } from '../arguments/pixels.ts';
import {
  argumentHelp,
  type NamedSpecification,
  type PictureSize,
  readNamedSpecification,
  readSizes,
} from '../arguments/specification.ts';
import { checkLaunches } from '../check-launches.ts';
import { findDevice } from '../device.ts';
import { UsageError } from '../errors.ts';
import { shownName } from '../files.ts';
import { beginProfile, profileOption } from '../profile.ts';
import { isProgramFile, refuseCPlusPlus } from '../program-files.ts';
import { messages, output, terminalWidth } from '../terminal.ts';
import { showWaiting } from '../waiting.ts';
import {
  addSourceOptions,
  buildOptionsText,
  collect,
  isStrict,
  printLog,
  readProgram,
  type SourceOptions,
  sourceFiles,
} from './source.ts';

export interface RunOptions extends SourceOptions {
  readonly kernel?: string;
  readonly global?: string;
  readonly local?: string;
  readonly offset?: string;
  readonly arg?: readonly string[];
  readonly image?: string;
  readonly pixels: PixelType;
  readonly output?: string;
  readonly save?: readonly string[];
  readonly show?: true;
  readonly print?: string;
  readonly device?: string;
  readonly repeat?: string;
  readonly timeout: string;
  readonly profile?: string | true;
  readonly apiLog?: string;
}

/** Declares arguments, options and action of the subcommand. */
export function runCommand(command: Command): void {
  command.argument(
    '<file>',
    'OpenCL C, IR as text, or a binary made by millrace build; see below for programs',
  );
  addRunOptions(command)
    .option('-d, --device <name>', 'a device, by its short or full name or a part of one')
    .option('-r, --repeat <times>', 'run so many times, each on fresh arguments', '1')
    .option(...profileOption)
    .option(...apiLogOption)
    .option(
      '--check',
      'look at every access to memory, as millrace check does; exit code 1 if something is wrong',
    )
    .addHelpText(
      'after',
      `\n${argumentHelp}\n\nWhat is not given is guessed where that is safe, and printed.\n\nPrograms that use OpenCL run, too: .c files, .br files of Brook+, and .wasm files\nmade by clang. They have options of their own: millrace run --help x.c`,
    )
    .action(async (file: string, options: RunOptions) => {
      const endLog = beginApiLog(options.apiLog);
      const endProfile = beginProfile(options.profile);
      try {
        if (options.check) await runChecked(file, options);
        else await runFile(file, options, true);
      } finally {
        endProfile();
        endLog();
      }
    });
}

/** Adds the options that say what a kernel is run on and what becomes of its results. */
export function addRunOptions(command: Command): Command {
  command
    .option('-k, --kernel <name>', 'the kernel, if the file has several')
    .option(
      '-g, --global <sizes>',
      'work-items: 1024 or 640,480 (default: one a pixel or element, if data agrees)',
    )
    .option('-l, --local <sizes>', 'work-items in a work-group (default: chosen)')
    .option('--offset <sizes>', 'the first global id (default: 0)')
    .option('-a, --arg <[name=]what>', 'an argument; see below', collect)
    .option('-i, --image <file>', 'a picture for the first parameter that can take one')
    .addOption(
      new Option(
        '--pixels <type>',
        'how image parameters hold pictures: unorm8 for read_imagef, uint8 for _imageui',
      )
        .choices(pixelTypes)
        .default('unorm8'),
    )
    .option(
      '-o, --output <file>',
      'save the first result: .png, .jpg, .bmp, .pgm, .ppm, .npy, .txt, else raw bytes',
    )
    .option('-s, --save <name=file>', 'save one argument after the run', collect)
    .option('--show', 'show pictures among the results in the terminal')
    .option('-p, --print <count>', 'elements of each result to print (default: one line)')
    .option('-t, --timeout <seconds>', 'stop a kernel that runs longer; 0: never', '60');
  return addSourceOptions(command);
}

/** As `millrace check`, with the results. */
async function runChecked(file: string, options: RunOptions): Promise<void> {
  if (options.device !== undefined) {
    throw new UsageError(
      "--check looks at every access to memory, on a device of its own: leave --device out (that Millrace's compiler refuses what a driver's would take is --strict)",
    );
  }
  await checkLaunches(options, () => runFile(file, { ...options, check: undefined }, true));
}

/** Runs a kernel of a file; `shows` says whether its time and its results are printed. */
export async function runFile(file: string, options: RunOptions, shows: boolean): Promise<void> {
  if (file.endsWith('.il')) {
    throw new UsageError(`${file}: a program in AMD IL is launched by a host program, through CAL`);
  }
  if (isProgramFile(file)) {
    throw new UsageError(
      `${file} is a program, which has options of its own before its name: see millrace run --help ${file}`,
    );
  }
  refuseCPlusPlus(file);
  const given = (options.arg ?? []).map(readNamedSpecification);
  const request = readRequest(options);
  const device = await findDevice(options.device);
  const program = await compile(readProgram(file), {
    name: shownName(file),
    options: buildOptionsText(options),
    files: sourceFiles(options),
    timeout: request.timeout * 1000,
    device,
    strict: isStrict(options),
  });
  try {
    printLog(program.diagnostics, program.log);
    const kernel = chooseKernel(program, options.kernel, file);
    await runKernel(program, kernel, device.info.maxMemAllocSize, given, request, shows);
  } finally {
    program.release();
  }
}

/** The options with their texts read. */
export interface Request {
  readonly global: readonly number[] | undefined;
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[] | undefined;
  readonly image: string | undefined;
  readonly pixels: PixelType;
  readonly output: string | undefined;
  readonly saves: readonly { readonly name: string; readonly path: string }[];
  readonly show: boolean;
  readonly print: number | undefined;
  readonly repeat: number;
  /** Seconds. */
  readonly timeout: number;
}

export function readRequest(options: RunOptions): Request {
  const sizes = (text: string | undefined, option: string, smallest: number): number[] | undefined =>
    text === undefined ? undefined : readSizes(text, option, smallest);
  return {
    global: sizes(options.global, '--global', 1),
    local: sizes(options.local, '--local', 1),
    offset: sizes(options.offset, '--offset', 0),
    image: options.image,
    pixels: options.pixels,
    output: options.output,
    saves: (options.save ?? []).map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1 || equals === text.length - 1) {
        throw new UsageError(`--save '${text}': write NAME=FILE with the name of a parameter`);
      }
      return { name: text.slice(0, equals), path: text.slice(equals + 1) };
    }),
    show: options.show === true,
    print: options.print === undefined ? undefined : wholeNumber(options.print, '--print', 0),
    repeat: wholeNumber(options.repeat ?? '1', '--repeat', 1),
    timeout: seconds(options.timeout),
  };
}

function wholeNumber(text: string, option: string, smallest: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < smallest) {
    throw new UsageError(`${option} '${text}': write a whole number from ${smallest}`);
  }
  return value;
}

/** A day is as good as for ever, and timers cannot count much longer. */
export function seconds(text: string): number {
  const value = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value) || value > 86_400) {
    throw new UsageError(`--timeout '${text}': write seconds, 0 to 86400`);
  }
  return value;
}

/** The kernel of that name, or the only one. */
export function chooseKernel(program: Program, name: string | undefined, file: string): Kernel {
  const names = program.kernelNames;
  if (name !== undefined && !names.includes(name)) {
    throw new UsageError(
      `${shownName(file)} has no kernel '${name}'; it has ${names.length > 0 ? names.join(', ') : 'none'}`,
    );
  }
  if (name === undefined && names.length !== 1) {
    throw new UsageError(
      names.length === 0
        ? `${shownName(file)} has no kernel`
        : `${shownName(file)} has several kernels: say --kernel with one of ${names.join(', ')}`,
    );
  }
  return program.kernel(name ?? names[0]!);
}

/** What a kernel is launched on, all of it. */
export interface PlannedLaunch {
  readonly bound: readonly BoundArgument[];
  readonly range: LaunchRange;
}

const noFiles: ArgumentFiles = { exists: () => false, bytes: refuse, picture: refuse };

function refuse(path: string): never {
  throw new Error(`${path} is read, and no argument names a file`);
}

/** The files of the disk. The libraries that read pictures are loaded only if an argument names a file. */
async function filesFor(
  given: readonly NamedSpecification[],
  { image }: Pick<Request, 'image'>,
): Promise<ArgumentFiles> {
  const named = image !== undefined || given.some(({ specification }) => specification.kind === 'file');
  return named ? (await import('../picture.ts')).argumentsOnDisk : noFiles;
}

/** Binds the arguments that were given and guesses the others. */
export async function planLaunch(
  kernel: Kernel,
  largestBuffer: number,
  given: readonly NamedSpecification[],
  request: Request,
): Promise<PlannedLaunch> {
  const bound = bindArguments(kernel.parameters, given, {
    workItems: request.global?.reduce((product, size) => product * size, 1),
    launchSize: request.global?.length === 2 ? sizeOf(request.global) : undefined,
    files: await filesFor(given, request),
    image: request.image,
    pixels: request.pixels,
    largestBuffer,
  });
  const global = request.global ?? guessGlobal(bound, request.local, kernel);
  const { local: group, offset } = request;
  for (const [option, sizes] of [
    ['--local', group],
    ['--offset', offset],
  ] as const) {
    if (sizes && sizes.length !== global.length) {
      throw new UsageError(
        `${option} ${sizes.join(',')} and --global ${global.join(',')} differ in their dimensions`,
      );
    }
  }
  return { bound, range: { global, local: group, offset } };
}

async function runKernel(
  program: Program,
  kernel: Kernel,
  largestBuffer: number,
  given: readonly NamedSpecification[],
  request: Request,
  shows: boolean,
): Promise<void> {
  const { bound, range } = await planLaunch(kernel, largestBuffer, given, request);
  const { global } = range;
  const saves = savesOf(bound, request);
  // They need the libraries that write pictures; checked before the run, which may be long.
  const results = saves.length > 0 ? await import('../results.ts') : undefined;
  for (const { argument, path } of saves) results?.checkSave(argument, path, global);
  printGuesses(bound, request.global ? undefined : global);
  const times = await launch(program, kernel, range, bound, request.repeat);
  if (shows) await present(kernel, global, bound, times, request);
  for (const { argument, path } of saves) {
    results?.saveBuffer(argument, path, global);
    console.log(`${argument.parameter.name} saved to ${path}`);
  }
}

function sizeOf([width = 1, height = 1]: readonly number[]): PictureSize {
  return { width, height };
}

/** What nobody asked for, in the form in which it could have been. */
export function printGuesses(bound: readonly BoundArgument[], global: readonly number[] | undefined): void {
  const words = bound.flatMap(({ parameter, guess }) => (guess ? [`--arg ${parameter.name}=${guess}`] : []));
  if (global) words.push(`--global ${global.join(',')}`);
  if (words.length > 0) console.error(messages.dim(`guessed: ${words.join(' ')}`));
}

/** What is to be saved where. */
function savesOf(
  bound: readonly BoundArgument[],
  request: Request,
): { readonly argument: BoundArgument; readonly path: string }[] {
  const saves = request.saves.map(({ name, path }) => {
    const argument = bound.find(({ parameter }) => parameter.name === name);
    if (!argument) throw new UsageError(`--save ${name}=${path}: the kernel has no parameter '${name}'`);
    return { argument, path };
  });
  if (request.output !== undefined) {
    const argument = resultsOf(bound)[0];
    if (!argument) {
      throw new UsageError('the kernel has no result to save: it may write to none of its arguments');
    }
    saves.unshift({ argument, path: request.output });
  }
  return saves;
}

async function launch(
  program: Program,
  kernel: Kernel,
  range: Parameters<Kernel>[0],
  bound: readonly BoundArgument[],
  repeat: number,
): Promise<LaunchTimes[]> {
  const times: LaunchTimes[] = [];
  const waiting = showWaiting(kernel.name);
  try {
    for (let round = 1; round <= repeat; round++) {
      times.push(await launchOnce(program, kernel, range, bound, round === repeat));
    }
  } finally {
    waiting.end();
  }
  return times;
}

async function present(
  kernel: Kernel,
  global: readonly number[],
  bound: readonly BoundArgument[],
  times: readonly LaunchTimes[],
  request: Request,
): Promise<void> {
  const durations = times.map(({ started, ended }) => Number(ended - started) / 1e6).sort((a, b) => a - b);
  const [shortest, longest] = [durations[0]!, durations[durations.length - 1]!];
  const median = durations[durations.length >> 1]!;
  const took =
    durations.length === 1
      ? ` in ${durationText(median)}`
      : `, ${durations.length} times: median ${durationText(median)}, from ${durationText(shortest)} to ${durationText(longest)}`;
  const items = `${global.join(' x ')} work-item${global.every((size) => size === 1) ? '' : 's'}`;
  console.log(`${output.bold(kernel.name)}: ${items}${took}`);
  for (const result of resultsOf(bound)) {
    const { parameter, picture: size } = result;
    const elements = elementsOf(result);
    if (!elements) continue;
    if (request.print !== 0) {
      const kind = parameter.image ? ` (${parameter.image.kind}, ${size!.width} x ${size!.height})` : '';
      console.log(describeBuffer(parameter.name + kind, elements, terminalWidth(), request.print));
    }
    const picture = request.show ? pictureOf(result, global) : undefined;
    if (!picture) continue;
    const { drawInTerminal } = await import('../picture.ts');
    process.stdout.write(drawInTerminal(picture, Math.min(terminalWidth(), 120)));
  }
}

function durationText(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds.toFixed(milliseconds < 100 ? 3 : 1)} ms`;
}
