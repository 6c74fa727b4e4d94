/** `millrace check`: a kernel with every access to memory checked, or all kernels that a program runs. */
import { Command } from 'commander';
import { type FoundReport, startChecking } from 'millrace';
import { argumentHelp } from '../arguments/specification.ts';
import { UsageError } from '../errors.ts';
import { runSimulation } from '../simulation.ts';
import { colourMessages } from '../terminal.ts';
import { isProgramFile } from './c-sources.ts';
import { addRunOptions, type RunOptions, runFile } from './run.ts';

interface CheckOptions extends RunOptions {
  readonly json?: true;
}

/** Builds the subcommand. */
export function checkCommand(): Command {
  const command = new Command('check')
    .description('run a kernel with every memory access checked: races, bounds, values never set')
    .argument('<file>', 'OpenCL C source, a binary made by millrace build, or a .sim file of Oclgrind');
  return addRunOptions(command)
    .option('--json', 'print the reports as JSON')
    .addHelpText(
      'after',
      `\n${argumentHelp}\n\nPrograms that use OpenCL are checked by millrace run --check, or by\nMILLRACE_CHECK=1 in the environment.\n\nExit code: 1 if something was found.`,
    )
    .action(check);
}

async function check(file: string, options: CheckOptions): Promise<void> {
  if (isProgramFile(file)) throw new UsageError(`${file} is a program: millrace run --check ${file}`);
  const found: FoundReport[] = [];
  startChecking({
    report: (report) => {
      found.push(report);
      if (!options.json) console.error(report.text(colourMessages));
    },
    timeout: 1000 * (Number(options.timeout) || 60),
  });
  // A run that fails may have found something before; that it has found nothing then means nothing.
  let hasRun = false;
  try {
    await (file.endsWith('.sim') ? runSimulation(file) : runFile(file, options, false));
    hasRun = true;
  } finally {
    if (options.json) console.log(JSON.stringify(found, undefined, 2));
    else if (found.length > 0) console.log(`${found.length} found`);
    else if (hasRun) console.log('nothing found');
    if (found.length > 0) process.exitCode = 1;
  }
}
