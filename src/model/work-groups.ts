/**
 * The wavefronts of compute programs: a group has its own, of threads that follow one another by their number in the group, dimension 0
 * first. The last one of a group whose size is no multiple of a wavefront has threads that idle.
 */

/** Threads along each dimension. */
export type GroupSize = readonly [x: number, y: number, z: number];

export interface Grid {
  readonly group: GroupSize;
  /** Along each dimension. */
  readonly groups: GroupSize;
  readonly threads: number;
}

/** A thread: its place in its group, and the place of that. */
export interface ComputePlace {
  readonly local: GroupSize;
  readonly group: GroupSize;
}

const usualGroup: GroupSize = [64, 1, 1];

export function gridOf({
  width,
  height,
  depth = 1,
  group = usualGroup,
}: {
  readonly width: number;
  readonly height: number;
  readonly depth?: number | undefined;
  readonly group?: GroupSize | undefined;
}): Grid {
  const [x, y, z] = group;
  return {
    group,
    groups: [Math.ceil(width / x), Math.ceil(height / y), Math.ceil(depth / z)],
    threads: width * height * depth,
  };
}

const product = ([x, y, z]: GroupSize): number => x * y * z;

/** The place of a number, where dimension 0 counts first. */
function placeIn([x, y]: GroupSize, number: number): GroupSize {
  return [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
}

function numberIn([width, height]: GroupSize, [x, y, z]: GroupSize): number {
  return (z * height + y) * width + x;
}

export function wavesOfGroup({ group }: Grid, size: number): number {
  return Math.ceil(product(group) / size);
}

/** The first wavefronts of a grid. */
export function groupWaves(grid: Grid, size: number, most: number): readonly (readonly ComputePlace[])[] {
  const perGroup = wavesOfGroup(grid, size);
  const count = Math.min(Math.max(1, most), perGroup * product(grid.groups));
  return Array.from({ length: count }, (_, wave) => {
    const first = (wave % perGroup) * size;
    const group = placeIn(grid.groups, Math.floor(wave / perGroup));
    return Array.from({ length: Math.min(size, product(grid.group) - first) }, (_unused, lane) => ({
      local: placeIn(grid.group, first + lane),
      group,
    }));
  });
}

/** What a thread begins with: its place in the group and its number there, then those of the group. */
export function groupInputs(grid: Grid, { local, group }: ComputePlace): number[][] {
  return [
    [...local, numberIn(grid.group, local)],
    [...group, numberIn(grid.groups, group)],
  ];
}

/** The part of the lanes of all wavefronts that have a thread of the domain. */
export function groupCoverage(grid: Grid, size: number): number {
  return grid.threads / (product(grid.groups) * wavesOfGroup(grid, size) * size);
}
