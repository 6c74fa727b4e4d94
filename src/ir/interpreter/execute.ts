/**
 * Runs work-items. In work-item form each of a group's runs until it waits at a barrier or has finished; when all have
 * come to the same barrier, they go on. In work-group form one runner does the work of the whole group.
 */
import { subGroupSize } from '../collectives.ts';
import { kernelTitle } from '../device-queues.ts';
import type * as ir from '../ir.ts';
import { subGroupOf } from './collectives.ts';
import { InterpreterError, nameOf } from './error.ts';
import { Fault } from './memory.ts';
import { becomeItem, type Code, type Frame, type Group, type Step, signals, type WorkItem } from './state.ts';
import type { RuntimeValue } from './values.ts';

/** How many steps may still be taken, in all and before the next pause; both are decreased. */
export interface Budget {
  steps: number;
  slice: number;
}

/** Runs one work-group from start to end; pauses (yields) whenever the budget's slice is used up. */
export function* runGroup(
  group: Group,
  code: Code,
  parameters: readonly RuntimeValue[],
  budget: Budget,
): Generator<void, void> {
  const kernel = code.fn;
  if (code.fn.form === 'work-group') {
    const whole = startItem(group, -1, code, parameters);
    while (!runItem(whole, kernel, budget)) yield;
    return;
  }
  const items: WorkItem[] = [];
  for (let index = 0; index < group.itemCount; index += 1) {
    items.push(startItem(group, index, code, parameters));
  }
  do {
    for (let start = 0; start < items.length; start += subGroupSize) {
      yield* runSubGroup(group, items.slice(start, start + subGroupSize), kernel, budget);
    }
    checkTogether(items, kernel);
    group.phase += 1;
  } while (items[0]!.frame);
}

/** Runs the work-items of a sub-group until all wait for the work-group, or have finished. */
function* runSubGroup(
  group: Group,
  items: readonly WorkItem[],
  kernel: ir.Function,
  budget: Budget,
): Generator<void, void> {
  for (;;) {
    for (const item of items) {
      while (!runItem(item, kernel, budget)) yield;
    }
    if (!items.some(waitsForSubGroup)) return;
    checkTogether(items, kernel);
    group.subPhases[subGroupOf(items[0]!.index)]! += 1;
  }
}

function waitsForSubGroup({ frame }: WorkItem): boolean {
  if (!frame) return false;
  const { instruction } = barrierOf(frame);
  const isScoped = instruction.op === 'barrier' || instruction.op === 'collective';
  return isScoped && instruction.scope === 'sub-group';
}

/** @param index -1 for the whole group */
export function startItem(
  group: Group,
  index: number,
  code: Code,
  parameters: readonly RuntimeValue[],
): WorkItem {
  const item: WorkItem = {
    group,
    wholeGroup: index < 0,
    index,
    localId: [0, 0, 0],
    globalId: [0, 0, 0],
    frame: undefined,
    privates: new Map(),
  };
  if (index >= 0) becomeItem(item, index);
  item.frame = { code, item, values: [...parameters], caller: undefined, resultNumber: -1, next: 0 };
  return item;
}

/**
 * Runs until the work-item waits at a barrier (its frame tells which) or has finished (it has no frame). False if the
 * slice ended before; the next call goes on.
 */
function runItem(item: WorkItem, kernel: ir.Function, budget: Budget): boolean {
  let step: Step | undefined;
  try {
    for (let frame = item.frame; frame; frame = item.frame) {
      const { steps } = frame.code;
      let next = frame.next;
      while (next >= 0) {
        step = steps[next]!;
        if (--budget.slice < 0) {
          frame.next = next;
          return false;
        }
        if (--budget.steps < 0) throw new Fault('too many steps: it may never end');
        if (step.run) {
          step.run(frame);
          next += 1;
        } else {
          next = step.jump!(frame);
        }
      }
      if (next === signals.barrier || next === signals.subGroupBarrier) return true;
    }
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new InterpreterError(kernelTitle(kernel), error.message, item, step?.instruction.span);
  }
}

/** After each has run as far as it could: all must have finished, or wait at the same barrier of the same call. */
export function checkTogether(items: readonly WorkItem[], kernel: ir.Function): void {
  const first = items[0]!;
  for (const item of items) {
    if (sameFrames(first.frame, item.frame)) continue;
    const [waiting, other] = first.frame ? [first, item] : [item, first];
    const what = other.frame
      ? `waits at another barrier${placeOf(other.frame)}`
      : 'has finished without reaching it';
    const reason = `barrier divergence: it waits at a barrier, but ${nameOf(other)} ${what}`;
    throw new InterpreterError(
      kernelTitle(kernel),
      reason,
      waiting,
      barrierOf(waiting.frame!).instruction.span,
    );
  }
}

function sameFrames(a: Frame | undefined, b: Frame | undefined): boolean {
  if (!a || !b) return a === b;
  return a.code === b.code && a.next === b.next && sameFrames(a.caller, b.caller);
}

/** The step that a waiting frame stopped at. */
function barrierOf(frame: Frame): Step {
  return frame.code.steps[frame.next - 1]!;
}

function placeOf(frame: Frame): string {
  const { span } = barrierOf(frame).instruction;
  if (!span) return '';
  const { name, line, column } = span.file.presumed(span.start);
  return ` (${name}:${line}:${column})`;
}
