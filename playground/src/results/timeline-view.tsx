/**
 * When each command of a run was queued, submitted, started and ended: a row for each queue, drawn on a canvas. The wheel and
 * the keys + and - zoom, dragging and the arrows left and right move, up and down go from command to command, Home shows all.
 */
import type { Timeline, TimelineItem } from 'millrace';
import { useEffect, useRef, useState } from 'preact/hooks';
import { colourOf } from './colour-of.ts';

const rowHeight = 26;
const barHeight = 16;
const labelWidth = 90;
const axisHeight = 22;
/** Nanoseconds that are never zoomed into further. */
const shortestView = 200;

interface View {
  readonly from: number;
  readonly to: number;
}

/** An item with its row. */
interface Placed {
  readonly item: TimelineItem;
  readonly row: number;
}

export function TimelineView({ timeline }: { timeline: Timeline }) {
  const place = useRef<HTMLCanvasElement>(null);
  const whole: View = { from: timeline.start, to: Math.max(timeline.end, timeline.start + shortestView) };
  const [view, show] = useState(whole);
  const [chosen, choose] = useState<Placed | undefined>(undefined);
  useEffect(() => {
    show(whole);
    choose(undefined);
  }, [timeline]);
  const height = axisHeight + timeline.rows.length * rowHeight;

  useEffect(() => {
    const canvas = place.current!;
    const redraw = () => draw(canvas, timeline, view, chosen);
    const observer = new ResizeObserver(redraw);
    observer.observe(canvas);
    redraw();
    return () => observer.disconnect();
  }, [timeline, view, chosen]);

  /** Around a place between 0 (left) and 1. */
  const zoom = (factor: number, around = 0.5) => show((old) => zoomed(old, factor, around, whole));
  const move = (part: number) => show((old) => moved(old, part * (old.to - old.from), whole));
  const step = (by: number) => {
    const all = timeline.rows.flatMap(({ items }, row) => items.map((item): Placed => ({ item, row })));
    all.sort((a, b) => a.item.started - b.item.started);
    const at = all.findIndex(({ item }) => item === chosen?.item);
    const next = all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))];
    choose(next);
    if (next) show((old) => revealed(old, next.item, whole));
  };
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    ArrowLeft: () => move(-0.2),
    ArrowRight: () => move(0.2),
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    Home: () => show(whole),
  };

  // By hand: a wheel that scrolls the page cannot be told so by a passive listener.
  useEffect(() => {
    const canvas = place.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const width = canvas.clientWidth - labelWidth;
      const around = Math.max(0, Math.min(1, (event.offsetX - labelWidth) / width));
      zoom(event.deltaY < 0 ? 0.8 : 1.25, around);
    };
    canvas.addEventListener('wheel', onWheel, { passive: false });
    return () => canvas.removeEventListener('wheel', onWheel);
  }, [timeline]);

  const onPointerMove = (event: PointerEvent) => {
    const canvas = place.current!;
    if (event.buttons === 1) {
      const scale = (view.to - view.from) / (canvas.clientWidth - labelWidth);
      show((old) => moved(old, -event.movementX * scale, whole));
      return;
    }
    const found = itemAt(canvas, timeline, view, event.offsetX, event.offsetY);
    if (found) choose(found);
  };

  return (
    <>
      <div
        class="timeline"
        tabIndex={0}
        role="application"
        aria-label="Timeline: plus and minus zoom, left and right move, up and down choose a command, Home shows all"
        onKeyDown={(event) => {
          const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
          if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          act();
        }}
      >
        <canvas ref={place} style={{ height: `${height}px` }} onPointerMove={onPointerMove} />
      </div>
      <p class="hint" role="status">
        {chosen ? described(chosen.item, timeline) : 'Point at a command, or press the arrow down.'}
      </p>
    </>
  );
}

// ------------------------------------------------------------------------------------------------- views

function zoomed({ from, to }: View, factor: number, around: number, whole: View): View {
  const length = Math.min(Math.max((to - from) * factor, shortestView), whole.to - whole.from);
  const middle = from + (to - from) * around;
  return moved({ from: middle - length * around, to: middle + length * (1 - around) }, 0, whole);
}

/** Moves by nanoseconds, and stays inside of the whole. */
function moved({ from, to }: View, by: number, whole: View): View {
  const length = to - from;
  const start = Math.max(whole.from, Math.min(from + by, whole.to - length));
  return { from: start, to: start + length };
}

function revealed(view: View, { queued, ended }: TimelineItem, whole: View): View {
  if (queued >= view.from && ended <= view.to) return view;
  const length = Math.max(view.to - view.from, (ended - queued) * 1.2);
  const middle = (queued + ended) / 2;
  return moved({ from: middle - length / 2, to: middle + length / 2 }, 0, whole);
}

function itemAt(
  canvas: HTMLCanvasElement,
  { rows }: Timeline,
  { from, to }: View,
  x: number,
  y: number,
): Placed | undefined {
  const row = Math.floor((y - axisHeight) / rowHeight);
  const scale = (to - from) / (canvas.clientWidth - labelWidth);
  const time = from + (x - labelWidth) * scale;
  // A few pixels beside a short one count, too.
  const near = 3 * scale;
  const item = rows[row]?.items.findLast(
    ({ queued, ended }) => queued - near <= time && time <= ended + near,
  );
  return item && { item, row };
}

// ------------------------------------------------------------------------------------------------- words

function described(
  { name, queued, submitted, started, ended, detail }: TimelineItem,
  { start }: Timeline,
): string {
  const waits =
    started > queued
      ? `, queued ${time(started - queued)} and submitted ${time(started - submitted)} before`
      : '';
  const more = detail === '' ? '' : ` (${detail})`;
  return `${name}: ${time(ended - started)} from ${time(started - start)}${waits}${more}`;
}

function time(nanoseconds: number): string {
  // Rounded to three digits, 999.5 would be 1.00e+3.
  if (nanoseconds < 999.5) return `${Math.round(nanoseconds)} ns`;
  if (nanoseconds < 999.5e3) return `${(nanoseconds / 1e3).toPrecision(3)} µs`;
  if (nanoseconds < 999.5e6) return `${(nanoseconds / 1e6).toPrecision(3)} ms`;
  return `${(nanoseconds / 1e9).toPrecision(3)} s`;
}

// ------------------------------------------------------------------------------------------------- drawing

function draw(canvas: HTMLCanvasElement, timeline: Timeline, view: View, chosen: Placed | undefined): void {
  const context = canvas.getContext('2d');
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!context || width === 0) return;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  context.scale(devicePixelRatio, devicePixelRatio);
  const colour = (name: string) => colourOf(canvas, name);
  const looks = {
    kernel: colour('--accent'),
    transfer: colour('--code-number'),
    build: colour('--code-keyword'),
  };
  const [text, faint, edge] = [colour('--text'), colour('--faint'), colour('--edge')];
  const onBar = colour('--on-accent');
  const x = (at: number): number =>
    labelWidth + ((at - view.from) / (view.to - view.from)) * (width - labelWidth);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillStyle = faint;
  context.strokeStyle = edge;
  for (const at of ticks(view, timeline.start, Math.max(2, Math.floor((width - labelWidth) / 110)))) {
    context.fillText(time(at - timeline.start), x(at) + 3, axisHeight / 2);
    context.beginPath();
    context.moveTo(x(at), 0);
    context.lineTo(x(at), height);
    context.stroke();
  }
  timeline.rows.forEach(({ label, items }, row) => {
    const top = axisHeight + row * rowHeight;
    context.fillStyle = text;
    context.fillText(label, 2, top + rowHeight / 2, labelWidth - 8);
    context.save();
    context.beginPath();
    context.rect(labelWidth, top, width - labelWidth, rowHeight);
    context.clip();
    for (const item of items) {
      if (item.ended < view.from || item.queued > view.to) continue;
      const middle = top + rowHeight / 2;
      // Thin while it waits to be submitted, thicker until it starts.
      context.fillStyle = faint;
      context.fillRect(x(item.queued), middle - 0.5, x(item.submitted) - x(item.queued), 1);
      context.fillRect(x(item.submitted), middle - 1.5, x(item.started) - x(item.submitted), 3);
      const left = x(item.started);
      const length = Math.max(1.5, x(item.ended) - left);
      context.fillStyle = looks[item.kind];
      context.fillRect(left, middle - barHeight / 2, length, barHeight);
      if (item === chosen?.item) {
        context.strokeStyle = text;
        context.lineWidth = 2;
        context.strokeRect(left, middle - barHeight / 2, length, barHeight);
        context.lineWidth = 1;
      }
      const shown = context.measureText(item.name).width + 8;
      if (shown < length) {
        context.fillStyle = onBar;
        context.fillText(item.name, Math.max(left, labelWidth) + 4, middle);
      }
    }
    context.restore();
  });
}

/** Times in sight that are round, counted from the beginning. */
function ticks({ from, to }: View, start: number, count: number): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const size = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const found: number[] = [];
  for (let at = start + Math.ceil((from - start) / size) * size; at <= to; at += size) found.push(at);
  return found;
}
