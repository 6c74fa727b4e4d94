/** Declarations and definitions of functions (C99, 6.7.5.3 and 6.9.1). */
import type { Span } from '../../source/span.ts';
import type {
  Attribute,
  CompoundStatement,
  FunctionDeclaration,
  Statement,
  VariableDeclaration,
} from '../ast.ts';
import { substatements } from '../substatements.ts';
import { isComplete, sameType } from '../type-facts.ts';
import type { FunctionType, QualifiedType } from '../types.ts';
import { checkAttributes, hasAttribute } from './attributes.ts';
import { type Checker, type FunctionContext, type Mutable, newFunctionContext } from './checker.ts';
import { poison, redefinedKind, type Specifiers } from './declarations.ts';
import { type ParsedParameter, parameterVariable } from './declarators.ts';
import { canFallThrough } from './flow.ts';
import type { FunctionSet } from './scopes.ts';

/** Declares a function, or meets an earlier declaration of it. Undefined if it is wrong, which has been reported. */
export function declareFunction(
  checker: Checker,
  name: string,
  span: Span,
  type: QualifiedType,
  specifiers: Specifiers,
  parsed: readonly ParsedParameter[],
  attributeList: readonly Attribute[],
  defines: boolean,
): FunctionDeclaration | undefined {
  const attributes = checkAttributes(checker, attributeList, 'function');
  const { storage } = specifiers;
  if (storage === 'auto' || storage === 'register') {
    checker.error(span, 'illegal storage class on function');
    return undefined;
  }
  if (storage === 'static' && checker.function !== undefined) {
    checker.error(span, "function declared in block scope cannot have 'static' storage class");
    return undefined;
  }
  const known =
    checker.function === undefined ? checker.scopes.lookupHere(name) : checker.scopes.lookupProgram(name);
  if (known?.kind === 'poisoned') return undefined;
  if (known !== undefined && known.kind !== 'functions') {
    redefinedKind(checker, name, span, known);
    return undefined;
  }
  const parameters = parsed.map((parameter) => parameterVariable(checker, parameter));
  const declaration: FunctionDeclaration = {
    kind: 'function',
    name,
    type,
    isKernel: specifiers.isKernel,
    isInline: specifiers.isInline,
    storage,
    attributes,
    parameters,
    body: undefined,
    span,
  };
  const overloadable = hasAttribute(attributes, 'overloadable');
  const earlier = known?.overloads.find((overload) => matches(overload, declaration, overloadable));
  if (earlier === undefined) {
    checker.dialect.rules.function(declaration, checker);
    if (known !== undefined) known.overloads.push(declaration);
    else {
      const set: FunctionSet = { kind: 'functions', name, span, overloads: [declaration] };
      checker.scopes.declareProgram(set);
      if (checker.function !== undefined && !checker.scopes.isProgram) checker.scopes.declare(set);
    }
    checker.declarations.push(declaration);
    return declaration;
  }
  return merge(checker, earlier, declaration, defines);
}

/** An earlier declaration of the same function: any of that name, unless they are overloads with other parameters. */
function matches(
  earlier: FunctionDeclaration,
  declaration: FunctionDeclaration,
  overloadable: boolean,
): boolean {
  if (!overloadable && !hasAttribute(earlier.attributes, 'overloadable')) return true;
  const a = earlier.type.type as FunctionType;
  const b = declaration.type.type as FunctionType;
  if (a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, index) => {
    const other = b.parameters[index];
    return other !== undefined && sameType(parameter.type, other.type);
  });
}

function merge(
  checker: Checker,
  earlier: FunctionDeclaration,
  declaration: FunctionDeclaration,
  defines: boolean,
): FunctionDeclaration | undefined {
  const { name, span } = declaration;
  if (!sameType(earlier.type.type, declaration.type.type)) {
    checker.error(span, `conflicting types for '${name}'`, [
      { message: 'previous declaration is here', span: earlier.span },
    ]);
    return undefined;
  }
  if (defines && earlier.body !== undefined) {
    checker.error(span, `redefinition of '${name}'`, [
      { message: 'previous definition is here', span: earlier.span },
    ]);
    return undefined;
  }
  if (declaration.storage === 'static' && earlier.storage !== 'static') {
    checker.error(span, `static declaration of '${name}' follows non-static declaration`, [
      { message: 'previous declaration is here', span: earlier.span },
    ]);
  }
  const merged = earlier as Mutable<FunctionDeclaration>;
  if (declaration.isKernel && !earlier.isKernel) {
    merged.isKernel = true;
    checker.dialect.rules.function(declaration, checker);
  }
  if (declaration.isInline) merged.isInline = true;
  const names = new Set(earlier.attributes.map((attribute) => attribute.name));
  earlier.attributes = [
    ...earlier.attributes,
    ...declaration.attributes.filter((attribute) => !names.has(attribute.name)),
  ];
  if (defines || earlier.body === undefined) earlier.parameters = declaration.parameters;
  if (defines && (earlier.type.type as FunctionType).unprototyped) merged.type = declaration.type;
  return earlier;
}

/** Opens the body of a function: its scope, with its parameters. */
export function beginBody(checker: Checker, declaration: FunctionDeclaration): void {
  checker.function = newFunctionContext(declaration);
  checker.scopes.push();
  const result = (declaration.type.type as FunctionType).result;
  if (result.type.kind !== 'void' && !isComplete(result.type)) {
    checker.error(
      declaration.span,
      `incomplete result type '${checker.show(result)}' in function definition`,
    );
  }
  for (const parameter of declaration.parameters) declareParameter(checker, parameter);
}

export function declareParameter(checker: Checker, parameter: VariableDeclaration): void {
  if (parameter.name === '') {
    checker.warning(
      parameter.span,
      'c2x-extensions',
      'omitting the parameter name in a function definition is a C2x extension',
    );
    return;
  }
  const known = checker.scopes.lookupHere(parameter.name);
  if (known !== undefined) {
    checker.error(parameter.span, `redefinition of parameter '${parameter.name}'`, [
      { message: 'previous declaration is here', span: known.span },
    ]);
    return;
  }
  if (!isComplete(parameter.type.type)) {
    checker.error(parameter.span, `variable has incomplete type '${checker.show(parameter.type)}'`);
    poison(checker, parameter.name, parameter.span);
    return;
  }
  checker.scopes.declare(parameter);
}

/** Closes the body of a function; `close` is its closing brace. */
export function endBody(
  checker: Checker,
  declaration: FunctionDeclaration,
  body: CompoundStatement,
  close: Span,
): void {
  const context = checker.function;
  checker.scopes.pop();
  checker.function = undefined;
  declaration.body = body;
  if (context) checkLabels(checker, context);
  warnMissingReturn(checker, declaration, body, close);
}

export function checkLabels(checker: Checker, { gotos, labels, mistypedDefaults }: FunctionContext): void {
  for (const { label, span } of gotos) {
    if (!labels.has(label)) checker.error(span, `use of undeclared label '${label}'`);
  }
  if (mistypedDefaults.length === 0) return;
  const used = new Set(gotos.map(({ label }) => label));
  for (const { label, span } of mistypedDefaults) {
    if (used.has(label)) continue;
    checker.warning(span, 'unused-label', `unused label '${label}'; did you mean 'default'?`);
  }
}

export function warnMissingReturn(
  checker: Checker,
  declaration: FunctionDeclaration,
  body: CompoundStatement,
  close: Span,
): void {
  const { result } = declaration.type.type as FunctionType;
  const isMain = declaration.name === 'main' && checker.dialect.features.hostedMain;
  if (result.type.kind === 'void' || isMain || !canFallThrough(body)) return;
  const some = containsReturn(body) ? ' in all control paths' : '';
  checker.warning(close, 'return-type', `non-void function does not return a value${some}`);
}

function containsReturn(statement: Statement): boolean {
  return statement.kind === 'return' || substatements(statement).some(containsReturn);
}
