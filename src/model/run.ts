/**
 * A run of a program on a card, modelled: some of its wavefronts are run on the simulator in the order of rasterisation; what
 * they fetch goes through the input cache, what they do is counted, and the guide's formula says how long the whole domain takes.
 */
import { bitsOfFloat, floatOfBits } from '../codegen/r600/bits.ts';
import type { FetchInstruction, Program } from '../codegen/r600/program.ts';
import { type Surroundings, simulate } from '../codegen/r600/simulate.ts';
import { type CacheResult, InputCache } from './cache.ts';
import type { Card } from './cards.ts';
import { assumedCounts, costOf, totalCost } from './counts.ts';
import { divergence, wavefrontCounts } from './divergence.ts';
import { type Estimate, estimate, type ThreadCost } from './estimate.ts';
import { clocksPerInstruction, fetchLatency, groupsAtOnce, interleave, wavefronts } from './occupancy.ts';
import { type Place, quadCoverage, rasterise } from './rasterise.ts';
import {
  type ComputePlace,
  type Grid,
  type GroupSize,
  gridOf,
  groupCoverage,
  groupInputs,
  groupWaves,
  wavesOfGroup,
} from './work-groups.ts';

export interface RunOptions {
  /** The domain. */
  readonly width: number;
  readonly height: number;
  /** Of grids. Default 1. */
  readonly depth?: number | undefined;
  /** Threads of a group along each dimension, of compute kernels. Default 64 along the first. */
  readonly group?: GroupSize | undefined;
  /** Words of constant buffers; default 0. */
  readonly constant?: Surroundings['constant'] | undefined;
  /** Words that fetches bring; default 0. */
  readonly fetched?: Surroundings['fetch'] | undefined;
  /** Wavefronts that are run for all of them. Default 4. */
  readonly samples?: number | undefined;
  /** How often loops are taken to turn if threads cannot be run. Default 16. */
  readonly turns?: number | undefined;
}

export interface ModelledRun {
  readonly threads: number;
  readonly wavefronts: number;
  /** Of what one thread does, as its wavefront pays for it. */
  readonly cost: ThreadCost;
  readonly cache: CacheResult;
  /** Bytes from memory a thread: what the cache did not have. */
  readonly bytesFromMemory: number;
  readonly bytesWritten: number;
  /** How many times as long a wavefront takes as its threads would alone. */
  readonly divergence: number;
  /** Of each fetch from a buffer, how many bytes neighbours along x read apart, where that is the same for most. */
  readonly strides: readonly { readonly fetch: FetchInstruction; readonly bytes: number }[];
  /** The part of thread processors with a thread of the domain. */
  readonly coverage: number;
  /** The guide's: units never wait. */
  readonly estimate: Estimate;
  /** Wavefronts of a SIMD engine at a time, the part of clocks in which all of them wait, and seconds with such waits. */
  readonly active: number;
  readonly idle: number;
  readonly seconds: number;
  /** Threads could be run; otherwise loops and branches are assumed. */
  readonly isSimulated: boolean;
}

/** Instructions of control flow that a thread may take; who takes more is not run. */
const mostSteps = 1 << 13;

interface Access {
  readonly fetch: FetchInstruction;
  readonly address: readonly number[];
}

/** Some wavefronts of a domain, run: the same for all cards of a chip. */
export interface Sample {
  readonly waves: readonly Wave[];
  /** All their threads could be run. */
  readonly isWhole: boolean;
}

interface Wave {
  /** Of each thread, how often it carried out each instruction of control flow, and what it fetched. */
  readonly counts: readonly (readonly number[])[];
  readonly accesses: readonly (readonly Access[])[];
}

export function sampleRun(program: Program, options: RunOptions): Sample {
  const { width, height, samples = 4 } = options;
  const size = program.chip.wavefront;
  const most = blocksOf(samples) * 8;
  const grid = gridOf(options);
  const sampled =
    program.kind === 'pixel'
      ? rasterise(Math.min(width, most), Math.min(height, most), size)
          .slice(0, samples)
          .map((places) => places.map(pixelInputs))
      : groupWaves(grid, size, samples).map((places) => places.map((place) => computeInputs(grid, place)));
  const waves: Wave[] = [];
  for (const inputs of sampled) {
    const wave = runWave(program, inputs, options);
    if (!wave) return { waves: [], isWhole: false };
    waves.push(wave);
  }
  return { waves, isWhole: true };
}

/** @param sample of the same program and options */
export function modelRun(
  program: Program,
  card: Card,
  options: RunOptions,
  sample: Sample = sampleRun(program, options),
): ModelledRun {
  const { width, height, depth = 1, turns = 16 } = options;
  const { waves: known, isWhole: isSimulated } = sample;
  const size = card.chip.wavefront;
  const isPixel = program.kind === 'pixel';
  const threads = width * height * depth;
  const grid = gridOf(options);
  const byRegisters = wavefronts(program.registers);
  const perGroup = wavesOfGroup(grid, size);
  const active = isPixel ? byRegisters : groupsAtOnce(byRegisters, perGroup, program.localBytes) * perGroup;
  const weights = program.controlFlow.map((one) => costOf(one).instructions + costOf(one).fetches);
  const assumed = assumedCounts(program, turns);
  const waveCounts = known.map(({ counts }) => wavefrontCounts(counts));
  const average = isSimulated ? averageOf(waveCounts) : assumed;
  const total = totalCost(program, average);
  const cache = throughCache(
    known.map(({ accesses }) => accesses),
    card,
    active,
  );
  const own = isSimulated ? totalCost(program, averageOf(known.flatMap(({ counts }) => counts))) : total;
  const missed =
    bytesMissed(cache, card, own.cachedFetches, own.cachedBytes) + own.bytesRead - own.cachedBytes;
  const covered = isPixel ? quadCoverage(width, height) : groupCoverage(grid, size);
  const cost: ThreadCost = {
    instructions: total.instructions / covered,
    fetches: total.fetches / covered,
    memoryBits: (missed + own.bytesWritten) * 8,
  };
  const guide = estimate(card, threads, cost);
  const stretches = stretchesOf(program, average);
  const { clocks, idle } = interleave(active, stretches, fetchLatency);
  const busy = clocks === 0 ? 1 : (clocks - idle) / clocks;
  // Waiting slows down arithmetic; the fetch units and the memory have their own times.
  const seconds = Math.max(guide.total, guide.alu / Math.max(busy, 1e-6));
  return {
    threads,
    wavefronts: Math.ceil(threads / size / covered),
    cost,
    cache,
    bytesFromMemory: missed,
    bytesWritten: own.bytesWritten,
    divergence: known.length === 0 ? 1 : mean(known.map(({ counts }) => divergence(counts, weights))),
    strides: isSimulated ? stridesOf(known.map(({ accesses }) => accesses)) : [],
    coverage: covered,
    estimate: guide,
    active,
    idle: 1 - busy,
    seconds,
    isSimulated,
  };
}

const blocksOf = (samples: number): number => Math.max(1, Math.ceil(Math.sqrt(samples)));

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;

function averageOf(lists: readonly (readonly number[])[]): readonly number[] {
  return (lists[0] ?? []).map((_, index) => mean(lists.map((list) => list[index]!)));
}

/** What the threads of a pixel program begin with: the middle of their element. */
function pixelInputs(place: Place): number[][] | undefined {
  return place && [[bitsOfFloat(place[0] + 0.5), bitsOfFloat(place[1] + 0.5)]];
}

function computeInputs(grid: Grid, place: ComputePlace | undefined): number[][] | undefined {
  return place && groupInputs(grid, place);
}

/** Runs the threads of a wavefront; undefined if one of them cannot be run. */
function runWave(
  program: Program,
  wave: readonly (number[][] | undefined)[],
  { constant = () => 0, fetched = () => 0 }: RunOptions,
): Wave | undefined {
  const counts: (readonly number[])[] = [];
  const accesses: (readonly Access[])[] = [];
  for (const inputs of wave) {
    if (!inputs) continue;
    const list: Access[] = [];
    try {
      const run = simulate(
        program,
        { inputs },
        {
          constant,
          fetch: (fetch, address, component) => {
            const last = list.at(-1);
            if (last?.fetch !== fetch || component === firstComponent(fetch)) list.push({ fetch, address });
            return fetched(fetch, address, component);
          },
          write: () => {},
        },
        { ignoresBarriers: true, mostSteps },
      );
      counts.push(run.counts);
    } catch {
      return undefined;
    }
    accesses.push(list);
  }
  return { counts, accesses };
}

/** The component that is asked for first of each fetch. */
function firstComponent({ components }: FetchInstruction): number | undefined {
  return components.find((component) => component !== undefined);
}

/** Wavefronts that are in flight together fetch in turns, each for all of its threads. */
function throughCache(
  waves: readonly (readonly (readonly Access[])[])[],
  card: Card,
  active: number,
): CacheResult {
  const caches = Array.from(
    { length: card.cache.isPerSimd ? card.simds : 1 },
    () => new InputCache(card.cache),
  );
  const perBatch = active * card.simds;
  for (let from = 0; from < waves.length; from += perBatch) {
    const batch = waves.slice(from, from + perBatch);
    const steps = Math.max(0, ...batch.flatMap((wave) => wave.map(({ length }) => length)));
    for (let step = 0; step < steps; step += 1) {
      for (const [index, wave] of batch.entries()) {
        const cache = caches[(from + index) % caches.length]!;
        for (const thread of wave) {
          const one = thread[step];
          if (one) access(cache, one);
        }
      }
    }
  }
  const fetches = caches.reduce((sum, { result }) => sum + result.fetches, 0);
  const hits = caches.reduce((sum, { result }) => sum + result.hits, 0);
  return { fetches, hits, hitRate: fetches === 0 ? 0 : hits / fetches };
}

/** The difference of addresses between the first two threads of each wavefront, the first time of each fetch. */
function stridesOf(waves: readonly (readonly (readonly Access[])[])[]): ModelledRun['strides'] {
  const found = new Map<FetchInstruction, number[]>();
  for (const [first, second] of waves) {
    const seen = new Set<FetchInstruction>();
    for (const { fetch, address } of first ?? []) {
      if (fetch.name !== 'VFETCH' || seen.has(fetch)) continue;
      seen.add(fetch);
      const other = second?.find((one) => one.fetch === fetch);
      if (!other) continue;
      const known = found.get(fetch) ?? [];
      known.push(other.address[0]! - address[0]!);
      found.set(fetch, known);
    }
  }
  return [...found].flatMap(([fetch, steps]) =>
    steps.every((step) => step === steps[0]) ? [{ fetch, bytes: steps[0]! }] : [],
  );
}

function access(cache: InputCache, { fetch, address }: Access): void {
  const [x = 0, y = 0] = address;
  if (fetch.name === 'SAMPLE')
    cache.tiled(fetch.resource, Math.floor(floatOfBits(x)), Math.floor(floatOfBits(y)), fetch.bytes);
  else if (fetch.name === 'LD') cache.tiled(fetch.resource, x, y, fetch.bytes);
  else if (fetch.name === 'VFETCH') cache.linear(1000 + fetch.resource, x + fetch.offset, fetch.bytes);
}

/** Bytes a thread that come from memory: a line for every miss; all of them if nobody knows what was fetched. */
function bytesMissed(
  { hitRate, fetches: seen }: CacheResult,
  card: Card,
  fetches: number,
  bytes: number,
): number {
  return seen === 0 ? bytes : fetches * (1 - hitRate) * card.cache.lineBytes;
}

/** Clocks that a wavefront computes before, between and behind its fetch clauses; many turns of a loop as a few. */
function stretchesOf({ controlFlow }: Program, counts: readonly number[]): readonly number[] {
  const fetching = controlFlow.flatMap((one, index) => (one.kind === 'fetch' ? [counts[index]!] : []));
  const clauses = Math.round(fetching.reduce((a, b) => a + b, 0));
  const instructions = controlFlow.reduce(
    (sum, one, index) => sum + costOf(one).instructions * counts[index]!,
    0,
  );
  const parts = Math.min(clauses, 64) + 1;
  // The clocks of a part as they are between two waits, whatever the number of parts.
  const each = (instructions * clocksPerInstruction) / (clauses + 1);
  return Array<number>(parts).fill(each);
}
