/**
 * Compiles programs with sources in C++: clang makes objects of them, each source apart, and links them with what its libraries for
 * WASI lack (lib/c++). What clang says goes to standard error as it says it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { remembered } from 'millrace/c-host';
import { FailureError } from '../errors.ts';
import { whatToInstall } from './install-words.ts';
import {
  asksForThreads,
  ownLandingPads,
  sharesLandingPads,
  threadCompileWords,
  threadFolder,
  threadHint,
  threadLinkWords,
  threadSources,
  withoutThreadWords,
} from './threads.ts';
import { findToolchain, type Toolchain } from './toolchain.ts';
import { type CxxWords, isBrook, isCxxSource } from './words.ts';

const packageFolder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** What stands in for what WASI has not; so do the libraries of the same names. */
const emulated = ['SIGNAL', 'PROCESS_CLOCKS', 'MMAN', 'GETPID'];

/** All engines that run programs have these. */
const features = ['-msimd128', '-msign-ext', '-mnontrapping-fptoint'];

/** Khronos's CL/cl.hpp of OpenCL 1.2, of which many programs bring a copy, has x86's fence wherever it is not on Linux. */
const fence = '-D_mm_mfence=__sync_synchronize';

const stackBytes = 8 << 20;

/** Functions that read numbers from strings, which throw: strings.cpp has them under these names with `__wrap_` before them. */
const wrapped = ['4stoi', '4stol', '5stoul', '5stoll', '6stoull', '4stof', '4stod', '5stold'];
const inString = 'ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPm';

/**
 * The toolchain for a file.
 * @throws FailureError that says what to install
 */
export function toolchainFor(file: string): Toolchain {
  const found = findToolchain();
  const lacks = whatToInstall(found, file);
  if (lacks !== undefined) throw new FailureError(lacks);
  return found!;
}

/** Words for clang that all compilations have. */
function commonWords({ target, sysroot }: Toolchain): string[] {
  return [`--target=${target}`, ...(sysroot ? [`--sysroot=${sysroot}`] : [])];
}

function compileWords(toolchain: Toolchain, words: readonly string[], isCxx: boolean): string[] {
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  return [
    ...commonWords(toolchain),
    ...(has(/^-O/) ? [] : ['-O2']),
    ...(isCxx && !has(/^-std=/) ? ['-std=c++17'] : []),
    ...(isCxx && !has(/^-f(?:no-)?(?:wasm-)?exceptions$/) ? ['-fwasm-exceptions'] : []),
    ...features,
    ...emulated.map((name) => `-D_WASI_EMULATED_${name}`),
    ...(isCxx ? [fence] : []),
    // After the program's own folders, before the system's.
    ...withoutThreadWords(words).map((word) => (word === '-fexceptions' ? '-fwasm-exceptions' : word)),
    ...(asksForThreads(words) ? threadCompileWords(packageFolder('lib')) : []),
    ...['include/wasi', 'include'].flatMap((name) => ['-isystem', packageFolder(name)]),
  ];
}

/** Words of clang for one source in C do not know C++'s standards. */
function wordsForC(words: readonly string[]): readonly string[] {
  return words.filter(
    (word) => !/^-std=(?:c|gnu)\+\+|^-f(?:no-)?(?:rtti|exceptions|wasm-exceptions)$/.test(word),
  );
}

/** Compiles, and links if no stage before that is asked for. True if all went well. */
export async function compileCxx(toolchain: Toolchain, words: CxxWords): Promise<boolean> {
  const { link, output, stage } = words;
  // -lpthread, too, of which compilers know nothing elsewhere.
  const hasThreads = asksForThreads([...words.compile, ...link]);
  const compile = hasThreads ? [...words.compile, '-pthread'] : words.compile;
  const folder = mkdtempSync(join(tmpdir(), 'millrace-cxx-'));
  try {
    const hasBrook = words.sources.some(isBrook);
    // Millrace's compiler is loaded for what clang cannot do.
    const sources = hasBrook ? (await import('./brook.ts')).brookAsCpp(words, folder) : words.sources;
    if (!sources) return false;
    // Headers that brcc has written for other sources.
    const own = hasBrook ? [`-I${folder}`] : [];
    const isGood = await compileSources(
      toolchain,
      { sources, compile: [...compile, ...own], link: withoutThreadWords(link), output, stage },
      folder,
    );
    if (!isGood && !hasThreads) hintAtThreads(sources);
    return isGood;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hintAtThreads(sources: readonly string[]): void {
  for (const source of sources) {
    const hint = existsSync(source) ? threadHint(readFileSync(source, 'utf8')) : undefined;
    if (hint === undefined) continue;
    process.stderr.write(`${source}: ${hint}\n`);
    return;
  }
}

async function compileSources(toolchain: Toolchain, words: CxxWords, folder: string): Promise<boolean> {
  const { sources, compile, link, output, stage } = words;
  if (stage !== undefined) {
    const results = await inParallel(sources, (source) => {
      const written =
        output ??
        (stage === '-E' ? undefined : basename(source).replace(/\.[^.]*$/, stage === '-c' ? '.o' : '.s'));
      if (stage === '-c')
        return compileObject(toolchain, wordsFor(toolchain, compile, source), source, written!);
      return run(toolchain.command, [
        ...wordsFor(toolchain, compile, source),
        stage,
        source,
        ...(written ? ['-o', written] : []),
      ]);
    });
    return results.every(Boolean);
  }
  const objects = sources.map((source, index) => join(folder, `${index}-${basename(source)}.o`));
  const results = await inParallel(sources, (source, index) =>
    compileObject(toolchain, wordsFor(toolchain, compile, source), source, objects[index]!),
  );
  if (!results.every(Boolean)) return false;
  const { remembered: remember } = await import('millrace/c-host');
  const linking = [...linkWords(toolchain, compile, folder, remember), '-o', output ?? 'a.wasm'];
  return await run(toolchain.command, [...objects, ...link, ...linking]);
}

/** Compiles a source, by way of the IR of LLVM if something has to be said there. */
async function compileObject(
  toolchain: Toolchain,
  words: readonly string[],
  source: string,
  object: string,
): Promise<boolean> {
  const { command } = toolchain;
  if (!needsOwnLandingPads(toolchain, words))
    return await run(command, [...words, '-c', source, '-o', object]);
  const text = `${object}.ll`;
  try {
    if (!(await run(command, [...words, '-S', '-emit-llvm', source, '-o', text]))) return false;
    writeFileSync(text, ownLandingPads(readFileSync(text, 'utf8')));
    return await run(command, wordsForText(words, text, object));
  } finally {
    rmSync(text, { force: true });
  }
}

function needsOwnLandingPads({ version }: Toolchain, words: readonly string[]): boolean {
  return sharesLandingPads(version) && words.includes('-matomics') && words.includes('-fwasm-exceptions');
}

/** What makes an object of optimised IR. */
function wordsForText(words: readonly string[], text: string, object: string): string[] {
  const code = words.filter((word) => /^-(?:-target|-sysroot|O|m|f)/.test(word));
  const quiet = '-Wno-unused-command-line-argument';
  return [...code, quiet, '-x', 'ir', '-Xclang', '-disable-llvm-passes', '-c', text, '-o', object];
}

function wordsFor(toolchain: Toolchain, compile: readonly string[], source: string): string[] {
  const isCxx = isCxxSource(source);
  return [...compileWords(toolchain, isCxx ? compile : wordsForC(compile), isCxx), '-x', isCxx ? 'c++' : 'c'];
}

function linkWords(
  toolchain: Toolchain,
  compile: readonly string[],
  folder: string,
  remember: typeof remembered,
): string[] {
  const throws = !compile.includes('-fno-exceptions');
  const flags = compile.filter((word) => /^-(?:g|f|O|m)/.test(word) && word !== '-fexceptions');
  const hasThreads = asksForThreads(compile);
  const kind = { hasThreads, throws };
  const helper = (name: string): string =>
    helperObject(toolchain, { name: `c++/${name}`, ...kind }, folder, remember);
  return [
    ...commonWords(toolchain),
    ...flags,
    ...(throws ? (toolchain.hasExceptions ? ['-fwasm-exceptions', '-lunwind'] : exceptionWords(helper)) : []),
    ...['gaps.c', 'cal.c'].map(helper),
    ...(toolchain.hasLongDoubles ? ['-lc-printscan-long-double'] : []),
    `-L${packageFolder('lib')}`,
    `-Wl,--allow-undefined-file=${importNames(folder)}`,
    ...emulated.map((name) => `-lwasi-emulated-${name.toLowerCase().replace('_', '-')}`),
    `-Wl,-z,stack-size=${stackBytes}`,
    '-Wl,--stack-first',
    ...(hasThreads
      ? [
          ...threadSources(toolchain.mainName).map((source) =>
            helperObject(toolchain, { ...source, ...kind }, folder, remember),
          ),
          ...threadLinkWords(packageFolder('lib')),
        ]
      : []),
  ];
}

/** A file with the functions of OpenCL and CAL: headers that a program brings itself do not say that they are imports. */
function importNames(folder: string): string {
  const headers = [
    'cal.h',
    'calcl.h',
    'cal_ext.h',
    'cal_ext_counter.h',
    'CL/cl.h',
    'CL/cl_ext.h',
    'CL/cl_gl.h',
  ];
  const names = headers.flatMap((name) => {
    const text = readFileSync(join(packageFolder('include'), name), 'utf8');
    return [...text.matchAll(/^CA?L_FUNCTION\([^()]*, *(\w+)\)/gm)].map(([, found]) => found!);
  });
  const file = join(folder, 'imports.txt');
  writeFileSync(file, `${names.join('\n')}\n`);
  return file;
}

/** Objects of the exceptions that the library has not. */
function exceptionWords(helper: (name: string) => string): string[] {
  const objects = ['exceptions.cpp', 'strings.cpp', 'exception-tag.s'].map(helper);
  const wraps = ['1', '2'].flatMap((space) =>
    wrapped.map(
      (name) => `-Wl,--wrap=_ZNSt3__${space}${name}${inString}${/sto[fd]|stold/.test(name) ? '' : 'i'}`,
    ),
  );
  return [...objects, ...wraps];
}

/** A source of ours, for a program of a kind. */
interface Helper {
  /** In the folder lib. */
  readonly name: string;
  readonly words?: readonly string[];
  readonly hasThreads: boolean;
  readonly throws: boolean;
}

/** A file of lib as an object, made once for each compiler and kind of program. */
function helperObject(
  toolchain: Toolchain,
  helper: Helper,
  folder: string,
  remember: typeof remembered,
): string {
  const { name, words: wanted = [], hasThreads, throws } = helper;
  const source = join(packageFolder('lib'), name);
  const isCxx = name.endsWith('.cpp');
  const words = name.endsWith('.s')
    ? commonWords(toolchain)
    : compileWords(
        toolchain,
        [
          ...wanted,
          ...(hasThreads ? ['-pthread', '-I', threadFolder(packageFolder('lib'))] : []),
          ...(isCxx && !throws ? ['-fno-exceptions'] : []),
        ],
        isCxx,
      );
  words.push(...(isCxx || name.endsWith('.s') ? [] : ['-x', 'c']), '-c', source);
  const object = join(folder, `${basename(name)}.o`);
  const { command, version, libraryVersion } = toolchain;
  const texts = [
    command,
    `${version} ${libraryVersion}`,
    JSON.stringify(words),
    readFileSync(source, 'utf8'),
  ];
  const compile = (given: readonly string[]): void => {
    const { status, stderr } = spawnSync(command, given, { encoding: 'utf8' });
    if (status !== 0) throw new FailureError(`${command} cannot compile ${source}:\n${stderr}`);
  };
  const bytes = remember(texts, () => {
    if (needsOwnLandingPads(toolchain, words)) {
      const text = `${object}.ll`;
      compile([...words.filter((word) => word !== '-c'), '-S', '-emit-llvm', '-o', text]);
      writeFileSync(text, ownLandingPads(readFileSync(text, 'utf8')));
      compile(wordsForText(words, text, object));
    } else compile([...words, '-o', object]);
    return readFileSync(object);
  });
  writeFileSync(object, bytes);
  return object;
}

/** True if the command succeeds. */
function run(command: string, words: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => reject(new FailureError(`${command} does not start: ${error.message}`)));
    child.on('close', (code) => resolve(code === 0));
  });
}

/** Calls `step` for each, as many at a time as there are processors. */
async function inParallel<T, R>(
  all: readonly T[],
  step: (one: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < all.length) {
      const index = next;
      next += 1;
      results[index] = await step(all[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), all.length) }, worker));
  return results;
}
