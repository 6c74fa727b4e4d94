/** `millrace compile` for a program in C: `millrace compile host.c more.c -o host.wasm`. */
import { Command, Option } from 'commander';
import { UsageError } from '../errors.ts';
import { writeFile } from '../files.ts';
import { addCSourceOptions, type CSourceOptions, compileCSources, isCSource } from './c-sources.ts';

const stages = ['ir', 'wat', 'wasm'] as const;

interface CompileOptions extends CSourceOptions {
  readonly emit?: (typeof stages)[number];
  readonly output?: string;
}

/** Whether the arguments of `millrace` compile a program in C: a .c or .br file stands among them. */
export function isProgramCompilation(args: readonly string[]): boolean {
  return args[0] === 'compile' && args.some(isCSource);
}

/** Builds the subcommand in its other form. */
export function compileProgramCommand(): Command {
  const command = new Command('compile')
    .description('compile a program in C or Brook+ to WebAssembly: a command for WASI that uses OpenCL')
    .argument('<files...>', '.c and .br sources, which are linked')
    .addOption(new Option('--emit <stage>', 'what to print or write').choices(stages))
    .option('-o, --output <file>', 'the WebAssembly module, or what --emit says');
  return addCSourceOptions(command).action(compileProgram);
}

function compileProgram(files: readonly string[], options: CompileOptions): void {
  const strange = files.find((file) => !isCSource(file));
  if (strange !== undefined)
    throw new UsageError(`${strange} is no source of a program, which ends in .c or .br`);
  const emit = options.emit ?? 'wasm';
  if (options.emit === 'wasm' && options.output === undefined && process.stdout.isTTY) {
    throw new UsageError('a WebAssembly module is not for terminals: add -o FILE');
  }
  const result = compileCSources(files, options);
  if (!result.bytes) {
    process.exitCode = 1;
    return;
  }
  const output = emit === 'wasm' ? result.bytes : result.show(emit);
  if (options.output !== undefined) writeFile(options.output, output);
  else if (options.emit !== undefined) process.stdout.write(output);
  else console.log(`${files.join(', ')}: no errors`);
}
