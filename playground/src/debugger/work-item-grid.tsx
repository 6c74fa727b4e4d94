/** The work-items of the group as a grid, those on one line in one colour: a click looks through the eyes of one. */
import { select } from './debugger.ts';
import type { DebugView, ShownItem } from './messages.ts';

/** Columns of a group that is no grid itself. */
const mostColumns = 32;

/** Lines far apart in the order of lines get hues far apart. */
function hueOf(line: number): number {
  return (line * 67) % 360;
}

function colourOf({ state, line }: ShownItem): string {
  if (state === 'ended' || line === undefined) return 'var(--edge)';
  return `light-dark(hsl(${hueOf(line)} 60% 62%), hsl(${hueOf(line)} 45% 45%))`;
}

function idText(id: readonly number[]): string {
  return `(${id.join(', ')})`;
}

export function WorkItemGrid({ view }: { view: DebugView }) {
  const { items, groupSize, selected } = view;
  const [width = 1, ...others] = groupSize;
  // A group of one dimension goes on in the next row.
  const columns = others.every((size) => size === 1) ? Math.min(width, mostColumns) : width;
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
    };
    const to = selected + (steps[event.key] ?? 0);
    if (steps[event.key] === undefined || !items[to]) return;
    event.preventDefault();
    select(to);
    (event.currentTarget as HTMLElement).querySelectorAll('button')[to]?.focus();
  };
  return (
    <div
      class="work-items"
      role="toolbar"
      aria-label="Work-items of the group"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0.5rem, 1.5rem))` }}
      onKeyDown={onKey}
    >
      {items.map((item) => (
        <button
          type="button"
          key={item.index}
          tabIndex={item.index === selected ? 0 : -1}
          aria-pressed={item.index === selected}
          aria-label={`Work-item ${idText(item.global)}, ${item.state}${item.line === undefined ? '' : `, line ${item.line}`}`}
          title={`${idText(item.global)}: ${item.state}${item.line === undefined ? '' : `, line ${item.line}`}`}
          class={item.state.startsWith('at ') ? 'waits' : ''}
          style={{ background: colourOf(item) }}
          onClick={() => select(item.index)}
        />
      ))}
    </div>
  );
}

function placeText({ state, line }: ShownItem): string {
  if (state === 'ended') return state;
  // What Brook+ has more than its programmer wrote, such as the way to the kernel's first line.
  if (line === undefined) return 'before the first line';
  return `line ${line}${state === 'ready' ? '' : `, ${state}`}`;
}

/** How many are where. */
export function WorkItemLegend({ items }: { items: readonly ShownItem[] }) {
  const together = new Map<string, ShownItem[]>();
  for (const item of items) {
    const key = placeText(item);
    together.set(key, [...(together.get(key) ?? []), item]);
  }
  return (
    <ul class="legend">
      {[...together].map(([key, list]) => (
        <li key={key}>
          <span style={{ background: colourOf(list[0]!) }} /> {key}: {list.length}
        </li>
      ))}
    </ul>
  );
}
