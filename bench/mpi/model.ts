/**
 * A model of a step of a program over many ranks, after LogGP (Alexandrov, Ionescu, Schauser and Scheiman, 1995). What a rank does itself is
 * measured (imagined.mjs); what is added here is the network:
 *
 * - a message of n bytes takes `latency + n * perByte`, with one pair of constants for short messages and one for long ones, for which
 *   engines use another protocol;
 * - a rank is busy `perMessage` with each message that it sends or receives;
 * - those of one launch are under way at the same time, so their latencies count once, and their bytes all: a node has one link, which
 *   carries both directions at once;
 * - a reduction over all ranks is as many exchanges in a row as the number of ranks has bits (recursive doubling), each as long as a
 *   reduction over two ranks; a broadcast is a tree of as many messages in a row.
 *
 * Milliseconds throughout. There is one rank on a node; nodes do not slow each other down, however many are linked to one switch.
 */

/** Messages of up to so many bytes. */
export interface Segment {
  readonly upTo: number;
  readonly latency: number;
  readonly perByte: number;
}

export interface Network {
  readonly name: string;
  /** From short to long messages; the last has no limit. */
  readonly segments: readonly Segment[];
  /** Of a reduction over two ranks. */
  readonly reductions: readonly Segment[];
  readonly perMessage: number;
}

/** What a rank does in a step among so many ranks. */
export interface LocalStep {
  readonly sample: string;
  readonly ranks: number;
  /** Its own work, planning included. */
  readonly time: number;
  /** The part of the work that is done while messages are under way. */
  readonly overlapped: number;
  /** Bytes of each message. */
  readonly sent: readonly number[];
  readonly received: readonly number[];
  /** Bytes of each reduction over all ranks. */
  readonly reduced: readonly number[];
}

const segmentOf = (segments: readonly Segment[], bytes: number): Segment =>
  segments.find(({ upTo }) => bytes <= upTo) ?? segments.at(-1)!;

function timeOf(segments: readonly Segment[], bytes: number): number {
  const { latency, perByte } = segmentOf(segments, bytes);
  return latency + bytes * perByte;
}

/** From the call of its sender to where its receiver has it. */
export const messageTime = ({ segments }: Network, bytes: number): number => timeOf(segments, bytes);

/** Messages that are under way at once, in both directions. */
export function exchangeTime(network: Network, sent: readonly number[], received: readonly number[]): number {
  const all = [...sent, ...received];
  if (all.length === 0) return 0;
  const bytesTime = (list: readonly number[]): number =>
    list.reduce((sum, bytes) => sum + bytes * segmentOf(network.segments, bytes).perByte, 0);
  const latency = Math.max(...all.map((bytes) => segmentOf(network.segments, bytes).latency));
  return all.length * network.perMessage + latency + Math.max(bytesTime(sent), bytesTime(received));
}

/** How often the number of ranks is doubled from 1. */
const levelsOf = (ranks: number): number => Math.ceil(Math.log2(ranks));

/** A reduction whose result all ranks have. */
export const reductionTime = ({ reductions }: Network, ranks: number, bytes: number): number =>
  levelsOf(ranks) * timeOf(reductions, bytes);

export const broadcastTime = (network: Network, ranks: number, bytes: number): number =>
  levelsOf(ranks) * messageTime(network, bytes);

/**
 * A step among all ranks.
 * @param ranksOfCore ranks that share a processor: what one does, the others wait for
 */
export function stepTime(network: Network, step: LocalStep, ranksOfCore = 1): number {
  const exchange = exchangeTime(network, step.sent, step.received);
  // Messages themselves need the processor; their way does not.
  const busy = (step.sent.length + step.received.length) * network.perMessage;
  const hidden = Math.min(exchange - busy, step.time * step.overlapped);
  const reduced = step.reduced.reduce((sum, bytes) => sum + reductionTime(network, step.ranks, bytes), 0);
  return ranksOfCore * (step.time + busy) + (exchange - busy - hidden) + reduced;
}

/** How much of so many ranks is used, against one rank alone. */
export const efficiency = (alone: number, ranks: number, time: number): number => alone / (ranks * time);

interface Measured {
  readonly bytes: number;
  readonly time: number;
}

/**
 * The constants of measured messages: two lines, below and above the size at which the measured points are nearest to them, in relation to
 * their times.
 */
export function segmentsOf(messages: readonly Measured[]): Segment[] {
  const sorted = [...messages].sort((a, b) => a.bytes - b.bytes);
  if (sorted.length < 4) return [{ upTo: Number.POSITIVE_INFINITY, ...lineOf(sorted) }];
  let best: { readonly error: number; readonly segments: Segment[] } | undefined;
  for (let at = 2; at <= sorted.length - 2; at += 1) {
    const [short, long] = [sorted.slice(0, at), sorted.slice(at)];
    const lines = [lineOf(short), lineOf(long)] as const;
    const error = errorOf(lines[0], short) + errorOf(lines[1], long);
    if (best && best.error <= error) continue;
    best = {
      error,
      segments: [
        { upTo: short.at(-1)!.bytes, ...lines[0] },
        { upTo: Number.POSITIVE_INFINITY, ...lines[1] },
      ],
    };
  }
  return best!.segments;
}

type Line = Omit<Segment, 'upTo'>;

/** Least squares of relative errors; neither constant is below 0. */
function lineOf(points: readonly Measured[]): Line {
  let [w, x, xx, y, xy] = [0, 0, 0, 0, 0];
  for (const { bytes, time } of points) {
    const weight = 1 / time ** 2;
    w += weight;
    x += weight * bytes;
    xx += weight * bytes * bytes;
    y += weight * time;
    xy += weight * bytes * time;
  }
  const determinant = w * xx - x * x;
  const perByte = determinant > 0 ? (w * xy - x * y) / determinant : 0;
  const latency = (y - perByte * x) / w;
  if (perByte < 0) return { latency: y / w, perByte: 0 };
  if (latency < 0) return { latency: 0, perByte: xy / xx };
  return { latency, perByte };
}

const errorOf = ({ latency, perByte }: Line, points: readonly Measured[]): number =>
  points.reduce((sum, { bytes, time }) => sum + ((latency + perByte * bytes) / time - 1) ** 2, 0);

/** How far the constants are from what was measured, at most, in relation to it. */
export const worstError = (network: Network, messages: readonly Measured[]): number =>
  Math.max(...messages.map(({ bytes, time }) => Math.abs(messageTime(network, bytes) / time - 1)));
