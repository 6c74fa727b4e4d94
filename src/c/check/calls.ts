/**
 * Calls: of functions of the program, of overloads, of what the dialect supplies, and in plain C through pointers
 * (C99, 6.5.2.2).
 */
import { counted } from '../../source/counted.ts';
import { joinSpans, type Span, spanOf } from '../../source/span.ts';
import type { BuiltinCall, Expression, FunctionDeclaration, VariableDeclaration } from '../ast.ts';
import { arithmeticOf, isComplete, valueType } from '../type-facts.ts';
import { arithmeticTypes, type FunctionType, type QualifiedType, unqualified } from '../types.ts';
import { convertForAssignment, isPassable } from './assignments.ts';
import { literalOf } from './blocks.ts';
import { ordinal, wrongCount } from './candidates.ts';
import { checkReinterpret } from './casts.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import { convertArithmetic, promote, toValue } from './conversions.ts';
import { parameterVariable } from './declarators.ts';
import { undeclaredFunction } from './names.ts';

/** `name(arguments)`, where `name` is not a variable. */
export function checkNamedCall(
  checker: Checker,
  name: string,
  nameSpan: Span,
  callArguments: readonly Expression[],
  close: Span,
): Expression {
  const span = joinSpans(nameSpan, close);
  if (callArguments.some(isError)) return errorExpression(span);
  const binding = checker.scopes.lookup(name);
  const { builtins } = checker.dialect;
  if (binding?.kind === 'functions') {
    const isSupplied = builtins.isBuiltinName(name);
    const chosen = chooseOverload(checker, binding.overloads, callArguments, isSupplied);
    if (chosen !== undefined) return callFunction(checker, chosen, callArguments, nameSpan, span);
    if (!isSupplied) return noOverload(checker, name, nameSpan, binding.overloads, callArguments);
  } else if (binding !== undefined) {
    return errorExpression(span);
  }
  const target = checker.dialect.reinterpretTarget(name);
  if (target !== undefined) {
    const [operand] = callArguments;
    if (operand === undefined || callArguments.length !== 1) {
      const many = callArguments.length > 1 ? 'many' : 'few';
      return checker.wrong(
        span,
        `too ${many} arguments to function call, expected 1, have ${callArguments.length}`,
      );
    }
    return checkReinterpret(checker, target, operand, span);
  }
  if (!builtins.isBuiltinName(name)) {
    const meant = libraryFunction(checker, name, nameSpan);
    if (meant) return callFunction(checker, meant, callArguments, nameSpan, span);
    return undeclaredFunction(checker, name, nameSpan);
  }
  return callBuiltin(checker, name, nameSpan, callArguments, span);
}

/** The library's function that `__builtin_name` means, declared or not. */
function libraryFunction(checker: Checker, builtin: string, span: Span): FunctionDeclaration | undefined {
  const prefix = '__builtin_';
  if (!builtin.startsWith(prefix)) return undefined;
  const name = builtin.slice(prefix.length);
  const type = checker.dialect.builtins.libraryFunction?.(name);
  if (!type) return undefined;
  const known = checker.scopes.lookupProgram(name);
  if (known?.kind === 'functions') return known.overloads[0];
  const parameters = type.parameters.map((parameter) =>
    parameterVariable(checker, {
      name: '',
      type: parameter,
      writtenSpace: undefined,
      access: undefined,
      attributes: [],
      span,
      isWrong: false,
    }),
  );
  const declaration: FunctionDeclaration = {
    kind: 'function',
    name,
    type: unqualified(type),
    isKernel: false,
    isInline: false,
    storage: 'none',
    attributes: [],
    parameters,
    body: undefined,
    span: spanOf(span),
  };
  if (known === undefined)
    checker.scopes.declareProgram({ kind: 'functions', name, span: spanOf(span), overloads: [declaration] });
  return declaration;
}

function callBuiltin(
  checker: Checker,
  name: string,
  nameSpan: Span,
  callArguments: readonly Expression[],
  span: Span,
): Expression {
  const values = callArguments.map((argument) => toValue(checker, argument));
  if (values.some(isError)) return errorExpression(span);
  const types = values.map((value) => value.type);
  const resolution = checker.dialect.builtins.resolveBuiltin(name, types);
  if (resolution.kind === 'unknown') return undeclaredFunction(checker, name, nameSpan);
  if (resolution.kind !== 'found') {
    const message =
      resolution.kind === 'ambiguous'
        ? `call to '${name}' is ambiguous`
        : `no matching function for call to '${name}'`;
    const shown = types.map((type) => checker.show(type)).join(', ');
    const notes = resolution.candidates.slice(0, maximumCandidates).map((candidate) => ({
      message: `candidate function: ${candidate}`,
      span: nameSpan,
    }));
    notes.unshift({ message: `argument types are (${shown})`, span: nameSpan });
    const omitted = resolution.candidates.length - maximumCandidates;
    if (omitted > 0) {
      notes.push({
        message: `${counted(omitted, 'more candidate')} not shown`,
        span: nameSpan,
      });
    }
    return checker.wrong(nameSpan, message, notes);
  }
  const { parameters, builtin } = resolution;
  const converted = convertArguments(checker, values, parameters);
  if (converted.some(isError)) return errorExpression(span);
  const call: BuiltinCall = {
    kind: 'builtin-call',
    builtin,
    arguments: converted,
    parameters,
    type: valueType(resolution.result),
    span,
  };
  return checker.dialect.rules.builtinCall(call, checker) ? call : errorExpression(span);
}

const maximumCandidates = 8;

function convertArguments(
  checker: Checker,
  callArguments: readonly Expression[],
  parameters: readonly QualifiedType[],
): Expression[] {
  return callArguments.map((argument, index) => {
    const parameter = parameters[index];
    if (parameter !== undefined) return convertForAssignment(checker, argument, parameter, 'passing');
    return promoteArgument(checker, argument);
  });
}

/** Default argument promotions, for arguments without a parameter (C99, 6.5.2.2 6). */
function promoteArgument(checker: Checker, argument: Expression): Expression {
  const value = promote(toValue(checker, argument));
  const type = arithmeticOf(value.type.type);
  if (type?.floating && type.size < 8 && checker.dialect.features.promotesFloatArguments) {
    return convertArithmetic(value, arithmeticTypes.double);
  }
  return value;
}

/**
 * The function that is meant: the only one, or the overload that fits best. Where the dialect supplies functions of the
 * same name, one of the program must fit to be chosen at all.
 */
function chooseOverload(
  checker: Checker,
  overloads: readonly FunctionDeclaration[],
  callArguments: readonly Expression[],
  isSupplied: boolean,
): FunctionDeclaration | undefined {
  const [first] = overloads;
  if (overloads.length === 1 && !isSupplied) return first;
  let best: FunctionDeclaration | undefined;
  let bestScore = -1;
  for (const overload of overloads) {
    const score = fitness(checker, overload, callArguments);
    if (score > bestScore) {
      best = overload;
      bestScore = score;
    }
  }
  return best;
}

/** How many arguments match exactly; -1 where the function cannot be called with them. */
function fitness(
  checker: Checker,
  overload: FunctionDeclaration,
  callArguments: readonly Expression[],
): number {
  const { parameters, variadic } = functionType(overload);
  const count = callArguments.length;
  if (count < parameters.length || (count > parameters.length && !variadic)) return -1;
  let exact = 0;
  for (const [index, parameter] of parameters.entries()) {
    const argument = callArguments[index];
    if (argument === undefined) return -1;
    const fit = isPassable(checker, toValue(checker, argument).type, parameter);
    if (fit === 'no') return -1;
    if (fit === 'exact') exact += 1;
  }
  return exact;
}

function noOverload(
  checker: Checker,
  name: string,
  span: Span,
  overloads: readonly FunctionDeclaration[],
  callArguments: readonly Expression[],
): Expression {
  const notes = overloads.slice(0, maximumCandidates).map((overload) => ({
    message: `candidate function not viable: ${reasonAgainst(checker, overload, callArguments)}`,
    span: overload.span,
  }));
  return checker.wrong(span, `no matching function for call to '${name}'`, notes);
}

/** Why an overload cannot be called with these arguments. */
function reasonAgainst(
  checker: Checker,
  overload: FunctionDeclaration,
  callArguments: readonly Expression[],
): string {
  const { parameters, variadic } = functionType(overload);
  const count = wrongCount(parameters.length, variadic, callArguments.length);
  if (count !== undefined) return count;
  const types = callArguments.map((argument) => valueType(toValue(checker, argument).type));
  const index = parameters.findIndex((to, at) => types[at] && isPassable(checker, types[at], to) === 'no');
  const [from, to] = [types[index], parameters[index]];
  if (from === undefined || to === undefined) return 'it is not visible here';
  const conversion = `from '${checker.show(from)}' to '${checker.show(valueType(to))}'`;
  return `no known conversion ${conversion} for ${ordinal(index)} argument`;
}

function functionType(declaration: FunctionDeclaration): FunctionType {
  return declaration.type.type as FunctionType;
}

function callFunction(
  checker: Checker,
  callee: FunctionDeclaration,
  callArguments: readonly Expression[],
  nameSpan: Span,
  span: Span,
): Expression {
  const type = functionType(callee);
  noteCall(checker, callee, nameSpan);
  const converted = passArguments(checker, type, callArguments, span, callee);
  if (converted === undefined) return errorExpression(span);
  const result = checker.types.value(type.result);
  return { kind: 'call', callee, arguments: converted, type: result, span };
}

/** Remembers that the function being read calls another: the first call of each, as nobody asks for more. */
function noteCall(checker: Checker, callee: FunctionDeclaration, span: Span): void {
  const context = checker.function;
  if (context === undefined || checker.unevaluated > 0 || context.callees.has(callee)) return;
  context.callees.add(callee);
  checker.calls.push({ caller: context.declaration, callee, span: spanOf(span) });
}

function passArguments(
  checker: Checker,
  type: FunctionType,
  callArguments: readonly Expression[],
  span: Span,
  callee: FunctionDeclaration | undefined,
): Expression[] | undefined {
  const expected = type.parameters.length;
  const have = callArguments.length;
  const isWrongCount = have < expected || (have > expected && !type.variadic);
  if (!type.unprototyped && isWrongCount) {
    const many = have < expected ? 'few' : 'many';
    const atLeast = type.variadic ? 'at least ' : '';
    checker.error(
      span,
      `too ${many} arguments to function call, expected ${atLeast}${expected}, have ${have}`,
      callee && [{ message: `'${callee.name}' declared here`, span: callee.span }],
    );
    return undefined;
  }
  if (type.result.type.kind !== 'void' && !isComplete(type.result.type)) {
    checker.error(span, `calling function with incomplete return type '${checker.show(type.result)}'`);
    return undefined;
  }
  let isWrong = false;
  const converted = callArguments.slice();
  for (let index = 0; index < have; index += 1) {
    const argument = callArguments[index] as Expression;
    const parameter = type.unprototyped ? undefined : type.parameters[index];
    const value =
      parameter === undefined
        ? promoteArgument(checker, argument)
        : passArgument(checker, argument, parameter, callee?.parameters[index]);
    if (isError(value)) isWrong = true;
    converted[index] = value;
  }
  return isWrong ? undefined : converted;
}

/** An argument for a parameter; a note shows its `declaration`, where that is known and something is wrong. */
function passArgument(
  checker: Checker,
  argument: Expression,
  parameter: QualifiedType,
  declaration: VariableDeclaration | undefined,
): Expression {
  const { diagnostics } = checker;
  const count = diagnostics.list.length;
  const value = convertForAssignment(checker, argument, parameter, 'passing');
  if (diagnostics.list.length > count && declaration !== undefined) {
    const name = declaration.name === '' ? '' : ` '${declaration.name}'`;
    diagnostics.note(declaration.span, `passing argument to parameter${name} here`);
  }
  return value;
}

/** A call of something else than the plain name of a function: a block, or a pointer to a function. */
export function checkCall(
  checker: Checker,
  calleeOperand: Expression,
  callArguments: readonly Expression[],
  close: Span,
): Expression {
  const span = joinSpans(calleeOperand.span, close);
  if (isError(calleeOperand) || callArguments.some(isError)) return errorExpression(span);
  if (calleeOperand.kind === 'name' && calleeOperand.declaration.kind === 'function') {
    return callFunction(checker, calleeOperand.declaration, callArguments, calleeOperand.span, span);
  }
  const callee = toValue(checker, calleeOperand);
  if (isError(callee)) return errorExpression(span);
  const { type } = callee.type;
  if (type.kind === 'block') {
    const literal = literalOf(callee);
    if (literal !== undefined) noteCall(checker, literal.declaration, calleeOperand.span);
    const converted = passArguments(checker, type.function, callArguments, span, undefined);
    if (converted === undefined) return errorExpression(span);
    const result = checker.types.value(type.function.result);
    return { kind: 'call', callee, arguments: converted, type: result, span };
  }
  const pointee = type.kind === 'pointer' ? type.pointee.type : undefined;
  if (pointee?.kind !== 'function') {
    return checker.wrong(
      span,
      `called object type '${checker.show(callee.type)}' is not a function or function pointer`,
    );
  }
  const converted = passArguments(checker, pointee, callArguments, span, undefined);
  if (converted === undefined) return errorExpression(span);
  const result = checker.types.value(pointee.result);
  return { kind: 'call', callee, arguments: converted, type: result, span };
}
