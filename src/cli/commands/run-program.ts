/**
 * `millrace run` for a program that uses OpenCL: in C, which is compiled first (`millrace run [options] host.c more.c
 * [arguments]`), or in C or C++, compiled for WASI (`host.wasm`). What follows the files is the program's. Its exit code
 * becomes ours.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { startChecking } from 'millrace';
import { abortCode, ProgramError, platformOf, type RunOptions, runProgram, stoppedBy } from 'millrace/c-host';
import { CL, getPlatforms } from 'millrace/opencl';
import { apiLogOption, beginApiLog } from '../api-log.ts';
import { withCheckHint } from '../check-hint.ts';
import { isCxxInput, isCxxSource, readCxxWords } from '../cxx/words.ts';
import { findDevice } from '../device.ts';
import { FailureError, UsageError } from '../errors.ts';
import { readBytes } from '../files.ts';
import { beginProfile, profileOption } from '../profile.ts';
import { isCSource } from '../program-files.ts';
import { colourMessages, exitWhenWritten, messages } from '../terminal.ts';
import { addCSourceOptions, type CSourceOptions, compileCSources, stackBytes } from './c-sources.ts';
import { seconds } from './run.ts';
import { collect } from './source.ts';

export interface ProgramOptions extends CSourceOptions {
  readonly dir?: readonly string[];
  readonly env?: readonly string[];
  readonly device?: string;
  readonly drivers?: true;
  readonly deviceType?: keyof typeof deviceTypes;
  readonly explain?: true;
  readonly timeout?: string;
  readonly check?: true | undefined;
  readonly profile?: string | true;
  readonly apiLog?: string;
  readonly clang?: readonly string[];
}

const deviceTypes = {
  cpu: CL.DEVICE_TYPE_CPU,
  gpu: CL.DEVICE_TYPE_GPU,
  accelerator: CL.DEVICE_TYPE_ACCELERATOR,
} as const;

/** Declares the subcommand in its other form. */
export function runProgramCommand(command: Command): void {
  command
    .description('run a program that uses OpenCL: in C or Brook+, or compiled for wasm32-wasi')
    .argument('<file>', 'the program: .c, .cpp or .br sources, one after another, or a .wasm file')
    .argument('[arguments...]', "the program's own")
    .option('--dir <folder[::name]>', 'a folder that the program finds, by its own or another name', collect)
    .option('--env <name=value>', 'an environment variable of the program', collect)
    .option('-d, --device <name>', 'the one device that the program finds, by its name or a part of it')
    .option('--drivers', "list the platforms of the machine's OpenCL drivers, too")
    .addOption(
      new Option('--device-type <type>', 'what devices say they are, for programs that want it').choices(
        Object.keys(deviceTypes),
      ),
    )
    .option(
      '--check',
      'check every memory access of its kernels; exit code 1 if something is wrong; of a program in C null pointers, too',
    )
    .option(...profileOption)
    .option(...apiLogOption)
    .option('-t, --timeout <seconds>', 'stop a kernel that runs longer; 0: never', '0')
    .option('--explain', 'print why functions of OpenCL fail, in words')
    .addOption(new Option('--clang <word>', "one of clang's").argParser(collect).hideHelp())
    .passThroughOptions();
  addCSourceOptions(command).action(run);
}

async function run(file: string, rest: readonly string[], options: ProgramOptions): Promise<void> {
  const platforms = options.device === undefined ? undefined : [platformOf(await findDevice(options.device))];
  const cxx = await compileIfCxx(file, rest, options);
  if (cxx === false || !runProgramFile(file, rest, options, { cxx, platforms })) return;
  // Threads of contexts that the program has left may still be ending.
  await exitWhenWritten();
}

/** A program that clang has compiled, and how many of the words behind its first file are files of it. */
interface CxxProgram {
  readonly bytes: Uint8Array;
  readonly others: number;
}

/** The program if it is in C++; undefined if not, false if it has errors. */
async function compileIfCxx(
  file: string,
  rest: readonly string[],
  options: ProgramOptions,
): Promise<CxxProgram | undefined | false> {
  const end = rest.findIndex((word) => !isCxxInput(word));
  const files = [file, ...rest.slice(0, end < 0 ? undefined : end)];
  if (file.endsWith('.wasm') || !files.some(isCxxSource)) return undefined;
  // What it needs is loaded by nobody else.
  const { compileCxx, toolchainFor } = await import('../cxx/compile.ts');
  const folder = mkdtempSync(join(tmpdir(), 'millrace-run-'));
  const output = join(folder, 'program.wasm');
  try {
    const words = [...cxxOptions(options), ...files, '-o', output];
    if (!(await compileCxx(toolchainFor(file), readCxxWords(words)))) {
      process.exitCode = 1;
      return false;
    }
    return { bytes: readBytes(output), others: files.length - 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The options of sources as clang has them. */
function cxxOptions({ D = [], U = [], I = [], w, Werror, stack, clang = [] }: ProgramOptions): string[] {
  return [
    ...D.map((macro) => `-D${macro}`),
    ...U.map((macro) => `-U${macro}`),
    ...I.map((folder) => `-I${folder}`),
    ...(w ? ['-w'] : []),
    ...(Werror ? ['-Werror'] : []),
    ...(stack === undefined ? [] : [`-Wl,-z,stack-size=${stackBytes(stack)}`]),
    ...clang,
  ];
}

interface GivenProgram {
  /** The program itself, if it was in C++. */
  readonly cxx?: CxxProgram | undefined;
  /** The platforms that it finds; default Millrace's, and with --drivers all. */
  readonly platforms?: RunOptions['platforms'];
}

/**
 * Runs a program to its end, and sets the exit code to its own. False if it has errors and did not run.
 */
export function runProgramFile(
  file: string,
  rest: readonly string[],
  options: ProgramOptions,
  { cxx, platforms: chosen }: GivenProgram = {},
): boolean {
  const timeout = seconds(options.timeout ?? '0') * 1000;
  const isSource = cxx !== undefined || isCSource(file);
  // A program that is here as source finds the files around it; one that is not finds what it is given.
  const folders = Object.fromEntries((options.dir ?? (isSource ? ['.'] : [])).map(readFolder));
  const env = Object.fromEntries((options.env ?? []).map(readVariable));
  const others = cxx ? cxx.others : isSource ? rest.findIndex((one) => !isCSource(one)) : 0;
  const sources = [file, ...(others < 0 ? rest : rest.slice(0, others))];
  const args = others < 0 ? [] : rest.slice(others);
  const compiled = isSource && !cxx ? compileCSources(sources, options) : undefined;
  const bytes = cxx ? cxx.bytes : compiled ? compiled.bytes : readBytes(file);
  if (!bytes) {
    process.exitCode = 1;
    return false;
  }
  let found = 0;
  if (options.check) {
    startChecking({
      report: (report) => {
        if (report.severity === 'error') found += 1;
        console.error(report.text(colourMessages));
      },
    });
  }
  const failedCommands = new Set<string>();
  const failures: string[] = [];
  const platforms = chosen ?? (options.drivers ? getPlatforms() : undefined);
  const endLog = beginApiLog(options.apiLog);
  const endProfile = beginProfile(options.profile);
  // So that those who look for what went wrong see the way to it from main.
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  try {
    process.exitCode = runProgram(bytes, {
      args: [basename(file), ...args],
      env,
      folders,
      brook: compiled?.brook,
      onBrookError: (text) => console.error(messages.dim(text)),
      platforms,
      deviceType: options.deviceType && deviceTypes[options.deviceType],
      timeout,
      onFailure: (text) => {
        const shown = withCheckHint(text, '--check');
        if (!failedCommands.has(text)) console.error(`${messages.red('millrace:')} ${shown}`);
        failedCommands.add(text);
      },
      onError: (name, error) => {
        const text = `${name}: ${error.name}: ${error.message}`;
        if (options.explain) console.error(messages.dim(text));
        else failures.push(text.split('\n', 1)[0]!);
      },
    });
  } catch (error) {
    if (error instanceof ProgramError)
      throw new FailureError(`${file} is no program that can run here: ${error.message}`);
    const stopped = stoppedBy(error);
    if (!stopped) throw error;
    console.error(`${messages.red('millrace:')} ${file} was stopped: ${stopped.reason}`);
    console.error(stopped.frames.join('\n'));
    process.exitCode = abortCode;
  }
  tellOfFailures(failures, process.exitCode !== 0);
  endProfile();
  endLog();
  if ((found > 0 || failedCommands.size > 0) && !process.exitCode) process.exitCode = 1;
  return true;
}

/**
 * Programs forget to look whether a function has failed, or say no more than a number. Where a program ends well, what failed may
 * have been meant: a person is told of it, unless only queries failed, and who reads the error stream by a program is not.
 */
function tellOfFailures(failures: readonly string[], failed: boolean): void {
  const isQuery = (text: string): boolean => /^(?:clGet|cal\w*Get)/.test(text);
  const [first] = failures;
  const mayBeMeant = !failed && (!process.stderr.isTTY || failures.every(isQuery));
  if (first === undefined || mayBeMeant) return;
  const hint = first.includes('CL_DEVICE_NOT_FOUND')
    ? '--device-type gpu lets devices say that they are one'
    : '--explain shows all as they happen';
  const calls = failures.length === 1 ? 'a function failed' : `${failures.length} functions failed, first`;
  console.error(messages.dim(`millrace: ${calls}: ${first} (${hint})`));
}

function readFolder(text: string): [string, string] {
  const [folder = '', name = folder] = text.split('::');
  if (folder === '' || name === '') throw new UsageError(`--dir '${text}': write FOLDER or FOLDER::NAME`);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new FailureError(`--dir '${text}': there is no folder '${folder}'`);
  return [name, resolve(folder)];
}

function readVariable(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--env '${text}': write NAME=VALUE`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
