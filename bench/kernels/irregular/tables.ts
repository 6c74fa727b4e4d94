/** Look-ups in small tables: a cipher's rounds (AES), checksums (CRC-32), substituted bytes, and histograms of few bins. */
import { type BenchKernel, count, uint, wholes } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';

/** The substitution box of AES, from inverses in the field of 256 elements. */
function substitutionBox(): Uint8Array {
  const box = new Uint8Array(256);
  const rotate = (byte: number, by: number): number => ((byte << by) | (byte >> (8 - by))) & 255;
  let [p, q] = [1, 1];
  do {
    p = (p ^ (p << 1) ^ (p & 128 ? 0x11b : 0)) & 255;
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 255;
    if (q & 128) q ^= 9;
    box[p] = q ^ rotate(q, 1) ^ rotate(q, 2) ^ rotate(q, 3) ^ rotate(q, 4) ^ 0x63;
  } while (p !== 1);
  box[0] = 0x63;
  return box;
}

const double = (byte: number): number => ((byte << 1) ^ (byte & 128 ? 0x11b : 0)) & 255;

const aes: BenchKernel = {
  name: 'AES rounds by table',
  source: `
#define ROUND(a, b, c, d, key) \\
  (table[(a) & 255] ^ rotate(table[((b) >> 8) & 255], 8u) ^ rotate(table[((c) >> 16) & 255], 16u) ^ \\
   rotate(table[(d) >> 24], 24u) ^ (key))

kernel void encrypt(constant uint *table, constant uint *keys, global const uint4 *plain, global uint4 *cipher) {
  size_t i = get_global_id(0);
  uint4 state = plain[i] ^ vload4(0, keys);
  for (int round = 1; round < 10; round++) {
    uint4 key = vload4(round, keys);
    state = (uint4)(ROUND(state.x, state.y, state.z, state.w, key.x), ROUND(state.y, state.z, state.w, state.x, key.y),
                    ROUND(state.z, state.w, state.x, state.y, key.z), ROUND(state.w, state.x, state.y, state.z, key.w));
  }
  cipher[i] = state;
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 18 : 2 ** 13;
    const box = substitutionBox();
    const table = Uint32Array.from(
      box,
      (byte) => (double(byte) | (byte << 8) | (byte << 16) | ((double(byte) ^ byte) << 24)) >>> 0,
    );
    const [keys, plain] = [wholes(40, 1, 2 ** 32), wholes(4 * n, 2, 2 ** 32)];
    const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
    const encrypted = (index: number): Uint32Array => {
      let state = plain.slice(4 * index, 4 * index + 4).map((word, at) => word ^ keys[at]!);
      for (let round = 1; round < 10; round += 1) {
        state = state.map((_, at) => {
          const byte = (of: number): number => (state[(at + of) & 3]! >>> (8 * of)) & 255;
          const [a, b, c, d] = [0, 1, 2, 3].map((of) => table[byte(of)]!) as [number, number, number, number];
          return a ^ rotate(b, 8) ^ rotate(c, 16) ^ rotate(d, 24) ^ keys[4 * round + at]!;
        });
      }
      return state;
    };
    return {
      size: `${count(n)} blocks`,
      buffers: { table, keys, plain, cipher: 16 * n },
      launches: [
        { kernel: 'encrypt', global: [n], local: [64], arguments: ['table', 'keys', 'plain', 'cipher'] },
      ],
      work: { unit: 'GB/s', amount: 16 * n },
      check: (result) =>
        near(result('cipher', Uint32Array), (index) => encrypted(index >> 2)[index & 3]!, {
          indices: sample(4 * n, 2000),
        }),
    };
  },
};

function checksumTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
}

const crc: BenchKernel = {
  name: 'CRC-32 of blocks',
  source: `
kernel void checksum(constant uint *table, global const uchar *data, uint length, global uint *sums) {
  size_t i = get_global_id(0);
  global const uchar *at = data + i * length;
  uint crc = 0xffffffffu;
  for (uint k = 0; k < length; k++) crc = table[(crc ^ at[k]) & 255] ^ (crc >> 8);
  sums[i] = ~crc;
}`,
  prepare(size) {
    const [blocks, length] = size === 'full' ? [2 ** 15, 128] : [2 ** 10, 128];
    const table = checksumTable();
    const data = new Uint8Array(wholes((blocks * length) / 4, 3, 2 ** 32).buffer);
    const expected = (block: number): number => {
      let rest = -1;
      for (const byte of data.subarray(block * length, (block + 1) * length))
        rest = table[(rest ^ byte) & 255]! ^ (rest >>> 8);
      return ~rest >>> 0;
    };
    return {
      size: `${count(blocks)} of ${length} bytes`,
      buffers: { table, data, sums: 4 * blocks },
      launches: [
        {
          kernel: 'checksum',
          global: [blocks],
          local: [64],
          arguments: ['table', 'data', uint(length), 'sums'],
        },
      ],
      work: { unit: 'GB/s', amount: blocks * length },
      check: (result) => near(result('sums', Uint32Array), expected),
    };
  },
};

const substitution: BenchKernel = {
  name: 'bytes by table',
  source: `
kernel void substitute(constant uchar *table, global const uchar *in, global uchar *out) {
  size_t i = get_global_id(0);
  out[i] = table[in[i]];
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 22 : 2 ** 16;
    const table = substitutionBox();
    const data = new Uint8Array(wholes(n / 4, 4, 2 ** 32).buffer);
    return {
      size: `${count(n)} bytes`,
      buffers: { table, data, out: n },
      launches: [{ kernel: 'substitute', global: [n], local: [64], arguments: ['table', 'data', 'out'] }],
      work: { unit: 'GB/s', amount: 2 * n },
      check: (result) => near(result('out', Uint8Array), (index) => table[data[index]!]!),
    };
  },
};

/** How often each of few values occurs, with sums of the group, by atomics, or of each work-item, in an array of its own. */
function fewBins(name: string, bins: number, source: string): BenchKernel {
  const items = 64 * 256;
  return {
    name,
    source,
    prepare(size) {
      const n = size === 'full' ? 2 ** 22 : 2 ** 18;
      const values = new Uint8Array(wholes(n / 4, 5, 2 ** 32).buffer);
      return {
        size: count(n),
        buffers: { values, counts: new Uint32Array(bins) },
        restored: ['counts'],
        launches: [
          { kernel: 'histogram', global: [items], local: [256], arguments: [uint(n), 'values', 'counts'] },
        ],
        work: { unit: 'GB/s', amount: n },
        check(result) {
          const expected = new Uint32Array(bins);
          for (const value of values) expected[value & (bins - 1)]! += 1;
          return near(result('counts', Uint32Array), (bin) => expected[bin]!);
        },
      };
    },
  };
}

const localBins = fewBins(
  'histogram 16, local',
  16,
  `
kernel void histogram(uint count, global const uchar *values, global uint *bins) {
  local uint own[16];
  if (get_local_id(0) < 16) own[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&own[values[i] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 16) atomic_add(&bins[get_local_id(0)], own[get_local_id(0)]);
}`,
);

const privateBins = fewBins(
  'histogram 8, private',
  8,
  `
kernel void histogram(uint count, global const uchar *values, global uint *bins) {
  uint own[8];
  for (int bin = 0; bin < 8; bin++) own[bin] = 0;
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) own[values[i] & 7]++;
  for (int bin = 0; bin < 8; bin++) atomic_add(&bins[bin], own[bin]);
}`,
);

export const tables: readonly BenchKernel[] = [aes, crc, substitution, localBins, privateBins];
