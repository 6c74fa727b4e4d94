/**
 * The library of built-in functions and kernels as programs get it: in IR, as bytes. They are written in OpenCL C beside
 * this file; scripts/embed-library.mjs compiles that when Millrace is built. Linking the functions to a program is
 * the business of src/opencl/link-library.ts.
 *
 * The texts that hold the bytes are parts of their own (contents.ts says which function is in which): whoever asks for what has
 * not been loaded is told by a PartMissing. whole.ts and wide.ts provide them.
 */
import { Part } from '../parts/part.ts';
import { type LibraryPart, libraryParts } from './contents.ts';
import { bytesOfText } from './text-bytes.ts';

export { builtInKernelNames, libraryPrefix } from './contents.ts';

type AddressBits = 32 | 64;

/** What src/library/embedded/ holds, for addresses of 32 bits but for `wide`. Bodies stand with a space between, one for each function. */
export interface LibraryTexts {
  readonly basic: {
    readonly head: string;
    /** For each function the number of the part that has its body, in {@link libraryParts}. */
    readonly places: string;
    readonly bodies: string;
  };
  readonly double: { readonly bodies: string };
  readonly images: { readonly bodies: string };
  readonly rare: { readonly bodies: string };
  readonly checks: { readonly bodies: string };
  readonly kernels: { readonly kernels: string };
  /** For addresses of 64 bits; a body is empty if it is the same for both. */
  readonly wide: { readonly head: string; readonly bodies: string; readonly kernels: string };
}

type Parts = { readonly [Name in keyof LibraryTexts]: Part<LibraryTexts[Name]> };

const parts: Parts = {
  basic: /* @__PURE__ */ new Part('the library', async () => (await import('./embedded/basic.ts')).embedded),
  double: /* @__PURE__ */ new Part(
    'the library for double',
    async () => (await import('./embedded/double.ts')).embedded,
  ),
  images: /* @__PURE__ */ new Part(
    'the library for images',
    async () => (await import('./embedded/images.ts')).embedded,
  ),
  rare: /* @__PURE__ */ new Part(
    'the library for pipes',
    async () => (await import('./embedded/rare.ts')).embedded,
  ),
  checks: /* @__PURE__ */ new Part(
    'the library for checks',
    async () => (await import('./embedded/checks.ts')).embedded,
  ),
  kernels: /* @__PURE__ */ new Part(
    'the built-in kernels',
    async () => (await import('./embedded/kernels.ts')).embedded,
  ),
  wide: /* @__PURE__ */ new Part(
    'the library for 64 bits',
    async () => (await import('./embedded/wide.ts')).embedded,
  ),
};

/** Has parts there from the start. */
export function provideLibrary(texts: Partial<LibraryTexts>): void {
  const { basic, double, images, rare, checks, kernels, wide } = texts;
  if (basic) parts.basic.provide(basic);
  if (double) parts.double.provide(double);
  if (images) parts.images.provide(images);
  if (rare) parts.rare.provide(rare);
  if (checks) parts.checks.provide(checks);
  if (kernels) parts.kernels.provide(kernels);
  if (wide) parts.wide.provide(wide);
}

/** A module with all functions of the library but their bodies: what src/ir/binary calls its head. */
export function libraryHead(addressBits: AddressBits): Uint8Array {
  return bytesOfText((addressBits === 32 ? parts.basic : parts.wide).get().head);
}

/** The body of a function, by its place in that module. */
export function libraryBody(addressBits: AddressBits, index: number): Uint8Array {
  // Most functions know nothing of addresses, and stand there once.
  const own = addressBits === 64 ? bodiesOf('wide')[index] : undefined;
  return bytesOfText(own || bodiesOf(libraryParts[Number(parts.basic.get().places[index])]!)[index]!);
}

const bodies = new Map<LibraryPart | 'wide', readonly string[]>();

function bodiesOf(part: LibraryPart | 'wide'): readonly string[] {
  let list = bodies.get(part);
  if (!list) {
    list = parts[part].get().bodies.split(' ');
    bodies.set(part, list);
  }
  return list;
}

/** A module with the built-in kernels. */
export function builtInKernelCode(addressBits: AddressBits): Uint8Array {
  return bytesOfText((addressBits === 32 ? parts.kernels : parts.wide).get().kernels);
}
