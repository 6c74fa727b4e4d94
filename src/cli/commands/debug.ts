/** `millrace debug`: a launch step by step, forwards and backwards, at a prompt or for an editor. */
import { Command } from 'commander';
import { argumentHelp } from '../arguments/specification.ts';
import type { DebugOptions } from '../debugger/begin.ts';
import { UsageError } from '../errors.ts';
import { exitWhenWritten } from '../terminal.ts';
import { addRunOptions } from './run.ts';
import { collect } from './source.ts';

interface Options extends DebugOptions {
  readonly dap?: true;
}

/** What follows a host program's name is the program's. */
function namesHost(args: readonly string[]): boolean {
  return args.some((arg) => /^[^-].*\.(?:[cm]?[jt]s|c|br|wasm)$/.test(arg));
}

/** Declares arguments, options and action of the subcommand. */
export function debugCommand(command: Command): void {
  declare(command, process.argv.slice(3))
    .option('--dap', 'speak the Debug Adapter Protocol, for editors')
    .addHelpText(
      'after',
      `\n${argumentHelp}\n\nAt the prompt, help lists the words; they are gdb's. Input may come from a file.\nHost programs run to their end first, with stops at calls if --break-call says so; the launch is\ndebugged from a copy.`,
    )
    .action(debug);
}

/** Has a command understand such arguments. */
function declare(command: Command, args: readonly string[]): Command {
  command.argument(
    '[file...]',
    'OpenCL C source, a .sim file of Oclgrind, or a host program (.js, .ts, .c, .br, .wasm) and its arguments',
  );
  return addRunOptions(command)
    .option('--launch <number>', 'of a host program: which launch (with --kernel: which of that kernel)', '1')
    .option(
      '--break-call <what>',
      'of a host program: stop before calls of a function (clFinish, clEnqueue*), or behind those that fail (error)',
      collect,
    )
    .option('--dir <folder[::name]>', 'a folder that a program in C finds', collect)
    .option('--env <name=value>', 'an environment variable of a program in C', collect)
    .passThroughOptions(namesHost(args))
    .enablePositionalOptions();
}

/** The file, the host program's arguments and the options among words of a command line, for those who launch by such words. */
export function readDebugArguments(args: readonly string[]): {
  readonly file: string;
  readonly rest: readonly string[];
  readonly options: DebugOptions;
} {
  const command = declare(new Command('debug'), args)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse([...args], { from: 'user' });
  const [file, ...rest] = command.args;
  if (file === undefined) throw new UsageError('name a file to debug');
  return { file, rest, options: command.opts<DebugOptions>() };
}

async function debug([file, ...rest]: readonly string[], options: Options): Promise<void> {
  if (options.dap) {
    const { serveEditor } = await import('../debugger/serve-editor.ts');
    await serveEditor();
    return;
  }
  if (file === undefined) throw new UsageError('name a file to debug');
  // Loaded by nobody else.
  const { beginDebugging, NoLaunchError } = await import('../debugger/begin.ts');
  const { runPrompt } = await import('../debugger/prompt.ts');
  try {
    const session = await beginDebugging(file, rest, options, (text) => process.stdout.write(text));
    await runPrompt(session);
  } catch (error) {
    // Whoever has looked at its calls need not want a launch.
    if (!(error instanceof NoLaunchError) || !options.breakCall) throw error;
    console.log(error.message);
  }
  // Contexts of the host program may still be there.
  await exitWhenWritten();
}
