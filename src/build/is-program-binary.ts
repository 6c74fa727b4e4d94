/** How program binaries begin: see program-binary.ts. */

/** As in PNG: a byte that is no text, a name, and line ends that careless transfers would change. */
export const magic: readonly number[] = [0x89, 0x4d, 0x4c, 0x52, 0x0d, 0x0a, 0x1a, 0x0a];

/** Whether the bytes begin as our binaries do. */
export function isProgramBinary(bytes: Uint8Array): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** Whether a binary is that of an executable, which needs no linking. */
export function isExecutableBinary(bytes: Uint8Array): boolean {
  return bytes[magic.length + 1] === 2;
}
