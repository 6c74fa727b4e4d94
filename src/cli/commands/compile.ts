/** `millrace compile`: checks a source, or prints a stage of its compilation. */
import { Command, Option } from 'commander';
import { binaryStages, compile, ilStages, inspect, irStages, stages } from 'millrace';
import { findDevice } from '../device.ts';
import { UsageError } from '../errors.ts';
import { writeFile } from '../files.ts';
import { colourMessages } from '../terminal.ts';
import {
  addSourceOptions,
  buildOptionsText,
  diskFiles,
  printLog,
  readProgram,
  type SourceOptions,
} from './source.ts';

interface CompileOptions extends SourceOptions {
  readonly emit?: (typeof stages)[number];
  readonly after?: string;
  readonly output?: string;
  readonly device?: string;
}

/** Builds the subcommand. */
export function compileCommand(): Command {
  const command = new Command('compile')
    .description('compile an OpenCL C file: check it, or print a stage of its compilation')
    .argument('<file>', 'OpenCL C source, AMD IL (.il), or a program binary')
    .addOption(new Option('--emit <stage>', 'what to print; without it the file is checked').choices(stages))
    .addOption(
      new Option('--after <pass>', 'print the IR as it is after this pass (lower: before the first)').choices(
        irStages,
      ),
    )
    .option('-o, --output <file>', 'with --emit: write to a file')
    .option('-d, --device <name>', 'check the file by building it for this device')
    .addHelpText(
      'after',
      `
Stages: tokens after preprocessing, ast (syntax tree), ir (after all passes),
vectors (how many work-items run at once, and how they reach memory),
wat (WebAssembly as text), wasm (the module's bytes).

Files that end in .il are programs in AMD IL (docs/il.md); they have no tokens, and
resources of four floats.

Programs in C and Brook+ (.c, .br) become WebAssembly modules, with options of their
own: millrace compile --help x.c`,
    );
  return addSourceOptions(command).action(compileFile);
}

async function compileFile(file: string, options: CompileOptions): Promise<void> {
  const isIl = file.endsWith('.il');
  const emit = options.emit ?? (options.after === undefined ? undefined : 'ir');
  if (isIl && emit !== undefined && !ilStages.some((stage) => stage === emit)) {
    throw new UsageError(`AMD IL has no ${emit}: --emit ${ilStages.join(', ')} can show it`);
  }
  if (options.after !== undefined && emit !== 'ir') throw new UsageError('--after goes with --emit ir');
  if (emit !== undefined && options.device !== undefined) {
    throw new UsageError(
      '--device goes with a check, not with --emit, which shows what Millrace makes itself',
    );
  }
  if (emit === undefined) {
    if (options.output !== undefined) {
      throw new UsageError(`say with --emit what to write to ${options.output}: ${stages.join(', ')}`);
    }
    if (isIl) checkIl(file, options);
    else await check(file, options);
    return;
  }
  if (emit === 'wasm' && options.output === undefined && process.stdout.isTTY) {
    throw new UsageError('a WebAssembly module is not for terminals: add -o FILE');
  }
  const program = readProgram(file);
  if (typeof program !== 'string' && !binaryStages.some((stage) => stage === emit)) {
    throw new UsageError(
      `${file} is a binary and holds no source: --emit ${binaryStages.join(', ')} can show it`,
    );
  }
  const result = inspect(program, {
    name: file,
    language: isIl ? 'il' : 'opencl',
    buildOptions: buildOptionsText(options),
    files: diskFiles,
    emit,
    color: colourMessages,
    ...(options.after === undefined ? {} : { after: options.after }),
  });
  process.stderr.write(result.log);
  if (result.output === undefined) process.exitCode = 1;
  else write(result.output, options.output);
}

/** Compiles a program in AMD IL to the module that the device runs. */
function checkIl(file: string, { device }: CompileOptions): void {
  if (device !== undefined) throw new UsageError('programs in AMD IL are checked without a device');
  const program = readProgram(file);
  if (typeof program !== 'string') throw new UsageError(`${file} is a binary, not text in AMD IL`);
  const { output, log } = inspect(program, {
    name: file,
    language: 'il',
    emit: 'wasm',
    color: colourMessages,
  });
  process.stderr.write(log);
  if (output === undefined) process.exitCode = 1;
  else console.log(`${file}: no errors`);
}

/** Compiles all the way, so that what passes here also runs. */
async function check(file: string, options: CompileOptions): Promise<void> {
  process.env['MILLRACE_EARLY'] = '1';
  const program = await compile(readProgram(file), {
    name: file,
    options: buildOptionsText(options),
    files: diskFiles,
    device: findDevice(options.device),
    check: options.check,
  });
  printLog(program.diagnostics, program.log);
  const warnings = program.diagnostics.filter(({ severity }) => severity === 'warning').length;
  const { kernelNames } = program;
  const parts = [
    'no errors',
    ...(warnings > 0 ? [`${warnings} warning${warnings === 1 ? '' : 's'}`] : []),
    kernelNames.length === 0
      ? 'no kernels'
      : `${kernelNames.length} kernel${kernelNames.length === 1 ? '' : 's'}: ${kernelNames.join(', ')}`,
  ];
  console.log(`${file}: ${parts.join(', ')}`);
  program.release();
}

function write(output: string | Uint8Array, path: string | undefined): void {
  const content = typeof output === 'string' && !output.endsWith('\n') ? `${output}\n` : output;
  if (path === undefined) process.stdout.write(content);
  else writeFile(path, content);
}
