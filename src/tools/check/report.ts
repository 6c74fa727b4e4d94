/** What the checker reports, for programs and for people. */
import type { Diagnostic, Note } from '../../source/diagnostics.ts';
import { renderDiagnostics } from '../../source/render.ts';
import { noSpan, outermostUse, type Span } from '../../source/span.ts';

export type FaultKind =
  | 'data-race'
  | 'out-of-bounds'
  | 'null-pointer'
  | 'read-only-written'
  | 'write-only-read'
  | 'uninitialised'
  | 'barrier-divergence'
  | 'division-by-zero'
  | 'division-overflow'
  | 'misaligned'
  | 'constant-written'
  | 'event-misuse'
  | 'pipe-misuse'
  | 'other';

export type Access = 'read' | 'write' | 'atomic operation';

export type Ids = readonly [number, number, number];

/** A work-item: its ids globally, in its group, and those of the group. */
export interface WorkItem {
  readonly global: Ids;
  readonly local: Ids;
  readonly group: Ids;
}

/** A place in a source, lines and columns from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One of the two of a race, or somebody whom the first depends on. */
export interface Party {
  readonly workItem: WorkItem | undefined;
  readonly access: Access | undefined;
  readonly place: SourcePlace | undefined;
}

/** The object that an access is about. */
export interface CheckedObject {
  readonly name: string;
  readonly space: 'private' | 'local' | 'global' | 'constant';
  /** Bytes; undefined where it is not known. */
  readonly size: number | undefined;
  /** Byte of the access in it, which may lie outside. */
  readonly offset: number | undefined;
}

export interface CheckReport extends Party {
  readonly kind: FaultKind;
  /** A warning tells of what may be meant so: nothing wrong has come of it yet. */
  readonly severity: 'error' | 'warning';
  readonly kernel: string;
  readonly message: string;
  readonly other: Party | undefined;
  readonly object: CheckedObject | undefined;
  /** Of a race of two writes: what was there, and what came. */
  readonly values: { readonly before: number; readonly after: number } | undefined;
  /** How often it was found; the rest says the first. */
  readonly count: number;
}

/** A report with the places in the source that it is shown with. */
export interface PlacedReport {
  readonly report: CheckReport;
  readonly span: Span | undefined;
  readonly otherSpan: Span | undefined;
  /** What is said of the other place, if that is no access of another party. */
  readonly otherNote?: string | undefined;
}

export function placeOf(span: Span | undefined): SourcePlace | undefined {
  if (!span || span.file === noSpan.file) return undefined;
  const outer = outermostUse(span);
  const { name, line, column } = outer.file.presumed(outer.start);
  return { file: name, line, column };
}

/** `work-item (3, 0, 0), local (3, 0, 0) of group (0, 0, 0)`. */
export function describeItem({ global, local, group }: WorkItem): string {
  return `work-item ${idsText(global)}, local ${idsText(local)} of group ${idsText(group)}`;
}

function idsText(ids: Ids): string {
  return `(${ids.join(', ')})`;
}

/** For people: message, source line and caret, who it was, the other party. */
export function renderReport({ report, span, otherSpan, otherNote }: PlacedReport, color = false): string {
  const notes: Note[] = [];
  const { workItem, other, kernel, count, severity } = report;
  const place = span ?? noSpan;
  const who = workItem ? `${describeItem(workItem)}, ` : '';
  const times = count > 1 ? `; found ${count} times, this is the first` : '';
  if (otherNote !== undefined) notes.push({ message: otherNote, span: otherSpan ?? place });
  else if (other) {
    const by = other.workItem ? describeItem(other.workItem) : 'an async copy of the group';
    notes.push({ message: `the other ${other.access ?? 'one'}: ${by}`, span: otherSpan ?? place });
  }
  const diagnostic: Diagnostic = { severity, message: report.message, span: place, notes };
  const text = renderDiagnostics([diagnostic], { color, counts: false });
  return `${text.trimEnd()}\n  ${who}kernel '${kernel}'${times}\n`;
}
