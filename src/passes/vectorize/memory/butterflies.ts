/**
 * Pairs of elements a power of two apart, such as sorting networks, Fourier and Haar transforms exchange:
 *
 *     low = 2 * pair - (pair & (distance - 1));        distance 1:  0 2 4 6    and  1 3 5 7
 *     high = low + distance;                                    2:  0 1 4 5         2 3 6 7
 *     keys[low], keys[high] = ...                               4:  0 1 2 3         4 5 6 7
 *
 * From the distance W on, a vector of W work-items has neighbours in both (speculation.ts). Below that its pairs lie in each other's
 * gaps, and together they are 2 W neighbours. So for each distance below W the region is written once more, where the
 * distance is known, and with it how far each lane's addresses lie from the first one's: two vectors are loaded and
 * shuffled, or shuffled and stored, for two gathers or scatters.
 *
 * `pair % distance` and `pair / distance` count as well. Everything is as right as the general form, which vectors get
 * that begin at other places.
 *
 * The access map knows affine addresses, and these are not: a general form would need strides that differ by halves of a vector.
 */
import type * as ir from '../../../ir/ir.ts';
import { countInstructions } from '../../../ir/regions.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { Assumptions } from '../plan/speculation.ts';
import { type Access, findPairs, type Pair, type Together } from './butterfly-pairs.ts';

type Definitions = ReadonlyMap<ir.Value, ir.Instruction>;

/** What a region does to pairs, found before it is vectorised. */
export interface Butterflies {
  /** The same for all lanes. */
  readonly distance: ir.Value;
  /** The integers that step by one, of which each vector's first must be a multiple of its lanes. */
  readonly ids: ReadonlySet<ir.Value>;
  /** Those of the ids that are divided as signed integers, and so must not be negative. */
  readonly signed: ReadonlySet<ir.Value>;
  readonly pairs: ReadonlyMap<ir.Instruction, Pair>;
}

/** The same for one distance, while the region is written for that. */
export interface KnownDistance extends Butterflies {
  readonly elements: number;
  /** Loads that have been vectorised with the first of their pair, and stores that the first of their pair waits for. */
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
  if (!distance || countInstructions(region) > thresholds.mostForDistance) return undefined;
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

/**
 * Writes the region once for each distance below the lane count.
 * @param usual in which the ids and the distance have been vectorised
 * @param write writes the region into the current one, for this distance or, at last, for all others
 */
export function writeForDistances(
  usual: VectorContext,
  butterflies: Butterflies,
  write: (distance: KnownDistance | undefined) => void,
): void {
  const { writer } = usual;
  let isAligned: ir.Value | undefined;
  for (const id of butterflies.ids) {
    const first = writer.scalarOf(usual.vectorised(id));
    const type = first.type;
    const rest = writer.binary('and', first, writer.int(type, writer.lanes - 1));
    const tests = [writer.compare('eq', rest, writer.int(type, 0))];
    if (butterflies.signed.has(id)) tests.push(writer.compare('sge', first, writer.int(type, 0)));
    for (const test of tests) isAligned = isAligned ? writer.binary('and', isAligned, test) : test;
  }
  const distance = writer.scalarOf(usual.vectorised(butterflies.distance));
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
