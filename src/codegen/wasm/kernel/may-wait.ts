/**
 * Whether work-items may wait in a loop for what other groups, or the host, write meanwhile. OpenCL promises nobody that
 * another group runs at the same time, but programs count on it that launch as many groups as there are threads, or whose groups
 * wait for those before them.
 *
 * Who waits looks again and again at memory of others, and what is there decides whether the loop goes on. So values are followed
 * from the instructions that look to the conditions of jumps. A loop that only counts with atomics, as that of a histogram, does
 * not wait; nor does one that ends as soon as a compare-exchange finds what the loop has just read, for the next iteration ends it
 * if nobody else does anything:
 *
 *     do { old = *p; } while (atomic_cmpxchg(p, old, f(old)) != old);
 *
 * Which memory such values go through is not followed: once one is written, all that the loop loads counts as one.
 */
import { findDefinitions } from '../../../ir/definitions.ts';
import { effectsOf } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';

/** Whether a loop in the region, or in what it calls, goes on or ends by what others have written meanwhile. */
export function waitsIn(region: ir.Region): boolean {
  return new Search().region(region);
}

class Search {
  readonly #waits = new Map<ir.Function, boolean>();
  readonly #looks = new Map<ir.Function, boolean>();

  region(region: ir.Region): boolean {
    let waits = false;
    walkRegion(region, (one) => {
      if (waits) return;
      if (one.op === 'call') waits = askOnce(this.#waits, one.callee, (body) => this.region(body));
      else if (one.op === 'loop' && this.#looksIn(one.regions[0]!)) {
        waits = new LoopSearch(one, (callee) => this.#looksInCallee(callee)).hangsOnOthers();
      }
    });
    return waits;
  }

  /** Whether anything in the region looks at memory of others. */
  #looksIn(region: ir.Region): boolean {
    let looks = false;
    walkRegion(region, (one) => {
      looks ||= looksAgain(one) || (one.op === 'call' && this.#looksInCallee(one.callee));
    });
    return looks;
  }

  #looksInCallee(callee: ir.Function): boolean {
    return callee.imported !== undefined || askOnce(this.#looks, callee, (body) => this.#looksIn(body));
  }
}

function askOnce(
  known: Map<ir.Function, boolean>,
  fn: ir.Function,
  ask: (body: ir.Region) => boolean,
): boolean {
  let answer = known.get(fn);
  if (answer === undefined) {
    answer = fn.body !== undefined && ask(fn.body);
    known.set(fn, answer);
  }
  return answer;
}

/** Follows, through one loop, values that others may change from iteration to iteration. */
class LoopSearch {
  readonly #loop: ir.Loop;
  readonly #looksInCallee: (callee: ir.Function) => boolean;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  /** What atomics in the loop act on: a plain load there sees others' writes, too. */
  readonly #shared = new Set<ir.Value>();
  readonly #seen = new Set<ir.Value>();
  /** One of them has been written, or it depends on one what has been. */
  #isMemorySeen = false;
  #hangs = false;

  constructor(loop: ir.Loop, looksInCallee: (callee: ir.Function) => boolean) {
    this.#loop = loop;
    this.#looksInCallee = looksInCallee;
    this.#definitions = findDefinitions(loop.regions[0]!);
    walkRegion(loop.regions[0]!, (one) => {
      if (one.op === 'atomic' && looksAgain(one)) this.#shared.add(this.#bitsOf(one.operands[0]!));
    });
  }

  hangsOnOthers(): boolean {
    let known: string;
    const count = () => `${this.#seen.size} ${this.#isMemorySeen}`;
    do {
      known = count();
      this.#region(this.#loop.regions[0]!, this.#loop);
    } while (!this.#hangs && count() !== known);
    return this.#hangs;
  }

  #region(region: ir.Region, owner: ir.Structured): void {
    for (const one of region.instructions) {
      this.#instruction(one, owner);
      for (const nested of one.regions) this.#region(nested, one as ir.Structured);
    }
  }

  #instruction(one: ir.Instruction, owner: ir.Structured): void {
    switch (one.op) {
      case 'fence':
        this.#hangs = true;
        return;
      case 'call':
        if (!this.#looksInCallee(one.callee)) break;
        // What it has seen it may leave anywhere. What the device supplies says how a launch went.
        if (one.callee.imported) this.#see(one.results);
        else this.#hangs = true;
        return;
      case 'if':
      case 'switch':
        if (!this.#seen.has(one.operands[0]!)) return;
        this.#hangs ||= one.regions.some(jumps);
        this.#isMemorySeen ||= one.regions.some(writes);
        this.#see(one.results);
        return;
      case 'loop':
        this.#pass(one.operands, one.regions[0]!.parameters);
        return;
      case 'continue':
        this.#pass(one.operands, one.target.regions[0]!.parameters);
        return;
      case 'break':
        this.#pass(one.operands, one.target.results);
        return;
      case 'yield':
        this.#pass(one.operands, owner.results);
        return;
      case 'compare':
        if (this.#isOfExchange(one)) return;
        break;
      default:
    }
    const effects = effectsOf(one);
    const isGiven = one.operands.some((operand) => this.#seen.has(operand));
    const isRead = effects.reads !== undefined && this.#isMemorySeen;
    const isFresh =
      looksAgain(one) || (one.op === 'load' && this.#shared.has(this.#bitsOf(one.operands[0]!)));
    if (isGiven || isRead || isFresh) this.#see(one.results);
    // The first is the address alone.
    const isKept =
      one.operands.some((operand, index) => index > 0 && this.#seen.has(operand)) &&
      !this.#exchangesWhatIsRead(one);
    if (effects.writes === 'through first operand' ? isKept : isGiven && writesMemory(one))
      this.#isMemorySeen = true;
  }

  #see(values: readonly ir.Value[]): void {
    for (const value of values) this.#seen.add(value);
  }

  #pass(from: readonly ir.Value[], to: readonly ir.Value[]): void {
    from.forEach((value, index) => {
      if (this.#seen.has(value) && to[index]) this.#seen.add(to[index]);
    });
  }

  /** Whether it says if a compare-exchange has found what this iteration of the loop has read from the same place. */
  #isOfExchange({ fn, operands }: ir.Compare): boolean {
    if (fn !== 'eq' && fn !== 'ne') return false;
    const [a, b] = operands.map((operand) => this.#bitsOf(operand)) as [ir.Value, ir.Value];
    return this.#isExchange(a, b) || this.#isExchange(b, a);
  }

  #isExchange(found: ir.Value, expected: ir.Value): boolean {
    const exchange = this.#definitions.get(found);
    return (
      exchange !== undefined &&
      this.#exchangesWhatIsRead(exchange) &&
      this.#bitsOf(exchange.operands[1]!) === expected
    );
  }

  /** Whether it is a compare-exchange that expects what this iteration has read there. Loads of that place are known to see others' writes. */
  #exchangesWhatIsRead(exchange: ir.Instruction): boolean {
    if (exchange.op !== 'atomic' || exchange.fn !== 'compare_exchange') return false;
    const read = this.#definitions.get(this.#bitsOf(exchange.operands[1]!));
    const isRead = read?.op === 'load' || (read?.op === 'atomic' && read.fn === 'load');
    return isRead && this.#bitsOf(read.operands[0]!) === this.#bitsOf(exchange.operands[0]!);
  }

  /** The value of which another is the same bits. */
  #bitsOf(value: ir.Value): ir.Value {
    const definition = this.#definitions.get(value);
    const isSame = definition?.op === 'convert' && (definition.fn === 'bitcast' || definition.fn === 'space');
    return isSame ? this.#bitsOf(definition.operands[0]!) : value;
  }
}

function jumps(region: ir.Region): boolean {
  let is = false;
  walkRegion(region, ({ op }) => {
    is ||= op === 'break' || op === 'continue' || op === 'return';
  });
  return is;
}

function writes(region: ir.Region): boolean {
  let is = false;
  walkRegion(region, (one) => {
    is ||= writesMemory(one);
  });
  return is;
}

/** Whether it writes what the kernel may load again, or read from a context array. */
function writesMemory(one: ir.Instruction): boolean {
  const { writes } = effectsOf(one);
  return writes !== undefined && writes !== 'output';
}

/** Whether an instruction sees what others have written since it was done last. */
function looksAgain(one: ir.Instruction): boolean {
  if (one.op === 'fence') return true;
  if (!effectsOf(one).isFresh) return false;
  const { type } = one.operands[0]!;
  return type.kind === 'pointer' && (type.space === 'global' || type.space === 'generic');
}
