/** `millrace brcc`: the compiler of Brook+ with the options that the Stream Computing User Guide gives it (2.2, A.9). */
import { type Command, Option } from 'commander';
import { type BrccOptions, brcc } from 'millrace/brook';
import { UsageError } from '../errors.ts';
import { mostSourceBytes, readBytes, shownName, textOf, writeFile } from '../files.ts';
import { collect, sourceFiles } from './source.ts';

interface Options {
  readonly cpp?: true;
  readonly k?: true;
  readonly r?: true;
  readonly o?: string;
  readonly p?: readonly string[];
  readonly s?: true;
  readonly b?: true;
  readonly f?: true;
  readonly i?: readonly string[];
  readonly I?: readonly string[];
  readonly l?: true;
  readonly n?: true;
  readonly w?: string;
  readonly x?: true;
  readonly a?: true;
  readonly e?: true;
  readonly c?: true;
  readonly C?: true;
  readonly pp?: true;
  readonly D?: readonly string[];
}

/** Declares arguments, options and action of the subcommand. */
export function brccCommand(command: Command): void {
  command
    .argument('<file>', 'the .br file')
    .option('--cpp', 'write PREFIX.cpp and PREFIX.h for programs in C++, as the command brcc does')
    .option('-k', 'keep what the kernels become: IL in PREFIX_KERNEL.il, OpenCL C in PREFIX.cl')
    .option('-r', 'no address virtualization (there is none to disable: a note says so)')
    .option('-o <prefix>', 'what the names of the files written begin with (default: the name of the file)')
    .addOption(
      new Option('-p <shader>', 'cpu or cal, or both: without cal -k keeps no IL').argParser(collectShader),
    )
    .option('-s', 'keep the IL of -k as a list of characters, for an array in C')
    .option('-b', 'print what the parser made: the syntax trees of the kernels')
    .option('-f', 'print what the lexer found: all tokens')
    .option('-i <folder>', 'look for included files here too', collect)
    .option('-I <folder>', 'the same', collect)
    .option('-l', 'put #line directives into the module and the OpenCL C')
    .addOption(new Option('-n <flag>', '-n l: no #line directives').argParser(disabled))
    .option('-w <level>', 'warnings: 0 to 3; only with -a (default: 0)')
    .option('-x', 'warnings are errors; only with -a')
    .option('-a', 'no strong type checking')
    .option('-e', 'with --cpp: functions of the host are declared as those of C')
    .option('-c', 'no constant buffers: sizes of arrays may be left out in part, and are only warned of')
    .addOption(new Option('-C', 'the same').hideHelp())
    .option('--pp', "-pp: brcc's own preprocessor, which has a part of C's, in place of all of it")
    .option('-D <name[=integer]>', 'define a macro', collect)
    .action(run);
}

function collectShader(shader: string, earlier: readonly string[] = []): readonly string[] {
  const lower = shader.toLowerCase();
  if (lower !== 'cpu' && lower !== 'cal') throw new UsageError(`-p ${shader}: write cpu or cal`);
  return [...earlier, lower];
}

function disabled(flag: string): true {
  if (flag.toLowerCase() !== 'l')
    throw new UsageError(`-n ${flag}: all that it can turn off is l, the #line directives`);
  return true;
}

/** What options of the guide cannot do here, a sentence each. */
function notes({ r, p, s, k, e, w, x, a, cpp }: Options): readonly string[] {
  const onlyOne = p && new Set(p).size === 1 ? p[0] : undefined;
  return [
    r && '-r: there is no address virtualization to disable: streams of every size run without',
    onlyOne && `-p ${onlyOne}: the module that is written runs on cpu and on cal devices alike`,
    s && !k && '-s: without -k no IL is written',
    e && !cpp && '-e: the module is TypeScript and has no C++ header for extern "C"',
    !a && (w || x) && `${w ? '-w' : '-x'}: without -a types are checked strongly, which turns -w and -x off`,
  ].filter((note) => typeof note === 'string' && note !== '') as string[];
}

function run(file: string, options: Options): void {
  const level = Number(options.w ?? 0);
  if (!Number.isInteger(level) || level < 0 || level > 3)
    throw new UsageError(`-w ${options.w}: write a level from 0 to 3`);
  if (options.o === undefined && file === '-') throw new UsageError('say with -o what to write');
  const name = shownName(file);
  const prefix = options.o ?? file.replace(/\.br$/, '');
  const settings: BrccOptions = {
    strongTypes: options.a !== true,
    warningLevel: level,
    warningsAreErrors: options.x === true,
    constantBuffers: !options.c && !options.C,
    brccPreprocessor: options.pp === true,
    definitions: options.D,
    includePaths: [...(options.i ?? []), ...(options.I ?? [])],
    files: sourceFiles(),
    lineDirectives: options.l === true && !options.n,
    cpp: options.cpp && { prefix, externC: options.e },
  };
  const { module, cpp, openCL, il, log, tokens, trees } = brcc(
    name,
    textOf(file, readBytes(file, mostSourceBytes)),
    settings,
  );
  for (const note of notes(options)) process.stderr.write(`${name}: ${note}\n`);
  if (options.f) process.stderr.write(tokens());
  if (options.b) process.stderr.write(trees());
  process.stderr.write(log);
  if (module === undefined) {
    process.exitCode = 1;
    return;
  }
  if (`${prefix}.ts` === file) throw new UsageError(`${file} would be overwritten: say -o`);
  const write = (path: string, text: string): void => writeFile(path, new TextEncoder().encode(text));
  if (il.size === 0)
    process.stderr.write(`${name}: no kernel in it: the module that is written has none either\n`);
  if (cpp) {
    write(`${prefix}.h`, cpp.header);
    write(`${prefix}.cpp`, cpp.source);
  } else write(`${prefix}.ts`, module);
  if (!options.k) return;
  write(`${prefix}.cl`, openCL);
  if (options.p && !options.p.includes('cal')) return;
  for (const [kernel, made] of il) {
    if ('text' in made) write(`${prefix}_${kernel}.il`, options.s ? characters(made.text) : made.text);
    else process.stderr.write(`${name}: no IL for the kernel '${kernel}': ${made.reason}\n`);
  }
}

/** A text as what stands between the braces of an array of char in C, a line of the text on a line. */
function characters(text: string): string {
  const lines = text.split('\n').map((line, index, all) => (index + 1 < all.length ? `${line}\n` : line));
  const spelled = (character: string): string => {
    if (character === '\n') return "'\\n'";
    return /['\\]/.test(character) ? `'\\${character}'` : `'${character}'`;
  };
  return `${lines
    .filter((line) => line !== '')
    .map((line) => `${[...line].map(spelled).join(', ')},\n`)
    .join('')}'\\0'\n`;
}
