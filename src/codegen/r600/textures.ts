/**
 * Finds the coordinates of a texture in the address that a kernel computes for it. What Brook+ and IL say as `A[y][x]` reaches the IR
 * as
 *
 *     pointer + (start + clamp(x, 0, width - 1) + clamp(y, 0, height - 1) * pitch) * size
 *
 * with start, width, height and pitch out of a parameter that tells the shape. A texture unit takes x and y, knows the shape,
 * and clamps by itself; so the address is split into terms, and x and y are what is left of them without the shape. It
 * rounds floats down by itself, too, and multiplies those from 0 to 1 by the size.
 */
import type * as ir from '../../ir/ir.ts';

export interface Coordinates {
  /** Integers; undefined for 0. */
  readonly x: ir.Value | undefined;
  readonly y: ir.Value | undefined;
  /** They are kept inside as numbers without a sign: a read that gives 0 outside. */
  readonly isLoad: boolean;
}

/** A coordinate in floats, before it was rounded. */
export interface FloatCoordinate {
  readonly value: ir.Value;
  /** It goes from 0 to 1. */
  readonly isNormalised: boolean;
}

export interface AddressFacts {
  definition(value: ir.Value): ir.Instruction | undefined;
  constant(value: ir.Value): number | undefined;
  /** A number that only says how elements lie in memory: the value of a shape, or made of such and constants. */
  isShape(value: ir.Value): boolean;
}

interface Term {
  readonly value: ir.Value;
  readonly factor: number;
  /** It is multiplied by a number of the shape: the pitch. */
  readonly isPitched: boolean;
}

/**
 * @param terms integers whose sum, in bytes, is added to the texture's address
 * @param size bytes of an element
 * @returns undefined for an address that does not look like this
 */
export function coordinatesOf(
  terms: readonly ir.Value[],
  size: number,
  facts: AddressFacts,
): Coordinates | undefined {
  const found: Term[] = [];
  for (const value of terms) splitMask({ value, factor: 1, isPitched: false }, facts, found);
  let x: ir.Value | undefined;
  let y: ir.Value | undefined;
  for (const { value, factor, isPitched } of found) {
    // Where the texture begins its descriptor says; nothing else is constant.
    if (facts.isShape(value)) continue;
    if (facts.constant(value) === 0) continue;
    if (factor !== size || facts.constant(value) !== undefined) return undefined;
    if (isPitched ? y : x) return undefined;
    if (isPitched) y = value;
    else x = value;
  }
  const isLoad = [x, y].some((value) => value && clampOf(value, facts)?.fn === 'umin');
  return { x: x && withoutClamps(x, facts), y: y && withoutClamps(y, facts), isLoad };
}

/** The float that a coordinate was rounded from, down or to zero, which below 0 is the edge in either case. */
export function floatCoordinate(
  coordinate: ir.Value,
  { definition, isShape }: Pick<AddressFacts, 'definition' | 'isShape'>,
): FloatCoordinate | undefined {
  const conversion = definition(coordinate);
  if (conversion?.op !== 'convert' || conversion.fn !== 'ftos') return undefined;
  let [value] = conversion.operands as [ir.Value];
  const rounding = definition(value);
  if (rounding?.op === 'unary' && (rounding.fn === 'ffloor' || rounding.fn === 'ftrunc'))
    [value] = rounding.operands as [ir.Value];
  if (value.type.kind !== 'float' || value.type.bits !== 32) return undefined;
  const product = definition(value);
  if (product?.op !== 'binary' || product.fn !== 'fmul') return { value, isNormalised: false };
  const part = product.operands.find((operand) => !isShape(operand));
  const hasSize = product.operands.some((operand) => isShape(operand));
  return hasSize && part ? { value: part, isNormalised: true } : { value, isNormalised: false };
}

/** Whether a condition says that coordinates lie inside of a texture. */
export function isInsideTest(
  condition: ir.Value,
  facts: Pick<AddressFacts, 'definition' | 'isShape'>,
): boolean {
  const made = facts.definition(condition);
  if (made?.op === 'binary' && made.fn === 'and')
    return made.operands.every((operand) => isInsideTest(operand, facts));
  return made?.op === 'compare' && made.fn === 'ult' && facts.isShape(made.operands[1]!);
}

function splitMask(term: Term, facts: AddressFacts, found: Term[]): void {
  const { value, factor, isPitched } = term;
  const made = facts.definition(value);
  if (facts.isShape(value) || made?.op !== 'binary') {
    found.push(term);
    return;
  }
  const [a, b] = made.operands as [ir.Value, ir.Value];
  if (made.fn === 'iadd') {
    splitMask({ ...term, value: a }, facts, found);
    splitMask({ ...term, value: b }, facts, found);
    return;
  }
  if (made.fn === 'shl') {
    const by = facts.constant(b);
    if (by !== undefined) {
      splitMask({ value: a, factor: factor * 2 ** (by & 31), isPitched }, facts, found);
      return;
    }
  }
  if (made.fn === 'imul') {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const isPitch = facts.isShape(other) && !isPitched;
      const by = isPitch ? 1 : facts.constant(other);
      if (by === undefined) continue;
      splitMask({ value: one, factor: factor * by, isPitched: isPitched || isPitch }, facts, found);
      return;
    }
  }
  found.push(term);
}

/** A coordinate before it was kept inside of the shape. */
function withoutClamps(value: ir.Value, facts: AddressFacts): ir.Value {
  const clamp = clampOf(value, facts);
  return clamp ? withoutClamps(clamp.of, facts) : value;
}

function clampOf(value: ir.Value, facts: AddressFacts): { fn: string; of: ir.Value } | undefined {
  const made = facts.definition(value);
  if (made?.op !== 'binary' || !/^[su](?:min|max)$/.test(made.fn)) return undefined;
  const [a, b] = made.operands as [ir.Value, ir.Value];
  if (facts.isShape(b) || facts.constant(b) !== undefined) return { fn: made.fn, of: a };
  if (facts.isShape(a) || facts.constant(a) !== undefined) return { fn: made.fn, of: b };
  return undefined;
}
