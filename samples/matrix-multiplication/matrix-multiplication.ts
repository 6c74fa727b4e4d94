// Multiplies two matrices with each of the five kernels. The matrices stay on the device between the
// launches; only the products travel.
import { checkEqual } from '../support/checks.ts';
import { type DeviceBuffer, type Launch, local, roundUp } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { KernelRun, Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { multiplyReference } from './reference.ts';

export const matrixMultiplicationSample: Sample = {
  name: 'matrix-multiplication',
  title: 'Matrix multiplication',
  about:
    'Two matrices of 1024 x 1024 elements are multiplied by five kernels, from the simplest to ones that use vectors and local memory. ' +
    'All of them do the same two thousand million operations: what differs is how they go to memory.',
  run,
};

/** One way to multiply: what to launch, and where the product then lies, in rows of `stride` elements. */
interface Way {
  readonly kernel: string;
  readonly product: DeviceBuffer;
  readonly stride: number;
  launch(): Promise<Launch>;
}

async function run(context: SampleContext): Promise<SampleResult> {
  const n = context.size === 'full' ? 1024 : 21;
  const groupWidth = context.size === 'full' ? 256 : 16;

  context.progress(0, `making two matrices of ${n} x ${n}`);
  const a = randomDigits(n * n, 2);
  const b = randomDigits(n * n, 3);

  context.progress(0.05, 'reference');
  const reference = timeReference(context.size, () => multiplyReference(n, a, b));

  const program = await context.compile(
    await context.readKernel('matrix-multiplication/matrix-multiplication.cl'),
  );
  const bytes = a.byteLength;
  const onDevice = { a: program.buffer(a), b: program.buffer(b), c: program.buffer(bytes) };
  const rowOfA = local(n * Float32Array.BYTES_PER_ELEMENT);

  // The kernel with float4s wants rows that are whole float4s.
  const quads = Math.ceil(n / 4);
  const padded = {
    a: program.buffer(padRows(a, n, quads * 4)),
    b: program.buffer(padRows(b, n, quads * 4)),
    c: program.buffer(n * quads * 4 * Float32Array.BYTES_PER_ELEMENT),
  };

  const whole = { global: [roundUp(n, groupWidth), n], local: [groupWidth, 1] };
  const naive = program.kernel('matmul_naive');
  const coalesced = program.kernel('matmul_coalesced');
  const vector4 = program.kernel('matmul_vector4');
  const localRow = program.kernel('matmul_local_row');
  const localRowCoalesced = program.kernel('matmul_local_row_coalesced');

  const product = onDevice.c;
  const ways: readonly Way[] = [
    {
      kernel: 'matmul_naive',
      product,
      stride: n,
      launch: () => naive(whole, n, onDevice.a, onDevice.b, onDevice.c),
    },
    {
      kernel: 'matmul_coalesced',
      product,
      stride: n,
      // One work-group a row: its work-items go over the row in strides.
      launch: () =>
        coalesced({ global: [groupWidth, n], local: [groupWidth, 1] }, n, onDevice.a, onDevice.b, onDevice.c),
    },
    {
      kernel: 'matmul_vector4',
      product: padded.c,
      stride: quads * 4,
      launch: () =>
        vector4(
          { global: [roundUp(quads, 16), roundUp(n, 16)], local: [16, 16] },
          n,
          quads,
          padded.a,
          padded.b,
          padded.c,
        ),
    },
    {
      kernel: 'matmul_local_row',
      product,
      stride: n,
      launch: () => localRow(whole, n, onDevice.a, onDevice.b, onDevice.c, rowOfA),
    },
    {
      kernel: 'matmul_local_row_coalesced',
      product,
      stride: n,
      launch: () => localRowCoalesced(whole, n, onDevice.a, onDevice.b, onDevice.c, rowOfA),
    },
  ];

  const runs: KernelRun[] = [];
  for (const way of ways) {
    context.progress(0.3 + (0.7 * runs.length) / ways.length, way.kernel);
    // So that no kernel passes on what the one before it left.
    await way.product.write(new Float32Array(n * way.stride).fill(Number.NaN));
    const time = await timeKernel(context.size, async () => [await way.launch()]);
    const output = dropPadding(await way.product.read(Float32Array), n, way.stride);
    runs.push({
      kernel: way.kernel,
      ...time,
      cpuMilliseconds: reference.milliseconds,
      // The elements are digits, so every product and every sum (at most 1024 * 81) is a whole number below
      // 2^24: exact in single precision, in whatever order it is added up.
      check: checkEqual(output, reference.result),
      output,
    });
  }
  program.release();
  return { runs, pictures: [], findings: [] };
}

/** Whole numbers from 0 to 9. */
function randomDigits(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from({ length: count }, () => random.below(10));
}

/** The same matrix with rows of `stride` elements, the new ones zero. */
function padRows(matrix: Float32Array, n: number, stride: number): Float32Array {
  if (stride === n) return matrix;
  const wide = new Float32Array(n * stride);
  for (let row = 0; row < n; row++) wide.set(matrix.subarray(row * n, row * n + n), row * stride);
  return wide;
}

/** The opposite of padRows. */
function dropPadding(wide: Float32Array, n: number, stride: number): Float32Array {
  if (stride === n) return wide;
  const matrix = new Float32Array(n * n);
  for (let row = 0; row < n; row++) matrix.set(wide.subarray(row * stride, row * stride + n), row * n);
  return matrix;
}
