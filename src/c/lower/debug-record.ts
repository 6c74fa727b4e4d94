/**
 * What debuggers want to know of a lowering and the IR does not say: at which instruction each statement begins, which
 * variables can be named there, and where those lie. Lowering tells a record of it, if there is one (LoweringOptions.record).
 * It holds as long as no pass has been over the module.
 */
import type * as ir from '../../ir/ir.ts';
import type { Span } from '../../source/span.ts';
import type { FunctionDeclaration, VariableDeclaration } from '../ast.ts';

/** The local variables and parameters that can be named at a place, the innermost first. */
export interface Visible {
  readonly variable: VariableDeclaration;
  readonly outer: Visible | undefined;
}

/** A place in the source that control comes to. */
export interface Mark {
  readonly span: Span;
  readonly visible: Visible | undefined;
  /** Whether a debugger that goes from statement to statement stops there. */
  readonly stops: boolean;
}

/** Where a variable of a function is: the address of its bytes; of an image or a sampler, its value. */
export interface VariablePlace {
  readonly value: ir.Value;
  readonly isHandle: boolean;
}

export interface FunctionRecord {
  readonly declaration: FunctionDeclaration;
  readonly places: Map<VariableDeclaration, VariablePlace>;
}

export class DebugRecord {
  /** By the first instruction of what is at the place. */
  readonly marks = new Map<ir.Instruction, Mark>();
  readonly functions = new Map<ir.Function, FunctionRecord>();

  function(fn: ir.Function, declaration: FunctionDeclaration): FunctionRecord {
    let record = this.functions.get(fn);
    if (!record) {
      record = { declaration, places: new Map() };
      this.functions.set(fn, record);
    }
    return record;
  }

  /** A place inside of what begins with the same instruction counts more. */
  mark(instruction: ir.Instruction | undefined, mark: Mark): void {
    let first = instruction;
    // A block does nothing itself.
    while (first?.op === 'block') first = first.regions[0]?.instructions[0];
    if (first && !this.marks.has(first)) this.marks.set(first, mark);
  }
}
