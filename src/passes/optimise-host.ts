/**
 * The pipeline for programs for the host: variables become values, values get known, small functions go into those
 * that call them. There are no work-items, so there is nothing to cut, to pack or to coarsen.
 */
import type * as ir from '../ir/ir.ts';
import { assertValid } from '../ir/verify.ts';
import { flattenControl } from './flatten-control.ts';
import { foldConstants } from './fold-constants.ts';
import { hoistInvariants } from './hoist-invariants.ts';
import { inlineSmallCalls } from './inline-small.ts';
import { numberValues } from './number-values.ts';
import { pruneResults } from './prune-results.ts';
import { removeDeadCode } from './remove-dead-code.ts';
import { splitAggregates } from './split-aggregates.ts';
import { turnLoops } from './turn-loops.ts';
import { variablesToValues } from './variables-to-values.ts';

type FunctionPass = (fn: ir.Function, addressBits: 32 | 64) => void;

const simplification: readonly (readonly [string, FunctionPass])[] = [
  ['split-aggregates', splitAggregates],
  ['variables-to-values', variablesToValues],
  ['prune-results', pruneResults],
  ['fold-constants', foldConstants],
  ['flatten-control', flattenControl],
  ['number-values', numberValues],
  ['remove-dead-code', removeDeadCode],
];

const finish: readonly (readonly [string, FunctionPass])[] = [
  ['hoist-invariants', hoistInvariants],
  ['flatten-control', flattenControl],
  ['fold-constants', foldConstants],
  ['turn-loops', turnLoops],
  ['remove-dead-code', removeDeadCode],
];

export interface OptimiseHostOptions {
  /** Check the module after every pass. For tests. */
  readonly verify?: boolean | undefined;
}

/** Changes the module, whose functions all stay. */
export function optimiseHost(module: ir.Module, options: OptimiseHostOptions = {}): void {
  const run = (passes: typeof simplification, functions: Iterable<ir.Function>): void => {
    for (const [name, pass] of passes) {
      for (const fn of functions) if (fn.body) pass(fn, module.addressBits);
      if (options.verify) assertValid(module, name);
    }
  };
  run(
    simplification,
    module.functions.filter((fn) => !fn.isSimplified),
  );
  const changed = inlineSmallCalls(module);
  run(simplification, changed);
  run(
    finish,
    module.functions.filter((fn) => !fn.isFinished || changed.has(fn)),
  );
}
