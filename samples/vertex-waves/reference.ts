// Where the vertices are, and what their picture is, in plain TypeScript.

/** The height of the surface over a point of the square from -1 to 1, at a time in seconds. */
function heightAt(x: number, z: number, time: number): number {
  const distance = Math.hypot(x, z);
  const ring = (0.2 * Math.sin(12 * distance - 4 * time)) / (1 + 3 * distance);
  return ring + 0.05 * Math.sin(4 * x + 1.5 * time);
}

/** x, height, z and 1 for each vertex of a grid, row by row. */
export function waveReference(columns: number, rows: number, time: number): Float64Array {
  const vertices = new Float64Array(columns * rows * 4);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = (2 * column) / (columns - 1) - 1;
      const z = (2 * row) / (rows - 1) - 1;
      vertices.set([x, heightAt(x, z, time), z, 1], (row * columns + column) * 4);
    }
  }
  return vertices;
}

/** The angle by which the surface is tilted towards who looks at it, and how far away that is. */
export const camera = { tilt: 0.85, distance: 3 } as const;

/** Where a point is seen, from -1 (left, bottom) to 1. The vertex shader does the same. */
export function seenAt(x: number, y: number, z: number): readonly [number, number] {
  const up = y * Math.cos(camera.tilt) - z * Math.sin(camera.tilt);
  const near = y * Math.sin(camera.tilt) + z * Math.cos(camera.tilt);
  const scale = 2.2 / (camera.distance - near);
  return [x * scale, up * scale];
}

/** Red, green and blue, 0 to 1, of a point of the surface by its height. The fragment shader does the same. */
export function colourAt(height: number): readonly [number, number, number] {
  const part = Math.min(Math.max(height * 3 + 0.5, 0), 1);
  const mix = (low: number, high: number) => low + (high - low) * part;
  return [mix(0.02, 0.9), mix(0.12, 0.97), mix(0.35, 1)];
}
