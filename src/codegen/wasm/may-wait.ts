/**
 * Whether a kernel's work-items may wait in a loop for what other groups, or the host, write meanwhile. OpenCL promises nobody that
 * another group runs at the same time, but programs count on it that launch as many groups as there are threads.
 */
import * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

export function mayWait({ body }: ir.Function): boolean {
  const seen = new Set<ir.Function>();
  const visit = ({ instructions }: ir.Region, isInLoop: boolean): boolean =>
    instructions.some((one) => {
      if (isInLoop && looksAgain(one)) return true;
      if (one.op === 'call' && one.callee.body && !seen.has(one.callee)) {
        seen.add(one.callee);
        // Others may call it in a loop.
        if (visit(one.callee.body, true)) return true;
      }
      return one.regions.some((nested) => visit(nested, isInLoop || one.op === 'loop'));
    });
  return body !== undefined && visit(body, false);
}

/**
 * Whether a loop in the region goes on or ends by what others have written meanwhile. Those that only count, as of a
 * histogram, do not wait.
 */
export function waitsIn(region: ir.Region): boolean {
  let waits = false;
  walkRegion(region, (loop) => {
    if (loop.op === 'loop') waits ||= hangsOnOthers(loop);
  });
  return waits;
}

function hangsOnOthers(loop: ir.Loop): boolean {
  const seen = new Set<ir.Value>();
  let hangs = false;
  walkRegion(loop.regions[0]!, (one) => {
    const isSeen = looksAgain(one) || one.op === 'call' || one.operands.some((value) => seen.has(value));
    if (!isSeen) return;
    // What it decides, or takes along to somewhere else.
    hangs ||= one.op === 'fence' || one.regions.length > 0 || ir.isTerminator(one);
    for (const result of one.results) seen.add(result);
  });
  return hangs;
}

/** Whether an instruction sees what others have written since it was done last. */
function looksAgain(one: ir.Instruction): boolean {
  if (one.op === 'fence') return true;
  if (one.op !== 'atomic' && !(one.op === 'load' && one.volatile)) return false;
  const { type } = one.operands[0]!;
  return type.kind === 'pointer' && (type.space === 'global' || type.space === 'generic');
}
