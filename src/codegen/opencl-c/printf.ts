/** printf, whose format is written anew: with the length modifiers that its operands ask for, and nothing but OpenCL C's. */
import type * as ir from '../../ir/ir.ts';
import { type Conversion, floatSpecifiers, integerSpecifiers, parseFormat } from '../../ir/printf/format.ts';
import { elementOf, lanesOf, type Type } from '../../ir/types.ts';
import { call, type Expression, primary, unary, within } from './expression.ts';
import type { ValueWriter } from './value-writer.ts';

export function printfExpression(writer: ValueWriter, { format, operands }: ir.Printf): Expression {
  let text = '';
  const values: Expression[] = [];
  for (const piece of parseFormat(format).pieces) {
    if (piece.kind === 'text') {
      text += piece.text.replaceAll('%', '%%');
      continue;
    }
    const operand = operands[values.length];
    if (!operand) continue;
    text += conversionText(piece, operand.type);
    values.push(argumentOf(writer, operand, piece));
  }
  return { ...call('printf', [primary(quoted(text)), ...values]), signed: true };
}

function conversionText({ flags, width, precision, length, specifier }: Conversion, type: Type): string {
  const lanes = lanesOf(type);
  const size = `${width === 0 ? '' : width}${precision === undefined ? '' : `.${precision}`}`;
  const vector = lanes === 1 ? '' : `v${lanes}`;
  return `%${flags}${size}${vector}${lengthOf(type, length, specifier)}${specifier}`;
}

function lengthOf(type: Type, length: string, specifier: string): string {
  const element = elementOf(type);
  if (element.kind !== 'int' && element.kind !== 'float') return '';
  const isNumber = integerSpecifiers.includes(specifier) || floatSpecifiers.includes(specifier);
  if (!isNumber) return '';
  if (lanesOf(type) > 1) return { 8: 'hh', 16: 'h', 32: 'hl', 64: 'l' }[element.bits];
  if (element.kind === 'float') return '';
  return element.bits === 64 ? 'l' : length === 'hh' || length === 'h' ? length : '';
}

function argumentOf(writer: ValueWriter, operand: ir.Value, { specifier }: Conversion): Expression {
  const { type } = operand;
  if (type.kind === 'pointer') return unary(`(${type.space} char *)${within(writer.value(operand), 14)}`);
  const element = elementOf(type);
  if (element.kind === 'int') {
    return specifier === 'd' || specifier === 'i' ? writer.signed(operand) : writer.unsigned(operand);
  }
  const isHalf = element.kind === 'float' && element.bits === 16;
  return isHalf && type.kind !== 'vector'
    ? call('convert_float', [writer.value(operand)])
    : writer.value(operand);
}

/** A string of bytes as a C literal. Octal escapes take three digits at most, so nothing after them is drawn in. */
function quoted(text: string): string {
  const escaped = text.replace(/[\\"]|[^ -~]|\?/g, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\\' || character === '"' || character === '?') return `\\${character}`;
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}
