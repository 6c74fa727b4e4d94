/** SHOC's search for the key of an MD5 digest: each work-item hashes the keys that differ in their first byte. */
import { createHash } from 'node:crypto';
import { type BenchKernel, count, int, uint } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

export function md5Hash(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC MD5Hash',
    source: read('level1/md5hash/md5.cl'),
    prepare(size) {
      const [bytes, values] = size === 'full' ? [6, 14] : [4, 10];
      const keys = values ** bytes;
      const wanted = Math.floor(keys * 0.7);
      const key = new Uint8Array(8);
      for (let at = 0, rest = wanted; at < bytes; at += 1, rest = Math.floor(rest / values))
        key[at] = rest % values;
      const digest = createHash('md5').update(key.subarray(0, bytes)).digest();
      const words = Array.from({ length: 4 }, (_, at) => digest.readUInt32LE(4 * at));
      const groups = Math.ceil(keys / values / 256);
      return {
        size: `${count(keys)} keys`,
        buffers: { index: new Int32Array([-1]), key: new Uint8Array(8), digest: new Uint32Array(4) },
        restored: ['index', 'key', 'digest'],
        launches: [
          {
            kernel: 'FindKeyWithDigest_Kernel',
            global: [256 * groups],
            local: [256],
            arguments: [...words.map(uint), int(keys), int(bytes), int(values), 'index', 'key', 'digest'],
          },
        ],
        work: { unit: 'M/s', amount: keys },
        check: (result) =>
          near(result('index', Int32Array), () => wanted) ??
          near(result('key', Uint8Array), (at) => key[at]!),
      };
    },
  };
}
