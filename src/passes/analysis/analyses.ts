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
  readonly uniformity: Map<Across, Uniformity>;
}

export class Analyses {
  readonly #fn: ir.Function;
  #known: Known = { uniformity: new Map() };

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

  /** The function has changed. */
  forget(): void {
    this.#known = { uniformity: new Map() };
  }
}
