/**
 * What `--emit vectors` prints: for each kernel, how many work-items its pieces run at once, how every access to memory
 * is done and which branches became masks, or why a piece stayed as it was, with places in the source.
 *
 *     kernel saxpy
 *       work-items from saxpy.cl:2: 8 at once
 *         3:3   if     masked                  if (i < n) y[i] += a * x[i];
 *         3:25  load   consecutive, masked     x[i]
 *
 * Where several rows run together, it says which of their accesses serve more than one of them:
 *
 *       work-items from multiply.cl:2: 8 at once, 4 rows together
 *         4:53  load   consecutive, once for 4 rows     b[k * n + x]
 *
 * And where dimensions are interchanged:
 *
 *     kernel copy: neighbours along dimension 1 run together, ...
 */
import type { Function as IRFunction } from '../ir/ir.ts';
import type { AccessNote, VectorReport } from '../passes/vectorize/emit/vector-report.ts';
import type { VectoriseDecision } from '../passes/vectorize/vectorize.ts';
import type { Span } from '../source/span.ts';
import { positionText, snippet, startOf, titleOf, workItemLoopsOf } from './source-places.ts';

/** @param kernels in the order of the source */
export function describeVectors(
  kernels: readonly IRFunction[],
  decisions: readonly VectoriseDecision[],
): string {
  return kernels.map((kernel) => describeKernel(kernel, decisions)).join('\n');
}

export const interchangeText =
  'neighbours along dimension 1 run together, where launches have many, for they read and write side by side';

function describeKernel(kernel: IRFunction, decisions: readonly VectoriseDecision[]): string {
  const interchange = kernel.attributes?.interchange === 'done' ? `: ${interchangeText}` : '';
  const lines = [`kernel ${kernel.name}${interchange}`];
  const pieces = workItemLoopsOf(kernel);
  for (const itemLoop of pieces) {
    const decision = decisions.find((one) => one.itemLoop === itemLoop);
    const where = titleOf(itemLoop);
    if (!decision) lines.push(`  ${where}: one by one`);
    else lines.push(...describeDecision(decision, where));
  }
  if (pieces.length === 0) lines.push('  does nothing a work-item');
  return `${lines.join('\n')}\n`;
}

function describeDecision({ outcome }: VectoriseDecision, where: string): string[] {
  if ('reason' in outcome) {
    const { at, reason } = outcome;
    const place = at?.span ? ` (${positionText(at.span)}  ${snippet(at.span)})` : '';
    return [`  ${where}: one by one, for ${reason}${place}`];
  }
  const { lanes, report, rows: together } = outcome;
  /** How often an access is done for all rows, if that is less than once for each. */
  const sharing = (note: AccessNote): string => {
    if (!together) return '';
    const one = timesIn(report, note);
    const all = timesIn(together.report, note);
    if (all >= one * together.count) return '';
    return `, ${all <= one ? 'once' : `${all} times`} for ${together.count} rows`;
  };
  const rows: { span: Span | undefined; what: string; how: string }[] = [
    ...report.branches.map(({ op, shape, span }) => ({ span, what: op, how: shape })),
    ...report.accesses.map((access) => ({
      span: access.span,
      what: access.op,
      how: `${access.shape}${access.isMasked ? ', masked' : ''}${sharing(access)}`,
    })),
  ];
  rows.sort((a, b) => startOf(a.span) - startOf(b.span));
  const seen = new Set<string>();
  const lines = [`  ${where}: ${lanes} at once${together ? `, ${together.count} rows together` : ''}`];
  for (const { span, what, how } of rows) {
    const line = `    ${(span ? positionText(span) : '').padEnd(8)} ${what.padEnd(7)} ${how.padEnd(24)} ${span ? snippet(span) : ''}`;
    if (!seen.has(line)) lines.push(line.trimEnd());
    seen.add(line);
  }
  return lines;
}

function timesIn({ accesses }: VectorReport, { op, span }: AccessNote): number {
  return accesses.filter((one) => one.op === op && one.span === span).length;
}
