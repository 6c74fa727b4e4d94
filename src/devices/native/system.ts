/**
 * What machine code needs of the operating system: pages to put it in, and calls of addresses, both through koffi. Each thread opens it for
 * itself; addresses are the same in all threads of a process.
 *
 * koffi is a package that need not be there, as for devices/icd. Linux on x86-64 only: elsewhere the numbers below or the calling convention are
 * others.
 */
import { machineModule, operatingSystem, optionalModule } from '../../runtime/host.ts';
import { firstLine, type Koffi } from '../icd/driver.ts';

export interface System {
  /** A new range of whole pages, readable and writable; -1 if there is none. */
  map(bytes: number): bigint;
  unmap(address: bigint, bytes: number): void;
  /** False if the system refuses. */
  protect(address: bigint, bytes: number, access: keyof typeof accesses): boolean;
  /** Whether pages belong to some mapping, whatever may be done with them. */
  isMapped(address: bigint, bytes: number): boolean;
  /** Whether the byte at an address can be read. Asked of the system, which answers for any address. */
  isReadable(address: bigint): boolean;
  copy(to: bigint, bytes: Uint8Array): void;
  addressOf(bytes: ArrayBufferView): bigint;
  /** The function at an address, called with numbers and addresses. */
  function(
    address: bigint,
    result: string,
    parameters: readonly string[],
  ): (...values: (number | bigint)[]) => number;
  /** The address of a function that machine code may call, on this thread, with so many 32-bit numbers; it gives one. */
  callback(call: (...values: number[]) => number, count: number): bigint;
}

/** Who may do what with pages: never write and execute. */
const accesses = { none: 0, write: 3, execute: 5 } as const;
const privateAnonymous = 0x22;

/** Pages of every x86-64 system. */
export const pageBytes = 4096;

let opened: System | string | undefined;

/** The system's functions; or, in words, why machine code cannot be run here. */
export function openSystem(): System | string {
  opened ??= open();
  return opened;
}

function open(): System | string {
  const where = operatingSystem();
  const { arch } = (machineModule('node:os') ?? {}) as { arch?(): string };
  if (arch?.() !== 'x64') return 'machine code is made for x86-64 only, and this is another processor';
  if (where !== 'linux')
    return `machine code is run on Linux only, and this is ${where ?? 'no system that is known'}`;
  let koffi: Koffi | undefined;
  try {
    koffi = optionalModule('koffi') as Koffi | undefined;
  } catch (error) {
    return `machine code needs the package 'koffi', which cannot be loaded: ${firstLine(error)}`;
  }
  if (!koffi) return 'machine code cannot be called from here';
  if (koffi.sizeof('void *') !== 8) return 'machine code is run on 64-bit systems only';
  try {
    return bind(koffi);
  } catch (error) {
    return `machine code needs the C library's functions, which cannot be found: ${firstLine(error)}`;
  }
}

/** Names by which the C library is known. */
const libraries = ['libc.so.6', 'libc.so'];

function bind(koffi: Koffi): System {
  const library = firstOf(libraries, (name) => koffi.load(name));
  const use = <T>(name: string, result: string, parameters: readonly string[]): T =>
    library.func(name, result, parameters) as T;
  type Call = (...values: unknown[]) => number | bigint;
  const mmap = use<Call>('mmap', 'intptr_t', ['uintptr_t', 'size_t', 'int', 'int', 'int', 'intptr_t']);
  const munmap = use<Call>('munmap', 'int', ['uintptr_t', 'size_t']);
  const mprotect = use<Call>('mprotect', 'int', ['uintptr_t', 'size_t', 'int']);
  const mincore = use<Call>('mincore', 'int', ['uintptr_t', 'size_t', 'void *']);
  const memcpy = use<Call>('memcpy', 'uintptr_t', ['uintptr_t', 'void *', 'size_t']);
  const pipe = use<Call>('pipe', 'int', ['void *']);
  const write = use<Call>('write', 'intptr_t', ['int', 'uintptr_t', 'size_t']);
  const close = use<Call>('close', 'int', ['int']);
  return {
    map: (bytes) => BigInt(mmap(0, bytes, accesses.write, privateAnonymous, -1, 0)),
    unmap: (address, bytes) => void munmap(address, bytes),
    protect: (address, bytes, access) => Number(mprotect(address, bytes, accesses[access])) === 0,
    isMapped: (address, bytes) =>
      Number(mincore(address, bytes, new Uint8Array(Math.ceil(bytes / pageBytes)))) === 0,
    isReadable: (address) => {
      const ends = new Int32Array(2);
      if (Number(pipe(ends)) !== 0) return true;
      const written = Number(write(ends[1], address, 1));
      close(ends[0]);
      close(ends[1]);
      return written === 1;
    },
    copy: (to, bytes) => void memcpy(to, bytes, bytes.length),
    addressOf: (bytes) => BigInt(koffi.address(bytes as Uint8Array)),
    // As koffi makes it: a function of ours around it, which passes on what it is given, would take ten times as long as the call.
    function: (address, result, parameters) =>
      koffi.decode(address, koffi.proto(result, parameters)) as (...values: (number | bigint)[]) => number,
    callback: (call, count) => {
      const type = koffi.proto('int32_t', new Array<string>(count).fill('int32_t'));
      return koffi.register(call, koffi.pointer(type));
    },
  };
}

/** The first that can be made. */
function firstOf<T>(names: readonly string[], make: (name: string) => T): T {
  let failure: unknown;
  for (const name of names) {
    try {
      return make(name);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}
