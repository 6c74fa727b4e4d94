/** `millrace profile`: what traces of `millrace run --profile` hold, and two of them beside each other. */
import type { Command } from 'commander';
import { comparisonTable, type Profile, profileTable, readTrace, TraceError } from 'millrace';
import { FailureError } from '../errors.ts';
import { readBytes, textOf } from '../files.ts';

/** Declares arguments, options and action of the subcommand. */
export function profileCommand(command: Command): void {
  command.addHelpText(
    'after',
    '\nTraces come from millrace run --profile trace.json, or from any program with\nMILLRACE_PROFILE=trace.json in the environment. ui.perfetto.dev shows them, too.',
  );
  command
    .command('show')
    .description('print the table of a trace')
    .argument('<trace>', 'the file')
    .action((path: string) => {
      process.stdout.write(profileTable(readProfile(path)));
    });
  command
    .command('compare')
    .description('print how the times of run B differ from those of run A')
    .argument('<a>', 'the trace of run A')
    .argument('<b>', 'the trace of run B')
    .action((a: string, b: string) => {
      process.stdout.write(comparisonTable(readProfile(a), readProfile(b)));
    });
}

function readProfile(path: string): Profile {
  try {
    return readTrace(textOf(path, readBytes(path)));
  } catch (error) {
    if (error instanceof TraceError) throw new FailureError(`cannot read ${path}: ${error.message}`);
    throw error;
  }
}
