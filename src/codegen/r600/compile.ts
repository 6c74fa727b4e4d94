/**
 * The way of a kernel to the R600 family: IR in work-item form, simplified, to a finished program. Each step is a file: select,
 * tidy, schedule, allocate, form-clauses; print shows the result, validate checks it, simulate runs it.
 */
import type * as ir from '../../ir/ir.ts';
import { allocate } from './allocate.ts';
import { type Chip, usableRegisters } from './chips.ts';
import { R600Error } from './error.ts';
import { liveBehind, operationsOf } from './flow.ts';
import { formClauses } from './form-clauses.ts';
import type { Item } from './operations.ts';
import type { Program } from './program.ts';
import type { ParameterRoles } from './roles.ts';
import { schedule } from './schedule.ts';
import { isShapeNumber } from './scope.ts';
import { select } from './select.ts';
import { spill } from './spill.ts';
import { tidy } from './tidy.ts';

/** Fetches that go out together; fewer where there are not enough registers for what they bring. */
const fetchesAtOnce = [16, 4, 1] as const;

/**
 * The part of the registers' words that may be live at a time once some go to scratch memory. All of them would hardly ever find room, as
 * words lie where their slots and neighbours want them.
 */
const livePart = [0.8, 0.65, 0.5, 0.4, 0.25, 0.13] as const;

/** Of scratch memory: four words. */
const bytesPerElement = 16;

export interface CompileOptions {
  /** What parameters are to the chip, where that is known. */
  readonly roles?: ParameterRoles | undefined;
  /** Default: compute on chips that have it, but for kernels that write images or outputs. */
  readonly kind?: 'pixel' | 'compute' | undefined;
  /** Work-items of a group, of compute kernels that are always launched in groups of so many and from 0 on. */
  readonly groupSize?: readonly [number, number, number] | undefined;
  /** General registers that it may take, at most and by default 124. With fewer, more wavefronts are in flight. */
  readonly registers?: number | undefined;
}

/**
 * Compiles a kernel.
 * @throws R600Error for what the chip cannot do
 */
export function compileR600(fn: ir.Function, chip: Chip, options: CompileOptions = {}): Program {
  let problem: R600Error | undefined;
  for (const count of fetchesAtOnce) {
    const made = attempt(fn, chip, options, count);
    if (!(made instanceof R600Error)) return made;
    problem = made;
  }
  const words = 4 * Math.min(options.registers ?? usableRegisters, usableRegisters);
  for (const part of livePart) {
    const made = attempt(fn, chip, options, 1, Math.floor(words * part));
    if (!(made instanceof R600Error)) return made;
    problem = made;
  }
  throw problem;
}

/** Scheduling settles channels, so that each attempt begins anew. Gives the error if there are too few registers. */
function attempt(
  fn: ir.Function,
  chip: Chip,
  options: CompileOptions,
  count: number,
  words?: number,
): Program | R600Error {
  try {
    return compiled(fn, chip, options, count, words);
  } catch (error) {
    if (error instanceof R600Error && error.isShortage) return error;
    throw error;
  }
}

function compiled(
  fn: ir.Function,
  chip: Chip,
  options: CompileOptions,
  count: number,
  words: number | undefined,
): Program {
  const { roles = new Map(), kind, groupSize, registers = usableRegisters } = options;
  const { items, localBytes, scratchBytes, notes, isCompute } = select(fn, chip, { roles, kind, groupSize });
  tidy(items);
  requireNoShapes(items);
  const ownElements = scratchBytes / bytesPerElement;
  const spilledWords = words === undefined ? 0 : spill(items, words, ownElements);
  const elements = ownElements + Math.ceil(spilledWords / 4);
  const live = liveBehind(items);
  const scheduled = schedule(items, chip, count);
  const allocation = allocate(scheduled, live, isCompute ? 2 : 1, Math.min(registers, usableRegisters));
  return {
    name: fn.name,
    chip,
    kind: isCompute ? 'compute' : 'pixel',
    controlFlow: formClauses(scheduled, allocation),
    registers: allocation.registers,
    temporaries: allocation.temporaries,
    localBytes,
    scratchBytes: elements * bytesPerElement,
    spilledWords,
    notes,
  };
}

/** What a texture needs of its shape it has itself; a kernel that computes with it cannot have it. */
function requireNoShapes(items: readonly Item[]): void {
  for (const operation of items.flatMap(operationsOf)) {
    if (operation.kind === 'alu' && operation.sources.some(isShapeNumber))
      throw new R600Error('the size of a resource as a number', operation.span);
  }
}
