// The points of the nearest-neighbour sample: what they are here, how they lie in the device's memory, and
// the vote.

/** A point in the unit square and its class. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly label: number;
}

/** The size of the kernel's `Point`: two floats and a uint, no padding. */
export const pointBytes = 12;

/** Points as the kernel's struct wants them, little-endian as the device is. */
export function packPoints(points: readonly Point[]): Uint8Array {
  const bytes = new Uint8Array(points.length * pointBytes);
  const view = new DataView(bytes.buffer);
  points.forEach((point, i) => {
    view.setFloat32(i * pointBytes, point.x, true);
    view.setFloat32(i * pointBytes + 4, point.y, true);
    view.setUint32(i * pointBytes + 8, point.label, true);
  });
  return bytes;
}

/** The opposite of packPoints, for the first `count` points. */
export function unpackPoints(bytes: Uint8Array, count: number): Point[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, i) => ({
    x: view.getFloat32(i * pointBytes, true),
    y: view.getFloat32(i * pointBytes + 4, true),
    label: view.getUint32(i * pointBytes + 8, true),
  }));
}

/** The label that occurs most often; of several, the smallest. */
export function vote(labels: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  let winner = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const [label, count] of counts) {
    if (count > most || (count === most && label < winner)) {
      winner = label;
      most = count;
    }
  }
  return winner;
}
