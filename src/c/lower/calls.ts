/**
 * Calls of functions of the program: by name, and in programs for the host through pointers and with a variable number of
 * arguments.
 *
 * Structs travel as pointers: an argument's leads to bytes that the callee copies, and a result is written to bytes of
 * the caller, whose address comes before all arguments. Arguments beyond the parameters of a variadic function lie in
 * bytes of the caller one after another, each aligned to its own size, and their address comes after all arguments. That is how C
 * is called on wasm32 elsewhere too.
 */
import type * as ir from '../../ir/ir.ts';
import { pointerType, sizeOf } from '../../ir/types.ts';
import type { Call, Expression, FunctionDeclaration } from '../ast.ts';
import type { CType, FunctionType } from '../types.ts';
import { lowerBlockCall } from './blocks.ts';
import { value } from './expression.ts';
import type { FunctionLowering } from './function-lowering.ts';

export function lowerCall(fn: FunctionLowering, expression: Call): ir.Value | undefined {
  const { builder } = fn;
  if (expression.callee.kind !== 'function' && expression.callee.type.type.kind === 'block') {
    return lowerBlockCall(fn, expression);
  }
  const declaration = calledFunction(expression.callee);
  const type = declaration ? declaration.type.type : pointedFunction(expression.callee);
  if (type.kind !== 'function') throw new Error('a call of what is no function');
  if (!declaration && !fn.module.options.isHosted) {
    fn.error(expression.span, 'a call through a pointer to a function cannot be compiled');
    const result = expression.type.type;
    return result.kind === 'void' ? undefined : builder.undefined(fn.typeOf(result));
  }
  const pointer = declaration ? undefined : value(fn, expression.callee as Expression);
  const values = argumentValues(fn, type, expression.arguments);
  const result = type.result.type;
  const bytes = result.kind === 'record' ? fn.temporary(result, 'result') : undefined;
  if (bytes) values.unshift(bytes);
  if (pointer) {
    const isValue = result.kind !== 'void' && result.kind !== 'record';
    return builder.callIndirect(pointer, values, isValue ? fn.typeOf(result) : undefined) ?? bytes;
  }
  const callee = fn.module.functionFor(declaration!);
  if (callee.isUnprototyped) {
    // Only when the program is linked does it show what the function takes, so the call is checked when it runs.
    return builder.callIndirect(builder.functionAddress(callee), values, callee.result) ?? bytes;
  }
  if (type.unprototyped && !fitsParameters(callee, values)) {
    fn.error(expression.span, `the arguments do not fit the parameters of '${declaration!.name}'`);
    return callee.result && builder.undefined(callee.result);
  }
  return builder.call(callee, values) ?? bytes;
}

/** A pointer to the function that an expression of function type names. */
export function functionPointer(fn: FunctionLowering, expression: Expression): ir.Value {
  if (expression.kind === 'dereference') return value(fn, expression.operand);
  const declaration = calledFunction(expression);
  if (declaration && fn.module.options.isHosted) {
    return fn.builder.functionAddress(fn.module.functionFor(declaration));
  }
  fn.error(expression.span, 'a pointer to a function cannot be compiled');
  return fn.builder.constant(pointerType('private'), 0);
}

function calledFunction(callee: Call['callee']): FunctionDeclaration | undefined {
  if (callee.kind === 'function') return callee;
  if (callee.kind === 'cast' && (callee.cast === 'function' || callee.cast === 'same')) {
    return calledFunction(callee.operand);
  }
  if (callee.kind === 'name' && callee.declaration.kind === 'function') return callee.declaration;
  if (callee.kind === 'dereference' || callee.kind === 'address-of') return calledFunction(callee.operand);
  return undefined;
}

function pointedFunction(callee: Call['callee']): CType {
  const { type } = callee.type;
  return type.kind === 'pointer' ? type.pointee.type : type;
}

/** The arguments of a call as the function takes them. */
export function argumentValues(
  fn: FunctionLowering,
  type: FunctionType,
  given: readonly Expression[],
): ir.Value[] {
  const values = given.map((argument) => lowerArgument(fn, argument));
  if (!type.variadic) return values;
  const named = values.slice(0, type.parameters.length);
  return [...named, variableArguments(fn, values.slice(named.length), given.slice(named.length))];
}

/** Structs travel as pointers to private bytes, which the callee copies. */
function lowerArgument(fn: FunctionLowering, argument: Expression): ir.Value {
  const { builder } = fn;
  const type = argument.type.type;
  const given = value(fn, argument);
  if (type.kind !== 'record') return given;
  if (given.type.kind === 'pointer' && given.type.space === 'private') return given;
  const bytes = fn.temporary(type, 'argument');
  const size = builder.integer(builder.addressType, fn.module.sizeOf(type));
  builder.copy(bytes, given, size, fn.module.alignOf(type));
  return bytes;
}

/** Puts the arguments that have no parameter in memory; where they are, or null if there are none. */
function variableArguments(
  fn: FunctionLowering,
  values: readonly ir.Value[],
  given: readonly Expression[],
): ir.Value {
  const { builder, module } = fn;
  if (values.length === 0) return builder.constant(pointerType('private'), 0);
  const places: { offset: number; size: number; align: number }[] = [];
  let end = 0;
  given.forEach(({ type: { type } }, index) => {
    const isRecord = type.kind === 'record';
    const size = isRecord ? module.sizeOf(type) : sizeOf(values[index]!.type, module.addressBytes);
    const align = Math.max(4, isRecord ? module.alignOf(type) : size);
    const offset = Math.ceil(end / align) * align;
    places.push({ offset, size, align });
    end = offset + Math.ceil(size / 4) * 4;
  });
  const area = fn.reserve('private', end, 16, 'arguments');
  values.forEach((one, index) => {
    const { offset, size, align } = places[index]!;
    const at = offset === 0 ? area : builder.offset(area, builder.integer(builder.addressType, offset));
    if (given[index]!.type.type.kind === 'record') {
      builder.copy(
        at,
        one,
        builder.integer(builder.addressType, size),
        module.alignOf(given[index]!.type.type),
      );
    } else builder.store(at, one, Math.min(align, size));
  });
  return area;
}

/** Whether what is passed to a function declared as `f()` is what its definition takes. */
function fitsParameters(callee: ir.Function, values: readonly ir.Value[]): boolean {
  return (
    callee.parameters.length === values.length &&
    callee.parameters.every(({ value: parameter }, index) => parameter.type === values[index]!.type)
  );
}
