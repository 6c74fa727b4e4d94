/** Tiles in local memory that fused groups have in common: which are, and that nobody can tell. */
import { describe, expect, it } from 'vitest';
import { findSharedTiles } from '../../../../src/codegen/wasm/kernel/shared-tiles.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm } from '../../../../src/target/wasm.ts';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  value,
  wasmRunner,
} from '../../../support/run-kernel.ts';

const [width, height, n] = [20, 40, 12];

interface Parts {
  readonly parameters?: string;
  readonly tiles?: string;
  readonly fill?: string;
  readonly use?: string;
}

/** A product of matrices, or something like it. */
const kernel = ({ parameters = '', tiles, fill, use }: Parts): string => `
#define TILE 4
kernel void test(global const int *a, global const int *b, global int *c, int n${parameters}) {
  ${tiles ?? 'local int tile_a[TILE][TILE], tile_b[TILE][TILE];'}
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1), width = get_global_size(0);
  int sum = 0;
  for (int first = 0; first < n; first += TILE) {
    ${fill ?? 'tile_a[y][x] = a[row * n + first + x]; tile_b[y][x] = b[(first + y) * width + column];'}
    barrier(CLK_LOCAL_MEM_FENCE);
    ${use ?? 'for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];'}
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * width + column] = sum;
}`;

const product = 'for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];';

interface Case extends Parts {
  readonly name: string;
  readonly shared: Readonly<Record<string, string>>;
  readonly further?: readonly TestArgument[];
}

const both = { tile_a: 'row', tile_b: 'column' };
const cases: readonly Case[] = [
  { name: 'a product of matrices', shared: both },
  {
    name: 'tiles in arguments',
    parameters: ', local int *in_a, local int *in_b',
    tiles: 'local int (*tile_a)[TILE] = in_a, (*tile_b)[TILE] = in_b;',
    shared: { in_a: 'row', in_b: 'column' },
    further: [{ local: 64 }, { local: 64 }],
  },
  {
    name: 'a guard for the rows around one, and one for all around the other',
    fill: `if (row < 40) tile_a[y][x] = a[row * n + first + x]; else tile_a[y][x] = 3;
      if (first < 8) tile_b[y][x] = b[(first + y) * width + column]; else tile_b[y][x] = column;`,
    shared: both,
  },
  {
    name: 'a guard for rows and columns',
    fill: `tile_a[y][x] = a[row * n + first + x];
      tile_b[y][x] = row + column < 30 ? b[(first + y) * width + column] : 2;`,
    shared: {},
  },
  {
    name: 'a tile that is filled twice, and used in between',
    use: `${product} barrier(CLK_LOCAL_MEM_FENCE); tile_b[y][x] = column * y + first;
      barrier(CLK_LOCAL_MEM_FENCE); ${product}`,
    shared: both,
  },
  {
    name: 'a tile that rows fill first, and then columns',
    use: `${product} barrier(CLK_LOCAL_MEM_FENCE); tile_b[y][x] = row * y + first;
      barrier(CLK_LOCAL_MEM_FENCE); ${product}`,
    shared: { tile_a: 'row' },
  },
  {
    name: "a tile of the work-items' own sums",
    use: `${product} barrier(CLK_LOCAL_MEM_FENCE); tile_b[x][y] = sum;
      barrier(CLK_LOCAL_MEM_FENCE); sum += tile_b[y][x];`,
    shared: { tile_a: 'row' },
  },
  {
    name: 'groups so large that three below each other run together, and two next to each other',
    tiles: 'local int tile_a[TILE][TILE], tile_b[TILE][TILE], own[3000];',
    use: `${product} barrier(CLK_LOCAL_MEM_FENCE); own[y * TILE + x] = sum;
      barrier(CLK_LOCAL_MEM_FENCE); sum += own[x * TILE + y];`,
    shared: both,
  },
  {
    name: 'a tile filled from another',
    tiles: 'local int tile_a[TILE][TILE], tile_b[TILE][TILE], tile_c[TILE][TILE];',
    use: `tile_c[y][x] = tile_b[x][y]; barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_c[k][x];`,
    shared: both,
  },
  {
    name: 'a tile that another pointer may lead to',
    use: `local int *one = first & 4 ? &tile_a[0][0] : &tile_b[0][0];
      ${product} barrier(CLK_LOCAL_MEM_FENCE); one[y * TILE + x] += row + column;
      barrier(CLK_LOCAL_MEM_FENCE); ${product}`,
    shared: {},
  },
  {
    name: 'tiles behind local memory of its own, and private arrays',
    tiles: `local int own[TILE][TILE], tile_a[TILE][TILE], tile_b[TILE][TILE]; int kept[12];
      for (int k = 0; k < 12; k++) kept[k] = get_global_id(0) - k * get_global_id(1);`,
    use: `${product} own[x][y] = sum + kept[(sum & 7) + 1]; barrier(CLK_LOCAL_MEM_FENCE);
      sum += own[y][x]; kept[sum & 7] = first;`,
    shared: both,
  },
  {
    name: 'tiles around local memory of its own',
    tiles: 'local int tile_a[TILE][TILE], own[TILE][TILE], table[33], tile_b[TILE][TILE];',
    use: `${product} own[x][y] = sum; table[y * TILE + x] = column; barrier(CLK_LOCAL_MEM_FENCE);
      sum += own[y][x] + table[x * TILE + y];`,
    shared: both,
  },
  {
    name: 'pointers that go on along the tiles',
    use: 'for (int k = 0; k < n / 3; k++) sum += tile_a[y][k] * tile_b[k][x];',
    shared: both,
  },
  {
    name: 'a pointer that goes on to the other tile',
    use: `local int *one = &tile_a[y][0];
      for (int k = 0; k < n / 3; k++) { sum += *one; one = &tile_b[k][x]; }`,
    shared: {},
  },
  {
    name: 'something else that is done between',
    fill: `tile_a[y][x] = a[row * n + first + x]; if (first == 0) c[row * width + column] = 1;
      tile_b[y][x] = b[(first + y) * width + column];`,
    shared: {},
  },
  {
    name: 'a table for all groups, filled by itself',
    use: `for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
      barrier(CLK_LOCAL_MEM_FENCE); tile_a[y][x] = a[(y * TILE + x) * n + first];
      barrier(CLK_LOCAL_MEM_FENCE); ${product}`,
    shared: both,
  },
  {
    name: 'a loop within a group that is left early',
    fill: `for (int k = 0; k < 3; k++) {
        if (get_group_id(1) * k > 4) break;
        tile_b[y][x] = b[(first + k) * width + column];
      }
      if (get_group_id(1) > 4) tile_b[y][x] = 1;
      tile_a[y][x] = a[row * n + first + x];`,
    shared: {},
  },
];

const hows: readonly Parameters<typeof wasmRunner>[1][] = [
  {},
  { groupsAtOnce: 13, verify: false },
  { lanes: 4, rows: 2, groupsAtOnce: 50, verify: false },
];

describe.each(cases)('$name', ({ shared, further = [], ...parts }) => {
  const source = kernel(parts);

  it('is told', () => {
    const module = compileForTest(source);
    optimise(module, { target: wasm });
    const { tiles } = findSharedTiles(module.functions[0]!);
    const found = [...tiles].map(([{ name }, sharing]) => [name!, sharing]);
    expect(Object.fromEntries(found)).toEqual(shared);
  });

  it('is right', () => {
    const range = { global: [width, height], local: [4, 4] };
    const run = (launch: (args: readonly TestArgument[]) => void): number[] => {
      const c = new Int32Array(width * height);
      const a = Int32Array.from({ length: height * n }, (_, at) => (at * 7919) % 101);
      const b = Int32Array.from({ length: n * width }, (_, at) => (at * 104729) % 97);
      launch([buffer(a), buffer(b), buffer(c), value.int(n), ...further]);
      return [...c];
    };
    const expected = run((args) => runOnInterpreter(compileForTest(source), 'test', range, args));
    for (const how of hows) {
      const found = run((args) => wasmRunner(compileForTest(source), how)('test', range, args));
      expect(found, JSON.stringify(how)).toEqual(expected);
    }
  });
});
