/**
 * What the first stage leaves behind for the second at copies of structs. A copy hands on what is undefined and is no fault itself.
 * Between two variables with companions of the first stage the companion is copied, too. Where the other side is memory that
 * work-items share, or a variable that gets its companion in the second stage only, a call of a function that there is
 * not stands behind the copy:
 *
 *     copy %a, %p, 8        =>       copy %a, %p, 8
 *                                    call mark(%a, %p.set)          pass on to %a what %p.set says
 *
 *     copy %p, %a, 8        =>       copy %p, %a, 8
 *                                    fill %p.set, 8, 0xff
 *                                    call mark(%a, %p.set)          learn of %a what %p.set is to say
 *
 * Between the stages `sroa` may make loads and stores of a copy. They keep its span, by which they are known: each copy gets one
 * of its own.
 */
import { type Builder, newValue } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { libraryPrefix } from '../../../library/index.ts';
import type { Span } from '../../../source/span.ts';
import type { Base } from '../sites.ts';

export const copyMarkName = `${libraryPrefix}copied`;

export interface CopyMark {
  /** What the other side learns, or the companion. */
  readonly way: 'pass on' | 'learn';
  readonly bytes: number;
  /** The variable of the companion, and the place in it. */
  readonly base: Base;
  readonly offset: number;
}

export class CopyMarks {
  readonly #spans = new Set<Span>();
  /** By the function that is called: it survives what makes copies of the call. */
  readonly #marks = new Map<ir.Function, CopyMark>();

  /** Gives a copy a span of its own. */
  claim(copy: ir.Copy): void {
    if (!copy.span) return;
    copy.span = { ...copy.span };
    this.#spans.add(copy.span);
  }

  /** Whether an instruction is one of those copies, or a part of one. */
  isOfCopy({ span }: ir.Instruction): boolean {
    return span !== undefined && this.#spans.has(span);
  }

  write(builder: Builder, other: ir.Value, companion: ir.Value, mark: CopyMark): void {
    const fn: ir.Function = {
      name: copyMarkName,
      kind: 'function',
      parameters: [{ value: newValue(other.type) }, { value: newValue(companion.type) }],
      result: undefined,
      body: undefined,
      form: 'work-item',
    };
    this.#marks.set(fn, mark);
    builder.call(fn, [other, companion]);
  }

  of(instruction: ir.Instruction): CopyMark | undefined {
    return instruction.op === 'call' ? this.#marks.get(instruction.callee) : undefined;
  }
}
