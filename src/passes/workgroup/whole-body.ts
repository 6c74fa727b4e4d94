/** Kernels without barriers in work-group form: the whole body is one work-item loop. */
import { newRegion } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { containsReturn } from '../../ir/regions.ts';
import { scalarRegion } from '../../ir/work-item-loops.ts';

/** Without barriers each work-item runs the body from start to end; `return` becomes a break to its end. */
export function wholeBodyAsItemLoop(body: ir.Region): ir.Region {
  const top = newRegion();
  const itemLoop: ir.WorkItemLoop = {
    op: 'work_item_loop',
    operands: [],
    results: [],
    regions: [newRegion()],
  };
  const inner = scalarRegion(itemLoop);
  const locals: ir.Instruction[] = [];
  takeVariables(body, (variable) => {
    if (variable.space === 'local') locals.push(variable);
    else inner.instructions.push(variable);
  });
  const last = body.instructions.at(-1)!;
  if (last.op === 'return') body.instructions[body.instructions.length - 1] = { ...last, op: 'yield' };
  if (containsReturn(body)) {
    const block: ir.Block = { op: 'block', operands: [], results: [], regions: [body] };
    returnsToBreaks(body, block);
    inner.instructions.push(block, { op: 'yield', operands: [], results: [], regions: [] });
  } else {
    for (const instruction of body.instructions) inner.instructions.push(instruction);
  }
  top.instructions = [...locals, itemLoop, { op: 'return', operands: [], results: [], regions: [] }];
  return top;
}

/** Takes all variables out of a region tree: each has the same bytes wherever it is. */
export function takeVariables(region: ir.Region, take: (variable: ir.Variable) => void): void {
  let found = false;
  for (const instruction of region.instructions) {
    if (instruction.op === 'variable') {
      take(instruction);
      found = true;
    }
    for (const nested of instruction.regions) takeVariables(nested, take);
  }
  if (found) region.instructions = region.instructions.filter(({ op }) => op !== 'variable');
}

function returnsToBreaks(region: ir.Region, target: ir.Block): void {
  region.instructions.forEach((instruction, index) => {
    for (const nested of instruction.regions) returnsToBreaks(nested, target);
    if (instruction.op === 'return') region.instructions[index] = { ...instruction, op: 'break', target };
  });
}
