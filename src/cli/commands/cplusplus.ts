/** `millrace c++`: drives the clang that is installed, for programs in C++ that `millrace run` runs (docs/cplusplus.md). */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { compileCxx, toolchainFor } from '../cxx/compile.ts';
import { readCxxWords } from '../cxx/words.ts';
import { UsageError } from '../errors.ts';

/** What is printed instead of compiling: the compiler; the toolchain file for CMake. */
const show = '--show';
const toolchain = '--toolchain';
const toolchainFile = fileURLToPath(new URL('../cmake/millrace-cxx.cmake', import.meta.url));

/** Declares the subcommand. Its words are clang's but for `--show`, `--toolchain` and `--help`. */
export function cplusplusCommand(command: Command): void {
  command
    .argument('[words...]', "sources, objects and clang's options: -O2 -I include host.cpp -o host.wasm")
    .option(show, 'print which clang would be called, and what of its libraries there is')
    .option(toolchain, 'print the path of the toolchain file for CMake')
    .allowUnknownOption()
    .passThroughOptions()
    .action(
      async (words: readonly string[], options: { readonly show?: true; readonly toolchain?: true }) => {
        if (options.toolchain) {
          console.log(toolchainFile);
          return;
        }
        if (options.show || words.includes(show)) {
          showToolchain();
          return;
        }
        const read = readCxxWords(words);
        if (read.sources.length + read.link.length === 0) throw new UsageError('no file to compile');
        if (!(await compileCxx(toolchainFor(read.sources[0] ?? 'this'), read))) process.exitCode = 1;
      },
    );
}

function showToolchain(): void {
  const { command, version, target, sysroot, libraryVersion, hasExceptions } =
    toolchainFor('what you compile');
  console.log(`compiler: ${command}, version ${version}, for ${target}`);
  if (sysroot) console.log(`C library: ${sysroot}`);
  console.log(`C++ library: version ${libraryVersion}`);
  console.log(`exceptions: ${hasExceptions ? "the library's" : "Millrace's"}`);
}
