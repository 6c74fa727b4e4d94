/** `millrace c++`, and `millrace run` for programs in C++. The sources are in cxx/. */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

describe.skipIf(!hasCxx)('programs in C++', () => {
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
