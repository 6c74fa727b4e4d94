/**
 * What `--emit plan` prints: for each work-item loop of a kernel the ways to run it that the planner looked at, what each would take, which
 * was taken and why not the others; and how the loops and branches in it run.
 *
 *     target wasm: vectors of 128 bits, 15 of 16 registers for code
 *
 *     kernel multiply
 *       work-items from multiply.cl:2
 *           scalar               108.0 a work-item                       vectors are faster
 *           vector 4              27.0                2 of 15 registers  shares less
 *         > vector 8, coarse 4    11.2               12 of 15 registers
 *         the most of it: 4:53 load  b[k * n + x]
 *         4:5   loop    together                 for (int k = 0; k < n; k++)
 *
 * A cost is the time of one work-item in simple instructions, each loop counted {@link thresholds.loopWeight} times.
 */
import type { GroupPlan, Function as IRFunction } from '../ir/ir.ts';
import { type Candidate, nameOf } from '../passes/vectorize/plan/plan.ts';
import type { VectoriseDecision } from '../passes/vectorize/vectorize.ts';
import type { Target } from '../target/target.ts';
import { interchangeText } from './describe-vectors.ts';
import { positionText, snippet, startOf, titleOf, workItemLoopsOf } from './source-places.ts';

/** @param kernels in the order of the source */
export function describePlan(
  target: Target,
  kernels: readonly IRFunction[],
  decisions: readonly VectoriseDecision[],
): string {
  const parts = kernels.map((kernel) => describeKernel(target, kernel, decisions));
  return [describeTarget(target), ...parts].join('\n');
}

function describeTarget({ name, vectors }: Target): string {
  if (!vectors) return `target ${name}: work-items one by one\n`;
  const { bits, registers, allocatable } = vectors;
  return `target ${name}: vectors of ${bits} bits, ${allocatable} of ${registers} registers for code\n`;
}

function describeKernel(target: Target, kernel: IRFunction, decisions: readonly VectoriseDecision[]): string {
  const interchange = kernel.attributes?.interchange === 'done' ? `: ${interchangeText}` : '';
  const lines = [`kernel ${kernel.name}${interchange}`];
  for (const itemLoop of workItemLoopsOf(kernel)) {
    lines.push(`  ${titleOf(itemLoop)}`);
    const decision = decisions.find((one) => one.itemLoop === itemLoop);
    if (decision) lines.push(...describeDecision(target, decision));
    else lines.push('      scalar: nothing was asked');
  }
  if (lines.length === 1) lines.push('  does nothing a work-item');
  const groups = describeGroups(kernel.groups);
  if (groups) lines.push(`  groups ${groups}`);
  return `${lines.join('\n')}\n`;
}

/** How groups follow each other, if not one by one along their rows. */
function describeGroups(plan: GroupPlan | undefined): string | undefined {
  if (!plan) return undefined;
  const { inStrips, isFused, isJoined } = plan;
  const ways = [
    inStrips && 'in strips of rows',
    isFused && 'several together through loops',
    isJoined && 'joined to whole rows',
  ];
  return ways.filter((way) => way !== false).join(', ');
}

function describeDecision(target: Target, { candidates, outcome }: VectoriseDecision): string[] {
  const lines = candidates.map((one, index) => describeCandidate(target, one, index === 0));
  if ('reason' in outcome) {
    const { at, reason } = outcome;
    const place = at?.span ? ` (${positionText(at.span)}  ${snippet(at.span)})` : '';
    return [...lines, `    one by one, for ${reason}${place}`];
  }
  const taken = candidates.find(({ rejected }) => rejected === undefined);
  const { costliest } = candidates.find(({ lanes }) => lanes === taken?.lanes) ?? {};
  if (costliest?.span) {
    const place = positionText(costliest.span);
    lines.push(`    the most of it: ${place} ${costliest.op}  ${snippet(costliest.span)}`);
  }
  const loops = new Set(outcome.report.branches.flatMap(({ op, span }) => (op === 'loop' ? [span] : [])));
  // The exit test of a loop has the loop's own place.
  const branches = outcome.report.branches.filter(({ op, span }) => op === 'loop' || !loops.has(span));
  branches.sort((a, b) => startOf(a.span) - startOf(b.span));
  for (const { op, shape, span } of branches) {
    const where = span ? positionText(span) : '';
    const line = `    ${where.padEnd(8)} ${op.padEnd(7)} ${shape.padEnd(24)} ${span ? snippet(span) : ''}`;
    if (!lines.includes(line.trimEnd())) lines.push(line.trimEnd());
  }
  return lines;
}

function describeCandidate({ vectors }: Target, one: Candidate, isFirst: boolean): string {
  const mark = one.rejected === undefined ? '>' : ' ';
  const cost = `${one.cost.toFixed(1).padStart(9)}${isFirst ? ' a work-item' : ''}`;
  const loops = one.vectorLoops ? `vector loops: ${one.vectorLoops}` : '';
  const wants = one.lanes > 1 ? `${one.registers} of ${vectors?.allocatable ?? 0} registers` : loops;
  return `    ${mark} ${nameOf(one).padEnd(22)}${cost.padEnd(21)} ${wants.padStart(18)}  ${one.rejected ?? ''}`.trimEnd();
}
