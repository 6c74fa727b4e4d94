/**
 * `millrace run` for a program in C or C++ that uses OpenCL, compiled for WASI: `millrace run [options] host.wasm [arguments]`.
 * What follows the file is the program's. Its exit code becomes ours.
 */
import { basename, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { ProgramError, runProgram } from 'millrace/c-host';
import { CL, getPlatforms } from 'millrace/opencl';
import { FailureError, UsageError } from '../errors.ts';
import { readBytes } from '../files.ts';
import { messages } from '../terminal.ts';
import { collect } from './source.ts';

interface ProgramOptions {
  readonly dir?: readonly string[];
  readonly env?: readonly string[];
  readonly drivers?: true;
  readonly deviceType?: keyof typeof deviceTypes;
  readonly explain?: true;
}

/** As shells have it for a program that aborts. */
const abortCode = 134;

const deviceTypes = {
  cpu: CL.DEVICE_TYPE_CPU,
  gpu: CL.DEVICE_TYPE_GPU,
  accelerator: CL.DEVICE_TYPE_ACCELERATOR,
} as const;

/** Options that have a value, which is not the file. */
const withValue = ['--dir', '--env', '--device-type'];

/** Whether the arguments of `millrace` run a program: the first after `run` that is no option is a .wasm file. */
export function isProgramCall(args: readonly string[]): boolean {
  if (args[0] !== 'run') return false;
  let at = 1;
  while (args[at]?.startsWith('-')) at += withValue.includes(args[at]!) ? 2 : 1;
  return args[at]?.endsWith('.wasm') === true;
}

/** Builds the subcommand in its other form. */
export function runProgramCommand(): Command {
  return new Command('run')
    .description('run a program in C or C++ that uses OpenCL, compiled for wasm32-wasi')
    .argument('<file.wasm>', 'the program')
    .argument('[arguments...]', "the program's own")
    .option('--dir <folder[::name]>', 'a folder that the program finds, by its own or another name', collect)
    .option('--env <name=value>', 'an environment variable of the program', collect)
    .option('--drivers', "list the platforms of the machine's OpenCL drivers, too")
    .addOption(
      new Option('--device-type <type>', 'what devices say they are, for programs that want it').choices(
        Object.keys(deviceTypes),
      ),
    )
    .option('--explain', 'print why functions of OpenCL fail, in words')
    .passThroughOptions()
    .action(run);
}

function run(file: string, args: readonly string[], options: ProgramOptions): void {
  const folders = Object.fromEntries((options.dir ?? []).map(readFolder));
  const env = Object.fromEntries((options.env ?? []).map(readVariable));
  const bytes = readBytes(file);
  try {
    process.exitCode = runProgram(bytes, {
      args: [basename(file), ...args],
      env,
      folders,
      platforms: options.drivers ? getPlatforms() : undefined,
      deviceType: options.deviceType && deviceTypes[options.deviceType],
      onError: options.explain
        ? (name, error) => console.error(messages.dim(`${name}: ${error.name}: ${error.message}`))
        : undefined,
    });
  } catch (error) {
    if (error instanceof ProgramError)
      throw new FailureError(`${file} is no program that can run here: ${error.message}`);
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    console.error(`${messages.red('millrace:')} ${file} was stopped: ${error.message}`);
    console.error(framesOf(error).join('\n'));
    process.exitCode = abortCode;
  }
  // Threads of contexts that the program has left may still be ending.
  process.exit();
}

/** Where in the program it happened, without what is ours. */
function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => line.includes('wasm:'));
}

function readFolder(text: string): [string, string] {
  const [folder = '', name = folder] = text.split('::');
  if (folder === '' || name === '') throw new UsageError(`--dir '${text}': write FOLDER or FOLDER::NAME`);
  return [name, resolve(folder)];
}

function readVariable(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--env '${text}': write NAME=VALUE`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
