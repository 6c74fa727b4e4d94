/**
 * The functions of float that compute in float alone (src/library/single), in a module of their own: for machines whose doubles are slow.
 * Their devices bring them.
 */
import { Part } from '../parts/part.ts';
import { bytesOfText } from './text-bytes.ts';

export interface SinglesText {
  readonly head: string;
  readonly bodies: string;
}

const part: Part<SinglesText> = /* @__PURE__ */ new Part(
  'the library for single precision',
  async () => (await import('./embedded/singles.ts')).embedded,
);

let bodies: readonly string[] | undefined;

/** Has them there from the start. */
export function provideSingles(text: SinglesText): void {
  part.provide(text);
}

/** The module without the bodies of its functions. */
export function singlesHead(): Uint8Array {
  return bytesOfText(part.get().head);
}

/** The body of a function, by its place in that module. */
export function singlesBody(index: number): Uint8Array {
  bodies ??= part.get().bodies.split(' ');
  return bytesOfText(bodies[index]!);
}
