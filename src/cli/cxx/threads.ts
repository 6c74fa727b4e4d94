/**
 * Programs in C++ with threads (-pthread), for libraries that have none, as Debian's for WASI: clang compiles for a shared memory, and what
 * the libraries lack is linked, from lib/threads and lib/c++/threads. It begins threads as wasi-threads has it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const own = 'c++/threads';

/** Words that ask for threads. */
export function asksForThreads(words: readonly string[]): boolean {
  return words.some((word) => /^-l?pthreads?$/.test(word));
}

const threadHeaders =
  'thread|mutex|future|condition_variable|shared_mutex|barrier|latch|semaphore|stop_token|pthread\\.h';

/** What to do about a source that includes a header of threads and was compiled without; undefined if it includes none. */
export function threadHint(text: string): string | undefined {
  const found = new RegExp(`^[ \\t]*#[ \\t]*include[ \\t]*<(${threadHeaders})>`, 'm').exec(text);
  return found ? `<${found[1]}> wants threads: -pthread, for all sources and the linker` : undefined;
}

/** The same words without those, which clang would ask its own libraries for. */
export function withoutThreadWords(words: readonly string[]): string[] {
  return words.filter((word, index) => {
    const isName = word === '-l' ? words[index + 1] : words[index - 1] === '-l' ? word : undefined;
    return !asksForThreads([word]) && isName !== 'pthread';
  });
}

/** What compiles a source for a shared memory. `lib` is the folder. */
export function threadCompileWords(lib: string): string[] {
  return [
    ...['-matomics', '-mbulk-memory', '-ftls-model=local-exec', '-D_REENTRANT', '-DMILLRACE_THREADS'],
    ...['-isystem', join(lib, own, 'include'), '-isystem', join(lib, 'threads')],
  ];
}

/** Sources in `lib` of what the libraries lack, with the words that each wants. */
export const threadSources = (
  mainName: string,
): readonly { readonly name: string; readonly words: readonly string[] }[] => [
  { name: 'threads/pthread.c', words: ['-std=gnu11', '-Wno-parentheses'] },
  { name: `${own}/libc.c`, words: ['-std=gnu11', '-fno-builtin'] },
  { name: `${own}/library.cpp`, words: ['-std=c++20', '-fno-access-control'] },
  { name: `${own}/start.s`, words: [] },
  { name: `${own}/program.c`, words: [`-DMILLRACE_MAIN=${mainName}`] },
];

/**
 * Whether clang has all threads share what landing pads of exceptions tell the library (`__wasm_lpad_context`), so that two that throw at
 * once get each other's. What it takes it for it makes itself, unless the module says that it is each thread's own: see
 * {@link ownLandingPads}.
 */
export function sharesLandingPads(version: number): boolean {
  return version < 15;
}

/** The module in LLVM's IR as text, with landing pads of each thread. */
export function ownLandingPads(text: string): string {
  if (/^@__wasm_lpad_context = /m.test(text)) return text;
  return `${text}\n@__wasm_lpad_context = external thread_local(localexec) global { i32, i8*, i32 }\n`;
}

/** Where those sources find lock.h. */
export function threadFolder(lib: string): string {
  return join(lib, own);
}

/** Functions of the C++ library that have others in their place; before them its namespace. */
const libraryFunctions = [
  ...['19__shared_weak_count14__release_weakEv', '19__shared_weak_count4lockEv'],
  ...['C1Ev', 'C1ERKS0_', 'D1Ev', 'C2Ev', 'C2ERKS0_', 'D2Ev', 'aSERKS0_'].map((name) => `6locale${name}`),
];

/** Most that memory can grow to: all that there is. */
const mostMemory = 2 ** 32;

export function threadLinkWords(lib: string): string[] {
  const libc = readFileSync(join(lib, own, 'libc.c'), 'utf8');
  const wrapped = [
    ...[...libc.matchAll(/^WRAP\(.*?, [\w *]+, (\w+), \(/gm)].map(([, name]) => name!),
    ...[...libc.matchAll(/ \*?__wrap_(\w+)\(/g)].map(([, name]) => name!),
    ...['1', '2'].flatMap((space) => libraryFunctions.map((name) => `_ZNSt3__${space}${name}`)),
  ];
  // The libraries do not say that they are made for a shared memory, and for them it makes no difference.
  const linker = ['--shared-memory', '--import-memory', `--max-memory=${mostMemory}`, '--no-check-features'];
  return [
    '-nostartfiles',
    ...[...linker, ...wrapped.map((name) => `--wrap=${name}`)].map((word) => `-Wl,${word}`),
  ];
}
