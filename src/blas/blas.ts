/** What `const lib = await blas()` gives: a method for each routine, on a device. */
import type { DeviceBuffer, TypedArray } from '../api/javascript/device-buffer.ts';
import { checkKeys } from '../api/javascript/known-keys.ts';
import type { Device } from '../api/javascript/program.ts';
import { openGroup } from '../api/javascript/session-group.ts';
import type { SharedMemory } from '../api/javascript/shared-memory.ts';
import { invalid } from '../array/errors.ts';
import type { LauncherOptions } from '../array/launcher.ts';
import { dispose } from '../runtime/dispose.ts';
import { Balance, type BalanceReport } from './balanced-gemm.ts';
import { Core } from './core.ts';
import { batchCallOf } from './gemm-batch.ts';
import { elementRoutines } from './level-1-elements.ts';
import { reductionRoutines } from './level-1-reductions.ts';
import { level2Routines } from './level-2.ts';
import { level3Routines } from './level-3.ts';
import { type Complex, numberKinds } from './number-kinds.ts';
import {
  type ComplexRotation,
  complexRotg,
  type ModifiedRotation,
  type Rotation,
  rotg,
  rotmg,
} from './rotations.ts';
import { callOf } from './routine.ts';
import type { RoutineMethods } from './routine-types.ts';

/** Where routines run: as for `compile`; a device may also be one of the OpenCL API, which may be a part of another. */
export interface BlasOptions extends Pick<LauncherOptions, 'device' | 'prefer' | 'timeout'> {
  /** In place of `device`: large products of matrices are done by all of them, all else by the first. */
  readonly devices?: readonly NonNullable<LauncherOptions['device']>[] | undefined;
}

/**
 * Opens a device for routines.
 * @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND
 */
export async function blas(options: BlasOptions = {}): Promise<Blas> {
  checkKeys(options, ['device', 'devices', 'prefer', 'timeout'], 'CL_INVALID_VALUE', 'blas takes');
  const { devices, ...rest } = options;
  if (devices === undefined) return new Blas([await Core.open(rest, 'blas')]);
  if (rest.device !== undefined || rest.prefer !== undefined || devices.length === 0) {
    throw invalid('give one or more devices, and no other one');
  }
  const shared = devices.length === 1 ? devices : await openGroup(devices, rest.timeout);
  return new Blas(await Promise.all(shared.map((device) => Core.open({ ...rest, device }, 'blas'))));
}

const families = [elementRoutines, reductionRoutines, level2Routines, level3Routines];

/** These methods are given to the class in its static block. */
export interface Blas extends RoutineMethods {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: as CLCommandQueue, the methods are those of the families
export class Blas {
  readonly #core: Core;
  readonly #cores: readonly Core[];
  readonly #balance: Balance;

  static {
    const define = (name: string, call: ReturnType<typeof callOf>): void => {
      const method = function (this: Blas, ...given: readonly unknown[]): Promise<unknown> {
        return call(this.#core, given, this.#balance);
      };
      if (name in Blas.prototype) throw new Error(`two routines are called ${name}`);
      Object.defineProperty(method, 'name', { value: name });
      Object.defineProperty(Blas.prototype, name, { value: method, configurable: true, writable: true });
    };
    for (const routine of families.flat()) define(routine.name, callOf(routine));
    for (const kind of Object.values(numberKinds)) define(`${kind.letter}gemm_batch`, batchCallOf(kind));
  }

  /** Made by {@link blas}. */
  constructor(cores: readonly Core[]) {
    this.#core = cores[0]!;
    this.#cores = cores;
    this.#balance = new Balance(cores);
  }

  /** Who did what of the last product that several devices have done. */
  get report(): BalanceReport | undefined {
    return this.#balance.report;
  }

  get device(): Device {
    return this.#core.program.device;
  }

  /** Why that is not the preferred device, in words. */
  get fallback(): string | undefined {
    return this.#core.program.fallback;
  }

  /** Memory of the device: so many bytes, or a copy of a typed array. What other programs have on the device does as well. */
  buffer(content: number | TypedArray): DeviceBuffer {
    this.#core.check();
    return this.#core.program.buffer(content);
  }

  /** So many bytes of shared virtual memory. */
  shared(bytes: number): SharedMemory {
    this.#core.check();
    return this.#core.program.shared(bytes);
  }

  srotg(a: number, b: number): Rotation {
    return rotg(Math.fround(a), Math.fround(b), Math.fround);
  }

  drotg(a: number, b: number): Rotation {
    return rotg(a, b, Number);
  }

  crotg(a: Complex, b: Complex): ComplexRotation {
    const rounded = ([re, im]: Complex): Complex => [Math.fround(re), Math.fround(im)];
    return complexRotg(rounded(a), rounded(b), Math.fround);
  }

  zrotg(a: Complex, b: Complex): ComplexRotation {
    return complexRotg(a, b, Number);
  }

  srotmg(d1: number, d2: number, b1: number, b2: number): ModifiedRotation<Float32Array> {
    const given = [d1, d2, b1, b2].map(Math.fround) as [number, number, number, number];
    return rotmg(given, Float32Array, Math.fround);
  }

  drotmg(d1: number, d2: number, b1: number, b2: number): ModifiedRotation<Float64Array> {
    return rotmg([d1, d2, b1, b2], Float64Array, Number);
  }

  /** Resolves when all routines so far have ended. */
  finish(): Promise<void> {
    return this.#core.run(async () => this.#core.program.finish());
  }

  /** Gives the kernels and the memory back. */
  release(): void {
    for (const core of this.#cores) core.release();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }
}
