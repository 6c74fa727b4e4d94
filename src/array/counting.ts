/** How often numbers are in an array: of each integer, and in bins. What decides is the least and the largest, for which both wait. */
import { shown } from '../source/shown.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import type { NdArray } from './nd-array.ts';
import type { Node } from './node.ts';
import { isInteger } from './number-types.ts';
import { readShape, shapeText } from './shape.ts';

const algorithms = () => import('./algorithms.ts');

/** See NdArray.bincount. */
export async function countEach(
  engine: Engine,
  array: NdArray,
  { weights, minLength = 0 }: { readonly weights?: NdArray; readonly minLength?: number },
): Promise<Node> {
  if (!isInteger(array.type)) throw invalid(`bincount is for integers, not for ${array.type}`);
  const [least, largest] =
    array.size === 0 ? [0, -1] : await Promise.all([array.min().item(), array.max().item()]);
  if (least < 0) throw invalid(`bincount: there is a negative element, ${least}`);
  const bins = Math.max(Number(largest) + 1, minLength);
  readShape(bins);
  if (weights && weights.size !== array.size) {
    throw invalid(
      `bincount: shapes ${shapeText(array.shape)} and ${shapeText(weights.shape)} of the weights differ`,
    );
  }
  const inputs = [
    array.nodeFor(engine, 'bincount'),
    ...(weights ? [weights.nodeFor(engine, 'bincount')] : []),
  ];
  return engine.task(weights ? 'float64' : 'int32', [bins], inputs, async () =>
    (await algorithms()).binCounts(engine, inputs, bins),
  );
}

/** See NdArray.histogram. */
export async function countInBins(
  engine: Engine,
  array: NdArray,
  bins: number,
  range: readonly [number, number] | undefined,
): Promise<{ readonly counts: Node; readonly edges: Float64Array }> {
  if (!Number.isInteger(bins) || bins < 1) throw invalid(`histogram: ${shown(bins)} bins`);
  let [low, high] = range ?? [0, 1];
  if (!range && array.size > 0) {
    [low, high] = (await Promise.all([array.min().item(), array.max().item()])).map(Number) as [
      number,
      number,
    ];
  }
  if (!(Number.isFinite(low) && Number.isFinite(high) && low <= high)) {
    throw invalid(`histogram: there are no bins from ${low} to ${high}`);
  }
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const { binEdges, histogramCounts } = await algorithms();
  const edges = binEdges(bins, low, high);
  const input = array.nodeFor(engine, 'histogram');
  const counts = engine.task('int32', [bins], [input], () => histogramCounts(engine, input, edges));
  return { counts, edges };
}
