// Fourier transforms (millrace/fft): how fine are the details of a picture? A picture is blurred, and what its spectrum has at high frequencies falls.
import { strict as assert } from 'node:assert';
import { fft } from 'millrace/fft';

const [height, width] = [128, 192];
// Stripes of several widths, and a little noise that is the same each time.
const picture = Float32Array.from({ length: height * width }, (_, at) => {
  const [x, y] = [at % width, Math.floor(at / width)];
  return Math.sin(x / 2) + Math.sin(y / 3) + Math.sin((x + y) / 9) + ((at * 7919) % 101) / 101;
});

/** Each pixel becomes the mean of 5 x 5, around the edges too. */
function blurred(pixels) {
  return pixels.map((_, at) => {
    let sum = 0;
    for (let dy = -2; dy <= 2; dy += 1)
      for (let dx = -2; dx <= 2; dx += 1) {
        const [x, y] = [(at + dx + width) % width, Math.floor(at / width) + dy + height];
        sum += pixels[(y % height) * width + x];
      }
    return sum / 25;
  });
}

const lib = await fft();
const plan = lib.plan([height, width], { kind: 'real' });

/** The part of a picture's energy, but for its mean, above a quarter of the sampling frequency. */
async function sharpness(pixels) {
  const spectrum = new Float32Array(plan.outputLength);
  await plan.forward(pixels.slice(), spectrum);
  const columns = width / 2 + 1;
  let [all, fine] = [0, 0];
  for (let at = 1; at < height * columns; at += 1) {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    const energy = spectrum[2 * at] ** 2 + spectrum[2 * at + 1] ** 2;
    // Columns between the first and the last stand for two each.
    const weight = x === 0 || x === columns - 1 ? 1 : 2;
    all += weight * energy;
    if (Math.hypot(x / width, Math.min(y, height - y) / height) > 0.25) fine += weight * energy;
  }
  // Parseval: the energy of a spectrum is that of the pixels, times their number.
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const direct = pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0) * pixels.length;
  assert(Math.abs(all - direct) < 1e-4 * direct, `${all} is not ${direct}`);
  return fine / all;
}

const [before, after] = [await sharpness(picture), await sharpness(blurred(picture))];
console.log(
  `fine details: ${(100 * before).toFixed(1)} % of the energy, blurred ${(100 * after).toFixed(2)} %`,
);
assert(after < before / 4);
lib.release();
