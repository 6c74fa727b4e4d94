/** Hetero-Mark's kernels that look for something or count: matches of a sequence of genes, colours of pixels. */
import { type BenchKernel, count, int, uint, wholes } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

/** Which places of a sequence match one of those of another, by a few bytes: most work-items find none, after all places have been tried. */
function geneAlignment(read: ReadSource): BenchKernel {
  return {
    name: 'Hetero-Mark gene alignment',
    source: read('ga/cl12/kernels.cl'),
    prepare(size) {
      const [places, queried] = size === 'full' ? [2 ** 16, 128] : [2 ** 11, 40];
      const [length, threshold] = [11, 1];
      const genes = (amount: number, seed: number): Uint8Array =>
        Uint8Array.from(wholes(amount, seed, 4), (one) => 'ACGT'.charCodeAt(one));
      // The last group begins inside the batch and looks beyond it.
      const target = genes(places + 64, 121);
      const query = genes(queried, 122);
      // Some places match.
      for (let at = 100; at + queried < places; at += 997) target.set(query.subarray(7, 7 + length), at);
      const known = new Set<string>();
      const text = (from: Uint8Array, at: number): string =>
        String.fromCharCode(...from.subarray(at, at + length));
      for (let at = 0; at <= queried - length; at += 1) known.add(text(query, at));
      return {
        size: `${count(places)} places, ${queried} genes`,
        buffers: { target, query, matches: new Uint8Array(places) },
        restored: ['matches'],
        launches: [
          {
            kernel: 'ga_cl12',
            global: [places],
            local: [64],
            arguments: [
              'target',
              'query',
              'matches',
              uint(places),
              ...[queried, length, threshold, 0].map(int),
            ],
          },
        ],
        work: { unit: 'M/s', amount: places * (queried - length + 1) },
        check: (result) =>
          near(result('matches', Uint8Array), (index) => (known.has(text(target, index)) ? 1 : 0)),
      };
    },
  };
}

/** How often each colour is there: each of 1,024 work-items counts in an array of its own and adds that up atomically. */
function histogram(read: ReadSource): BenchKernel {
  return {
    name: 'Hetero-Mark histogram',
    source: read('hist/cl12/kernels.cl'),
    prepare(size) {
      const pixels = size === 'full' ? 2 ** 22 : 2 ** 16;
      const colours = 256;
      const image = wholes(pixels, 123, colours);
      return {
        size: `${count(pixels)} pixels`,
        buffers: { image, counts: new Uint32Array(colours) },
        restored: ['counts'],
        launches: [
          {
            kernel: 'HIST',
            global: [1024],
            local: [64],
            arguments: ['image', 'counts', uint(colours), uint(pixels)],
          },
        ],
        work: { unit: 'M/s', amount: pixels },
        check(result) {
          const expected = new Uint32Array(colours);
          for (const colour of image) expected[colour]! += 1;
          return near(result('counts', Uint32Array), (index) => expected[index]!);
        },
      };
    },
  };
}

export const searches = (read: ReadSource): BenchKernel[] => [geneAlignment(read), histogram(read)];
