/**
 * Blocks (OpenCL 2.0, 6.12.5). A block literal becomes a function of its own whose first parameters are the variables
 * that it captures: {@link captured} makes one of each variable that its body names and that lies outside. Which literal a
 * block variable means is always known, because such variables are initialized and never assigned.
 */
import type { Span } from '../../source/span.ts';
import type {
  BlockLiteral,
  CompoundStatement,
  Expression,
  FunctionDeclaration,
  VariableDeclaration,
} from '../ast.ts';
import { alignOfObject, elementObject, pointerTo, sameType, valueType, withSpace } from '../type-facts.ts';
import { type ArrayType, type FunctionType, type QualifiedType, unqualified, voidType } from '../types.ts';
import { convertForAssignment } from './assignments.ts';
import {
  type BlockContext,
  type Checker,
  errorExpression,
  type FunctionContext,
  isError,
  type Mutable,
  newFunctionContext,
} from './checker.ts';
import { toValue } from './conversions.ts';
import { applyFunction, type FunctionPart, parameterVariable } from './declarators.ts';
import { checkLabels, declareParameter, warnMissingReturn } from './functions.ts';
import { reference } from './names.ts';

/** Opens the body of a block. Undefined if its type is wrong, which has been reported. */
export function beginBlock(
  checker: Checker,
  result: QualifiedType | undefined,
  part: FunctionPart | undefined,
  span: Span,
): FunctionDeclaration | undefined {
  const signature: FunctionPart = part ?? {
    kind: 'function',
    parameters: [],
    variadic: false,
    unprototyped: false,
    span,
  };
  const type = applyFunction(checker, result ?? unqualified(voidType), signature);
  if (type === undefined) return undefined;
  const outer = checker.function;
  checker.blocks += 1;
  const name = `block${checker.blocks}`;
  const declaration: FunctionDeclaration = {
    kind: 'function',
    name: outer ? `${outer.declaration.name}.${name}` : name,
    type: unqualified(type.type),
    isKernel: false,
    isInline: false,
    storage: 'static',
    attributes: [],
    parameters: signature.parameters.map((parameter) => parameterVariable(checker, parameter)),
    body: undefined,
    span,
  };
  checker.scopes.push();
  checker.function = newFunctionContext(declaration, {
    outer,
    depth: checker.scopes.depth,
    captures: new Map(),
    infersResult: result === undefined,
    hasReturned: false,
    isBroken: false,
  });
  for (const parameter of declaration.parameters) declareParameter(checker, parameter);
  return declaration;
}

/** Closes the body of a block; `close` is its closing brace. */
export function endBlock(
  checker: Checker,
  declaration: FunctionDeclaration,
  body: CompoundStatement,
  close: Span,
  span: Span,
): Expression {
  const context = checker.function;
  checker.scopes.pop();
  if (!context?.block) return errorExpression(span);
  checker.function = context.block.outer;
  checkLabels(checker, context);
  warnMissingReturn(checker, declaration, body, close);
  declaration.body = body;
  if (context.block.isBroken) return errorExpression(span);
  const captures = [...context.block.captures.values()];
  declaration.parameters = [...captures.map(({ parameter }) => parameter), ...declaration.parameters];
  const type = unqualified({ kind: 'block', function: declaration.type.type as FunctionType });
  return { kind: 'block-literal', declaration, captures, type, span };
}

/** The value of a `return` in a block whose result type follows from its `return` statements (OpenCL 2.0, 6.12.5.3). */
export function inferResult(
  checker: Checker,
  context: BlockContext,
  returned: Expression | undefined,
  keyword: Span,
): Expression | undefined {
  const declaration = checker.function!.declaration as Mutable<FunctionDeclaration>;
  const type = declaration.type.type as FunctionType;
  const value = returned && toValue(checker, returned);
  if (value && isError(value)) {
    context.isBroken = true;
    return value;
  }
  const given = value ? valueType(value.type) : unqualified(voidType);
  if (!context.hasReturned) {
    context.hasReturned = true;
    declaration.type = unqualified({ ...type, result: given });
    return value;
  }
  if (sameType(given.type, type.result.type)) return value;
  const shown = `'${checker.show(given)}' must match previous return type '${checker.show(type.result)}'`;
  checker.error(
    value?.span ?? keyword,
    `return type ${shown} when block literal has unspecified explicit return type`,
  );
  return value && convertForAssignment(checker, value, given, 'returning');
}

/** The literal that an expression of block type means; undefined where something was wrong. */
export function literalOf(expression: Expression): BlockLiteral | undefined {
  let found: Expression | undefined = expression;
  while (found !== undefined && found.kind !== 'block-literal') {
    if (found.kind === 'cast') found = found.operand;
    else if (found.kind === 'name' && found.declaration.kind === 'variable')
      found = found.declaration.initializer;
    else return undefined;
  }
  return found;
}

/**
 * What a variable is in the function or block that is being read: itself, or the parameter that a block around has for
 * it. Undefined if it cannot be captured, which has been reported.
 */
export function captured(
  checker: Checker,
  variable: VariableDeclaration,
  span: Span,
): VariableDeclaration | undefined {
  const context = checker.function;
  if (!context?.block || checker.unevaluated > 0 || livesOutside(variable)) return variable;
  const depth = checker.scopes.depthOf(variable.name);
  return captureFrom(checker, context, variable, depth, span);
}

function captureFrom(
  checker: Checker,
  context: FunctionContext | undefined,
  variable: VariableDeclaration,
  depth: number,
  span: Span,
): VariableDeclaration | undefined {
  const block = context?.block;
  if (!block || depth >= block.depth) return variable;
  // A block around this one captures it first.
  const outer = captureFrom(checker, block.outer, variable, depth, span);
  if (outer === undefined) return undefined;
  const known = block.captures.get(outer);
  if (known !== undefined) return known.parameter;
  const { type } = outer.type;
  if (type.kind === 'block') {
    checker.error(span, 'cannot refer to a block inside block');
    return undefined;
  }
  if (outer.type.space === 'local' && type.kind !== 'array') {
    checker.error(span, `'${outer.name}' lies in local memory, and a block cannot capture it`);
    return undefined;
  }
  const copied = type.kind === 'array' ? firstElement(checker, outer) : outer.type;
  const parameter: VariableDeclaration = {
    kind: 'variable',
    name: outer.name,
    type: { ...copied, isConst: true, space: 'private' },
    storage: 'none',
    scope: 'parameter',
    align: alignOfObject(copied, checker.dialect.addressBytes),
    initializer: undefined,
    accessQualifier: outer.accessQualifier,
    span: outer.span,
  };
  block.captures.set(outer, { parameter, value: toValue(checker, reference(outer, span)) });
  return parameter;
}

/** Arrays are captured as arguments are passed: by the address of their first element. */
function firstElement(checker: Checker, { type }: VariableDeclaration): QualifiedType {
  const element = elementObject(type as QualifiedType & { type: ArrayType });
  const space = element.space ?? checker.dialect.defaultSpace('pointee', element.type);
  return unqualified(pointerTo(withSpace(element, space)));
}

/** Variables that live as long as the program, and handles that are constants, are the same everywhere. */
function livesOutside({ scope, storage, type, initializer }: VariableDeclaration): boolean {
  if (scope === 'program' || storage === 'static' || storage === 'extern') return true;
  if (type.space === 'constant' || type.space === 'global') return true;
  return type.type.kind === 'opaque' && type.type.name === 'sampler_t' && initializer !== undefined;
}
