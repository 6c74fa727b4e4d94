/** Vectors put together and split: literals, swizzles and lanes. */
import type * as ir from '../../ir/ir.ts';
import { elementOf, lanesOf } from '../../ir/types.ts';
import { typeText } from './c-types.ts';
import { maskLane } from './conversions.ts';
import { type Expression, precedence, primary, unary, within } from './expression.ts';
import type { ValueWriter } from './value-writer.ts';

const digits = '0123456789abcdef';
/** The numbers of lanes that a swizzle may have. */
const swizzleSizes = [16, 8, 4, 3, 2, 1];

/** The C type of a vector value, a mask for truth values. */
function vectorName(writer: ValueWriter, value: ir.Value): string {
  return typeText(value.type, false, writer.plan.maskBitsOf(value));
}

function isMask(value: ir.Value): boolean {
  return elementOf(value.type).kind === 'bool';
}

/** A scalar as a lane of a vector literal. */
function lane(writer: ValueWriter, scalar: ir.Value): Expression {
  return isMask(scalar) ? maskLane(writer, scalar) : writer.value(scalar);
}

function vectorLiteral(writer: ValueWriter, result: ir.Value, parts: readonly Expression[]): Expression {
  const texts = parts.map((part) => part.text).join(', ');
  return unary(`(${vectorName(writer, result)})(${texts})`, isMask(result));
}

export function splat(writer: ValueWriter, scalar: ir.Value, result: ir.Value): Expression {
  return vectorLiteral(writer, result, [lane(writer, scalar)]);
}

export function build(writer: ValueWriter, scalars: readonly ir.Value[], result: ir.Value): Expression {
  return vectorLiteral(
    writer,
    result,
    scalars.map((scalar) => lane(writer, scalar)),
  );
}

export function extract(writer: ValueWriter, vector: ir.Value, index: number): Expression {
  if (!isMask(vector)) {
    const x = writer.value(vector);
    return primary(`${within(x, precedence.primary)}.s${digits[index]}`, x.signed);
  }
  const mask = writer.mask(vector, writer.plan.maskBitsOf(vector));
  const text = `${within(mask, precedence.primary)}.s${digits[index]} != 0`;
  return { text, precedence: precedence.equality, signed: true };
}

/** The vector with one lane replaced: what is before it, the scalar, what is after it. */
export function insert(writer: ValueWriter, vector: ir.Value, scalar: ir.Value, index: number): Expression {
  const source = vectorAtom(writer, vector);
  const lanes = [...new Array(lanesOf(vector.type)).keys()];
  const name = vectorName(writer, vector);
  const parts = [
    ...swizzles(source, lanes.slice(0, index)),
    lane(writer, scalar).text,
    ...swizzles(source, lanes.slice(index + 1)),
  ];
  return unary(`(${name})(${parts.join(', ')})`, isMask(vector));
}

export function shuffle(
  writer: ValueWriter,
  { lanes }: ir.Shuffle,
  a: ir.Value,
  b: ir.Value,
  result: ir.Value,
): Expression {
  const width = lanesOf(a.type);
  // Any value will do for a negative lane: the one that continues the lanes before it makes the shortest text.
  const picked = lanes.map((index, at) => (index >= 0 ? index : (lanes[at - 1] ?? 0)));
  const bits = writer.plan.maskBitsOf(a);
  const known = new Map<ir.Value, string>();
  const sourceOf = (vector: ir.Value): string => {
    let text = known.get(vector);
    if (text === undefined) {
      text = isMask(vector)
        ? within(writer.mask(vector, bits), precedence.primary)
        : vectorAtom(writer, vector);
      known.set(vector, text);
    }
    return text;
  };
  const groups: { vector: ir.Value; lanes: number[] }[] = [];
  for (const index of picked.map((each) => Math.max(each, 0))) {
    const vector = index < width ? a : b;
    const own = index < width ? index : index - width;
    const last = groups.at(-1);
    if (last?.vector === vector) last.lanes.push(own);
    else groups.push({ vector, lanes: [own] });
  }
  const parts = groups.flatMap((group) => swizzles(sourceOf(group.vector), group.lanes));
  if (parts.length === 1) return primary(parts[0]!, isMask(result));
  return unary(`(${vectorName(writer, result)})(${parts.join(', ')})`, isMask(result));
}

/** A vector that may be named several times in an expression, and be followed by a dot. */
function vectorAtom(writer: ValueWriter, vector: ir.Value): string {
  if (isMask(vector)) return within(writer.mask(vector, writer.plan.maskBitsOf(vector)), precedence.primary);
  return within(writer.atom(vector), precedence.primary);
}

/** The lanes of a source as few swizzles. */
function swizzles(source: string, lanes: readonly number[]): string[] {
  const texts: string[] = [];
  for (let at = 0; at < lanes.length; ) {
    const left = lanes.length - at;
    const size = swizzleSizes.find((each) => each <= left)!;
    const names = lanes.slice(at, at + size).map((each) => digits[each]!);
    texts.push(`${source}.s${names.join('')}`);
    at += size;
  }
  return texts;
}
