/**
 * Puts small functions that call nobody in the place of their calls: in programs for the host, where all other functions stay
 * functions. No more than that is wanted, for whoever debugs a program looks for its functions on the stack.
 */
import type * as ir from '../../ir/ir.ts';
import { walkFunction } from '../../ir/walk.ts';
import { expandCalls } from './expand-calls.ts';

/** How many instructions, constants not counted, a function may have. */
const mostInstructions = 24;

/** @returns the functions in which something has changed */
export function inlineSmallCalls(module: ir.Module): Set<ir.Function> {
  const small = new Set(module.functions.filter(isSmall));
  const changed = new Set<ir.Function>();
  for (const fn of module.functions) {
    if (!fn.body) continue;
    expandCalls(fn.body, ({ callee }) => {
      if (!small.has(callee) || callee === fn) return 'none';
      changed.add(fn);
      return 'copy';
    });
  }
  return changed;
}

function isSmall(fn: ir.Function): boolean {
  if (!fn.body || fn.isOutlined) return false;
  let count = 0;
  let isLeaf = true;
  walkFunction(fn, ({ op }) => {
    if (op !== 'constant') count += 1;
    if (op === 'call' || op === 'call_indirect' || op === 'loop' || op === 'variable') isLeaf = false;
  });
  return isLeaf && count <= mostInstructions;
}
