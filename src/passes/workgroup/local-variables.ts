/** Local variables are the same bytes for all work-items, so that several forms of one region must name the same. */
import type * as ir from '../../ir/ir.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';

/** Moves the instructions of local variables out of work-item loops, to the top of the body. */
export function moveLocalVariables(body: ir.Region): void {
  const moved: ir.Instruction[] = [];
  walkRegion(body, ({ op, regions }) => {
    if (op !== 'work_item_loop') return;
    walkRegionsInsideOut(regions[0]!, (inner) => {
      inner.instructions = inner.instructions.filter((one) => {
        const isLocal = one.op === 'variable' && one.space === 'local';
        if (isLocal) moved.push(one);
        return !isLocal;
      });
    });
  });
  if (moved.length === 0) return;
  let contextArrays = 0;
  while (body.instructions[contextArrays]?.op === 'context_array') contextArrays += 1;
  body.instructions = [
    ...body.instructions.slice(0, contextArrays),
    ...moved,
    ...body.instructions.slice(contextArrays),
  ];
}
