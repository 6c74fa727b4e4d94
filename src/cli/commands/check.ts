/** `millrace check`: a kernel with every access to memory checked, or all kernels that a program runs. */
import type { Command } from 'commander';
import { argumentHelp } from '../arguments/specification.ts';
import { checkLaunches } from '../check-launches.ts';
import { UsageError } from '../errors.ts';
import { isProgramFile } from '../program-files.ts';
import { runSimulation } from '../simulation.ts';
import { addRunOptions, type RunOptions, runFile } from './run.ts';
import { addFormerCheck } from './source.ts';

interface CheckOptions extends RunOptions {
  readonly json?: true;
}

/** Declares arguments, options and action of the subcommand. */
export function checkCommand(command: Command): void {
  command.argument('<file>', 'OpenCL C source, a binary made by millrace build, or a .sim file of Oclgrind');
  addFormerCheck(addRunOptions(command))
    .option('--json', 'print the reports as JSON, or the errors of a source that does not compile')
    .addHelpText(
      'after',
      `\n${argumentHelp}\n\nPrograms that use OpenCL are checked by millrace run --check, or by\nMILLRACE_CHECK=1 in the environment.\n\nExit code: 1 if something was found.`,
    )
    .action(check);
}

async function check(file: string, options: CheckOptions): Promise<void> {
  if (isProgramFile(file)) throw new UsageError(`${file} is a program: millrace run --check ${file}`);
  await checkLaunches(options, () =>
    file.endsWith('.sim') ? runSimulation(file) : runFile(file, options, false),
  );
}
