/**
 * Lowers a list of statements that jump to each other's labels in a way that no blocks and loops can follow, such as into
 * the middle of a loop: a loop around a switch whose regions are the parts of the list between labels, and a variable
 * that says which is next. Slower than structure, so it is the last resort.
 */
import type * as ir from '../../ir/ir.ts';
import { i32 } from '../../ir/types.ts';
import type { FunctionLowering } from './function-lowering.ts';
import type { ListItem } from './statement-list.ts';

export function lowerAsStateMachine(fn: FunctionLowering, items: readonly ListItem[]): void {
  const { builder } = fn;
  const variable = fn.reserve('private', 4, 4, 'state');
  const goOnAt = (index: number) => builder.store(variable, builder.integer(i32, index), 4);
  const segments = segmentsOf(items);
  const outer = new Map(fn.labels);
  goOnAt(0);
  fn.inLoop(
    undefined,
    (loop) => {
      segments.forEach(({ labels }, index) => {
        for (const label of labels) fn.labels.set(label, { state: { variable, index, loop } });
      });
      lowerSegments(fn, segments, loop, builder.load(i32, variable, 4), goOnAt);
    },
    'continue',
  );
  for (const label of [...fn.labels.keys()]) {
    const before = outer.get(label);
    if (before) fn.labels.set(label, before);
    else fn.labels.delete(label);
  }
}

/** Items that follow one another, entered at the first alone. */
interface Segment {
  readonly labels: readonly string[];
  readonly items: ListItem[];
}

function segmentsOf(items: readonly ListItem[]): Segment[] {
  const segments: Segment[] = [{ labels: [], items: [] }];
  for (const item of items) {
    if (item.labels.length > 0) segments.push({ labels: item.labels, items: [] });
    segments.at(-1)!.items.push(item);
  }
  return segments;
}

function lowerSegments(
  fn: FunctionLowering,
  segments: readonly Segment[],
  loop: ir.Loop,
  state: ir.Value,
  goOnAt: (index: number) => void,
): void {
  const { builder } = fn;
  const node = builder.switch(
    state,
    segments.slice(1).map((_, index) => [index + 1]),
  );
  let falls = false;
  segments.forEach((segment, index) => {
    // The first segment stands last, for every other value.
    const region = node.regions[index === 0 ? segments.length - 1 : index - 1]!;
    const lower = () => {
      for (const item of segment.items) if (!fn.isDead) item.lower();
      if (fn.isDead) return;
      if (index + 1 < segments.length) goOnAt(index + 1);
      else fn.breakTo(loop);
    };
    if (fn.inRegion(region, lower, () => builder.yield())) falls = true;
  });
  if (!falls) fn.unreachable();
}
