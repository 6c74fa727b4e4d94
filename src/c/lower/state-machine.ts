/**
 * Lowers a list of statements that jump to each other's labels in a way that no blocks and loops can follow, such as into
 * the middle of a loop: a loop around the whole list, a variable that says where to go on, and a switch at the head.
 * Slower than structure, so it is the last resort.
 */
import type * as ir from '../../ir/ir.ts';
import { i32 } from '../../ir/types.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { type ListItem, lowerItems } from './statement-list.ts';

export function lowerAsStateMachine(fn: FunctionLowering, items: readonly ListItem[]): void {
  const { builder } = fn;
  const state = fn.reserve('private', 4, 4, 'state');
  builder.store(state, builder.integer(i32, 0), 4);
  const segments = segmentsOf(fn, items);
  const outer = new Map(fn.labels);
  fn.inLoop(
    undefined,
    (loop) => {
      segments.forEach(({ labels }, index) => {
        for (const label of labels) fn.labels.set(label, { state: { variable: state, index, loop } });
      });
      const entries = segments.map(({ entry }) => entry);
      lowerItems(fn, [
        { labels: [], gotos: new Set(entries), lower: () => dispatch(fn, state, entries) },
        ...segments.map(({ entry, items: own }) => ({
          labels: [entry],
          gotos: none,
          lower: () => {
            for (const item of own) if (!fn.isDead) item.lower();
          },
        })),
      ]);
    },
    'break',
  );
  for (const label of [...fn.labels.keys()]) {
    const before = outer.get(label);
    if (before) fn.labels.set(label, before);
    else fn.labels.delete(label);
  }
}

const none: ReadonlySet<string> = new Set();

/** Items that follow one another, entered at the first alone. */
interface Segment {
  readonly labels: readonly string[];
  readonly items: ListItem[];
  /** The label in the loop that the dispatch jumps to. */
  readonly entry: string;
}

function segmentsOf(fn: FunctionLowering, items: readonly ListItem[]): Segment[] {
  const segments: Segment[] = [{ labels: [], items: [], entry: fn.newLabel() }];
  for (const item of items) {
    if (item.labels.length > 0) segments.push({ labels: item.labels, items: [], entry: fn.newLabel() });
    segments.at(-1)!.items.push(item);
  }
  return segments;
}

function dispatch(fn: FunctionLowering, state: ir.Value, entries: readonly string[]): void {
  const { builder } = fn;
  const [first, ...others] = entries.map((entry) => fn.labels.get(entry)!.block!);
  const node = builder.switch(
    builder.load(i32, state, 4),
    others.map((_, index) => [index + 1]),
  );
  [...others, first!].forEach((block, index) => {
    fn.inRegion(
      node.regions[index]!,
      () => fn.breakTo(block),
      () => builder.yield(),
    );
  });
  fn.unreachable();
}
