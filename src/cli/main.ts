#!/usr/bin/env node
/**
 * The `millrace` command. Each subcommand is a file under commands/; this one only names them, and turns what they
 * throw into messages and exit codes: 1 it failed, 2 it was asked wrongly, 70 a bug of ours. Ctrl-C keeps its usual
 * meaning, the end of the process at once (130 in a shell), which no busy kernel can delay.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { BuildError, OpenCLError } from 'millrace';
import { analyzeCommand } from './commands/analyze.ts';
import { brccArguments, brccCommand } from './commands/brcc.ts';
import { buildCommand } from './commands/build.ts';
import { isCSource, isProgramFile } from './commands/c-sources.ts';
import { cacheCommand } from './commands/cache.ts';
import { checkCommand } from './commands/check.ts';
import { compileCommand } from './commands/compile.ts';
import { compileProgramCommand, isProgramCompilation } from './commands/compile-program.ts';
import { cplusplusCommand } from './commands/cplusplus.ts';
import { debugCommand } from './commands/debug.ts';
import { devicesCommand } from './commands/devices.ts';
import { flagsCommand } from './commands/flags.ts';
import { lspCommand } from './commands/lsp.ts';
import { newCommand } from './commands/new.ts';
import { profileCommand } from './commands/profile.ts';
import { runCommand } from './commands/run.ts';
import { clangWords, isCSourceCall, isProgramCall, runProgramCommand } from './commands/run-program.ts';
import { printLog } from './commands/source.ts';
import { typesCommand } from './commands/types.ts';
import { withoutCompilerWords } from './compiler-words.ts';
import { FailureError, UsageError } from './errors.ts';
import { reason } from './files.ts';
import { profileArguments } from './profile.ts';
import { enableRelaxedSimd } from './relaxed-simd.ts';
import { messages } from './terminal.ts';

const packageFile = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

enableRelaxedSimd();

// Who reads our output may stop reading: `millrace ... | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : report(error));
});
process.on('uncaughtException', (error) => process.exit(report(error)));

const program = speaking(new Command('millrace'))
  .description('Compile and run OpenCL C anywhere JavaScript runs.')
  .version(version, '-v, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand('help [command]', 'print the help of a command')
  .enablePositionalOptions();
// What follows a program's name is the program's, so this form of `run` reads its options in another way.
const words = profileArguments(process.argv.slice(2), isProgramFile);
const run = isProgramCall(words) ? runProgramCommand : runCommand;
const compile = isProgramCompilation(words) ? compileProgramCommand : compileCommand;
const isOfSources = isCSourceCall(words) || isProgramCompilation(words);
const given = isOfSources ? withoutCompilerWords(words, isCSource) : clangWords(words);
const commands = [
  devicesCommand,
  run,
  checkCommand,
  debugCommand,
  compile,
  buildCommand,
  typesCommand,
  brccCommand,
  cplusplusCommand,
  analyzeCommand,
  profileCommand,
  cacheCommand,
  flagsCommand,
  lspCommand,
  () => newCommand(version),
];
for (const command of commands) {
  const built = speaking(command()).helpOption('-h, --help', 'print this help');
  for (const inner of built.commands) speaking(inner).helpOption('-h, --help', 'print this help');
  program.addCommand(built);
}
program.addHelpText(
  'after',
  `
Examples:
  millrace devices
  millrace run saxpy.cl --global 1024 --arg a=2 --arg x=range --arg y=ones
  millrace run blur.cl --image photo.png --output blurred.png
  millrace compile saxpy.cl --emit ir
  millrace build saxpy.cl -o saxpy.mlr
  millrace run host.c its arguments
  millrace run --profile trace.json host.c
  millrace run host.cpp its arguments
  millrace c++ -O2 host.cpp -o host.wasm
  millrace run --dir . host.wasm its arguments

Exit codes: 0 all went well; 1 it failed (errors in the source, a kernel that was
stopped, a file that cannot be read); 2 it was asked wrongly; 130 interrupted.`,
);

try {
  await program.parseAsync(helpArguments(program, brccArguments(given)), { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}

/** Lets a command throw where it would exit, and speak as all our messages do. */
function speaking(command: Command): Command {
  return command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const hint = `(${fullName(command)} --help says more)`;
      write(`${messages.red('millrace:')} ${text.replace(/^error: /, '').trimEnd()}\n${hint}\n`);
    },
  });
}

/**
 * `help NAME` becomes NAME where there is no such command, which is then complained of: of `help` with a wrong name commander prints
 * all the help there is, and does not say why.
 */
function helpArguments(command: Command, args: readonly string[]): readonly string[] {
  const [word, ...rest] = args;
  const named = (name: string | undefined) => command.commands.find((one) => one.name() === name);
  if (word === 'help') return rest.length === 0 || named(rest[0]) ? args : rest;
  const inner = named(word);
  // Of others the words are files and arguments.
  const hasCommands = inner !== undefined && inner.commands.length > 0;
  return word !== undefined && hasCommands ? [word, ...helpArguments(inner, rest)] : args;
}

/** As it is typed: `millrace profile show`. */
function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

/** Prints an error for people and gives its exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof BuildError) {
    printLog(error.diagnostics, error.message);
    return 1;
  }
  if (error instanceof UsageError) return say(error.message, 2);
  if (error instanceof FailureError) return say(error.message, 1);
  if (error instanceof OpenCLError) {
    return say(`${error.name}: ${error.message}`, 1);
  }
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'write' && path === undefined) {
    return say(`cannot write to the standard output: ${reason(error)}`, 1);
  }
  say(`internal error: ${error instanceof Error ? error.message : String(error)}`, 70);
  const { MILLRACE_DEBUG } = process.env;
  if (MILLRACE_DEBUG) console.error(error);
  else
    console.error('This is a bug in Millrace; please report it. MILLRACE_DEBUG=1 shows where it happened.');
  return 70;
}

function say(message: string, exitCode: number): number {
  console.error(`${messages.red('millrace:')} ${message}`);
  return exitCode;
}
