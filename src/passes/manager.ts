/**
 * Runs passes over the functions of a module, as pipeline.ts lists them, and does for all passes what none should do for itself: it
 * keeps the account of the build's budget, checks the module after each pass where tests ask for that, tells those who watch
 * (`--after`, `--time-passes`), and keeps what analyses found until a pass changes the function.
 *
 * A pass costs as many units of the budget as its function has instructions, some several times that. Most passes only make code
 * better: they may spend half of the budget together, and when the next one would spend more, it and all that follow are left out for
 * that function. Those that code generators cannot do without may spend what is left, and when that is not enough, the program
 * is too large.
 */
import type * as ir from '../ir/ir.ts';
import { countInstructions, countModuleInstructions } from '../ir/regions.ts';
import { BuildBudget, type Excess, overBudget } from '../source/build-budget.ts';
import { isStackFull } from '../source/stack-full.ts';
import { scalarMachine } from '../target/scalar.ts';
import type { Target } from '../target/target.ts';
import { Analyses } from './analysis/analyses.ts';

/** What a pass is given next to its function. */
export interface PassContext {
  readonly addressBits: 32 | 64;
  /** The machine. */
  readonly target: Target;
  /** What is known of the function. */
  readonly analyses: Analyses;
  /** Puts a function that the pass calls into the module. */
  readonly add: (fn: ir.Function) => void;
}

/** A pass over one function. */
export interface Pass {
  readonly name: string;
  /** @returns false if the function is as it was, so that what analyses found stays true; true if the pass found what it looks for */
  readonly run: (fn: ir.Function, context: PassContext) => unknown;
  /** Units of the budget for each instruction. Default 1. */
  readonly weight?: number | undefined;
  /** Functions may have another size afterwards. */
  readonly resizes?: boolean | undefined;
  /** Code generators cannot do without: it must run once, or once before and once after work-item loops are formed. */
  readonly isNeeded?: 'once' | 'in each form' | undefined;
}

/** One run of a pass, for `--time-passes`. */
export interface PassRun {
  readonly pass: string;
  /** All functions that it went over. */
  readonly milliseconds: number;
  readonly functions: number;
  /** Of the whole module, afterwards. */
  readonly instructions: number;
}

export interface PassManagerOptions {
  /** The machine that passes are asked about. Default one of which nothing is known. */
  readonly target?: Target | undefined;
  /** Called after each pass, for `--after PASS`. A pass that runs several times is reported each time. */
  readonly after?: ((passName: string, module: ir.Module) => void) | undefined;
  /** Called after each pass with the time that it took. */
  readonly onPass?: ((run: PassRun) => void) | undefined;
  /** Called after each pass to check the module; it throws, naming the pass. For tests and `--after`, which pass the verifier. */
  readonly verify?: ((module: ir.Module, passName: string) => void) | undefined;
  /** Pays for what is done. Default a new one. */
  readonly budget?: BuildBudget | undefined;
}

/** The module cannot be built; what is too much in it, for a build log. */
export class OptimiseError extends Error {
  override readonly name = 'OptimiseError';
  readonly excesses: readonly Excess[];

  constructor(excesses: readonly Excess[]) {
    super(excesses.map(({ message }) => message).join('\n'));
    this.excesses = excesses;
  }
}

/** What the passes that code generators can do without may spend of what there is. */
const shareOfOptional = 0.5;

export class PassManager {
  readonly #module: ir.Module;
  readonly #options: PassManagerOptions;
  readonly #target: Target;
  readonly #budget: BuildBudget;
  readonly #mostOptional: number;
  readonly #analyses = new WeakMap<ir.Function, Analyses>();
  readonly #sizes = new Map<ir.Function, number>();
  /** Functions that stay as they are, but for passes that must run. */
  readonly #left = new Set<ir.Function>();
  /** Of the passes that must run, those that a function has had: in work-item form, and in work-group form. */
  readonly #had = {
    'work-item': new Map<ir.Function, Set<Pass>>(),
    'work-group': new Map<ir.Function, Set<Pass>>(),
  };

  constructor(module: ir.Module, options: PassManagerOptions = {}) {
    this.#module = module;
    this.#options = options;
    this.#target = options.target ?? scalarMachine;
    this.#budget = options.budget ?? new BuildBudget();
    this.#mostOptional = this.#budget.spent + (this.#budget.limit - this.#budget.spent) * shareOfOptional;
  }

  /**
   * Runs passes one after another, each over all the functions.
   * @returns the functions of which a pass has said that it found something
   * @throws OptimiseError when the budget does not suffice for what must run
   */
  run(passes: readonly Pass[], functions: readonly ir.Function[]): ir.Function[] {
    const found = new Set<ir.Function>();
    for (const pass of passes) {
      this.#observed(pass.name, functions.length, () => {
        for (const fn of functions) if (fn.body && this.#pass(pass, fn)) found.add(fn);
      });
    }
    return [...found];
  }

  /** Runs what changes the module as a whole. */
  runOnModule<T>(name: string, run: () => T): T {
    return this.#observed(name, this.#module.functions.length, run);
  }

  /** Checks, times and reports a pass. */
  #observed<T>(name: string, functions: number, run: () => T): T {
    const { verify, after, onPass } = this.#options;
    const start = onPass ? performance.now() : 0;
    const result = run();
    if (onPass) {
      const milliseconds = performance.now() - start;
      onPass({ pass: name, milliseconds, functions, instructions: countModuleInstructions(this.#module) });
    }
    verify?.(this.#module, name);
    after?.(name, this.#module);
    return result;
  }

  #pass(pass: Pass, fn: ir.Function): boolean {
    const cost = this.#sizeOf(fn) * (pass.weight ?? 1);
    if (this.#mustRun(pass, fn)) {
      if (!this.#budget.spend(cost)) {
        const what = `'${fn.name}' (${this.#sizeOf(fn)} instructions, in pass ${pass.name})`;
        throw new OptimiseError([{ message: overBudget(what, this.#budget), span: fn.span }]);
      }
    } else {
      if (this.#left.has(fn)) return false;
      if (this.#budget.spent + cost > this.#mostOptional) {
        this.#left.add(fn);
        return false;
      }
      this.#budget.spend(cost);
    }
    const analyses = this.#analysesOf(fn);
    const answer = pass.run(fn, {
      addressBits: this.#module.addressBits,
      target: this.#target,
      analyses,
      add: this.#add,
    });
    if (answer === false) return false;
    analyses.forget();
    if (pass.resizes) this.#sizes.delete(fn);
    return answer === true;
  }

  #mustRun(pass: Pass, fn: ir.Function): boolean {
    if (!pass.isNeeded || (pass.isNeeded === 'once' && fn.form === 'work-group')) return false;
    const had = this.#had[fn.form];
    const passes = had.get(fn) ?? new Set();
    had.set(fn, passes);
    if (passes.has(pass)) return false;
    passes.add(pass);
    return true;
  }

  readonly #add = (fn: ir.Function): void => {
    this.#module.functions.push(fn);
  };

  /** How many instructions a function has. */
  #sizeOf(fn: ir.Function): number {
    let size = this.#sizes.get(fn);
    if (size === undefined) {
      size = fn.body ? countInstructions(fn.body) : 0;
      this.#sizes.set(fn, size);
    }
    return size;
  }

  #analysesOf(fn: ir.Function): Analyses {
    let analyses = this.#analyses.get(fn);
    if (!analyses) {
      analyses = new Analyses(fn);
      this.#analyses.set(fn, analyses);
    }
    return analyses;
  }
}

/**
 * Passes follow nested regions, and what values are computed from, by recursion.
 * @throws OptimiseError where the stack does not suffice
 */
export function withinStack<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isStackFull(error))
      throw new OptimiseError([{ message: 'the program nests too deeply to be compiled' }]);
    throw error;
  }
}
