/**
 * The way of a kernel to the R600 family: IR in work-item form, simplified, to a finished program. Each step is a file: select,
 * tidy, schedule, allocate, form-clauses; print shows the result, validate checks it, simulate runs it.
 */
import type * as ir from '../../ir/ir.ts';
import { allocate } from './allocate.ts';
import type { Chip } from './chips.ts';
import { R600Error } from './error.ts';
import { liveBehind, operationsOf } from './flow.ts';
import { formClauses } from './form-clauses.ts';
import type { Item } from './operations.ts';
import type { Program } from './program.ts';
import type { ParameterRoles } from './roles.ts';
import { schedule } from './schedule.ts';
import { isShapeNumber } from './scope.ts';
import { select } from './select.ts';
import { tidy } from './tidy.ts';

/** Fetches that go out together; fewer where there are not enough registers for what they bring. */
const fetchesAtOnce = [16, 4, 1] as const;

export interface CompileOptions {
  /** What parameters are to the chip, where that is known. */
  readonly roles?: ParameterRoles | undefined;
  /** Default: compute on chips that have it, but for kernels that write images or outputs. */
  readonly kind?: 'pixel' | 'compute' | undefined;
  /** Work-items of a group, of compute kernels that are always launched in groups of so many and from 0 on. */
  readonly groupSize?: readonly [number, number, number] | undefined;
}

/**
 * Compiles a kernel.
 * @throws R600Error for what the chip cannot do
 */
export function compileR600(fn: ir.Function, chip: Chip, options: CompileOptions = {}): Program {
  let problem: unknown;
  for (const count of fetchesAtOnce) {
    try {
      return attempt(fn, chip, options, count);
    } catch (error) {
      // Scheduling settles channels, so that each attempt begins anew.
      if (!(error instanceof R600Error) || !error.isShortage) throw error;
      problem = error;
    }
  }
  throw problem;
}

function attempt(fn: ir.Function, chip: Chip, options: CompileOptions, count: number): Program {
  const { roles = new Map(), kind, groupSize } = options;
  const { items, localBytes, scratchBytes, notes, isCompute } = select(fn, chip, { roles, kind, groupSize });
  tidy(items);
  requireNoShapes(items);
  const live = liveBehind(items);
  const scheduled = schedule(items, chip, count);
  const allocation = allocate(scheduled, live, isCompute ? 2 : 1);
  return {
    name: fn.name,
    chip,
    kind: isCompute ? 'compute' : 'pixel',
    controlFlow: formClauses(scheduled, allocation),
    registers: allocation.registers,
    temporaries: allocation.temporaries,
    localBytes,
    scratchBytes,
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
