/**
 * What a program of this device runs before it has machine code, which takes longer to compile than WebAssembly (docs/native.md says how much): all that
 * the wasm device would run, baseline code and optimised code. It is the same program once more, compiled for WebAssembly. A kernel's launches
 * run there until they have come to as much as compiling machine code takes; one that is so large by itself has machine code at once. How
 * that is estimated launch-account.ts says.
 */

import type { WasmProgram } from '../../codegen/wasm/module/abi.ts';
import type { KernelArgument, Triple } from '../../runtime/command.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { type BaselineTier, baselineOf } from '../wasm/baseline/baseline-tier.ts';
import type { BaselineFacts } from '../wasm/baseline/compile-baseline.ts';
import { LaunchAccount, mayBeSmall } from '../wasm/baseline/launch-account.ts';
import { compiledOr } from '../wasm/compiled-or.ts';
import { type IsKept, isKeptFor } from '../wasm/kept-code.ts';
import type { EarlierCodeOf } from '../wasm/on-machines.ts';
import { takesGroups } from '../wasm/takes-groups.ts';
import {
  type CompilePart,
  type EarlierCode,
  type Launch,
  WasmDeviceProgram,
  type WasmKernel,
} from '../wasm/wasm-program.ts';
import { compileWasm } from './compile-wasm.ts';
import { wasmFigures } from './tier-figures.ts';

/** The account of a kernel whose launches run WebAssembly; or they run machine code from now on. */
type State = LaunchAccount | 'machine code';

/** What a program has before machine code; undefined if the environment or the program wants nothing. */
export const wasmTierOf: EarlierCodeOf = (program, compile, isKept, outline) => {
  const { host, device, kernels } = program;
  const facts = new Map<number, BaselineFacts>();
  const compilePart: CompilePart = (part, known) => {
    const compiled: WithFacts = compile(part, known, {
      word: wasmKind,
      compile: (...input): WithFacts => ({ ...compileWasm(...input), facts: facts.get(part) }),
    });
    if (compiled.facts) facts.set(part, compiled.facts);
    return compiled;
  };
  const forWasm = new WasmDeviceProgram(host, outline, compilePart, device, kernels[0]?.threads ?? 1);
  forWasm.compilesAgain = program.compilesAgain;
  forWasm.interchanges = program.interchanges;
  forWasm.kind = wasmKind;
  const isWasmKept: IsKept = (part, known) => isKept(part, known, wasmKind);
  const baseline = baselineOf(forWasm, compile, isWasmKept, facts);
  if (!baseline) return undefined;
  forWasm.tier = baseline;
  return new WasmTier(program, forWasm, baseline, isKept, isWasmKept);
};

/** What the WebAssembly is called in caches. */
const wasmKind = 'wasm';

/** WebAssembly goes into caches with what is known of its launches, for which it would have to be compiled again as baseline code. */
type WithFacts = WasmProgram & { readonly facts?: BaselineFacts | undefined };

class WasmTier implements EarlierCode {
  readonly #program: WasmDeviceProgram;
  readonly #forWasm: WasmDeviceProgram;
  readonly #baseline: BaselineTier;
  readonly #isKept: IsKept;
  readonly #isWasmKept: IsKept;
  readonly #states = new Map<WasmKernel, State>();

  constructor(
    program: WasmDeviceProgram,
    forWasm: WasmDeviceProgram,
    baseline: BaselineTier,
    isKept: IsKept,
    isWasmKept: IsKept,
  ) {
    this.#program = program;
    this.#forWasm = forWasm;
    this.#baseline = baseline;
    this.#isKept = isKept;
    this.#isWasmKept = isWasmKept;
  }

  tries(part: number): boolean {
    const kernel = this.#program.kernels.find(({ partNumber }) => partNumber === part);
    if (!kernel || !this.#baseline.tries(part)) return false;
    this.#states.set(kernel, this.#accountOf(kernel, [[], [0, 0, 0], undefined])!);
    return true;
  }

  formFor(
    kernel: WasmKernel,
    values: readonly KernelArgument[],
    global: Triple,
    local: readonly number[] | null | undefined,
  ): WasmKernel | undefined {
    const known = this.#states.get(kernel);
    if (known === 'machine code') return undefined;
    const launch: Launch = [values, global, local];
    const form = this.#isEarly(kernel, launch) ? this.#begin(kernel, known, launch) : undefined;
    if (form) return form;
    this.#states.set(kernel, 'machine code');
    if (!known) return undefined;
    return this.#better(kernel, launch);
  }

  free(): void {
    this.#forWasm.release();
  }

  /** Whether a launch may run WebAssembly, as far as is known without compiling. */
  #isEarly(kernel: WasmKernel, [values, global, local]: Launch): boolean {
    if (this.#program.compiledPart(kernel.partNumber)) return false;
    if (!mayBeSmall(global, kernel.threads, wasmFigures)) return false;
    return this.#states.has(kernel) || !isKeptFor(kernel, values, local, this.#isKept);
  }

  /** The form that runs a launch in WebAssembly; undefined if it had better run machine code. */
  #begin(kernel: WasmKernel, known: LaunchAccount | undefined, launch: Launch): WasmKernel | undefined {
    return allowed(() => {
      const [values, global, local] = launch;
      // What is known of launches is kept with it.
      if (!known && isKeptFor(kernel, values, local, this.#isWasmKept)) this.#formFor(kernel, launch);
      const account = known ?? this.#accountOf(kernel, launch);
      if (!account?.take(values, global)) return undefined;
      const form = this.#formFor(kernel, launch);
      if (!takesGroups(form, values, local)) return undefined;
      this.#states.set(kernel, account);
      return form;
    });
  }

  #accountOf(kernel: WasmKernel, launch: Launch): LaunchAccount | undefined {
    const facts = this.#baseline.factsOf(this.#forWasmOf(kernel), launch);
    return facts && new LaunchAccount(facts, kernel.name, kernel.threads, wasmFigures);
  }

  #formFor(kernel: WasmKernel, launch: Launch): WasmKernel {
    return this.#forWasmOf(kernel)
      .forLaunch(...launch)
      .compiled();
  }

  #forWasmOf(kernel: WasmKernel): WasmKernel {
    return this.#forWasm.kernels[this.#program.kernels.indexOf(kernel)]!;
  }

  /** The form in machine code; the one in WebAssembly if that is too large for all passes. */
  #better(kernel: WasmKernel, launch: Launch): WasmKernel {
    return compiledOr(kernel, launch, () => {
      const form = allowed(() => this.#formFor(kernel, launch));
      if (form) this.#states.set(kernel, LaunchAccount.endless);
      return form;
    });
  }
}

/** What `make` makes; undefined if that is too large for the compiler or the engine, as machine code need not be. */
function allowed<T>(make: () => T | undefined): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof OpenCLError || error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
}
