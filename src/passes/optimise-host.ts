/**
 * The pipeline for programs for the host: variables become values, values get known, small functions go into those
 * that call them. There are no work-items, so there is nothing to cut, to pack or to coarsen.
 */
import type * as ir from '../ir/ir.ts';
import { assertValid } from '../ir/verify.ts';
import { simplifyBlockArguments } from './scalar/block-arguments.ts';
import { foldConstants } from './scalar/constant-folding/constant-folding.ts';
import { dce } from './scalar/dce.ts';
import { gvn } from './scalar/gvn.ts';
import { inlineSmallCalls } from './scalar/inline-small.ts';
import { licm } from './scalar/licm.ts';
import { rotateLoops } from './scalar/loop-rotate.ts';
import { mem2reg } from './scalar/mem2reg.ts';
import { simplifyCfg } from './scalar/simplify-cfg.ts';
import { sroa } from './scalar/sroa.ts';

type FunctionPass = (fn: ir.Function, addressBits: 32 | 64) => void;

const simplification: readonly (readonly [string, FunctionPass])[] = [
  ['sroa', sroa],
  ['mem2reg', mem2reg],
  ['simplify-block-arguments', simplifyBlockArguments],
  ['constant-folding', foldConstants],
  ['simplify-cfg', simplifyCfg],
  ['gvn', gvn],
  ['dce', dce],
];

const finish: readonly (readonly [string, FunctionPass])[] = [
  ['licm', licm],
  ['simplify-cfg', simplifyCfg],
  ['constant-folding', foldConstants],
  ['loop-rotate', rotateLoops],
  ['dce', dce],
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
