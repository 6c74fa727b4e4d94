/**
 * The page's side of frames that go on: one canvas, whose drawing the worker does, and what the page tells it: edits, sliders, where the
 * pointer is, and what the camera sees.
 */
import { effect, signal, untracked } from '@preact/signals';
import { canMove, type Document } from '../document.ts';
import type { ResultBuffer } from '../run/outcome.ts';
import { startFrames } from '../run/start.ts';
import { document as current, isRunning, opened } from '../state.ts';
import { watchCamera } from './camera.ts';
import type { FrameReport, FromFrames, ToFrames } from './messages.ts';

export interface Player {
  readonly canvas: HTMLCanvasElement;
  readonly isPlaying: boolean;
  readonly report: FrameReport | undefined;
  readonly results: readonly ResultBuffer[];
  readonly problem: string;
  readonly camera: 'off' | 'on' | 'refused';
}

/** Undefined while nothing moves. */
export const player = signal<Player | undefined>(undefined);

let end: (() => void) | undefined;
let port: MessagePort | undefined;
let endCamera: (() => void) | undefined;

/** Milliseconds without a change of the source before it is built again. */
const pause = 250;

const tell = (message: ToFrames, transfer: Transferable[] = []) => port?.postMessage(message, transfer);
const change = (part: Partial<Player>) => {
  if (player.value) player.value = { ...player.value, ...part };
};

export function play(): void {
  if (!canMove(current.value)) return;
  endFrames();
  const canvas = newCanvas();
  const channel = new MessageChannel();
  port = channel.port1;
  channel.port1.onmessage = ({ data }: MessageEvent<FromFrames>) => {
    if ('report' in data) change({ report: data.report });
    else if ('canvas' in data) replaceCanvas();
    else if ('results' in data) change({ results: data.results });
    else change({ problem: data.problem });
  };
  const offscreen = canvas.transferControlToOffscreen();
  const endWorker = startFrames(current.value, offscreen, channel.port2, (problem) => change({ problem }));
  player.value = { canvas, isPlaying: true, report: undefined, results: [], problem: '', camera: 'off' };
  const endWatch = watchEdits(current.value);
  end = () => {
    endWatch();
    endWorker();
    channel.port1.close();
  };
}

function newCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'What the frames draw');
  followPointer(canvas);
  return canvas;
}

/** Who draws on a canvas keeps it. */
function replaceCanvas(): void {
  const canvas = newCanvas();
  const offscreen = canvas.transferControlToOffscreen();
  change({ canvas });
  tell({ canvas: offscreen }, [offscreen]);
}

export function endFrames(): void {
  end?.();
  end = undefined;
  port = undefined;
  endCamera?.();
  endCamera = undefined;
  player.value = undefined;
}

export function pauseOrGoOn(): void {
  const isPlaying = !player.value!.isPlaying;
  change({ isPlaying });
  tell({ isPlaying });
}

export function restart(): void {
  change({ isPlaying: true });
  tell({ isPlaying: true });
  tell({ restart: true });
}

/** Asks the person, by the browser's question; without a camera, or without leave, the drawn scene stays. */
export async function useCamera(): Promise<void> {
  const size = player.value?.report?.camera;
  if (!size) return;
  endCamera?.();
  const of = port;
  try {
    const stop = await watchCamera(size, (bitmap) => tell({ camera: bitmap }, [bitmap]));
    // Another document was opened meanwhile.
    if (of !== port) return stop();
    endCamera = stop;
    change({ camera: 'on' });
  } catch {
    if (of === port) change({ camera: 'refused' });
  }
}

/** Numbers at once, a source when nobody types. */
function watchEdits(first: Document): () => void {
  let told = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    const next = current.value;
    if (next === told) return;
    clearTimeout(timer);
    const send = () => {
      told = next;
      tell({ document: next });
    };
    if (next.source === told.source && next.options === told.options) send();
    else timer = setTimeout(send, pause);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function followPointer(canvas: HTMLCanvasElement): void {
  const follow = (event: PointerEvent) => {
    const size = player.value?.report?.size;
    if (!size) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const x = ((event.clientX - left) * size.width) / width;
    const y = ((event.clientY - top) * size.height) / height;
    tell({ mouse: { x, y, pressed: (event.buttons & 1) === 1 } });
  };
  canvas.addEventListener('pointermove', follow);
  canvas.addEventListener('pointerup', follow);
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    follow(event);
  });
}

/** Whether a document that moves may do so unasked. */
const isStillWanted = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Frames end with their document and with a run; documents that move begin when they are opened. */
export function watchOpened(): () => void {
  const stops = [
    effect(() => {
      void opened.value;
      const { live } = current.peek();
      // A change of the document is no other document.
      untracked(() => {
        endFrames();
        if (live && !isStillWanted()) play();
      });
    }),
    effect(() => {
      if (isRunning.value) untracked(endFrames);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
