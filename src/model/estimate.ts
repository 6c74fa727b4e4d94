/**
 * The guide's estimate (1.3.2): how long each of the units that run beside each other takes, if it never waits; the kernel takes as
 * long as the slowest of them.
 */
import type { Card } from './cards.ts';

/** What one thread does. */
export interface ThreadCost {
  /** VLIW instructions: bundles. */
  readonly instructions: number;
  readonly fetches: number;
  /** Bits read from memory and written to it. */
  readonly memoryBits: number;
}

export type Bound = 'ALU' | 'fetch' | 'memory';

export interface Estimate {
  /** Seconds. */
  readonly alu: number;
  readonly fetch: number;
  readonly memory: number;
  /** The longest of the three. */
  readonly total: number;
  readonly bound: Bound;
}

const megahertz = 1e6;

/** @param threads the size of the domain of execution */
export function estimate(card: Card, threads: number, cost: ThreadCost): Estimate {
  const { simds, threadProcessors, fetchesPerClock, busBits, transfersPerClock } = card;
  const engine = card.engineClock * megahertz;
  const alu = (threads * cost.instructions) / (simds * threadProcessors * engine);
  const fetch = (threads * cost.fetches) / (fetchesPerClock * engine);
  const memory = (threads * cost.memoryBits) / (busBits * card.memoryClock * megahertz * transfersPerClock);
  const total = Math.max(alu, fetch, memory);
  const bound = total === alu ? 'ALU' : total === fetch ? 'fetch' : 'memory';
  return { alu, fetch, memory, total, bound };
}
