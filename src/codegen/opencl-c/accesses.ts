/**
 * Loads and stores. An access in the type itself needs the type's alignment; what promises less goes through vloadn
 * and vstoren, which need only that of their elements, and so do vectors of three, whose type is as large as four.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, i8, i16, i32, lanesOf, type ScalarType, sizeOf, type Type } from '../../ir/types.ts';
import { target, typedPointer } from './addresses.ts';
import { typeText } from './c-types.ts';
import { OpenCLCError } from './error.ts';
import { call, type Expression, primary, unary, withSign } from './expression.ts';
import type { ValueWriter } from './value-writer.ts';

/** How the bytes of a type are accessed. */
type Shape =
  /** As what the pointer points to; `via` if as another type of the same size. */
  | { readonly kind: 'whole'; readonly via?: string }
  /** By vloadn and vstoren of lanes of the element, or of smaller pieces. */
  | { readonly kind: 'lanes'; readonly piece: ScalarType; readonly count: number }
  /** One lane of the vector after the other. */
  | { readonly kind: 'apart' };

function shapeOf(writer: ValueWriter, pointer: ir.Value, type: Type, align: number): Shape {
  const size = sizeOf(type, writer.addressBits / 8);
  const element = elementOf(type);
  if (element.kind === 'pointer') {
    if (align < size) throw new OpenCLCError('a pointer in memory that is not aligned cannot be accessed');
    return { kind: 'whole' };
  }
  const lanes = lanesOf(type);
  if (align >= size && lanes !== 3) {
    // A vector of bytes is as large and aligned as the scalar, and may be any type's bytes.
    const isMixed = lanes === 1 && size > 1 && writer.memory.isMixed(pointer);
    return isMixed ? { kind: 'whole', via: `uchar${size}` } : { kind: 'whole' };
  }
  const elementSize = sizeOf(element);
  if (lanes > 1 && align >= elementSize) {
    return { kind: 'lanes', piece: element as ScalarType, count: lanes };
  }
  const piece = align >= 4 ? i32 : align === 2 ? i16 : i8;
  const count = size / sizeOf(piece);
  return [2, 4, 8, 16].includes(count) ? { kind: 'lanes', piece, count } : { kind: 'apart' };
}

/** `vload4(0, p)` and the like. */
function vload(writer: ValueWriter, pointer: ir.Value, piece: ScalarType, count: number, at = 0): Expression {
  return call(`vload${count}`, [primary(String(at)), typedPointer(writer, pointer, piece)]);
}

/** What is at the pointer, as an expression. */
export function loadExpression(writer: ValueWriter, instruction: ir.Load): Expression {
  const [pointer] = instruction.operands as [ir.Value];
  const [result] = instruction.results as [ir.Value];
  const { type } = result;
  const { align } = instruction;
  const isVolatile = instruction.volatile ?? false;
  const shape = shapeOf(writer, pointer, type, align);
  const name = typeText(type);
  switch (shape.kind) {
    case 'whole': {
      const size = sizeOf(type, writer.addressBits / 8);
      const place = target(writer, pointer, shape.via ?? type, size, isVolatile);
      return shape.via ? call(`as_${name}`, [place]) : place;
    }
    case 'lanes': {
      const loaded = vload(writer, pointer, shape.piece, shape.count);
      return shape.piece === elementOf(type) ? loaded : call(`as_${name}`, [loaded]);
    }
    case 'apart': {
      const element = elementOf(type) as ScalarType;
      const { piece, count } = piecesOf(element, align);
      const lanes = [...new Array(lanesOf(type)).keys()].map(
        (lane) => call(`as_${typeText(element)}`, [vload(writer, pointer, piece, count, lane)]).text,
      );
      return unary(`(${name})(${lanes.join(', ')})`);
    }
  }
}

/** The statements that store. */
export function storeStatements(writer: ValueWriter, instruction: ir.Store): string[] {
  const [pointer, value] = instruction.operands as [ir.Value, ir.Value];
  const { type } = value;
  const { align } = instruction;
  const shape = shapeOf(writer, pointer, type, align);
  switch (shape.kind) {
    case 'whole': {
      const size = sizeOf(type, writer.addressBits / 8);
      const place = target(writer, pointer, shape.via ?? type, size, instruction.volatile ?? false);
      const stored = shape.via
        ? call(`as_${shape.via}`, [writer.unsigned(value)])
        : type.kind === 'vector'
          ? withSign(writer.value(value), type, place.signed)
          : writer.value(value);
      return [`${place.text} = ${stored.text};`];
    }
    case 'lanes': {
      const whole = writer.unsigned(value);
      const isSame = shape.piece === elementOf(type);
      const stored = isSame ? whole : call(`as_${typeText(shape.piece)}${shape.count}`, [whole]);
      const place = typedPointer(writer, pointer, shape.piece);
      return [`vstore${shape.count}(${stored.text}, 0, ${place.text});`];
    }
    case 'apart': {
      const source = writer.atom(value);
      const element = elementOf(type) as ScalarType;
      const { piece, count } = piecesOf(element, align);
      const place = typedPointer(writer, pointer, piece).text;
      return [...new Array(lanesOf(type)).keys()].map((lane) => {
        const bytes = `as_${typeText(piece)}${count}(${source.text}.s${lane.toString(16)})`;
        return `vstore${count}(${bytes}, ${lane}, ${place});`;
      });
    }
  }
}

/** A lane as a vector of what the alignment allows. */
function piecesOf(element: ScalarType, align: number): { piece: ScalarType; count: number } {
  const piece = align >= 4 ? i32 : align === 2 ? i16 : i8;
  return { piece, count: sizeOf(element) / sizeOf(piece) };
}
