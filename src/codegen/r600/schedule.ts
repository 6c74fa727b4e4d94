/**
 * Scheduling: the operations of a block become clauses, those of arithmetic bundles of up to five instructions. Fetches come first,
 * as many in a clause as there can be: what they wait for is computed, then they go out together. Bundles are filled with what is
 * ready, by the length of the chain that waits for it. A register gets its channel here, from the slot that writes it first.
 */
import { type Bundle, BundleBuilder, type ClauseState, newClause } from './bundles.ts';
import type { Chip } from './chips.ts';
import { Dependences, type Node } from './dependences.ts';
import {
  type Alu,
  type Block,
  type Channel,
  channels,
  type Fetch,
  type Item,
  type Mark,
  type Register,
  registersRead,
  type Write,
} from './operations.ts';

export type ScheduledClause =
  | { readonly kind: 'alu'; readonly bundles: readonly Bundle[] }
  | { readonly kind: 'fetch'; readonly unit: 'TEX' | 'VTX'; readonly fetches: readonly Fetch[] }
  | { readonly kind: 'write'; readonly write: Write };

export interface ScheduledBlock {
  readonly kind: 'block';
  readonly clauses: readonly ScheduledClause[];
  readonly hasPredicate: boolean;
}

export type ScheduledItem = ScheduledBlock | Mark;

/** @param fetchesAtOnce fewer let values die sooner */
export function schedule(items: readonly Item[], chip: Chip, fetchesAtOnce = 16): readonly ScheduledItem[] {
  return items.map((item) =>
    item.kind === 'block' ? new BlockScheduler(item, chip, fetchesAtOnce).run() : item,
  );
}

class BlockScheduler {
  readonly #block: Block;
  readonly #chip: Chip;
  readonly #fetchesAtOnce: number;
  readonly #nodes: readonly Node[];
  readonly #clauses: ScheduledClause[] = [];
  readonly #waiting = new Set<Node>();
  /** Fetched so far. */
  #words = 0;

  constructor(block: Block, chip: Chip, fetchesAtOnce: number) {
    this.#block = block;
    this.#chip = chip;
    this.#fetchesAtOnce = fetchesAtOnce;
    this.#nodes = new Dependences(block).nodes;
    for (const node of this.#nodes) this.#waiting.add(node);
  }

  run(): ScheduledBlock {
    while (this.#waiting.size > 0) {
      const events = this.#nextEvents();
      const needed = new Set<Node>();
      if (events.length === 0) for (const node of this.#waiting) needed.add(node);
      for (const event of events) {
        this.#collect(event, needed);
        if (this.#isInOrder) this.#collectEarlier(event, needed);
      }
      // The last stores wait until all is computed, so that it is computed in one clause.
      const isLast = events.every(({ operation }) => operation.kind === 'write') && !this.#hasFetches();
      if (isLast) {
        for (const node of this.#waiting) if (this.#isFree(node)) needed.add(node);
      }
      this.#compute(needed);
      this.#issue(events);
    }
    return { kind: 'block', clauses: this.#clauses, hasPredicate: this.#block.predicate !== undefined };
  }

  #hasFetches(): boolean {
    return [...this.#waiting].some(({ operation }) => operation.kind === 'fetch');
  }

  /** Arithmetic that no fetch or store is in front of. */
  #isFree(node: Node, seen = new Set<Node>()): boolean {
    if (node.operation.kind !== 'alu') return false;
    if (seen.has(node)) return true;
    seen.add(node);
    return node.before.every(({ node: other }) => !this.#waiting.has(other) || this.#isFree(other, seen));
  }

  /** The fetches that wait for arithmetic only, or else the first of such stores. */
  #nextEvents(): readonly Node[] {
    const free = [...this.#waiting].filter(
      (node) => node.operation.kind !== 'alu' && !this.#waitsForEvent(node),
    );
    if (this.#isInOrder) return free.slice(0, 1);
    const fetches = free.filter(({ operation }) => operation.kind === 'fetch');
    if (fetches.length > 0) return fetches.slice(0, this.#fetchesAtOnce);
    return free;
  }

  #waitsForEvent(node: Node, seen = new Set<Node>()): boolean {
    return node.before.some(({ node: other }) => {
      if (!this.#waiting.has(other) || seen.has(other)) return false;
      seen.add(other);
      return other.operation.kind !== 'alu' || this.#waitsForEvent(other, seen);
    });
  }

  /** With one fetch at a time: what is before the event in the program, so that values are used up before new ones come. */
  get #isInOrder(): boolean {
    return this.#fetchesAtOnce === 1;
  }

  #collectEarlier(event: Node, into: Set<Node>): void {
    for (const node of this.#waiting) if (node.number < event.number && this.#isFree(node)) into.add(node);
  }

  /** The arithmetic that a node waits for. */
  #collect(node: Node, into: Set<Node>): void {
    for (const { node: other } of node.before) {
      if (!this.#waiting.has(other) || into.has(other)) continue;
      into.add(other);
      this.#collect(other, into);
    }
  }

  #compute(needed: Set<Node>): void {
    if (needed.size === 0) return;
    let clause: ClauseState = newClause();
    let bundles: Bundle[] = [];
    const close = (): void => {
      if (bundles.length > 0) this.#clauses.push({ kind: 'alu', bundles });
      bundles = [];
      clause = newClause();
    };
    const candidates = this.#candidates(needed);
    while (needed.size > 0) {
      const builder = new BundleBuilder(this.#chip, clause, bundles.at(-1));
      const placed = new Set<Node>();
      for (const node of candidates) {
        if (builder.isFull) break;
        if (!this.#waiting.has(node) || !this.#isReady(node, placed)) continue;
        if (builder.add(node.operation as Alu)) placed.add(node);
      }
      if (placed.size === 0) {
        // Nothing fits any more: its constants, or the words of the clause.
        if (bundles.length === 0) throw new Error('an R600 operation fits in no bundle');
        close();
        continue;
      }
      bundles.push(builder.finish());
      for (const node of placed) {
        this.#waiting.delete(node);
        needed.delete(node);
      }
    }
    close();
  }

  /** What is needed first, then what else there is, each by the length of what waits for it. */
  #candidates(needed: ReadonlySet<Node>): readonly Node[] {
    const arithmetic = [...this.#waiting].filter(
      (node) => node.operation.kind === 'alu' && (!this.#isInOrder || needed.has(node)),
    );
    return arithmetic.sort(
      (a, b) => Number(needed.has(b)) - Number(needed.has(a)) || b.height - a.height || a.number - b.number,
    );
  }

  /** Whether all that a node waits for is done, or needs only not be later. */
  #isReady(node: Node, placed: ReadonlySet<Node>): boolean {
    return node.before.every(
      ({ node: other, isOrder }) => !this.#waiting.has(other) || (isOrder && placed.has(other)),
    );
  }

  /** Where registers are short, single words come to each channel in turn, so that four of them share a register. */
  #spread(fetches: readonly Fetch[]): void {
    for (const target of fetches.flatMap(({ targets }) => targets)) {
      if (!target || target.channel !== undefined || target.group.members.size > 1) continue;
      target.channel = channels[this.#words % channels.length]!;
      this.#words += 1;
    }
  }

  #issue(events: readonly Node[]): void {
    for (const unit of ['TEX', 'VTX'] as const) {
      const fetches = events.flatMap(({ operation }) =>
        operation.kind === 'fetch' && (operation.name === 'VFETCH') === (unit === 'VTX') ? [operation] : [],
      );
      for (let from = 0; from < fetches.length; from += this.#chip.fetchesPerClause) {
        const some = fetches.slice(from, from + this.#chip.fetchesPerClause);
        if (this.#isInOrder) this.#spread(some);
        for (const { targets } of some) for (const target of targets) if (target) giveChannel(target);
        this.#clauses.push({ kind: 'fetch', unit, fetches: some });
      }
    }
    for (const node of events) {
      this.#waiting.delete(node);
      for (const register of registersRead(node.operation)) giveChannel(register);
      if (node.operation.kind === 'write') this.#clauses.push({ kind: 'write', write: node.operation });
    }
  }
}

/** Puts a register into the first channel of its group that is free, if it has none. */
export function giveChannel(register: Register): Channel {
  if (register.channel === undefined) {
    const taken = new Set([...register.group.members].map(({ channel }) => channel));
    register.channel = channels.find((channel) => !taken.has(channel))!;
  }
  return register.channel;
}
