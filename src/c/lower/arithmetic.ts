/** C's arithmetic operators and comparisons on lowered operands. */
import type * as ir from '../../ir/ir.ts';
import { elementOf as irElementOf } from '../../ir/types.ts';
import type { ArithmeticOperator, ComparisonOperator } from '../ast.ts';
import { elementOf } from '../type-facts.ts';
import type { CType } from '../types.ts';
import { zero } from './conversion.ts';
import type { FunctionLowering } from './function-lowering.ts';

type Forms = readonly [signed: ir.BinaryFunction, unsigned: ir.BinaryFunction];

const integerForms: Readonly<Record<ArithmeticOperator, Forms>> = {
  '+': ['iadd', 'iadd'],
  '-': ['isub', 'isub'],
  '*': ['imul', 'imul'],
  '/': ['sdiv', 'udiv'],
  '%': ['srem', 'urem'],
  '<<': ['shl', 'shl'],
  '>>': ['sshr', 'ushr'],
  '&': ['and', 'and'],
  '|': ['or', 'or'],
  '^': ['xor', 'xor'],
};

const floatForms: Readonly<Partial<Record<ArithmeticOperator, ir.BinaryFunction>>> = {
  '+': 'fadd',
  '-': 'fsub',
  '*': 'fmul',
  '/': 'fdiv',
};

const comparisonForms: Readonly<
  Record<
    ComparisonOperator,
    readonly [signed: ir.CompareFunction, unsigned: ir.CompareFunction, float: ir.CompareFunction]
  >
> = {
  '<': ['slt', 'ult', 'flt'],
  '<=': ['sle', 'ule', 'fle'],
  '>': ['sgt', 'ugt', 'fgt'],
  '>=': ['sge', 'uge', 'fge'],
  '==': ['eq', 'eq', 'feq'],
  '!=': ['ne', 'ne', 'fne'],
};

export function isComparison(operator: string): operator is ComparisonOperator {
  return operator in comparisonForms;
}

/** `a op b` computed in `type`; the operands are of that type, but for the count of a shift. */
export function arithmetic(
  fn: FunctionLowering,
  operator: ArithmeticOperator,
  a: ir.Value,
  b: ir.Value,
  type: CType,
): ir.Value {
  const { builder } = fn;
  const element = elementOf(type);
  if (element?.floating) {
    const form = floatForms[operator];
    if (!form) throw new Error(`no '${operator}' on floating types`);
    const reassociate = operator !== '*' && fn.module.options.reassociate;
    return builder.binary(form, a, b, operator !== '/' && fn.mayContract, reassociate);
  }
  const forms = integerForms[operator];
  const count = operator === '<<' || operator === '>>' ? shiftCount(fn, b, a) : b;
  return builder.binary(element?.signed ? forms[0] : forms[1], a, count);
}

/** Shift counts are taken modulo the width of what is shifted, so only their low bits matter. */
function shiftCount(fn: FunctionLowering, count: ir.Value, shifted: ir.Value): ir.Value {
  const { builder } = fn;
  const from = irElementOf(count.type);
  const to = irElementOf(shifted.type);
  let result = count;
  if (from.kind === 'int' && to.kind === 'int' && from.bits !== to.bits) {
    const type = count.type.kind === 'vector' ? shifted.type : to;
    result = builder.convert(from.bits > to.bits ? 'trunc' : 'zext', count, type);
  }
  if (shifted.type.kind === 'vector' && result.type.kind !== 'vector') {
    result = builder.splat(result, shifted.type);
  }
  return result;
}

/** A comparison of two values of one type, as a truth value (lane by lane). */
export function comparison(
  fn: FunctionLowering,
  operator: ComparisonOperator,
  a: ir.Value,
  b: ir.Value,
  type: CType,
): ir.Value {
  const element = elementOf(type);
  const forms = comparisonForms[operator];
  const form = element?.floating ? forms[2] : element?.signed ? forms[0] : forms[1];
  return fn.builder.compare(form, a, b);
}

export function negate(fn: FunctionLowering, operand: ir.Value, type: CType): ir.Value {
  const { builder } = fn;
  if (elementOf(type)?.floating) return builder.unary('fneg', operand);
  return builder.binary('isub', zero(fn, operand.type), operand);
}
