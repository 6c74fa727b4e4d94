/** What `run` and `compile` share of programs in C: options, files, the compiler's messages. */
import type { Command } from 'commander';
import { renderDiagnostics } from 'millrace';
import { type CompileHostResult, compileHost, type HostSource } from 'millrace/c-host';
import { UsageError } from '../errors.ts';
import { mostSourceBytes, readBytes, textOf } from '../files.ts';
import { colourMessages } from '../terminal.ts';
import { collect, includeWithinOption, sourceFiles } from './source.ts';

/** The options that say how a program in C is compiled. */
export interface CSourceOptions {
  readonly D?: readonly string[];
  readonly U?: readonly string[];
  readonly I?: readonly string[];
  readonly w?: true;
  readonly Werror?: true;
  readonly stack?: string;
  readonly includeWithin?: readonly string[];
  readonly weakTypes?: true;
  /** Of a run. */
  readonly check?: true | undefined;
}

/** Adds those options to a subcommand. */
export function addCSourceOptions(command: Command): Command {
  return command
    .option('-D <name[=value]>', 'define a macro', collect)
    .option('-U <name>', 'undefine a macro', collect)
    .option('-I <folder>', 'look for included files here too', collect)
    .option(...includeWithinOption)
    .option('-w', 'no warnings')
    .option('--Werror', 'warnings are errors')
    .option('-a, --weak-types', 'kernels in .br files: convert types as C does (brcc -a)')
    .option('--stack <kilobytes>', 'size of the stack of variables; default 8192');
}

/** Compiles a program in C of one or more files, and prints what the compiler says. */
export function compileCSources(files: readonly string[], options: CSourceOptions): CompileHostResult {
  const result = compileProgramOf(files.map(readCSource), options);
  process.stderr.write(colourMessages ? renderDiagnostics(result.diagnostics, { color: true }) : result.log);
  return result;
}

/** @throws FailureError if it cannot be read */
export function readCSource(name: string): HostSource {
  return { name, text: textOf(name, readBytes(name, mostSourceBytes)) };
}

/** As {@link compileCSources}, of sources that have been read, and without a word. */
export function compileProgramOf(sources: readonly HostSource[], options: CSourceOptions): CompileHostResult {
  return compileHost(sources, {
    files: sourceFiles(options),
    definitions: options.D,
    undefinitions: options.U,
    includePaths: options.I,
    suppressWarnings: options.w,
    warningsAreErrors: options.Werror,
    brook: { strongTypes: options.weakTypes !== true },
    checkPointers: options.check,
    stackBytes: options.stack === undefined ? undefined : stackBytes(options.stack),
  });
}

/** The stack that `--stack` asks for. @throws UsageError */
export function stackBytes(text: string): number {
  const kilobytes = Number(text);
  if (!Number.isInteger(kilobytes) || kilobytes < 16 || kilobytes > 1 << 20) {
    throw new UsageError(`--stack ${text}: write a number of kilobytes, from 16 to ${1 << 20}`);
  }
  return kilobytes * 1024;
}
