/** Runs kernels in machine code on this thread, in the place of the wasm engine of test/codegen/wasm/harness.ts. */
import type { WasmProgram } from '../../../src/codegen/wasm/module/abi.ts';
import { contextOffsets, kernelStatus } from '../../../src/codegen/x64/calling-convention.ts';
import { compileKernelX64, type X64Program } from '../../../src/codegen/x64/compile-kernel.ts';
import { placeCode } from '../../../src/devices/native/code-pages.ts';
import { openGuard } from '../../../src/devices/native/memory-guard.ts';
import { processorFault, processorFeatures } from '../../../src/devices/native/processor-features.ts';
import { openSystem, type System } from '../../../src/devices/native/system.ts';
import type { Module } from '../../../src/ir/ir.ts';
import type { Target } from '../../../src/target/target.ts';
import { x64 } from '../../../src/target/x64.ts';
import type { KernelEngine } from '../../support/run-kernel.ts';
import type { Compiled, Engine } from '../wasm/harness.ts';

const features = processorFeatures();
/** `MILLRACE_AVX512=0` tests what is made for processors without it. */
const hasAvx512 = typeof features !== 'string' && features.avx512;

/** Why nothing can be run here; undefined if it can. */
export const fault = typeof features === 'string' ? features : processorFault(features);

/** One memory for all: each takes address space of 8 GiB. It is cleared as far as it is used. */
let memory: WebAssembly.Memory | undefined;

function theMemory(usedBytes: number): WebAssembly.Memory {
  if (!memory) {
    memory = new WebAssembly.Memory({ initial: 65536, maximum: 65536, shared: true });
    const closed = openGuard(memory);
    if (closed) throw new Error(closed);
  }
  new Uint8Array(memory.buffer, 0, usedBytes).fill(0);
  return memory;
}

/** A program's kernels, in pages that `release` gives back. */
export function load(
  program: X64Program,
  memory: WebAssembly.Memory,
  constants: number,
): { kernel(name: string): (...values: number[]) => number; release(): void } {
  const system = openSystem() as System;
  const context = new Uint8Array(contextOffsets.size);
  const stop = new Int32Array(1);
  const view = new DataView(context.buffer);
  view.setBigUint64(contextOffsets.stop, system.addressOf(stop), true);
  view.setUint32(contextOffsets.constants, constants, true);
  const pages = placeCode(program.code);
  const base = system.addressOf(new Uint8Array(memory.buffer));
  const parameters = ['uintptr_t', 'uintptr_t', 'uint32_t', 'uint32_t', 'uint32_t', 'uint32_t'];
  return {
    kernel: (name) => {
      const index = program.kernels.findIndex(({ exportName }) => exportName === name);
      const address = pages.address + BigInt(program.entries[index]!);
      const call = system.function(address, 'int32_t', parameters);
      return (block, first, end, area) => {
        // The collector may not take them meanwhile.
        void [context, stop];
        return call(base, system.addressOf(context), block!, first!, end!, area!);
      };
    },
    release: () => pages.release(),
  };
}

/** Kernels that have run: tests see that they did. */
export const counts = { runs: 0 };

type Run = (block: number, first: number, end: number, area: number) => void;

/** Kernels that throw what they return, if that is no success. */
function checked(loaded: ReturnType<typeof load>, name: string): Run {
  const run = loaded.kernel(name);
  return (block, first, end, area) => {
    counts.runs += 1;
    const status = run(block, first, end, area);
    if (status === kernelStatus.unreachable) throw new WebAssembly.RuntimeError('unreachable');
    if (status !== kernelStatus.done) throw new Error(`status ${status}`);
  };
}

/**
 * For test/codegen/wasm/harness.ts.
 * @param avx512 whether AVX-512 may be used
 */
export function nativeEngine(avx512 = hasAvx512): Engine<WasmProgram> {
  return (module: Module, constants: number): Compiled<WasmProgram> => {
    const program = compileKernelX64(module, { shared: true, avx512 });
    const memory = theMemory(8 << 20);
    const loaded = load(program, memory, constants);
    return {
      program: { ...program, bytes: program.code },
      memory,
      kernel: (name) => checked(loaded, name),
    };
  };
}

/** What ran last of {@link nativeKernelEngine}. */
let last: ReturnType<typeof load> | undefined;

/** For test/support/run-kernel.ts: with the passes for this machine, or those for another target. */
export function nativeKernelEngine(avx512 = hasAvx512, target: Target = x64): KernelEngine {
  const engine: KernelEngine = (module, options) => {
    const program = compileKernelX64(module, { ...options, avx512 });
    return {
      program,
      instantiate: (pages, constants) => {
        const memory = theMemory(pages * 65536);
        // Nothing runs now. Systems let a process have only so many pages apart from each other.
        last?.release();
        const loaded = load(program, memory, constants);
        last = loaded;
        return { memory, kernel: (name) => checked(loaded, name) };
      },
    };
  };
  return Object.assign(engine, { target });
}
