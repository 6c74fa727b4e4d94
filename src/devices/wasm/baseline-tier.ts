/** The baseline code of a program's kernels (tiers.ts says what that is), and which launches it is for. */
import type { KernelArgument, Triple } from '../../runtime/command.ts';
import { BuildFailure } from '../../runtime/device.ts';
import type { ProgramPart } from './program-part.ts';
import { type BaselineFacts, LaunchAccount, mayBeSmall, type TierWish } from './tiers.ts';

/** Baseline code of one kernel. */
interface BaselineCode {
  readonly part: ProgramPart;
  /** Of the launches that it has run. */
  readonly account: LaunchAccount;
}

export interface CompiledBaseline {
  readonly part: ProgramPart;
  readonly facts: BaselineFacts | undefined;
}

export class BaselineTier {
  readonly #wish: TierWish;
  readonly #threads: number;
  readonly #compile: (part: number) => CompiledBaseline;
  /** By parts; undefined for those that are not to have any. */
  readonly #codes = new Map<number, BaselineCode | undefined>();
  readonly #parts: ProgramPart[] = [];

  /** @param compile compiles a part of the program; called once for each at most */
  constructor(wish: TierWish, threads: number, compile: (part: number) => CompiledBaseline) {
    this.#wish = wish;
    this.#threads = threads;
    this.#compile = compile;
  }

  /**
   * Compiles a part that has a single kernel, if that has not been done.
   * @returns undefined if it is too large to be compiled, or its kernel is better off without
   */
  code(part: number, kernel: string): BaselineCode | undefined {
    if (!this.#codes.has(part)) this.#codes.set(part, this.#make(part, kernel));
    return this.#codes.get(part);
  }

  /** The code of a part, if it has been compiled. */
  compiled(part: number): ProgramPart | undefined {
    return this.#codes.get(part)?.part;
  }

  /** Notes a launch of a part's kernel. @returns the code if it is to run the launch */
  take(
    part: number,
    kernel: string,
    values: readonly KernelArgument[],
    global: Triple,
  ): ProgramPart | undefined {
    if (!mayBeSmall(global, this.#threads)) return undefined;
    const code = this.code(part, kernel);
    return code?.account.take(values, global) ? code.part : undefined;
  }

  #make(number: number, kernel: string): BaselineCode | undefined {
    const compiled = this.#compiled(number);
    if (!compiled) return undefined;
    const { part, facts } = compiled;
    this.#parts.push(part);
    // How large the launches will be that it makes itself nobody knows.
    const launches = part.kernels.some(({ attributes }) => attributes.isBlock);
    if (!facts || launches || (this.#wish === 'exact' && !facts.isExact)) return undefined;
    return { part, account: new LaunchAccount(facts, kernel, this.#threads) };
  }

  /** Who compiles with all passes is told if it is too large. */
  #compiled(part: number): CompiledBaseline | undefined {
    try {
      return this.#compile(part);
    } catch (error) {
      if (error instanceof BuildFailure) return undefined;
      throw error;
    }
  }

  free(): void {
    for (const part of this.#parts) part.free();
  }
}
