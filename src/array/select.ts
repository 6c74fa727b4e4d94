/** Choosing and counting elements: filter, take, bincount, histogram. How many elements a filter leaves is known when it has run. */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { roundUp } from './expression.ts';
import type { Node } from './node.ts';
import { numberTypes } from './number-types.ts';
import { scan } from './scan.ts';
import { sizeOf } from './shape.ts';

/** The elements where `mask` is true, in their order. `mask` and `input` have one size. */
export async function filtered(
  engine: Engine,
  input: Node,
  mask: Node,
): Promise<{ readonly buffer: DeviceBuffer; readonly count: number }> {
  const size = sizeOf(input.shape);
  if (size === 0) return { buffer: engine.buffer(input.type, 0), count: 0 };
  const places = engine.program.buffer(4 * size);
  const total = engine.program.buffer(4);
  try {
    const chosen = await engine.expression(mask);
    const { statements, value } = chosen.code('i');
    await scan(
      engine,
      {
        helpers: chosen.helpers,
        c: 'int',
        bytes: 4,
        neutral: '0',
        join: 'a + b',
        statements,
        value: `(int)${value}`,
        // The place of those that stay, -1 for the others.
        output: `places[i] = item == prev_item ? -1 : prev_item; if (i == length - 1) total[0] = item;`,
        parameters: ['global int *places', 'global int *total', ...chosen.parameters],
        arguments: [places, total, ...chosen.arguments],
      },
      { outer: 1, length: size, inner: 1 },
    );
    const count = (await total.read(Int32Array))[0]!;
    const out = engine.buffer(input.type, count);
    const expression = await engine.expression(input);
    const code = expression.code('i');
    await engine.launch(
      `${expression.helpers}kernel void compact(global const int *places, global ${numberTypes[input.type].c} *out, uint size${expression.parameters.map((p) => `, ${p}`).join('')}) {
  uint i = get_global_id(0);
  if (i >= size || places[i] < 0) return;
${code.statements}  out[places[i]] = ${code.value};
}
`,
      { global: [roundUp(size, 64)] },
      [places, out, size, ...expression.arguments],
    );
    return { buffer: out, count };
  } finally {
    places.release();
    total.release();
  }
}

/** Rows of the first axis, or elements of what has one axis; an index below 0 counts from the end, and one beyond it is the nearest. */
export async function taken(engine: Engine, input: Node, indices: Node): Promise<DeviceBuffer> {
  const count = sizeOf(indices.shape);
  const rows = input.shape[0]!;
  const width = sizeOf(input.shape.slice(1));
  const out = engine.buffer(input.type, count * width);
  if (count * width === 0) return out;
  if (rows === 0) throw invalid('take: the array has no elements');
  const from = await engine.dense(input);
  const expression = await engine.expression(indices);
  const { statements, value } = expression.code('i');
  await engine.launch(
    `${expression.helpers}kernel void take(global const ${numberTypes[input.type].c} *x, global ${numberTypes[input.type].c} *out, uint count, uint width, uint rows${expression.parameters.map((p) => `, ${p}`).join('')}) {
  uint at = get_global_id(0);
  if (at >= count * width) return;
  uint i = at / width;
${statements}  long row = ${value};
  row = clamp(row < 0 ? row + rows : row, 0L, (long)rows - 1);
  out[at] = x[row * width + at % width];
}
`,
    { global: [roundUp(count * width, 64)] },
    [from, out, count, width, rows, ...expression.arguments],
  );
  return out;
}

/** Bins up to so many are counted by each chunk of elements for itself. */
const mostOwnBins = 4096;

/**
 * Counts elements, or adds up their weights, by the bin that `bin` gives: code that may use `value` and gives an int; what is in no bin has -1.
 */
export async function counted(
  engine: Engine,
  input: Node,
  bins: number,
  bin: string,
  more: {
    readonly helpers: string;
    readonly parameters: readonly string[];
    readonly arguments: readonly (DeviceBuffer | number)[];
  },
  weights?: Node | undefined,
): Promise<DeviceBuffer> {
  const size = sizeOf(input.shape);
  const type = weights ? 'float64' : 'int32';
  const { c } = numberTypes[type];
  const out = engine.buffer(type, bins);
  const wanted = Math.min(engine.isGpu ? 1024 : 32, Math.ceil(size / 1024));
  const chunks = Math.max(1, bins <= mostOwnBins ? wanted : 1);
  const chunk = Math.ceil(size / chunks);
  const expression = await engine.expression(input);
  const { statements, value } = expression.code('i');
  const weight = weights && (await engine.expression(weights, 'w'));
  const weightCode = weight?.code('i');
  const parameters = [
    `global ${c} *partial`,
    'uint size',
    'uint chunk',
    'uint chunks',
    'uint bins',
    ...more.parameters,
    ...expression.parameters,
    ...(weight?.parameters ?? []),
  ];
  const partial = chunks > 1 ? engine.buffer(type, chunks * bins) : out;
  try {
    await engine.launch(
      `${more.helpers}${expression.helpers}${weight?.helpers ?? ''}kernel void count(${parameters.join(', ')}) {
  uint c = get_global_id(0);
  if (c >= chunks) return;
  global ${c} *own = partial + c * bins;
  for (uint b = 0; b < bins; b++) own[b] = 0;
  uint end = min(c * chunk + chunk, size);
  for (uint i = c * chunk; i < end; i++) {
${statements}${weightCode?.statements ?? ''}    ${numberTypes[input.type].c} value = ${value};
    int bin = ${bin};
    if (bin >= 0 && bin < (int)bins) own[bin] += ${weightCode?.value ?? '1'};
  }
}
`,
      engine.isGpu ? { global: [roundUp(chunks, 64)], local: [64] } : { global: [chunks], local: [1] },
      [
        partial,
        size,
        chunk,
        chunks,
        bins,
        ...more.arguments,
        ...expression.arguments,
        ...(weight?.arguments ?? []),
      ],
    );
    if (chunks > 1) {
      await engine.launch(
        `kernel void add_counts(global const ${c} *partial, global ${c} *out, uint chunks, uint bins) {
  uint b = get_global_id(0);
  if (b >= bins) return;
  ${c} sum = 0;
  for (uint k = 0; k < chunks; k++) sum += partial[k * bins + b];
  out[b] = sum;
}
`,
        { global: [roundUp(bins, 64)] },
        [partial, out, chunks, bins],
      );
    }
    return out;
  } finally {
    if (partial !== out) partial.release();
  }
}

/** The edges of bins of one width, as np.linspace has them. */
export function binEdges(bins: number, low: number, high: number): Float64Array {
  const step = (high - low) / bins;
  return Float64Array.from({ length: bins + 1 }, (_, i) => (i === bins ? high : i * step + low));
}

/** The bin of a value among those between `edges`: a first guess, put right by the edges themselves, as np.histogram does. */
export const histogramBin =
  '(double)value >= edges[0] && (double)value <= edges[bins] ? find_bin((double)value, edges, (int)bins) : -1';
export const histogramHelper = `static int find_bin(double x, global const double *edges, int bins) {
  int b = (int)((x - edges[0]) / (edges[bins] - edges[0]) * bins);
  if (b >= bins) b = bins - 1;
  if (x < edges[b]) b--;
  else if (b < bins - 1 && x >= edges[b + 1]) b++;
  return b;
}
`;
