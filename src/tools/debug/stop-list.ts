/** The breakpoints and watches of a session: what there is, and whether one stops a work-item where it is. */
import type { WorkItem } from '../../ir/interpreter/state.ts';
import type { Span } from '../../source/span.ts';
import {
  type Breakpoint,
  type BreakpointRequest,
  isItem,
  type Touch,
  type Watch,
  type WatchKind,
  WatchObserver,
} from './breakpoints.ts';
import { functionNames, plainKernelName } from './brook-names.ts';
import { ExpressionError } from './expressions.ts';
import type { CallView, Inspector } from './inspector.ts';
import type { Machine } from './machine.ts';
import { placeOf, type Statement } from './source-map.ts';

export class StopList {
  readonly #machine: Machine;
  readonly #inspector: Inspector;
  readonly #changed: () => void;
  readonly #breakpoints = new Map<number, Breakpoint>();
  readonly #watches = new Map<number, Watch>();
  /** Looks at accesses to memory, as long as there are watches. */
  observer: WatchObserver | undefined;
  #nextId = 1;

  /** @param changed called when there is another observer */
  constructor(machine: Machine, inspector: Inspector, changed: () => void) {
    this.#machine = machine;
    this.#inspector = inspector;
    this.#changed = changed;
  }

  get breakpoints(): readonly Breakpoint[] {
    return [...this.#breakpoints.values()];
  }

  get watches(): readonly Watch[] {
    return [...this.#watches.values()];
  }

  /** @throws ExpressionError for a condition that is wrong there */
  add(request: BreakpointRequest): Breakpoint {
    const { line, file, function: name, condition } = request;
    const { map, launch } = this.#machine;
    const begin = name ?? plainKernelName(map.module, launch.kernel.name);
    const statements =
      line === undefined
        ? functionNames(begin, launch.kernel.name).flatMap((one) => map.inFunction(one))
        : map.onLine(file, line);
    if (condition !== undefined) {
      for (const statement of statements) this.#inspector.checkCondition(condition, statement);
    }
    const breakpoint: Breakpoint = {
      ...request,
      id: this.#nextId++,
      place: statements[0]?.place,
      statements: new Set(statements),
      isEnabled: true,
      hits: 0,
      ignore: request.ignore ?? 0,
    };
    this.#breakpoints.set(breakpoint.id, breakpoint);
    return breakpoint;
  }

  /** @throws ExpressionError if the expression names no object */
  watch(text: string, kind: WatchKind, item: WorkItem, call: CallView | undefined): Watch {
    const { address, bytes } = this.#inspector.placeOf(text, item, call);
    const { name, space } = this.#machine.launch.memory.at(address)!;
    const owner = space === 'private' ? item.globalId : undefined;
    const object = { name, space };
    const watch: Watch = { id: this.#nextId++, text, kind, address, bytes, object, item: owner };
    this.#watches.set(watch.id, watch);
    this.#observe();
    return watch;
  }

  /** Forgets one; false if there is none of that number. */
  remove(id: number): boolean {
    const isWatch = this.#watches.delete(id);
    if (isWatch) this.#observe();
    return isWatch || this.#breakpoints.delete(id);
  }

  /** Forgets what has been noted of accesses: they were somebody's who only ran up to a place. */
  forgetTouches(): void {
    this.observer?.take();
  }

  #observe(): void {
    const { watches } = this;
    this.observer = watches.length > 0 ? new WatchObserver(watches) : undefined;
    this.#machine.isWatched = watches.length > 0;
    this.#changed();
  }

  /**
   * The breakpoint that stops a work-item before a statement. `message` says so if its condition cannot be evaluated there.
   * @param counts whether it counts as reached
   */
  at(
    item: WorkItem,
    statement: Statement,
    counts: boolean,
  ): { readonly breakpoint: Breakpoint; readonly message: string | undefined } | undefined {
    for (const breakpoint of this.#breakpoints.values()) {
      if (!breakpoint.isEnabled || !breakpoint.statements.has(statement)) continue;
      if (breakpoint.item && !isItem(item, breakpoint.item)) continue;
      let message: string | undefined;
      if (breakpoint.condition !== undefined) {
        try {
          const call = this.#inspector.calls(item)[0];
          if (!this.#inspector.isTrue(breakpoint.condition, item, call)) continue;
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          message = `the condition '${breakpoint.condition}' cannot be evaluated: ${error.message}`;
        }
      }
      if (counts) {
        breakpoint.hits += 1;
        if (breakpoint.hits <= breakpoint.ignore) continue;
        if (breakpoint.isOnce) this.#breakpoints.delete(breakpoint.id);
      }
      return { breakpoint, message };
    }
    return undefined;
  }

  /**
   * What the step just taken did to watched memory: `has written x[3] at k.cl:9: 0 is 1 now`; undefined for nothing.
   * @param span the step's place
   * @param isAhead whether it is told to somebody who will stand before the step
   */
  touched(item: WorkItem, span: Span | undefined, isAhead: boolean): string | undefined {
    const touch = this.observer?.take()[0];
    if (!touch) return undefined;
    const { text } = touch.watch;
    const place = span && placeOf(span);
    const what = place ? `${text} at ${place.file}:${place.line}` : text;
    const { wrote } = touch;
    const does = isAhead ? `is about to ${wrote ? 'write' : 'read'}` : `has ${wrote ? 'written' : 'read'}`;
    const values = wrote ? this.#valuesOf(touch, item) : undefined;
    if (!values) return `${does} ${what}`;
    const [was, is] = values;
    return `${does} ${what}: ${isAhead ? `${was} becomes ${is}` : `${was} is ${is} now`}`;
  }

  /** What was there before a write, and what is there now. */
  #valuesOf(
    { watch, before, writtenBefore }: Touch,
    item: WorkItem,
  ): readonly [was: string, is: string] | undefined {
    const memory = this.#machine.launch.memory.at(watch.address);
    if (!memory) return undefined;
    const from = watch.address - memory.start;
    const after = memory.bytes.slice(from, from + watch.bytes);
    const writtenAfter = memory.written?.slice(from, from + watch.bytes);
    const put = (bytes: Uint8Array, written: Uint8Array | undefined): void => {
      memory.bytes.set(bytes, from);
      if (written) memory.written?.set(written, from);
    };
    const textOf = (bytes: Uint8Array): string => {
      try {
        return this.#inspector.evaluate(watch.text, item, this.#inspector.calls(item)[0]).text;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        // It cannot be named from here.
        return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
      }
    };
    const is = textOf(after);
    put(before, writtenBefore);
    const was = textOf(before);
    put(after, writtenAfter);
    return [was, is];
  }
}
