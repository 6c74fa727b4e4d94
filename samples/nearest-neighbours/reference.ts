// Nearest neighbours in plain TypeScript: measure, sort, take the first k.
import type { Point } from './points.ts';

/** The squared distance of every point from the unknown one. */
export function distancesReference(unknown: Point, points: readonly Point[]): Float32Array {
  const distances = new Float32Array(points.length);
  points.forEach((point, i) => {
    const dx = point.x - unknown.x;
    const dy = point.y - unknown.y;
    distances[i] = dx * dx + dy * dy;
  });
  return distances;
}

/** The places of the points in ascending order of distance, and of label where distances are equal. */
export function orderReference(distances: Float32Array, points: readonly Point[]): Uint32Array {
  const order = Uint32Array.from(distances.keys());
  return order.sort((a, b) => distances[a]! - distances[b]! || points[a]!.label - points[b]!.label);
}
