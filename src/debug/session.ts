/**
 * Debugging one launch: moves it forwards and backwards from stop to stop, and shows one of its work-items. Everything that moves
 * gives a promise, lets others have their turn meanwhile, and can be paused; one thing moves at a time.
 */

import type { MemoryObserver } from '../ir/interpreter/observer.ts';
import type { Frame, WorkItem } from '../ir/interpreter/state.ts';
import { Interpreter, type LaunchArgument, type LaunchRange, type SharedRegion } from '../ir/interpreter.ts';
import type * as ir from '../ir/ir.ts';
import { debugInfoOf } from '../opencl/debug-info.ts';
import { later, now } from '../runtime/host.ts';
import type { Span } from '../source/span.ts';
import {
  type Breakpoint,
  type BreakpointRequest,
  isItem,
  type Watch,
  type WatchKind,
} from './breakpoints.ts';
import { type CallView, Inspector, type VariableGroups } from './inspector.ts';
import { Machine, sliceSteps, type Watcher } from './machine.ts';
import type { Picture } from './picture.ts';
import { placeOf, SourceMap, type SourcePlace, type Statement } from './source-map.ts';
import { StopList } from './stop-list.ts';
import type { DebugValue, IntegerBase } from './values.ts';

/** A launch that can be debugged. Buffers are used in place. */
export interface DebugLaunch {
  /** In work-item form, as the front end gives it; compiled after keepDebugInfo (src/opencl/debug-info.ts). */
  readonly module: ir.Module;
  readonly kernel: string;
  readonly range: LaunchRange;
  readonly args: readonly LaunchArgument[];
  /** Memory that the kernel may reach by addresses. */
  readonly shared?: readonly SharedRegion[] | undefined;
  /** Takes what kernels print; what is only run again is not printed again. */
  readonly print?: ((text: string) => void) | undefined;
}

export type StopReason =
  /** The first statement of the first work-item. */
  | 'entry'
  | 'step'
  | 'breakpoint'
  | 'watch'
  /** The work-item was about to do something wrong. */
  | 'fault'
  | 'pause'
  /** All groups have ended. */
  | 'ended';

export interface Stop {
  readonly reason: StopReason;
  /** Says more, for people: what is wrong, who has written what. */
  readonly message: string | undefined;
  readonly breakpoint?: Breakpoint | undefined;
  /** Undefined at the end. */
  readonly item: ItemView | undefined;
  readonly place: SourcePlace | undefined;
}

/** A work-item of the group that runs. Ids have as many dimensions as the launch. */
export interface ItemView {
  /** Its number in the group. */
  readonly index: number;
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly group: readonly number[];
  readonly state: 'ready' | 'at barrier' | 'at sub-group barrier' | 'ended';
  /** Where it is, or waits. */
  readonly place: SourcePlace | undefined;
}

const stateNames = {
  ready: 'ready',
  'waits-group': 'at barrier',
  'waits-sub-group': 'at sub-group barrier',
  ended: 'ended',
} as const;

/** How long it runs before others have their turn. */
const turnNanoseconds = 10e6;

export class DebugSession {
  readonly kernel: string;
  readonly range: LaunchRange;
  readonly #machine: Machine;
  readonly #map: SourceMap;
  readonly #inspector: Inspector;
  readonly #stops: StopList;
  /** Whoever looks at accesses now: the watches, or an expression that is being evaluated. */
  #observer: MemoryObserver | undefined;
  #selected: WorkItem;
  #isQuiet = false;
  #isMoving = false;
  #isPaused = false;

  /** @throws Error if the arguments do not fit the kernel, or the kernel is not one that can be debugged */
  constructor({ module, kernel, range, args, shared, print }: DebugLaunch) {
    this.kernel = kernel;
    this.range = range;
    const info = debugInfoOf(module);
    const interpreter = new Interpreter(module, {
      tracksWritten: true,
      observer: () => this.#observer,
    });
    const decoder = new TextDecoder();
    const printing = (text: string): boolean => {
      if (this.#isQuiet || !print) return true;
      // A byte a character; a call may end in the middle of one of several bytes.
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      print(decoder.decode(bytes, { stream: true }));
      return true;
    };
    const launch = interpreter.open(kernel, range, args, printing, shared);
    this.#map = new SourceMap(module, info?.record.marks);
    if (this.#map.inFunction(kernel).length === 0 && ![...this.#map.statements].length) {
      throw new Error(`kernel '${kernel}' cannot be debugged: its code says no places in a source`);
    }
    this.#machine = new Machine(launch, this.#map);
    this.#inspector = new Inspector(this.#machine, info, (observer) => {
      this.#observer = observer ?? this.#stops.observer;
    });
    this.#stops = new StopList(this.#machine, this.#inspector, () => {
      this.#observer = this.#stops.observer;
    });
    this.#selected = this.#machine.running!.items[0]!;
  }

  // -------------------------------------------------------------------------------------------------- moving

  /** Goes to the first statement. */
  start(): Promise<Stop> {
    return this.#move(this.#start());
  }

  *#start(): Generator<void, Stop> {
    yield* this.#machine.seek(0);
    this.#selected = this.#machine.upNext!;
    return yield* this.#forward('entry', { atStatement: (_item, _frame, { stops }) => stops });
  }

  /** To the next breakpoint, watched access or fault, or to the end. */
  continue(): Promise<Stop> {
    return this.#move(this.#forward('step', {}));
  }

  /** To the next line that the selected work-item comes to, in whatever function. */
  stepInto(): Promise<Stop> {
    return this.#move(this.#step('into'));
  }

  /** To its next line in this function or a caller. At a barrier the others of the group go on first. */
  stepOver(): Promise<Stop> {
    return this.#move(this.#step('over'));
  }

  /** Until this function has returned. */
  stepOut(): Promise<Stop> {
    return this.#move(this.#step('out'));
  }

  /** Until the selected work-item comes to a line. */
  runTo(line: number, file?: string): Promise<Stop> {
    const statements = new Set(this.#map.onLine(file, line));
    const item = this.#selected;
    return this.#move(
      this.#forward('step', {
        atStatement: (one, _frame, statement) => isSame(one, item) && statements.has(statement),
      }),
    );
  }

  /** Back to the line before, in this function or a caller: what {@link stepOver} takes forwards. */
  stepBack(): Promise<Stop> {
    return this.#move(this.#backStep(false));
  }

  /** Back to the line before, in whatever function. */
  stepBackInto(): Promise<Stop> {
    return this.#move(this.#backStep(true));
  }

  /** Back to the breakpoint or watched access before, or to the beginning. */
  reverseContinue(): Promise<Stop> {
    return this.#move(this.#backContinue());
  }

  /** Stops what is moving, soon; its promise says where. */
  pause(): void {
    if (this.#isMoving) this.#isPaused = true;
  }

  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Steps of the interpreter since the launch began. */
  get time(): number {
    return this.#machine.time;
  }

  async #move(work: Generator<void, Stop>): Promise<Stop> {
    if (this.#isMoving) throw new Error('the launch is moving already');
    this.#isMoving = true;
    this.#isPaused = false;
    try {
      for (;;) {
        const end = now() + turnNanoseconds;
        do {
          const { done, value } = work.next();
          if (done) return value;
        } while (now() < end);
        await new Promise<void>((resolve) => later(resolve));
      }
    } finally {
      this.#isMoving = false;
      this.#isQuiet = false;
    }
  }

  /** Runs until `watcher` or a breakpoint says so; not at the statement where it stands. */
  *#forward(reason: StopReason, watcher: Watcher): Generator<void, Stop> {
    const machine = this.#machine;
    const { time } = machine;
    const shown = this.#canGoOn(this.#selected) ? this.#selected : undefined;
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
      if (this.#isPaused) return this.#stopAt('pause', machine.upNext!);
      yield;
    }
  }

  *#step(kind: 'into' | 'over' | 'out'): Generator<void, Stop> {
    const item = this.#selected;
    if (!item.frame || this.#machine.hasEnded) return yield* this.#toNextItem(item);
    this.#machine.prefer(item.index);
    const depth = depthOf(item.frame);
    const statement = this.#inspector.calls(item)[0]?.statement;
    let hasEnded = false;
    const stop = yield* this.#forward('step', {
      atStatement: (one, frame, next) => {
        if (!isSame(one, item) || !next.stops || kind === 'out') return false;
        const at = depthOf(frame);
        if (at !== depth) return kind === 'into' && at > depth;
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
    const message = next.message ?? `work-item ${idText(this.#idOf(ended))} has ended`;
    return next.reason === 'entry' ? { ...next, reason: 'step', message } : { ...next, message };
  }

  *#backStep(into: boolean): Generator<void, Stop> {
    const item = this.#selected;
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

  *#backContinue(): Generator<void, Stop> {
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

  *#backTo(
    reason: StopReason,
    matches: (item: WorkItem, frame: Frame, statement: Statement) => boolean,
    afterStep?: Watcher['afterStep'],
  ): Generator<void, Stop> {
    const machine = this.#machine;
    const { time } = machine;
    const selected = this.#selected;
    this.#isQuiet = true;
    const search = machine.back(matches, afterStep);
    for (let turn = search.next(); ; turn = search.next()) {
      if (turn.done) {
        if (turn.value) return this.#stopAt(reason, turn.value);
        return { ...(yield* this.#start()), message: 'the launch begins here' };
      }
      if (this.#isPaused) {
        yield* machine.seek(time);
        const item = machine.running?.items[selected.index] ?? machine.upNext;
        return item ? this.#stopAt('pause', item) : this.#faultStop();
      }
      yield;
    }
  }

  // --------------------------------------------------------------------------------------------------- stops

  #stopAt(reason: StopReason, item: WorkItem, message?: string, breakpoint?: Breakpoint): Stop {
    this.#selected = item;
    const view = this.#viewOf(item);
    return { reason, message, breakpoint, item: view, place: view.place };
  }

  /** Who steps back from there comes to what was done last. */
  #endStop(): Stop {
    this.#selected = this.#machine.last ?? this.#selected;
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
      : this.#stopAt('watch', item, `work-item ${idText(this.#idOf(item))} ${what}`);
  }

  // ---------------------------------------------------------------------------------------------- work-items

  /** The work-items of the group that runs, in their order; none when the launch has ended. */
  items(): ItemView[] {
    return (this.#machine.running?.items ?? []).map((item) => this.#viewOf(item));
  }

  /** How many work-items the current group has along each dimension of the launch. */
  get groupSize(): readonly number[] {
    return this.#trim(this.#machine.running?.group.size ?? [0, 0, 0]);
  }

  get selected(): ItemView {
    return this.#viewOf(this.#selected);
  }

  /**
   * Shows another work-item of the group; it goes on first from now.
   * @param id its global id, or its number in the group
   * @throws RangeError if it is none of this group
   */
  select(id: readonly number[] | number): ItemView {
    const { running } = this.#machine;
    const item = running?.items.find((one) => (typeof id === 'number' ? one.index === id : isItem(one, id)));
    if (!item) {
      const name = typeof id === 'number' ? `number ${id}` : idText(id);
      throw new RangeError(
        running
          ? `work-item ${name} is not in the group that runs, ${idText(this.#trim(running.group.id))}`
          : 'the launch has ended',
      );
    }
    this.#selected = item;
    return this.#viewOf(item);
  }

  #viewOf(item: WorkItem): ItemView {
    const { running } = this.#machine;
    const state = running?.group === item.group ? running.states[item.index]! : 'ended';
    return {
      index: item.index,
      global: this.#idOf(item),
      local: this.#trim(item.localId),
      group: this.#trim(item.group.id),
      state: stateNames[state],
      place: this.#inspector.calls(item)[0]?.place,
    };
  }

  #idOf({ globalId }: WorkItem): readonly number[] {
    return this.#trim(globalId);
  }

  #trim(id: readonly number[]): readonly number[] {
    return id.slice(0, this.range.globalSize.length);
  }

  // ------------------------------------------------------------------------------------------------- looking

  /** The calls that the selected work-item is in, the innermost first. */
  calls(): readonly CallView[] {
    return this.#inspector.calls(this.#selected);
  }

  #callAt(depth: number): CallView | undefined {
    return this.calls()[depth];
  }

  /** The variables of a call; `call` counts from the innermost. Values hold until something moves. */
  variables(call = 0, base?: IntegerBase): VariableGroups {
    return this.#inspector.variables(this.#selected, this.#callAt(call), base);
  }

  /**
   * The value of an expression of OpenCL C in a call of the selected work-item. Its effects are taken back.
   * @throws ExpressionError
   */
  evaluate(text: string, call = 0, base?: IntegerBase): DebugValue {
    return this.#inspector.evaluate(text, this.#selected, this.#callAt(call), base);
  }

  /**
   * Evaluates an expression and keeps its effects, as in `sum = 0`. They belong to this time: going back before it undoes them,
   * and coming here again makes them again.
   * @throws ExpressionError
   */
  change(text: string, call = 0): DebugValue {
    for (const { address, after } of this.#inspector.effects(text, this.#selected, this.#callAt(call))) {
      this.#machine.edit(address, after);
    }
    return this.#inspector.evaluate(text, this.#selected, this.#callAt(call));
  }

  /** An image or a buffer as a picture; see {@link Inspector.picture}. */
  picture(text: string, options: { call?: number; width?: number; slice?: number } = {}): Picture {
    const { call = 0, width, slice } = options;
    return this.#inspector.picture(text, this.#selected, this.#callAt(call), width, slice);
  }

  /** The texts of the sources, by name; one that only `#line` directives name is not there. */
  get texts(): ReadonlyMap<string, string> {
    return this.#map.texts;
  }

  /** The names of the files that code comes from. */
  get files(): ReadonlySet<string> {
    return this.#map.files;
  }

  /** The lines of a file on which a breakpoint can be. */
  linesOf(file: string): number[] {
    return this.#map.linesOf(file);
  }

  // --------------------------------------------------------------------------------------------- breakpoints

  get breakpoints(): readonly Breakpoint[] {
    return this.#stops.breakpoints;
  }

  /** @throws ExpressionError for a condition that is wrong there */
  addBreakpoint(request: BreakpointRequest): Breakpoint {
    return this.#stops.add(request);
  }

  /** Forgets a breakpoint or a watch; false if there is none of that number. */
  remove(id: number): boolean {
    return this.#stops.remove(id);
  }

  get watches(): readonly Watch[] {
    return this.#stops.watches;
  }

  /**
   * Stops whenever somebody writes (or reads) what an expression names at this moment.
   * @throws ExpressionError if it names no object
   */
  watch(text: string, kind: WatchKind = 'write', call = 0): Watch {
    return this.#stops.watch(text, kind, this.#selected, this.#callAt(call));
  }

  // -------------------------------------------------------------------------------------------------- inside

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

function idText(id: readonly number[]): string {
  return `(${id.join(', ')})`;
}
