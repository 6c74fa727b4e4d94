/**
 * The sample whose kernel writes the vertices that WebGL draws, on a canvas of the worker: for some seconds it moves, and where it
 * has come to in the end is compared with the reference.
 */
import { waveReference } from '../../../samples/vertex-waves/reference.ts';
import { createWaves } from '../../../samples/vertex-waves/vertex-waves.ts';
import { failureOf } from './failure.ts';
import type { RunOutcome, StudyOutcome } from './outcome.ts';

const [width, height] = [640, 480];
const size = 128;
/** Seconds that it moves. */
const duration = 2.5;
/** Milliseconds between two frames. */
const pause = 33;
/** Of coordinates, which are up to 1: sines in single precision, and square roots. */
const mostError = 2e-6;

/** Never throws. `show` gets each frame. */
export async function runVertexWaves(
  source: string,
  show: (outcome: StudyOutcome) => void,
): Promise<RunOutcome> {
  try {
    const canvas = new OffscreenCanvas(width, height);
    const waves = createWaves(canvas, source, size, size);
    const gl = canvas.getContext('webgl2')!;
    const began = performance.now();
    let frames = 0;
    for (let time = 0; time < duration; time = (performance.now() - began) / 1000) {
      await waves.frame(time);
      frames += 1;
      show(outcomeOf([], [], pictureIn(gl)));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    const started = performance.now();
    await waves.frame(duration);
    const milliseconds = performance.now() - started;
    const vertices = waves.vertices();
    const before = performance.now();
    const expected = waveReference(size, size, duration);
    const cpuMilliseconds = performance.now() - before;
    const ok = vertices.every((value, at) => Math.abs(value - expected[at]!) <= mostError);
    const detail = `${size} x ${size} vertices, at most ${mostError} from the reference`;
    const run = { kernel: 'wave_vertices', milliseconds, cpuMilliseconds, check: { ok, detail } };
    const rate = `${Math.round((frames * 1000) / (started - began))} frames a second, each read back for this page`;
    return outcomeOf([run], [rate], pictureIn(gl));
  } catch (error) {
    return { kind: 'failed', ...failureOf(error) };
  }
}

function outcomeOf(
  runs: StudyOutcome['runs'],
  findings: readonly string[],
  data: Uint8Array<ArrayBuffer>,
): StudyOutcome {
  const pictures = [{ name: 'waves', picture: { width, height, data } }];
  return { kind: 'study', runs, findings, pictures, drawings: [] };
}

/** What is drawn, rows from the top; OpenGL has them from the bottom. */
function pictureIn(gl: WebGL2RenderingContext): Uint8Array<ArrayBuffer> {
  const fromBottom = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, fromBottom);
  const data = new Uint8Array(fromBottom.length);
  for (let row = 0; row < height; row++) {
    const from = (height - 1 - row) * width * 4;
    data.set(fromBottom.subarray(from, from + width * 4), row * width * 4);
  }
  return data;
}
