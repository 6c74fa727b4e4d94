/**
 * The entry of the WebAssembly back end: an optimised IR module whose kernels are in work-group form goes in, a
 * WebAssembly module and what a device must know of its kernels come out. The contract is in `abi.ts`.
 */
import type * as ir from '../../../ir/ir.ts';
import type { PrintfSite } from '../../../ir/printf/record.ts';
import { countInstructions } from '../../../ir/regions.ts';
import { BuildBudget, overBudget, unitsPer } from '../../../source/build-budget.ts';
import { append } from '../../../source/lists.ts';
import { isStackFull } from '../../../source/stack-full.ts';
import { allInstructions, environmentKeys } from '../kernel/environment.ts';
import { layOutFrame, roundUp } from '../kernel/frame.ts';
import { compileHelper, compileKernel } from '../kernel/kernel.ts';
import { wasmTypesOf } from '../kernel/value-layout.ts';
import { AccessTableWriter } from '../memory/access-sites.ts';
import type { ConstantData, KernelCode, WasmOptions, WasmProgram } from './abi.ts';
import { assemble } from './assembler.ts';
import { type EncodedFunction, encodeModule, type ImportedFunction } from './encoder.ts';
import { CodegenError } from './error.ts';
import type { ModuleContext } from './module-context.ts';
import { runtimeFunction } from './runtime-functions.ts';

const vectorBytes = 16;

/** The largest memory that 32-bit addresses reach, in pages. */
const mostPages = 65536;

/**
 * Compiles all kernels of a module and the helper functions that they call.
 * @throws CodegenError if a function is too large or nested too deeply
 */
export function compileModule(module: ir.Module, options: WasmOptions): WasmProgram {
  const { functions, imports, sources, ...facts } = compileFunctions(module, options);
  const memory = { shared: options.shared, maximumPages: options.maximumPages ?? mostPages };
  const accesses = new AccessTableWriter();
  const placed = (encoded: EncodedFunction, start: number): void => {
    const fn = sources.get(encoded);
    if (fn) accesses.add(fn, encoded.marks ?? [], start);
  };
  return {
    bytes: encodeModule(functions, memory, options.names ?? true, imports, placed),
    accesses: accesses.table,
    ...facts,
  };
}

/** All of a program but that its functions are not in a module yet: codegen/x64 makes machine code of them. */
export interface CompiledFunctions extends Omit<WasmProgram, 'bytes' | 'accesses'> {
  /** Kernels in the order of `kernels`, helper functions, runtime functions; numbered in calls after `imports`. */
  readonly functions: readonly EncodedFunction[];
  readonly imports: readonly ImportedFunction[];
  /** What kernels and helpers were in the IR. */
  readonly sources: ReadonlyMap<EncodedFunction, ir.Function>;
}

/**
 * Compiles all kernels of a module and the helper functions that they call.
 * @throws CodegenError if a function is too large or nested too deeply
 */
export function compileFunctions(module: ir.Module, options: WasmOptions): CompiledFunctions {
  try {
    return compiled(module, options);
  } catch (error) {
    if (isStackFull(error)) throw new CodegenError('the program nests too deeply to be compiled');
    throw error;
  }
}

function compiled(module: ir.Module, options: WasmOptions): CompiledFunctions {
  if (module.addressBits !== 32) throw new Error('codegen: only 32-bit addresses are supported');
  const kernels = module.functions.filter((fn) => fn.kind === 'kernel' && fn.body);
  const { helpers, imports } = calledBy(kernels);
  const { budget = new BuildBudget() } = options;
  for (const fn of [...kernels, ...helpers]) pay(fn, budget);
  const constants = layOutConstants(module.globals);
  const context = new Context(options, { imports, kernels, helpers }, constants.offsets, constants.data.size);

  let helpersEnd = 0;
  const frameStarts = helpers.map((helper) => {
    const start = helpersEnd;
    helpersEnd = layOutFrame(allInstructions(helper.body), start).end;
    return start;
  });
  const functions: EncodedFunction[] = [];
  const sources = new Map<EncodedFunction, ir.Function>();
  const kernelCodes: KernelCode[] = [];
  for (const fn of kernels) {
    const compiled = compileKernel(context, fn, helpersEnd);
    functions.push(compiled.code);
    sources.set(compiled.code, fn);
    kernelCodes.push(compiled.kernel);
  }
  helpers.forEach((helper, index) => {
    const compiled = compileHelper(context, helper, frameStarts[index]!);
    functions.push(compiled);
    sources.set(compiled, helper);
  });
  append(functions, context.assembleRuntime());
  return {
    functions,
    imports: imports.map(importOf),
    sources,
    constants: context.withVectors(constants.data),
    kernels: kernelCodes,
    printfs: context.printfs,
  };
}

/** Pays for the code of a function. */
function pay(fn: ir.Function, budget: BuildBudget): void {
  const size = countInstructions(fn.body!);
  if (budget.spend(size * unitsPer.generatedInstruction)) return;
  throw new CodegenError(overBudget(`'${fn.name}' (code for ${size} instructions)`, budget), fn.span);
}

interface Called {
  readonly helpers: readonly ir.Function[];
  /** What the device supplies (src/ir/device-queues.ts). */
  readonly imports: readonly ir.Function[];
}

/** The functions that the kernels call, directly or through others, in order of first mention. */
function calledBy(kernels: readonly ir.Function[]): Called {
  const found = new Set<ir.Function>();
  const imports = new Set<ir.Function>();
  const queue = [...kernels];
  for (let fn = queue.shift(); fn; fn = queue.shift()) {
    for (const instruction of allInstructions(fn.body)) {
      if (instruction.op !== 'call' || found.has(instruction.callee)) continue;
      if (instruction.callee.imported) {
        imports.add(instruction.callee);
        continue;
      }
      if (!instruction.callee.body) throw new Error(`codegen: ${instruction.callee.name} has no body`);
      found.add(instruction.callee);
      queue.push(instruction.callee);
    }
  }
  return { helpers: [...found], imports: [...imports] };
}

function importOf(fn: ir.Function): ImportedFunction {
  const { module, name } = fn.imported!;
  const parameters = fn.parameters.flatMap(({ value }) => wasmTypesOf(value.type));
  return { module, name, signature: { parameters, results: fn.result ? wasmTypesOf(fn.result) : [] } };
}

/** Places the program-scope variables one after another. */
function layOutConstants(globals: readonly ir.GlobalVariable[]): {
  offsets: ReadonlyMap<ir.GlobalVariable, number>;
  data: ConstantData;
} {
  const offsets = new Map<ir.GlobalVariable, number>();
  let size = 0;
  let align = 1;
  let variableBytes = 0;
  for (const global of globals) {
    if (global.space === 'global') variableBytes += global.size;
    const at = roundUp(size, global.align);
    offsets.set(global, at);
    size = at + global.size;
    align = Math.max(align, global.align);
  }
  const bytes = new Uint8Array(size);
  const relocations: { offset: number; addend: number }[] = [];
  for (const global of globals) {
    const at = offsets.get(global)!;
    bytes.set(global.bytes, at);
    for (const { offset, target, addend } of global.relocations) {
      relocations.push({ offset: at + offset, addend: (offsets.get(target) ?? 0) + addend });
    }
  }
  return { offsets, data: { size, align, bytes, variableBytes, relocations } };
}

class Context implements ModuleContext {
  readonly options: WasmOptions;
  readonly #indices = new Map<ir.Function, number>();
  readonly #kernels = new Map<ir.Function, number>();
  readonly #environments = new Map<ir.Function, readonly string[]>();
  readonly #constantOffsets: ReadonlyMap<ir.GlobalVariable, number>;
  readonly #runtime = new Map<string, number>();
  readonly #firstRuntime: number;
  readonly printfs: PrintfSite[] = [];
  /** Vector constants by their bytes, after the program-scope variables. */
  readonly #vectors = new Map<string, { readonly at: number; readonly bytes: Uint8Array }>();
  readonly #vectorsStart: number;

  /** @param constantBytes how many bytes the program-scope variables take */
  constructor(
    options: WasmOptions,
    { imports, kernels, helpers }: Called & { readonly kernels: readonly ir.Function[] },
    constantOffsets: ReadonlyMap<ir.GlobalVariable, number>,
    constantBytes: number,
  ) {
    this.#vectorsStart = roundUp(constantBytes, vectorBytes);
    this.options = options;
    const functions = [...imports, ...kernels, ...helpers];
    functions.forEach((fn, index) => {
      this.#indices.set(fn, index);
    });
    kernels.forEach((fn, index) => {
      this.#kernels.set(fn, index);
    });
    this.#constantOffsets = constantOffsets;
    this.#firstRuntime = functions.length;
  }

  functionIndex(fn: ir.Function): number {
    return this.#indices.get(fn)!;
  }

  /** What kernels say when they launch another: its number among those of the module. */
  functionAddress(fn: ir.Function): number {
    const number = this.#kernels.get(fn);
    if (number === undefined) throw new Error(`codegen: a pointer to ${fn.name} in a kernel`);
    return number;
  }

  typeIndex(): number {
    throw new Error('codegen: a call through a pointer in a kernel');
  }

  emitInstead(): boolean {
    return false;
  }

  environmentOf(fn: ir.Function): readonly string[] {
    let keys = this.#environments.get(fn);
    if (!keys) {
      keys = environmentKeys(fn, (callee) => this.environmentOf(callee));
      this.#environments.set(fn, keys);
    }
    return keys;
  }

  runtimeFunction(name: string): number {
    const known = this.#runtime.get(name);
    if (known !== undefined) return known;
    const index = this.#firstRuntime + this.#runtime.size;
    this.#runtime.set(name, index);
    return index;
  }

  printfNumber(site: PrintfSite): number {
    return this.printfs.push(site) - 1;
  }

  constantOffset(global: ir.GlobalVariable): number {
    const offset = this.#constantOffsets.get(global);
    if (offset === undefined) throw new Error(`codegen: ${global.name} is not in the module`);
    return offset;
  }

  vectorConstant(bytes: Uint8Array): number {
    const key = bytes.join();
    let known = this.#vectors.get(key);
    if (!known) {
      known = { at: this.#vectorsStart + this.#vectors.size * vectorBytes, bytes };
      this.#vectors.set(key, known);
    }
    return known.at;
  }

  /** The constants with the vectors that were asked for. */
  withVectors(data: ConstantData): ConstantData {
    if (this.#vectors.size === 0) return data;
    const size = this.#vectorsStart + this.#vectors.size * vectorBytes;
    const bytes = new Uint8Array(size);
    bytes.set(data.bytes);
    for (const vector of this.#vectors.values()) bytes.set(vector.bytes, vector.at);
    return { ...data, size, align: Math.max(data.align, vectorBytes), bytes };
  }

  /** The runtime functions asked for, which may ask for others. */
  assembleRuntime(): EncodedFunction[] {
    const functions: EncodedFunction[] = [];
    // A Map's iteration also visits what is added on the way.
    for (const name of this.#runtime.keys()) {
      functions.push(assemble(runtimeFunction(name), (callee) => this.runtimeFunction(callee)));
    }
    return functions;
  }
}
