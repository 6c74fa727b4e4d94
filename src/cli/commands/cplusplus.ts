/** `millrace c++`: drives the clang that is installed, for programs in C++ that `millrace run` runs (docs/cplusplus.md). */
import { Command } from 'commander';
import { compileCxx, toolchainFor } from '../cxx/compile.ts';
import { readCxxWords } from '../cxx/words.ts';
import { UsageError } from '../errors.ts';

/** What `--show` prints instead of compiling. */
const show = '--show';

/** Builds the subcommand. Its words are clang's but for `--show` and `--help`. */
export function cplusplusCommand(): Command {
  return new Command('c++')
    .description('compile a program in C++ with the clang that is installed')
    .argument('[words...]', "sources, objects and clang's options: -O2 -I include host.cpp -o host.wasm")
    .option(show, 'print which clang would be called, and what of its libraries there is')
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: readonly string[], options: { readonly show?: true }) => {
      if (options.show || words.includes(show)) {
        showToolchain();
        return;
      }
      const read = readCxxWords(words);
      if (read.sources.length + read.link.length === 0) throw new UsageError('no file to compile');
      const toolchain = toolchainFor(read.sources[0] ?? 'this');
      if (!(await compileCxx(toolchain, read))) process.exitCode = 1;
    });
}

function showToolchain(): void {
  const { command, version, target, sysroot, libraryVersion, hasExceptions } =
    toolchainFor('what you compile');
  console.log(`compiler: ${command}, version ${version}, for ${target}`);
  if (sysroot) console.log(`C library: ${sysroot}`);
  console.log(`C++ library: version ${libraryVersion}`);
  console.log(`exceptions: ${hasExceptions ? "the library's" : "Millrace's"}`);
}
