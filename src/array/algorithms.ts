/** What is loaded when an array first needs more than operations on elements and reductions. */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { roundUp } from './expression.ts';
import type { Node } from './node.ts';
import { numberTypes } from './number-types.ts';
import { along } from './reduce.ts';
import { scan } from './scan.ts';
import { counted, histogramBin, histogramHelper } from './select.ts';
import { sizeOf } from './shape.ts';

export { binomial, gamma, poisson } from './distributions.ts';
export { product } from './matmul.ts';
export { fillByMrg } from './mrg-kernel.ts';
export { binEdges, filtered, taken } from './select.ts';
export { sorted, sortedPlaces } from './sort.ts';

export interface ScanOperator {
  readonly join: string;
  readonly neutral: string;
  readonly isExclusive: boolean;
}

/** Each element with all before it, along an axis or in the order of all. */
export async function scanned(
  engine: Engine,
  input: Node,
  axis: number | undefined,
  { join, neutral, isExclusive }: ScanOperator,
): Promise<DeviceBuffer> {
  const { c, bytes } = numberTypes[input.type];
  const out = engine.buffer(input.type, sizeOf(input.shape));
  const expression = await engine.expression(input);
  const { statements, value } = expression.code('i');
  const code = {
    helpers: expression.helpers,
    c,
    bytes,
    neutral,
    join,
    statements,
    value,
    output: `out[i] = ${isExclusive ? 'prev_item' : 'item'};`,
    parameters: [`global ${c} *out`, ...expression.parameters],
    arguments: [out, ...expression.arguments],
  };
  await scan(engine, code, along(input.shape, axis));
  return out;
}

/** How often integers are there, or the sums of their weights. */
export function binCounts(
  engine: Engine,
  [input, weights]: readonly Node[],
  bins: number,
): Promise<DeviceBuffer> {
  const nothing = { helpers: '', parameters: [], arguments: [] };
  return counted(engine, input!, bins, '(int)value', nothing, weights);
}

export async function histogramCounts(
  engine: Engine,
  input: Node,
  edges: Float64Array,
): Promise<DeviceBuffer> {
  const buffer = engine.bufferOf(edges);
  try {
    return await counted(engine, input, edges.length - 1, histogramBin, {
      helpers: histogramHelper,
      parameters: ['global const double *edges'],
      arguments: [buffer],
    });
  } finally {
    buffer.release();
  }
}

/** A mask with one element more, the first, which is true. */
export async function withFirst(engine: Engine, mask: Node): Promise<DeviceBuffer> {
  const size = sizeOf(mask.shape) + 1;
  const out = engine.buffer('bool', size);
  const expression = await engine.expression(mask);
  const { statements, value } = expression.code('i');
  const parameters = ['global uchar *out', 'uint size', ...expression.parameters];
  await engine.launch(
    `${expression.helpers}kernel void with_first(${parameters.join(', ')}) {
  uint at = get_global_id(0);
  if (at >= size) return;
  if (at == 0) {
    out[0] = 1;
    return;
  }
  uint i = at - 1;
${statements}  out[at] = ${value};
}
`,
    { global: [roundUp(size, 64)] },
    [out, size, ...expression.arguments],
  );
  return out;
}
