/**
 * Collectives at group level: loops over the cells that the work-items of a group have left their values in, a vector
 * of cells at a time.
 *
 *     %sum = collective reduce %v fadd work-group
 *
 * becomes, between the piece that stores %v into each work-item's cell and the piece that uses %sum,
 *
 *     %at, %sums = loop (0, zeros) { ... load 16 cells ... fadd ... }
 *     %sum = loop (%at, the sum of %sums' lanes) { ... load a cell ... fadd ... }
 *
 * A scan leaves its results in the cells. In vectors of four it is made by shifting: x += x shifted by one lane, then by
 * two, then what came before.
 */
import type { Builder } from '../../ir/builder.ts';
import { identityOf, subGroupSize } from '../../ir/collectives.ts';
import { splatOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';
import { type ScalarType, sizeOf, type Type, type VectorType, vectorType } from '../../ir/types.ts';

/** The cells of a group. */
export interface CellArray {
  /** Writes at group level. */
  readonly builder: Builder;
  /** The address of the first. */
  readonly first: ir.Value;
  /** How many there are, of address width. */
  readonly count: ir.Value;
  readonly type: Type;
  readonly combine: ir.CombineFunction;
}

/** Bytes of what a reduction reads at once: four registers, whose sums do not wait for each other. */
const reducedBytes = 64;
const registerBytes = 16;
/** How many vectors are scanned at once. */
const scannedVectors = 4;

/** The address of a cell. */
export function cellAt(builder: Builder, first: ir.Value, index: ir.Value, type: Type): ir.Value {
  return builder.offset(first, builder.binary('imul', index, builder.integer(index.type, sizeOf(type))));
}

/** Combines all cells; the result is to be the value `result`. */
export function reduceCells(array: CellArray, result: ir.Value): void {
  const { builder, count, type, combine } = array;
  let at = zero(array);
  let start = identity(array, type);
  const wide = wideType(type, reducedBytes);
  if (wide) {
    const whole = forWhole(array, at, wide.lanes, [identity(array, wide)], ([sums], index) => [
      combined(builder, combine, sums!, load(array, index, wide)),
    ]);
    at = whole[0]!;
    start = foldLanes(array, whole[1]!);
  }
  const rest = builder.loop([at, start], [type]);
  rest.results = [result];
  const [index, sum] = rest.regions[0]!.parameters as [ir.Value, ir.Value];
  builder.within(rest.regions[0]!, () => {
    leaveUnless(builder, builder.compare('ult', index, count), rest, [sum]);
    builder.continue(rest, [next(builder, index), combined(builder, combine, sum, load(array, index, type))]);
  });
}

/** Leaves in each cell what came up to it. */
export function scanCells(array: CellArray, fn: ir.Collective['fn']): void {
  const { builder, count, type } = array;
  let at = zero(array);
  let before = identity(array, type);
  const wide = wideType(type, registerBytes);
  if (wide) {
    const start = identity(array, wide);
    const whole = forWhole(array, at, wide.lanes * scannedVectors, [start], ([carried], index) => [
      scanVectors(array, fn, wide, index, carried!),
    ]);
    at = whole[0]!;
    before = builder.extract(whole[1]!, 0);
  }
  scanOneByOne(array, fn, at, count, before);
}

/**
 * Several vectors at a time: each scanned on its own, then what came before it, so that the only thing that waits for the
 * iteration before is one combination.
 * @param carried what all cells before come to, in every lane
 * @returns the same for the next iteration
 */
function scanVectors(
  array: CellArray,
  fn: ir.Collective['fn'],
  type: VectorType,
  index: ir.Value,
  carried: ir.Value,
): ir.Value {
  const { builder, combine } = array;
  const { lanes } = type;
  const places = Array.from({ length: scannedVectors }, (_, number) =>
    number === 0 ? index : builder.binary('iadd', index, builder.integer(index.type, number * lanes)),
  );
  const scanned = places.map((place) => scannedLanes(builder, combine, load(array, place, type), type));
  const last = new Array<number>(lanes).fill(lanes - 1);
  let earlier: ir.Value | undefined;
  scanned.forEach((own, number) => {
    const before = earlier ? combined(builder, combine, carried, earlier) : carried;
    const all = combined(builder, combine, before, own);
    store(array, places[number]!, fn === 'scan_inclusive' ? all : shiftedIn(builder, before, all, lanes, 1));
    const total = builder.shuffle(own, own, last);
    earlier = earlier ? combined(builder, combine, earlier, total) : total;
  });
  return combined(builder, combine, carried, earlier!);
}

/** The same within each sub-group. Of a reduction every cell gets the result. */
export function combineSubGroups(array: CellArray, fn: ir.Collective['fn']): void {
  const { builder, count, type, combine } = array;
  let at = zero(array);
  const wide = sizeOf(type) >= 4 ? vectorType(type as ScalarType, subGroupSize) : undefined;
  if (wide) {
    const whole = forWhole(array, at, subGroupSize, [], (_, index) => {
      const own = load(array, index, wide);
      store(
        array,
        index,
        fn === 'reduce' ? reducedLanes(array, own, wide) : scannedFor(array, own, wide, fn),
      );
      return [];
    });
    at = whole[0]!;
  }
  const rest = builder.loop([at]);
  const [begin] = rest.regions[0]!.parameters as [ir.Value];
  builder.within(rest.regions[0]!, () => {
    leaveUnless(builder, builder.compare('ult', begin, count), rest, []);
    const next = builder.binary('iadd', begin, builder.integer(begin.type, subGroupSize));
    const end = builder.binary('umin', next, count);
    if (fn !== 'reduce') scanOneByOne(array, fn, begin, end, identity(array, type));
    else {
      const sum = forEach(array, begin, end, [identity(array, type)], ([before], index) => [
        combined(builder, combine, before!, load(array, index, type)),
      ]);
      forEach(array, begin, end, [], (_, index) => {
        store(array, index, sum[0]!);
        return [];
      });
    }
    builder.continue(rest, [next]);
  });
}

// ------------------------------------------------------------------------------------------------------- vectors

function wideType(type: Type, bytes: number): VectorType | undefined {
  // There is no vector arithmetic on halves.
  const size = sizeOf(type);
  return size < 4 ? undefined : vectorType(type as ScalarType, (bytes / size) as VectorType['lanes']);
}

/** All lanes combined: halves with halves. */
function foldLanes({ builder, combine }: CellArray, vector: ir.Value): ir.Value {
  let folded = vector;
  while (folded.type.kind === 'vector' && folded.type.lanes > 2) {
    const half = folded.type.lanes / 2;
    const lanes = Array.from({ length: half }, (_, lane) => lane);
    const low = builder.shuffle(folded, folded, lanes);
    const high = builder.shuffle(
      folded,
      folded,
      lanes.map((lane) => lane + half),
    );
    folded = combined(builder, combine, low, high);
  }
  return combined(builder, combine, builder.extract(folded, 0), builder.extract(folded, 1));
}

/** All lanes combined, in every lane. */
function reducedLanes({ builder, combine }: CellArray, vector: ir.Value, { lanes }: VectorType): ir.Value {
  let folded = vector;
  for (let distance = lanes / 2; distance >= 1; distance /= 2) {
    const others = Array.from({ length: lanes }, (_, lane) => lane ^ distance);
    folded = combined(builder, combine, folded, builder.shuffle(folded, folded, others));
  }
  return folded;
}

/** Each lane combined with those before it. */
export function scannedLanes(
  builder: Builder,
  combine: ir.CombineFunction,
  vector: ir.Value,
  type: VectorType,
): ir.Value {
  const start = identityVector(builder, combine, type);
  let scanned = vector;
  for (let distance = 1; distance < type.lanes; distance *= 2) {
    const before = shiftedIn(builder, start, scanned, type.lanes, distance);
    scanned = combined(builder, combine, before, scanned);
  }
  return scanned;
}

function scannedFor(array: CellArray, vector: ir.Value, type: VectorType, fn: ir.Collective['fn']): ir.Value {
  const scanned = scannedLanes(array.builder, array.combine, vector, type);
  if (fn === 'scan_inclusive') return scanned;
  return shiftedIn(array.builder, identity(array, type), scanned, type.lanes, 1);
}

/** The lanes moved up by a distance, after lanes of `low`. */
export function shiftedIn(
  builder: Builder,
  low: ir.Value,
  vector: ir.Value,
  lanes: number,
  by: number,
): ir.Value {
  return builder.shuffle(
    low,
    vector,
    Array.from({ length: lanes }, (_, lane) => (lane < by ? lanes - by + lane : lanes + lane - by)),
  );
}

// --------------------------------------------------------------------------------------------------------- loops

function scanOneByOne(
  array: CellArray,
  fn: ir.Collective['fn'],
  from: ir.Value,
  end: ir.Value,
  start: ir.Value,
): void {
  const { builder, type, combine } = array;
  forEach(array, from, end, [start], ([before], index) => {
    const all = combined(builder, combine, before!, load(array, index, type));
    store(array, index, fn === 'scan_inclusive' ? all : before!);
    return [all];
  });
}

type Body = (carried: readonly ir.Value[], index: ir.Value) => ir.Value[];

/** A loop over whole vectors of cells. @returns the first index that is left, and what the iterations carried along */
function forWhole(
  array: CellArray,
  from: ir.Value,
  lanes: number,
  start: ir.Value[],
  body: Body,
): ir.Value[] {
  const { builder, count } = array;
  const step = builder.integer(from.type, lanes);
  const loop = builder.loop(
    [from, ...start],
    [from, ...start].map(({ type }) => type),
  );
  const [index, ...carried] = loop.regions[0]!.parameters as [ir.Value, ...ir.Value[]];
  builder.within(loop.regions[0]!, () => {
    const end = builder.binary('iadd', index, step);
    leaveUnless(builder, builder.compare('ule', end, count), loop, [index, ...carried]);
    const values = body(carried, index);
    builder.continue(loop, [end, ...values]);
  });
  return loop.results;
}

/** A loop over single cells. @returns what the iterations carried along */
function forEach(array: CellArray, from: ir.Value, end: ir.Value, start: ir.Value[], body: Body): ir.Value[] {
  const { builder } = array;
  const loop = builder.loop(
    [from, ...start],
    start.map(({ type }) => type),
  );
  const [index, ...carried] = loop.regions[0]!.parameters as [ir.Value, ...ir.Value[]];
  builder.within(loop.regions[0]!, () => {
    leaveUnless(builder, builder.compare('ult', index, end), loop, carried);
    const values = body(carried, index);
    builder.continue(loop, [next(builder, index), ...values]);
  });
  return loop.results;
}

function leaveUnless(builder: Builder, condition: ir.Value, loop: ir.Loop, values: ir.Value[]): void {
  const choice = builder.if(condition);
  builder.within(choice.regions[0]!, () => builder.yield());
  builder.within(choice.regions[1]!, () => builder.break(loop, values));
}

// ------------------------------------------------------------------------------------------------------ small things

/** Two values, or vectors of them, combined. */
export function combined(builder: Builder, combine: ir.CombineFunction, a: ir.Value, b: ir.Value): ir.Value {
  // The choice of an operand is one instruction of the machine, while fmin and fmax look for NaNs.
  if (combine === 'fmin') return builder.select(builder.compare('flt', b, a), b, a);
  if (combine === 'fmax') return builder.select(builder.compare('flt', a, b), b, a);
  return builder.binary(combine, a, b);
}

function identity({ builder, combine }: CellArray, type: Type): ir.Value {
  return type.kind === 'vector'
    ? identityVector(builder, combine, type)
    : builder.constant(type, identityOf(combine, type));
}

/** What changes nothing, in every lane. */
export function identityVector(builder: Builder, combine: ir.CombineFunction, type: VectorType): ir.Value {
  return builder.constant(type, splatOf(type, identityOf(combine, type.element)));
}

function load({ builder, first, type }: CellArray, index: ir.Value, wanted: Type): ir.Value {
  return builder.load(wanted, cellAt(builder, first, index, type), sizeOf(type));
}

function store({ builder, first, type }: CellArray, index: ir.Value, value: ir.Value): void {
  builder.store(cellAt(builder, first, index, type), value, sizeOf(type));
}

function zero({ builder }: CellArray): ir.Value {
  return builder.integer(builder.addressType, 0);
}

function next(builder: Builder, index: ir.Value): ir.Value {
  return builder.binary('iadd', index, builder.integer(index.type, 1));
}
