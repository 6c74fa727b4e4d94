/**
 * The machine's MPI, called through koffi (a package that need not be there). Which library is opened follows the launcher: a program that
 * Open MPI's mpirun started finds its ranks through Open MPI alone.
 *
 * All functions take plain numbers; user addresses have at most 48 bits on all 64-bit systems.
 */
import { environment, machineModule, operatingSystem, optionalModule } from '../runtime/host.ts';
import { type HandleName, textBytes } from './constants.ts';
import type { EngineTable } from './engines/engine-table.ts';
import { mpichTable } from './engines/mpich.ts';
import { openMpiTable } from './engines/open-mpi.ts';
import { standardTable } from './engines/standard.ts';
import { signatures, typeOf } from './signatures.ts';

/** Of koffi what is used. */
interface Koffi {
  load(path: string, options: { readonly global: boolean; readonly lazy: boolean }): NativeLibrary;
  address(bytes: ArrayBufferView): bigint;
  sizeof(type: string): number;
  proto(result: string, parameters: readonly string[]): object;
  pointer(type: object): object;
  register(call: (...values: (number | bigint)[]) => void, type: object): bigint;
  unregister(address: bigint): void;
  view(address: bigint, bytes: number): ArrayBuffer;
}

interface NativeLibrary {
  func(name: string, result: string, parameters: readonly string[]): unknown;
  symbol(name: string): bigint;
}

export type NativeFunction = (...values: number[]) => number;

export interface Library {
  readonly table: EngineTable;
  /** What MPI_Get_library_version says. */
  readonly version: string;
  /** The name that it was opened by. */
  readonly file: string;
  /** @throws Error if the library has no such function: an engine older than that */
  function(name: string): NativeFunction;
  has(name: string): boolean;
  clock(name: 'MPI_Wtime' | 'MPI_Wtick'): number;
  /** The engine's own. @throws Error if it has none such */
  handle(name: HandleName): number;
  /** Of bytes that never move. They are kept by whoever gives the address to a call that does not end at once. */
  addressOf(bytes: ArrayBufferView): number;
  /** The memory behind an address, not copied: void once the engine takes it away. */
  view(address: number, bytes: number): ArrayBuffer;
  /** The address of code that calls a function with addresses, for MPI_Op_create; on this thread only. */
  callback(call: (input: number, inout: number, length: number, type: number) => void): Callback;
}

export interface Callback {
  readonly address: number;
  release(): void;
}

/** Files by which a system knows the engines. */
const files: Readonly<Record<string, Readonly<Record<'open' | 'mpich' | 'standard', readonly string[]>>>> = {
  linux: {
    open: ['libmpi.so.40', 'libmpi.so.20', 'libmpi.so'],
    mpich: ['libmpich.so.12', 'libmpi.so.12', 'libmpich.so'],
    standard: ['libmpi_abi.so.1', 'libmpi_abi.so.0', 'libmpi_abi.so'],
  },
  darwin: {
    open: ['libmpi.40.dylib', 'libmpi.dylib'],
    mpich: ['libmpi.12.dylib', 'libmpich.dylib'],
    standard: ['libmpi_abi.1.dylib', 'libmpi_abi.0.dylib', 'libmpi_abi.dylib'],
  },
};

let loaded: Library | string | undefined;

/** The library, opened at the first call of each thread; or, in words, why there is none. */
export function loadLibrary(): Library | string {
  loaded ??= open();
  return loaded;
}

/** The launcher's engine: it sets variables for the ranks that it starts. */
export function launcher(): 'open' | 'mpich' | undefined {
  if (environment('OMPI_COMM_WORLD_SIZE') !== undefined) return 'open';
  if (environment('PMI_SIZE') !== undefined || environment('PMI_RANK') !== undefined) return 'mpich';
  return undefined;
}

/** How many ranks the launcher has started; undefined if it was none. */
export function launchedRanks(): number | undefined {
  const size = environment('OMPI_COMM_WORLD_SIZE') ?? environment('PMI_SIZE');
  return size === undefined ? undefined : Number(size);
}

/** The files to be tried, the best first. `MILLRACE_MPI` names one, or an engine. */
export function candidates(system: string, wanted: string | undefined): readonly string[] {
  const known = files[system];
  if (!known) return wanted ? [wanted] : [];
  const { open: openMpi, mpich, standard } = known;
  switch (wanted) {
    case undefined:
    case '':
      break;
    case 'openmpi':
      return openMpi;
    case 'mpich':
      return mpich;
    case 'abi':
      return standard;
    default:
      return [wanted];
  }
  // What has the standard's ABI may be either engine, so it comes first where nothing tells of Open MPI: that has had it only since 6.
  return launcher() === 'open' ? [...openMpi, ...standard, ...mpich] : [...standard, ...mpich, ...openMpi];
}

function open(): Library | string {
  let koffi: Koffi | undefined;
  try {
    koffi = optionalModule('koffi') as Koffi | undefined;
  } catch (error) {
    return `MPI needs the package 'koffi', which cannot be loaded: ${firstLine(error)}`;
  }
  if (!koffi) return 'MPI cannot be called from here';
  if (koffi.sizeof('void *') !== 8) return 'MPI is called on 64-bit systems only';
  const names = candidates(operatingSystem() ?? '', environment('MILLRACE_MPI'));
  keepFaultsToEngine();
  let failure = '';
  for (const name of names) {
    try {
      // What an engine loads later looks for its symbols among all.
      return bind(koffi, koffi.load(name, { global: true, lazy: true }), name);
    } catch (error) {
      failure ||= firstLine(error);
    }
  }
  return `there is no MPI (${names.join(', ')}): ${failure}`;
}

/**
 * UCX, on which engines are built, would take the faults with which JavaScript's engine bounds memories for crashes; and it would write into
 * functions of the C library while other threads are in them, to hear of memory that is unmapped, which now and then ended a process.
 */
function keepFaultsToEngine(): void {
  const { env } = (machineModule('node:process') ?? {}) as { env?: Record<string, string | undefined> };
  if (!env) return;
  env['UCX_ERROR_SIGNALS'] ??= 'SIGILL,SIGBUS,SIGFPE';
  env['UCX_MEM_EVENTS'] ??= 'n';
}

function bind(koffi: Koffi, library: NativeLibrary, file: string): Library {
  const addressOf = (bytes: ArrayBufferView): number => Number(koffi.address(bytes));
  const version = versionOf(library, addressOf);
  const table = tableFor(version, file);
  const functions = new Map<string, NativeFunction>();
  const find = (name: string): NativeFunction => {
    let found = functions.get(name);
    if (!found) {
      const parameters = signatures.get(name)!.map((word) => typeOf(word, table.handleType));
      found = library.func(name, 'int32_t', parameters) as NativeFunction;
      functions.set(name, found);
    }
    return found;
  };
  const clocks = {
    MPI_Wtime: library.func('MPI_Wtime', 'double', []) as () => number,
    MPI_Wtick: library.func('MPI_Wtick', 'double', []) as () => number,
  };
  const handles = new Map<HandleName, number>();
  let reduction: object | undefined;
  return {
    table,
    version,
    file,
    function: find,
    has(name) {
      try {
        find(name);
        return true;
      } catch {
        return false;
      }
    },
    clock: (name) => clocks[name](),
    handle(name) {
      let handle = handles.get(name);
      if (handle === undefined) {
        const known = table.handle(name);
        if (known === undefined) throw new Error(`${table.name} has no ${name}`);
        handle = typeof known === 'number' ? known : Number(library.symbol(known));
        handles.set(name, handle);
      }
      return handle;
    },
    addressOf,
    view: (address, bytes) => koffi.view(BigInt(address), bytes),
    callback(call) {
      reduction ??= koffi.pointer(koffi.proto('void', ['uintptr_t', 'uintptr_t', 'uintptr_t', 'uintptr_t']));
      const address = koffi.register(
        (input, inout, length, type) => call(Number(input), Number(inout), Number(length), Number(type)),
        reduction,
      );
      return { address: Number(address), release: () => koffi.unregister(address) };
    },
  };
}

function versionOf(library: NativeLibrary, addressOf: (bytes: ArrayBufferView) => number): string {
  const text = new Uint8Array(textBytes);
  const length = new Int32Array(1);
  const ask = library.func('MPI_Get_library_version', 'int32_t', [
    'uintptr_t',
    'uintptr_t',
  ]) as NativeFunction;
  ask(addressOf(text), addressOf(length));
  return new TextDecoder().decode(text.subarray(0, length[0])).replace(/\0.*$/s, '').trim();
}

/** @throws Error for an engine that nothing is known of */
function tableFor(version: string, file: string): EngineTable {
  if (/libmpi_abi\b/.test(file)) return standardTable;
  if (/^Open MPI\b/.test(version)) return openMpiTable;
  if (/MPICH|Intel\(R\) MPI|MVAPICH/.test(version)) return mpichTable;
  throw new Error(`${file} is an MPI that is not known: ${firstLine(version)}`);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!;
}
