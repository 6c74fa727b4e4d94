/**
 * Runs compiled kernels the way a device does, on one thread: a memory of its own, a launch block, a thread area.
 */

import {
  areaAlignment,
  launchOffsets,
  leastAreaBytes,
  usualLowestAddress,
  type WasmProgram,
} from '../../../src/codegen/wasm/module/abi.ts';
import { compileModule } from '../../../src/codegen/wasm/module/compile-module.ts';
import { Builder, newRegion, newValue } from '../../../src/ir/builder.ts';
import type * as ir from '../../../src/ir/ir.ts';
import { i32, pointerType, type Type } from '../../../src/ir/types.ts';
import { orderGroups } from '../../../src/passes/workgroup/order-groups.ts';

export interface Launch {
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly offset?: readonly number[];
}

/** An argument: a number or bigint by value, bytes in global memory (changed in place), or a size of local memory. */
export type Argument =
  | number
  | bigint
  | Uint8Array
  | { readonly value: Uint8Array }
  | { readonly local: number };

const constantsAt = usualLowestAddress;

type Run = (block: number, first: number, end: number, area: number) => void;

/** A compiled module in a memory of its own. */
export interface Compiled<Program> {
  readonly program: Program;
  readonly memory: WebAssembly.Memory;
  kernel(name: string): Run;
}

/** What compiles and runs modules; `constants` is where their constants will be. */
export type Engine<Program> = (module: ir.Module, constants: number) => Compiled<Program>;

const wasmEngine: Engine<WasmProgram> = (module, constantsAt) => {
  const program = compileModule(module, { shared: true });
  const memory = new WebAssembly.Memory({ initial: 64, maximum: 65536, shared: true });
  const compiled = new WebAssembly.Module(program.bytes as BufferSource);
  const constants = new WebAssembly.Global({ value: 'i32', mutable: false }, constantsAt);
  const instance = new WebAssembly.Instance(compiled, { env: { memory, constants } });
  return { program, memory, kernel: (name) => instance.exports[name] as Run };
};

/** Compiles the module, launches its kernel, and copies global memory back into the arguments. */
export function launch(
  module: ir.Module,
  kernelName: string,
  sizes: Launch,
  args: readonly Argument[],
): WasmProgram {
  return launchOn(engine ?? wasmEngine, module, kernelName, sizes, args) as WasmProgram;
}

let engine: Engine<WasmProgram> | undefined;

/** Lets another engine run what this file's tests launch from now on: what they expect is the same. */
export function useEngine(other: Engine<WasmProgram>): void {
  engine = other;
}

/** As {@link launch}, with another engine. */
export function launchOn<Program extends Pick<WasmProgram, 'kernels' | 'constants'>>(
  engine: Engine<Program>,
  module: ir.Module,
  kernelName: string,
  sizes: Launch,
  args: readonly Argument[],
): Program {
  const { program, memory, kernel: kernelOf } = engine(module, constantsAt);
  const kernel = program.kernels.find((one) => one.name === kernelName)!;
  const bytes = new Uint8Array(memory.buffer);
  const view = new DataView(memory.buffer);
  bytes.set(program.constants.bytes, constantsAt);
  for (const { offset, addend } of program.constants.relocations) {
    view.setInt32(constantsAt + offset, constantsAt + addend, true);
  }
  let free = roundUp(constantsAt + program.constants.size);
  const block = free;
  free = roundUp(block + launchOffsets.arguments + kernel.argumentBytes);
  const three = (list: readonly number[] | undefined, otherwise: number): number[] =>
    [0, 1, 2].map((at) => list?.[at] ?? otherwise);
  const global = three(sizes.global, 1);
  const local = three(sizes.local, 1);
  const groups = global.map((size, at) => size / local[at]!);
  const items = local[0]! * local[1]! * local[2]!;
  view.setInt32(block, sizes.global.length, true);
  for (const at of [0, 1, 2]) {
    view.setInt32(block + launchOffsets.globalOffset + 4 * at, three(sizes.offset, 0)[at]!, true);
    view.setInt32(block + launchOffsets.globalSize + 4 * at, global[at]!, true);
    view.setInt32(block + launchOffsets.localSize + 4 * at, local[at]!, true);
    view.setInt32(block + launchOffsets.numGroups + 4 * at, groups[at]!, true);
  }
  view.setInt32(block + launchOffsets.items, items, true);
  const buffers: { at: number; bytes: Uint8Array }[] = [];
  let localAt = kernel.fixedBytes + roundUp(kernel.perItemBytes * items);
  args.forEach((argument, index) => {
    const place = kernel.parameters[index]!;
    const at = block + launchOffsets.arguments + place.offset;
    if (argument instanceof Uint8Array) {
      view.setInt32(at, free, true);
      bytes.set(argument, free);
      buffers.push({ at: free, bytes: argument });
      free = roundUp(free + argument.length);
    } else if (typeof argument === 'bigint') view.setBigInt64(at, argument, true);
    else if (typeof argument === 'number') view.setInt32(at, argument, true);
    else if ('value' in argument) bytes.set(argument.value, at);
    else {
      view.setInt32(at, localAt, true);
      localAt = roundUp(localAt + argument.local);
    }
  });
  const area = free;
  view.setInt32(block + launchOffsets.areaBytes, localAt, true);
  bytes.fill(0xa5, area, area + Math.max(leastAreaBytes, localAt));
  const run = kernelOf(kernel.exportName);
  const total = groups[0]! * groups[1]! * groups[2]!;
  // Two calls, so that a range that begins in the middle is tested too.
  const half = total >> 1;
  run(block, 0, half, area);
  run(block, half, total, area);
  for (const buffer of buffers) buffer.bytes.set(bytes.subarray(buffer.at, buffer.at + buffer.bytes.length));
  return program;
}

function roundUp(value: number): number {
  return Math.ceil(value / areaAlignment) * areaAlignment;
}

/** A module with one kernel in work-group form; `build` writes its body and gets its parameters. */
export function kernelModule(
  parameters: readonly Type[],
  build: (b: Builder, ...values: ir.Value[]) => void,
  attributes: ir.KernelAttributes = {},
): ir.Module {
  const values = parameters.map((type, index) => newValue(type, `p${index}`));
  const body = newRegion();
  const builder = new Builder(body, 32);
  build(builder, ...values);
  builder.return();
  const kernel: ir.Function = {
    name: 'k',
    kind: 'kernel',
    parameters: values.map((value) => ({ value })),
    result: undefined,
    body,
    form: 'work-group',
    attributes,
  };
  // The last pass of all: what it says is part of what a code generator is given.
  orderGroups(kernel);
  return { addressBits: 32, globals: [], functions: [kernel] };
}

/** Writes a work-item loop. */
export function items(b: Builder, body: () => void): void {
  const instruction = b.items();
  b.within(instruction.regions[0]!, () => {
    body();
    b.yield();
  });
}

/** The address of the element with the given index. */
export function element(b: Builder, pointer: ir.Value, index: ir.Value, size: number): ir.Value {
  return b.offset(pointer, size === 1 ? index : b.binary('imul', index, b.integer(i32, size)));
}

export const globalPointer = pointerType('global');
