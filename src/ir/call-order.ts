/**
 * The functions that some reach through calls, in an order in which what is called comes before who calls it. There is no
 * recursion in it: a program may call through as many functions as it likes.
 */
import type * as ir from './ir.ts';
import { walkFunction } from './walk.ts';

/** A function on the way of the search. */
interface Visit {
  readonly fn: ir.Function;
  readonly callees: readonly ir.Function[];
  next: number;
}

export interface CallOrder {
  /** Each once. In a circle of calls somebody comes before one that it calls. */
  readonly functions: readonly ir.Function[];
  /** What calls itself, directly or through others: one function for each circle that was met. */
  readonly recurring: ReadonlySet<ir.Function>;
}

/** @param calleesOf what a function calls; those that the search is not to follow may be left out */
export function calleesFirst(
  entries: Iterable<ir.Function>,
  calleesOf: (fn: ir.Function) => Iterable<ir.Function> = directCallees,
): CallOrder {
  const functions: ir.Function[] = [];
  const recurring = new Set<ir.Function>();
  const met = new Set<ir.Function>();
  const active = new Set<ir.Function>();
  const path: Visit[] = [];
  const enter = (fn: ir.Function): void => {
    met.add(fn);
    active.add(fn);
    path.push({ fn, callees: [...calleesOf(fn)], next: 0 });
  };
  for (const entry of entries) {
    if (!met.has(entry)) enter(entry);
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const callee = visit.callees[visit.next];
      visit.next += 1;
      if (!callee) {
        path.pop();
        active.delete(visit.fn);
        functions.push(visit.fn);
      } else if (active.has(callee)) recurring.add(callee);
      else if (!met.has(callee)) enter(callee);
    }
  }
  return { functions, recurring };
}

/** What a function calls, each once, in the order of the calls. */
export function directCallees(fn: ir.Function): Set<ir.Function> {
  const callees = new Set<ir.Function>();
  walkFunction(fn, (instruction) => {
    if (instruction.op === 'call') callees.add(instruction.callee);
  });
  return callees;
}
