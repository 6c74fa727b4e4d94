/** 32-bit patterns as floats and doubles, and back. Patterns are signed integers. */

const view = new DataView(new ArrayBuffer(8));

export function bitsOfFloat(value: number): number {
  view.setFloat32(0, value);
  return view.getInt32(0);
}

export function floatOfBits(bits: number): number {
  view.setInt32(0, bits);
  return view.getFloat32(0);
}

/** A number as a float holds it. */
export const rounded = Math.fround;

/** The low and the high word. */
export function wordsOfDouble(value: number): readonly [number, number] {
  view.setFloat64(0, value);
  return [view.getInt32(4), view.getInt32(0)];
}

export function doubleOfWords(low: number, high: number): number {
  view.setInt32(0, high);
  view.setInt32(4, low);
  return view.getFloat64(0);
}
