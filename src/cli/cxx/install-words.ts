/** What to install for programs in C++, in one message with commands to type. */
import { existsSync } from 'node:fs';
import { fits, type Part, type Toolchain } from './toolchain.ts';

const partNames: Readonly<Record<Part, string>> = {
  linker: 'the linker wasm-ld',
  libc: 'a C library for WASI',
  'libc++': 'the C++ library for WASI',
  'libc++abi': 'the C++ ABI library for WASI',
  builtins: "clang's functions for wasm32 (libclang_rt.builtins)",
};

/** What is wrong with what was found, as a sentence without its end; undefined if nothing is. */
function fault(found: Toolchain | undefined): string | undefined {
  if (!found) return 'there is no clang++';
  if (fits(found)) return undefined;
  const { command, version, libraryVersion, missing } = found;
  if (missing.length > 0)
    return `${command} has not all that it needs: ${missing.map((part) => partNames[part]).join(', ')}`;
  return `${command} is of version ${version}, older than the C++ library for WASI, of version ${libraryVersion}`;
}

/**
 * The message; undefined if nothing is missing.
 * @param platform as process.platform
 */
export function whatToInstall(
  found: Toolchain | undefined,
  file: string,
  platform: string = process.platform,
): string | undefined {
  const why = fault(found);
  if (why === undefined) return undefined;
  const ways = Object.entries(commands(found)).map(([name, command]) => `  ${name}: ${command}`);
  const first = firstWay(platform);
  ways.sort((a, b) => Number(b.startsWith(`  ${first}`)) - Number(a.startsWith(`  ${first}`)));
  return (
    `${file} is a program in C++, which clang compiles for WebAssembly, and ${why}. Install what is missing:\n` +
    `${ways.join('\n')}\nCXX names another clang++, WASI_SYSROOT the folder of a C library for WASI (docs/cplusplus.md)`
  );
}

function firstWay(platform: string): string {
  if (platform === 'darwin') return 'Homebrew';
  return platform === 'win32' ? 'Windows' : 'Debian';
}

function commands(found: Toolchain | undefined): Readonly<Record<string, string>> {
  // Debian's packages of one version go together; without a number they are the distribution's own.
  const version = found && /-(\d+)$/.exec(found.command)?.[1];
  const dash = version ? `-${version}` : '';
  const debian = [
    `clang${dash}`,
    `lld${dash}`,
    'wasi-libc',
    `libc++${dash}-dev-wasm32`,
    `libc++abi${dash}-dev-wasm32`,
    `libclang-rt${dash}-dev-wasm32`,
  ];
  return {
    'Debian, Ubuntu': `${isRoot() ? '' : 'sudo '}apt-get install ${debian.join(' ')}`,
    Homebrew: 'brew install llvm lld wasi-libc wasi-runtimes',
    Windows:
      'winget install LLVM.LLVM, and WASI_SYSROOT for the wasi-sysroot of https://github.com/WebAssembly/wasi-sdk/releases',
    others:
      'the WASI SDK, https://github.com/WebAssembly/wasi-sdk/releases, and WASI_SDK_PATH for its folder',
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}
