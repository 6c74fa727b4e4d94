/** What can be run in a source, and where: found by its words, so that it is there while the source does not compile. */

export type SourceLanguage = 'opencl' | 'brook' | 'amdil';

/** A kernel, or a whole program. */
export interface Runnable {
  /** Of a kernel; undefined for a program. */
  readonly kernel: string | undefined;
  /** From 0. */
  readonly line: number;
}

export interface Lens {
  readonly title: string;
  readonly command: 'millrace.run' | 'millrace.check' | 'millrace.debug';
  readonly runnable: Runnable;
}

/** The text with comments and strings made spaces, so that places stay. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/(?:\\\r?\n|[^\n])*|"(?:\\[\s\S]|[^"\\\n])*"?/g, (part) =>
    part.replace(/[^\n]/g, ' '),
  );
}

const kernelHead =
  /\b(?:__)?kernel\b(?:\s+(?:static|inline|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)))*\s+void(?:\s+__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\))*\s+([A-Za-z_]\w*)\s*\(/g;
/** A kernel whose attributes are in front of it begins at its name all the same. */
const mainHead = /\bmain\s*\(/;

export function runnablesIn(text: string, language: SourceLanguage): Runnable[] {
  if (language === 'amdil') {
    const at = text.search(/^[ \t]*il_[a-z]+_\d/m);
    return at < 0 ? [] : [{ kernel: undefined, line: lineOf(text, at) }];
  }
  const code = withoutComments(text);
  if (language === 'brook') {
    const at = code.search(mainHead);
    return at < 0 ? [] : [{ kernel: undefined, line: lineOf(code, at) }];
  }
  return [...code.matchAll(kernelHead)].map((match) => ({
    kernel: match[1]!,
    line: lineOf(code, match.index),
  }));
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length - 1;
}

/** What the command can do with each language: programs are not checked by it, and IL is only debugged. */
const verbs: Readonly<Record<SourceLanguage, readonly Omit<Lens, 'runnable'>[]>> = {
  opencl: [
    { title: 'Run', command: 'millrace.run' },
    { title: 'Check', command: 'millrace.check' },
    { title: 'Debug', command: 'millrace.debug' },
  ],
  brook: [
    { title: 'Run', command: 'millrace.run' },
    { title: 'Debug', command: 'millrace.debug' },
  ],
  amdil: [{ title: 'Debug', command: 'millrace.debug' }],
};

export function lensesIn(text: string, language: SourceLanguage): Lens[] {
  return runnablesIn(text, language).flatMap((runnable) =>
    verbs[language].map((verb): Lens => ({ ...verb, runnable })),
  );
}

/** The words of a person, `--global 64 --arg "x=zeros:64"`, apart as a shell has them. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
}

/** What follows `millrace` on the command line. */
export function wordsFor(
  command: 'run' | 'check',
  file: string,
  { kernel }: Runnable,
  options: readonly string[],
): string[] {
  return [command, file, ...(kernel === undefined ? [] : ['--kernel', kernel]), ...options];
}

/** How VS Code's debugger is to start it. */
export function debugConfiguration(file: string, { kernel }: Runnable, options: readonly string[]) {
  return {
    type: 'millrace',
    request: 'launch',
    name: kernel ?? 'Program',
    program: file,
    args: [...(kernel === undefined ? [] : ['--kernel', kernel]), ...options],
  };
}
