/** Hetero-Mark's AES: a block of 16 bytes for each work-item, in an array of its own, with a table of bytes in global memory. */
import { createCipheriv } from 'node:crypto';
import { type BenchKernel, count, wholes } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

/** Doubles a polynomial over two elements, modulo that of AES (FIPS 197, 4.2.1). */
const doubled = (value: number): number => (value << 1) ^ (value & 0x80 ? 0x11b : 0);

/** The inverse of each byte as a polynomial, and the affine map behind it (FIPS 197, 5.1.1). */
function substitutions(): Uint8Array {
  const powers = [1];
  // 3 generates all: each power is the double of the last one, plus the last one.
  while (powers.length < 255) powers.push(doubled(powers.at(-1)!) ^ powers.at(-1)!);
  const table = new Uint8Array(256).fill(0x63);
  powers.forEach((power, exponent) => {
    const inverse = powers[(255 - exponent) % 255]!;
    let sum = 0x63;
    for (let turn = 0; turn < 5; turn += 1) sum ^= (inverse << turn) | (inverse >> (8 - turn));
    table[power] = sum;
  });
  return table;
}

/** The words of all 15 round keys of a key of 256 bits (FIPS 197, 5.2). */
function expandedKey(key: Uint8Array, table: Uint8Array): Uint32Array {
  const substituted = (word: number): number =>
    [24, 16, 8, 0].reduce((sum, shift) => sum | (table[(word >>> shift) & 255]! << shift), 0);
  const words = new Uint32Array(60);
  const bytes = new DataView(key.buffer, key.byteOffset, key.byteLength);
  let constant = 1;
  for (let at = 0; at < 60; at += 1) {
    if (at < 8) {
      words[at] = bytes.getUint32(4 * at);
      continue;
    }
    let last = words[at - 1]!;
    if (at % 8 === 0) {
      last = substituted((last << 8) | (last >>> 24)) ^ (constant << 24);
      constant = doubled(constant);
    } else if (at % 8 === 4) last = substituted(last);
    words[at] = words[at - 8]! ^ last;
  }
  return words;
}

export function encryption(read: ReadSource): BenchKernel {
  return {
    name: 'Hetero-Mark AES-256',
    source: read('aes/cl12/kernels.cl'),
    prepare(size) {
      const blocks = size === 'full' ? 2 ** 17 : 2 ** 12;
      const text = Uint8Array.from(wholes(16 * blocks, 101, 256));
      const key = Uint8Array.from(wholes(32, 102, 256));
      const table = substitutions();
      return {
        size: `${count(blocks)} blocks`,
        buffers: { text, key: expandedKey(key, table), table },
        restored: ['text'],
        launches: [{ kernel: 'Encrypt', global: [blocks], local: [64], arguments: ['text', 'key', 'table'] }],
        work: { unit: 'M/s', amount: 16 * blocks },
        check(result) {
          // No chaining and no padding: each block by itself, as the kernel does it.
          const expected = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(text);
          return near(result('text', Uint8Array), (index) => expected[index]!);
        },
      };
    },
  };
}
