/** The CRC-32 of zip and PNG files: it finds damage by accident, not by intent. */

let table: Uint32Array | undefined;

export function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  let sum = 0xffffffff;
  for (let index = 0; index < bytes.length; index += 1) {
    sum = (sum >>> 8) ^ table[(sum ^ bytes[index]!) & 0xff]!;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
