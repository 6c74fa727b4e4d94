// The samples' references by themselves: a kernel that agrees with a wrong reference would be just as wrong.
// Expected values are worked out by hand, or are known results (Anscombe's data of 1973).
import { describe, expect, it } from 'vitest';
import { sortReference } from '../../samples/bitonic-sort/reference.ts';
import { jumpsOf } from '../../samples/breadth-first-search/country.ts';
import { distancesFrom } from '../../samples/breadth-first-search/reference.ts';
import { searchReference } from '../../samples/brook-binary-search/reference.ts';
import { escapeTimesReference } from '../../samples/brook-devices/reference.ts';
import { joinSlices, slicesOf } from '../../samples/brook-matrix-multiplication/slices.ts';
import {
  blockSumsReference,
  brightnessReference,
  measuresReference,
} from '../../samples/brook-reductions/reference.ts';
import { placeReference, turnReference } from '../../samples/brook-scatter/reference.ts';
import { addReference } from '../../samples/brook-small-integers/reference.ts';
import { sumReference } from '../../samples/brook-sum/reference.ts';
import { runningSumsReference } from '../../samples/brook-thread-groups/reference.ts';
import { stepsToOneReference } from '../../samples/brook-tiles/reference.ts';
import { sepiaReference } from '../../samples/brook-vector-constructors/reference.ts';
import { puzzleReference, tintReference } from '../../samples/buffer-parts/reference.ts';
import { placesReference } from '../../samples/device-search/reference.ts';
import { addPartials, histogramReference } from '../../samples/histogram/reference.ts';
import {
  bellWeights,
  convolutionReference,
  brightnessReference as filteredBrightness,
  meanReference,
  medianReference,
  sobelReference,
} from '../../samples/image-filters/reference.ts';
import {
  type ExploredSampler,
  mirrorReference,
  rotateReference,
  samplersReference,
  thinned,
} from '../../samples/image-sampling/reference.ts';
import { energiesReference, fillBatch } from '../../samples/live-exchange/reference.ts';
import { multiplyReference } from '../../samples/matrix-multiplication/reference.ts';
import { readReference, writeReference } from '../../samples/memory-bandwidth/reference.ts';
import { packPoints, unpackPoints, vote } from '../../samples/nearest-neighbours/points.ts';
import { distancesReference, orderReference } from '../../samples/nearest-neighbours/reference.ts';
import { partSumsReference, prefixSumReference } from '../../samples/prefix-sum/reference.ts';
import { leastFromReference, leastReference } from '../../samples/range-minimum/reference.ts';
import { regionsReference } from '../../samples/region-growing/reference.ts';
import { addPartialSums, fitLine, fitParabola } from '../../samples/regression/fit.ts';
import { linearSumsReference, parabolicSumsReference } from '../../samples/regression/reference.ts';
import { saxpyReference } from '../../samples/saxpy/reference.ts';
import { bitonicPlan } from '../../samples/support/bitonic-plan.ts';
import { checkEqual, checkWithin } from '../../samples/support/checks.ts';
import { createRandom } from '../../samples/support/random.ts';
import type { Picture } from '../../samples/support/sample.ts';
import { inOrderReference } from '../../samples/tree-insert/reference.ts';
import { stepsReference } from '../../samples/tree-search/reference.ts';

/** A grey picture from rows of brightness. */
function grey(...rows: readonly (readonly number[])[]): Picture {
  const data = rows.flatMap((row) => row.flatMap((value) => [value, value, value, 255]));
  return { width: rows[0]!.length, height: rows.length, data: Uint8Array.from(data) };
}

/** The red channel, row after row. */
function red(pixels: Uint8Array): number[] {
  return Array.from({ length: pixels.length / 4 }, (_, i) => pixels[4 * i]!);
}

describe('saxpy', () => {
  it('is 1024 + i for 2 i + (1024 - i)', () => {
    const x = Float32Array.from({ length: 1024 }, (_, i) => i);
    const y = Float32Array.from({ length: 1024 }, (_, i) => 1024 - i);
    const z = new Float32Array(1024);
    saxpyReference(2, x, y, z);
    expect([z[0], z[1], z[1023]]).toEqual([1024, 1025, 2047]);
  });
});

describe('matrix multiplication', () => {
  it('multiplies rows by columns', () => {
    const product = multiplyReference(2, Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6, 7, 8));
    expect([...product]).toEqual([19, 22, 43, 50]);
  });

  it('leaves a matrix as it is when the other is the identity, on either side', () => {
    const matrix = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const identity = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    expect(multiplyReference(3, matrix, identity)).toEqual(matrix);
    expect(multiplyReference(3, identity, matrix)).toEqual(matrix);
  });
});

describe('histogram', () => {
  it('counts each channel by itself and leaves alpha out', () => {
    const counts = histogramReference(Uint8Array.of(1, 2, 3, 9, 1, 255, 0, 9));
    expect([counts[1], counts[256 + 2], counts[256 + 255], counts[512 + 3], counts[512]]).toEqual([
      2, 1, 1, 1, 1,
    ]);
    expect(counts.reduce((a, b) => a + b)).toBe(6);
  });

  it('counts more than 255 equal pixels', () => {
    const counts = histogramReference(new Uint8Array(4 * 300).fill(255));
    expect([counts[255], counts[511], counts[767]]).toEqual([300, 300, 300]);
  });

  it('adds partial histograms counter by counter', () => {
    const partials = new Uint32Array(2 * 768);
    partials[5] = 3;
    partials[768 + 5] = 4;
    partials[768 + 767] = 1;
    const counts = addPartials(partials);
    expect([counts.length, counts[5], counts[767]]).toEqual([768, 7, 1]);
  });
});

describe('image filters', () => {
  const dot = grey([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 160, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]);

  it('mean spreads a dot evenly over the window', () => {
    // 160 / 9 = 17.8
    expect(red(meanReference(dot, 1))).toEqual([
      0, 0, 0, 0, 0, 0, 18, 18, 18, 0, 0, 18, 18, 18, 0, 0, 18, 18, 18, 0, 0, 0, 0, 0, 0,
    ]);
  });

  it('mean takes the nearest pixel where the window leaves the picture', () => {
    // A corner pixel fills four of its own nine places: 255 * 4 / 9 = 113.3; its neighbour sees it twice,
    // 56.7.
    expect(red(meanReference(grey([255, 0, 0], [0, 0, 0], [0, 0, 0]), 1))).toEqual([
      113, 57, 0, 57, 28, 0, 0, 0, 0,
    ]);
  });

  it('bell weights are products of binomials', () => {
    expect([...bellWeights(1)].map((weight) => weight * 16)).toEqual([1, 2, 1, 2, 4, 2, 1, 2, 1]);
    expect([...bellWeights(2).subarray(10, 15)].map((weight) => weight * 256)).toEqual([6, 24, 36, 24, 6]);
    expect(bellWeights(3).reduce((a, b) => a + b)).toBe(1);
  });

  it('convolution spreads a dot as the weights say', () => {
    expect(red(convolutionReference(dot, bellWeights(1), 1))).toEqual([
      0, 0, 0, 0, 0, 0, 10, 20, 10, 0, 0, 20, 40, 20, 0, 0, 10, 20, 10, 0, 0, 0, 0, 0, 0,
    ]);
  });

  it('convolution saturates at both ends', () => {
    const sharpen = Float32Array.of(0, -1, 0, -1, 5, -1, 0, -1, 0);
    // In the middle 5 * 160 = 800, beside it -160.
    expect(red(convolutionReference(dot, sharpen, 1)).slice(10, 15)).toEqual([0, 0, 255, 0, 0]);
  });

  it('median is the fifth of nine', () => {
    expect(red(medianReference(grey([9, 1, 8], [2, 7, 3], [6, 4, 5])))[4]).toBe(5);
    expect(red(medianReference(grey([1, 1, 1], [1, 9, 9], [9, 9, 9])))[4]).toBe(9);
    expect(red(medianReference(grey([1, 1, 1], [1, 1, 9], [9, 9, 9])))[4]).toBe(1);
  });

  it('median takes a single wrong pixel out', () => {
    expect(red(medianReference(dot))).toEqual(new Array(25).fill(0));
  });

  it('brightness goes up and down, and stops at black and white', () => {
    const source = { width: 1, height: 2, data: Uint8Array.of(0, 100, 250, 7, 3, 200, 255, 0) };
    expect([...filteredBrightness(source, 10)]).toEqual([10, 110, 255, 7, 13, 210, 255, 0]);
    expect([...filteredBrightness(source, -100)]).toEqual([0, 0, 150, 7, 0, 100, 155, 0]);
  });

  it('Sobel is four times the step, in every direction, and nothing on even ground', () => {
    expect(red(sobelReference(grey([0, 0, 10, 10], [0, 0, 10, 10])))).toEqual([0, 40, 40, 0, 0, 40, 40, 0]);
    expect(red(sobelReference(grey([10, 10], [10, 10], [0, 0], [0, 0])))).toEqual([
      0, 0, 40, 40, 40, 40, 0, 0,
    ]);
    expect(red(sobelReference(grey([0, 255], [0, 255])))).toEqual([255, 255, 255, 255]);
    expect(red(sobelReference(grey([77, 77], [77, 77])))).toEqual([0, 0, 0, 0]);
    // A lone corner pixel of 10 seen from the middle: both slopes 10 in size, their length 14.1.
    expect(red(sobelReference(grey([0, 0, 10], [0, 0, 0], [0, 0, 0])))[4]).toBe(14);
  });

  it('Sobel weighs the colours', () => {
    // Pure green 100 has brightness (150 * 100 + 128) >> 8 = 59.
    const data = Uint8Array.of(0, 0, 0, 255, 0, 100, 0, 255);
    expect([...sobelReference({ width: 2, height: 1, data })]).toEqual([
      236, 236, 236, 255, 236, 236, 236, 255,
    ]);
  });
});

describe('image sampling', () => {
  it('a quarter turn moves whole pixels, and brings in the border', () => {
    // The middle of a 3 x 3 picture stays; the pixel at the top comes from the left.
    const turned = rotateReference(grey([1, 2, 3], [4, 5, 6], [7, 8, 9]), 0, 1);
    expect(red(turned)).toEqual([7, 4, 1, 8, 5, 2, 9, 6, 3]);
    // Of a 3 x 1 picture two pixels come from above and below it.
    const line = rotateReference(grey([10, 20, 30]), 0, 1);
    expect([...line]).toEqual([0, 0, 0, 0, 20, 20, 20, 255, 0, 0, 0, 0]);
  });

  it('a point between pixels is their weighted mean', () => {
    // A cosine of 0.5 without a sine looks half as far from the middle, 1.5: pixel 0 is at 1.5 - 0.5 = 1, half of each
    // of the first two.
    expect(
      red(rotateReference(grey([0, 100, 200], [0, 100, 200], [0, 100, 200]), 0.5, 0)).slice(3, 6),
    ).toEqual([50, 100, 150]);
  });

  it('mirrors meet without a seam', () => {
    // Twice over, the middles of the pixels are at 1, 3, 5 and 7 of 4 pixels; the last two are mirrored to 3 and 1.
    expect(red(mirrorReference(grey([0, 40, 80, 120]), 2))).toEqual([20, 100, 100, 20]);
    expect(red(mirrorReference(grey([0, 40, 80, 120]), 1))).toEqual([0, 40, 80, 120]);
  });

  it('samplers answer outside a picture as they are told', () => {
    // Eight places over twice the width of two pixels: four outside, two on either side; a linear filter mixes at 0.25 and 0.75.
    const row = (addressing: ExploredSampler['addressing'], filter: ExploredSampler['filter']) =>
      red(samplersReference(grey([10, 200]), [{ addressing, filter, corner: [0, 0] }], [8, 2], 8)).slice(
        0,
        8,
      );
    expect(row('clamp', 'nearest')).toEqual([0, 0, 10, 10, 200, 200, 0, 0]);
    expect(row('clamp-to-edge', 'nearest')).toEqual([10, 10, 10, 10, 200, 200, 200, 200]);
    expect(row('repeat', 'nearest')).toEqual([200, 200, 10, 10, 200, 200, 10, 10]);
    expect(row('mirrored-repeat', 'nearest')).toEqual([10, 10, 10, 10, 200, 200, 200, 200]);
    expect(row('clamp-to-edge', 'linear')).toEqual([10, 10, 10, 58, 153, 200, 200, 200]);
  });

  it('a thinned picture has pixels of the whole', () => {
    expect(red(thinned(grey([1, 2, 3, 4], [5, 6, 7, 8]), 2, 1).data)).toEqual([1, 3]);
  });
});

describe('bitonic sort', () => {
  it('plans stage after stage, each with one pass more', () => {
    expect(bitonicPlan(8).map(({ stage, pass }) => `${stage}.${pass}`)).toEqual([
      '0.0',
      '1.0',
      '1.1',
      '2.0',
      '2.1',
      '2.2',
    ]);
    expect(bitonicPlan(1024)).toHaveLength(55);
    expect(bitonicPlan(1)).toEqual([]);
    expect(() => bitonicPlan(12)).toThrow(RangeError);
  });

  it('has a reference that compares numbers, not text, and leaves its input alone', () => {
    const keys = Uint32Array.of(10, 9, 4294967295, 0);
    expect([...sortReference(keys)]).toEqual([0, 9, 10, 4294967295]);
    expect([...keys]).toEqual([10, 9, 4294967295, 0]);
  });
});

describe('regression', () => {
  // F. J. Anscombe, "Graphs in Statistical Analysis", The American Statistician 27 (1973): the second of his
  // four sets.
  const xs = Float32Array.of(10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5);
  const ys = Float32Array.of(9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74);

  it('finds the line of the known data, y = 3.001 + 0.500 x', () => {
    const [a0, a1] = fitLine(xs.length, linearSumsReference(xs, ys));
    expect(a0).toBeCloseTo(3.001, 3);
    expect(a1).toBeCloseTo(0.5, 3);
  });

  it('finds the parabola of the known data, y = -5.9957 + 2.7808 x - 0.1267 x^2', () => {
    const [a0, a1, a2] = fitParabola(xs.length, parabolicSumsReference(xs, ys));
    expect(a0).toBeCloseTo(-5.9957, 3);
    expect(a1).toBeCloseTo(2.7808, 3);
    expect(a2).toBeCloseTo(-0.1267, 3);
  });

  it('finds a curve that the points lie on', () => {
    const x = Float32Array.of(-2, -1, 0, 1, 3);
    const line = x.map((value) => 2 - 3 * value);
    const parabola = x.map((value) => 1 + 2 * value - 4 * value * value);
    expect(fitLine(5, linearSumsReference(x, line))).toEqual([2, -3]);
    const fitted = fitParabola(5, parabolicSumsReference(x, parabola));
    expect(fitted.map((value) => Number(value.toFixed(9)))).toEqual([1, 2, -4]);
  });

  it('sums what the kernels sum', () => {
    const x = Float32Array.of(2, -3);
    const y = Float32Array.of(5, 7);
    expect([...linearSumsReference(x, y)]).toEqual([-1, 12, 13, -11]);
    expect([...parabolicSumsReference(x, y)]).toEqual([-1, 12, 13, -11, -19, 83, 97, 2]);
    expect([...addPartialSums(Float32Array.of(1, 2, 3, 4, 10, 20, 30, 40), 4)]).toEqual([11, 22, 33, 44]);
  });

  it('refuses points that decide no curve', () => {
    const same = Float32Array.of(2, 2, 2);
    expect(() => fitLine(3, linearSumsReference(same, same))).toThrow(RangeError);
    const two = Float32Array.of(1, 2, 2);
    expect(() => fitParabola(3, parabolicSumsReference(two, two))).toThrow(RangeError);
  });
});

describe('nearest neighbours', () => {
  const points = [
    { x: 3, y: 4, label: 2 },
    { x: 0, y: 1, label: 1 },
    { x: 1, y: 0, label: 0 },
    { x: 0, y: 0, label: 2 },
  ];

  it('measures squared distances', () => {
    expect([...distancesReference({ x: 0, y: 0, label: 0 }, points)]).toEqual([25, 1, 1, 0]);
  });

  it('orders by distance, then by label', () => {
    const distances = distancesReference({ x: 0, y: 0, label: 0 }, points);
    expect([...orderReference(distances, points)]).toEqual([3, 2, 1, 0]);
  });

  it('lets the majority win, and the smaller label in a tie', () => {
    expect(vote([2, 1, 2, 0])).toBe(2);
    expect(vote([2, 1, 2, 1])).toBe(1);
    expect(vote([1])).toBe(1);
  });

  it('packs points as float, float, uint', () => {
    const bytes = packPoints([{ x: 1, y: -2, label: 258 }]);
    expect([...bytes]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 2, 1, 0, 0]);
    expect(unpackPoints(packPoints(points), 2)).toEqual(points.slice(0, 2));
  });
});

describe('what the samples stand on', () => {
  it('random numbers depend on the seed alone and stay in range', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 50 }, () => random.next());
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const random = createRandom(3);
    const digits = Array.from({ length: 2000 }, () => random.below(10));
    expect(new Set(digits)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });

  it('bell-shaped numbers have mean 0 and variance 1', () => {
    const random = createRandom(4);
    const values = Array.from({ length: 20_000 }, () => random.bell());
    const mean = values.reduce((a, b) => a + b) / values.length;
    const variance = values.reduce((a, b) => a + b * b, 0) / values.length;
    // Four standard deviations of what chance does: 4 / sqrt(20000) and about 4 * sqrt(2 / 20000).
    expect(Math.abs(mean)).toBeLessThan(0.029);
    expect(Math.abs(variance - 1)).toBeLessThan(0.041);
  });

  it('checks find a wrong number, a NaN and a missing one', () => {
    expect(checkEqual([1, 2, 3], [1, 2, 3]).ok).toBe(true);
    expect(checkEqual([1, 2, 4], [1, 2, 3])).toEqual({
      ok: false,
      detail: '1 of 3 numbers differ, first at 2: 4, not 3',
    });
    expect(checkEqual([1, 2], [1, 2, 3]).ok).toBe(false);
    expect(checkEqual([Number.NaN], [Number.NaN]).ok).toBe(false);
    expect(checkWithin([1.5], [1], () => 0.5).ok).toBe(true);
    expect(checkWithin([1.6], [1], () => 0.5).ok).toBe(false);
    expect(checkWithin([Number.NaN], [1], () => 0.5).ok).toBe(false);
  });
});

describe('trees', () => {
  it('count the nodes on the way to a key', () => {
    // 4 is the root, 2 and 6 its children, 3 a grandchild.
    const steps = stepsReference(Int32Array.of(4, 2, 6, 3), Int32Array.of(4, 2, 6, 3, 1, 5));
    expect([...steps]).toEqual([1, 2, 2, 3, 0, 0]);
  });

  it('are in order from left to right', () => {
    expect([...inOrderReference(Int32Array.of(3, -1, 2, 3))]).toEqual([-1, 2, 3, 3]);
  });
});

describe('ranges', () => {
  it('have their least number, ends included', () => {
    const numbers = Int32Array.of(5, 2, 9, -4, 7);
    expect([...leastReference(numbers, Uint32Array.of(0, 0, 0, 2, 2, 4, 4, 4))]).toEqual([5, 2, -4, 7]);
    expect([...leastFromReference(numbers, 2)]).toEqual([2, 2, -4, -4, 7]);
    expect([...leastFromReference(numbers, 4)]).toEqual([-4, -4, -4, -4, 7]);
  });
});

describe('running sums', () => {
  it('count all before, or all of the same part', () => {
    const numbers = Uint32Array.of(1, 2, 3, 4, 2 ** 32 - 1);
    expect([...prefixSumReference(numbers)]).toEqual([1, 3, 6, 10, 9]);
    expect([...partSumsReference(numbers, 2)]).toEqual([1, 3, 3, 7, 2 ** 32 - 1]);
  });
});

describe('batches', () => {
  it('are triangles, whose squares are summed up', () => {
    const samples = new Int32Array(3);
    fillBatch(samples, 1);
    expect([...samples]).toEqual([-36, -34, -32]);
    expect([...energiesReference(2, 3)]).toEqual([18 * 18 + 17 * 17 + 16 * 16, 36 * 36 + 34 * 34 + 32 * 32]);
  });
});

describe('memory traffic', () => {
  it('sums rows place by place, and writes one number a row', () => {
    expect([...readReference(Uint32Array.of(1, 2, 3, 4), 2)]).toEqual([4, 6]);
    expect([...writeReference(4, 2, 7)]).toEqual([7, 7, 8, 8]);
  });
});

describe('places', () => {
  it('are those of the keys that are there', () => {
    const places = placesReference(Uint32Array.of(2, 5, 9), Uint32Array.of(9, 2, 4, 10), 99);
    expect([...places]).toEqual([2, 0, 99, 99]);
  });
});

describe('regions', () => {
  it('grow to the neighbours within the tolerance of the seed, and take nothing from others', () => {
    // Two rows of four.
    const light = Uint8Array.of(10, 12, 30, 14, 90, 13, 31, 29);
    // From 10 by up to 4: 12 beside it, and 13 below that; 14 lies behind 30. The second seed is taken already.
    expect([...regionsReference(light, 4, [0, 5, 2], 4)]).toEqual([1, 1, 3, 0, 0, 1, 3, 3]);
  });
});

describe('parts of a picture', () => {
  it('move as tiles, and leave what belongs to none', () => {
    const pixels = (...values: number[]) =>
      Uint8Array.from(values.flatMap((value) => [value, value, value, 255]));
    const picture = { width: 3, height: 2, data: pixels(1, 2, 3, 4, 5, 6) };
    const moves = [
      { from: [0, 0], to: [1, 0] },
      { from: [1, 0], to: [0, 0] },
    ] as const;
    const moved = puzzleReference(picture, moves, [1, 2]);
    expect([...moved]).toEqual([...pixels(2, 1), 0, 0, 0, 0, ...pixels(5, 4), 0, 0, 0, 0]);
    const tinted = tintReference(pixels(7, 9, 11), [{ first: 1, count: 1, colour: [101, 0, 20, 9] }]);
    expect([...tinted]).toEqual([7, 7, 7, 255, 54, 4, 14, 255, 11, 11, 11, 255]);
  });
});

describe('breadth-first search', () => {
  it('counts edges in their direction, on the shortest way', () => {
    // 0 leads to 1 and 2, both to 3, that to 0; from 4 one gets to 3, but nobody gets to 4.
    const graph = { first: Uint32Array.of(0, 2, 3, 4, 5, 6), to: Uint32Array.of(1, 2, 3, 3, 0, 3) };
    expect([...distancesFrom(0, graph)]).toEqual([0, 1, 1, 2, -1]);
    expect([...distancesFrom(1, graph)]).toEqual([2, 0, 3, 1, -1]);
  });

  it('jumps end on land, within reach', () => {
    // Land, land, water, land: over the water with a jump of two.
    const country = { width: 4, height: 1, land: Uint8Array.of(1, 1, 0, 1) };
    const { first, to } = jumpsOf(country, 400, 2, 7);
    const ends = (place: number): number[] => [...new Set(to.slice(first[place], first[place + 1]))].sort();
    expect([0, 1, 2, 3].map(ends)).toEqual([[0, 1], [0, 1, 3], [], [1, 3]]);
  });
});

describe('streams', () => {
  it('sums add, and small integers go round', () => {
    const c = new Float32Array(2);
    sumReference(Float32Array.of(1, -2), Float32Array.of(0.5, 2), c);
    expect([...c]).toEqual([1.5, 0]);
    const bytes = new Int8Array(3);
    addReference(Int8Array.of(60, 100, -100), Int8Array.of(5, 100, -100), bytes);
    expect([...bytes]).toEqual([70, 205 - 256, -195 + 256]);
  });

  it('sepia of white is full, of red a fifth of brown', () => {
    const data = Uint8Array.of(255, 255, 255, 9, 255, 0, 0, 7);
    expect([...sepiaReference({ width: 2, height: 1, data })]).toEqual([255, 255, 240, 9, 100, 88, 69, 7]);
  });

  it('slices are every n-th row, and join to the matrix', () => {
    const matrix = Float32Array.from({ length: 8 }, (_, index) => index);
    const slices = slicesOf(matrix, 2, 2);
    expect(slices.map((slice) => [...slice])).toEqual([
      [0, 1, 4, 5],
      [2, 3, 6, 7],
    ]);
    expect(joinSlices(slices, 2)).toEqual(matrix);
  });

  it('searching gives places, or -1', () => {
    expect([...searchReference(Int32Array.of(7, 8, 1), Int32Array.of(1, 4, 7))]).toEqual([2, -1, 0]);
  });

  it('scattering places values and turns pictures clockwise', () => {
    const result = new Float32Array(3);
    placeReference(Int32Array.of(2, 0, 1), Float32Array.of(5, 6, 7), result);
    expect([...result]).toEqual([6, 7, 5]);
    const turned = turnReference(grey([1, 2, 3], [4, 5, 6]));
    expect([turned.width, turned.height]).toEqual([2, 3]);
    expect(red(turned.data)).toEqual([4, 1, 5, 2, 6, 3]);
  });

  it('measures and block sums are those of the brightness', () => {
    expect([...brightnessReference(grey([0, 100, 255]))]).toEqual([0, 100, 255]);
    expect([...measuresReference(Int32Array.of(3, -1, 8, 8), 3)]).toEqual([18, 8, 2]);
    expect([...blockSumsReference(Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8), 4, 2)]).toEqual([14, 22]);
  });

  it('running sums begin anew in each group, component by component', () => {
    const sums = runningSumsReference(Int32Array.of(1, 2, 3, 4, 10, 20, 30, 40, 5, 5, 5, 5), 2);
    expect([...sums]).toEqual([1, 2, 3, 4, 11, 22, 33, 44, 5, 5, 5, 5]);
  });

  it('steps to one are the known ones', () => {
    expect([...stepsToOneReference(Uint32Array.of(1, 2, 3, 27))]).toEqual([0, 1, 7, 111]);
  });

  it('points of the set never escape, those far away at once', () => {
    // -2, -1, 0 and 1 on the real axis: 1 goes 0, 1, 2 and is beyond 2 in the third turn.
    expect([...escapeTimesReference(4, 1, 1, [-2, 0])]).toEqual([1, 255, 255, 2]);
  });
});
