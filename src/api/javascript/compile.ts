/**
 * The short form: compile a source, call its kernels like functions, await the results.
 *
 *     const program = await compile(source);
 *     const saxpy = program.kernel('saxpy');
 *     await saxpy({ global: [n] }, 2, x, y);
 */

import { isExecutableBinary } from '../../build/is-program-binary.ts';
import { begin } from '../../build/machine.ts';
import type { FileSystem } from '../../c/preprocessor.ts';
import { nativeDevices, nativeProblems } from '../../devices/icd/discover.ts';
import { ownDevices } from '../../devices/own.ts';
import { isRequested, type RequestedId, requestedDevices, requestNamed } from '../../devices/requested.ts';
import { Part } from '../../parts/part.ts';
import type { OpenDevice, Device as RuntimeDevice } from '../../runtime/device.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { binaryReader } from './binary-reader.ts';
import { checkKeys } from './known-keys.ts';
import {
  type Device,
  entryOf,
  onDevice,
  openProgram,
  type Program,
  type ProgramOptions,
  preferring,
} from './program.ts';
import type { SessionGroup } from './session-group.ts';

export { BuildError, type Device, Program } from './program.ts';

export interface CompileOptions extends ProgramOptions {
  /** Compiler options as for clBuildProgram: `-D N=8 -cl-fast-relaxed-math`. */
  readonly options?: string | undefined;
  /** How messages call the source. */
  readonly name?: string | undefined;
  /** Where `#include` looks. */
  readonly files?: FileSystem | undefined;
  /**
   * A device with a compiler of its own, too, gets only what Millrace's front end takes, so that the same source gives
   * the same errors everywhere. Without it such a device is asked even if Millrace refuses the source.
   */
  readonly strict?: boolean | undefined;
  /** @deprecated The earlier name of `strict`. What looks at memory is `startChecking()`. */
  readonly check?: boolean | undefined;
  /**
   * The units of work that building may take, as the build option -millrace-budget; a program that needs more is refused. Default 50
   * million.
   */
  readonly budget?: number | undefined;
}

/** Why drivers' devices are missing, in sentences for people; empty if none is. */
export function deviceProblems(): readonly string[] {
  return nativeProblems();
}

/**
 * The devices of this machine: Millrace's own, the default one first, and those of its OpenCL drivers, which the first call loads. With
 * `drivers: false` they are left out, and nothing is loaded.
 */
export function devices(options: { readonly drivers?: boolean } = {}): Device[] {
  checkKeys(options, ['drivers'], 'CL_INVALID_VALUE', 'devices takes');
  begin();
  const drivers = options.drivers === false ? [] : nativeDevices();
  return [...ownDevices(), ...requestedDevices(), ...drivers].map(entryOf);
}

/**
 * A device that must be asked for, which is among {@link devices} from then on: `webgpu`, the graphics card that WebGPU reaches
 * (docs/webgpu.md; in Node it needs the package `webgpu`), or `native`, machine code for this processor (docs/native.md; it needs
 * the package `koffi`).
 * @throws OpenCLError CL_DEVICE_NOT_FOUND, which says why there is none
 */
export async function requestDevice(id: RequestedId): Promise<Device> {
  if (!isRequested(id))
    throw new OpenCLError('CL_INVALID_VALUE', `only 'webgpu' or 'native' is requested, not ${shown(id)}`);
  begin();
  return entryOf(await requestNamed(id));
}

/**
 * Compiles OpenCL C, or IR as text (docs/ir.md), or makes a program of a binary ({@link buildBinary}).
 * @throws BuildError if the source is wrong, OpenCLError CL_INVALID_BINARY; CL_INVALID_VALUE, CL_INVALID_DEVICE or
 *   CL_INVALID_BUILD_OPTIONS for arguments that are none
 */
export function compile(source: string | Uint8Array, options: CompileOptions = {}): Promise<Program> {
  begin();
  return calledByProgram('Millrace', 'compile', [source, options], () => compiled(source, options));
}

async function compiled(source: string | Uint8Array, options: CompileOptions): Promise<Program> {
  checkArguments(source, options);
  begin();
  return onDevice(options, (device, fallback) => compileOn(device, source, options, fallback));
}

/** Compiles for a device that may not be there, be no card, or not take the program, and then for the default one. */
export function compilePreferring(
  request: () => Promise<RuntimeDevice>,
  source: string | Uint8Array,
  options: CompileOptions,
): Promise<Program> {
  return preferring(request, (device, fallback) => compileOn(device, source, options, fallback));
}

const optionKeys: readonly (keyof CompileOptions)[] = [
  'options',
  'device',
  'prefer',
  'timeout',
  'print',
  'name',
  'files',
  'strict',
  'check',
  'budget',
];

/** What TypeScript would have refused, and a file's name in place of its text. */
function checkArguments(source: unknown, given: CompileOptions): void {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) {
    const what = source === null ? 'null' : typeof source;
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `a source is a string, a binary a Uint8Array; compile was given ${what}`,
    );
  }
  if (typeof source === 'string' && /^[\w./\\:@ -]+\.(cl|ocl|clh|br|il|ir|mlr)$/.test(source)) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `compile takes a program's text, not the name of its file: read ${shown(source)} first`,
    );
  }
  if (typeof given !== 'object' || given === null) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `what is behind the source is an object, such as { options: '-D N=8' }, not ${shown(given)}`,
    );
  }
  checkKeys(given, optionKeys, 'CL_INVALID_VALUE', 'compile takes');
  const { device, prefer, options, timeout, print, name, files, budget } = given;
  if (device !== undefined && !isRequested(device) && typeof device?.id !== 'string') {
    throw new OpenCLError(
      'CL_INVALID_DEVICE',
      `a device is one of devices(), 'webgpu' or 'native', not ${shown(device)}`,
    );
  }
  if (prefer && (prefer !== 'gpu' || device)) {
    throw new OpenCLError('CL_INVALID_VALUE', "prefer 'gpu' alone");
  }
  if (options !== undefined && typeof options !== 'string') {
    throw new OpenCLError('CL_INVALID_BUILD_OPTIONS', 'the build options are one string, such as "-D N=8"');
  }
  if (print !== undefined && typeof print !== 'function') {
    throw new OpenCLError('CL_INVALID_VALUE', `print is a function, which takes a text, not ${shown(print)}`);
  }
  if (name !== undefined && typeof name !== 'string') {
    throw new OpenCLError('CL_INVALID_VALUE', `the name of a source is a string, not ${shown(name)}`);
  }
  if (files !== undefined && typeof files?.read !== 'function') {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      'files is an object whose read(path) gives a text or undefined',
    );
  }
  if (budget !== undefined && !(Number.isSafeInteger(budget) && budget > 0)) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `a budget of ${shown(budget)}: it is a whole number of units of work above 0`,
    );
  }
  if (timeout !== undefined && !(timeout >= 0)) {
    throw new OpenCLError(
      'CL_INVALID_VALUE',
      `a time-out of ${shown(timeout)}: it is in milliseconds, 0 for none at all`,
    );
  }
}

/** What builds programs. */
const builder = /* @__PURE__ */ new Part('the linker', () => import('./build.ts'));
/** What reads OpenCL C. */
const reader = /* @__PURE__ */ new Part('the compiler', () => import('./reader.ts'));

/**
 * As {@link compile}, for a device that need not be among {@link devices}, and may be one of a group. `fallback` says why it is not the
 * preferred one.
 */
export async function compileOn(
  device: RuntimeDevice,
  source: string | Uint8Array,
  options: Omit<CompileOptions, 'device'>,
  fallback?: string,
  group?: SessionGroup,
): Promise<Program> {
  const isLinked = typeof source === 'string' || !isExecutableBinary(source);
  const reading = (typeof source === 'string' ? reader : binaryReader).load();
  const build = (opened: OpenDevice) => {
    if (typeof source === 'string')
      return builder.get().programFromSource(opened, source, options, reader.get());
    if (isLinked) builder.get().openFrontEnd();
    return binaryReader.get().programFromBinary(opened, source, options);
  };
  const parts = isLinked ? [builder.load(), reading] : [reading];
  return openProgram(device, options, parts, build, fallback, group);
}
