/**
 * Lowers a list of statements with labels in it. A goto to a label further on leaves a block that ends at the
 * label; a goto back to a label repeats a loop that begins there. Both work from any depth of nesting inside the
 * list. Jumps that blocks and loops cannot follow make the list a state machine (state-machine.ts); statements that
 * are jumped into have been opened before (open-statements.ts).
 *
 * The cases of a switch are labels too, which its dispatch at the head of the list jumps to (see switch.ts).
 */
import type { Statement } from '../ast.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { gotosIn } from './gotos.ts';
import { lowerAsStateMachine } from './state-machine.ts';
import { lowerStatement } from './statement.ts';

/** One element of a list: the labels at its head, the labels it jumps to, and how it is lowered. */
export interface ListItem {
  readonly labels: readonly string[];
  readonly gotos: ReadonlySet<string>;
  readonly lower: () => void;
}

/** How many labels of one list may be jumped to. Each nests what is before it a level deeper. */
const mostExtents = 1000;

/** A block or loop over the items [start, end), for the sake of one label. */
interface Extent {
  readonly label: string;
  readonly kind: 'block' | 'loop';
  start: number;
  end: number;
}

export function lowerStatementList(fn: FunctionLowering, statements: readonly Statement[]): void {
  if (!statements.some((statement) => statement.kind === 'label')) {
    for (const statement of statements) lowerStatement(fn, statement);
    return;
  }
  lowerItems(
    fn,
    statements.map((statement) => itemOf(fn, statement)),
  );
}

/** A statement as an item, its labels taken off. */
function itemOf(fn: FunctionLowering, statement: Statement): ListItem {
  const labels: string[] = [];
  let body = statement;
  while (body.kind === 'label') {
    labels.push(body.label);
    body = body.body;
  }
  return { labels, gotos: gotosIn(body), lower: () => lowerStatement(fn, body) };
}

/** Lowers items that jump to each other's labels. */
export function lowerItems(fn: FunctionLowering, items: readonly ListItem[]): void {
  const extents = extentsOf(items);
  if (extents.length > mostExtents) {
    fn.error(
      fn.builder.span ?? fn.declaration.span,
      `more than ${mostExtents} labels in one list of statements`,
    );
    return;
  }
  if (!nest(extents)) {
    lowerAsStateMachine(fn, items);
    return;
  }
  // Where several begin at one item, the one that reaches furthest is the outermost.
  extents.sort((a, b) => a.start - b.start || b.end - a.end);
  lowerRange(fn, items, 0, items.length, extents);
}

function extentsOf(items: readonly ListItem[]): Extent[] {
  /** The first and the last item that jumps to a label. */
  const jumps = new Map<string, { readonly first: number; last: number }>();
  items.forEach(({ gotos }, position) => {
    for (const label of gotos) {
      const known = jumps.get(label);
      if (known) known.last = position;
      else jumps.set(label, { first: position, last: position });
    }
  });
  const extents: Extent[] = [];
  items.forEach(({ labels }, position) => {
    for (const label of labels) {
      const found = jumps.get(label);
      if (!found) continue;
      const { first, last } = found;
      if (first < position) extents.push({ label, kind: 'block', start: first, end: position });
      if (last >= position) extents.push({ label, kind: 'loop', start: position, end: last + 1 });
    }
  });
  return extents;
}

/**
 * Makes overlapping extents contain one another: a block may begin earlier, a loop may end later. False for a jump
 * into the middle of a loop, which cannot be mended.
 */
function nest(extents: readonly Extent[]): boolean {
  const crosses = (a: Extent, b: Extent): boolean => a.start < b.start && b.start < a.end && a.end < b.end;
  for (let at = 0; at < extents.length; ) {
    const a = extents[at]!;
    const b = extents.find((other) => crosses(a, other));
    if (!b) {
      at += 1;
      continue;
    }
    if (b.kind === 'block') b.start = a.start;
    else if (a.kind === 'loop') a.end = b.end;
    else return false;
    // Those before were in order: back to the first of them that may not be any more.
    const changed = b.kind === 'block' ? b : a;
    for (let before = 0; before < at; before += 1) {
      const earlier = extents[before]!;
      if (earlier === changed || crosses(earlier, changed)) at = before;
    }
  }
  return true;
}

function lowerRange(
  fn: FunctionLowering,
  items: readonly ListItem[],
  from: number,
  to: number,
  extents: readonly Extent[],
): void {
  let position = from;
  let next = 0;
  while (position < to) {
    const extent = extents[next];
    if (extent && extent.start < position) {
      next += 1;
    } else if (extent && extent.start === position) {
      const inner = extents.slice(next + 1).filter((other) => other.start < extent.end);
      if (!fn.isDead) lowerExtent(fn, items, extent, inner);
      position = extent.end;
      next += 1;
    } else {
      items[position]!.lower();
      position += 1;
    }
  }
}

function lowerExtent(
  fn: FunctionLowering,
  items: readonly ListItem[],
  extent: Extent,
  inner: readonly Extent[],
): void {
  const outer = fn.labels.get(extent.label);
  const body = () => lowerRange(fn, items, extent.start, extent.end, inner);
  if (extent.kind === 'block') {
    fn.inBlock((block) => {
      fn.labels.set(extent.label, { block });
      body();
    });
  } else {
    fn.inLoop(
      undefined,
      (loop) => {
        fn.labels.set(extent.label, { loop });
        body();
      },
      'break',
    );
  }
  if (outer) fn.labels.set(extent.label, outer);
  else fn.labels.delete(extent.label);
}
