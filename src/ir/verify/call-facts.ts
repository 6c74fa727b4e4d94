/**
 * What functions do through all the functions that they call. Functions that call each other in a circle form one group;
 * the groups are found once (Tarjan's algorithm, without recursion: chains of calls may be long), callees first, so that
 * each takes over what its callees do.
 */
import type * as ir from '../ir.ts';
import { isBarrier } from '../ir.ts';
import { walkFunction } from '../walk.ts';

interface Facts {
  readonly callees: Set<ir.Function>;
  barrier: boolean;
  asksWho: boolean;
}

/** Functions of which each reaches every other; mostly one alone. */
interface Group {
  /** A call of a member can lead to another call of it. */
  recurs: boolean;
  barrier: boolean;
  asksWho: boolean;
}

/** A function on the way of the search. */
interface Visit {
  readonly fn: ir.Function;
  readonly callees: readonly ir.Function[];
  next: number;
  /** When it was met, and the earliest met of those on the stack that it reaches. */
  readonly index: number;
  low: number;
}

export class CallFacts {
  readonly #own = new Map<ir.Function, Facts>();
  readonly #groups = new Map<ir.Function, Group>();

  /** Whether two functions call each other, directly or through others. One function does if a call of it can lead to another. */
  areCircular(a: ir.Function, b: ir.Function): boolean {
    const group = this.#groupOf(a);
    return group.recurs && group === this.#groupOf(b);
  }

  hasBarrier(fn: ir.Function): boolean {
    return this.#groupOf(fn).barrier;
  }

  /** Whether it asks for the local or global id of the work-item. */
  asksWho(fn: ir.Function): boolean {
    return this.#groupOf(fn).asksWho;
  }

  #groupOf(fn: ir.Function): Group {
    if (!this.#groups.has(fn)) this.#search(fn);
    return this.#groups.get(fn)!;
  }

  #search(start: ir.Function): void {
    const open = new Map<ir.Function, Visit>();
    const stack: Visit[] = [];
    const path: Visit[] = [];
    const enter = (fn: ir.Function): void => {
      const callees = [...this.#factsOf(fn).callees];
      const visit: Visit = { fn, callees, next: 0, index: open.size, low: open.size };
      open.set(fn, visit);
      stack.push(visit);
      path.push(visit);
    };
    enter(start);
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const callee = visit.callees[visit.next];
      visit.next += 1;
      if (callee) {
        const known = open.get(callee);
        if (known) visit.low = Math.min(visit.low, this.#groups.has(callee) ? visit.low : known.index);
        else if (!this.#groups.has(callee)) enter(callee);
        continue;
      }
      path.pop();
      const caller = path.at(-1);
      if (caller) caller.low = Math.min(caller.low, visit.low);
      if (visit.low === visit.index) this.#close(stack.splice(stack.lastIndexOf(visit)));
    }
  }

  /** Makes a group of functions whose other callees have theirs. */
  #close(members: readonly Visit[]): void {
    const group: Group = { recurs: members.length > 1, barrier: false, asksWho: false };
    for (const { fn } of members) this.#groups.set(fn, group);
    for (const { fn, callees } of members) {
      const facts = this.#factsOf(fn);
      group.barrier ||= facts.barrier;
      group.asksWho ||= facts.asksWho;
      for (const callee of callees) {
        const other = this.#groups.get(callee)!;
        if (callee === fn) group.recurs = true;
        group.barrier ||= other.barrier;
        group.asksWho ||= other.asksWho;
      }
    }
  }

  #factsOf(fn: ir.Function): Facts {
    const known = this.#own.get(fn);
    if (known) return known;
    const facts: Facts = { callees: new Set(), barrier: false, asksWho: false };
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'call') facts.callees.add(instruction.callee);
      else if (isBarrier(instruction)) facts.barrier = true;
      else if (instruction.op === 'query') {
        facts.asksWho ||= ['local_id', 'global_id', 'linear_local_id'].includes(instruction.fn);
      }
    });
    this.#own.set(fn, facts);
    return facts;
  }
}
