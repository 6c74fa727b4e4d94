/** The worker's side of frames that go on: compiles, runs and draws one after another until the page ends the worker. */
import type { Picture } from '../../../src/cli/arguments/picture.ts';
import type { Document } from '../document.ts';
import { failureOf } from '../run/failure.ts';
import { resultOf } from '../run/result-of.ts';
import { Frames } from './frames.ts';
import type { FrameReport, FromFrames, ToFrames } from './messages.ts';
import { FrameScreen } from './screen.ts';

/** Milliseconds between two reports. */
const reportPause = 500;
/** Milliseconds between two tables or plots. */
const resultsPause = 100;

export async function animate(first: Document, canvas: OffscreenCanvas, port: MessagePort): Promise<void> {
  const tell = (message: FromFrames) => port.postMessage(message);
  const screen = new FrameScreen(canvas, () => tell({ canvas: 'wanted' }));
  let frames: Frames | undefined;
  let wanted: Document | undefined = first;
  let mouse = { x: -1, y: -1, pressed: false };
  let camera: Picture | undefined;
  let current = first;
  /** What the buffers hold is not to go on. */
  let isAnew = false;
  let isPlaying = true;
  let isChanged = true;
  let wake: (() => void) | undefined;
  let frame = 0;
  let time = 0;
  let lastTick: number | undefined;

  port.onmessage = ({ data }: MessageEvent<ToFrames>) => {
    if ('document' in data) wanted = data.document;
    else if ('mouse' in data) {
      mouse = data.mouse;
      if (frames?.usesMouse) isChanged = true;
    } else if ('canvas' in data) screen.take(data.canvas);
    else if ('camera' in data) camera = pictureOf(data.camera);
    else if ('isPlaying' in data) isPlaying = data.isPlaying;
    else {
      wanted ??= current;
      isAnew = true;
    }
    wake?.();
  };

  const build = async (document: Document): Promise<void> => {
    current = document;
    if (isAnew) {
      isAnew = false;
      frame = 0;
      time = 0;
      frames?.release();
      frames = undefined;
    }
    if (!frames?.changeArguments(document)) {
      const before = frames;
      frames = await Frames.create(document, before ? { before } : {});
      before?.release();
    }
    isChanged = true;
  };

  let counted = 0;
  let countedSince = performance.now();
  let nanoseconds = 0;
  let resultsAt = 0;
  let failed: Document | undefined;
  const report = (rate: number | undefined) => {
    const drawn = frames!.drawn();
    const said: FrameReport = {
      frame,
      size: drawn && { width: drawn.width, height: drawn.height },
      framesPerSecond: rate,
      milliseconds: nanoseconds / 1e6,
      camera: frames!.camera,
      isDirect: screen.isDirect,
      moves: frames!.moves,
    };
    tell({ report: said });
  };

  for (;;) {
    try {
      if (wanted) {
        const document = wanted;
        wanted = undefined;
        await build(document);
        failed = undefined;
        tell({ problem: '' });
        report(undefined);
      }
      const moving = frames !== undefined && isPlaying && frames.moves && !failed;
      if (!frames || failed || (!moving && !isChanged)) {
        lastTick = undefined;
        counted = 0;
        if (!wanted)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        wake = undefined;
        countedSince = performance.now();
        continue;
      }
      const now = performance.now();
      if (moving && lastTick !== undefined) time += Math.min(0.25, (now - lastTick) / 1000);
      lastTick = moving ? now : undefined;
      isChanged = false;
      const running: Frames = frames;
      nanoseconds = await running.run({ time, frame, mouse }, camera);
      const drawn = running.drawn();
      if (drawn) await screen.show(drawn, running.program);
      else if (now - resultsAt > resultsPause || !moving) {
        resultsAt = now;
        const { bound, global } = await running.results();
        tell({ results: bound.flatMap((argument) => resultOf(argument, global)) });
      }
      if (moving) frame += 1;
      counted += 1;
      const elapsed = performance.now() - countedSince;
      if (elapsed >= reportPause || !moving) {
        report(moving ? (counted * 1000) / elapsed : undefined);
        counted = 0;
        countedSince = performance.now();
      }
      await nextFrame();
    } catch (error) {
      failed = current;
      const { message, log } = failureOf(error);
      tell({ problem: log ?? message });
      // Of an edit that does not compile the frames before go on.
      if (log) failed = undefined;
    }
  }
}

/** When the page is drawn again; in workers of browsers that do not say so, soon. */
function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestAnimationFrame' in globalThis) requestAnimationFrame(resolve);
    else setTimeout(resolve, 15);
  });
}

let reader: OffscreenCanvasRenderingContext2D | undefined;

function pictureOf(bitmap: ImageBitmap): Picture {
  const { width, height } = bitmap;
  if (reader?.canvas.width !== width || reader.canvas.height !== height)
    reader = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  reader.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, data: new Uint8Array(reader.getImageData(0, 0, width, height).data.buffer) };
}
