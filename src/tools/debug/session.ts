/**
 * Debugging one launch: moves it forwards and backwards from stop to stop, and shows one of its work-items. Everything that moves
 * gives a promise, lets others have their turn meanwhile, and can be paused; one thing moves at a time.
 */
import type { MemoryObserver } from '../../ir/interpreter/observer.ts';
import { Interpreter, type LaunchRange } from '../../ir/interpreter.ts';
import { debugInfoOf } from '../../opencl/debug-info.ts';
import { later, now } from '../../runtime/host.ts';
import type { Breakpoint, BreakpointRequest, Watch, WatchKind } from './breakpoints.ts';
import { plainKernelName } from './brook-names.ts';
import { type CallView, Inspector, type VariableGroups } from './inspector.ts';
import { type ItemView, ItemViews } from './item-views.ts';
import type { DebugLaunch } from './launch.ts';
import { Machine } from './machine.ts';
import { Moves } from './moves.ts';
import type { Picture } from './picture.ts';
import { SourceMap } from './source-map.ts';
import type { Stop } from './stop.ts';
import { StopList } from './stop-list.ts';
import type { DebugValue, IntegerBase } from './values.ts';

/** How long it runs before others have their turn. */
const turnNanoseconds = 10e6;

export class DebugSession {
  /** As its programmer calls it. */
  readonly kernel: string;
  readonly range: LaunchRange;
  readonly #machine: Machine;
  readonly #map: SourceMap;
  readonly #inspector: Inspector;
  readonly #stops: StopList;
  readonly #views: ItemViews;
  readonly #moves: Moves;
  /** Whoever looks at accesses now: the watches, or an expression that is being evaluated. */
  #observer: MemoryObserver | undefined;
  #isMoving = false;

  /** @throws Error if the arguments do not fit the kernel, or the kernel is not one that can be debugged */
  constructor({ module, kernel, range, args, shared, print }: DebugLaunch) {
    this.kernel = plainKernelName(module, kernel);
    this.range = range;
    const info = debugInfoOf(module);
    const interpreter = new Interpreter(module, {
      tracksWritten: true,
      checkOpenResults: 'divisions',
      observer: () => this.#observer,
    });
    const decoder = new TextDecoder();
    const printing = (text: string): boolean => {
      if (this.#moves.isQuiet || !print) return true;
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
    this.#views = new ItemViews(this.#machine, this.#inspector, range.globalSize.length);
    this.#moves = new Moves(this.#machine, this.#inspector, this.#stops, this.#views);
  }

  // -------------------------------------------------------------------------------------------------- moving

  /** Goes to the first statement. */
  start(): Promise<Stop> {
    return this.#move(this.#moves.start());
  }

  /** To the next breakpoint, watched access or fault, or to the end. */
  continue(): Promise<Stop> {
    return this.#move(this.#moves.continue());
  }

  /** To the next line that the selected work-item comes to, in whatever function. */
  stepInto(): Promise<Stop> {
    return this.#move(this.#moves.step('into'));
  }

  /** To its next line in this function or a caller. At a barrier the others of the group go on first. */
  stepOver(): Promise<Stop> {
    return this.#move(this.#moves.step('over'));
  }

  /** Until this function has returned. */
  stepOut(): Promise<Stop> {
    return this.#move(this.#moves.step('out'));
  }

  /** Until the selected work-item comes to a line. */
  runTo(line: number, file?: string): Promise<Stop> {
    return this.#move(this.#moves.runTo(new Set(this.#map.onLine(file, line))));
  }

  /** Back to the line before, in this function or a caller: what {@link stepOver} takes forwards. */
  stepBack(): Promise<Stop> {
    return this.#move(this.#moves.stepBack(false));
  }

  /** Back to the line before, in whatever function. */
  stepBackInto(): Promise<Stop> {
    return this.#move(this.#moves.stepBack(true));
  }

  /** Back to the breakpoint or watched access before, or to the beginning. */
  reverseContinue(): Promise<Stop> {
    return this.#move(this.#moves.reverseContinue());
  }

  /** Stops what is moving, soon; its promise says where. */
  pause(): void {
    if (this.#isMoving) this.#moves.isPaused = true;
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
    this.#moves.isPaused = false;
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
      this.#moves.isQuiet = false;
    }
  }

  // ---------------------------------------------------------------------------------------------- work-items

  /** The work-items of the group that runs, in their order; none when the launch has ended. */
  items(): ItemView[] {
    return this.#views.all();
  }

  /** How many work-items the current group has along each dimension of the launch. */
  get groupSize(): readonly number[] {
    return this.#views.trim(this.#machine.running?.group.size ?? [0, 0, 0]);
  }

  get selected(): ItemView {
    return this.#views.of(this.#moves.selected);
  }

  /**
   * Shows another work-item of the group; it goes on first from now.
   * @param id its global id, or its number in the group
   * @throws RangeError if it is none of this group
   */
  select(id: readonly number[] | number): ItemView {
    this.#moves.selected = this.#views.find(id);
    return this.selected;
  }

  // ------------------------------------------------------------------------------------------------- looking

  /** The calls that the selected work-item is in, the innermost first. */
  calls(): readonly CallView[] {
    return this.#inspector.calls(this.#moves.selected);
  }

  #callAt(depth: number): CallView | undefined {
    return this.calls()[depth];
  }

  /** The variables of a call; `call` counts from the innermost. Values hold until something moves. */
  variables(call = 0, base?: IntegerBase): VariableGroups {
    return this.#inspector.variables(this.#moves.selected, this.#callAt(call), base);
  }

  /**
   * The value of an expression of OpenCL C in a call of the selected work-item. Its effects are taken back.
   * @throws ExpressionError
   */
  evaluate(text: string, call = 0, base?: IntegerBase): DebugValue {
    return this.#inspector.evaluate(text, this.#moves.selected, this.#callAt(call), base);
  }

  /**
   * Evaluates an expression and keeps its effects, as in `sum = 0`. They belong to this time: going back before it undoes them,
   * and coming here again makes them again.
   * @throws ExpressionError
   */
  change(text: string, call = 0): DebugValue {
    for (const { address, after } of this.#inspector.effects(
      text,
      this.#moves.selected,
      this.#callAt(call),
    )) {
      this.#machine.edit(address, after);
    }
    return this.#inspector.evaluate(text, this.#moves.selected, this.#callAt(call));
  }

  /** An image or a buffer as a picture; see {@link Inspector.picture}. */
  picture(text: string, options: { call?: number; width?: number; slice?: number } = {}): Picture {
    const { call = 0, width, slice } = options;
    return this.#inspector.picture(text, this.#moves.selected, this.#callAt(call), width, slice);
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
    return this.#stops.watch(text, kind, this.#moves.selected, this.#callAt(call));
  }
}
