/**
 * Where frames are drawn: a canvas that the page has given to the worker. A canvas belongs to who draws on it, so that a document that
 * runs elsewhere from now on needs another one.
 */
import { DeviceImage, openScreen, type PixelKind, type Program, type Screen } from 'millrace';
import { pixelForm } from '../../../src/cli/arguments/pixels.ts';
import type { Drawn } from './frames.ts';

const pixelKinds: Readonly<Record<NonNullable<ReturnType<typeof pixelForm>>, PixelKind>> = {
  bytes: 'rgba8',
  word: 'rgba8',
  'grey-bytes': 'grey8',
  unit: 'rgba32f',
  'grey-unit': 'grey32f',
};

export class FrameScreen {
  /** The canvas that nobody draws on yet. */
  #canvas: OffscreenCanvas | undefined;
  readonly #ask: () => void;
  #given: ((canvas: OffscreenCanvas) => void) | undefined;
  #screen: Screen | undefined;

  /** @param ask asks the page for another canvas in the place of this one, which comes by {@link take} */
  constructor(canvas: OffscreenCanvas, ask: () => void) {
    this.#canvas = canvas;
    this.#ask = ask;
  }

  take(canvas: OffscreenCanvas): void {
    this.#given?.(canvas);
  }

  async show({ memory, elements, width, height }: Drawn, program: Program): Promise<void> {
    if (!this.#screen?.fits(program)) {
      this.#screen?.release();
      this.#screen = undefined;
      const canvas = this.#canvas ?? (await this.#another());
      this.#canvas = undefined;
      this.#screen = await openScreen(program, canvas);
    }
    const pixels = pixelKinds[pixelForm(elements.shape)!];
    if (memory instanceof DeviceImage) await this.#screen.show(memory);
    else await this.#screen.show(memory, { width, height, pixels });
  }

  #another(): Promise<OffscreenCanvas> {
    return new Promise((resolve) => {
      this.#given = resolve;
      this.#ask();
    });
  }

  /** The device draws what it has, without reading it back. */
  get isDirect(): boolean {
    return this.#screen?.isDirect ?? false;
  }
}
