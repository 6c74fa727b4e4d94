/** What hosts and devices that draw on canvases say to each other. */
import type { DeviceKernel } from './device.ts';

/** A canvas that a device draws on. */
export interface DeviceScreen {
  /** Its launch draws. Arguments: the memory of the pixels, and the words of {@link screenWords} as a value. */
  readonly kernel: DeviceKernel;
  /** No more will be drawn. */
  release(): void;
}

/** What a screen is told of a picture. */
export const screenWords = { width: 0, height: 1, pixels: 2, count: 3 } as const;

/** How the pixels of a picture lie in memory, row by row without gaps; alpha is ignored. Their numbers are those of {@link screenWords}. */
export const pixelKinds = ['rgba8', 'bgra8', 'grey8', 'rgba32f', 'grey32f'] as const;
export type PixelKind = (typeof pixelKinds)[number];
