/** Who does what of a launch, and what each reads and writes; or why it cannot be divided. All ranks find the same. */
import type * as ir from '../ir/ir.ts';
import type { Accessor } from './accessors.ts';
import { ClusterError } from './error.ts';
import { footprintOf, Untold } from './footprint.ts';
import { overlaps, type Range, union } from './intervals.ts';
import { asksOfWhole, type Chunk, chunksOf } from './split.ts';

export interface LaunchShape {
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[];
  readonly scalars: ReadonlyMap<number, number>;
  /** Bytes of the buffers, by the places of their parameters. */
  readonly buffers: ReadonlyMap<number, number>;
  readonly declared: ReadonlyMap<number, Declared>;
  /** The dimension to divide, if the program says. */
  readonly split: number | undefined;
}

/** In elements of so many bytes. */
export interface Declared {
  readonly reads: Accessor | undefined;
  readonly writes: Accessor | undefined;
  readonly elementBytes: number;
}

/** Ranges of bytes, by the places of parameters. */
export interface Reach {
  readonly reads: ReadonlyMap<number, readonly Range[]>;
  readonly writes: ReadonlyMap<number, readonly Range[]>;
}

export interface Plan {
  readonly dimension: number;
  readonly chunks: readonly Chunk[];
  readonly reach: readonly Reach[];
  /** The part of a rank that needs nothing that is coming, by what that is (launcher.ts). */
  readonly inner: Map<string, Chunk>;
}

/** @throws ClusterError with the reason of each dimension that could be divided */
export function planLaunch(fn: ir.Function, shape: LaunchShape, ranks: number): Plan {
  const { global, split } = shape;
  if (ranks === 1) return wholeOf(global);
  // Rows lie in one piece, columns do not.
  const dimensions = split === undefined ? [...global.keys()].reverse() : [split];
  const reasons: string[] = [];
  for (const dimension of dimensions) {
    const plan = divide(fn, shape, ranks, dimension);
    if (typeof plan !== 'string') return plan;
    if (!reasons.includes(plan)) reasons.push(plan);
  }
  throw new ClusterError(`kernel '${fn.name}' is not divided among ${ranks} ranks: ${reasons.join('; ')}`);
}

/** One rank has nobody to be told apart from. */
function wholeOf(global: readonly number[]): Plan {
  const dimension = global.length - 1;
  const none = { reads: new Map(), writes: new Map() };
  return { dimension, chunks: [{ first: 0, count: global[dimension]! }], reach: [none], inner: new Map() };
}

function divide(fn: ir.Function, shape: LaunchShape, ranks: number, dimension: number): Plan | string {
  const asked = asksOfWhole(fn, dimension);
  if (asked) return `it asks ${asked}(${dimension}), which a part of a launch would answer differently`;
  const chunks = chunksOf(shape.global[dimension]!, shape.local?.[dimension] ?? 1, ranks);
  let reach: Reach[];
  try {
    reach = chunks.map((chunk) => reachOf(fn, shape, dimension, chunk));
  } catch (error) {
    if (error instanceof Untold) return error.message;
    throw error;
  }
  for (const [rank, own] of reach.entries()) {
    for (const other of reach.slice(rank + 1).map((of) => [own, of] as const)) {
      const conflict = conflictOf(...other) ?? conflictOf(other[1], other[0]);
      if (conflict === undefined) continue;
      const name = fn.parameters[conflict]?.info?.name ?? `parameter ${conflict}`;
      return `along dimension ${dimension} what one part writes of '${name}' another may reach, too`;
    }
  }
  return { dimension, chunks, reach, inner: new Map() };
}

/** What a part of a launch reaches. @throws Untold */
export function reachOf(fn: ir.Function, shape: LaunchShape, dimension: number, chunk: Chunk): Reach {
  if (chunk.count === 0) return { reads: new Map(), writes: new Map() };
  const { global, local, offset, scalars, buffers, declared } = shape;
  const first = global.map((_, at) => (offset[at] ?? 0) + (at === dimension ? chunk.first : 0));
  const count = global.map((size, at) => (at === dimension ? chunk.count : size));
  const found = footprintOf(
    fn,
    {
      ids: first.map((low, at) => ({ low, high: low + count[at]! - 1 })),
      localSize: local ?? global,
      globalSize: global,
      offset,
      scalars,
    },
    new Set(declared.keys()),
  );
  const reads = within(found.reads, buffers);
  const writes = within(found.writes, buffers);
  for (const [index, { reads: read, writes: write, elementBytes }] of declared) {
    const length = Math.floor((buffers.get(index) ?? 0) / elementBytes);
    const bytes = (accessor: Accessor): Range[] =>
      accessor({ first, count, length }).map(({ start, end }) => ({
        start: start * elementBytes,
        end: end * elementBytes,
      }));
    if (read) reads.set(index, union(bytes(read)));
    if (write) writes.set(index, union(bytes(write)));
  }
  return { reads, writes };
}

/** Ranges in their buffers: what a kernel reaches beyond them is an error of its own on any device. */
function within(
  ranges: ReadonlyMap<number, readonly Range[]>,
  buffers: ReadonlyMap<number, number>,
): Map<number, readonly Range[]> {
  return new Map(
    [...ranges].map(([index, list]) => {
      const bytes = buffers.get(index) ?? 0;
      const clipped = list.map(({ start, end }) => ({
        start: Math.max(start, 0),
        end: Math.min(end, bytes),
      }));
      return [index, union(clipped)];
    }),
  );
}

/** A parameter of which one part writes what the other reads or writes. */
function conflictOf(writer: Reach, other: Reach): number | undefined {
  for (const [index, ranges] of writer.writes) {
    const reached = [...(other.writes.get(index) ?? []), ...(other.reads.get(index) ?? [])];
    if (ranges.some((range) => reached.some((one) => overlaps(range, one)))) return index;
  }
  return undefined;
}
