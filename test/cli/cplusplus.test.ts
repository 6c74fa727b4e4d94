/** `millrace c++`, and `millrace run` for programs in C++. The sources are in cxx/. */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { whatToInstall } from '../../src/cli/cxx/install-words.ts';
import { findToolchain, fits, type Toolchain } from '../../src/cli/cxx/toolchain.ts';
import { readCxxWords } from '../../src/cli/cxx/words.ts';
import { hasCxx } from '../support/cxx.ts';
import { start } from './millrace.ts';

const whole: Toolchain = {
  command: '/usr/bin/clang++-19',
  version: 19,
  target: 'wasm32-wasi',
  sysroot: undefined,
  missing: [],
  libraryVersion: 19,
  hasExceptions: false,
  mainName: '__main_void',
  hasLongDoubles: true,
};

describe('what to install for C++', () => {
  it('is nothing where all is there', () => {
    expect(whatToInstall(whole, 'host.cpp')).toBeUndefined();
    expect(whatToInstall({ ...whole, libraryVersion: 18 }, 'host.cpp')).toBeUndefined();
  });

  it('is named with commands for three systems, the own one first', () => {
    const text = whatToInstall(undefined, 'host.cpp', 'darwin')!;
    expect(text).toMatch(/^host\.cpp is a program in C\+\+.*there is no clang\+\+/);
    expect(text.split('\n')[1]).toBe('  Homebrew: brew install llvm lld wasi-libc wasi-runtimes');
    expect(text).toContain('winget install LLVM.LLVM');
    expect(text).toMatch(
      /apt-get install clang lld wasi-libc libc\+\+-dev-wasm32 libc\+\+abi-dev-wasm32 libclang-rt-dev-wasm32/,
    );
  });

  it("has packages of the compiler's version, and says which part is missing", () => {
    const text = whatToInstall({ ...whole, missing: ['linker', 'builtins'] }, 'host.cpp', 'linux')!;
    expect(text).toMatch(/wasm-ld, clang's functions for wasm32/);
    expect(text).toMatch(
      /clang-19 lld-19 wasi-libc libc\+\+-19-dev-wasm32 libc\+\+abi-19-dev-wasm32 libclang-rt-19-dev-wasm32/,
    );
  });

  it('says that a compiler is older than the library', () => {
    const text = whatToInstall({ ...whole, version: 14 }, 'host.cpp', 'linux')!;
    expect(text).toContain('is of version 14, older than the C++ library for WASI, of version 19');
  });
});

describe.skipIf(process.platform === 'win32')('finding a toolchain', () => {
  /** A clang++ that says where it would look, in a folder with the files that `present` names. */
  function fake(present: readonly string[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-fake-clang-'));
    const all: Record<string, string> = {
      'include/c++/v1/__config': '#  define _LIBCPP_VERSION 190107\n',
      'include/stdio.h': '',
      'lib/crt1-command.o': '',
      'lib/libc.a': '',
      'lib/libc++.a': '',
      'lib/libc++abi.a': '',
      'lib/builtins-wasm32.a': '',
      'bin/wasm-ld': '',
    };
    for (const [name, text] of Object.entries(all)) {
      if (!present.includes(name) && !present.includes('*')) continue;
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const linker =
      present.includes('*') || present.includes('bin/wasm-ld') ? `${folder}/bin/wasm-ld` : 'wasm-ld';
    const lines = [
      'Debian clang version 19.1.7',
      ` "${folder}/bin/clang" "-cc1" "-internal-isystem" "${folder}/include/c++/v1" "-internal-isystem" "${folder}/include"`,
      ` "${linker}" "-L${folder}/lib" "${folder}/lib/crt1-command.o" "-lc++" "-lc++abi" "-lc" "${folder}/lib/builtins-wasm32.a"`,
    ];
    const command = join(folder, 'clang++');
    writeFileSync(command, `#!/bin/sh\ncat >&2 <<'END'\n${lines.join('\n')}\nEND\n`);
    chmodSync(command, 0o755);
    return command;
  }

  it('takes one with all parts', () => {
    const found = findToolchain({ CXX: fake(['*']) })!;
    expect(found).toMatchObject({ version: 19, libraryVersion: 19, missing: [], hasExceptions: false });
    expect(fits(found)).toBe(true);
  });

  it('names what one lacks', () => {
    const found = findToolchain({ CXX: fake(['include/stdio.h', 'lib/libc.a', 'lib/crt1-command.o']) })!;
    expect(found.missing).toEqual(['linker', 'libc++', 'libc++abi', 'builtins']);
  });

  it('finds none where there is none', () => {
    expect(findToolchain({ CXX: '/nowhere/clang++' })).toBeUndefined();
  });
});

describe('the words of a call', () => {
  it('are split as compilers split them', () => {
    expect(
      readCxxWords([
        '-O3',
        '-I',
        'include',
        'a.cpp',
        '-lm',
        'b.o',
        '-DN=1',
        '-o',
        'a.wasm',
        '-L',
        'lib',
        'c.c',
      ]),
    ).toEqual({
      sources: ['a.cpp', 'c.c'],
      compile: ['-O3', '-I', 'include', '-DN=1'],
      link: ['-lm', 'b.o', '-L', 'lib'],
      output: 'a.wasm',
      stage: undefined,
    });
    expect(readCxxWords(['-c', 'a.cpp', '-oa.o'])).toMatchObject({ stage: '-c', output: 'a.o' });
  });
});

describe('millrace without clang', () => {
  it('says in one message what to install', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-no-clang-'));
    writeFileSync(join(folder, 'host.cpp'), 'int main() {}\n');
    const env = { CXX: '/nowhere/clang++' };
    for (const args of [
      ['run', 'host.cpp'],
      ['c++', 'host.cpp'],
    ]) {
      const { code, stderr } = await start(folder, args, env).ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^millrace: host\.cpp is a program in C\+\+[\s\S]*apt-get install [\s\S]*brew install [\s\S]*winget install/,
      );
    }
  });
});

describe.skipIf(!hasCxx)('programs in C++', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-cxx-test-'));
  cpSync(fileURLToPath(new URL('cxx', import.meta.url)), folder, { recursive: true });
  const millrace = (...args: string[]) =>
    start(folder, args, { MILLRACE_CACHE: '1', MILLRACE_CACHE_DIR: join(folder, 'cache') }).ended;

  it('throw and catch', async () => {
    const { stdout, stderr, code } = await millrace('run', 'exceptions.cpp');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout.split('\n')).toEqual([
      'first base 5',
      'second base circle',
      'number 42, alive 0',
      'from a handler, alive 0',
      'kept 0',
      'kept 1',
      'changed to 7',
      'null 1',
      'nullptr 1',
      'vector::at',
      'map::at',
      'string::substr',
      'stoi of no number',
      'stoi of a large number',
      'stod of a large number',
      'dynamic_cast',
      'empty function',
      'shared_from_this',
      'new',
      '31 2.5 18446744073709551615',
      'on their way 0, alive 0',
      '',
    ]);
  });

  it('end with what they did not catch', async () => {
    const { stderr, code } = await millrace('run', 'exceptions.cpp', 'throw');
    expect(code).toBe(134);
    expect(stderr).toContain('uncaught exception of type std::runtime_error: nobody catches this');
    expect(stderr).toContain('was stopped: it aborted');
  });

  it('may have sources in C and Brook+, options and arguments', async () => {
    const { stdout, stderr, code } = await millrace(
      ...['run', '-DNUMBER=21', '-O1', '-std=c++20', 'main.cpp', 'twice.c', 'add.br', 'one', '-O2'],
    );
    expect({ stdout, stderr, code }).toEqual({ stdout: '246 42 3 -O2\n', stderr: '', code: 3 });
  });

  it('are compiled in steps', async () => {
    const steps = [
      ['brcc', '--cpp', 'add.br'],
      ['c++', '-c', 'add.cpp'],
      ['c++', '-c', '-DNUMBER=4', 'main.cpp', '-o', 'other.o'],
      ['c++', 'other.o', 'add.o', 'twice.c', '-o', 'steps.wasm'],
    ];
    for (const step of steps) expect(await millrace(...step)).toMatchObject({ stderr: '', code: 0 });
    expect(await millrace('run', 'steps.wasm')).toMatchObject({ stdout: '246 8 1 steps.wasm\n', code: 3 });
  });

  it('with mistakes are not run', async () => {
    writeFileSync(join(folder, 'wrong.cpp'), 'int main() { return x; }\n');
    const { stderr, code } = await millrace('run', 'wrong.cpp');
    expect(code).toBe(1);
    expect(stderr).toMatch(/wrong\.cpp:1:21: error: use of undeclared identifier 'x'/);
  });

  it('have threads', async () => {
    const { stdout, stderr, code } = await millrace('run', '-pthread', 'threads.cpp');
    expect({ stderr, code }).toEqual({ stderr: '', code: 3 });
    const lines = stdout.trimEnd().split('\n');
    // 8 threads, 5000 rounds; the numbers 1 to 8, as threads end; 8 times 300 lines "n i 0.5".
    expect(lines.slice(0, 7)).toEqual([
      'sums 40000 40000 40000000280000 40000, ended 36, first 40',
      'once 1 1 3',
      'consumed 500500, timed out 1 1',
      'futures 144 deferred 7 1, from a thread, 1, 9',
      'torn 0, owners 1 40000',
      'characters 20720',
      'timed 0, ids 1',
    ]);
    expect(lines.slice(7)).toEqual(Array(400).fill('line of a thread'));
    expect(await millrace('run', '-lpthread', '-std=c++20', 'atomics.cpp')).toMatchObject({
      stdout: 'passed 6, most 1, phases 200, shared 1200\n',
      stderr: '',
      code: 0,
    });
  });

  it('with threads call OpenCL from all of them', async () => {
    cpSync(fileURLToPath(new URL('../chost/threads/queues.c', import.meta.url)), join(folder, 'queues.c'));
    writeFileSync(join(folder, 'nothing.cpp'), '\n');
    expect(await millrace('run', '-pthread', '-w', 'nothing.cpp', 'queues.c', '100')).toMatchObject({
      stdout: 'calls 8008, failures 0, squares 140, shared 0 0\n',
      code: 0,
    });
  });

  it('have what programs take from POSIX', async () => {
    const programs = new URL('../chost/programs/', import.meta.url);
    cpSync(fileURLToPath(new URL('posix.c', programs)), join(folder, 'posix.c'));
    expect(await millrace('c++', '-w', 'posix.c', '-o', 'posix.wasm')).toMatchObject({ stderr: '', code: 0 });
    const { stdout, stderr } = await millrace('run', '--dir', '.', 'posix.wasm');
    expect(stderr).toBe('');
    // mmap of WASI's library takes any place, and leaves what is behind a file.
    const lines = (text: string) => text.split('\n').filter((line) => !line.startsWith('aligned'));
    expect(lines(stdout)).toEqual(lines(readFileSync(new URL('posix.expected', programs), 'utf8')));
  });

  const hasCmake = spawnSync('cmake', ['--version']).status === 0;
  if (!hasCmake) console.warn('the test of the toolchain file is skipped: install cmake');

  it.skipIf(!hasCmake)(
    'are built by CMake, with a library, OpenCL, threads and exceptions, and tested',
    async () => {
      const source = fileURLToPath(new URL('cmake', import.meta.url));
      const build = join(folder, 'build');
      const { stdout: file } = await millrace('c++', '--toolchain');
      const call = (...args: string[]) =>
        promisify(execFile)(args[0]!, args.slice(1), { env: { ...process.env, MILLRACE_CACHE: '0' } });
      await call('cmake', '-S', source, '-B', build, `-DCMAKE_TOOLCHAIN_FILE=${file.trim()}`);
      await call('cmake', '--build', build);
      // Sums of 0 to 999 times 1, 2 and 3; a buffer of nothing is CL_INVALID_BUFFER_SIZE.
      expect((await millrace('run', join(build, 'sums.wasm'), '3')).stdout).toBe(
        '499500 999000 1498500 buffer -61 42\n',
      );
      expect((await call('ctest', '--test-dir', build)).stdout).toContain(
        '100% tests passed, 0 tests failed out of 1',
      );
    },
  );

  it('are told how to have threads', async () => {
    const { stderr, code } = await millrace('run', 'threads.cpp');
    expect(code).toBe(1);
    expect(stderr).toContain('<condition_variable> wants threads: -pthread, for all sources and the linker');
  });

  const hasBindings = existsSync('/usr/include/CL/opencl.hpp');
  if (!hasBindings) console.warn('tests of the C++ bindings are skipped: install opencl-clhpp-headers');

  it.skipIf(!hasBindings)('use the C++ bindings of OpenCL, with and without exceptions', async () => {
    expect(await millrace('run', 'bindings.cpp')).toMatchObject({
      stdout: 'sum 1.4995e+06\n-11 1\nclCreateKernel -46\n',
      code: 0,
    });
    expect(await millrace('run', '-fno-exceptions', 'bindings.cpp')).toMatchObject({
      stdout: 'sum 1.4995e+06\n-46\n',
      code: 0,
    });
  });
});
