/**
 * What parts of launches are said to read and write, against what the interpreter sees them do, over random kernels: each access lies in what was
 * said, or the launch was refused. And the parts make together what the whole launch makes.
 */
import { expect, it } from 'vitest';
import { compileSource } from '../../src/build/compile-source.ts';
import { ClusterError } from '../../src/cluster/error.ts';
import type { Range } from '../../src/cluster/intervals.ts';
import { kernelsOf } from '../../src/cluster/kernels.ts';
import { type LaunchShape, planLaunch } from '../../src/cluster/plan.ts';
import { Interpreter, type LaunchRange } from '../../src/ir/interpreter.ts';
import type * as ir from '../../src/ir/ir.ts';
import { type RandomLaunch, randomLaunch } from './random-kernel.ts';

interface Access {
  readonly parameter: number;
  readonly kind: 'read' | 'write';
  readonly start: number;
  readonly end: number;
}

/** No variable of a kernel is called so. */
const bufferNames = ['buffer a', 'buffer b', 'buffer c'];
const scalarTypes = [Int32Array, Int32Array, Uint32Array, Int16Array];

/** Runs a launch on buffers, which are changed, and gives what it does to them. */
function runLaunch(
  module: ir.Module,
  { scalars }: RandomLaunch,
  buffers: readonly Uint8Array[],
  range: LaunchRange,
): Access[] {
  const accesses: Access[] = [];
  const note = (kind: 'read' | 'write', name: string, offset: number, size: number): void => {
    const parameter = bufferNames.indexOf(name);
    if (parameter >= 0) accesses.push({ parameter, kind, start: offset, end: offset + size });
  };
  const machine = new Interpreter(module, {
    maximumSteps: 3_000_000,
    observer: () => ({
      read: ({ name }, offset, size) => note('read', name, offset, size),
      write: ({ name }, offset, { length }) => note('write', name, offset, length),
      atomic: ({ name }, offset, size) => {
        note('read', name, offset, size);
        note('write', name, offset, size);
      },
    }),
  });
  machine.launch('random', range, [
    ...buffers.map((buffer, index) => ({
      kind: 'address' as const,
      address: machine.allocate('global', buffer, bufferNames[index]!),
    })),
    ...scalars.map((value, index) => ({
      kind: 'bytes' as const,
      bytes: new Uint8Array(scalarTypes[index]!.of(value).buffer),
    })),
  ]);
  return accesses;
}

const holds = (ranges: readonly Range[] | undefined, { start, end }: Access): boolean =>
  ranges?.some((range) => range.start <= start && end <= range.end) ?? false;

const contents = ({ lengths }: RandomLaunch): Uint8Array[] =>
  lengths.map((length, index) => {
    const numbers = Int32Array.from({ length }, (_, i) => ((i * 2654435761) >>> 7) - index * 1000);
    return new Uint8Array(numbers.buffer);
  });

type Outcome = 'refused' | 'right';

function check(seed: number): Outcome {
  const launch = randomLaunch(seed);
  const { global, local, offset, scalars, lengths } = launch;
  const about = `seed ${seed}, global ${global}, local ${local}, offset ${offset}, arguments ${scalars}, elements ${lengths}\n${launch.source}`;
  const { module, text } = compileSource(launch.source, {}) as { module?: ir.Module; text?: string };
  if (!module) throw new Error(`it does not compile: ${text}\n${about}`);
  const fn = kernelsOf(launch.source, {}).get('random')!;
  // Without reads of which nothing comes.
  const analysed: ir.Module = { ...module, functions: [fn] };
  const shape: LaunchShape = {
    global,
    local,
    offset,
    scalars: new Map(scalars.map((value, index) => [3 + index, value])),
    buffers: new Map(lengths.map((length, index) => [index, 4 * length])),
    declared: new Map(),
    split: undefined,
  };
  const ranks = 2 + (seed % 3);
  let plan: ReturnType<typeof planLaunch>;
  try {
    plan = planLaunch(fn, shape, ranks);
  } catch (error) {
    if (error instanceof ClusterError) return 'refused';
    throw error;
  }
  const rangeOf = (first: number, count: number): LaunchRange => {
    const globalSize = global.map((size, d) => (d === plan.dimension ? count : size));
    return {
      globalSize,
      localSize: local ?? globalSize,
      globalOffset: global.map((_, d) => (offset[d] ?? 0) + (d === plan.dimension ? first : 0)),
    };
  };
  const merged = contents(launch);
  for (const [rank, { first, count }] of plan.chunks.entries()) {
    if (count === 0) continue;
    const reach = plan.reach[rank]!;
    // What it is not said to need it does not have.
    const own = contents(launch).map((all, index) => {
      const some = new Uint8Array(all.length).fill(0xa5);
      for (const { start, end } of [...(reach.reads.get(index) ?? []), ...(reach.writes.get(index) ?? [])])
        some.set(all.subarray(start, end), start);
      return some;
    });
    for (const access of runLaunch(analysed, launch, own, rangeOf(first, count))) {
      const list = access.kind === 'read' ? reach.reads : reach.writes;
      if (holds(list.get(access.parameter), access)) continue;
      const said = JSON.stringify(list.get(access.parameter) ?? []);
      throw new Error(
        `part ${rank} of ${ranks} (dimension ${plan.dimension}, ${first} + ${count}) has a ${access.kind} of bytes ${access.start} to ${access.end} of ${'abc'[access.parameter]}, outside of ${said}\n${about}`,
      );
    }
    for (const [index, ranges] of reach.writes)
      for (const { start, end } of ranges) merged[index]!.set(own[index]!.subarray(start, end), start);
  }
  // Work-items that ask where they are in their group are asked with groups only, which parts leave whole.
  if (local === undefined && /get_local_id/.test(launch.source)) return 'right';
  const whole = contents(launch);
  runLaunch(module, launch, whole, rangeOf(0, global[plan.dimension]!));
  for (const [index, buffer] of whole.entries())
    if (Buffer.compare(buffer, merged[index]!) !== 0)
      throw new Error(`the parts make another ${'abc'[index]} than the whole launch\n${about}`);
  return 'right';
}

// MILLRACE_FOOTPRINTS=20000 for more, MILLRACE_FOOTPRINTS_FROM=1 for others.
const count = Number(process.env['MILLRACE_FOOTPRINTS'] ?? 1500);
const from = Number(process.env['MILLRACE_FOOTPRINTS_FROM'] ?? 290_000);

it(`${count} random kernels reach what their parts are said to`, { timeout: 3_600_000 }, () => {
  const outcomes = { refused: 0, right: 0 };
  for (let seed = from; seed < from + count; seed += 1) outcomes[check(seed)] += 1;
  if (count !== 1500) console.log(outcomes);
  // Most are for one part alone; of the others there are enough to tell something.
  expect(outcomes.right).toBeGreaterThan(count / 10);
});
