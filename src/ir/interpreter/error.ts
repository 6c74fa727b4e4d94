/** What the interpreter throws when a program does something wrong. */
import type { Diagnostic } from '../../source/diagnostics.ts';
import { noSpan, type Span } from '../../source/span.ts';
import type { WorkItem } from './state.ts';

/** A mistake of the running program, with the place in its source and the work-item that made it. */
export class InterpreterError extends Error {
  /** What people call the kernel. */
  readonly title: string;
  /** The mistake alone, without kernel and place. */
  readonly reason: string;
  /** Of the work-item; undefined if no single one is to blame. */
  readonly globalId: readonly [number, number, number] | undefined;
  readonly groupId: readonly [number, number, number] | undefined;
  readonly span: Span;

  constructor(title: string, reason: string, item?: WorkItem, span: Span = noSpan) {
    const who = item ? `, ${nameOf(item)}` : '';
    super(`${placeOf(span)}${title}${who}: ${reason}`);
    this.name = 'InterpreterError';
    this.title = title;
    this.reason = reason;
    this.globalId = item && item.index >= 0 ? item.globalId : undefined;
    this.groupId = item?.group.id;
    this.span = span;
  }

  /** For render.ts: the source line with a caret, as a compiler shows it. */
  get diagnostic(): Diagnostic {
    const message = this.message.slice(placeOf(this.span).length);
    return { severity: 'error', message, span: this.span, notes: [] };
  }
}

/** `work-item (3, 0, 0)` by its global id, or `work-group (1, 0, 0)`. */
export function nameOf(item: WorkItem): string {
  if (item.index < 0) return `work-group (${item.group.id.join(', ')})`;
  return `work-item (${item.globalId.join(', ')})`;
}

function placeOf(span: Span): string {
  if (span.file === noSpan.file) return '';
  const { name, line, column } = span.file.presumed(span.start);
  return `${name}:${line}:${column}: `;
}
