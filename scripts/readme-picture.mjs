// Makes docs/images/filters.png, the picture of the README: the photograph and what four kernels of the image-filters
// sample made of it, side by side, each with its name. The median's panel has its input, the photograph with wrong
// pixels, in its left half. Run it after `npm start`, which writes the results to out/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { decode, encode } from 'fast-png';
import jpeg from 'jpeg-js';

const panels = [
  { name: 'photograph', read: () => readJpeg('samples/photo/dandelions.jpg') },
  { name: 'mean', read: () => readPng('out/filter-mean.png') },
  { name: 'gaussian', read: () => readPng('out/filter-gaussian.png') },
  {
    name: 'speckles, median',
    read: () => leftOf(readPng('out/filter-speckled.png'), readPng('out/filter-median.png')),
  },
  { name: 'sobel', read: () => readPng('out/filter-sobel.png') },
];

// A panel is half of the nearest seed head, at half size: there the filters show.
const panel = { width: 232, height: 348 };
const crop = { left: 744, top: 112, width: 464, height: 696 };
const gap = 10;
const captionHeight = 34;
const width = panels.length * panel.width + (panels.length - 1) * gap;
const height = panel.height + captionHeight;

// Letters of 5 x 7 dots and an eighth row under the line, a row in a number, its highest bit on the left; only those that the names need.
const letters = {
  a: [0, 0, 14, 1, 15, 17, 15],
  b: [16, 16, 22, 25, 17, 17, 30],
  c: [0, 0, 14, 16, 16, 17, 14],
  d: [1, 1, 13, 19, 17, 17, 15],
  e: [0, 0, 14, 17, 31, 16, 14],
  g: [0, 0, 15, 17, 17, 15, 1, 14],
  h: [16, 16, 22, 25, 17, 17, 17],
  i: [4, 0, 12, 4, 4, 4, 14],
  k: [16, 16, 18, 20, 24, 20, 18],
  l: [12, 4, 4, 4, 4, 4, 14],
  m: [0, 0, 26, 21, 21, 17, 17],
  n: [0, 0, 22, 25, 17, 17, 17],
  o: [0, 0, 14, 17, 17, 17, 14],
  p: [0, 0, 30, 17, 17, 30, 16, 16],
  r: [0, 0, 22, 25, 16, 16, 16],
  s: [0, 0, 14, 16, 14, 1, 30],
  t: [8, 8, 28, 8, 8, 9, 6],
  u: [0, 0, 17, 17, 17, 19, 13],
  ',': [0, 0, 0, 0, 0, 4, 4, 8],
  ' ': [],
};

const data = new Uint8Array(width * height * 3).fill(255);
panels.forEach(({ name, read }, index) => {
  const left = index * (panel.width + gap);
  drawPanel(read(), left);
  drawText(name, left + (panel.width - name.length * 12) / 2, panel.height + 12);
});
mkdirSync('docs/images', { recursive: true });
const file = encode(
  { width, height, data: fewerColours(data), channels: 3, depth: 8 },
  { zlib: { level: 9 } },
);
writeFileSync('docs/images/filters.png', file);
console.log(`docs/images/filters.png: ${width} x ${height}, ${Math.round(file.length / 1024)} KiB`);

/** The cropped picture, each pixel the mean of those that it stands for. */
function drawPanel(picture, left) {
  const step = crop.width / panel.width;
  for (let y = 0; y < panel.height; y++) {
    for (let x = 0; x < panel.width; x++) {
      const sums = [0, 0, 0];
      let count = 0;
      const [bottom, right] = [(y + 1) * step, (x + 1) * step].map(Math.floor);
      for (let row = Math.floor(y * step); row < bottom; row++) {
        for (let column = Math.floor(x * step); column < right; column++) {
          const at = ((crop.top + row) * picture.width + crop.left + column) * picture.channels;
          for (let channel = 0; channel < 3; channel++) sums[channel] += picture.data[at + channel];
          count += 1;
        }
      }
      for (let channel = 0; channel < 3; channel++) {
        data[(y * width + left + x) * 3 + channel] = sums[channel] / count;
      }
    }
  }
}

/** Text in dots of two pixels. */
function drawText(text, left, top) {
  [...text].forEach((letter, index) => {
    letters[letter].forEach((row, y) => {
      for (let x = 0; x < 5; x++) {
        if (((row >> (4 - x)) & 1) === 0) continue;
        for (const [dx, dy] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ]) {
          const at = (top + y * 2 + dy) * width + Math.round(left) + index * 12 + x * 2 + dx;
          data.fill(70, at * 3, at * 3 + 3);
        }
      }
    });
  });
}

/** Channels in steps of eight: hardly anybody sees it, and the file is a good deal smaller. */
function fewerColours(bytes) {
  return bytes.map((value) => (value > 247 ? 255 : value & 0xf8));
}

/** The left half of the crop from one picture, the right half from another. */
function leftOf(left, right) {
  const data = right.data.slice();
  for (let y = crop.top; y < crop.top + crop.height; y++) {
    const start = (y * right.width + crop.left) * right.channels;
    const end = start + (crop.width / 2) * right.channels;
    data.set(left.data.subarray(start, end), start);
  }
  return { ...right, data };
}

function readPng(path) {
  const { width, height, channels, data } = decode(readFileSync(path));
  return { width, height, channels, data };
}

function readJpeg(path) {
  const { width, height, data } = jpeg.decode(readFileSync(path), { useTArray: true });
  return { width, height, channels: 4, data };
}
