// The page's script. `index.html?time=SECONDS` shows one frame and stops; otherwise the surface moves.
import { createWaves } from './vertex-waves.ts';

const canvas = document.querySelector('canvas')!;
const note = document.querySelector('p')!;
const source = await (await fetch(new URL('vertex-waves.cl', document.baseURI))).text();
const waves = createWaves(canvas, source, 128, 128);
Object.assign(globalThis, { waves });

const fixed = new URLSearchParams(location.search).get('time');
if (fixed !== null) {
  await waves.frame(Number(fixed));
  note.textContent = `128 x 128 vertices at ${fixed} s`;
  document.body.dataset['drawn'] = fixed;
} else {
  let frames = 0;
  let since = performance.now();
  for (;;) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    await waves.frame(now / 1000);
    frames += 1;
    if (now - since > 1000) {
      note.textContent = `128 x 128 vertices, ${Math.round((frames * 1000) / (now - since))} frames a second`;
      [frames, since] = [0, now];
    }
  }
}
