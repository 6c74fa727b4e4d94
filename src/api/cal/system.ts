/**
 * CAL at work for one program: what calInit begins and calShutdown ends. Its methods, and those of its parts, are the runtime's functions as they
 * fail by exceptions; {@link CalSystem.run} makes results of them. JavaScript (index.ts) and C (c/) both stand on it.
 */
import type { LaunchRules } from '../../runtime/context.ts';
import type { Device } from '../../runtime/device.ts';
import type { MemoryPool } from '../../runtime/memory-pool.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { Compiler, calVersion } from './compiler.ts';
import * as C from './constants.ts';
import type { CalContext } from './context.ts';
import { Contexts } from './contexts.ts';
import { Extensions } from './counting-and-sampling.ts';
import { CalDevice } from './device.ts';
import { chosenKinds, type DeviceKind, deviceKinds } from './devices.ts';
import { CalError, failed, invalid } from './error.ts';
import { Handles } from './handles.ts';
import { Modules } from './modules.ts';
import { instead, Registry } from './registry.ts';
import { orFailed, type Resource } from './resource.ts';
import { Resources } from './resources.ts';
import { Runtimes } from './runtimes.ts';
import type * as S from './structures.ts';

export interface SystemOptions {
  /** What runs programs: the first one is the first device, and the cards run on it. Called by calInit. */
  readonly devices: () => readonly Device[];
  /** Which of the devices there are, by parts of their names with commas between; default all. */
  readonly chosen?: string | undefined;
  /** The memory of a host program, in which resources then lie. */
  readonly pool?: MemoryPool | undefined;
  /** What holds for all programs that run. */
  readonly launches?: LaunchRules | undefined;
}

const noError = 'No error';

export class CalSystem {
  readonly compiler: Compiler;
  readonly resources: Resources;
  readonly contexts: Contexts;
  readonly modules: Modules;
  readonly extensions: Extensions;
  readonly #options: SystemOptions;
  readonly #registry: Registry;
  #runtimes: Runtimes | undefined;
  readonly #open = new Map<number, CalDevice>();
  #errorText = noError;

  constructor(options: SystemOptions, handles = new Handles()) {
    this.#options = options;
    this.#registry = new Registry(handles);
    this.compiler = new Compiler(handles);
    this.resources = new Resources(this.#registry);
    this.modules = new Modules(this.#registry, this.compiler);
    this.contexts = new Contexts(this.#registry, this.modules);
    this.extensions = new Extensions(this.#registry);
  }

  /** calGetErrorString: about the last function of the runtime that was called. */
  get errorText(): string {
    return this.#errorText;
  }

  /** A function of the runtime: what it throws is its result, and its words are the error text. */
  run(call: () => void): C.CALresult {
    this.#registry.warning = undefined;
    const { result, message } = outcome(call);
    const isWarning = result === C.CAL_RESULT_OK && this.#registry.warning !== undefined;
    this.#errorText = isWarning ? this.#registry.warning! : message;
    return isWarning ? C.CAL_RESULT_WARNING : result;
  }

  /** The same for a question whose answer no means CAL_RESULT_PENDING. */
  ask(call: () => boolean): C.CALresult {
    let answer = false;
    const result = this.run(() => {
      answer = call();
    });
    return result === C.CAL_RESULT_OK && !answer ? C.CAL_RESULT_PENDING : result;
  }

  /** A function of the compiler. */
  runCompiler(call: () => void): C.CALresult {
    this.compiler.errorText = '';
    const { result, message } = outcome(call);
    if (result !== C.CAL_RESULT_OK) this.compiler.errorText = message;
    else if (this.compiler.errorText === '') this.compiler.errorText = noError;
    return result;
  }

  // System (guide, B.3.1)

  init(): void {
    if (this.#registry.kinds) throw new CalError(C.CAL_RESULT_ALREADY, 'CAL is initialized already');
    const kinds = deviceKinds(this.#options.devices());
    const chosen = chosenKinds(kinds, this.#options.chosen);
    if (chosen.length === 0) throw failed('there are no devices');
    this.#registry.kinds = chosen;
    const devices = chosen.map(({ device }) => device);
    const { pool, launches } = this.#options;
    this.#runtimes = new Runtimes(devices, pool, launches);
  }

  shutdown(): void {
    this.#registry.ready();
    for (const device of [...this.#open.values()]) this.#close(device);
    this.#runtimes?.close();
    this.#runtimes = undefined;
    this.#registry.kinds = undefined;
  }

  getVersion(): readonly [number, number, number] {
    this.#registry.ready();
    return calVersion;
  }

  /** What waits for this thread goes on; called now and then while a program sleeps. */
  attend(): void {
    this.#runtimes?.attend();
  }

  // Devices (B.3.2)

  deviceCount(): number {
    return this.#registry.ready().length;
  }

  /** By its ordinal. @throws CalError CAL_RESULT_INVALID_PARAMETER */
  deviceKind(ordinal: number): DeviceKind {
    const kinds = this.#registry.ready();
    const kind = Number.isInteger(ordinal) ? kinds[ordinal] : undefined;
    if (!kind) throw invalid(`${ordinal} is no device: there are ${kinds.length}`);
    return kind;
  }

  deviceOpen(ordinal: number): S.CALdevice {
    const kind = this.deviceKind(ordinal);
    if (this.#open.has(ordinal)) throw failed(`device ${ordinal} is open already`);
    const device = orFailed(() => new CalDevice(kind, this.#runtimes!));
    this.#open.set(ordinal, device);
    return this.#registry.handles.add(device).handle;
  }

  /** @throws CalError CAL_RESULT_INVALID_PARAMETER: calDeviceGetStatus has no other code */
  deviceStatus(device: S.CALdevice): S.CALdevicestatus {
    this.#registry.ready();
    return instead(invalid, () => this.#registry.device(device).status);
  }

  /** @throws CalError CAL_RESULT_ERROR: calDeviceClose has no other code */
  deviceClose(device: S.CALdevice): void {
    this.#registry.ready();
    this.#close(instead(failed, () => this.#registry.device(device)));
  }

  #close(device: CalDevice): void {
    for (const context of [...device.contexts]) this.contexts.end(context);
    for (const resource of [...device.resources]) {
      if (this.resources.passOn(resource, this.#open.values())) continue;
      this.contexts.letGo(resource);
      this.resources.release(resource);
    }
    this.#registry.handles.remove(device);
    for (const [ordinal, open] of this.#open) if (open === device) this.#open.delete(ordinal);
  }

  /** The functions of Direct3D check that there is a device, and no more. */
  checkDevice(device: S.CALdevice): void {
    this.#registry.device(device);
  }

  /** @throws CalError CAL_RESULT_NOT_INITIALIZED */
  checkReady(): void {
    this.#registry.ready();
  }

  /** @throws CalError CAL_RESULT_BAD_HANDLE */
  context(handle: S.CALcontext): CalContext {
    return this.#registry.context(handle);
  }

  /** @throws CalError CAL_RESULT_BAD_HANDLE */
  resource(handle: S.CALresource): Resource {
    return this.#registry.resource(handle);
  }
}

/** The result of a call, and what it says. */
function outcome(call: () => void): { result: C.CALresult; message: string } {
  try {
    call();
    return { result: C.CAL_RESULT_OK, message: noError };
  } catch (error) {
    if (error instanceof CalError) return { result: error.result, message: error.message };
    if (error instanceof OpenCLError) return { result: C.CAL_RESULT_ERROR, message: error.message };
    throw error;
  }
}
