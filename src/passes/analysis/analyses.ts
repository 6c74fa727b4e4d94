/**
 * What is known of one function, computed when first asked for and kept until the function changes.
 *
 * The pass manager makes one `Analyses` for each function and forgets what it holds after a pass that changed something. A pass that asks
 * again after it has written calls {@link Analyses.forget} itself.
 */
import { findDefinitions } from '../../ir/definitions.ts';
import type * as ir from '../../ir/ir.ts';
import { AffineForms } from './affine-forms.ts';
import { Memory } from './alias.ts';
import { type Across, analyseUniformity, type Uniformity } from './uniformity.ts';

interface Known {
  definitions?: ReadonlyMap<ir.Value, ir.Instruction>;
  memory?: Memory;
  forms?: AffineForms;
  readonly results: Map<Analysis<unknown>, unknown>;
  readonly uniformity: Map<Across, Uniformity>;
}

/** Finds something out about a function, from what is known of it. */
export type Analysis<Result> = (fn: ir.Function, known: Analyses) => Result;

export class Analyses {
  readonly #fn: ir.Function;
  #known: Known = nothing();

  /** @param fn with a body */
  constructor(fn: ir.Function) {
    this.#fn = fn;
  }

  /** The instruction that computes each value. */
  get definitions(): ReadonlyMap<ir.Value, ir.Instruction> {
    this.#known.definitions ??= findDefinitions(this.#fn.body!);
    return this.#known.definitions;
  }

  /** Which accesses may meet. */
  get memory(): Memory {
    this.#known.memory ??= new Memory(this.#fn, this.definitions);
    return this.#known.memory;
  }

  /** Integers and pointers as sums of values times constants. */
  get forms(): AffineForms {
    this.#known.forms ??= new AffineForms(this.definitions);
    return this.#known.forms;
  }

  /** Which values are the same, or grow by a constant step, from one work-item to the next. */
  uniformity(across: Across = 'group'): Uniformity {
    let answer = this.#known.uniformity.get(across);
    if (!answer) {
      answer = analyseUniformity(this.#fn, across);
      this.#known.uniformity.set(across, answer);
    }
    return answer;
  }

  /** What an analysis finds (`loopNests`, `accessMap`): only passes that ask for one bring its code along. */
  get<Result>(analysis: Analysis<Result>): Result {
    const { results } = this.#known;
    if (!results.has(analysis)) results.set(analysis, analysis(this.#fn, this));
    return results.get(analysis) as Result;
  }

  /** The function has changed. */
  forget(): void {
    this.#known = nothing();
  }
}

const nothing = (): Known => ({ uniformity: new Map(), results: new Map() });
