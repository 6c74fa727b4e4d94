/**
 * Reads ahead where work-items run one by one and memory says how many iterations each of them does in its loop, as in a product of a
 * sparse matrix and a vector:
 *
 *     work_item_loop {                               work_item_loop {
 *       %row = query global_id 0                       as it was
 *       %first = load (offset %starts, ...)          } vector 4 {
 *       %end = load ...                                %row = query global_id 0
 *       %sum = loop @l (%at = %first) {                %first.0 = load ...
 *         %more = ult %at, %end                        %end.0 = load ...
 *         ...                                 =>       (the same for %row + 1, 2 and 3)
 *       }                                              %sum.0 = loop ... %end.0 ...
 *       store ..., %sum                                store ..., %sum.0
 *       yield                                          %sum.1 = loop ... %end.1 ...
 *     }                                                ...
 *                                                    }
 *
 * Where loops differ in length a processor guesses wrong about once a loop, and finds out as soon as it knows the bound. Loaded
 * behind the last loop, the bound comes several cycles after the guess; loaded ahead, it is there. Neighbours often load
 * the same, too: a row's end is the next one's start. Four work-items after another are a vector region without vectors.
 *
 * Loads move before stores of work-items that come earlier. There is no order between these.
 *
 * A scheduler moves loads within a list of instructions; these move over the loop of the work-item before, which only the independence of
 * work-items allows.
 */

import { Builder, newRegion } from '../../ir/builder.ts';
import { cloneInstruction, cloneRegion } from '../../ir/clone.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { countInstructions, isEmpty } from '../../ir/regions.ts';
import { i32 } from '../../ir/types.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';
import { isScalarOnly, scalarRegion } from '../../ir/work-item-loops.ts';
import { foldConstants } from '../scalar/constant-folding/constant-folding.ts';
import { gvn } from '../scalar/gvn.ts';

const together = 4;
/** Larger regions stay as they are. */
const largestRegion = 160;

/** What may be in regions that read ahead, besides what is pure. */
const otherOps: ReadonlySet<ir.Instruction['op']> = new Set([
  'load',
  'store',
  'if',
  'loop',
  'block',
  'yield',
  'break',
  'continue',
]);

/** What a work-item does: loads, a loop that depends on them, and what follows. */
interface Parts {
  readonly head: readonly ir.Instruction[];
  /** Without the yield. */
  readonly rest: readonly ir.Instruction[];
}

/** The same under a condition, outside which nothing is done. */
interface GuardedParts extends Parts {
  /** Side of the branch that does it all, and what is before the branch. */
  readonly guard?: {
    readonly before: readonly ir.Instruction[];
    readonly branch: ir.If;
    readonly side: 0 | 1;
  };
}

export function readAhead(fn: ir.Function, addressBits: 32 | 64): void {
  if (!fn.body) return;
  let definitions: ReadonlyMap<ir.Value, ir.Instruction> | undefined;
  let isChanged = false;
  walkRegion(fn.body, (itemLoop) => {
    if (itemLoop.op !== 'work_item_loop' || !isScalarOnly(itemLoop)) return;
    const region = scalarRegion(itemLoop);
    if (!isPlain(region)) return;
    definitions ??= findDefinitions(fn.body!);
    if (!findParts(region, definitions)) return;
    itemLoop.lanes = together;
    itemLoop.regions.push(new Copies(region, addressBits).vectorised());
    isChanged = true;
  });
  if (!isChanged) return;
  // Addresses become the first work-item's and a constant, and ends the starts of the next.
  foldConstants(fn, addressBits);
  gvn(fn, addressBits);
}

/** Whether nothing in it orders work-items, or needs a place of its own. */
function isPlain(region: ir.Region): boolean {
  if (countInstructions(region) > largestRegion) return false;
  let isSo = true;
  walkRegion(region, (one) => {
    const isVolatile = (one.op === 'load' || one.op === 'store') && one.volatile;
    const isOfItem = one.op === 'item_address' || one.op === 'copies_address';
    if ((!isPure(one) && !otherOps.has(one.op)) || isVolatile || isOfItem) isSo = false;
  });
  return isSo;
}

function findParts(
  region: ir.Region,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): GuardedParts | undefined {
  const { instructions } = region;
  const at = instructions.findIndex((one) => !isQuiet(one));
  const next = instructions[at];
  const head = instructions.slice(0, at);
  const loop = next && loopOf(next);
  if (loop && isOfLoadedLength(next, loop, head, definitions))
    return { head, rest: instructions.slice(at, -1) };
  if (next?.op !== 'if' || next.results.length > 0 || at !== instructions.length - 2) return undefined;
  const side = isEmpty(next.regions[1]!) ? 0 : isEmpty(next.regions[0]!) ? 1 : undefined;
  if (side === undefined) return undefined;
  const inside = findParts(next.regions[side]!, definitions);
  if (!inside || inside.guard) return undefined;
  return { ...inside, guard: { before: head, branch: next, side } };
}

function isQuiet(instruction: ir.Instruction): boolean {
  return instruction.op === 'load' || isPure(instruction);
}

/** The loop that an instruction is, or does if a condition holds. */
function loopOf(instruction: ir.Instruction): ir.Loop | undefined {
  if (instruction.op === 'loop') return instruction;
  if (instruction.op !== 'if' || instruction.regions.some(({ instructions }) => instructions.length > 2))
    return undefined;
  const inside = instruction.regions.flatMap(({ instructions }) => instructions.slice(0, -1));
  return inside[0]?.op === 'loop' && inside.length === 1 ? inside[0] : undefined;
}

/** Whether it is a loop that only reads, and is done or goes on by a comparison with something from the loads before it. */
function isOfLoadedLength(
  tested: ir.Instruction,
  loop: ir.Loop,
  head: readonly ir.Instruction[],
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  let [isReading, isOnlyReading] = [false, true];
  walkRegion(loop.regions[0]!, ({ op }) => {
    if (op === 'load') isReading = true;
    if (op === 'loop' || op === 'store') isOnlyReading = false;
  });
  if (!isReading || !isOnlyReading) return false;
  const loaded = new Set<ir.Value>();
  for (const { op, operands, results } of head) {
    if (op === 'load' || operands.some((value) => loaded.has(value)))
      for (const result of results) loaded.add(result);
  }
  const test = tested === loop ? loop.regions[0]!.instructions.find(({ op }) => op === 'if') : tested;
  const compare = test && definitions.get(test.operands[0]!);
  return compare?.op === 'compare' && compare.operands.some((value) => loaded.has(value));
}

/** Ids that differ along dimension 0. */
function isOwnId(instruction: ir.Instruction): instruction is ir.Query {
  if (instruction.op !== 'query') return false;
  const { fn, dimension } = instruction;
  return fn === 'linear_local_id' || ((fn === 'local_id' || fn === 'global_id') && dimension === 0);
}

/** Writes what neighbours do, one after another. */
class Copies {
  readonly #region: ir.Region;
  readonly #parts: GuardedParts;
  /** The ids of the first work-item, taken out of the region. */
  readonly #ids: readonly ir.Query[];
  readonly #builder: Builder;

  /** @param region one for which `findParts` finds some; it stays as it is */
  constructor(region: ir.Region, addressBits: 32 | 64) {
    this.#region = cloneRegion(region, new Map());
    const ids: ir.Query[] = [];
    walkRegionsInsideOut(this.#region, (inner) => {
      ids.push(...inner.instructions.filter(isOwnId));
      inner.instructions = inner.instructions.filter((one) => !isOwnId(one));
    });
    this.#ids = ids;
    this.#parts = findParts(this.#region, findDefinitions(this.#region))!;
    this.#builder = new Builder(newRegion(), addressBits);
  }

  vectorised(): ir.Region {
    const builder = this.#builder;
    const { region } = builder;
    region.instructions.push(...this.#ids);
    const { guard } = this.#parts;
    const copies = Array.from({ length: together }, (_, at) => this.#own(builder.integer(i32, at)));
    if (!guard) this.#write(copies);
    else {
      const conditions = copies.map((values) => {
        this.#clone(guard.before, values);
        const condition = guard.branch.operands[0]!;
        const own = values.get(condition) ?? condition;
        return guard.side === 0 ? own : builder.unary('not', own);
      });
      const all = builder.if(conditions.reduce((a, b) => builder.binary('and', a, b)));
      builder.within(all.regions[0]!, () => {
        this.#write(copies);
        builder.yield();
      });
      builder.within(all.regions[1]!, () => {
        this.#oneByOne();
        builder.yield();
      });
    }
    builder.yield();
    return region;
  }

  /** The ids of a work-item that is so many places further on. */
  #own(distance: ir.Value): Map<ir.Value, ir.Value> {
    const builder = this.#builder;
    return new Map(
      this.#ids.map(({ results: [id] }) => {
        const is32 = id!.type.kind === 'int' && id!.type.bits === 32;
        const own = is32 ? distance : builder.convert('zext', distance, id!.type);
        return [id!, builder.binary('iadd', id!, own)];
      }),
    );
  }

  #write(copies: readonly Map<ir.Value, ir.Value>[]): void {
    const { head, rest } = this.#parts;
    for (const values of copies) this.#clone(head, values);
    for (const values of copies) this.#clone(rest, values);
  }

  #clone(instructions: readonly ir.Instruction[], values: Map<ir.Value, ir.Value>): void {
    for (const one of instructions) this.#builder.region.instructions.push(cloneInstruction(one, values));
  }

  /** A loop over them, for where not all do something. */
  #oneByOne(): void {
    const builder = this.#builder;
    const loop = builder.loop([builder.integer(i32, 0)]);
    const [at] = loop.regions[0]!.parameters as [ir.Value];
    builder.within(loop.regions[0]!, () => {
      const test = builder.if(builder.compare('ult', at, builder.integer(i32, together)));
      builder.within(test.regions[0]!, () => builder.yield());
      builder.within(test.regions[1]!, () => builder.break(loop));
      this.#clone(this.#region.instructions.slice(0, -1), this.#own(at));
      builder.continue(loop, [builder.binary('iadd', at, builder.integer(i32, 1))]);
    });
  }
}
