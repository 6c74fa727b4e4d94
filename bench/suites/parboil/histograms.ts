/** Parboil's histograms: of an image, saturated at 255 (histo), and of angles between galaxies (tpacf). */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, int, type Launch, square, uint } from '../../frame/bench-kernel.ts';
import { firstOf, near } from '../../frame/checks.ts';
import { definitions, inGroups, type ReadSource } from '../suite.ts';
import { kernelsOf, titleOf, type Version } from './version.ts';

/** Local memory of the main kernel, from which the host chooses how many bins a group has and how many work-items. */
const [kilobytes, group, groups] = [48, 1024, 14];
const binsPerGroup = kilobytes * 1024;
const [histogramWidth, histogramHeight] = [1024, 288];
const bins = histogramWidth * histogramHeight;
const [prescanGroup, prescanGroups] = [512, 64];
const unroll = 16;

/** Pixels around the middle of six ranges of bins, and a few anywhere. */
function pixelsOf(pixels: number): Uint32Array {
  const random = createRandom(251);
  return Uint32Array.from({ length: pixels }, () =>
    random.below(1000) === 0 ? random.below(bins) : Math.floor(bins / 2 + 1000 * random.bell()),
  );
}

/** A word for each of an image's pixels tells where its bin is, ranges in the middle are counted in local memory, and others in global. */
function launchesByRange(version: Version, n: number): Launch[] {
  const sizes = [histogramHeight, histogramWidth].map(uint);
  const [first, last] = [2, 3].map(uint) as [Uint32Array, Uint32Array];
  const histograms = ['counts', 'outside', 'overflow'];
  const prescan = {
    kernel: 'histo_prescan_kernel',
    global: [prescanGroups * prescanGroup],
    local: [prescanGroup],
    arguments: ['pixels', uint(n * n), 'ranges'],
  };
  return [
    // The tuned one's last sums have no barriers and need NVIDIA's warps. What it finds is known here.
    ...(version === 'base' ? [prescan] : []),
    {
      kernel: 'histo_intermediates_kernel',
      global: [(inGroups(n, unroll) / unroll) * (n / 2)],
      local: [n / 2],
      arguments: ['pixels', ...[n, n, n / 2].map(uint), 'places'],
    },
    {
      kernel: 'histo_main_kernel',
      global: [groups * group, 2],
      local: [group, 1],
      arguments: ['places', uint(n * n), first, last, ...sizes, ...histograms],
    },
    {
      kernel: 'histo_final_kernel',
      global: [groups * 3 * 512],
      local: [512],
      arguments: [first, last, ...sizes, ...histograms, 'result'],
    },
  ];
}

function launchesNaively(n: number): Launch[] {
  return [
    {
      kernel: 'histo_intermediates_kernel',
      global: [n * 256],
      local: [256],
      arguments: ['pixels', uint(n), 'counts'],
    },
    {
      kernel: 'histo_final_kernel',
      global: [inGroups(bins, 256)],
      local: [256],
      arguments: [...[histogramHeight, histogramWidth].map(uint), 'counts', 'result'],
    },
  ];
}

function ofImage(read: ReadSource, version: Version): BenchKernel {
  const files =
    version === 'naive' ? ['intermediates', 'final'] : ['prescan', 'intermediates', 'main', 'final'];
  const macros = {
    PRESCAN_THREADS: prescanGroup,
    KB: kilobytes,
    UNROLL: unroll,
    BINS_PER_BLOCK: binsPerGroup,
    BLOCK_X: groups,
  };
  return {
    name: titleOf('histo', version),
    source: kernelsOf(
      read,
      'histo',
      version,
      files.map((file) => `histo_${file}.cl`),
    ),
    options: definitions(macros),
    prepare(size) {
      const n = size === 'full' ? 1024 : 512;
      const pixels = pixelsOf(n * n);
      const expected = new Uint32Array(bins);
      for (const pixel of pixels) expected[pixel]! += 1;
      // The tuned one has bytes, but for each group; the others have words.
      const counts = new Uint32Array(version === 'nvidia' ? (groups * bins) / 4 : bins);
      return {
        size: square(n),
        buffers: {
          ...{ pixels, places: 4 * n * n, counts, result: bins, ranges: Uint32Array.of(0x7fffffff, 0) },
          ...{ outside: new Uint32Array(bins / 2), overflow: new Uint32Array(bins) },
        },
        restored: ['counts', 'ranges'],
        launches: version === 'naive' ? launchesNaively(n) : launchesByRange(version, n),
        work: { unit: 'M/s', amount: n * n },
        check: (result) =>
          firstOf(
            version === 'base' ? near(result('ranges', Uint32Array), (at) => 2 + at) : undefined,
            near(result('result', Uint8Array), (at) => Math.min(expected[at]!, 255)),
          ),
      };
    },
  };
}

const angleBins = 20;

/** Points on a sphere, half of them near to one of a few: their x, then their y, then their z. */
function galaxies(points: number): Float32Array {
  const random = createRandom(252);
  const places = new Float32Array(3 * points);
  for (let at = 0; at < points; at += 1) {
    const around = at % 2 === 0 ? [0, 0, 0] : [0, 1, 2].map((axis) => places[axis * points + (at % 16) - 1]!);
    const spread = at % 2 === 0 ? 1 : 0.02;
    const place = around.map((part) => part + spread * random.bell());
    const length = Math.hypot(...place);
    for (const [axis, part] of place.entries()) places[axis * points + at] = part / length;
  }
  return places;
}

function ofAngles(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('tpacf', version),
    source: kernelsOf(read, 'tpacf', version),
    prepare(size) {
      // The tuned one has no barrier before it overwrites points in local memory. With at most 256 points it never does.
      const points = version === 'nvidia' ? 250 : 487;
      const sets = size === 'quick' ? 1 : version === 'nvidia' ? 24 : 6;
      const all = points * (sets + 1);
      const places = galaxies(all);
      const limits = Float32Array.from({ length: angleBins + 1 }, (_, at) =>
        Math.cos(((10 ** (at / 5) / 60) * Math.PI) / 180),
      );
      const cosine = (a: number, b: number): number =>
        places[a]! * places[b]! +
        places[all + a]! * places[all + b]! +
        places[2 * all + a]! * places[2 * all + b]!;
      /** The bin of an angle with this cosine; -1 and 20 are those beyond the first and the last. */
      const binOf = (found: number): number => {
        let bin = -1;
        while (bin < angleBins && found < limits[bin + 1]!) bin += 1;
        return bin;
      };
      /** Pairs by angle, of a set with itself or of the first set with another; and those that rounding may put into another bin. */
      const pairsOf = (histogram: number): { counts: Float64Array; doubtful: Float64Array } => {
        const isOwn = histogram <= sets;
        const set = points * (isOwn ? histogram : histogram - sets);
        const [counts, doubtful] = [new Float64Array(angleBins), new Float64Array(angleBins)];
        for (let at = 0; at < points; at += 1) {
          for (let to = 0; to < (isOwn ? at : points); to += 1) {
            const found = cosine(set + at, (isOwn ? set : 0) + to);
            const [from, bin, end] = [binOf(found + 3e-7), binOf(found), binOf(found - 3e-7)];
            if (bin >= 0 && bin < angleBins) counts[bin]! += 1;
            if (from === end) continue;
            for (let other = Math.max(from, 0); other <= Math.min(end, angleBins - 1); other += 1)
              doubtful[other]! += 1;
          }
        }
        return { counts, doubtful };
      };
      const histograms = 2 * sets + 1;
      return {
        size: `${histograms} of ${points} points`,
        buffers: { histograms: 4 * angleBins * histograms, places, limits },
        launches: [
          {
            kernel: 'gen_hists',
            global: [256 * histograms],
            local: [256],
            arguments: ['histograms', 'places', 'limits', int(sets), int(points)],
          },
        ],
        work: { unit: 'M/s', amount: sets * points * points + ((sets + 1) * points * (points - 1)) / 2 },
        check(result) {
          const found = result('histograms', Uint32Array);
          for (let histogram = 0; histogram < histograms; histogram += 1) {
            const { counts, doubtful } = pairsOf(histogram);
            for (const [bin, right] of counts.entries()) {
              const place = histogram * angleBins + bin;
              if (Math.abs(found[place]! - right) > doubtful[bin]!)
                return `element ${place} is ${found[place]}, not ${right}`;
            }
          }
          return undefined;
        },
      };
    },
  };
}

export const histograms = (read: ReadSource): BenchKernel[] => [
  ofImage(read, 'base'),
  ofImage(read, 'nvidia'),
  ofImage(read, 'naive'),
  ofAngles(read, 'base'),
  ofAngles(read, 'nvidia'),
];
