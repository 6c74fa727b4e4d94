/**
 * Pairs of elements a power of two apart, such as sorting networks, Fourier and Haar transforms exchange:
 *
 *     low = 2 * pair - (pair & (distance - 1));        distance 1:  0 2 4 6    and  1 3 5 7
 *     high = low + distance;                                    2:  0 1 4 5         2 3 6 7
 *     keys[low], keys[high] = ...                               4:  0 1 2 3         4 5 6 7
 *
 * From the distance W on, a pack of W work-items has neighbours in both (assumptions.ts). Below that its pairs lie in each other's
 * gaps, and together they are 2 W neighbours. So for each distance below W the region is written once more, where the
 * distance is known, and with it how far each lane's addresses lie from the first one's: two vectors are loaded and
 * shuffled, or shuffled and stored, for two gathers or scatters.
 *
 * `pair % distance` and `pair / distance` count as well. Everything is as right as the general form, which packs get
 * that begin at other places.
 */
import type * as ir from '../../ir/ir.ts';
import { isPure } from '../../ir/ir.ts';
import { countInstructions } from '../../ir/regions.ts';
import { elementOf, lanesOf, sizeOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { costs } from '../cost/cost-table.ts';
import { LinearForms } from '../linear-forms.ts';
import type { Assumptions } from './assumptions.ts';
import type { PackContext } from './pack-context.ts';
import type { Mask, Packed } from './packed-value.ts';

type Definitions = ReadonlyMap<ir.Value, ir.Instruction>;

type Access = ir.Load | ir.Store;

/** Two loads or two stores of one list, with nothing but computations between them: `high` reaches `distance` elements further. */
interface Pair {
  readonly low: Access;
  readonly high: Access;
  /** Which of the two comes first. */
  readonly first: Access;
}

/** What a region does to pairs, found before it is packed. */
export interface Butterflies {
  /** The same for all lanes. */
  readonly distance: ir.Value;
  /** By the integers that step by one, of which each pack's first must be a multiple of its lanes. */
  readonly ids: ReadonlySet<ir.Value>;
  /** Those of the ids that are divided as signed integers, and so must not be negative. */
  readonly signed: ReadonlySet<ir.Value>;
  readonly pairs: ReadonlyMap<ir.Instruction, Pair>;
}

/** The same for one distance, while the region is written for that. */
export interface KnownDistance extends Butterflies {
  readonly elements: number;
  /** Loads that have been packed with the first of their pair, and stores that the first of their pair waits for. */
  readonly seconds: Map<Access, Together>;
}

/** What is assumed of the region says which ids and distances there may be. */
export function findButterflies(
  region: ir.Region,
  { assumed }: Assumptions,
  definitions: Definitions,
  addressBits: 32 | 64,
): Butterflies | undefined {
  const ids = new Set<ir.Value>();
  const signed = new Set<ir.Value>();
  let distance: ir.Value | undefined;
  for (const instruction of assumed) {
    const [id, other] = instruction.operands as [ir.Value, ir.Value];
    const found = distanceOf(instruction, definitions);
    if (!found || (distance && distance !== found)) continue;
    distance = found;
    ids.add(
      instruction.op === 'binary' && instruction.fn === 'and' && isBelow(id, found, definitions) ? other : id,
    );
    if (instruction.op === 'binary' && (instruction.fn === 'srem' || instruction.fn === 'sdiv'))
      signed.add(id);
  }
  if (!distance || countInstructions(region) > costs.mostForDistance) return undefined;
  const pairs = findPairs(region, distance, definitions, addressBits / 8);
  return pairs.size > 0 ? { distance, ids, signed, pairs } : undefined;
}

/** What `x & (distance - 1)`, `x % distance` and `x / distance` take for one; undefined for anything else. */
function distanceOf(instruction: ir.Instruction, definitions: Definitions): ir.Value | undefined {
  if (instruction.op !== 'binary') return undefined;
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  switch (instruction.fn) {
    case 'and':
      return lessOne(b, definitions) ?? lessOne(a, definitions);
    case 'urem':
    case 'udiv':
    case 'srem':
    case 'sdiv':
      return definitions.get(b)?.op === 'constant' ? undefined : b;
    default:
      return undefined;
  }
}

/** v of `v - 1`. */
function lessOne(value: ir.Value, definitions: Definitions): ir.Value | undefined {
  const definition = definitions.get(value);
  if (definition?.op !== 'binary' || definition.fn !== 'iadd') return undefined;
  const [whole, one] = definition.operands as [ir.Value, ir.Value];
  const constant = definitions.get(one);
  return constant?.op === 'constant' && Number(constant.value) === -1 ? whole : undefined;
}

function isBelow(value: ir.Value, distance: ir.Value, definitions: Definitions): boolean {
  return lessOne(value, definitions) === distance;
}

function findPairs(
  region: ir.Region,
  distance: ir.Value,
  definitions: Definitions,
  addressBytes: number,
): Map<ir.Instruction, Pair> {
  const forms = new LinearForms(definitions);
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
  forms: LinearForms,
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

type Sum = ReturnType<LinearForms['of']>;

function numberOf(access: Access): ir.Value {
  return access.op === 'load' ? access.results[0]! : access.operands[1]!;
}

/** Bytes of what is loaded or stored; undefined if that is no number by itself. */
function elementSize(access: Access, addressBytes: number): number | undefined {
  const { type } = numberOf(access);
  const isNumber = (type.kind === 'int' || type.kind === 'float') && lanesOf(type) === 1;
  return isNumber && !access.volatile ? sizeOf(elementOf(type), addressBytes) : undefined;
}

/**
 * Writes the region once for each distance below the lane count.
 * @param usual in which the ids and the distance have been packed
 * @param write writes the region into the current one, for this distance or, at last, for all others
 */
export function writeForDistances(
  usual: PackContext,
  butterflies: Butterflies,
  write: (distance: KnownDistance | undefined) => void,
): void {
  const { writer } = usual;
  let isAligned: ir.Value | undefined;
  for (const id of butterflies.ids) {
    const first = writer.scalarOf(usual.packed(id));
    const type = first.type;
    const rest = writer.binary('and', first, writer.int(type, writer.lanes - 1));
    const tests = [writer.compare('eq', rest, writer.int(type, 0))];
    if (butterflies.signed.has(id)) tests.push(writer.compare('sge', first, writer.int(type, 0)));
    for (const test of tests) isAligned = isAligned ? writer.binary('and', isAligned, test) : test;
  }
  const distance = writer.scalarOf(usual.packed(butterflies.distance));
  const next = (elements: number): void => {
    if (elements >= writer.lanes) {
      write(undefined);
      return;
    }
    const isThis = writer.compare('eq', distance, writer.int(distance.type, elements));
    const branch = writer.if(isAligned ? writer.binary('and', isThis, isAligned) : isThis);
    writer.within(branch.regions[0]!, () => write({ ...butterflies, elements, seconds: new Map() }));
    writer.within(branch.regions[1]!, () => next(2 * elements));
    writer.yield();
  };
  next(1);
}

// ------------------------------------------------------------------------------------------- computations

type Patterned = Packed & { readonly kind: 'patterned' };

/** Integers and pointers whose lanes differ by what the distance says. */
export function packPatterned(context: PackContext, instruction: ir.Instruction): Packed | undefined {
  const { butterflies, writer } = context;
  const result = instruction.results[0]!;
  if (!butterflies || (result.type.kind !== 'int' && result.type.kind !== 'pointer')) return undefined;
  const [a, b] = instruction.operands as [ir.Value, ir.Value?];
  const own = b && packOfId(context, instruction, butterflies, a, b);
  if (own) return own;
  const offsets = offsetsOf(context, instruction);
  if (!offsets) return undefined;
  const scalars = instruction.operands.map((operand) => {
    const packed = context.packed(operand);
    return packed.kind === 'patterned' ? packed.first : writer.scalarOf(packed);
  });
  const first: ir.Value = { ...result };
  writer.append({ ...instruction, operands: scalars, results: [first], regions: [] });
  return { kind: 'patterned', first, offsets };
}

/** `id & (distance - 1)`, `id % distance`, `id / distance`. */
function packOfId(
  context: PackContext,
  instruction: ir.Instruction,
  { distance, ids, elements }: KnownDistance,
  a: ir.Value,
  b: ir.Value,
): Patterned | undefined {
  if (instruction.op !== 'binary') return undefined;
  const { writer } = context;
  const isId = (value: ir.Value): boolean => {
    const packed = context.packed(value);
    return ids.has(value) && packed.kind === 'affine' && packed.step === 1;
  };
  const perLane = (of: (lane: number) => number): number[] =>
    Array.from({ length: writer.lanes }, (_, lane) => of(lane));
  const rest = (type: ir.Value['type']): Patterned => ({
    kind: 'patterned',
    first: writer.int(type, 0),
    offsets: perLane((lane) => lane % elements),
  });
  switch (instruction.fn) {
    case 'and': {
      const isMask = (value: ir.Value): boolean => {
        const definition = context.definition(value);
        return (
          definition?.op === 'binary' &&
          definition.operands[0] === distance &&
          knownOf(context, value) === elements - 1
        );
      };
      return (isId(a) && isMask(b)) || (isId(b) && isMask(a)) ? rest(a.type) : undefined;
    }
    case 'urem':
    case 'srem':
      return isId(a) && b === distance ? rest(a.type) : undefined;
    case 'udiv':
    case 'sdiv': {
      if (!isId(a) || b !== distance) return undefined;
      const shift = writer.int(a.type, Math.log2(elements));
      const first = writer.binary('ushr', writer.scalarOf(context.packed(a)), shift);
      return { kind: 'patterned', first, offsets: perLane((lane) => Math.floor(lane / elements)) };
    }
    default:
      return undefined;
  }
}

/** How far each lane's result lies from the first one's. */
function offsetsOf(context: PackContext, instruction: ir.Instruction): readonly number[] | undefined {
  const packed = instruction.operands.map((operand) => context.packed(operand));
  if (!packed.some(({ kind }) => kind === 'patterned')) return undefined;
  const lanes = packed.map((one) => lanesOffsets(context, one));
  const [a, b] = lanes;
  if (!a) return undefined;
  if (instruction.op === 'offset') return b && a.map((one, lane) => one + b[lane]!);
  if (instruction.op === 'convert') {
    return instruction.fn === 'ptoi' || instruction.fn === 'itop' || instruction.fn === 'space'
      ? a
      : undefined;
  }
  if (instruction.op !== 'binary' || !b) return undefined;
  const times = (offsets: readonly number[], factor: number | undefined): readonly number[] | undefined =>
    factor === undefined ? undefined : offsets.map((one) => one * factor);
  const [left, right] = instruction.operands as [ir.Value, ir.Value];
  switch (instruction.fn) {
    case 'iadd':
      return a.map((one, lane) => one + b[lane]!);
    case 'isub':
      return a.map((one, lane) => one - b[lane]!);
    case 'imul':
      return packed[1]!.kind === 'uniform'
        ? times(a, knownOf(context, right))
        : packed[0]!.kind === 'uniform'
          ? times(b, knownOf(context, left))
          : undefined;
    case 'shl': {
      const count = packed[1]!.kind === 'uniform' ? knownOf(context, right) : undefined;
      return count === undefined || count > 16 ? undefined : times(a, 2 ** count);
    }
    default:
      return undefined;
  }
}

function lanesOffsets({ writer }: PackContext, packed: Packed): readonly number[] | undefined {
  const step = packed.kind === 'affine' ? packed.step : packed.kind === 'uniform' ? 0 : undefined;
  if (step !== undefined) return Array.from({ length: writer.lanes }, (_, lane) => lane * step);
  return packed.kind === 'patterned' ? packed.offsets : undefined;
}

/** A small number that the distance makes of a value; undefined if it does not say. */
function knownOf(context: PackContext, value: ir.Value): number | undefined {
  const { butterflies } = context;
  if (value === butterflies?.distance) return butterflies.elements;
  const definition = context.definition(value);
  if (definition?.op === 'constant') {
    const { value: constant } = definition;
    const number =
      typeof constant === 'number' || typeof constant === 'bigint' ? Number(constant) : Number.NaN;
    return Number.isInteger(number) && Math.abs(number) <= largest ? number : undefined;
  }
  if (definition?.op !== 'binary') return undefined;
  const [left, right] = definition.operands as [ir.Value, ir.Value];
  const a = knownOf(context, left);
  const b = a === undefined ? undefined : knownOf(context, right);
  if (a === undefined || b === undefined) return undefined;
  const known =
    definition.fn === 'iadd'
      ? a + b
      : definition.fn === 'isub'
        ? a - b
        : definition.fn === 'imul'
          ? a * b
          : definition.fn === 'shl' && b >= 0 && b <= 16
            ? a * 2 ** b
            : Number.NaN;
  return Math.abs(known) <= largest ? known : undefined;
}

/** Numbers beyond this are no distances in a pack. */
const largest = 1024;

// ----------------------------------------------------------------------------------------------- accesses

/** Where both accesses of a pair are: 2 W neighbours, and which of them the lanes of the low one take. */
interface Together {
  readonly pair: Pair;
  readonly first: ir.Value;
  readonly low: readonly number[];
  readonly size: number;
  readonly align: number;
}

function togetherOf(context: PackContext, access: Access, mask: Mask): Together | undefined {
  const { butterflies, writer } = context;
  const pair = butterflies?.pairs.get(access);
  const pointer = context.packed(access.operands[0]!);
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

/** Packs a load with the other one of its pair. @returns whether that could be done, or has been */
export function packPairLoad(context: PackContext, load: ir.Load, mask: Mask): boolean {
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

/** Packs a store with the other one of its pair, at the later of the two. @returns whether that could be done */
export function packPairStore(context: PackContext, store: ir.Store, mask: Mask): boolean {
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
