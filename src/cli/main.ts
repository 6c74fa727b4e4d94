#!/usr/bin/env node
/**
 * The `millrace` command. Each subcommand is a file under commands/, loaded when it is asked for; this one turns what they
 * throw into messages and exit codes: 1 it failed, 2 it was asked wrongly, 70 a bug of ours. Ctrl-C keeps its usual
 * meaning, the end of the process at once (130 in a shell), which no busy kernel can delay.
 */
import { Command, CommanderError, Help } from 'commander';
import { commandTable } from './command-table.ts';
import { checkEnvironment } from './environment.ts';
import { FailureError, UsageError } from './errors.ts';
import { reason } from './files.ts';
import { givenWords } from './given-words.ts';
import { enableRelaxedSimd } from './relaxed-simd.ts';
import { messages } from './terminal.ts';
import { packageVersion } from './version.ts';

enableRelaxedSimd();

// Who reads our output may stop reading: `millrace ... | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  exitWith(error);
});
process.on('uncaughtException', exitWith);

const program = speaking(new Command('millrace'))
  .description('Compile and run OpenCL C anywhere JavaScript runs.')
  .version(packageVersion(), '-v, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand('help [command]', 'print the help of a command')
  .enablePositionalOptions()
  .configureHelp({ subcommandTerm: listedAs })
  // Help is printed whatever the environment says.
  .hook('preAction', () => checkEnvironment(process.env));
const { words, ofProgram } = givenWords(process.argv.slice(2));
// What commander comes to, whether to run it or for its help.
const asked = words.find((word) => word !== '--' && word !== 'help');
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
stopped, a file that cannot be read); 2 it was asked wrongly; 70 a bug in Millrace
(MILLRACE_DEBUG=1 shows where); 130 interrupted; 134 a program in C or C++ was
stopped (abort(), a wild pointer, no more stack).

Environment: MILLRACE_THREADS is how many compute threads there are, and
MILLRACE_CACHE=0 turns the cache of builds off; docs/environment.md has all
variables.`,
);

try {
  for (const { name, description, load } of commandTable) {
    const command = new Command(name).description(description);
    if (name === asked) (await load(ofProgram))(command);
    for (const one of [command, ...command.commands])
      speaking(one).helpOption('-h, --help', 'print this help');
    program.addCommand(command);
  }
  await program.parseAsync(helpArguments(program, words), { from: 'user' });
} catch (error) {
  process.exitCode = await report(error);
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
 * `help NAME` and `NAME --help` become NAME where there is no such command, which is then complained of: of a wrong name commander
 * prints all the help there is, and does not say why.
 */
function helpArguments(command: Command, args: readonly string[]): readonly string[] {
  const [word, ...rest] = args;
  const named = (name: string | undefined) => command.commands.find((one) => one.name() === name);
  if (word === 'help') return rest.length === 0 || named(rest[0]) ? args : rest;
  const inner = named(word);
  if (word !== undefined && !word.startsWith('-') && inner === undefined) return [word];
  // Of others the words are files and arguments.
  const hasCommands = inner !== undefined && inner.commands.length > 0;
  return word !== undefined && hasCommands ? [word, ...helpArguments(inner, rest)] : args;
}

/** As it is typed: `millrace profile show`. */
function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

/** Ends the process, at once unless more has to be loaded to tell what went wrong. */
function exitWith(error: unknown): void {
  const code = report(error);
  if (typeof code === 'number') process.exit(code);
  void code.then((late) => process.exit(late));
}

/** Prints an error for people and gives its exit code. */
function report(error: unknown): number | Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) return say(error.message, 2);
  if (error instanceof FailureError) return say(error.message, 1);
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'write' && path === undefined) {
    return say(`cannot write to the standard output: ${reason(error)}`, 1);
  }
  return reportForeign(error);
}

async function reportForeign(error: unknown): Promise<number> {
  // Whoever throws an error of the library has loaded it; where it cannot be loaded the error is none of its own.
  const library = await import('./library-errors.ts').catch(() => undefined);
  const known = library?.ofLibrary(error);
  if (known) return known.message === undefined ? 1 : say(known.message, known.isUsage ? 2 : 1);
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

/** A command in the list of the help, where it is not loaded. */
function listedAs(command: Command): string {
  const entry = commandTable.find(({ name }) => name === command.name());
  return entry ? `${entry.name} ${entry.usage}`.trimEnd() : new Help().subcommandTerm(command);
}
