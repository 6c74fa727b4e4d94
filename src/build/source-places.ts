/** Places in the source, for what explains compiled kernels (describe-vectors.ts, describe-plan.ts). */
import type { Instruction, Function as IRFunction, WorkItemLoop } from '../ir/ir.ts';
import { walkRegion } from '../ir/walk.ts';
import { scalarRegion } from '../ir/work-item-loops.ts';
import { outermostUse, type Span } from '../source/span.ts';

/** Where it begins in the text; behind everything if that is not known. */
export function startOf(span: Span | undefined): number {
  return span ? outermostUse(span).start : Number.POSITIVE_INFINITY;
}

/** Line and column, from 1. */
export function placeOf(span: Span): { line: number; column: number } {
  const outer = outermostUse(span);
  return outer.file.presumed(outer.start);
}

export function fileOf(span: Span): string {
  const outer = outermostUse(span);
  return outer.file.presumed(outer.start).name;
}

/** `line:column`. */
export function positionText(span: Span): string {
  const { line, column } = placeOf(span);
  return `${line}:${column}`;
}

/** So many characters of the source are next to a line. */
const longestSnippet = 44;

/** The beginning of the text, on one line. */
export function snippet(span: Span): string {
  const { file, start, end } = outermostUse(span);
  const text = file.text.slice(start, end).replaceAll(/\s+/g, ' ').trim();
  return text.length > longestSnippet ? `${text.slice(0, longestSnippet - 3)}...` : text;
}

/** Where a work-item loop begins: at its first instruction in the order of the text. */
export function firstSpan(itemLoop: WorkItemLoop): Span | undefined {
  let first: Span | undefined;
  walkRegion(scalarRegion(itemLoop), ({ span }: Instruction) => {
    if (span && (!first || startOf(span) < startOf(first))) first = span;
  });
  return first;
}

/** `work-items from file.cl:3`: how a work-item loop is named. */
export function titleOf(itemLoop: WorkItemLoop): string {
  const start = firstSpan(itemLoop);
  return start ? `work-items from ${fileOf(start)}:${placeOf(start).line}` : 'work-items';
}

/** The work-item loops of a kernel, in their order. */
export function workItemLoopsOf({ body }: IRFunction): WorkItemLoop[] {
  const loops: WorkItemLoop[] = [];
  if (body) {
    walkRegion(body, (instruction) => {
      if (instruction.op === 'work_item_loop') loops.push(instruction);
    });
  }
  return loops;
}
