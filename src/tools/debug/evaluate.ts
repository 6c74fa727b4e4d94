/**
 * Runs compiled expressions on behalf of a work-item, between two of its steps. What they change is taken back, unless it is
 * meant to stay: conditions must not have effects, or nothing would be the same twice.
 */
import { type CompileContext, compileFunction } from '../../ir/interpreter/compile-function.ts';
import { type Allocation, Fault } from '../../ir/interpreter/memory.ts';
import type { MemoryObserver } from '../../ir/interpreter/observer.ts';
import type { OpenLaunch } from '../../ir/interpreter/open-launch.ts';
import type { Code, WorkItem } from '../../ir/interpreter/state.ts';
import type { RuntimeValue } from '../../ir/interpreter/values.ts';
import type * as ir from '../../ir/ir.ts';
import { type CompiledExpression, ExpressionError, type NamedPlace } from './expressions.ts';

/** Bytes that an expression has written, and what was there before. */
export interface Change {
  readonly address: number;
  readonly before: Uint8Array;
  after: Uint8Array;
}

export interface Evaluation {
  /** Undefined for an expression of type void. */
  readonly value: RuntimeValue | undefined;
  /** In order; they have been taken back. */
  readonly changes: readonly Change[];
}

/** An expression may take so many steps. */
const mostSteps = 1_000_000;

/** Remembers what is written. */
class Journal implements MemoryObserver {
  readonly changes: (Change & { readonly allocation: Allocation; readonly offset: number })[] = [];
  read(): void {}

  write(allocation: Allocation, offset: number, bytes: Uint8Array): void {
    this.#note(allocation, offset, bytes.length);
  }

  atomic(allocation: Allocation, offset: number, size: number): void {
    this.#note(allocation, offset, size);
  }

  #note(allocation: Allocation, offset: number, size: number): void {
    const before = allocation.bytes.slice(offset, offset + size);
    this.changes.push({ allocation, offset, address: allocation.start + offset, before, after: before });
  }

  undo(): void {
    for (const change of this.changes) {
      change.after = change.allocation.bytes.slice(change.offset, change.offset + change.before.length);
    }
    for (const { allocation, offset, before } of [...this.changes].reverse()) {
      allocation.bytes.set(before, offset);
    }
  }
}

export class Evaluator {
  readonly #launch: OpenLaunch;
  readonly #codes = new WeakMap<CompiledExpression, Code>();
  /** Is given the observer while an expression runs. */
  readonly #observe: (observer: MemoryObserver | undefined) => void;

  constructor(launch: OpenLaunch, observe: (observer: MemoryObserver | undefined) => void) {
    this.#launch = launch;
    this.#observe = observe;
  }

  /**
   * @param placed what a place means to the work-item: an address, or an image
   * @param use looks at the result before the memory of temporary objects is gone
   * @throws ExpressionError where the expression does something wrong, or waits for others
   */
  run<T>(
    expression: CompiledExpression,
    item: WorkItem,
    placed: (place: NamedPlace) => RuntimeValue,
    use: (evaluation: Evaluation) => T,
  ): T {
    const { memory } = this.#launch;
    const mark = memory.mark;
    const code = this.#codeOf(expression);
    const journal = new Journal();
    this.#observe(journal);
    try {
      // Its group is the real one; what it does with barriers is refused.
      const guest: WorkItem = { ...item, frame: undefined, privates: new Map() };
      const outer = {
        code,
        item: guest,
        values: [] as RuntimeValue[],
        caller: undefined,
        resultNumber: -1,
        next: -1,
      };
      guest.frame = {
        code,
        item: guest,
        values: expression.parameters.map(placed),
        caller: outer,
        resultNumber: 0,
        next: 0,
      };
      runGuest(guest, outer);
      const changes = journal.changes.filter(({ allocation }) => !isTemporary(guest, allocation));
      journal.undo();
      return use({ value: outer.values[0], changes });
    } catch (error) {
      journal.undo();
      if (error instanceof Fault) throw new ExpressionError(error.message);
      throw error;
    } finally {
      this.#observe(undefined);
      memory.releaseTo(mark);
    }
  }

  #codeOf(expression: CompiledExpression): Code {
    let code = this.#codes.get(expression);
    if (!code) {
      const { context, addressOf, memory } = this.#launch;
      const codes = new Map<ir.Function, Code>();
      /** Tables and strings that only the expression has: there for one run. */
      const constants = new Map<ir.GlobalVariable, number>();
      const own: CompileContext = {
        ...context,
        globalAddress: (global) => {
          const real = expression.globals.get(global);
          let address = (real && addressOf(real)) ?? constants.get(global);
          if (address === undefined) {
            address = memory.allocate('constant', global.bytes, global.name).start;
            constants.set(global, address);
          }
          return address;
        },
        codeOf: (fn) => {
          let known = codes.get(fn);
          if (!known) {
            if (!fn.body) throw new Fault(`function '${fn.name}' is only declared`);
            known = compileFunction(fn, fn.body, own);
            codes.set(fn, known);
          }
          return known;
        },
      };
      code = own.codeOf(expression.fn);
      if (constants.size === 0) this.#codes.set(expression, code);
    }
    return code;
  }
}

function isTemporary({ privates }: WorkItem, allocation: Allocation): boolean {
  return [...privates.values()].includes(allocation);
}

/** Runs until the function has returned to `outer`. */
function runGuest(guest: WorkItem, outer: unknown): void {
  let left = mostSteps;
  for (let frame = guest.frame; frame && frame !== outer; frame = guest.frame) {
    const { steps } = frame.code;
    let next = frame.next;
    while (next >= 0) {
      left -= 1;
      if (left < 0) throw new Fault('the expression takes too long');
      const step = steps[next]!;
      if (step.run) {
        step.run(frame);
        next += 1;
      } else next = step.jump!(frame);
    }
    if (next !== -1) throw new Fault('the expression waits for other work-items');
  }
}
