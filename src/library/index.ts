/**
 * The library of built-in functions and kernels as programs get it: in IR, as bytes. They are written in OpenCL C beside
 * this file; scripts/embed-library.mjs compiles that when Millrace is built. Linking the functions to a program is
 * the business of src/opencl/link-library.ts.
 */
import { embedded } from './embedded.ts';
import { bytesOfText } from './text-bytes.ts';

export { builtInKernelNames, libraryPrefix } from './contents.ts';

type AddressBits = 32 | 64;

/** A module with all functions of the library but their bodies: what src/ir/binary calls its head. */
export function libraryHead(addressBits: AddressBits): Uint8Array {
  return bytesOfText(embedded[addressBits].head);
}

const bodies = new Map<AddressBits, readonly string[]>();

/** The body of a function, by its place in that module. */
export function libraryBody(addressBits: AddressBits, index: number): Uint8Array {
  // Most functions know nothing of addresses, and stand there once.
  return bytesOfText(bodiesFor(addressBits)[index] || bodiesFor(32)[index]!);
}

function bodiesFor(addressBits: AddressBits): readonly string[] {
  let list = bodies.get(addressBits);
  if (!list) {
    list = embedded[addressBits].bodies.split(' ');
    bodies.set(addressBits, list);
  }
  return list;
}

/** A module with the built-in kernels. */
export function builtInKernelCode(addressBits: AddressBits): Uint8Array {
  return bytesOfText(embedded[addressBits].kernels);
}
