/**
 * What becomes of a binary that may be damaged: it must be refused, or be a program that every back end takes or refuses in its own
 * words. Anything else is a fault of the reader or the verifier, and is thrown.
 */

import { CL } from '../../src/api/opencl/constants.ts';
import {
  BinaryError,
  decodeProgram,
  encodeProgram,
  moduleOf,
  type ProgramBinary,
} from '../../src/build/program-binary.ts';
import { OpenCLCError, writeOpenCLC } from '../../src/codegen/opencl-c/write-opencl-c.ts';
import { compileModule } from '../../src/codegen/wasm/module/compile-module.ts';
import { CodegenError } from '../../src/codegen/wasm/module/error.ts';
import { compileForWasm } from '../../src/devices/wasm/compile-kernels.ts';
import { moduleOfPart, outlineOf, partsToTry } from '../../src/devices/wasm/program-outline.ts';
import type { KnownLaunch } from '../../src/devices/wasm/wasm-program.ts';
import type { Module } from '../../src/ir/ir.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { linkOpenCL } from '../../src/opencl/link.ts';
import type { KnownHandles } from '../../src/passes/images/known-images.ts';
import { OptimiseError, optimise } from '../../src/passes/pipeline.ts';
import { BuildFailure } from '../../src/runtime/device.ts';
import { openclC } from '../../src/target/opencl-c.ts';
import { checkModule } from '../../src/tools/check/instrument/check-module.ts';

/** How far a binary got; `taken` ones were read, `built` ones are WebAssembly as a whole. */
export type Fate = 'refused' | 'not linked' | 'taken' | 'built';

/** Which of the back ends try a program that was taken. */
export interface Depth {
  /** The wasm device's way, for a launch of which nothing is known, and for one along dimension 1. */
  readonly wasm: boolean;
  /** The checker, drivers (as OpenCL C), and the same without optimisation. */
  readonly others: boolean;
  /** Which part of a program is built, and how. */
  readonly choice: number;
}

/** @throws Error what is wrong with us */
export function tryBinary(bytes: Uint8Array, { wasm, others, choice }: Depth): Fate {
  const binary = refusedAs(BinaryError, () => decodeProgram(bytes));
  if (!binary) return 'refused';
  let fate: Fate = 'refused';
  for (const addressBits of [32, 64] as const) {
    if (!binary.modules.has(addressBits)) continue;
    const read = () => linked(binary, addressBits);
    const module = read();
    if (module === undefined) continue;
    if (module === 'not linked') {
      if (fate === 'refused') fate = 'not linked';
      continue;
    }
    const [problem] = verifyModule(module, 1);
    if (problem) throw new Error(`linked, it is not valid any more: ${problem}`);
    writeAsOpenCLC(module);
    encodeProgram('executable', binary.options, [module]);
    if (fate !== 'built') fate = 'taken';
    const again = () => read() as Module;
    if (others) tryOthers(again, binary.options);
    if (wasm && addressBits === 32 && buildForWasm(again, binary.options, choice)) fate = 'built';
  }
  return fate;
}

/** As a program that can be built; undefined if it is refused. */
function linked(binary: ProgramBinary, addressBits: 32 | 64): Module | 'not linked' | undefined {
  const module = refusedAs(BinaryError, () => moduleOf(binary, addressBits));
  if (!module || binary.kind === 'executable') return module;
  const { module: whole, log } = linkOpenCL([module], false);
  if (!whole && log === '') throw new Error('it is not linked, and nobody says why');
  return whole ?? 'not linked';
}

/** What the wasm device does with one part of a program; false where it refused it. */
function buildForWasm(read: () => Module, options: string, choice: number): boolean {
  const module = read();
  const outline = outlineOf(module);
  partsToTry(module, outline);
  if (outline.parts.length === 0) return true;
  const own = moduleOfPart(read(), outline, (choice >>> 1) % outline.parts.length);
  const mayInterchange = choice % 2 === 0;
  const wasmOptions = { shared: true, maximumPages: 16_384, fuses: mayInterchange };
  const known = knownLaunchOf(own, mayInterchange, choice);
  const program = refusedAs(BuildFailure, () => compileForWasm(own, wasmOptions, options, true, known));
  if (program) mustBeValid(program.bytes);
  return program !== undefined;
}

/** What a launch of a kernel may tell: images of one format, rows of eight work-items. */
function knownLaunchOf(
  { functions }: Module,
  mayInterchange: boolean,
  choice: number,
): KnownLaunch | undefined {
  const kernel = functions.find(({ kind }) => kind === 'kernel');
  if (!kernel) return undefined;
  const handles: KnownHandles = kernel.parameters.map(({ info }) => {
    if (info?.handle?.kind === 'image')
      return { kind: 'image', order: CL.RGBA, type: CL.FLOAT, pixelBytes: 16 } as const;
    return info?.handle?.kind === 'sampler' ? ({ kind: 'sampler', bits: 0x10 } as const) : undefined;
  });
  return {
    name: kernel.name,
    handles: choice % 3 === 0 ? handles : undefined,
    mayInterchange,
    rowLength: choice % 5 === 0 ? 8 : undefined,
    word: '',
  };
}

function tryOthers(read: () => Module, options: string): void {
  const plain = read();
  if (plain.addressBits === 32) {
    const checked = read();
    refusedAs([OptimiseError, CodegenError], () => {
      checkModule(checked);
      optimise(checked);
      mustBeValid(compileModule(checked, { shared: true, groupsInOrder: true }).bytes);
    });
    refusedAs(BuildFailure, () => {
      mustBeValid(compileForWasm(plain, { shared: false }, `${options} -cl-opt-disable`, false).bytes);
    });
  }
  const driver = read();
  refusedAs(OptimiseError, () => {
    optimise(driver, { target: openclC });
    writeAsOpenCLC(driver);
  });
}

function writeAsOpenCLC(module: Module): void {
  const { addressBits } = module;
  refusedAs(OpenCLCError, () => writeOpenCLC(module, { addressBits, doubles: true, halves: true }));
}

function mustBeValid(code: Uint8Array): void {
  if (WebAssembly.validate(code as BufferSource)) return;
  try {
    new WebAssembly.Module(code as BufferSource);
  } catch (error) {
    throw new Error(`WebAssembly that is not valid: ${(error as Error).message}`);
  }
}

type ErrorClass = abstract new (...args: never) => Error;

/** Undefined if the action throws an error of this kind, which must have something to say. */
function refusedAs<T>(kinds: ErrorClass | readonly ErrorClass[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    const isRefusal = [kinds].flat().some((kind) => error instanceof kind);
    if (!isRefusal || (error as Error).message === '') throw error;
    return undefined;
  }
}
