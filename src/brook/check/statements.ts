/** Checks statements and the variables that they declare (A.4.7, A.6.2). */
import type { Expression, Statement, Variable } from '../syntax/ast.ts';
import { layoutOf, sameType, typeName, valueType } from '../types.ts';
import { converted, convertFor } from './conversions.ts';
import { checkComponents, checkCondition, checkExpression, checkValue, fail } from './expressions.ts';
import { groups } from './groups.ts';
import type { Scope } from './scope.ts';
import type { SharedArray, Typed, TypedStatement } from './tree.ts';

/** The statements of a kernel's body that could be understood. Its variables and its parameters have names of their own, as in C. */
export function checkBody(scope: Scope, statements: readonly Statement[]): TypedStatement[] {
  return statements.flatMap((statement) => checkStatement(scope, statement));
}

/** Those of a block inside, whose variables may hide others. */
function checkBlock(scope: Scope, statements: readonly Statement[]): TypedStatement[] {
  scope.enter();
  const body = checkBody(scope, statements);
  scope.leave();
  return body;
}

function checkStatement(scope: Scope, statement: Statement): TypedStatement[] {
  const { span } = statement;
  return checkParts(scope, statement).map((one) => ({ ...one, span: one.span ?? span }));
}

function checkParts(scope: Scope, statement: Statement): TypedStatement[] {
  switch (statement.kind) {
    case 'block':
      return [{ kind: 'block', body: checkBlock(scope, statement.body) }];
    case 'declaration':
      return statement.variables.flatMap((variable) => checkVariable(scope, variable));
    case 'expression': {
      const value = checkExpression(scope, statement.expression);
      return value ? [{ kind: 'expression', value }] : [];
    }
    case 'if': {
      const condition = checkCondition(scope, statement.condition);
      const yes = single(scope, statement.yes);
      const no = statement.no && single(scope, statement.no);
      return condition ? [{ kind: 'if', condition, yes, no }] : [];
    }
    case 'for':
      return checkFor(scope, statement);
    case 'while':
    case 'do': {
      const condition = checkCondition(scope, statement.condition);
      const body = repeated(scope, statement.body);
      return condition ? [{ kind: statement.kind, condition, body }] : [];
    }
    case 'return':
      return checkReturn(scope, statement);
    case 'break':
    case 'continue':
      if (scope.loops > 0) return [{ kind: statement.kind }];
      fail(scope, statement, groups.none, 'control flow statement not supported');
      return [];
    case 'empty':
      return [];
    case 'switch':
      fail(scope, statement, groups.none, 'Switch not supported inside kernel yet');
      return [];
    case 'goto':
      fail(scope, statement, groups.none, 'control flow statement not supported');
      return [];
  }
}

function single(scope: Scope, statement: Statement): TypedStatement {
  scope.enter();
  const body = checkStatement(scope, statement);
  scope.leave();
  return body.length === 1 && body[0]!.kind !== 'variable' ? body[0]! : { kind: 'block', body };
}

function repeated(scope: Scope, body: Statement): TypedStatement {
  scope.loops += 1;
  const checked = single(scope, body);
  scope.loops -= 1;
  return checked;
}

function checkFor(scope: Scope, statement: Statement & { readonly kind: 'for' }): TypedStatement[] {
  scope.enter();
  const first = statement.first ? checkStatement(scope, statement.first) : [];
  const condition = statement.condition && checkCondition(scope, statement.condition);
  const step = statement.step && checkExpression(scope, statement.step);
  const body = repeated(scope, statement.body);
  scope.leave();
  return [{ kind: 'for', first, condition, step, body }];
}

function checkReturn(
  scope: Scope,
  { value, span }: Statement & { readonly kind: 'return' },
): TypedStatement[] {
  const { result } = scope.kernel;
  if (!value) {
    if (result && result.kind !== 'void') fail(scope, { span }, groups.none, 'Must return a value');
    return [{ kind: 'return', value: undefined }];
  }
  const given = checkExpression(scope, value);
  if (!given || !result) return [];
  const { strongTypes } = scope.report.options;
  if (result.kind === 'void' || (strongTypes && !sameType(given.type, result))) {
    const words = `Mismatched type: actual type is ${typeName(given.type)} but expected type is ${typeName(result)}`;
    fail(scope, { span }, groups.none, words);
    return [];
  }
  return [{ kind: 'return', value: convertFor(scope.report, given, result, span, groups.none) }];
}

function checkVariable(scope: Scope, variable: Variable): TypedStatement[] {
  const { name, type, qualifiers, initializer, span } = variable;
  if (!checkQualifiers(scope, variable)) return [];
  if (variable.isPointer) {
    fail(scope, variable, groups.variable, 'pointers not allowed inside kernel');
    return [];
  }
  if (variable.unknownType !== undefined || type.kind === 'void') {
    fail(scope, variable, groups.variable, 'Unsupported variable type');
    return [];
  }
  if (qualifiers.has('shared')) {
    declareShared(scope, variable);
    return [];
  }
  if (variable.sizes.length > 0) {
    fail(scope, variable, groups.array, 'Local Array not supported yet');
    return [];
  }
  const isConst = qualifiers.has('const');
  if (isConst && !initializer) fail(scope, variable, groups.variable, 'uninitialized const variable');
  const value = initializer && initialValue(scope, variable, initializer);
  const local = scope.local(name, type, isConst);
  if (!scope.declare(name, local)) fail(scope, { span }, groups.none, `Variable name Duplicated: ${name}`);
  return [{ kind: 'variable', local, value }];
}

function checkQualifiers(scope: Scope, variable: Variable): boolean {
  const { qualifiers } = variable;
  const has = (...words: readonly Parameters<typeof qualifiers.has>[0][]): boolean =>
    words.some((word) => qualifiers.has(word));
  const refuse = (text: string): boolean => {
    fail(scope, variable, groups.variable, text);
    return false;
  };
  if (has('static', 'extern')) return refuse('static or extern not allowed inside kernel');
  if (has('volatile', 'restrict')) return refuse('volatile or Restrict qualifiers not allowed inside kernel');
  if (has('out')) return refuse('out qualifier allowed only for kernel parameters');
  if (has('reduce')) return refuse('reduce qualifier allowed only for kernel parameters');
  if (has('vout')) return refuse('vout deprecated');
  if (has('iter')) return refuse('Iterator not supported');
  return true;
}

function initialValue(scope: Scope, variable: Variable, initializer: Expression): Typed | undefined {
  const { type, span } = variable;
  if (initializer.kind === 'braces' && type.kind === 'value') {
    if (initializer.elements.length === 0) {
      scope.report.typeWarning(initializer.span, groups.initializer, 'Empty array initializer');
      return undefined;
    }
    if (type.width === 1 && initializer.elements.length === 1) {
      const only = checkValue(scope, initializer.elements[0]!);
      return only && convertFor(scope.report, only, type, span, groups.initializer);
    }
    return checkComponents(scope, type, initializer.elements, span);
  }
  const given = checkExpression(scope, initializer);
  if (!given || given.kind === 'array' || type.kind === 'void') return undefined;
  const { strongTypes } = scope.report.options;
  // brcc has words of its own for constants that do not match.
  if (given.kind === 'literal' && type.kind === 'value' && !sameType(given.type, type)) {
    if (type.width > 1) {
      scope.report.typeWarning(span, groups.initializer, 'Initializer is not vector type');
      return strongTypes ? undefined : converted(given, type);
    }
    if (strongTypes) {
      const words = `Mismatched type: actual type is ${typeName(given.type)} but expected type is ${typeName(type)}`;
      fail(scope, { span }, groups.initializer, words);
      return undefined;
    }
  }
  return convertFor(scope.report, given, type, span, groups.initializer);
}

/** Numbers of 32 bits that a group shares at most, and that one thread owns of them (A.7.1). */
const largestShared = 4096;
const largestShare = 64;

/** `shared float4 lds[N];`: the memory of a thread group (2.14). */
function declareShared(scope: Scope, variable: Variable): void {
  const { name, type, sizes, span } = variable;
  const problem = sharedProblem(scope, variable);
  if (problem) {
    fail(scope, variable, problem.group, problem.text);
    return;
  }
  const [written] = sizes;
  if (written?.kind !== 'number' || type.kind !== 'value') return;
  const shared: SharedArray = { name, type: valueType(type.scalar, type.width), size: Number(written.text) };
  scope.shared = shared;
  if (!scope.declare(name, shared)) fail(scope, { span }, groups.none, `Variable name Duplicated: ${name}`);
}

interface Problem {
  readonly group: string;
  readonly text: string;
}

/** What is wrong with a shared array; undefined if nothing is. */
function sharedProblem(scope: Scope, { type, sizes, initializer }: Variable): Problem | undefined {
  const { array, none, variable } = groups;
  const { groupSize } = scope;
  const [written] = sizes;
  if (sizes.length === 0)
    return { group: variable, text: 'Shared qualifier valid only for Local Array declared inside kernel' };
  if (sizes.length > 1) return { group: array, text: 'Shared Local Array must be 1D' };
  if (initializer) return { group: array, text: 'Shared Local Array should not be initialized' };
  if (type.kind !== 'value' || layoutOf(type).size !== 16)
    return { group: none, text: 'Shared array type must be 128 bit type' };
  if (scope.shared) return { group: none, text: 'Only One Shared local array allowed' };
  if (groupSize === undefined) {
    const text = 'Shared array allowed only for computer shaders: specify GroupSize Attribute';
    return { group: none, text };
  }
  if (written?.kind === 'number' && written.isFloating)
    return { group: array, text: 'Local Array size must be constant int type' };
  if (written?.kind !== 'number')
    return { group: array, text: 'Local Array size expression must be simple constant int' };
  const size = Number(written.text);
  if (!(size > 0)) return { group: array, text: 'Local Array size must be non-zero positive int value' };
  // brcc counts sizes in 32-bit words here.
  const words = size * 4;
  const share = words / groupSize;
  if (words > largestShared) return { group: none, text: 'Shared array size must be <= 4K 32-bit type' };
  if (words % groupSize !== 0) return { group: none, text: 'SharedArraySize%GroupSize must be zero' };
  if (share % 4 !== 0) return { group: none, text: 'SharedArraySize/GroupSize must be multiples of 4' };
  if (share > largestShare) return { group: none, text: 'SharedArraySize/GroupSize must be <= 64' };
  return undefined;
}
