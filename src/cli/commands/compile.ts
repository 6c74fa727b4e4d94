/** `millrace compile`: checks sources, or prints a stage of a source's compilation. */
import { type Command, Option } from 'commander';
import {
  binaryStages,
  type InspectOptions,
  ilStages,
  inspect,
  irStages,
  isIrText,
  type PassRun,
  stages,
} from 'millrace';
import { UsageError } from '../errors.ts';
import { shownName, writeFile } from '../files.ts';
import { isProgramFile, refuseCPlusPlus } from '../program-files.ts';
import { colourMessages } from '../terminal.ts';
import { checkSources } from './compile-check.ts';
import {
  addFormerCheck,
  addSourceOptions,
  buildOptionsText,
  readProgram,
  type SourceOptions,
  sourceFiles,
} from './source.ts';
import { passTable } from './time-passes.ts';

interface CompileOptions extends SourceOptions {
  readonly emit?: (typeof stages)[number];
  readonly after?: string;
  readonly output?: string;
  readonly device?: string;
  readonly json?: true;
  readonly timePasses?: true;
}

/** Declares arguments, options and action of the subcommand. */
export function compileCommand(command: Command): void {
  command
    .argument(
      '<files...>',
      'OpenCL C sources, AMD IL (.il), IR as text, or program binaries; - is standard input',
    )
    .addOption(
      new Option('--emit <stage>', 'what to print; without it the files are checked').choices(stages),
    )
    .addOption(
      new Option('--after <pass>', 'print the IR as it is after this pass (lower: before the first)').choices(
        irStages,
      ),
    )
    .option('-o, --output <file>', 'with --emit: write to a file')
    .option('-d, --device <name>', 'check the files by building them for this device')
    .option('--time-passes', 'print what each pass of the compilation took, for one file')
    .option('--json', 'print kernels, errors and warnings of the files as JSON')
    .addHelpText(
      'after',
      `
Stages: tokens after preprocessing, ast (syntax tree), ir (after all passes),
il (each kernel as a program in AMD IL, docs/il.md),
vectors (how many work-items run at once, and how they reach memory),
wat (WebAssembly as text), wasm (the module's bytes),
asm (machine code of x86-64 as text, with lines of the source).

Each file is checked by itself, all the way to machine code, and a line says what it
holds; errors and warnings go to standard error. Exit code: 1 if any has errors.

Files that end in .il are programs in AMD IL (docs/il.md); they have no tokens, and
resources of four floats. A file that begins with a module's line, as --emit ir
--after lower prints it, is IR (docs/ir.md).

Programs in C and Brook+ (.c, .br) become WebAssembly modules, with options of their
own: millrace compile --help x.c`,
    );
  addFormerCheck(addSourceOptions(command)).action(compileFiles);
}

async function compileFiles(files: readonly string[], options: CompileOptions): Promise<void> {
  for (const file of files) {
    refuseCPlusPlus(file);
    if (isProgramFile(file)) throw new UsageError(`${file} is a program that is compiled already: run it`);
  }
  const emit = options.emit ?? stageFor(options);
  if (emit === undefined) {
    if (options.output !== undefined) {
      throw new UsageError(`say with --emit what to write to ${options.output}: ${stages.join(', ')}`);
    }
    await checkSources(files, options);
    return;
  }
  if (files.length > 1) {
    const option = options.emit ? '--emit' : options.timePasses ? '--time-passes' : '--after';
    throw new UsageError(`${option} shows one file, not ${files.length}`);
  }
  if (options.json) throw new UsageError('--json goes with a check, not with --emit');
  const assembly = emit === 'asm' ? (await import('millrace/assembly')).assembly : undefined;
  emitStage(files[0]!, emit, options, assembly);
}

/** What is printed if nobody says so: for `--time-passes` alone nothing, but it goes all the way. */
function stageFor({ after, timePasses }: CompileOptions): (typeof stages)[number] | undefined {
  if (after !== undefined) return 'ir';
  return timePasses ? 'wasm' : undefined;
}

function emitStage(
  file: string,
  emit: (typeof stages)[number],
  options: CompileOptions,
  assembly: InspectOptions['assembly'],
): void {
  const isIl = file.endsWith('.il');
  if (isIl && !ilStages.some((stage) => stage === emit)) {
    throw new UsageError(`AMD IL has no ${emit}: --emit ${ilStages.join(', ')} can show it`);
  }
  if (options.after !== undefined && emit !== 'ir') throw new UsageError('--after goes with --emit ir');
  if (options.device !== undefined) {
    throw new UsageError(
      '--device goes with a check, not with --emit, which shows what Millrace makes itself',
    );
  }
  const isOnlyTimed = options.timePasses && options.emit === undefined && options.after === undefined;
  if (emit === 'wasm' && !isOnlyTimed && options.output === undefined && process.stdout.isTTY) {
    throw new UsageError('a WebAssembly module is not for terminals: add -o FILE');
  }
  const program = readProgram(file);
  if (typeof program !== 'string' && !binaryStages.some((stage) => stage === emit)) {
    throw new UsageError(
      `${file} is a binary and holds no source: --emit ${binaryStages.join(', ')} can show it`,
    );
  }
  const isIr = !isIl && typeof program === 'string' && isIrText(program);
  if (isIr && !binaryStages.some((stage) => stage === emit)) {
    throw new UsageError(`${file} is IR: --emit ${binaryStages.join(', ')} can show it`);
  }
  const runs: PassRun[] = [];
  const result = inspect(program, {
    name: shownName(file),
    language: isIl ? 'il' : 'opencl',
    buildOptions: buildOptionsText(options),
    files: sourceFiles(options),
    emit,
    assembly,
    color: colourMessages,
    ...(options.after === undefined ? {} : { after: options.after }),
    ...(options.timePasses ? { onPass: (run) => runs.push(run) } : {}),
  });
  process.stderr.write(result.log);
  if (options.timePasses && runs.length > 0) process.stderr.write(passTable(runs));
  if (result.output === undefined) process.exitCode = 1;
  else if (!isOnlyTimed || options.output !== undefined) write(result.output, options.output);
}

function write(output: string | Uint8Array, path: string | undefined): void {
  const content = typeof output === 'string' && !output.endsWith('\n') ? `${output}\n` : output;
  if (path === undefined) process.stdout.write(content);
  else writeFile(path, content);
}
