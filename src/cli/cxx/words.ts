/** The words of a call of `millrace c++`, as compilers have them: sources, what is for the compiler, what is for the linker. */

export interface CxxWords {
  /** Sources, in their order, with objects and archives in `linked`. */
  readonly sources: readonly string[];
  /** Options that compile. */
  readonly compile: readonly string[];
  /** Objects, archives and options that link, in their order. */
  readonly link: readonly string[];
  readonly output: string | undefined;
  /** `-c`, `-S` or `-E`: no program is linked. */
  readonly stage: '-c' | '-S' | '-E' | undefined;
}

/** Options whose value is the next word. */
const separate = new Set([
  '-I',
  '-D',
  '-U',
  '-include',
  '-imacros',
  '-isystem',
  '-iquote',
  '-idirafter',
  '-x',
  '-Xclang',
  '-mllvm',
  '-MF',
  '-MT',
  '-MQ',
  '-arch',
]);
const separateLink = new Set(['-L', '-l', '-Xlinker', '-u', '-z']);

const sourceName = /\.(?:c|cc|cp|cpp|cxx|c\+\+|C|CPP|ii?|br)$/;
const linkedName = /\.(?:o|obj|a|s|S|bc)$/;

/** Whether a file is a source in C++ by its name. */
export function isCxxSource(file: string | undefined): boolean {
  return file !== undefined && /\.(?:cc|cp|cpp|cxx|c\+\+|C|CPP)$/.test(file);
}

/** Whether a file can be one of a program with C++ sources. */
export function isCxxInput(file: string): boolean {
  return !file.startsWith('-') && (sourceName.test(file) || linkedName.test(file));
}

/** Whether a file is a source in Brook+ by its name. */
export function isBrook(file: string): boolean {
  return file.endsWith('.br');
}

/** Splits the words. */
export function readCxxWords(words: readonly string[]): CxxWords {
  const sources: string[] = [];
  const compile: string[] = [];
  const link: string[] = [];
  let output: string | undefined;
  let stage: CxxWords['stage'];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const take = (): string[] => {
      at += 1;
      return at < words.length ? [word, words[at]!] : [word];
    };
    if (word === '-o') output = take()[1];
    else if (/^-o./.test(word)) output = word.slice(2);
    else if (word === '-c' || word === '-S' || word === '-E') stage = word;
    else if (separateLink.has(word)) link.push(...take());
    else if (separate.has(word)) compile.push(...take());
    else if (/^-(?:l|L|Wl,)/.test(word) || word === '-static' || word === '-s') link.push(word);
    else if (word.startsWith('-')) compile.push(word);
    else if (sourceName.test(word)) sources.push(word);
    else link.push(word);
  }
  return { sources, compile, link, output, stage };
}
