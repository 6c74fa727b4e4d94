/** What a kernel sees where there is no camera: a scene that moves, computed so that it is the same everywhere. */
import type { Picture } from '../../../src/cli/arguments/picture.ts';

/** A ball and a square that move over stripes, with sharp edges and soft ones, in whole numbers of 0 to 255. */
export function drawnPicture(width: number, height: number, time: number): Picture {
  const data = new Uint8Array(width * height * 4);
  const [ballX, ballY] = [
    width * (0.5 + 0.3 * Math.sin(0.9 * time)),
    height * (0.5 + 0.25 * Math.cos(1.3 * time)),
  ];
  const radius = 0.22 * Math.min(width, height);
  const [squareX, squareY] = [width * (0.3 + 0.2 * Math.cos(0.7 * time)), height * 0.65];
  const side = 0.16 * Math.min(width, height);
  const stripe = Math.max(4, Math.round(width / 16));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      const isLight = (Math.floor((x + y) / stripe) & 1) === 0;
      let red = isLight ? 70 + Math.floor((90 * y) / height) : 40;
      let green = isLight ? 110 : 70 + Math.floor((60 * x) / width);
      let blue = isLight ? 150 : 100;
      if (Math.abs(x - squareX) < side && Math.abs(y - squareY) < side) [red, green, blue] = [60, 170, 90];
      const distance = Math.hypot(x - ballX, y - ballY) / radius;
      if (distance < 1) {
        const light = 1 - 0.75 * distance * distance;
        [red, green, blue] = [Math.floor(245 * light), Math.floor(150 * light), Math.floor(60 * light)];
      }
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
      data[at + 3] = 255;
    }
  }
  return { width, height, data };
}
