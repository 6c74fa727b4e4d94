/**
 * Neighbouring user vectors, such as an array of float4 read one a work-item: the vector's lanes of all components are
 * loaded together and sorted by component with shuffles, or the other way round for stores.
 *
 *     x0 y0 z0 w0  x1 y1 z1 w1  ...   <=>   x0 x1 ..., y0 y1 ..., z0 z1 ..., w0 w1 ...
 *
 * Two vectors are unzipped into their even and odd lanes; for four components that is done twice.
 */
import type * as ir from '../../../ir/ir.ts';
import type { VectorType } from '../../../ir/types.ts';
import type { Vectors } from '../../../target/target.ts';
import type { VectorWriter } from '../emit/vector-writer.ts';

/** The numbers of components that halving separates. */
export function canInterleave(components: number): boolean {
  return components === 2 || components === 4;
}

/**
 * @param type of one component's lanes
 * @param size bytes of one component of one work-item
 * @returns one vector a component
 */
export function loadInterleaved(
  writer: VectorWriter,
  type: VectorType,
  components: number,
  pointer: ir.Value,
  align: number,
  size: number,
): ir.Value[] {
  const blocks = Array.from({ length: components }, (_, block) => {
    const place = writer.moved(pointer, block * writer.lanes * size);
    return writer.load(type, place, block === 0 ? align : Math.min(align, size));
  });
  return unzip(writer, blocks);
}

/** Lanes in memory order, in as many vectors as there are components, become one vector a component. */
function unzip(writer: VectorWriter, blocks: readonly ir.Value[]): ir.Value[] {
  if (blocks.length === 1) return [...blocks];
  const even: ir.Value[] = [];
  const odd: ir.Value[] = [];
  for (let at = 0; at < blocks.length; at += 2) {
    const [a, b] = [blocks[at]!, blocks[at + 1]!];
    even.push(writer.shuffle(a, b, everySecond(writer.lanes, 0)));
    odd.push(writer.shuffle(a, b, everySecond(writer.lanes, 1)));
  }
  // Components 0, 2 and 1, 3.
  const evens = unzip(writer, even);
  const odds = unzip(writer, odd);
  return evens.flatMap((one, at) => [one, odds[at]!]);
}

function everySecond(lanes: number, from: number): number[] {
  return Array.from({ length: lanes }, (_, lane) => 2 * lane + from);
}

/** Whether every second element is better picked from vectors than loaded by itself: where lanes fill registers. */
export function canPickEverySecond(lanes: number, size: number, { shuffleBits }: Vectors): boolean {
  return size <= 4 && (lanes * size * 8) % shuffleBits === 0;
}

/** The lanes of neighbours that are two elements apart, as `in[2 * i]`. What lies behind the last one is read, too. */
export function loadEverySecond(
  writer: VectorWriter,
  type: VectorType,
  pointer: ir.Value,
  align: number,
  size: number,
): ir.Value {
  return loadInterleaved(writer, type, 2, pointer, align, size)[0]!;
}

export function storeInterleaved(
  writer: VectorWriter,
  values: readonly ir.Value[],
  pointer: ir.Value,
  align: number,
  size: number,
): void {
  zip(writer, values).forEach((block, at) => {
    const place = writer.moved(pointer, at * writer.lanes * size);
    writer.store(place, block, at === 0 ? align : Math.min(align, size));
  });
}

/** The opposite of {@link unzip}. */
function zip(writer: VectorWriter, values: readonly ir.Value[]): ir.Value[] {
  if (values.length === 1) return [...values];
  const evens = zip(
    writer,
    values.filter((_, at) => at % 2 === 0),
  );
  const odds = zip(
    writer,
    values.filter((_, at) => at % 2 === 1),
  );
  const { lanes } = writer;
  const merged = (from: number): number[] =>
    Array.from({ length: lanes }, (_, at) => from + (at >> 1) + (at % 2) * lanes);
  return evens.flatMap((even, at) => [
    writer.shuffle(even, odds[at]!, merged(0)),
    writer.shuffle(even, odds[at]!, merged(lanes / 2)),
  ]);
}
