/** What the page and the worker that draws frames say to each other, through a port of their own. */
import type { Document } from '../document.ts';
import type { ResultBuffer } from '../run/outcome.ts';

export type ToFrames =
  /** An edit, or another number of a slider. */
  | { readonly document: Document }
  | { readonly mouse: { readonly x: number; readonly y: number; readonly pressed: boolean } }
  | { readonly camera: ImageBitmap }
  | { readonly isPlaying: boolean }
  /** The one that was asked for. */
  | { readonly canvas: OffscreenCanvas }
  /** Begins anew, with buffers as the form has them. */
  | { readonly restart: true };

export interface FrameReport {
  readonly frame: number;
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** Of the last half second; undefined while nothing moves. */
  readonly framesPerSecond: number | undefined;
  /** Of the kernels of a frame. */
  readonly milliseconds: number;
  /** What it asks of a camera. */
  readonly camera: { readonly width: number; readonly height: number } | undefined;
  readonly moves: boolean;
  /** Pictures go from the device to the screen, and are not read back. */
  readonly isDirect: boolean;
}

export type FromFrames =
  | { readonly report: FrameReport }
  /** Another canvas is to take the place of the one that there is. */
  | { readonly canvas: 'wanted' }
  /** What cannot be shown as a picture. */
  | { readonly results: readonly ResultBuffer[] }
  /** Of the newest edit; empty: it is built. */
  | { readonly problem: string };
