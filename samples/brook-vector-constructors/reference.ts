// Sepia in plain TypeScript.
import type { Picture } from '../support/sample.ts';

/** Weights of red, green and blue in 256ths, for each new channel. */
const weights = [
  [101, 197, 48],
  [89, 176, 43],
  [70, 137, 34],
] as const;

/** The picture in brown tones, four bytes a pixel. */
export function sepiaReference({ data }: Picture): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    for (const [channel, [red, green, blue]] of weights.entries()) {
      const sum = data[at]! * red + data[at + 1]! * green + data[at + 2]! * blue;
      out[at + channel] = Math.min(sum >> 8, 255);
    }
    out[at + 3] = data[at + 3]!;
  }
  return out;
}
