/** What functions do through all the functions that they call. */
import type * as ir from '../ir.ts';
import { walkFunction } from '../walk.ts';

interface Facts {
  readonly callees: Set<ir.Function>;
  barrier: boolean;
  asksWho: boolean;
}

export class CallFacts {
  readonly #own = new Map<ir.Function, Facts>();
  readonly #reach = new Map<ir.Function, Set<ir.Function>>();

  /** Whether `from` calls `to`, directly or through others; `from` alone does not count as calling itself. */
  reaches(from: ir.Function, to: ir.Function): boolean {
    return from === to || this.#reachable(from).has(to);
  }

  /** Whether a call of the function can lead to another of it. */
  recurs(fn: ir.Function): boolean {
    return this.#reachable(fn).has(fn);
  }

  hasBarrier(fn: ir.Function): boolean {
    return this.#any(fn, (facts) => facts.barrier);
  }

  /** Whether it asks for the local or global id of the work-item. */
  asksWho(fn: ir.Function): boolean {
    return this.#any(fn, (facts) => facts.asksWho);
  }

  #any(fn: ir.Function, test: (facts: Facts) => boolean): boolean {
    if (test(this.#factsOf(fn))) return true;
    for (const callee of this.#reachable(fn)) if (test(this.#factsOf(callee))) return true;
    return false;
  }

  #reachable(fn: ir.Function): Set<ir.Function> {
    let reached = this.#reach.get(fn);
    if (reached) return reached;
    reached = new Set();
    const waiting = [fn];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      for (const callee of this.#factsOf(next).callees) {
        if (reached.has(callee)) continue;
        reached.add(callee);
        waiting.push(callee);
      }
    }
    this.#reach.set(fn, reached);
    return reached;
  }

  #factsOf(fn: ir.Function): Facts {
    const known = this.#own.get(fn);
    if (known) return known;
    const facts: Facts = { callees: new Set(), barrier: false, asksWho: false };
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'call') facts.callees.add(instruction.callee);
      else if (instruction.op === 'barrier') facts.barrier = true;
      else if (instruction.op === 'query') {
        facts.asksWho ||= ['local_id', 'global_id', 'linear_local_id'].includes(instruction.fn);
      }
    });
    this.#own.set(fn, facts);
    return facts;
  }
}
