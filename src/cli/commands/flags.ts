/** `millrace flags`: where the headers of OpenCL for C and C++ are, for compilers and for CMake. */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

/** Folders of the package, beside that of the command. */
const include = fileURLToPath(new URL('../include', import.meta.url));
const library = fileURLToPath(new URL('../lib', import.meta.url));
const toolchain = fileURLToPath(new URL('../cmake/wasm32-wasi-opencl.cmake', import.meta.url));

/** Declares the subcommand. In the library folder lies an empty libOpenCL.a, for programs that are linked with one. */
export function flagsCommand(command: Command): void {
  command
    .option('--include-dir', 'the folder of the headers')
    .option('--toolchain', 'the toolchain file for CMake')
    .action((options: { readonly includeDir?: true; readonly toolchain?: true }) => {
      if (options.toolchain) console.log(toolchain);
      else console.log(options.includeDir ? include : `-I${include} -L${library}`);
    });
}
