/** `millrace brcc`: the compiler of Brook+ with the options that the Stream Computing User Guide gives it (2.2, A.9). */
import { Command, Option } from 'commander';
import { type BrccOptions, brcc } from 'millrace/brook';
import { UsageError } from '../errors.ts';
import { readBytes, textOf, writeFile } from '../files.ts';
import { collect, diskFiles } from './source.ts';

interface Options {
  readonly k?: true;
  readonly o?: string;
  readonly p?: readonly string[];
  readonly i?: readonly string[];
  readonly w?: string;
  readonly x?: true;
  readonly a?: true;
  readonly c?: true;
  readonly pp?: true;
  readonly D?: readonly string[];
}

/** Options with nothing to do here: what they turn on or off is not there, or is so always. */
const idle = [
  ['-r', 'no address virtualisation: streams need none here'],
  ['-s', 'IL as a list of characters'],
  ['-b', 'debug the parser'],
  ['-f', 'debug the lexer'],
  ['-l', 'line directives'],
  ['-e', 'extern "C" in headers'],
] as const;

/** The arguments of `millrace` with brcc's `-pp` as commander can read it. */
export function brccArguments(args: readonly string[]): string[] {
  return args[0] === 'brcc' ? args.map((arg) => (arg === '-pp' ? '--pp' : arg)) : [...args];
}

/** Builds the subcommand. */
export function brccCommand(): Command {
  const command = new Command('brcc')
    .description('compile the kernels of a Brook+ file to a TypeScript module')
    .argument('<file>', 'the .br file')
    .option('-k', 'keep what the kernels become: IL in PREFIX_KERNEL.il, OpenCL C in PREFIX.cl')
    .option('-o <prefix>', 'what the names of the files written begin with (default: the name of the file)')
    .addOption(new Option('-p <shader>', 'cpu or cal: the module runs on both').argParser(collectShader))
    .option('-i <folder>', 'look for included files here too', collect)
    .option('-n <flag>', 'turn an option off')
    .option('-w <level>', 'warnings: 0 to 3; only with -a (default: 0)')
    .option('-x', 'warnings are errors; only with -a')
    .option('-a', 'no strong type checking')
    .option('-c', 'no constant buffers: sizes of arrays may be left out in part, and are only warned of')
    .option('--pp', "-pp: brcc's own preprocessor, which has a part of C's, in place of all of it")
    .option('-D <name[=integer]>', 'define a macro', collect);
  for (const [flag, what] of idle) command.option(flag, `nothing (${what})`);
  return command.action(run);
}

function collectShader(shader: string, earlier: readonly string[] = []): readonly string[] {
  if (shader !== 'cpu' && shader !== 'cal') throw new UsageError(`-p ${shader}: write cpu or cal`);
  return [...earlier, shader];
}

function run(file: string, options: Options): void {
  const level = Number(options.w ?? 0);
  if (!Number.isInteger(level) || level < 0 || level > 3)
    throw new UsageError(`-w ${options.w}: write a level from 0 to 3`);
  const prefix = options.o ?? file.replace(/\.br$/, '');
  const settings: BrccOptions = {
    strongTypes: options.a !== true,
    warningLevel: level,
    warningsAreErrors: options.x === true,
    constantBuffers: options.c !== true,
    brccPreprocessor: options.pp === true,
    definitions: options.D,
    includePaths: options.i,
    files: diskFiles,
  };
  const { module, openCL, il, log } = brcc(file, textOf(file, readBytes(file)), settings);
  process.stderr.write(log);
  if (module === undefined) {
    process.exitCode = 1;
    return;
  }
  if (`${prefix}.ts` === file) throw new UsageError(`${file} would be overwritten: say -o`);
  const write = (path: string, text: string): void => writeFile(path, new TextEncoder().encode(text));
  if (il.size === 0)
    process.stderr.write(`${file}: no kernel in it: the module that is written has none either\n`);
  write(`${prefix}.ts`, module);
  if (!options.k) return;
  write(`${prefix}.cl`, openCL);
  for (const [kernel, made] of il) {
    if ('text' in made) write(`${prefix}_${kernel}.il`, made.text);
    else process.stderr.write(`${file}: no IL for the kernel '${kernel}': ${made.reason}\n`);
  }
}
