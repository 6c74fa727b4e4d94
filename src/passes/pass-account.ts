/**
 * Keeps account of what passes do, in the units of a build's budget, and decides which may run.
 *
 * A pass costs as many units as its function has instructions, and some several times that. Most passes only make code better: they
 * may spend half of the budget together, and when the next one would spend more, it and all that follow are left out, so that the
 * function stays as plain as it is by then. Those that code cannot do without may spend what is left, and when that is not
 * enough, the program is too large.
 */
import type * as ir from '../ir/ir.ts';
import { countInstructions } from '../ir/regions.ts';
import type { BuildBudget } from '../source/build-budget.ts';

/** Passes that take longer than others, and how much. */
const weights: Readonly<Record<string, number>> = {
  gvn: 2,
  'constant-folding': 2,
  dce: 2,
  'thread-coarsening': 2,
  vectorise: 10,
};

/** After these a function has another size. */
const resizing: ReadonlySet<string> = new Set([
  'sroa',
  'mem2reg',
  'unroll',
  'dce',
  'range-check-elimination',
  'tile-loops',
  'tile-grid-stride-loops',
  'form-work-item-loops',
  'thread-coarsening',
  'vectorise',
  'runtime-unroll',
]);

/** What the passes that code can do without may spend of what there is. */
const shareOfOptional = 0.5;

export class PassAccount {
  readonly budget: BuildBudget;
  readonly #sizes = new Map<ir.Function, number>();
  readonly #mostOptional: number;
  /** Functions that stay as they are, but for passes that must run. */
  readonly #left = new Set<ir.Function>();

  constructor(budget: BuildBudget) {
    this.budget = budget;
    this.#mostOptional = budget.spent + (budget.limit - budget.spent) * shareOfOptional;
  }

  /** How many instructions a function has. */
  sizeOf(fn: ir.Function): number {
    let size = this.#sizes.get(fn);
    if (size === undefined) {
      size = fn.body ? countInstructions(fn.body) : 0;
      this.#sizes.set(fn, size);
    }
    return size;
  }

  /** Runs a pass over a function if there is enough left for it; one that code can do without. */
  runOptional<T>(name: string, fn: ir.Function, pass: () => T): T | undefined {
    if (this.#left.has(fn)) return undefined;
    const cost = this.#costOf(name, fn);
    if (this.budget.spent + cost > this.#mostOptional) {
      this.#left.add(fn);
      return undefined;
    }
    this.budget.spend(cost);
    const result = pass();
    this.#resized(name, fn);
    return result;
  }

  /** Runs a pass that must run. @returns false if there is not enough left */
  runNeeded(name: string, fn: ir.Function, pass: () => void): boolean {
    if (!this.budget.spend(this.#costOf(name, fn))) return false;
    pass();
    this.#resized(name, fn);
    return true;
  }

  #costOf(name: string, fn: ir.Function): number {
    return this.sizeOf(fn) * (weights[name] ?? 1);
  }

  #resized(name: string, fn: ir.Function): void {
    if (resizing.has(name)) this.#sizes.delete(fn);
  }
}
