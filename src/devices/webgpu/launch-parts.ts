/** Ranges as dispatches: parts that WebGPU takes, and pieces of parts that do not take long. */

/** WebGPU's limit for each dimension of a dispatch. */
const mostGroups = 65535;
/** Groups of a row: ranges are powers of two more often than not. */
const rowLength = 2 ** 15;

/** Groups of one size; a box of them. */
export interface Part {
  readonly firstGroup: readonly number[];
  readonly groups: readonly number[];
  readonly local: readonly number[];
  /**
   * Groups of one dimension that are more than WebGPU takes lie in rows of so many, one for each group of the second dimension; else
   * 0.
   */
  readonly row: number;
}

/** How many groups a part has. */
export function groupsIn({ groups }: Part): number {
  return groups.reduce((product, count) => product * count, 1);
}

/** A range as parts that WebGPU takes: so many groups, and groups of one size. The last group of a dimension may be smaller. */
export function partsOf(global: readonly number[], local: readonly number[]): Part[] {
  const groups = global.map((size, axis) => size / local[axis]!);
  // Nearly always.
  if (groups.every((count) => Number.isInteger(count) && count <= mostGroups)) {
    return groups.includes(0) ? [] : [{ firstGroup: [0, 0, 0], groups, local, row: 0 }];
  }
  const [inX, inY, inZ] = groups as [number, number, number];
  const isLine = inX > mostGroups && inX <= mostGroups * rowLength && inY === 1 && inZ === 1;
  if (isLine) return partsOfLine(global[0]!, local);
  const axes = [0, 1, 2].map((axis) => {
    const size = local[axis]!;
    const whole = Math.floor(global[axis]! / size);
    const pieces: { first: number; groups: number; size: number }[] = [];
    for (let first = 0; first < whole; first += mostGroups) {
      pieces.push({ first, groups: Math.min(mostGroups, whole - first), size });
    }
    const rest = global[axis]! - whole * size;
    if (rest > 0) pieces.push({ first: whole, groups: 1, size: rest });
    return pieces;
  });
  const [xs, ys, zs] = axes as [(typeof axes)[0], (typeof axes)[0], (typeof axes)[0]];
  return zs.flatMap((z) =>
    ys.flatMap((y) =>
      xs.map((x) => ({
        firstGroup: [x.first, y.first, z.first],
        groups: [x.groups, y.groups, z.groups],
        local: [x.size, y.size, z.size],
        row: 0,
      })),
    ),
  );
}

/** A range of one dimension: rows of groups, the groups behind the last whole row, and a last group that is smaller. */
function partsOfLine(global: number, local: readonly number[]): Part[] {
  const [size] = local as [number];
  const whole = Math.floor(global / size);
  const rows = Math.floor(whole / rowLength);
  const part = (first: number, x: number, y: number, width = size): Part => ({
    firstGroup: [first, 0, 0],
    groups: [x, y, 1],
    local: [width, ...local.slice(1)],
    row: y > 1 ? x : 0,
  });
  const parts = [part(0, rowLength, rows)];
  const behind = whole - rows * rowLength;
  if (behind > 0) parts.push(part(whole - behind, behind, 1));
  const rest = global - whole * size;
  if (rest > 0) parts.push(part(whole, 1, 1, rest));
  return parts;
}

/** Cuts a part so that its first piece has at most so many groups, and at least one. Together the pieces are the part. */
export function cutPart(part: Part, most: number): [Part, ...Part[]] {
  const rest: Part[] = [];
  let first = part;
  for (const axis of [2, 1, 0]) {
    const count = groupsIn(first);
    const along = first.groups[axis]!;
    if (count <= most || along === 1) continue;
    const taken = Math.max(1, Math.floor(most / (count / along)));
    const withAxis = (list: readonly number[], value: number): number[] =>
      list.map((each, at) => (at === axis ? value : each));
    // Rows follow one another in the first dimension.
    const [byAxis, each] = axis === 1 && first.row > 0 ? [0, first.row] : [axis, 1];
    rest.unshift({
      ...first,
      firstGroup: first.firstGroup.map((group, at) => (at === byAxis ? group + taken * each : group)),
      groups: withAxis(first.groups, along - taken),
    });
    first = { ...first, groups: withAxis(first.groups, taken) };
  }
  return [first, ...rest];
}
