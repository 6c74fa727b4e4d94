/**
 * Values of opaque types (images, samplers): never in memory, so a name of one stands for the value itself, which is a
 * parameter's or a constant.
 */
import type * as ir from '../../ir/ir.ts';
import type { Span } from '../../source/span.ts';
import type { Expression, VariableDeclaration } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import type { CType } from '../types.ts';
import type { FunctionLowering } from './function-lowering.ts';

/** Whether values of a C type are opaque in the IR too; a dialect may make integers of some. */
export function isHandle(fn: FunctionLowering, type: CType): boolean {
  return type.kind === 'opaque' && fn.typeOf(type).kind === 'opaque';
}

/** The value of an expression that is the name of a handle; undefined for every other expression. */
export function namedHandle(fn: FunctionLowering, expression: Expression): ir.Value | undefined {
  if (expression.kind !== 'name' || expression.declaration.kind !== 'variable') return undefined;
  if (!isHandle(fn, expression.type.type)) return undefined;
  const { declaration } = expression;
  return fn.handleOf(declaration) ?? constantHandle(fn, declaration, expression.span);
}

/** The handle that a variable is initialised with, if it is not made of a number. */
export function handleOf(fn: FunctionLowering, initializer: Expression): ir.Value | undefined {
  const isCast = initializer.kind === 'cast' && initializer.operand.type.type.kind === 'opaque';
  return isCast ? handleOf(fn, initializer.operand) : namedHandle(fn, initializer);
}

/** A handle made of a number. */
export function handleFrom(fn: FunctionLowering, number: Expression, type: CType): ir.Value {
  const constant = evaluateConstant(number, fn.module.addressBytes);
  if (constant?.kind !== 'integer') throw new Error('a handle is not made from an integer constant');
  return fn.builder.constant(fn.typeOf(type), Number(BigInt.asIntN(32, constant.value)));
}

function constantHandle(fn: FunctionLowering, variable: VariableDeclaration, span: Span): ir.Value {
  let { initializer } = variable;
  while (initializer?.kind === 'cast' && initializer.type.type.kind === 'opaque') {
    initializer = initializer.operand;
  }
  if (initializer) return handleFrom(fn, initializer, variable.type.type);
  fn.error(span, `'${variable.name}' is used but not defined`);
  return fn.builder.undefined(fn.typeOf(variable.type.type));
}
