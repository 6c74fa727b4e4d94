/**
 * The baseline tier of a program: which launches run baseline code, and that code. launch-account.ts says what it is for. A machine has
 * it (build/machine.ts provides it), pages do not.
 */

import type { KernelArgument, Triple } from '../../../runtime/command.ts';
import { BuildFailure } from '../../../runtime/device.ts';
import { environment, now } from '../../../runtime/host.ts';
import { commandObserver } from '../../../runtime/observe.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { knownHandlesOf, wordFor } from '../known-arguments.ts';
import { ProgramPart } from '../program-part.ts';
import type { BaselineCode, CompilePart, WasmDeviceProgram, WasmKernel } from '../wasm-program.ts';
import { type BaselineFacts, type BaselineProgram, compileBaseline } from './compile-baseline.ts';
import { type CompileTime, compileTime, LaunchAccount, mayBeSmall } from './launch-account.ts';

/** A kernel whose launches have been small, in baseline code; or whose launches run optimised code from now on. */
type State = { readonly kernel: WasmKernel; readonly account: LaunchAccount } | 'optimised';

/** Which kernels have baseline code. */
type Wish = 'none' | 'exact' | 'all';

function wish(): Wish {
  const text = environment('MILLRACE_TIERS');
  if (text === '0') return 'none';
  return text === 'exact' ? 'exact' : 'all';
}

/**
 * What a program has of it; undefined if the environment or the program wants none.
 * @param time how long the device's own compiler takes
 */
export function baselineOf(
  program: WasmDeviceProgram,
  compile: CompilePart,
  isKept: (part: number, ...words: readonly string[]) => boolean,
  time: CompileTime = compileTime,
): BaselineCode | undefined {
  const wanted = wish();
  // Variables in global memory are where one piece of code has them.
  if (wanted === 'none' || program.globalVariableBytes > 0) return undefined;
  return new BaselineTier(program, compile, isKept, wanted === 'exact', time);
}

class BaselineTier implements BaselineCode {
  readonly #program: WasmDeviceProgram;
  readonly #compile: CompilePart;
  readonly #isKept: (part: number, ...words: readonly string[]) => boolean;
  readonly #isExact: boolean;
  readonly #time: CompileTime;
  readonly #states = new Map<WasmKernel, State>();
  readonly #parts: ProgramPart[] = [];

  constructor(
    program: WasmDeviceProgram,
    compile: CompilePart,
    isKept: (part: number, ...words: readonly string[]) => boolean,
    isExact: boolean,
    time: CompileTime,
  ) {
    this.#program = program;
    this.#compile = compile;
    this.#isKept = isKept;
    this.#isExact = isExact;
    this.#time = time;
  }

  tries(part: number): boolean {
    const kernel = this.#program.kernels.find((each) => each.partNumber === part);
    return kernel !== undefined && this.#stateOf(kernel, () => true) !== 'optimised';
  }

  formFor(
    kernel: WasmKernel,
    values: readonly KernelArgument[],
    global: Triple,
    local: readonly number[] | null | undefined,
  ): WasmKernel | undefined {
    const known = this.#states.get(kernel);
    if (known === 'optimised') return undefined;
    const isCompiled = this.#program.compiledPart(kernel.partNumber) !== undefined;
    const isEarly =
      !isCompiled && mayBeSmall(global, kernel.threads) && (known || !this.#hasBetter(kernel, values));
    const isSmall = (facts: BaselineFacts): boolean => this.#account(facts, kernel).take(values, global);
    const state = isEarly ? this.#stateOf(kernel, isSmall) : 'optimised';
    if (state !== 'optimised' && state.account.take(values, global) && takes(state.kernel, values, local))
      return state.kernel;
    this.#states.set(kernel, 'optimised');
    if (!known) return undefined;
    return this.#optimised(kernel, known.kernel, () => kernel.forLaunch(values, global, local));
  }

  /** The form that `find` finds; the one in baseline code if the other is too large for all passes. */
  #optimised(kernel: WasmKernel, baseline: WasmKernel, find: () => WasmKernel): WasmKernel {
    try {
      const form = find();
      // Compiles it.
      return form.part && form;
    } catch (error) {
      if (!(error instanceof OpenCLError && error.cause instanceof BuildFailure)) throw error;
      this.#states.set(kernel, { kernel: baseline, account: LaunchAccount.endless });
      return baseline;
    }
  }

  #stateOf(kernel: WasmKernel, isWanted: (facts: BaselineFacts) => boolean): State {
    let state = this.#states.get(kernel);
    if (!state) {
      state = this.#begin(kernel, isWanted);
      this.#states.set(kernel, state);
    }
    return state;
  }

  #begin(kernel: WasmKernel, isWanted: (facts: BaselineFacts) => boolean): State {
    const mayBe = ({ isExact }: BaselineFacts): boolean => isExact || !this.#isExact;
    const program = this.#compiled(kernel, (facts) => mayBe(facts) && isWanted(facts));
    // What comes from a cache has been wanted by somebody else.
    if (!program || !mayBe(program.facts)) return 'optimised';
    const { facts, kernels } = program;
    // How large the launches will be that a kernel makes itself nobody knows.
    if (kernels.some(({ attributes }) => attributes.isBlock)) return 'optimised';
    const part = new ProgramPart(this.#program.host, program);
    this.#parts.push(part);
    return { kernel: kernel.inPart(part), account: this.#account(facts, kernel) };
  }

  /** Undefined if none is wanted, or if it is too large, of which who compiles with all passes will be told. */
  #compiled(
    { name, partNumber }: WasmKernel,
    isWanted: (facts: BaselineFacts) => boolean,
  ): BaselineProgram | undefined {
    const started = now();
    try {
      const program = this.#compile(partNumber, undefined, (module, options) =>
        compileBaseline(module, options, isWanted),
      ) as BaselineProgram;
      const { device } = this.#program;
      commandObserver()?.build({ device, kind: 'baseline', kernels: [name], started, ended: now() });
      return program;
    } catch (error) {
      if (error instanceof BuildFailure) return undefined;
      throw error;
    }
  }

  /** Whether optimised code for a launch is in a cache. */
  #hasBetter({ partNumber }: WasmKernel, values: readonly KernelArgument[]): boolean {
    const handles = knownHandlesOf(values);
    const words = handles ? wordFor(handles) : '';
    return [[], ['rows'], [words], [words, 'rows']].some((each) =>
      this.#isKept(partNumber, ...each.filter((word) => word !== '')),
    );
  }

  #account(facts: BaselineFacts, { name, threads }: WasmKernel): LaunchAccount {
    return new LaunchAccount(facts, name, threads, this.#time);
  }

  free(): void {
    for (const part of this.#parts) part.free();
  }
}

/** Whether groups of a launch are not too large for a form of a kernel. */
function takes(
  kernel: WasmKernel,
  values: readonly KernelArgument[],
  local: readonly number[] | null | undefined,
): boolean {
  const [x = 1, y = 1, z = 1] = local ?? [];
  const dynamic = values.reduce((sum, value) => sum + (value.kind === 'local' ? value.bytes : 0), 0);
  return x * y * z <= kernel.maxWorkGroupSize && kernel.refuses([x, y, z], dynamic) === undefined;
}
