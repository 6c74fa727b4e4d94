/** What `run`, `compile` and `build` share: build options, included files, the compiler's messages. */
import { type Command, Option } from 'commander';
import { type Diagnostic, diskFiles, type FileSystem, isProgramBinary, renderDiagnostics } from 'millrace';
import { FailureError, UsageError } from '../errors.ts';
import { mostSourceBytes, readBytes, reason, textOf } from '../files.ts';
import { colourMessages, messages } from '../terminal.ts';

/** The options that say how a source is built. */
export interface SourceOptions {
  readonly D?: readonly string[];
  readonly I?: readonly string[];
  readonly options?: string;
  readonly w?: true;
  readonly Werror?: true;
  readonly strict?: true;
  /** The earlier name of `strict`, where the command has nothing else of the name. */
  readonly check?: true | undefined;
  readonly includeWithin?: readonly string[];
  readonly budget?: string;
}

/** Gathers the values of an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** For sources of others. */
export const includeWithinOption = [
  '--include-within <folder>',
  'include files from this folder only; links that lead out of it are refused',
  collect,
] as const;

/** Adds those options to a subcommand. */
export function addSourceOptions(command: Command): Command {
  return command
    .option('-D <name[=value]>', 'define a macro', collect)
    .option('-I <folder>', 'look for included files here too', collect)
    .option(...includeWithinOption)
    .option('-w', 'no warnings')
    .option('--Werror', 'warnings are errors')
    .option('--options <text>', "options as for clBuildProgram: '-cl-std=CL1.2 -g'")
    .option('--strict', "refuse what Millrace's compiler refuses, also where a driver's would take it")
    .option('--budget <units>', 'how much work building may be (docs/build-options.md)');
}

/** Lets a subcommand that looks at no memory take `--check` for `--strict`, as it was called once. */
export function addFormerCheck(command: Command): Command {
  return command.addOption(new Option('--check', 'the earlier name of --strict').hideHelp());
}

let noteWasGiven = false;

/** Whether `--strict` was given, by its earlier name, too; then a note says that it has another. */
export function isStrict({ strict, check }: SourceOptions): boolean {
  if (check && !noteWasGiven) {
    noteWasGiven = true;
    const note = '--check is called --strict now; millrace check and millrace run --check look at memory';
    console.error(messages.dim(`millrace: ${note}`));
  }
  return strict ?? check ?? false;
}

/** The options as one text, as clBuildProgram takes them. */
export function buildOptionsText(options: SourceOptions): string {
  const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
  return [
    ...(options.D ?? []).map((definition) => `-D ${quote(definition)}`),
    ...(options.I ?? []).map((folder) => `-I ${quote(folder)}`),
    ...(options.w ? ['-w'] : []),
    ...(options.Werror ? ['-Werror'] : []),
    ...(options.options ? [options.options] : []),
    ...(options.budget === undefined ? [] : [`-millrace-budget=${budgetUnits(options.budget)}`]),
  ].join(' ');
}

function budgetUnits(text: string): number {
  const units = Number(text);
  if (Number.isSafeInteger(units) && units > 0) return units;
  throw new UsageError(`--budget ${text}: write a whole number of units above 0`);
}

/**
 * A file with a program: OpenCL C as text, a binary as bytes.
 * @throws FailureError if it cannot be read, or is neither
 */
export function readProgram(path: string): string | Uint8Array {
  const bytes = readBytes(path, mostSourceBytes);
  if (isProgramBinary(bytes)) return bytes;
  if (path.endsWith('.mlr')) throw new FailureError(`${path} is no program binary of millrace build`);
  return textOf(path, bytes);
}

/**
 * Included files come from the disk.
 * @throws FailureError if a folder that they are to come from is not there
 */
export function sourceFiles({ includeWithin }: Pick<SourceOptions, 'includeWithin'> = {}): FileSystem {
  try {
    return diskFiles({ within: includeWithin });
  } catch (error) {
    throw new FailureError(
      `--include-within: ${reason(error)}: ${(error as NodeJS.ErrnoException).path ?? ''}`,
    );
  }
}

/**
 * Prints what the compilers said. The log is our diagnostics, which can be coloured, and perhaps the words of a
 * device's own compiler after them.
 */
export function printLog(diagnostics: readonly Diagnostic[], log: string): void {
  const plain = renderDiagnostics(diagnostics);
  const text =
    colourMessages && log.startsWith(plain)
      ? renderDiagnostics(diagnostics, { color: true }) + log.slice(plain.length)
      : log;
  if (text !== '') process.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
}
