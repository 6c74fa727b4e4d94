/**
 * The environment of a function: what it needs of the launch, the work-group and the work-item around it, by name. The
 * names are those of queries (`global_id.0`, `work_dim`), `area` for the thread's area, `constants` for the
 * program's, and `printf` for the launch's buffer of that. A kernel finds them in its launch block and its loops; a helper function gets them as
 * extra parameters, in the order of {@link environmentKeys}.
 */
import type * as ir from '../../../ir/ir.ts';
import { itemsKey } from '../engine/iteration-order.ts';
import { areaEnds, spaceKeys } from '../memory/address-spaces.ts';
import { launchOffsets } from '../module/abi.ts';
import { queryKey } from './instruction-facts.ts';

/** Every instruction of a body, in order, with those of nested regions after their owner. */
export function allInstructions(region: ir.Region | undefined): readonly ir.Instruction[] {
  const all: ir.Instruction[] = [];
  if (!region) return all;
  // An explicit stack, because generated programs nest deeply.
  const stack: { list: readonly ir.Instruction[]; at: number }[] = [{ list: region.instructions, at: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const instruction = top.list[top.at++];
    if (!instruction) {
      stack.pop();
      continue;
    }
    all.push(instruction);
    for (let i = instruction.regions.length - 1; i >= 0; i--) {
      stack.push({ list: instruction.regions[i]!.instructions, at: 0 });
    }
  }
  return all;
}

/** What the function itself and its callees need, sorted by name. */
export function environmentKeys(
  fn: ir.Function,
  calleeKeys: (callee: ir.Function) => readonly string[],
): readonly string[] {
  const keys = new Set<string>();
  for (const instruction of allInstructions(fn.body)) {
    if (instruction.op === 'query') keys.add(queryKey(instruction));
    else if (instruction.op === 'variable') keys.add('area');
    else if (instruction.op === 'in_space') for (const key of spaceKeys) keys.add(key);
    else if (instruction.op === 'global_address') keys.add('constants');
    else if (instruction.op === 'printf') keys.add('printf');
    else if (instruction.op === 'call') for (const key of calleeKeys(instruction.callee)) keys.add(key);
  }
  return [...keys].sort();
}

const vectorFields: Readonly<Record<string, number>> = {
  global_offset: launchOffsets.globalOffset,
  global_size: launchOffsets.globalSize,
  local_size: launchOffsets.localSize,
  enqueued_local_size: launchOffsets.localSize,
  num_groups: launchOffsets.numGroups,
};

/** Where in the launch block the answer lies; undefined for what is not there. */
export function launchField(key: string): number | undefined {
  if (key === 'work_dim') return launchOffsets.workDim;
  if (key === 'items' || key === itemsKey) return launchOffsets.items;
  if (key === areaEnds.area) return launchOffsets.areaBytes;
  if (key === 'printf') return launchOffsets.printf;
  const [fn = '', dimension = '0'] = key.split('.');
  const base = vectorFields[fn];
  return base === undefined ? undefined : base + 4 * Number(dimension);
}
