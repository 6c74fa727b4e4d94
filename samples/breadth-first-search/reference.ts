// Breadth-first search with a queue, one vertex after another.

/** A graph whose edges lie in a row: those of vertex v are `to[first[v]]` up to, without it, `to[first[v + 1]]`. */
export interface Graph {
  readonly first: Uint32Array;
  readonly to: Uint32Array;
}

/** How many edges each vertex is away from the root; -1 for those that no way leads to. */
export function distancesFrom(root: number, { first, to }: Graph): Int32Array {
  const distances = new Int32Array(first.length - 1).fill(-1);
  const queue = new Uint32Array(distances.length);
  let found = 1;
  queue[0] = root;
  distances[root] = 0;
  for (let turn = 0; turn < found; turn++) {
    const vertex = queue[turn]!;
    for (let edge = first[vertex]!; edge < first[vertex + 1]!; edge++) {
      const other = to[edge]!;
      if (distances[other] !== -1) continue;
      distances[other] = distances[vertex]! + 1;
      queue[found++] = other;
    }
  }
  return distances;
}
