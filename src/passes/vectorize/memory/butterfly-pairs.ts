/**
 * Loads and stores of two elements as far apart as a distance says (butterflies.ts): which go together, and how the two of
 * a pair are vectorised, for one known distance, into two vectors and two shuffles.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { elementOf, lanesOf, sizeOf } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { AffineForms } from '../../analysis/affine-forms.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { Mask } from '../emit/vector-value.ts';

export type Access = ir.Load | ir.Store;

/** Two loads or two stores of one list, with nothing but computations between them: `high` reaches `distance` elements further. */
export interface Pair {
  readonly low: Access;
  readonly high: Access;
  /** Which of the two comes first. */
  readonly first: Access;
}

/** Where both accesses of a pair are: 2 W neighbours, and which of them the lanes of the low one take. */
export interface Together {
  readonly pair: Pair;
  readonly first: ir.Value;
  readonly low: readonly number[];
  readonly size: number;
  readonly align: number;
}

/** The pairs of a region, by each of their two accesses. */
export function findPairs(
  region: ir.Region,
  distance: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  addressBytes: number,
): Map<ir.Instruction, Pair> {
  const forms = new AffineForms(definitions);
  const pairs = new Map<ir.Instruction, Pair>();
  const visit = ({ instructions }: ir.Region): void => {
    let last: Access | undefined;
    for (const instruction of instructions) {
      if (instruction.op === 'load' || instruction.op === 'store') {
        const pair = last && pairOf(last, instruction, distance, forms, addressBytes);
        if (pair) for (const one of [pair.low, pair.high]) pairs.set(one, pair);
        last = pair ? undefined : instruction;
      } else if (!isPure(instruction)) last = undefined;
    }
  };
  visit(region);
  walkRegion(region, ({ regions }) => regions.forEach(visit));
  return pairs;
}

function pairOf(
  a: Access,
  b: Access,
  distance: ir.Value,
  forms: AffineForms,
  addressBytes: number,
): Pair | undefined {
  const size = elementSize(a, addressBytes);
  if (a.op !== b.op || size === undefined || numberOf(a).type !== numberOf(b).type) return undefined;
  const [left, right] = [a, b].map((one) => forms.of(one.operands[0]!)) as [Sum, Sum];
  const isBehind = (first: Sum, second: Sum): boolean => {
    if (first.constant !== second.constant) return false;
    const terms = new Map(second.terms);
    for (const [value, factor] of first.terms) terms.set(value, (terms.get(value) ?? 0) - factor);
    return (
      [...terms].every(([value, factor]) => factor === (value === distance ? size : 0)) && terms.has(distance)
    );
  };
  if (isBehind(left, right)) return { low: a, high: b, first: a };
  return isBehind(right, left) ? { low: b, high: a, first: a } : undefined;
}

type Sum = ReturnType<AffineForms['of']>;

function numberOf(access: Access): ir.Value {
  return access.op === 'load' ? access.results[0]! : access.operands[1]!;
}

/** Bytes of what is loaded or stored; undefined if that is no number by itself. */
function elementSize(access: Access, addressBytes: number): number | undefined {
  const { type } = numberOf(access);
  const isNumber = (type.kind === 'int' || type.kind === 'float') && lanesOf(type) === 1;
  return isNumber && !access.volatile ? sizeOf(elementOf(type), addressBytes) : undefined;
}

function togetherOf(context: VectorContext, access: Access, mask: Mask): Together | undefined {
  const { butterflies, writer } = context;
  const pair = butterflies?.pairs.get(access);
  const pointer = context.vectorised(access.operands[0]!);
  if (!butterflies || !pair || mask || pointer.kind !== 'patterned') return undefined;
  const size = elementSize(access, sizeOf(writer.addressType, 8))!;
  const { elements } = butterflies;
  const own = pointer.offsets.map((bytes) => bytes / size);
  const before = access === pair.low ? 0 : elements;
  const least = Math.min(...own);
  const low = own.map((one) => one - least);
  const taken = new Set([...low, ...low.map((one) => one + elements)]);
  const fills =
    taken.size === 2 * writer.lanes && [...taken].every((one) => one >= 0 && one < 2 * writer.lanes);
  if (!fills || !low.every(Number.isInteger)) return undefined;
  const align = Math.min(pair.low.align, pair.high.align, size);
  return { pair, first: writer.moved(pointer.first, (least - before) * size), low, size, align };
}

/** Vectorises a load with the other one of its pair. @returns whether that could be done, or has been */
export function vectorisePairLoad(context: VectorContext, load: ir.Load, mask: Mask): boolean {
  const { butterflies, writer } = context;
  if (butterflies?.seconds.delete(load)) return true;
  const together = togetherOf(context, load, mask);
  if (!butterflies || !together || together.pair.first !== load) return false;
  const { pair, first, low, size, align } = together;
  const type = writer.vectorOf(numberOf(load).type);
  const a = writer.load(type, first, align);
  const b = writer.load(type, writer.moved(first, writer.lanes * size), align);
  const define = (one: Access, lanes: readonly number[]): void => {
    context.define(one.results[0]!, { kind: 'lanes', parts: [writer.shuffle(a, b, lanes)] });
  };
  const { elements, seconds } = butterflies;
  define(pair.low, low);
  define(
    pair.high,
    low.map((one) => one + elements),
  );
  seconds.set(secondOf(pair), together);
  return true;
}

/** Vectorises a store with the other one of its pair, at the later of the two. @returns whether that could be done */
export function vectorisePairStore(context: VectorContext, store: ir.Store, mask: Mask): boolean {
  const { butterflies, writer } = context;
  if (!butterflies) return false;
  const { elements, seconds } = butterflies;
  const together = seconds.get(store);
  if (!together) {
    const found = togetherOf(context, store, mask);
    if (!found || found.pair.first !== store) return false;
    seconds.set(secondOf(found.pair), found);
    return true;
  }
  seconds.delete(store);
  const { pair, first, low, size, align } = together;
  const [a, b] = [pair.low, pair.high].map((one) => context.parts(numberOf(one))[0]!) as [ir.Value, ir.Value];
  const from = Array.from({ length: 2 * writer.lanes }, () => 0);
  low.forEach((place, lane) => {
    from[place] = lane;
    from[place + elements] = writer.lanes + lane;
  });
  const halves = [from.slice(0, writer.lanes), from.slice(writer.lanes)];
  halves.forEach((lanes, half) => {
    writer.store(writer.moved(first, half * writer.lanes * size), writer.shuffle(a, b, lanes), align);
  });
  return true;
}

function secondOf({ low, high, first }: Pair): Access {
  return first === low ? high : low;
}
