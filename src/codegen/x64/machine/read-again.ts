/**
 * Whether what a loop reads is read again by a loop around it, and so lies in a cache the second time:
 *
 *     for row                            a[row * n + k] is read once, b[k * n + column] again for each row
 *       for column, a vector at a time
 *         for k
 *           sum += a[row * n + k] * b[k * n + column]
 *
 * A loop counts with registers that go from one iteration to the next. It reads a line again if the line's address does not depend on any of them. Loops
 * over dimensions of the range that a kernel does not ask for count, too, but nothing depends on what they count: they have one iteration.
 */
import type { MemoryOperand } from '../assembler/instruction.ts';
import type { MachineFunction } from './function.ts';
import type { Loop } from './loops.ts';
import {
  firstVirtual,
  type MachineItem,
  type MachineOperation,
  numberShift,
  reads,
  writes,
} from './operation.ts';

export class ReadAgain {
  readonly #items: readonly MachineItem[];
  /** From inner to outer. */
  readonly #loops: readonly Loop[];
  /** By register: those from which something computes it, wherever that is. */
  readonly #sources = new Map<number, Set<number>>();
  /** By register: those that it depends on, found when asked for. */
  readonly #closures = new Map<number, ReadonlySet<number>>();
  readonly #counters = new Map<Loop, readonly number[]>();

  constructor({ items }: MachineFunction, loops: readonly Loop[]) {
    this.#items = items;
    this.#loops = [...loops].sort((a, b) => a.end - a.start - (b.end - b.start));
    for (const item of items) if (item.kind === 'operation') addSources(this.#sources, item);
  }

  /** Whether a loop around the innermost loop of a place reads an address again that is read there. */
  isReadAgain(at: number, { index }: MemoryOperand): boolean {
    if (!index) return true;
    const needs = this.#closure(index.number);
    const around = this.#loops.filter(({ start, end }) => start < at && at <= end).slice(1);
    return around.some((loop) => {
      const counters = this.#countersOf(loop);
      return counters.length > 0 && !counters.some((number) => needs.has(number));
    });
  }

  /** The registers with which a loop counts, if an address within it depends on one of them. */
  #countersOf(loop: Loop): readonly number[] {
    let found = this.#counters.get(loop);
    if (!found) {
      const counters = this.#cyclesOf(loop);
      const addresses = this.#indicesIn(loop).map((index) => this.#closure(index));
      const isNeeded = counters.some((number) => addresses.some((needs) => needs.has(number)));
      found = isNeeded ? counters : [];
      this.#counters.set(loop, found);
    }
    return found;
  }

  /** What a loop itself, without those within it, computes from its own value, at once or by way of one other register. */
  #cyclesOf({ start, end }: Loop): number[] {
    const from = new Map<number, Set<number>>();
    for (let at = start; at <= end; at += 1) {
      const item = this.#items[at]!;
      if (item.kind === 'operation') addSources(from, item);
      else at = this.#loops.findLast((one) => one.start === at && one.end < end)?.end ?? at;
    }
    return [...from].flatMap(([number, sources]) =>
      [number, ...sources].some((one) => from.get(one)?.has(number)) ? [number] : [],
    );
  }

  /** The registers that addresses of memory have within a loop, each once. */
  #indicesIn({ start, end }: Loop): number[] {
    const found = new Set<number>();
    for (let at = start; at <= end; at += 1) {
      const item = this.#items[at]!;
      if (item.kind === 'label' || item.instruction.mnemonic === 'lea') continue;
      for (const operand of item.instruction.operands) {
        if (operand.kind === 'memory' && operand.index) found.add(operand.index.number);
      }
    }
    return [...found];
  }

  #closure(register: number): ReadonlySet<number> {
    const known = this.#closures.get(register);
    if (known) return known;
    const found = new Set([register]);
    // What is added while it is gone through is gone through, too.
    for (const number of found) for (const source of this.#sources.get(number) ?? []) found.add(source);
    this.#closures.set(register, found);
    return found;
  }
}

/** Notes what the registers that an operation writes come from. */
function addSources(sources: Map<number, Set<number>>, item: MachineOperation): void {
  const read = registersOf(item, reads);
  for (const to of registersOf(item, writes)) {
    const known = sources.get(to) ?? new Set();
    for (const number of read) known.add(number);
    sources.set(to, known);
  }
}

/** The virtual registers that an operation reads or writes. */
function registersOf({ accesses }: MachineOperation, what: number): number[] {
  return accesses.flatMap((access) =>
    (access & what) !== 0 && access >> numberShift >= firstVirtual ? [access >> numberShift] : [],
  );
}
