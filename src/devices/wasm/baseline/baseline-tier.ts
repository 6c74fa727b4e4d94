/**
 * The baseline tier of a program: which launches run baseline code, and that code. launch-account.ts says what it is for. A machine has
 * it (build/machine.ts provides it), pages do not.
 */

import type { KernelArgument, Triple } from '../../../runtime/command.ts';
import { BuildFailure } from '../../../runtime/device.ts';
import { environment, now } from '../../../runtime/host.ts';
import { commandObserver } from '../../../runtime/observe.ts';
import { compiledOr } from '../compiled-or.ts';
import { type IsKept, isKeptFor } from '../kept-code.ts';
import { ProgramPart } from '../program-part.ts';
import { takesGroups } from '../takes-groups.ts';
import type { CompilePart, EarlierCode, Launch, WasmDeviceProgram, WasmKernel } from '../wasm-program.ts';
import { type BaselineFacts, type BaselineProgram, compileBaseline } from './compile-baseline.ts';
import { baselineFigures, LaunchAccount, mayBeSmall } from './launch-account.ts';

/** A kernel whose launches have been small, in baseline code; or whose launches run optimised code from now on. */
type State = { readonly kernel: WasmKernel; readonly account: LaunchAccount } | 'optimised';

/** Which kernels have earlier code. */
type Wish = 'none' | 'exact' | 'all';

function wish(): Wish {
  const text = environment('MILLRACE_TIERS');
  if (text === '0') return 'none';
  return text === 'exact' ? 'exact' : 'all';
}

/**
 * What a program has of it; undefined if the environment or the program wants none.
 * @param facts what is known of parts, by their numbers; what is found out is put there, too
 */
export function baselineOf(
  program: WasmDeviceProgram,
  compile: CompilePart,
  isKept: IsKept,
  facts = new Map<number, BaselineFacts>(),
): BaselineTier | undefined {
  const wanted = wish();
  // Variables in global memory are where one piece of code has them.
  if (wanted === 'none' || program.globalVariableBytes > 0) return undefined;
  return new BaselineTier(program, compile, isKept, wanted === 'exact', facts);
}

export class BaselineTier implements EarlierCode {
  readonly #program: WasmDeviceProgram;
  readonly #compile: CompilePart;
  readonly #isKept: IsKept;
  readonly #isExact: boolean;
  readonly #states = new Map<WasmKernel, State>();
  readonly #parts: ProgramPart[] = [];
  /** Also of parts whose code was not wanted. */
  readonly #facts: Map<number, BaselineFacts>;

  constructor(
    program: WasmDeviceProgram,
    compile: CompilePart,
    isKept: IsKept,
    isExact: boolean,
    facts: Map<number, BaselineFacts>,
  ) {
    this.#program = program;
    this.#compile = compile;
    this.#isKept = isKept;
    this.#isExact = isExact;
    this.#facts = facts;
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
    const state = this.#isEarly(kernel, [values, global, local])
      ? this.#stateOf(kernel, (facts) => this.#account(facts, kernel).take(values, global))
      : 'optimised';
    if (
      state !== 'optimised' &&
      state.account.take(values, global) &&
      takesGroups(state.kernel, values, local)
    )
      return state.kernel;
    this.#states.set(kernel, 'optimised');
    if (!known) return undefined;
    return this.#optimised(kernel, known.kernel, [values, global, local]);
  }

  /**
   * What is known of a kernel's launches, whether this one is to run baseline code or not; that is compiled with it if so. Undefined for a
   * kernel that never has baseline code.
   */
  factsOf(kernel: WasmKernel, launch: Launch): BaselineFacts | undefined {
    const { partNumber } = kernel;
    const [values, global] = launch;
    if (!this.#facts.has(partNumber)) {
      if (this.#isEarly(kernel, launch))
        this.#stateOf(kernel, (facts) => this.#account(facts, kernel).take(values, global));
      else this.#compiled(kernel, () => false);
    }
    const facts = this.#facts.get(partNumber);
    return facts && this.#mayHave(facts) ? facts : undefined;
  }

  /** Whether a launch may run baseline code, as far as is known without compiling. */
  #isEarly(kernel: WasmKernel, [values, global, local]: Launch): boolean {
    if (this.#program.compiledPart(kernel.partNumber) || !mayBeSmall(global, kernel.threads, baselineFigures))
      return false;
    return this.#states.has(kernel) || !isKeptFor(kernel, values, local, this.#isKept);
  }

  /** The form in optimised code; the one in baseline code if that is too large for all passes. */
  #optimised(kernel: WasmKernel, baseline: WasmKernel, launch: Launch): WasmKernel {
    return compiledOr(kernel, launch, () => {
      this.#states.set(kernel, { kernel: baseline, account: LaunchAccount.endless });
      return baseline;
    });
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
    const program = this.#compiled(kernel, (facts) => this.#mayHave(facts) && isWanted(facts));
    // What comes from a cache has been wanted by somebody else.
    if (!program || !this.#mayHave(program.facts)) return 'optimised';
    const { facts } = program;
    const part = new ProgramPart(this.#program.host, program);
    this.#parts.push(part);
    return { kernel: kernel.inPart(part), account: this.#account(facts, kernel) };
  }

  #mayHave({ isExact, launches }: BaselineFacts): boolean {
    // How large the launches will be that a kernel makes itself nobody knows.
    return (isExact || !this.#isExact) && !launches;
  }

  /** Undefined if none is wanted, or if it is too large, of which who compiles with all passes will be told. */
  #compiled(
    { name, partNumber }: WasmKernel,
    isWanted: (facts: BaselineFacts) => boolean,
  ): BaselineProgram | undefined {
    const started = now();
    try {
      const program = this.#compile(partNumber, undefined, {
        word: 'baseline',
        compile: (module, options) =>
          compileBaseline(module, options, (facts) => {
            this.#facts.set(partNumber, facts);
            return isWanted(facts);
          }),
      }) as BaselineProgram;
      this.#facts.set(partNumber, program.facts);
      const { device } = this.#program;
      commandObserver()?.build({ device, kind: 'baseline', kernels: [name], started, ended: now() });
      return program;
    } catch (error) {
      if (error instanceof BuildFailure) return undefined;
      throw error;
    }
  }

  #account(facts: BaselineFacts, { name, threads }: WasmKernel): LaunchAccount {
    return new LaunchAccount(facts, name, threads, baselineFigures);
  }

  free(): void {
    for (const part of this.#parts) part.free();
  }
}
