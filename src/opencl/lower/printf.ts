/** printf (OpenCL 1.2, 6.12.13): its format becomes a part of the instruction. */
import type { BuiltinCall, Expression } from '../../c/ast.ts';
import { integerOfWidth } from '../../c/lower/conversion.ts';
import { value } from '../../c/lower/expression.ts';
import type { FunctionLowering } from '../../c/lower/function-lowering.ts';
import type * as ir from '../../ir/ir.ts';
import { type Conversion, integerSpecifiers, parseFormat } from '../../ir/printf/format.ts';
import { i64 } from '../../ir/types.ts';
import { formatText, stringOf } from '../dialect/printf-calls.ts';

/** Lowers a call that the checker has let pass. */
export function lowerPrintf(fn: FunctionLowering, node: BuiltinCall): ir.Value {
  const [formatArgument, ...rest] = node.arguments;
  const literal = formatArgument && stringOf(formatArgument);
  if (!literal) throw new Error('printf without a format passed the checker');
  const format = formatText(literal);
  const conversions = parseFormat(format).pieces.filter((piece) => piece.kind === 'conversion');
  // Arguments that the format does not ask for are computed too: they may do something.
  const operands = rest.map((argument, index) => operandOf(fn, argument, conversions[index]));
  return fn.builder.printf(format, operands.slice(0, conversions.length));
}

/** The value that is handed on: an int where the format says long becomes one, by its own sign. */
function operandOf(fn: FunctionLowering, argument: Expression, conversion: Conversion | undefined): ir.Value {
  const given = value(fn, argument);
  const isLong =
    conversion !== undefined &&
    integerSpecifiers.includes(conversion.specifier) &&
    ['l', 'll', 'j'].includes(conversion.length);
  return isLong ? integerOfWidth(fn, given, argument.type.type, i64) : given;
}
