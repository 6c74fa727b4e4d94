/**
 * Counters of what happens between their begin and their end (guide, B.4.3). How busy a device was and how well its cache
 * served comes from the model of the card; a device that is no card tells its own times.
 */

import { now } from '../../runtime/host.ts';
import type { Command } from './command.ts';
import * as C from './constants.ts';
import type { CalContext } from './context.ts';
import { CalError, failed, invalid } from './error.ts';
import { CalObject } from './handles.ts';
import type { Run } from './launch.ts';
import { type Constants, constantsOf, estimateRun } from './model.ts';

interface Counted {
  readonly command: Command;
  readonly runs: readonly Run[];
  /** Of each run. */
  readonly constants: readonly Constants[];
}

export class Counter extends CalObject {
  readonly context: CalContext;
  readonly type: C.CALcountertype;
  #counted: Counted[] = [];
  /** When it was begun and ended, in nanoseconds of the clock of the runtime. */
  #begin: number | undefined;
  #end: number | undefined;

  constructor(context: CalContext, type: C.CALcountertype) {
    super();
    if (type !== C.CAL_COUNTER_IDLE && type !== C.CAL_COUNTER_INPUT_CACHE_HIT_RATE) {
      throw invalid(`${type} is no type of counters`);
    }
    this.context = context;
    this.type = type;
  }

  get isCounting(): boolean {
    return this.#begin !== undefined && this.#end === undefined;
  }

  begin(): void {
    if (this.isCounting) throw new CalError(C.CAL_RESULT_ALREADY, 'the counter was begun already');
    this.#counted = [];
    this.#begin = now();
    this.#end = undefined;
  }

  end(): void {
    if (!this.isCounting) throw failed('the counter was not begun');
    this.#end = now();
  }

  count({ command, runs }: Pick<Counted, 'command' | 'runs'>): void {
    if (!this.isCounting) return;
    this.#counted.push({ command, runs, constants: runs.map(({ module }) => constantsOf(module)) });
  }

  /** From 0 to 1. @throws CalError CAL_RESULT_PENDING until all that it counts has ended */
  get value(): number {
    if (this.#end === undefined || this.#begin === undefined) {
      throw new CalError(C.CAL_RESULT_PENDING, 'the counter has not been ended');
    }
    this.context.flush();
    if (this.#counted.some(({ command }) => !command.isDone)) {
      throw new CalError(C.CAL_RESULT_PENDING, 'what the counter counts has not ended');
    }
    return this.type === C.CAL_COUNTER_IDLE ? this.#idle() : this.#hitRate();
  }

  #idle(): number {
    let busy = 0;
    let last = this.#end!;
    for (const counted of this.#counted) {
      const { command } = counted;
      const { times } = command;
      if (!times) continue;
      last = Math.max(last, Number(times.ended));
      busy += this.#seconds(counted) ?? Number(times.ended - times.started) / 1e9;
    }
    const elapsed = (last - this.#begin!) / 1e9;
    return elapsed <= 0 ? 0 : Math.min(1, Math.max(0, 1 - busy / elapsed));
  }

  /** What the card would take; undefined if nobody knows. */
  #seconds({ runs, constants }: Counted): number | undefined {
    const { kind } = this.context.device;
    if (!kind.card) return undefined;
    const seconds = runs.reduce(
      (sum, run, index) => sum + estimateRun(kind, run, constants[index]!).seconds,
      0,
    );
    return seconds > 0 ? seconds : undefined;
  }

  #hitRate(): number {
    let fetches = 0;
    let hits = 0;
    for (const { runs, constants } of this.#counted) {
      for (const [index, run] of runs.entries()) {
        const estimate = estimateRun(this.context.device.kind, run, constants[index]!);
        fetches += estimate.fetches;
        hits += estimate.fetches * estimate.hitRate;
      }
    }
    return fetches === 0 ? 0 : hits / fetches;
  }
}
