/** Which of many words has a given MD5 digest (RFC 1321): 64 steps on 32-bit integers for each work-item. */
import { createHash } from 'node:crypto';
import { type BenchKernel, count, uint } from '../frame/bench-kernel.ts';

/** The additive constants, as RFC 1321 defines them. */
const sines = Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));
const shifts = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];

/** The steps written out, which word and constant each takes included. */
function steps(): string {
  const lines: string[] = [];
  for (let step = 0; step < 64; step += 1) {
    const round = step >> 4;
    const mixed = ['(b & c) | (~b & d)', '(b & d) | (c & ~d)', 'b ^ c ^ d', 'c ^ (b | ~d)'][round]!;
    const word = [step, 5 * step + 1, 3 * step + 5, 7 * step][round]! % 16;
    const values = `a + (${mixed}) + words[${word}] + ${sines[step]}u`;
    lines.push(`next = b + rotate(${values}, ${shifts[round]![step & 3]}u); a = d; d = c; c = b; b = next;`);
  }
  return lines.join('\n  ');
}

/** The eight characters that a number is written with: its hexadecimal digits from the lowest, as letters a to p. */
function wordOf(number: number): string {
  return Array.from({ length: 8 }, (_, digit) =>
    String.fromCharCode(97 + ((number >>> (4 * digit)) & 15)),
  ).join('');
}

export const md5Search: BenchKernel = {
  name: 'MD5 search',
  source: `
kernel void search(uint4 wanted, global uint *found) {
  uint number = get_global_id(0);
  uint words[16];
  for (int k = 0; k < 16; k++) words[k] = 0;
  for (int k = 0; k < 4; k++) {
    words[0] |= (97u + ((number >> (4 * k)) & 15u)) << (8 * k);
    words[1] |= (97u + ((number >> (4 * k + 16)) & 15u)) << (8 * k);
  }
  words[2] = 0x80u;
  words[14] = 64u;
  uint a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u, next;
  ${steps()}
  a += 0x67452301u;
  b += 0xefcdab89u;
  c += 0x98badcfeu;
  d += 0x10325476u;
  if (a == wanted.x && b == wanted.y && c == wanted.z && d == wanted.w) *found = number;
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 22 : 2 ** 18;
    const secret = n - 12345;
    const digest = createHash('md5').update(wordOf(secret)).digest();
    const wanted = Uint32Array.from({ length: 4 }, (_, index) => digest.readUInt32LE(4 * index));
    return {
      size: `${count(n)} words`,
      buffers: { found: uint(0xffffffff) },
      restored: ['found'],
      launches: [{ kernel: 'search', global: [n], local: [256], arguments: [wanted, 'found'] }],
      work: { unit: 'M/s', amount: n },
      check(result) {
        const [found] = result('found', Uint32Array);
        return found === secret ? undefined : `it found word ${found}, not ${secret}`;
      },
    };
  },
};
