// Matrix multiplication with one output a thread, and with eight of four columns each.
import { multiplyReference } from '../matrix-multiplication/reference.ts';
import { checkEqual } from '../support/checks.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, SampleResult, StreamContext, StreamSample } from '../support/sample.ts';
import { type BrookModule, contentOf, streamOf } from '../support/streams.ts';
import { type KernelTime, timeCalls, timeReference } from '../support/timing.ts';
import { joinSlices, slicesOf } from './slices.ts';

export const brookMatrixMultiplicationSample: StreamSample = {
  name: 'brook-matrix-multiplication',
  title: 'Matrix multiplication with streams',
  about:
    'The simple way gathers a row and a column for each element. The other computes blocks of 8 x 4 a thread ' +
    'and writes eight streams at once: an eighth of the loads for each product.',
  run,
};

async function run(context: StreamContext): Promise<SampleResult> {
  // The blocks want a multiple of eight.
  const n = context.size === 'full' ? 1024 : 24;
  const [a, b] = [randomDigits(n * n, 13), randomDigits(n * n, 14)];
  context.progress(0.05, 'reference');
  const reference = timeReference(context.size, () => multiplyReference(n, a, b));
  const module = context.brook(
    await context.readKernel('brook-matrix-multiplication/matrix-multiplication.br'),
  );
  const runs: KernelRun[] = [];
  for (const [kernel, multiply] of [
    ['simple_multiply', multiplySimply],
    ['optimised_multiply', multiplyInBlocks],
  ] as const) {
    context.progress(0.4 + 0.3 * runs.length, kernel);
    const { output, ...time } = await multiply(context, module, n, a, b);
    // Digits: every sum is a whole number below 2^24, exact in whatever order it is added up.
    const check = checkEqual(output, reference.result);
    runs.push({ kernel, ...time, cpuMilliseconds: reference.milliseconds, check, output });
  }
  return { runs, pictures: [], findings: [] };
}

type Product = KernelTime & { readonly output: Float32Array };

async function multiplySimply(
  { size }: StreamContext,
  module: BrookModule,
  n: number,
  a: Float32Array,
  b: Float32Array,
): Promise<Product> {
  const [left, right] = [streamOf(module, 'float', [n, n], a), streamOf(module, 'float', [n, n], b)];
  const product = module.stream('float', [n, n]);
  const time = await timeCalls(size, () => {
    module.kernels['simple_multiply']!(n, left, right, product);
    product.finish();
  });
  const output = contentOf(product, new Float32Array(n * n));
  for (const stream of [left, right, product]) stream.release();
  return { ...time, output };
}

async function multiplyInBlocks(
  { size }: StreamContext,
  module: BrookModule,
  n: number,
  a: Float32Array,
  b: Float32Array,
): Promise<Product> {
  const quads = n / 4;
  const left = slicesOf(a, n, 8).map((slice) => streamOf(module, 'float4', [quads, n / 8], slice));
  const right = slicesOf(b, n, 4).map((slice) => streamOf(module, 'float4', [quads, n / 4], slice));
  const product = left.map(() => module.stream('float4', [quads, n / 8]));
  const time = await timeCalls(size, () => {
    module.kernels['optimised_multiply']!(quads, ...left, ...right, ...product);
    product[0]!.finish();
  });
  const slices = product.map((slice) => contentOf(slice, new Float32Array((n * n) / 8)));
  for (const stream of [...left, ...right, ...product]) stream.release();
  return { ...time, output: joinSlices(slices, n) };
}

/** Whole numbers from 0 to 9. */
function randomDigits(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from({ length: count }, () => random.below(10));
}
