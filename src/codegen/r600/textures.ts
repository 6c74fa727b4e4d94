/**
 * Finds the coordinates of a texture in the address that a kernel computes for it. What Brook+ and IL say as `A[y][x]` reaches the IR
 * as
 *
 *     pointer + (start + clamp(x, 0, width - 1) + clamp(y, 0, height - 1) * pitch) * size
 *
 * with start, width, height and pitch out of a parameter that tells the shape. A texture unit takes x and y, knows the shape,
 * and clamps by itself; so the address is taken apart into terms, and x and y are what is left of them without the shape.
 */
import type * as ir from '../../ir/ir.ts';

export interface Coordinates {
  /** Integers; undefined for 0. */
  readonly x: ir.Value | undefined;
  readonly y: ir.Value | undefined;
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
  for (const value of terms) takeApart({ value, factor: 1, isPitched: false }, facts, found);
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
  return { x: x && withoutClamps(x, facts), y: y && withoutClamps(y, facts) };
}

function takeApart(term: Term, facts: AddressFacts, found: Term[]): void {
  const { value, factor, isPitched } = term;
  const made = facts.definition(value);
  if (facts.isShape(value) || made?.op !== 'binary') {
    found.push(term);
    return;
  }
  const [a, b] = made.operands as [ir.Value, ir.Value];
  if (made.fn === 'iadd') {
    takeApart({ ...term, value: a }, facts, found);
    takeApart({ ...term, value: b }, facts, found);
    return;
  }
  if (made.fn === 'shl') {
    const by = facts.constant(b);
    if (by !== undefined) {
      takeApart({ value: a, factor: factor * 2 ** (by & 31), isPitched }, facts, found);
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
      takeApart({ value: one, factor: factor * by, isPitched: isPitched || isPitch }, facts, found);
      return;
    }
  }
  found.push(term);
}

/** A coordinate before it was kept inside of the shape. */
function withoutClamps(value: ir.Value, facts: AddressFacts): ir.Value {
  const made = facts.definition(value);
  if (made?.op === 'binary' && /^[su](?:min|max)$/.test(made.fn)) {
    const [a, b] = made.operands as [ir.Value, ir.Value];
    if (facts.isShape(b) || facts.constant(b) !== undefined) return withoutClamps(a, facts);
    if (facts.isShape(a) || facts.constant(a) !== undefined) return withoutClamps(b, facts);
  }
  return value;
}
