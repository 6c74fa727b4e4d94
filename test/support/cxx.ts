/** Whether the machine has a clang for programs in C++. Tests that need it are skipped elsewhere, and say what to install. */
import { whatToInstall } from '../../src/cli/cxx/install-words.ts';
import { findToolchain } from '../../src/cli/cxx/toolchain.ts';

const lacks = whatToInstall(findToolchain(), 'a program of the tests');

export const hasCxx = lacks === undefined;
if (!hasCxx) console.warn(`tests that need clang for programs in C++ are skipped: ${lacks}`);
