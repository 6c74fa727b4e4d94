/** Runs programs in C or C++ that were compiled for WASI: docs/c-hosts.md. */
import { deviceOfEnvironment, devicesOf } from '../api/brook/devices.ts';
import { loadText } from '../api/brook/load-text.ts';
import { appendTo, type LogFunction } from '../api/brook/log-file.ts';
import { BrookHost, BrookProgram, brookModule } from '../api/brook/program-functions.ts';
import { BrookSession } from '../api/brook/session.ts';
import { CHost, defaultPlatform, openclFunctions, openclModule } from '../api/c/index.ts';
import { CalHost, calFunctions, calModule } from '../api/cal/c/functions.ts';
import type { CalError } from '../api/cal/error.ts';
import { CL } from '../api/opencl/constants.ts';
import type { CLPlatform } from '../api/opencl/platform.ts';
import { type BlasFunctions, blasFunctions, blasModule } from '../blas/c/functions.ts';
import { flushOutputName } from '../hosted/flush-output.ts';
import { type MPIFunction, mpiFunctions, mpiModule } from '../mpi/c/index.ts';
import type { LaunchRules } from '../runtime/context.ts';
import { environment, hasSharedMemory, threadsAreIndependent } from '../runtime/host.ts';
import { besideProgram } from '../runtime/observe-calls.ts';
import type { OpenCLError } from '../runtime/status.ts';
import type { ThreadFile } from '../runtime/thread-file.ts';
import { shown } from '../source/shown.ts';
import type { OutputFunction } from './descriptors.ts';
import { folderFiles } from './folder-files.ts';
import { appendInMemory, type MemoryFiles } from './memory-files.ts';
import { memorySystem } from './memory-system.ts';
import { nodeSystem } from './node-wasi.ts';
import { memoryImport, shareMemory, tableName, threadImport } from './share-memory.ts';
import { printerOf, standardError, toConsole, type WriteFunction } from './standard-output.ts';
import { type System, systemModule } from './system.ts';
import { futexFunctions } from './threads/futex.ts';
import { memberFile, type Served, ThreadServer } from './threads/server.ts';
import { waitingFunctions } from './threads/waiting.ts';
import { type Imports, Reasons, tracedBrook, tracedImports } from './trace-imports.ts';
import { tellingOfExceptions } from './uncaught.ts';

export interface RunOptions {
  /** The program's name and what follows it. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Folders of the machine by the names under which the program finds them; default none. */
  readonly folders?: Readonly<Record<string, string>> | undefined;
  /** Runs the program in memory alone: it finds these files instead of any of the machine's. Always so where there is no Node. */
  readonly inMemory?: MemoryStreams | undefined;
  /** What clGetPlatformIDs lists; default Millrace's own platform. */
  readonly platforms?: readonly CLPlatform[] | undefined;
  /** The type that all devices pretend to have, for programs that look for no other: see CL.DEVICE_TYPE_*. */
  readonly deviceType?: number | undefined;
  /** Takes what kernels print; default the program's standard output. */
  readonly print?: ((text: string) => void) | undefined;
  /** Told of each function of OpenCL or CAL that fails, and why. */
  readonly onError?: ((name: string, error: OpenCLError | CalError) => void) | undefined;
  /** Milliseconds that a kernel may run before its launch fails; default 0, for ever. */
  readonly timeout?: number | undefined;
  /** Told of each kernel, or other command, that failed while it ran, and why: one that ran too long, say. */
  readonly onFailure?: ((message: string) => void) | undefined;
  /** Kernels of the program's .br files, as compileHost gives them. */
  readonly brook?: BrookProgram | undefined;
  /** Where the file of the program's threads is; default beside Millrace. */
  readonly memberFile?: ThreadFile | undefined;
  /** Told of what goes wrong with streams of Brook+. */
  readonly onBrookError?: ((text: string) => void) | undefined;
}

/** What a program sees that runs in memory alone. */
export interface MemoryStreams {
  readonly files: MemoryFiles;
  /** All of its input; default none. */
  readonly stdin?: Uint8Array | undefined;
  /** Take what it writes; default the machine's standard output, or the console. */
  readonly stdout?: OutputFunction | undefined;
  readonly stderr?: OutputFunction | undefined;
}

/** A file that is no program, or none that can run here. */
export class ProgramError extends Error {
  override name = 'ProgramError';
}

/** @throws ProgramError that says what a page lacks, where programs cannot run */
export function checkSharedMemory(): void {
  if (hasSharedMemory()) return;
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  const why =
    crossOriginIsolated === false
      ? 'which this page has not, as it is not cross-origin isolated: it must come with the headers ' +
        'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp'
      : 'which is not to be had here';
  throw new ProgramError(`programs need memory that threads share, ${why}`);
}

/** Pages of 64 KiB that the memory of a program can grow to: 4 GiB, and less where so much address space is not to be had. */
const mostPages = 65536;
const leastPages = 4096;

/**
 * Runs a program to its end and gives its exit code.
 * @throws ProgramError if it is none; WebAssembly.RuntimeError if it traps
 */
export function runProgram(bytes: Uint8Array, options: RunOptions = {}): number {
  return besideProgram(() => runBytes(bytes, options));
}

function runBytes(bytes: Uint8Array, options: RunOptions): number {
  checkSharedMemory();
  if (!threadsAreIndependent() && startThreads(options.platforms ?? [defaultPlatform()]))
    throw new ProgramError('a program that runs here would keep threads from starting: use startProgram');
  const loaded = load(bytes);
  const { module, memory, imported, maximumPages } = loaded;
  let instance: WebAssembly.Instance | undefined;
  let server: ThreadServer | undefined;
  const reasons = new Reasons();
  const onError: RunOptions['onError'] = (name, error) => {
    reasons.note(error.message);
    options.onError?.(name, error);
  };
  const host = new CHost({
    memory,
    maximumPages,
    table: () => instance?.exports[tableName] as WebAssembly.Table | undefined,
    callProgram: loaded.others && ((pointer) => server!.callback(pointer)),
    platforms: options.platforms,
    deviceType: options.deviceType,
    print: (text) => print(text),
    files: options.inMemory?.files ?? folderFiles(options.folders ?? {}),
    launches: launchRules(options),
    onError,
  });
  const cal = calHost(host, { ...options, onError });
  const attend = (): void => {
    cal.system.attend();
    host.attend();
  };
  const system = systemFor(options, memory, attend);
  const hasFlush = WebAssembly.Module.exports(module).some(({ name }) => name === flushOutputName);
  const flush = () => {
    if (!server) (instance?.exports[flushOutputName] as (() => void) | undefined)?.();
    else if (hasFlush) server.flush();
  };
  const print = options.print ?? printerOf(host, system.functions['fd_write'] as WriteFunction, flush);
  const functions = openclFunctions(host);
  const opencl = loaded.others ? waitingFunctions(host, functions) : functions;
  const provided: Record<string, Record<string, unknown>> = {
    [openclModule]: tracedImports('OpenCL', opencl as Imports, host.memory, reasons),
    [calModule]: tracedImports('CAL', calFunctions(cal) as Imports, host.memory, reasons),
    [systemModule]: system.functions,
  };
  if (WebAssembly.Module.imports(module).some(({ module: from }) => from === mpiModule))
    provided[mpiModule] = mpiImports(host, memory);
  const usesBlas = WebAssembly.Module.imports(module).some(({ module: from }) => from === blasModule);
  const blas = usesBlas ? blasOf(host, memory, system, flush) : undefined;
  if (blas) provided[blasModule] = blas.functions;
  const onBrookError = (text: string): void => {
    reasons.note(text);
    options.onBrookError?.(text);
  };
  const kernels = options.brook ?? (bringsKernels(module) ? new BrookProgram() : undefined);
  const brook = kernels && brookHost(kernels, memory, { ...options, onBrookError });
  if (kernels && brook) provided[brookModule] = tracedBrook(brook.functions as Imports, kernels, reasons);
  // As the linker imports what other people's headers declare, which do not say where it is.
  provided[anywhere] = { ...provided[openclModule], ...provided[calModule] };
  const ofMemory = provided[imported.module];
  provided[imported.module] = { ...ofMemory, [imported.name]: memory };
  // Threads do these themselves, where there are any; one that has no others has nobody to leave.
  const alone = futexFunctions(memory, () => {
    throw new WebAssembly.RuntimeError('its only thread has ended');
  });
  provided[memoryImport.module] = { ...provided[memoryImport.module], ...alone };
  if (loaded.others) provided[threadImport.module] = { [threadImport.name]: () => undefined };
  checkImports(module, provided);
  const exportsFunction = (wanted: string): boolean =>
    WebAssembly.Module.exports(module).some(({ name, kind }) => name === wanted && kind === 'function');
  if (!exportsFunction('_start'))
    throw new ProgramError("it exports no function '_start': compile it as a command, not as a library");
  if (loaded.others && !threadsAreIndependent())
    throw new ProgramError('it starts threads, which would not start while it runs here: use startProgram');
  if (loaded.others && !exportsFunction('wasi_thread_start'))
    throw new ProgramError("it starts threads and exports no function 'wasi_thread_start' for them");
  let exports: WebAssembly.Exports;
  if (loaded.others) {
    const names = WebAssembly.Module.imports(module);
    server = new ThreadServer({
      module,
      others: loaded.others,
      memory,
      imported,
      functions: names.map(({ module: from, name }) => provided[from]?.[name] as Served | undefined),
      initialPages: loaded.initialPages,
      attend,
      onThread: (number) => brook?.onThread(number),
      onEnd: (number) => brook?.leaveThread(number),
      exit: (code) => (system.functions['proc_exit'] as (code: number) => void)(code),
      file: options.memberFile ?? memberFile(),
    });
    exports = { _start: () => server!.run() };
  } else {
    instance = new WebAssembly.Instance(module, provided as WebAssembly.Imports);
    exports = tellingOfExceptions(instance.exports);
  }
  try {
    return system.start(exports, memory);
  } finally {
    brook?.close();
    blas?.close();
    cal.close();
    host.close();
  }
}

/** The module of imports that have none. */
const anywhere = 'env';

/** MPI, in the program's memory. */
function mpiImports(host: CHost, memory: WebAssembly.Memory): Readonly<Record<string, MPIFunction>> {
  const { pool } = host.memory;
  return mpiFunctions({
    memory,
    callback: (pointer) => host.callback(pointer),
    take: (bytes) => pool.take(bytes),
    giveBack: (block) => pool.giveBack(block),
    fail: (message) => {
      throw new ProgramError(message);
    },
  }).functions;
}

/** BLAS on the first device that the program finds. */
function blasOf(host: CHost, memory: WebAssembly.Memory, system: System, flush: () => void): BlasFunctions {
  const { pool } = host.memory;
  const [device] = host.platforms.flatMap((platform) => platform.getDevices(everyType));
  return blasFunctions({
    memory,
    device: device?.runtime.id ?? 'wasm',
    callback: (pointer) => host.callback(pointer),
    take: (bytes) => pool.take(bytes),
    giveBack: (block) => pool.giveBack(block),
    print: printerOf(host, system.functions['fd_write'] as WriteFunction, flush, standardError),
    exit: (code) => {
      flush();
      (system.functions['proc_exit'] as (code: number) => void)(code);
    },
    fail: (message) => {
      throw new ProgramError(message);
    },
  });
}

function launchRules({ timeout, onFailure }: RunOptions): LaunchRules {
  return { timeout, onFailure };
}

function startThreads(platforms: readonly CLPlatform[]): boolean {
  const devices = platforms.flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL));
  return devices.some(({ runtime }) => runtime.startsThreads !== false);
}

function systemFor(options: RunOptions, memory: WebAssembly.Memory, attend: () => void): System {
  const { args = ['program'], env = {}, folders = {}, inMemory } = options;
  if (!inMemory) {
    let system: System | undefined;
    try {
      system = nodeSystem({ args, env }, folders, memory, attend);
    } catch (error) {
      // The one thing that WASI is asked for and may not have.
      const named = Object.values(folders).join(', ');
      throw new ProgramError(`it is to find folders that are not all there: ${named}`, { cause: error });
    }
    if (!system) throw new ProgramError('there are no folders here: give it files in memory');
    return system;
  }
  const { files, stdin = new Uint8Array(0), stdout = toConsole(), stderr = toConsole() } = inMemory;
  return memorySystem({ args, env, files, stdin, stdout, stderr }, memory, attend);
}

/** Whether a program is in C++, with its kernels as text, as brcc writes them, or with streams alone. */
function bringsKernels(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.imports(module).some(
    ({ module: from, name }) => from === brookModule && (name === 'load' || name === 'create_named'),
  );
}

/** Brook+ on the device, and with the habits, that the program's environment or the machine's asks for. */
function brookHost(program: BrookProgram, memory: WebAssembly.Memory, options: RunOptions): BrookHost {
  const variable = (name: string): string | undefined => options.env?.[name] ?? environment(name);
  const log = brookLog(variable('BRT_LOG_FILE'), options);
  return new BrookHost(program, {
    memory,
    device: () => deviceOfEnvironment(variable, options.platforms),
    devices: () => devicesOf(options.platforms),
    session: (device) => new BrookSession(device, launchRules(options), log),
    permitsAliasing: variable('BRT_PERMIT_READ_WRITE_ALIASING') !== undefined,
    onError: options.onBrookError,
    load: loadText,
  });
}

/** What streams note in their logs goes to a file of the machine, or of those that a program in memory sees. */
function brookLog(path: string | undefined, { inMemory }: RunOptions): LogFunction {
  return (text) => {
    if (!inMemory) appendTo(path, text);
    else if (path) appendInMemory(inMemory.files, path, text);
  };
}

/** CAL on all devices of the platforms that the program is given. */
function calHost(host: CHost, options: RunOptions): CalHost {
  const chosen = options.env?.['MILLRACE_CAL_DEVICES'] ?? environment('MILLRACE_CAL_DEVICES');
  return new CalHost({
    memory: host.memory,
    devices: () =>
      host.platforms.flatMap((platform) => platform.getDevices(everyType).map((device) => device.runtime)),
    chosen,
    callback: (pointer) => host.callback(pointer),
    launches: launchRules(options),
    onError: options.onError,
  });
}

/** The interpreter is a custom device, which DEVICE_TYPE_ALL leaves out. */
const everyType =
  CL.DEVICE_TYPE_CPU | CL.DEVICE_TYPE_GPU | CL.DEVICE_TYPE_ACCELERATOR | CL.DEVICE_TYPE_CUSTOM;

interface Loaded {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly maximumPages: number;
  /** Pages of the memory at the start. */
  readonly initialPages: number;
  /** The module of all threads but the first; undefined if the program starts none. */
  readonly others: WebAssembly.Module | undefined;
  /** As what the module imports the memory. */
  readonly imported: { readonly module: string; readonly name: string };
}

/** Compiles the program for a shared memory, and makes that. */
function load(bytes: Uint8Array): Loaded {
  if (!(bytes instanceof Uint8Array)) throw new ProgramError(`${shown(bytes)} is no Uint8Array`);
  for (let maximumPages = mostPages; ; maximumPages >>= 1) {
    const shared = refusing(() => shareMemory(bytes, maximumPages));
    try {
      const memory = new WebAssembly.Memory({
        initial: shared.initialPages,
        maximum: maximumPages,
        shared: true,
      });
      const module = refusing(() => new WebAssembly.Module(shared.bytes));
      const others = shared.others && new WebAssembly.Module(shared.others);
      const { initialPages } = shared;
      return { module, memory, maximumPages, initialPages, others, imported: shared.memory };
    } catch (error) {
      if (error instanceof ProgramError) throw error;
      if (maximumPages <= leastPages) {
        throw new ProgramError(
          `no address space for the program's memory, of ${shared.initialPages} pages at least`,
          {
            cause: error,
          },
        );
      }
    }
  }
}

/** What is wrong with the file is said of the file. */
function refusing<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new ProgramError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** @throws ProgramError that names everything that nobody provides */
function checkImports(module: WebAssembly.Module, provided: Record<string, Record<string, unknown>>): void {
  const missing = WebAssembly.Module.imports(module)
    .filter(({ module: from, name }) => provided[from]?.[name] === undefined)
    .map(({ module: from, name }) => `${from}.${name}`);
  if (missing.some((name) => name.startsWith(`${brookModule}.`)))
    throw new ProgramError('it was compiled from .br files, whose kernels it does not hold: run those files');
  if (missing.length > 0) throw new ProgramError(`it needs what is not there: ${missing.join(', ')}`);
}
