/**
 * The words of a command line before commander reads them: which form of `run` and `compile` is meant, and what commander cannot read as
 * it stands. It looks at words alone, and is loaded for every command.
 */
import { withoutCompilerWords } from './compiler-words.ts';
import { isCxxInput, isCxxSource } from './cxx/words.ts';
import { isCSource, isProgramFile } from './program-files.ts';

/** What was typed, read for commander. */
export interface GivenWords {
  readonly words: readonly string[];
  /** Whether `run` or `compile` is that for programs, which has options of its own. */
  readonly ofProgram: boolean;
}

/** Reads the arguments of `millrace`. */
export function givenWords(args: readonly string[]): GivenWords {
  // What follows a program's name is the program's, so this form of `run` reads its options in another way.
  const words = profileArguments(args, isProgramFile);
  const isOfSources = isCSourceCall(words) || isProgramCompilation(words);
  const given = isOfSources ? withoutCompilerWords(words, isCSource) : clangWords(words);
  return { words: brccArguments(given), ofProgram: isProgramCall(words) || isProgramCompilation(words) };
}

/**
 * The arguments of `millrace` with `--profile` and its file made one word. Else the option would take what follows it, whatever that
 * is: `millrace run --profile saxpy.cl`. A file for the trace is a word that ends in .json; any name does behind `--profile=`.
 * @param isProgram whether an argument is the file of a program: what follows that is the program's
 */
export function profileArguments(args: readonly string[], isProgram: (arg: string) => boolean): string[] {
  if (args[0] !== 'run') return [...args];
  const result: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (isProgram(arg)) return [...result, ...args.slice(at)];
    if (arg !== '--profile') result.push(arg);
    else if (args[at + 1]?.endsWith('.json')) {
      at += 1;
      result.push(`--profile=${args[at]}`);
    } else result.push('--profile=');
  }
  return result;
}

/** Whether the arguments of `millrace` compile a program in C: a .c or .br file stands among them. */
function isProgramCompilation(args: readonly string[]): boolean {
  return args[0] === 'compile' && args.some(isCSource);
}

/** The arguments of `millrace` with brcc's `-pp` as commander can read it. */
function brccArguments(args: readonly string[]): string[] {
  return args[0] === 'brcc' ? args.map((arg) => (arg === '-pp' ? '--pp' : arg)) : [...args];
}

/** Options that have a value, which is not the file. */
const withValue = [
  '--dir',
  '--env',
  '--api-log',
  '-d',
  '--device',
  '--device-type',
  '-t',
  '--timeout',
  '-D',
  '-U',
  '-I',
  '--include-within',
  '--stack',
];

/** Whether the arguments of `millrace` run a program: the first after `run` that is no option is a .wasm, .c or .br file. */
function isProgramCall(args: readonly string[]): boolean {
  return isProgramFile(firstFile(args));
}

/** Whether that file is a source that Millrace compiles itself. */
function isCSourceCall(args: readonly string[]): boolean {
  return isCSource(firstFile(args)) && !isCxxCall(args);
}

/** Whether clang compiles the program: one of its sources is in C++. */
function isCxxCall(args: readonly string[]): boolean {
  const first = firstFile(args);
  if (args[0] !== 'run' || first === undefined) return false;
  const from = args.slice(args.indexOf(first));
  const end = from.findIndex((word) => !isCxxInput(word));
  return from.slice(0, end < 0 ? undefined : end).some(isCxxSource);
}

/** Words for clang and its linker that are none of ours: how to optimise, the standard, libraries. */
const forClang =
  /^-(?:O|g|std=|f|m(?!illrace)|W|l.|L.|pthread$|pedantic|nostd|include$|isystem$|idirafter$|iquote$)/;
const forClangPair = /^-(?:include|isystem|idirafter|iquote)$/;

/**
 * The arguments of `millrace run` for a program in C++ with clang's options as values of `--clang`, which commander can read; others as
 * they are.
 */
function clangWords(args: readonly string[]): readonly string[] {
  if (!isCxxCall(args)) return args;
  const first = args.indexOf(firstFile(args)!);
  const words: string[] = ['run'];
  for (let at = 1; at < first; at += 1) {
    const word = args[at]!;
    if (word === '-w' || !forClang.test(word)) {
      words.push(word);
      continue;
    }
    words.push(`--clang=${word}`);
    if (!forClangPair.test(word) || at + 1 >= first) continue;
    at += 1;
    words.push(`--clang=${args[at]}`);
  }
  return [...words, ...args.slice(first)];
}

function firstFile(args: readonly string[]): string | undefined {
  if (args[0] !== 'run') return undefined;
  let at = 1;
  while (args[at]?.startsWith('-'))
    at += withValue.includes(args[at]!) || forClangPair.test(args[at]!) ? 2 : 1;
  return args[at];
}
