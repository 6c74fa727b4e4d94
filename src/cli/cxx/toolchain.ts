/**
 * The clang that compiles programs in C++ for WASI: where one is looked for, and what belongs to it. Nothing is run but `clang++ -###`,
 * which tells where that clang would find its linker, headers and libraries; whether they are there is looked at here.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** A clang, and what of it is there. */
export interface Toolchain {
  readonly command: string;
  readonly version: number;
  /** As clang calls WASI here: newer libraries have it under another name. */
  readonly target: string;
  readonly sysroot: string | undefined;
  /** What is not there, in the words of {@link Part}. */
  readonly missing: readonly Part[];
  /** The version of the C++ library, of which clang must not be older. */
  readonly libraryVersion: number | undefined;
  /** Whether the C++ library comes with exceptions. */
  readonly hasExceptions: boolean;
  /** The function by which the C library calls `main`. */
  readonly mainName: string;
  /** Whether the C library has printing of long doubles apart. */
  readonly hasLongDoubles: boolean;
}

export const parts = ['linker', 'libc', 'libc++', 'libc++abi', 'builtins'] as const;
export type Part = (typeof parts)[number];

const targets = ['wasm32-wasi', 'wasm32-wasip1'] as const;

/** Where installers put a clang, next to PATH. */
const usualFolders = [
  '/opt/wasi-sdk/bin',
  '/opt/homebrew/opt/llvm/bin',
  '/usr/local/opt/llvm/bin',
  '/home/linuxbrew/.linuxbrew/opt/llvm/bin',
  'C:\\Program Files\\LLVM\\bin',
];

/** And a C library for WASI that is not next to clang. */
const usualSysroots = [
  '/opt/homebrew/share/wasi-sysroot',
  '/usr/local/share/wasi-sysroot',
  '/home/linuxbrew/.linuxbrew/share/wasi-sysroot',
];

/** The compilers that there are, the one to be preferred first; $CXX alone if it is said. */
function candidates(env: NodeJS.ProcessEnv): readonly string[] {
  const { CXX, WASI_SDK_PATH, PATH = '' } = env;
  if (CXX && /clang/.test(CXX)) return [CXX];
  const found: string[] = [];
  if (WASI_SDK_PATH) found.push(join(WASI_SDK_PATH, 'bin', 'clang++'));
  for (const folder of [...PATH.split(delimiter).filter(Boolean), ...usualFolders]) {
    const names = new Set<string>();
    for (const name of filesIn(folder)) {
      const bare = name.replace(/\.exe$/i, '');
      if (/^clang\+\+(?:-\d+)?$/.test(bare)) names.add(bare);
    }
    const version = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);
    found.push(...[...names].sort((a, b) => version(b) - version(a)).map((name) => join(folder, name)));
  }
  return [...new Set(found)];
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The best of what there is: all parts, and a library of clang's own version. Undefined where there is no clang. */
export function findToolchain(env: NodeJS.ProcessEnv = process.env): Toolchain | undefined {
  let best: Toolchain | undefined;
  for (const command of candidates(env)) {
    const found = examine(command, env);
    if (!found) continue;
    if (fits(found) && found.version === found.libraryVersion) return found;
    if (!best || rank(found) > rank(best)) best = found;
  }
  return best;
}

/** Whether it can compile a program in C++. Libraries want a clang as new as they are. */
export function fits({ missing, version, libraryVersion }: Toolchain): boolean {
  return missing.length === 0 && (libraryVersion === undefined || version >= libraryVersion);
}

function rank(found: Toolchain): number {
  const distance = Math.abs(found.version - (found.libraryVersion ?? found.version));
  return (fits(found) ? 1000 : 0) - 50 * found.missing.length - distance;
}

function examine(command: string, env: NodeJS.ProcessEnv): Toolchain | undefined {
  let best: Toolchain | undefined;
  for (const sysroot of sysroots(command, env)) {
    for (const target of targets) {
      const found = ask(command, target, sysroot);
      if (!found) return best;
      if (fits(found)) return found;
      if (!best || rank(found) > rank(best)) best = found;
    }
  }
  return best;
}

function sysroots(command: string, { WASI_SYSROOT }: NodeJS.ProcessEnv): readonly (string | undefined)[] {
  if (WASI_SYSROOT) return [WASI_SYSROOT];
  const isBrew = /brew|\/usr\/local\//.test(command);
  return [undefined, ...(isBrew ? usualSysroots.filter((folder) => existsSync(folder)) : [])];
}

/** What `clang++ -###` says of a program with one file in C++. */
function ask(command: string, target: string, sysroot: string | undefined): Toolchain | undefined {
  const words = ['-###', `--target=${target}`, ...(sysroot ? [`--sysroot=${sysroot}`] : [])];
  const { stderr, error } = spawnSync(command, [...words, '-x', 'c++', '-', '-o', 'a.wasm'], {
    encoding: 'utf8',
    input: '',
  });
  if (error || !stderr) return undefined;
  const version = Number(/clang version (\d+)/.exec(stderr)?.[1]);
  if (!version) return undefined;
  return { command, version, target, sysroot, ...lookAt(stderr.split('\n')) };
}

function lookAt(lines: readonly string[]): Omit<Toolchain, 'command' | 'version' | 'target' | 'sysroot'> {
  const calls = lines.filter((line) => /^ "/.test(line)).map(wordsOf);
  const compiler = calls.find((words) => words[1] === '-cc1') ?? [];
  const linker = calls.find((words) => words.some((word) => word === '-lc' || word === '-lc++')) ?? [];
  const includes = compiler.filter((_, index) => /isystem$/.test(compiler[index - 1] ?? ''));
  const libraries = linker.filter((word) => word.startsWith('-L')).map((word) => word.slice(2));
  const isIn = (folders: readonly string[], name: string): string | undefined =>
    folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const abi = isIn(libraries, 'libc++abi.a');
  const header = isIn(
    includes.filter((folder) => folder.includes('c++')),
    '__config',
  );
  const crt = linker.find((word) => /crt1[^/\\]*\.o$/.test(word) && isAbsolute(word) && existsSync(word));
  const builtins = linker.find((word) => /builtins[^/\\]*\.a$/.test(word));
  const there: Readonly<Record<Part, boolean>> = {
    linker: isTool(linker[0]),
    libc:
      crt !== undefined && isIn(libraries, 'libc.a') !== undefined && isIn(includes, 'stdio.h') !== undefined,
    'libc++': header !== undefined && isIn(libraries, 'libc++.a') !== undefined,
    'libc++abi': abi !== undefined,
    builtins: builtins !== undefined && existsSync(builtins),
  };
  return {
    missing: parts.filter((part) => !there[part]),
    libraryVersion: header === undefined ? undefined : versionOf(header),
    mainName: crt && readFileSync(crt).includes('__main_void') ? '__main_void' : '__original_main',
    hasExceptions: abi !== undefined && readFileSync(abi).includes('\0__cxa_throw\0'),
    hasLongDoubles: isIn(libraries, 'libc-printscan-long-double.a') !== undefined,
  };
}

/** The words of a line of `-###`, which stand in quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!.replace(/\\(.)/g, '$1'));
}

/** Clang names a tool that it does not find without a folder. */
function isTool(path: string | undefined): boolean {
  return path !== undefined && isAbsolute(path) && (existsSync(path) || existsSync(`${path}.exe`));
}

/** `_LIBCPP_VERSION`: 14000 in older versions, 190107 in newer. */
function versionOf(config: string): number | undefined {
  const text = readFileSync(config, 'utf8');
  const value = Number(/define _LIBCPP_VERSION (\d+)/.exec(text)?.[1]);
  if (!value) return undefined;
  return Math.floor(value / (value >= 150000 ? 10000 : 1000));
}
