/** Rodinia's back propagation: sums of a layer in local memory, and the weights' change. */
import { type BenchKernel, count, floats, int } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

const hidden = 16;

export function backPropagation(read: ReadSource): BenchKernel[] {
  const source = read('backprop/backprop_kernel.cl');
  const inputsOf = (size: string): number => (size === 'full' ? 2 ** 17 : 2 ** 11);
  const shape = (inputs: number) => ({ global: [hidden, inputs], local: [16, 16] });
  return [
    {
      name: 'Rodinia backprop sums',
      source,
      prepare(size) {
        const inputs = inputsOf(size);
        const input = floats(inputs + 1, 11);
        const weights = floats((inputs + 1) * (hidden + 1), 12);
        return {
          size: `${count(inputs)} inputs`,
          buffers: { input, hidden: 4 * (hidden + 1), weights, partial: 4 * (inputs / 16) * hidden },
          restored: ['weights'],
          launches: [
            {
              kernel: 'bpnn_layerforward_ocl',
              ...shape(inputs),
              arguments: [
                'input',
                'hidden',
                'weights',
                'partial',
                { local: 64 },
                { local: 1024 },
                int(inputs),
                int(hidden),
              ],
            },
          ],
          work: { unit: 'GFLOP/s', amount: 2 * inputs * hidden },
          check(result) {
            const expected = (index: number): number => {
              const [block, unit] = [Math.floor(index / hidden), index % hidden];
              let sum = 0;
              for (let row = 0; row < 16; row += 1) {
                const at = 16 * block + row + 1;
                sum += input[at]! * weights[at * (hidden + 1) + unit + 1]!;
              }
              // The first round of its reduction adds each product to itself.
              return 2 * sum;
            };
            return near(result('partial', Float32Array), expected, { tolerance: 1e-5 });
          },
        };
      },
    },
    {
      name: 'Rodinia backprop weights',
      source,
      prepare(size) {
        const inputs = inputsOf(size);
        const [delta, ly] = [floats(hidden + 1, 13), floats(inputs + 1, 14)];
        const [w, oldw] = [
          floats((inputs + 1) * (hidden + 1) + 1, 15),
          floats((inputs + 1) * (hidden + 1) + 1, 16),
        ];
        return {
          size: `${count(inputs)} inputs`,
          buffers: { delta, ly, w, oldw },
          restored: ['w', 'oldw'],
          launches: [
            {
              kernel: 'bpnn_adjust_weights_ocl',
              ...shape(inputs),
              arguments: ['delta', int(hidden), 'ly', int(inputs), 'w', 'oldw'],
            },
          ],
          work: { unit: 'GB/s', amount: 16 * inputs * hidden },
          check(result) {
            const expected = (index: number): number => {
              const [row, unit] = [Math.floor(index / (hidden + 1)), index % (hidden + 1)];
              if (unit === 0 || row > inputs) return w[index]!;
              if (row === 0) return w[index]! + 0.3 * delta[unit]! + 0.3 * oldw[index]!;
              return w[index]! + 0.3 * delta[unit]! * ly[row]! + 0.3 * oldw[index]!;
            };
            return near(result('w', Float32Array), expected, { tolerance: 1e-5 });
          },
        };
      },
    },
  ];
}
