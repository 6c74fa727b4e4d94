/**
 * Decides how the groups of a kernel had better follow each other, for code generators that run many of them in a row:
 *
 * - in *strips* of a few rows, each column of a strip from top to bottom, where groups below each other read the same columns and groups
 *   next to each other the same rows, as in a product of matrices: the columns are then still in the cache;
 * - *fused*, several groups going through a loop together, where strips or grid strides let them share what they read;
 * - *joined* to rows as long as the range, where a kernel cannot tell its group and shares nothing. Long rows cost less. Where work-items
 *   loop, or neighbours reach memory far apart, the group's shape may be what keeps their data in the cache; it stays as it is then.
 *
 * The loop over groups is not in the IR, so this is a plan (`Function.groups`), the last one that is made: it looks at what
 * all other passes have left. A code generator follows it where it can.
 */
import { hasEffect } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { vectorRegion } from '../../ir/work-item-loops.ts';

/** @param fn in work-group form */
export function orderGroups(fn: ir.Function): void {
  const { body } = fn;
  if (fn.kind !== 'kernel' || fn.form !== 'work-group' || !body) return;
  const inStrips = sharesBothWays(body);
  const groups: ir.GroupPlan = {
    inStrips,
    isFused: inStrips || readsInStrides(body),
    isJoined: mayJoinGroups(fn, body),
  };
  const isPlain = !groups.inStrips && !groups.isFused && !groups.isJoined;
  fn.groups = isPlain ? undefined : groups;
}

/** What a kernel may ask for without telling its group. */
const groupless: readonly ir.QueryFunction[] = ['global_id', 'global_size', 'global_offset', 'work_dim'];

const keepsGroups: ReadonlySet<ir.Opcode> = new Set([
  'loop',
  'atomic',
  'context_array',
  'context_write',
  'gather',
  'scatter',
]);

/** Whether groups next to each other may be one, so that the range decides how long rows are. */
export function mayJoinGroups({ parameters, attributes }: ir.Function, body: ir.Region): boolean {
  let isAlone = true;
  let asksForId = false;
  let loops = 0;
  walkRegion(body, (instruction) => {
    if (keepsGroups.has(instruction.op) || (instruction.op === 'call' && hasEffect(instruction)))
      isAlone = false;
    if (instruction.op === 'variable' && instruction.space === 'local') isAlone = false;
    if (instruction.op === 'work_item_loop') {
      loops += 1;
      if (storesLaneByLane(instruction)) isAlone = false;
    }
    if (instruction.op !== 'query') return;
    if (!groupless.includes(instruction.fn)) isAlone = false;
    if (instruction.fn === 'global_id' && instruction.dimension === 0) asksForId = true;
  });
  const isOneLoop = loops === 1 && body.instructions.some(({ op }) => op === 'work_item_loop');
  const hasLocal = parameters.some(
    ({ value: { type } }) => type.kind === 'pointer' && type.space === 'local',
  );
  const isRow = attributes?.requiredWorkGroupSize?.[0] !== 1;
  return isAlone && asksForId && isOneLoop && !hasLocal && isRow;
}

/** Whether neighbours write a row each, or to places anywhere: with a store for each lane. */
function storesLaneByLane(loop: ir.WorkItemLoop): boolean {
  const region = vectorRegion(loop);
  if (!region) return false;
  let stores = 0;
  walkRegion(region, ({ op, operands: [, value] }) => {
    if (op === 'store' && value!.type.kind !== 'vector') stores += 1;
  });
  return stores >= loop.lanes!;
}

/** What a value comes from, as bits. */
const [fromX, fromY, fromMemory] = [1, 2, 4];
const fromDimension = [fromX, fromY, 0];

/**
 * Whether a kernel reads in loops, from global memory, what groups below each other share, and what groups next to each
 * other share.
 */
function sharesBothWays(body: ir.Region): boolean {
  if (!asksBothWays(body)) return false;
  const origins = new Map<ir.Value, number>();
  const originOf = (values: readonly ir.Value[]): number =>
    values.reduce((sum, value) => sum | (origins.get(value) ?? 0), 0);
  let shared = 0;
  const visit = ({ instructions }: ir.Region, loops: number): void => {
    for (const instruction of instructions) {
      let origin = originOf(instruction.operands);
      if (instruction.op === 'query') {
        if (isPlace(instruction)) origin = fromDimension[instruction.dimension]!;
      } else if (instruction.op === 'load') {
        const { type } = instruction.operands[0]!;
        const isGlobal = type.kind === 'pointer' && type.space === 'global';
        if (loops > 0 && isGlobal && (origin === fromX || origin === fromY)) shared |= origin;
        origin = fromMemory;
      } else if (instruction.op === 'context_read' || instruction.op === 'call') origin = fromMemory;
      const inner = instruction.op === 'loop' ? loops + 1 : loops;
      for (const region of instruction.regions) {
        region.parameters.forEach((parameter, at) => {
          origins.set(parameter, originOf(instruction.operands.slice(at, at + 1)));
        });
        visit(region, inner);
      }
      for (const result of instruction.results) origins.set(result, origin);
    }
  };
  visit(body, 0);
  return shared === (fromX | fromY);
}

/** Whether it asks where groups are in both dimensions at all: most kernels do not, and need not be followed value by value. */
function asksBothWays(body: ir.Region): boolean {
  let asked = 0;
  walkRegion(body, (instruction) => {
    if (instruction.op === 'query' && isPlace(instruction)) asked |= fromDimension[instruction.dimension]!;
  });
  return asked === (fromX | fromY);
}

function isPlace({ fn }: ir.Query): boolean {
  return fn === 'global_id' || fn === 'group_id';
}

/**
 * Whether work-items go through memory in steps as long as the range, a strip at a time (tile-grid-stride-loops.ts), so that groups
 * next to each other read what lies side by side.
 */
function readsInStrides(body: ir.Region): boolean {
  const sizes = new Set<ir.Value>();
  const visit = ({ instructions }: ir.Region): boolean =>
    instructions.some((instruction) => {
      const { operands, results, regions } = instruction;
      const isSize =
        instruction.op === 'query'
          ? instruction.fn === 'global_size' && instruction.dimension === 0
          : instruction.op === 'binary' && instruction.fn === 'shl' && sizes.has(operands[0]!);
      if (isSize) sizes.add(results[0]!);
      if (instruction.op === 'work_item_loop') return false;
      return (instruction.op === 'loop' && stepsBy(instruction, sizes)) || regions.some(visit);
    });
  return visit(body);
}

/** Whether a loop around work-item loops has a counter that grows by one of the values. */
function stepsBy(loop: ir.Loop, steps: ReadonlySet<ir.Value>): boolean {
  const [{ parameters, instructions }] = loop.regions as [ir.Region];
  const last = instructions.at(-1)!;
  if (last.op !== 'continue' || last.target !== loop) return false;
  const isStep = (next: ir.Instruction): boolean => {
    if (next.op !== 'binary' || next.fn !== 'iadd') return false;
    const at = last.operands.indexOf(next.results[0]!);
    return at >= 0 && next.operands.includes(parameters[at]!) && next.operands.some((one) => steps.has(one));
  };
  return instructions.some(({ op }) => op === 'work_item_loop') && instructions.some(isStep);
}
