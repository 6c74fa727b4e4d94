/** Hetero-Mark's kernels with an element for each work-item: what moves in front of a background, prices of options (Black and Scholes), a filter. */
import { type BenchKernel, count, float, floats, int, uint, wholes } from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

/** The suite launches all of them in groups of so many. */
const local = [64];

function backgroundExtraction(read: ReadSource): BenchKernel {
  return {
    name: 'Hetero-Mark background extraction',
    source: read('be/cl12/kernels.cl'),
    prepare(size) {
      const [width, height, channels] = size === 'full' ? [1920, 1088, 3] : [128, 64, 3];
      const cells = width * height * channels;
      const [threshold, alpha] = [10, Math.fround(0.03)];
      const frame = Uint8Array.from(wholes(cells, 111, 256));
      const background = floats(cells, 112, 0, 255);
      const expected = (index: number): number => background[index]! * (1 - alpha) + frame[index]! * alpha;
      return {
        size: `${width} x ${height}`,
        buffers: { frame, background, foreground: cells },
        restored: ['background'],
        launches: [
          {
            kernel: 'be_cl12',
            global: [cells],
            local,
            arguments: [
              'frame',
              'background',
              'foreground',
              ...[width, height, channels, threshold].map(uint),
              float(alpha),
            ],
          },
        ],
        work: { unit: 'M/s', amount: cells },
        check: (result) =>
          firstOf(
            near(result('foreground', Uint8Array), (index) => {
              const difference = Math.trunc(Math.abs(frame[index]! - background[index]!));
              return difference > threshold ? frame[index]! : 0;
            }),
            near(result('background', Float32Array), expected, { tolerance: 1e-5, scale: 1 }),
          ),
      };
    },
  };
}

/** The normal distribution as the kernel approximates it: its error is far below that of floats. */
function distribution(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = factors.reduceRight((rest, factor) => factor + t * rest, 0);
  const upper = (Math.exp((-x * x) / 2) * t * sum) / Math.sqrt(2 * Math.PI);
  return x < 0 ? upper : 1 - upper;
}

function optionPrices(read: ReadSource): BenchKernel {
  return {
    name: 'Hetero-Mark Black-Scholes',
    source: read('bs/cl12/kernels.cl'),
    prepare(size) {
      const items = size === 'full' ? 2 ** 21 : 2 ** 14;
      const random = floats(items, 113);
      const between = (index: number, low: number, high: number): number =>
        low * random[index]! + high * (1 - random[index]!);
      const price = (index: number): { call: number; put: number } => {
        const [stock, strike] = [between(index, 10, 100), between(index, 10, 100)];
        const [time, rate, sigma] = [
          between(index, 1, 10),
          between(index, 0.01, 0.05),
          between(index, 0.01, 0.1),
        ];
        const spread = sigma * Math.sqrt(time);
        const d1 = (Math.log(stock / strike) + (rate + (sigma * sigma) / 2) * time) / spread;
        const d2 = d1 - spread;
        const value = strike * Math.exp(-rate * time);
        return {
          call: stock * distribution(d1) - value * distribution(d2),
          put: value * distribution(-d2) - stock * distribution(-d1),
        };
      };
      return {
        size: `${count(items)} options`,
        buffers: { random, calls: 4 * items, puts: 4 * items },
        launches: [
          { kernel: 'bs_cl12', global: [items], local, arguments: ['random', 'calls', 'puts', int(0)] },
        ],
        work: { unit: 'M/s', amount: items },
        check(result) {
          const near4 = { tolerance: 1e-4, scale: 10, indices: sample(items, 5000) };
          return firstOf(
            near(result('calls', Float32Array), (index) => price(index).call, near4),
            near(result('puts', Float32Array), (index) => price(index).put, near4),
          );
        },
      };
    },
  };
}

function filter(read: ReadSource): BenchKernel {
  return {
    name: 'Hetero-Mark FIR',
    source: read('fir/cl12/kernels.cl'),
    prepare(size) {
      const items = size === 'full' ? 2 ** 21 : 2 ** 14;
      const taps = 16;
      const [coefficients, input, history] = [
        floats(taps, 114),
        floats(items, 115),
        floats(taps, 116),
      ] as const;
      const before = (index: number): number => (index < 0 ? history[taps + index]! : input[index]!);
      return {
        size: `${count(items)} floats`,
        buffers: { coefficients, input, history, output: 4 * items },
        launches: [
          {
            kernel: 'FIR',
            global: [items],
            local,
            arguments: ['output', 'coefficients', 'input', 'history', uint(taps)],
          },
        ],
        work: { unit: 'GFLOP/s', amount: 2 * taps * items },
        check: (result) =>
          near(
            result('output', Float32Array),
            (index) => coefficients.reduce((sum, one, tap) => sum + one * before(index - tap), 0),
            { tolerance: 1e-5, indices: [...Array(2 * taps).keys(), ...sample(items, 20_000)] },
          ),
      };
    },
  };
}

export const streams = (read: ReadSource): BenchKernel[] => [
  backgroundExtraction(read),
  optionPrices(read),
  filter(read),
];
