/**
 * Builds the suite's programs for WebAssembly with clang, in `build-wasm` inside the checkout. Its sources stay as they are:
 * what WASI has not, `cts.cmake` and the headers of `shim` add.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SuiteProgram } from './directories.ts';

/** Where a program lies after it has been built. */
export function programPath(suite: string, program: SuiteProgram): string {
  return join(suite, 'build-wasm', program.folder, `${program.target}.wasm`);
}

/** Builds what is missing or older than its sources; what fails stays away, and CMake has said why. */
export function buildPrograms(suite: string, programs: readonly SuiteProgram[]): void {
  const folder = join(suite, 'build-wasm');
  if (!existsSync(join(folder, 'build.ninja'))) {
    const settings = {
      CMAKE_TOOLCHAIN_FILE: resolve('cmake/wasm32-wasi-opencl.cmake'),
      CMAKE_PROJECT_CLConform_INCLUDE: resolve('conformance/cts/cts.cmake'),
      CL_INCLUDE_DIR: resolve('include'),
      // Nothing is linked; the suite wants to be told nevertheless.
      CL_LIB_DIR: resolve('include'),
      SPIRV_INCLUDE_DIR: resolve('include'),
      OPENCL_LIBRARIES: '',
    };
    const words = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
    run('cmake', ['-G', 'Ninja', '-S', suite, '-B', folder, ...words]);
  }
  const targets = [...new Set(programs.map((program) => program.target))];
  run('cmake', ['--build', folder, '--', '-k', '0', ...targets]);
}

function run(command: string, words: readonly string[]): void {
  const { error } = spawnSync(command, words, { stdio: 'inherit' });
  if (error)
    throw new Error(`${command} does not start (${error.message}); the suite needs CMake, Ninja and clang`);
}
