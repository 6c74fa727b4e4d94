/**
 * The checks of what work-items do together: that all of a group reach its barriers, and make and await its async copies
 * (src/library/check.cl remembers who was where).
 */
import { asyncMarks } from '../../../ir/async-marks.ts';
import type * as ir from '../../../ir/ir.ts';
import { i32 } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { analyseUniformity } from '../../../passes/analysis/uniformity.ts';
import { BarrierPlan } from '../../../passes/workgroup/barrier-plan.ts';
import { codes } from '../codes.ts';
import { stateWords } from '../shadow-layout.ts';
import type { CheckWriter } from './check-writer.ts';
import type { LocalCounters } from './local-counters.ts';

/** How a kernel's work-items come to its barriers; undefined for helpers, and where async copies are to be followed, too. */
export function planOf(fn: ir.Function, body: ir.Region): BarrierPlan | undefined {
  if (fn.kind !== 'kernel' || hasAsyncCopy(body)) return undefined;
  return new BarrierPlan(fn, body, analyseUniformity(fn));
}

function hasAsyncCopy(body: ir.Region): boolean {
  let found = false;
  walkRegion(body, (instruction) => {
    if (instruction.op === 'call' && instruction.callee.name === asyncMarks.copy) found = true;
  });
  return found;
}

export class GroupChecks {
  readonly #writer: CheckWriter;
  readonly #counters: LocalCounters;
  /** Of barriers whose flags are no constant. */
  readonly #flags: ReadonlyMap<ir.Instruction, ir.Value>;
  readonly #isKernel: boolean;
  readonly #hasAsync: boolean;
  /** Whether nothing must be noted at barriers to see that all reach them. */
  readonly isTogether: boolean;
  /** Loops that all work-items go around together. */
  readonly #commonLoops = new Set<ir.Loop>();
  /** Whether the next loop makes an async copy. */
  #copyFollows = false;

  /** Looks at a function in which nothing has been changed yet. */
  constructor(
    writer: CheckWriter,
    body: ir.Region,
    counters: LocalCounters,
    flags: ReadonlyMap<ir.Instruction, ir.Value>,
  ) {
    this.#writer = writer;
    this.#flags = flags;
    this.#counters = counters;
    this.#isKernel = writer.fn.kind === 'kernel';
    this.#hasAsync = hasAsyncCopy(body);
    const plan = planOf(writer.fn, body);
    this.isTogether = plan?.isTogether ?? false;
    if (!plan?.isTogether) return;
    walkRegion(body, (instruction) => {
      if (instruction.op === 'loop' && plan.isGroup(instruction)) this.#commonLoops.add(instruction);
    });
  }

  /** At the top of a kernel. */
  begin(): void {
    if (!this.#isKernel) return;
    const writer = this.#writer;
    const { builder } = writer;
    const { runtime } = writer.context;
    const product = (values: ir.Value[]) => values.reduce((a, b) => builder.binary('imul', a, b));
    this.#once(() => {
      const dimensions = [0, 1, 2] as const;
      const items = product(dimensions.map((dimension) => builder.query('local_size', dimension)));
      const [x, y, z] = dimensions.map((dimension) => builder.query('group_id', dimension));
      const column = builder.binary('iadd', builder.binary('imul', z!, builder.query('num_groups', 1)), y!);
      const row = builder.binary('imul', column, builder.query('num_groups', 0));
      runtime.call(builder, 'group', [items, builder.binary('iadd', row, x!)]);
      if (this.#hasAsync) runtime.call(builder, 'steps', [items]);
      this.#counters.begin();
    });
  }

  /** Before a kernel returns. */
  checkEnd(): void {
    if (!this.#hasAsync || !this.#isKernel) return;
    const writer = this.#writer;
    const found = writer.call('end', [writer.item]);
    const condition = writer.builder.compare('ne', found, writer.number(0));
    writer.reportIf(condition, { code: codes.unawaited, kind: 'event' });
  }

  /** The barrier itself, too. */
  barrier(instruction: ir.Barrier | ir.Collective): void {
    const writer = this.#writer;
    const { builder } = writer;
    const { runtime } = writer.context;
    if (instruction.scope === 'sub-group') {
      builder.append(instruction);
      runtime.call(builder, 'order', []);
      return;
    }
    const bits = this.#fenced(instruction);
    if (this.isTogether) {
      builder.append(instruction);
      this.#once(() => runtime.call(builder, 'next', [bits]));
      return;
    }
    runtime.call(builder, 'arrive', [writer.item]);
    builder.append(instruction);
    const found = writer.call('pass', [writer.item, bits]);
    const is = (number: number) => builder.compare('eq', found, writer.number(number));
    writer.reportIf(is(1), { code: codes.divergence, kind: 'barrier' });
    if (this.#hasAsync) writer.reportIf(is(2), { code: codes.copyElsewhere, kind: 'barrier' });
  }

  /** What a barrier orders for all work-items: 1 local memory, 2 global, which images are, too. What only a run knows is noted. */
  #fenced(instruction: ir.Barrier | ir.Collective): ir.Value {
    const writer = this.#writer;
    const { builder } = writer;
    const flags = this.#flags.get(instruction);
    if (!flags) {
      const spaces = instruction.op === 'barrier' ? instruction.spaces : [];
      return writer.number((spaces.includes('local') ? 1 : 0) | (spaces.includes('global') ? 2 : 0));
    }
    const ofImages = builder.binary('ushr', builder.binary('and', flags, writer.number(4)), writer.number(1));
    const own = builder.binary('or', builder.binary('and', flags, writer.number(3)), ofImages);
    // They may be others in other work-items, whose own accesses they order.
    writer.context.runtime.call(builder, 'fence', [writer.item, own]);
    return writer.number(0);
  }

  /** What stands before an async copy or a wait for it (src/ir/async-marks.ts). False for other calls. */
  asyncMark(call: ir.Call): boolean {
    const writer = this.#writer;
    const { builder } = writer;
    const { name } = call.callee;
    if (name !== asyncMarks.copy && name !== asyncMarks.wait) return false;
    const who = writer.who('event', undefined, 0);
    if (name === asyncMarks.wait) {
      const found = writer.call('wait', [writer.item, call.operands[0]!, who]);
      const is = (number: number) => builder.compare('eq', found, writer.number(number));
      writer.reportIf(is(1), { code: codes.noEvent, kind: 'event' });
      writer.reportIf(is(2), { code: codes.copyDivergence, kind: 'event' });
      writer.reportIf(is(3), { code: codes.copyElsewhere, kind: 'event' });
      return true;
    }
    const event = writer.call('copy', [writer.item, ...call.operands, who]);
    const word = builder.offset(writer.context.runtime.state(builder), writer.number(4 * stateWords.differs));
    const condition = builder.compare('ne', builder.load(i32, word, 4), writer.number(0));
    writer.reportIf(condition, { code: codes.copyDivergence, kind: 'event' });
    // The same value under the name that others know.
    builder.append({
      op: 'binary',
      fn: 'or',
      operands: [event, writer.number(0)],
      results: call.results,
      regions: [],
    });
    this.#copyFollows = true;
    return true;
  }

  /** Writes a loop's body, which is an async copy if the mark of one stood before it. */
  withinLoop(write: () => void): void {
    this.#writer.isCopying = this.#copyFollows;
    this.#copyFollows = false;
    write();
    this.#writer.isCopying = false;
  }

  /** Writes what is to be done in each turn of a loop, by one of those who go around together. */
  onceInLoop(loop: ir.Loop, write: () => void): void {
    if (this.#commonLoops.has(loop)) this.#once(write);
    else write();
  }

  /** What the first work-item does for all, before the others. */
  #once(write: () => void): void {
    const writer = this.#writer;
    writer.when(writer.builder.compare('eq', writer.item, writer.number(0)), write);
  }
}
