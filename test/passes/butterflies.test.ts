/**
 * Pairs of elements a power of two apart: which accesses are done together for distances below the lane count, and that
 * every distance, range and type of element leaves what plain JavaScript computes.
 */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import type { LaneCount } from '../../src/ir/types.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction, walkRegion } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, type TestRange, value, wasmRunner } from '../support/run-kernel.ts';

const length = 160;

const kernel = (body: string, type = 'int', index = 'uint'): string =>
  `kernel void test(global ${type} *x, global ${type} *out, ${index} d, int n) {
    ${index} i = get_global_id(0);
    ${body}
  }`;

const low = 'uint low = 2 * i - (i & (d - 1)), high = low + d;';
const exchange = `${low} int a = x[low], b = x[high]; x[low] = a + b; x[high] = a - b;`;

/** How many vectors the vector form shuffles, gathers and scatters. */
function shape(source: string, lanes: LaneCount): string {
  const module = compileForTest(source);
  optimise(module, { verify: assertValid, target: wasm, vectorise: { lanes } });
  const counts = { shuffle: 0, gather: 0, scatter: 0 };
  const count = ({ op }: ir.Instruction): void => {
    if (op === 'shuffle' || op === 'gather' || op === 'scatter') counts[op] += 1;
  };
  walkFunction(module.functions[0]!, (items) => {
    if (items.op === 'work_item_loop') walkRegion(items.regions[1]!, count);
  });
  return `${counts.shuffle} ${counts.gather} ${counts.scatter}`;
}

describe('of what is read and written', () => {
  it.each<[string, string, LaneCount, string]>([
    // Two shuffles for the loads and two for the stores, for each distance; what is gathered is for other vectors.
    ['pairs', kernel(exchange), 4, '8 2 2'],
    ['pairs, eight at a time', kernel(exchange), 8, '12 2 2'],
    [
      'pairs, the further one first',
      kernel(exchange.replace(/int a.*/, 'int b = x[high], a = x[low]; x[high] = a; x[low] = b;')),
      8,
      '12 2 2',
    ],
    ['what is only read', kernel(`${low} out[i] = x[low] - x[high];`), 8, '6 2 0'],
    [
      'quotients and remainders',
      kernel('int at = i / d * (2 * d) + i % d; out[at] = x[at]; out[at + d] = i;', 'int', 'int'),
      4,
      '4 3 2',
    ],
    // Another access between the two, which may be of the same place.
    ['what is written in between', kernel(`${low} int a = x[low]; out[low] = a; x[high] = a;`), 8, '0 1 2'],
    ['pairs at another distance', kernel(`${low} x[low] = x[low + d + 1];`), 8, '0 1 1'],
    // Their components are sorted by shuffles where neighbours lie side by side; for a known distance nothing is.
    ['vectors', kernel(exchange.replace('int a', 'int2 a'), 'int2'), 4, '8 4 4'],
  ])('%s', (_, source, lanes, expected) => {
    expect(shape(source, lanes)).toBe(expected);
  });
});

type Numbers = Int32Array | Uint8Array | Int16Array | Float32Array | Float64Array;

interface Case {
  readonly name: string;
  readonly source: string;
  readonly array?: new (length: number) => Numbers;
  readonly distances: readonly number[];
  /** What one work-item does. */
  readonly step: (i: number, d: number, x: Numbers, out: Numbers) => void;
}

const powers = [1, 2, 4, 8, 16];
const lowOf = (i: number, d: number): number => 2 * i - (i & (d - 1));
const sums = (i: number, d: number, x: Numbers): void => {
  const at = lowOf(i, d);
  [x[at], x[at + d]] = [x[at]! + x[at + d]!, x[at]! - x[at + d]!];
};
const items = 60;

const typed = (type: string, array: new (length: number) => Numbers): Case => ({
  name: `pairs of ${type}`,
  source: kernel(exchange.replace('int a', `${type} a`), type),
  array,
  distances: powers,
  step: sums,
});

const cases: readonly Case[] = [
  typed('int', Int32Array),
  typed('uchar', Uint8Array),
  typed('short', Int16Array),
  typed('float', Float32Array),
  typed('double', Float64Array),
  {
    name: 'the further one first',
    source: kernel(`${low} int b = x[high], a = x[low]; x[high] = a - b; x[low] = a + b;`),
    distances: powers,
    step: sums,
  },
  {
    name: 'what is only read',
    source: kernel(`${low} out[i] = x[low] - 3 * x[high];`),
    distances: powers,
    step: (i, d, x, out) => {
      out[i] = x[lowOf(i, d)]! - 3 * x[lowOf(i, d) + d]!;
    },
  },
  {
    name: 'what is only written, and which work-item it was',
    source: kernel(`${low} out[low] = low; out[high] = i;`),
    distances: powers,
    step: (i, d, _, out) => {
      out[lowOf(i, d)] = lowOf(i, d);
      out[lowOf(i, d) + d] = i;
    },
  },
  {
    name: 'quotients and remainders of signed integers',
    source: kernel('int at = i / d * (2 * d) + i % d; out[at] = x[at]; out[at + d] = i;', 'int', 'int'),
    distances: [...powers, 3, 5],
    step: (i, d, x, out) => {
      const at = Math.floor(i / d) * 2 * d + (i % d);
      out[at] = x[at]!;
      out[at + d] = i;
    },
  },
  {
    name: 'work-items that a guard keeps out',
    source: kernel(`if (i < n) { ${exchange} }`),
    distances: powers,
    step: (i, d, x) => {
      if (i < items - 7) sums(i, d, x);
    },
  },
  {
    name: 'what is written in between',
    source: kernel(`${low} int a = x[low]; out[low] = a; out[high] = x[high]; x[high] = a;`),
    distances: powers,
    step: (i, d, x, out) => {
      const at = lowOf(i, d);
      out[at] = x[at]!;
      out[at + d] = x[at + d]!;
      x[at + d] = x[at]!;
    },
  },
];

const ranges: readonly TestRange[] = [
  { global: [items], local: [items / 2] },
  { global: [items], local: [items] },
  // Vectors begin at other numbers than multiples of their lanes.
  { global: [items], local: [items], offset: [3] },
];

describe.each(cases)('$name', ({ source, array = Int32Array, distances, step }) => {
  it.each<LaneCount>([2, 4, 8, 16])('by %i', (lanes) => {
    const run = wasmRunner(compileForTest(source), { lanes });
    for (const range of ranges) {
      for (const d of distances) {
        const numbers = (): [Numbers, Numbers] => {
          const x = new array(length);
          for (let at = 0; at < length; at += 1) x[at] = (at * 7919) % 101;
          return [x, new array(length)];
        };
        const [x, out] = numbers();
        const [expectedX, expectedOut] = numbers();
        const first = range.offset?.[0] ?? 0;
        for (let i = first; i < first + items; i += 1) step(i, d, expectedX, expectedOut);
        run('test', range, [buffer(x), buffer(out), value.int(d), value.int(items - 7)]);
        const where = `distance ${d}, range ${JSON.stringify(range)}`;
        expect([...x], where).toEqual([...expectedX]);
        expect([...out], where).toEqual([...expectedOut]);
      }
    }
  });
});
