/** Checks calls in kernels: of built-in functions (A.5) and of kernels that stand before (A.4.6). */
import { nearestName } from '../../source/nearest-name.ts';
import type { Call, Expression } from '../syntax/ast.ts';
import { sameType, typeName, type ValueType, valueTypeNamed } from '../types.ts';
import { builtinArities, chooseBuiltin, isBuiltin } from './builtins.ts';
import { commonType, converted } from './conversions.ts';
import { checkExpression, checkPosition, fail } from './expressions.ts';
import { groups } from './groups.ts';
import { isShared, type Scope } from './scope.ts';
import { checkTarget } from './targets.ts';
import type { CheckedKernel, Formal, Typed } from './tree.ts';

export function checkCall(scope: Scope, call: Call): Typed | undefined {
  if (call.callee.kind !== 'name') return fail(scope, call, groups.call, 'indirect call not supported');
  const { name } = call.callee;
  const position = checkPosition(scope, call);
  if (position) return position.value;
  if (scope.find(name)) return fail(scope, call, groups.call, 'callee is not a function');
  if (name === scope.kernel.name)
    return fail(scope, call, groups.call, 'definition must be available before invoking');
  if (scope.kernels.has(name)) {
    const kernel = scope.kernels.get(name);
    if (!kernel) return fail(scope, call, groups.call, 'definition must be available before invoking');
    return checkKernelCall(scope, call, kernel);
  }
  if (isBuiltin(name)) return checkBuiltinCall(scope, call, name);
  const isHosts = scope.hostFunctions.has(name);
  if (isHosts) return fail(scope, call, groups.call, "kernel can't call a non-kernel callee");
  const near = nearestName(name, [...scope.kernels.keys(), ...builtinArities().keys()]);
  return fail(
    scope,
    call,
    groups.call,
    `callee unknown${near === undefined ? '' : `; did you mean '${near}'?`}`,
  );
}

function checkBuiltinCall(scope: Scope, call: Call, name: string): Typed | undefined {
  const values = call.args.map((arg) => checkArithmetic(scope, arg));
  if (values.some((value) => value === undefined)) return undefined;
  const args = values as (Typed & { readonly type: ValueType })[];
  const { strongTypes } = scope.report.options;
  const [first, ...rest] = args.map(({ type }) => type);
  const isMixed = rest.some((type) => !sameType(type, first!));
  const common = rest.reduce((left, right) => commonType(left, right), first ?? valueTypeNamed('float')!);
  const choice =
    strongTypes && isMixed ? undefined : chooseBuiltin(name, [first!, ...rest], common, strongTypes);
  if (!choice || args.length === 0)
    return fail(scope, call, groups.none, 'No matched built-in function found');
  return {
    kind: 'builtin',
    type: choice.result,
    name,
    args: args.map((arg) => converted(arg, choice.parameter)),
  };
}

/** An argument of a built-in function, none of which takes arrays or structures. */
function checkArithmetic(scope: Scope, arg: Expression): Typed | undefined {
  const value = checkExpression(scope, arg);
  if (!value || (value.kind !== 'array' && value.type.kind === 'value')) return value;
  return fail(scope, arg, groups.none, 'No matched built-in function found');
}

function checkKernelCall(scope: Scope, call: Call, kernel: CheckedKernel): Typed | undefined {
  if (kernel.form === 'reduce') return fail(scope, call, groups.call, "can't call a reduction kernel");
  if (kernel.form === 'scatter')
    return fail(scope, call, groups.call, 'Illegal to call scatter kernel from any kernel');
  const { formals } = kernel;
  if (call.args.length !== formals.length) {
    const words = `incorrect number of parameters expect ${formals.length} actual ${call.args.length}`;
    return fail(scope, call, groups.call, words);
  }
  const args = call.args.map((arg, index) => checkArgument(scope, arg, formals[index]!, index + 1));
  if (args.some((arg) => arg === undefined)) return undefined;
  return { kind: 'call', type: kernel.result, kernel, args: args as Typed[] };
}

function checkArgument(scope: Scope, arg: Expression, formal: Formal, place: number): Typed | undefined {
  const { report } = scope;
  const refuse = (text: string): undefined => fail(scope, arg, groups.call, text);
  const named = arg.kind === 'name' ? scope.find(arg.name) : undefined;
  if (named && isShared(named))
    return refuse(`Local array not allowed to pass as kernel parameter for argument ${place}`);
  const given = checkExpression(scope, arg);
  if (!given) return undefined;
  const isArray = given.kind === 'array';
  if (formal.role === 'gather') {
    if (!isArray) return refuse(`Must be gather array type for argument ${place}`);
    if (given.formal.rank !== formal.rank)
      return refuse(`Mismatched dimensions of formal and actual arguments for argument ${place}`);
    // An array with sizes is a constant buffer, and no other resource.
    const [sizes, expected] = [given.formal.sizes, formal.sizes];
    if (given.formal.role !== 'gather' || (sizes === undefined) !== (expected === undefined))
      return refuse(`Mismatched resource type of gather array for argument ${place}`);
    if (sizes && expected && product(sizes) !== product(expected))
      return refuse(`Mismatched element count of gather array for argument ${place}`);
    return sameType(given.type, formal.type) ? given : refuse(mismatch(given, formal, place));
  }
  if (isArray) {
    const expected = formal.role === 'value' ? 'value' : 'stream type/variable';
    return refuse(`Illegal to use array type at argument ${place}: Expected ${expected}`);
  }
  const words = mismatch(given, formal, place);
  if (formal.role === 'out' || formal.role === 'reduce') {
    if (!isTarget(given)) return fail(scope, arg, groups.target, `Argument ${place} must be lvalue type`);
    if (!checkTarget(scope, given, arg)) return undefined;
    return sameType(given.type, formal.type) ? given : refuse(words);
  }
  if (sameType(given.type, formal.type)) return given;
  if (given.type.kind !== 'value' || formal.type.kind !== 'value') return refuse(words);
  report.typeWarning(arg.span, groups.call, words);
  return converted(given, formal.type);
}

function mismatch(given: Typed, formal: Formal, place: number): string {
  return `Mismatched type for argument ${place}: actual type is "${typeName(given.type)}" but expected type is "${typeName(formal.type)}"`;
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1);
}

/** Whether an `out` parameter can be bound to it: a variable, a component's owner is not one yet. */
function isTarget(value: Typed): boolean {
  return value.kind === 'local' || value.kind === 'formal' || value.kind === 'field';
}
