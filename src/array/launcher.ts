/**
 * Kernels made of texts, and their launches: what arrays (engine.ts) and the numerical libraries (src/blas, src/fft, src/linalg) have in
 * common. A source is compiled once and kept; all kernels of a launcher share one queue, so they run in the order of their launches.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import { type CompileOptions, compile, compileOn } from '../api/javascript/compile.ts';
import type { Kernel, LaunchRange } from '../api/javascript/kernel.ts';
import type { Program, ProgramOptions } from '../api/javascript/program.ts';
import type { SessionGroup } from '../api/javascript/session-group.ts';
import type { Device as RuntimeDevice } from '../runtime/device.ts';
import { invalid } from './errors.ts';

/** Part of a device, as the OpenCL API has it: CLDevice, also of createSubDevices. */
export interface DeviceOfApi {
  readonly runtime: RuntimeDevice;
  /** What it shares a context with. */
  readonly group?: SessionGroup;
}

export interface LauncherOptions extends Omit<ProgramOptions, 'device'> {
  readonly device?: ProgramOptions['device'] | DeviceOfApi;
}

/** How a launcher makes programs of sources. */
export interface SourceForm {
  /** Before each source. */
  readonly prologue: string;
  /** What messages call it. */
  readonly name: string;
  /** Kernels that are kept; those that were not used for longest go. */
  readonly mostKernels: number;
  /** What a released launcher says. */
  readonly released: string;
}

type Made = Promise<{ readonly program: Program; readonly kernel: Kernel }>;

const isOfApi = (device: unknown): device is DeviceOfApi =>
  typeof device === 'object' && device !== null && 'runtime' in device;

/** Compiles for any device, also for one that is no entry of `devices()`. */
function compileFor(
  source: string,
  { device, ...options }: LauncherOptions,
  name?: string,
): Promise<Program> {
  const more: Omit<CompileOptions, 'device'> = name === undefined ? options : { ...options, name };
  return isOfApi(device)
    ? compileOn(device.runtime, source, more, undefined, device.group)
    : compile(source, device === undefined ? more : { ...more, device });
}

export class Launcher {
  /** Holds the buffers. */
  readonly program: Program;
  readonly #options: LauncherOptions;
  readonly #form: SourceForm;
  readonly #kernels = new Map<string, Made>();
  #released = false;
  #last: Promise<unknown> | undefined;
  #failure: unknown;

  constructor({ program, options }: OpenedProgram, form: SourceForm) {
    this.program = program;
    this.#options = options;
    this.#form = form;
  }

  get isGpu(): boolean {
    return this.program.device.info.type === 'gpu';
  }

  check(): void {
    if (this.#released) throw invalid(this.#form.released);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    for (const made of this.#kernels.values()) releaseLater(made);
    this.program.release();
  }

  /** The one kernel of a source. */
  async kernel(source: string): Promise<Kernel> {
    this.check();
    let made = this.#kernels.get(source);
    if (made) this.#kernels.delete(source);
    else made = this.#compile(source);
    this.#kernels.set(source, made);
    if (this.#kernels.size > this.#form.mostKernels) this.#dropOldest();
    return (await made).kernel;
  }

  async #compile(source: string): Made {
    const { prologue, name } = this.#form;
    const program = await compileFor(prologue + source, this.#options, name);
    return { program, kernel: program.kernel(program.kernelNames[0]!) };
  }

  #dropOldest(): void {
    const [oldest] = this.#kernels;
    if (!oldest) return;
    const [source, made] = oldest;
    this.#kernels.delete(source);
    releaseLater(made);
  }

  /**
   * Launches a kernel behind all that have been launched before. Its errors come when something is read: `failed` rejects at once
   * only for what is wrong with the call.
   */
  async launch(source: string, range: LaunchRange, values: readonly KernelArgument[]): Promise<void> {
    const kernel = await this.kernel(source);
    this.check();
    this.#last = kernel(range, ...values);
    this.#last.catch((error) => {
      this.#failure ??= error;
    });
  }

  /** That all launches so far have ended well. */
  async finish(): Promise<void> {
    await this.#last?.catch(() => {});
    if (this.#failure === undefined) return;
    const failure = this.#failure;
    this.#failure = undefined;
    throw failure;
  }
}

/** The first program on a device, and with what options the others are compiled. */
export interface OpenedProgram {
  readonly program: Program;
  readonly options: LauncherOptions;
}

/** @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND */
export async function openLauncher(options: LauncherOptions): Promise<OpenedProgram> {
  const program = await compileFor('kernel void nothing(void) { }', options);
  // All kernels run where the first one does.
  const { prefer: _, device, ...rest } = options;
  const own = program.device.id === 'webgpu' ? 'webgpu' : program.device;
  return { program, options: { ...rest, device: isOfApi(device) ? device : own } };
}

function releaseLater(made: Made): void {
  made.then(
    ({ program }) => program.release(),
    () => {},
  );
}
