/** `millrace build`: sources and libraries become one program binary. */
import type { Command } from 'commander';
import { buildBinary } from 'millrace';
import { UsageError } from '../errors.ts';
import { shownName, writeFile } from '../files.ts';
import { isProgramFile, refuseCPlusPlus } from '../program-files.ts';
import {
  addFormerCheck,
  addSourceOptions,
  buildOptionsText,
  printLog,
  readProgram,
  type SourceOptions,
  sourceFiles,
} from './source.ts';

interface BuildOptions extends SourceOptions {
  readonly output?: string;
  readonly library?: true;
}

/** Declares arguments, options and action of the subcommand. */
export function buildCommand(command: Command): void {
  command
    .argument('<files...>', 'OpenCL C sources, IR as text, libraries made with --library')
    .option('-o, --output <file>', 'the binary (default: the first file, ending in .mlr)')
    .option('--library', 'make a library: for linking, and what it lacks may come later')
    .addHelpText(
      'after',
      `
Functions and constants of one file can be used from the others. A binary works on
every device: run it with 'millrace run FILE.mlr'.`,
    );
  addFormerCheck(addSourceOptions(command)).action(build);
}

async function build(files: readonly string[], options: BuildOptions): Promise<void> {
  for (const file of files) {
    refuseCPlusPlus(file);
    if (isProgramFile(file)) throw new UsageError(`${file} is a program, no OpenCL C: see millrace compile`);
    if (file.endsWith('.il')) throw new UsageError(`${file} is AMD IL, no OpenCL C`);
  }
  const output = options.output ?? files[0]!.replace(/(\.cl|\.ir)?$/, '.mlr');
  if (options.output === undefined && files[0] === '-') throw new UsageError('say with -o what to write');
  if (files.includes(output)) throw new UsageError(`${output} is one of the files to build from: say -o`);
  const { binary, diagnostics, log } = buildBinary(
    files.map((name) => ({ name: shownName(name), content: readProgram(name) })),
    {
      options: buildOptionsText(options),
      files: sourceFiles(options),
      kind: options.library ? 'library' : 'executable',
    },
  );
  printLog(diagnostics, log);
  if (!binary) {
    process.exitCode = 1;
    return;
  }
  writeFile(output, binary);
  console.log(`${output}: ${options.library ? 'library' : 'program'}, ${binary.length} bytes`);
}
