// The five filters in plain TypeScript, each written from what the filter means rather than from how its
// kernel does it: the median sorts, the convolution adds in double precision.
import type { Picture } from '../support/sample.ts';

/** Every colour brighter by `change`, or darker where it is negative, from 0 to 255. */
export function brightnessReference(source: Picture, change: number): Uint8Array {
  return source.data.map((value, index) =>
    index % 4 === 3 ? value : Math.min(255, Math.max(0, value + change)),
  );
}

/** The average over a square of 2 `radius` + 1 pixels a side, rounded to nearest, halves up. */
export function meanReference(source: Picture, radius: number): Uint8Array {
  const { width, height, data } = source;
  const target = new Uint8Array(data.length);
  const area = (2 * radius + 1) ** 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let dy = -radius; dy <= radius; dy++) {
          const row = inside(y + dy, height) * width;
          for (let dx = -radius; dx <= radius; dx++) {
            sum += data[(row + inside(x + dx, width)) * 4 + channel]!;
          }
        }
        target[(y * width + x) * 4 + channel] = Math.floor((2 * sum + area) / (2 * area));
      }
    }
  }
  return target;
}

/** The weighted sum over a square of 2 `radius` + 1 pixels a side, rounded to nearest, halves up, 0 to 255. */
export function convolutionReference(source: Picture, weights: Float32Array, radius: number): Uint8Array {
  const { width, height, data } = source;
  const target = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        let weight = 0;
        for (let dy = -radius; dy <= radius; dy++) {
          const row = inside(y + dy, height) * width;
          for (let dx = -radius; dx <= radius; dx++) {
            sum += weights[weight++]! * data[(row + inside(x + dx, width)) * 4 + channel]!;
          }
        }
        target[(y * width + x) * 4 + channel] = Math.min(255, Math.max(0, Math.floor(sum + 0.5)));
      }
    }
  }
  return target;
}

/** The fifth of the nine values of a 3 x 3 square in ascending order, for each channel. */
export function medianReference(source: Picture): Uint8Array {
  const { width, height, data } = source;
  const target = new Uint8Array(data.length);
  const values = new Uint8Array(9);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 4; channel++) {
        let count = 0;
        for (let dy = -1; dy <= 1; dy++) {
          const row = inside(y + dy, height) * width;
          for (let dx = -1; dx <= 1; dx++) {
            // Insertion keeps the values in order as they come.
            const value = data[(row + inside(x + dx, width)) * 4 + channel]!;
            let place = count++;
            while (place > 0 && values[place - 1]! > value) {
              values[place] = values[place - 1]!;
              place--;
            }
            values[place] = value;
          }
        }
        target[(y * width + x) * 4 + channel] = values[4]!;
      }
    }
  }
  return target;
}

/** The length of the slope of the brightness, rounded to nearest, at most 255, as grey. */
export function sobelReference(source: Picture): Uint8Array {
  const { width, height, data } = source;
  const target = new Uint8Array(data.length);
  const brightness = (x: number, y: number): number => {
    const i = (inside(y, height) * width + inside(x, width)) * 4;
    return Math.floor((77 * data[i]! + 150 * data[i + 1]! + 29 * data[i + 2]! + 128) / 256);
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const aboveLeft = brightness(x - 1, y - 1);
      const aboveRight = brightness(x + 1, y - 1);
      const belowLeft = brightness(x - 1, y + 1);
      const belowRight = brightness(x + 1, y + 1);
      const right =
        aboveRight - aboveLeft + 2 * (brightness(x + 1, y) - brightness(x - 1, y)) + belowRight - belowLeft;
      const down =
        belowLeft - aboveLeft + 2 * (brightness(x, y + 1) - brightness(x, y - 1)) + belowRight - aboveRight;
      const edge = Math.min(255, Math.round(Math.sqrt(right * right + down * down)));
      target.fill(edge, (y * width + x) * 4, (y * width + x) * 4 + 3);
      target[(y * width + x) * 4 + 3] = 255;
    }
  }
  return target;
}

/**
 * The weights of a square bell curve of 2 `radius` + 1 pixels a side: products of binomial coefficients,
 * which come as near to a Gaussian of variance `radius` / 2 as whole numbers can. They add up to one, and
 * each is a whole number divided by a power of two.
 */
export function bellWeights(radius: number): Float32Array {
  const side = 2 * radius + 1;
  const row = [1];
  for (let i = 1; i < side; i++) row.push((row[i - 1]! * (side - i)) / i);
  const total = 2 ** (side - 1);
  const weights = new Float32Array(side * side);
  for (let i = 0; i < weights.length; i++) {
    weights[i] = (row[Math.floor(i / side)]! * row[i % side]!) / (total * total);
  }
  return weights;
}

/** The nearest index that exists. */
function inside(index: number, length: number): number {
  return index < 0 ? 0 : index < length ? index : length - 1;
}
