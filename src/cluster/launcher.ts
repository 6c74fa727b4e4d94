/**
 * Runs this rank's part of launches. They run one after another, as in a queue; in each, what other ranks have newer is asked for first, and
 * work-items that need none of it run meanwhile.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import type { Kernel } from '../api/javascript/kernel.ts';
import type * as ir from '../ir/ir.ts';
import type { Communicator, Request } from '../mpi/index.ts';
import type { Accessor } from './accessors.ts';
import { ClusterBuffer } from './buffer.ts';
import { ClusterError } from './error.ts';
import { overlaps, type Range, union } from './intervals.ts';
import { type Declared, type LaunchShape, type Plan, planLaunch, type Reach, reachOf } from './plan.ts';
import type { Chunk } from './split.ts';
import type { OfRanks, Transfer } from './validity.ts';

export type ClusterArgument = KernelArgument | ClusterBuffer;

/** What a kernel does with a buffer, where that cannot be found out; in elements of so many bytes, default 4. */
export interface Access {
  readonly reads?: Accessor | undefined;
  readonly writes?: Accessor | undefined;
  readonly elementBytes?: number | undefined;
}

export interface LaunchOptions {
  readonly global: readonly number[];
  /** Work-items in a work-group; a part of the launch has whole groups. */
  readonly local?: readonly number[] | undefined;
  readonly offset?: readonly number[] | undefined;
  /** The dimension that is divided; default the last one that can be. */
  readonly split?: 0 | 1 | 2 | undefined;
  /** By the names of parameters. */
  readonly access?: Readonly<Record<string, Access>> | undefined;
}

/** What a rank has done of a launch. */
export interface LaunchReport {
  readonly dimension: number;
  /** Its ids in that dimension. */
  readonly first: number;
  readonly count: number;
  /** Bytes that came, and that went. */
  readonly received: number;
  readonly sent: number;
  /** Ids that ran while they came. */
  readonly overlapped: number;
}

/** A transfer of a buffer. */
interface Move extends Transfer {
  readonly buffer: ClusterBuffer;
}

/** The parameters of a launch that are one buffer. */
type Parameters = ReadonlyMap<ClusterBuffer, readonly number[]>;

/** Plans are kept for launches that come again. */
const mostPlans = 256;

export class Launcher {
  readonly #ranks: Communicator;
  readonly #kernels: ReadonlyMap<string, ir.Function>;
  readonly #plans = new Map<string, Plan>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(ranks: Communicator, kernels: ReadonlyMap<string, ir.Function>) {
    this.#ranks = ranks;
    this.#kernels = kernels;
  }

  /** Something that comes behind all launches so far. What fails does not keep back what follows. */
  after<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#last.then(task, task);
    this.#last = next.catch(() => undefined);
    return next;
  }

  launch(kernel: Kernel, options: LaunchOptions, args: readonly ClusterArgument[]): Promise<LaunchReport> {
    return this.after(() => this.#launch(kernel, options, args));
  }

  /** Each rank gets what it lacks of a buffer. */
  bringEverywhere(buffer: ClusterBuffer): Promise<void> {
    return this.after(async () => {
      const whole = [{ start: 0, end: buffer.byteLength }];
      const wanted = Array.from({ length: this.#ranks.size }, () => whole);
      await settled(this.#move(this.#bring(buffer, wanted)));
    });
  }

  async #launch(
    kernel: Kernel,
    options: LaunchOptions,
    args: readonly ClusterArgument[],
  ): Promise<LaunchReport> {
    const { rank } = this.#ranks;
    const fn = this.#kernels.get(kernel.name);
    if (!fn) throw new ClusterError(`of kernel '${kernel.name}' nothing is known`);
    const shape = this.#shape(kernel, fn, options, args);
    const plan = this.#plan(fn, shape, options);
    const buffers = new Map<number, ClusterBuffer>();
    for (const [index, argument] of args.entries())
      if (argument instanceof ClusterBuffer) buffers.set(index, argument);
    checkApart(fn, plan, buffers);
    const parameters = parametersOf(buffers);
    const moves = [...parameters].flatMap(([buffer, indices]) =>
      // What is written is brought along, too: not every byte between the bounds may be written.
      this.#bring(
        buffer,
        plan.reach.map((reach) => rangesOf(indices, reach.reads, reach.writes)),
      ),
    );
    const given = args.map((argument) => (argument instanceof ClusterBuffer ? argument.local : argument));
    const run = async ({ first, count }: Chunk): Promise<void> => {
      if (count === 0) return;
      const { dimension } = plan;
      const offset = options.global.map((_, at) => (shape.offset[at] ?? 0) + (at === dimension ? first : 0));
      const global = options.global.map((size, at) => (at === dimension ? count : size));
      await kernel({ global, offset, local: options.local }, ...given);
    };
    const own = plan.chunks[rank]!;
    const coming = moves.filter(({ to }) => to === rank);
    const going = moves.filter(({ from }) => from === rank);
    const inner = coming.length === 0 ? own : this.#inner(fn, shape, plan, parameters, coming, going);
    const requests = this.#move(moves);
    if (coming.length === 0 && !writesWhatGoes(plan.reach[rank]!, parameters, going))
      await settled(requests, run(own));
    else if (inner.count === 0) {
      await settled(requests);
      await run(own);
    } else {
      await settled(requests, run(inner));
      await run({ first: own.first, count: inner.first - own.first });
      const behind = inner.first + inner.count;
      await run({ first: behind, count: own.first + own.count - behind });
    }
    for (const [buffer, indices] of parameters)
      buffer.validity.written(plan.reach.map(({ writes }) => rangesOf(indices, writes)));
    return {
      dimension: plan.dimension,
      ...own,
      received: bytesOf(coming),
      sent: bytesOf(going),
      overlapped: coming.length === 0 ? 0 : inner.count,
    };
  }

  /** What this rank receives and sends of a buffer so that each has what it wants; from now on each is said to have it. */
  #bring(buffer: ClusterBuffer, wanted: OfRanks): Move[] {
    const { validity } = buffer;
    const transfers = validity.transfersOf(this.#ranks.rank, wanted);
    validity.brought(wanted);
    return transfers.map((transfer) => ({ ...transfer, buffer }));
  }

  /** Posts what this rank sends and receives; the others find the same transfers, so both sides of each have them in one order. */
  #move(moves: readonly Move[]): Request[] {
    const { rank } = this.#ranks;
    return moves.map(({ buffer, start, end, from, to }) => {
      const bytes = buffer.local.map(Uint8Array, start, end - start);
      return to === rank ? this.#ranks.ireceive(bytes, from, 0) : this.#ranks.isend(bytes, to, 0);
    });
  }

  /** The largest part of this rank's that needs nothing that is coming; an empty one if there is none worth it. */
  #inner(
    fn: ir.Function,
    shape: LaunchShape,
    plan: Plan,
    parameters: Parameters,
    coming: readonly Move[],
    going: readonly Move[],
  ): Chunk {
    const own = plan.chunks[this.#ranks.rank]!;
    if (writesWhatGoes(plan.reach[this.#ranks.rank]!, parameters, going))
      return { first: own.first, count: 0 };
    // From step to step the same parts of buffers come, mostly.
    const key = JSON.stringify(coming.map(({ start, end, buffer }) => [start, end, parameters.get(buffer)]));
    const known = plan.inner.get(key);
    if (known) return known;
    const found = innerOf(fn, shape, plan.dimension, own, parameters, coming);
    if (plan.inner.size >= mostPlans) plan.inner.clear();
    plan.inner.set(key, found);
    return found;
  }

  #shape(
    kernel: Kernel,
    fn: ir.Function,
    options: LaunchOptions,
    args: readonly ClusterArgument[],
  ): LaunchShape {
    const scalars = new Map<number, number>();
    const buffers = new Map<number, number>();
    const declared = new Map<number, Declared>();
    for (const [index, argument] of args.entries()) {
      if (argument instanceof ClusterBuffer) buffers.set(index, argument.byteLength);
      else if (ArrayBuffer.isView(argument) && fn.parameters[index]?.value.type.kind === 'pointer')
        throw new ClusterError(
          `'${kernel.parameters[index]?.name}' is an array of one rank: buffers are of the cluster`,
        );
      const isWhole = fn.parameters[index]?.value.type.kind === 'int';
      if (
        isWhole &&
        (typeof argument === 'number' || typeof argument === 'bigint' || typeof argument === 'boolean')
      )
        scalars.set(index, signed(Number(argument), fn.parameters[index]!.value.type));
    }
    for (const [name, access] of Object.entries(options.access ?? {})) {
      const index = fn.parameters.findIndex(({ info }) => info?.name === name);
      if (index < 0) throw new ClusterError(`kernel '${fn.name}' has no parameter '${name}'`);
      declared.set(index, {
        reads: access.reads,
        writes: access.writes,
        elementBytes: access.elementBytes ?? 4,
      });
    }
    return {
      global: options.global,
      local: options.local,
      offset: options.offset ?? [],
      scalars,
      buffers,
      declared,
      split: options.split,
    };
  }

  #plan(fn: ir.Function, shape: LaunchShape, options: LaunchOptions): Plan {
    // Accessors are functions, which may give something else each time.
    if (options.access) return planLaunch(fn, shape, this.#ranks.size);
    const { global, local, offset, scalars, buffers, split } = shape;
    const key = JSON.stringify([fn.name, global, local, offset, [...scalars], [...buffers], split]);
    let plan = this.#plans.get(key);
    if (!plan) {
      plan = planLaunch(fn, shape, this.#ranks.size);
      if (this.#plans.size >= mostPlans) this.#plans.clear();
      this.#plans.set(key, plan);
    }
    return plan;
  }
}

function innerOf(
  fn: ir.Function,
  shape: LaunchShape,
  dimension: number,
  own: Chunk,
  parameters: Parameters,
  coming: readonly Move[],
): Chunk {
  const step = shape.local?.[dimension] ?? 1;
  const touches = (chunk: Chunk): boolean => {
    const { reads, writes } = reachOf(fn, shape, dimension, chunk);
    return coming.some((move) =>
      rangesOf(parameters.get(move.buffer)!, reads, writes).some((range) => overlaps(range, move)),
    );
  };
  for (let edge = step; 4 * edge <= own.count; edge *= 2) {
    for (const [before, behind] of [
      [edge, 0],
      [0, edge],
      [edge, edge],
    ] as const) {
      const chunk = { first: own.first + before, count: own.count - before - behind };
      if (!touches(chunk)) return chunk;
    }
  }
  return { first: own.first, count: 0 };
}

const writesWhatGoes = ({ writes }: Reach, parameters: Parameters, going: readonly Move[]): boolean =>
  going.some((move) => rangesOf(parameters.get(move.buffer)!, writes).some((range) => overlaps(range, move)));

function parametersOf(buffers: ReadonlyMap<number, ClusterBuffer>): Parameters {
  const found = new Map<ClusterBuffer, number[]>();
  for (const [index, buffer] of buffers) found.set(buffer, [...(found.get(buffer) ?? []), index]);
  return found;
}

/** All ranges of some parameters. */
const rangesOf = (indices: readonly number[], ...maps: readonly Reach['reads'][]): readonly Range[] =>
  maps.flatMap((ranges) => indices.flatMap((index) => ranges.get(index) ?? []));

/** One buffer given for two parameters: what one part writes through one, another must not reach through the other. */
function checkApart(fn: ir.Function, plan: Plan, buffers: ReadonlyMap<number, ClusterBuffer>): void {
  for (const [index, buffer] of buffers)
    for (const [other, same] of buffers) {
      if (other === index || same !== buffer) continue;
      for (const [rank, { writes }] of plan.reach.entries())
        for (const [peer, reach] of plan.reach.entries()) {
          if (peer === rank) continue;
          const reached = union([...(reach.reads.get(other) ?? []), ...(reach.writes.get(other) ?? [])]);
          if (writes.get(index)?.some((range) => reached.some((one) => overlaps(range, one))))
            throw new ClusterError(`kernel '${fn.name}' is not divided: one buffer is two of its parameters`);
        }
    }
}

/** Waits for messages and for work that goes on meanwhile: for all of it, whatever fails. */
async function settled(requests: readonly Request[], work: Promise<void> = Promise.resolve()): Promise<void> {
  const results = await Promise.allSettled([work, ...requests.map((request) => request.done)]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function signed(value: number, type: ir.Value['type']): number {
  if (type.kind !== 'int' || type.bits > 32) return value;
  const all = 2 ** type.bits;
  const own = ((value % all) + all) % all;
  return own >= all / 2 ? own - all : own;
}

const bytesOf = (moves: readonly Move[]): number =>
  moves.reduce((sum, { start, end }) => sum + end - start, 0);
