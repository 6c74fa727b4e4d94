/** The sRGB encoding of colours (OpenCL 2.0, 8.3.1.2): numbers from 0 to 1, linear and as they are stored. */

const f = Math.fround;

/** The linear number that is stored so. */
export function linearColour(stored: number): number {
  return f(stored <= 0.04045 ? stored / 12.92 : ((stored + 0.055) / 1.055) ** 2.4);
}

/** What a linear number is stored as; beyond 0 and 1 that is the nearer of them, and 0 for NaN. */
export function encodedColour(linear: number): number {
  if (!(linear > 0)) return 0;
  if (linear >= 1) return 1;
  return f(linear < 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
}
