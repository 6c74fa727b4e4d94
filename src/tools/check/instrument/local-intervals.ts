/**
 * Which reads of local memory no write can race with: those between two barriers between which nobody writes the object.
 *
 * Code from one barrier for local memory to the next is an *interval*. All work-items of a group are in the same one, as long
 * as they come to their barriers together. The tree of regions is walked once: a barrier begins an interval, and where ways
 * meet, the intervals that they bring become one, so that an interval holds at least what may run between its barriers.
 *
 *     loop {                         interval 1, which the end of the body continues: writes t
 *       store t[...]
 *       barrier local
 *       loop { load t[...] }         interval 2: no write of t, these loads are quiet
 *       barrier local
 *     }
 */
import type * as ir from '../../../ir/ir.ts';
import { libraryPrefix } from '../../../library/index.ts';
import { accessesOf } from './accesses-of.ts';
import type { PointerRoots } from './pointer-roots.ts';

/** Code between barriers; of those that have become one, one stands for all. */
interface Interval {
  standsIn: Interval | undefined;
  /** The objects that are written. */
  readonly written: Set<ir.Value>;
  /** Something is written of which nobody knows what it is. */
  writesAnything: boolean;
}

export class LocalIntervals {
  readonly #roots: PointerRoots;
  readonly #loads = new Map<ir.Load, Interval>();
  /** Where a loop's body begins. */
  readonly #heads = new Map<ir.Loop, Interval>();
  /** Where it goes on behind a block or a loop, once something has come there. */
  readonly #exits = new Map<ir.Block | ir.Loop, Interval>();

  /** Looks at a body in which nothing has been changed yet. */
  constructor(body: ir.Region, roots: PointerRoots) {
    this.#roots = roots;
    this.#region(body, newInterval());
  }

  /** Whether it reads an object of local memory that nobody writes between the barriers around it. */
  isQuiet(load: ir.Load): boolean {
    const interval = this.#loads.get(load);
    const root = this.#roots.rootOf(load.operands[0]!);
    if (!interval || !root) return false;
    const { type } = root.value;
    if (type.kind !== 'pointer' || type.space !== 'local') return false;
    const { written, writesAnything } = representative(interval);
    return !writesAnything && !written.has(root.value);
  }

  /** Result: the interval at the end, or undefined if that is never reached. */
  #region(region: ir.Region, start: Interval): Interval | undefined {
    let at = start;
    for (const instruction of region.instructions) {
      switch (instruction.op) {
        case 'barrier':
          if (instruction.scope !== 'sub-group' && instruction.spaces.includes('local')) at = newInterval();
          break;
        case 'yield':
          return at;
        case 'break':
          this.#leave(instruction.target, at);
          return undefined;
        case 'continue':
          unite(this.#heads.get(instruction.target)!, at);
          return undefined;
        case 'return':
        case 'unreachable':
          return undefined;
        default:
          this.#note(instruction, at);
          if (instruction.regions.length > 0) at = this.#structure(instruction as ir.Structured, at);
      }
    }
    return at;
  }

  #structure(instruction: ir.Structured, at: Interval): Interval {
    if (instruction.op === 'loop') this.#heads.set(instruction, at);
    let end: Interval | undefined;
    for (const region of instruction.regions) end = united(end, this.#region(region, at));
    const left =
      instruction.op === 'loop' || instruction.op === 'block' ? this.#exits.get(instruction) : undefined;
    return united(end, left) ?? newInterval();
  }

  #leave(target: ir.Block | ir.Loop, at: Interval): void {
    this.#exits.set(target, united(this.#exits.get(target), at)!);
  }

  #note(instruction: ir.Instruction, interval: Interval): void {
    switch (instruction.op) {
      case 'load':
        this.#loads.set(instruction, interval);
        return;
      case 'call': {
        // Functions of the library write at most where their operands lead, the host's nowhere.
        const { callee } = instruction;
        const isKnown = callee.name.startsWith(libraryPrefix) || callee.imported !== undefined;
        if (!isKnown) representative(interval).writesAnything = true;
        for (const operand of instruction.operands) {
          if (operand.type.kind === 'pointer') this.#write(operand, interval);
        }
        return;
      }
      case 'call_indirect':
        representative(interval).writesAnything = true;
        return;
      default:
        for (const { pointer } of accessesOf(instruction)) this.#write(pointer, interval);
    }
  }

  #write(pointer: ir.Value, interval: Interval): void {
    const root = this.#roots.rootOf(pointer);
    const { type } = pointer;
    const found = representative(interval);
    if (root) found.written.add(root.value);
    else if (type.kind !== 'pointer' || type.space === 'local' || type.space === 'generic')
      found.writesAnything = true;
  }
}

function newInterval(): Interval {
  return { standsIn: undefined, written: new Set(), writesAnything: false };
}

function representative(interval: Interval): Interval {
  let at = interval;
  while (at.standsIn) at = at.standsIn;
  return at;
}

function unite(a: Interval, b: Interval): void {
  const to = representative(a);
  const from = representative(b);
  if (to === from) return;
  for (const value of from.written) to.written.add(value);
  to.writesAnything ||= from.writesAnything;
  from.standsIn = to;
}

function united(a: Interval | undefined, b: Interval | undefined): Interval | undefined {
  if (a && b) unite(a, b);
  return a ?? b;
}
