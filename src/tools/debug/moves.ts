/**
 * How a launch goes from stop to stop: what a step, a step back and all the others mean to the machine, in both directions. Each move
 * is a generator that yields now and then, so that others have their turn, and gives the stop at which it ends.
 */
import type { Frame, WorkItem } from '../../ir/interpreter/state.ts';
import type { Span } from '../../source/span.ts';
import type { Breakpoint } from './breakpoints.ts';
import type { Inspector } from './inspector.ts';
import type { ItemViews } from './item-views.ts';
import { type Machine, sliceSteps, type Watcher } from './machine.ts';
import { placeOf, type SourceMap, type Statement } from './source-map.ts';
import type { Stop, StopReason } from './stop.ts';
import type { StopList } from './stop-list.ts';

export class Moves {
  readonly #machine: Machine;
  readonly #map: SourceMap;
  readonly #inspector: Inspector;
  readonly #stops: StopList;
  readonly #views: ItemViews;
  /** Who is looked at and is moved; each stop selects who has stopped. */
  selected: WorkItem;
  /** Wanted by somebody: the move ends soon. */
  isPaused = false;
  /** What happens has happened before. */
  isQuiet = false;

  constructor(machine: Machine, inspector: Inspector, stops: StopList, views: ItemViews) {
    this.#machine = machine;
    this.#map = machine.map;
    this.#inspector = inspector;
    this.#stops = stops;
    this.#views = views;
    this.selected = machine.running!.items[0]!;
  }

  /** Goes to the first statement. */
  *start(): Generator<void, Stop> {
    yield* this.#machine.seek(0);
    this.selected = this.#machine.upNext!;
    return yield* this.#forward('entry', { atStatement: (_item, _frame, { stops }) => stops });
  }

  /** To the next breakpoint, watched access or fault, or to the end. */
  continue(): Generator<void, Stop> {
    return this.#forward('step', {});
  }

  /** Until the selected work-item comes to one of some statements. */
  runTo(statements: ReadonlySet<Statement>): Generator<void, Stop> {
    const item = this.selected;
    return this.#forward('step', {
      atStatement: (one, _frame, statement) => isSame(one, item) && statements.has(statement),
    });
  }

  /** By a line of the selected work-item; who ends is followed by the next. */
  *step(kind: 'into' | 'over' | 'out'): Generator<void, Stop> {
    const item = this.selected;
    if (!item.frame || this.#machine.hasEnded) return yield* this.#toNextItem(item);
    this.#machine.prefer(item.index);
    const depth = depthOf(item.frame);
    // What nobody wrote, such as the way to a Brook+ kernel, has no lines that one could go over.
    const entersCalls = kind === 'into' || (kind === 'over' && !this.#hasSource(item.frame));
    const statement = this.#inspector.calls(item)[0]?.statement;
    let hasEnded = false;
    const stop = yield* this.#forward('step', {
      atStatement: (one, frame, next) => {
        if (!isSame(one, item) || !next.stops || kind === 'out') return false;
        const at = depthOf(frame);
        if (at !== depth) return entersCalls && at > depth;
        return isNewLine(statement, next);
      },
      afterReturn: (one) => {
        if (!isSame(one, item)) return false;
        if (!one.frame) {
          hasEnded = true;
          return true;
        }
        return depthOf(one.frame) < depth && this.#hasSource(one.frame);
      },
    });
    return hasEnded && stop.reason === 'step' ? yield* this.#toNextItem(item) : stop;
  }

  /** One has ended: to where another is, who goes on now. */
  *#toNextItem(ended: WorkItem): Generator<void, Stop> {
    const next = yield* this.#forward('entry', { atStatement: (_item, _frame, { stops }) => stops });
    const message = next.message ?? `${this.#views.nameOf(ended)} has ended`;
    return next.reason === 'entry' ? { ...next, reason: 'step', message } : { ...next, message };
  }

  /** Back by a line of the selected work-item. @param into whether lines of callees count */
  *stepBack(into: boolean): Generator<void, Stop> {
    const item = this.selected;
    const depth = item.frame && !this.#machine.hasEnded ? depthOf(item.frame) : 1;
    let last: { time: number; depth: number; statement: Statement } | undefined;
    const matches = (one: WorkItem, frame: Frame, statement: Statement): boolean => {
      if (!isSame(one, item) || !statement.stops) return false;
      const at = depthOf(frame);
      if (!into && at > depth) return false;
      const { time } = this.#machine;
      // What a step forwards would pass over is no place to step back to.
      const isPassed =
        last !== undefined && last.time <= time && last.depth === at && !isNewLine(last.statement, statement);
      last = { time, depth: at, statement };
      return !isPassed;
    };
    return yield* this.#backTo('step', matches);
  }

  /** Back to the breakpoint or watched access before, or to the beginning. */
  *reverseContinue(): Generator<void, Stop> {
    let hit: Stop | undefined;
    const stop = yield* this.#backTo(
      'step',
      (item, _frame, statement) => {
        const at = this.#atBreakpoint(item, statement, false);
        if (at) hit = at;
        return at !== undefined;
      },
      (item, span) => {
        const at = this.#afterTouches(item, span, true);
        if (at) hit = at;
        return at !== undefined;
      },
    );
    if (!hit || stop.reason !== 'step') return stop;
    const { reason, message, breakpoint } = hit;
    return { ...stop, reason, message, breakpoint };
  }

  /** Runs until `watcher` or a breakpoint says so; not at the statement where it stands. */
  *#forward(reason: StopReason, watcher: Watcher): Generator<void, Stop> {
    const machine = this.#machine;
    const { time } = machine;
    this.#stops.forgetTouches();
    const shown = this.#canGoOn(this.selected) ? this.selected : undefined;
    if (shown && machine.upNext !== shown) machine.prefer(shown.index);
    // Where it starts counts, unless somebody has been shown it.
    const isFresh = reason === 'entry' || !shown;
    let stop: Stop | undefined;
    const whole: Watcher = {
      atStatement: (item, frame, statement) => {
        if (!isFresh && machine.time === time && isSame(item, shown)) return false;
        stop = this.#atBreakpoint(item, statement, true);
        if (!stop && watcher.atStatement?.(item, frame, statement)) stop = this.#stopAt(reason, item);
        return stop !== undefined;
      },
      afterReturn: (item) => {
        if (!watcher.afterReturn?.(item)) return false;
        stop = this.#stopAt(reason, item);
        return true;
      },
      afterStep: (item, span) => {
        stop = this.#afterTouches(item, span);
        return stop !== undefined;
      },
    };
    for (;;) {
      const halt = machine.run(machine.time + sliceSteps, whole);
      if (halt === 'stopped') return stop!;
      if (halt === 'fault') return this.#faultStop();
      if (halt === 'ended') return this.#endStop();
      if (this.isPaused) return this.#stopAt('pause', machine.upNext!);
      yield;
    }
  }

  /** Back to where something matches, or to the beginning. */
  *#backTo(
    reason: StopReason,
    matches: (item: WorkItem, frame: Frame, statement: Statement) => boolean,
    afterStep?: Watcher['afterStep'],
  ): Generator<void, Stop> {
    const machine = this.#machine;
    const { time } = machine;
    const selected = this.selected;
    this.isQuiet = true;
    this.#stops.forgetTouches();
    const search = machine.back(matches, afterStep);
    for (let turn = search.next(); ; turn = search.next()) {
      if (turn.done) {
        if (turn.value) return this.#stopAt(reason, turn.value);
        return { ...(yield* this.start()), message: 'the launch begins here' };
      }
      if (this.isPaused) {
        yield* machine.seek(time);
        const item = machine.running?.items[selected.index] ?? machine.upNext;
        return item ? this.#stopAt('pause', item) : this.#faultStop();
      }
      yield;
    }
  }

  // --------------------------------------------------------------------------------------------------- stops

  #stopAt(reason: StopReason, item: WorkItem, message?: string, breakpoint?: Breakpoint): Stop {
    this.selected = item;
    const view = this.#views.of(item);
    return { reason, message, breakpoint, item: view, place: view.place };
  }

  /** Who steps back from there comes to what was done last. */
  #endStop(): Stop {
    this.selected = this.#machine.last ?? this.selected;
    return { reason: 'ended', message: undefined, item: undefined, place: undefined };
  }

  #faultStop(): Stop {
    const { fault } = this.#machine;
    if (!fault) return this.#endStop();
    const stop = this.#stopAt('fault', fault.item, fault.message);
    return { ...stop, place: (fault.span && placeOf(fault.span)) ?? stop.place };
  }

  /** @param counts whether it counts as reached */
  #atBreakpoint(item: WorkItem, statement: Statement, counts: boolean): Stop | undefined {
    const found = this.#stops.at(item, statement, counts);
    return found && this.#stopAt('breakpoint', item, found.message, found.breakpoint);
  }

  /**
   * What the step just taken did to watched memory.
   * @param isAhead whether it is told to somebody who will stand before the step
   */
  #afterTouches(item: WorkItem, span: Span | undefined, isAhead = false): Stop | undefined {
    const what = this.#stops.touched(item, span, isAhead);
    return what === undefined
      ? undefined
      : this.#stopAt('watch', item, `${this.#views.nameOf(item)} ${what}`);
  }

  #canGoOn(item: WorkItem): boolean {
    const { running } = this.#machine;
    return running?.group === item.group && running.states[item.index] === 'ready';
  }

  #hasSource(frame: Frame): boolean {
    return this.#map.of(frame.code).around.some((statement) => statement !== undefined);
  }
}

/** Work-items are made anew when a launch goes back. */
function isSame(a: WorkItem, b: WorkItem): boolean {
  return a === b || (a.index === b.index && a.group.serial === b.group.serial);
}

function depthOf(frame: Frame): number {
  let depth = 0;
  for (let at: Frame | undefined = frame; at; at = at.caller) depth += 1;
  return depth;
}

/** Whether a step from one statement ends at another: on another line, or when a loop has come round. */
function isNewLine(from: Statement | undefined, to: Statement): boolean {
  if (!from) return true;
  const { file, line } = from.place;
  return file !== to.place.file || line !== to.place.line || to.start <= from.start;
}
