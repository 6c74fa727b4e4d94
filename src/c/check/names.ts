/** Names in expressions: what they refer to, and what was probably meant when they refer to nothing. */
import type { Note } from '../../source/diagnostics.ts';
import { nearestName } from '../../source/nearest-name.ts';
import type { Span } from '../../source/span.ts';
import type { Expression, FunctionDeclaration, VariableDeclaration } from '../ast.ts';
import { captured } from './blocks.ts';
import { type Checker, errorExpression } from './checker.ts';
import { functionName } from './literals.ts';
import type { Binding } from './scopes.ts';

/** A name that means `binding` here: a variable or enumerator. Functions are looked for where they are called. */
export function checkName(
  checker: Checker,
  binding: Binding | undefined,
  name: string,
  span: Span,
): Expression {
  if (binding === undefined) return undeclared(checker, name, span);
  switch (binding.kind) {
    case 'variable': {
      const variable = captured(checker, binding, span);
      return variable === undefined ? errorExpression(span) : reference(variable, span);
    }
    case 'enumerator':
      return { kind: 'integer-literal', value: binding.value, type: binding.type, span };
    case 'functions': {
      const [declaration] = binding.overloads;
      if (declaration === undefined) return errorExpression(span);
      if (!checker.dialect.features.functionPointers && checker.unevaluated === 0) {
        return checker.wrong(span, 'taking address of function is not allowed');
      }
      return functionReference(declaration, span);
    }
    case 'typedef':
      return checker.wrong(span, `unexpected type name '${name}': expected expression`);
    case 'poisoned':
      return errorExpression(span);
  }
}

export function reference(declaration: VariableDeclaration, span: Span): Expression {
  return { kind: 'name', declaration, type: declaration.type, lvalue: true, span };
}

function functionReference(declaration: FunctionDeclaration, span: Span): Expression {
  return { kind: 'name', declaration, type: declaration.type, span };
}

const functionNames = new Set(['__func__', '__FUNCTION__', '__PRETTY_FUNCTION__']);

function undeclared(checker: Checker, name: string, span: Span): Expression {
  if (functionNames.has(name)) return functionName(checker, span);
  if (checker.dialect.builtins.isBuiltinName(name)) {
    return checker.wrong(span, `built-in function '${name}' must be directly called`);
  }
  // Nobody reads what comes after the limit, and looking for names takes time.
  if (checker.diagnostics.isFull) return errorExpression(span);
  if (isPerhapsLost(checker, name, span)) return errorExpression(span);
  const remarks = laterVersionNotes(checker, name, span);
  const near = remarks.length > 0 ? undefined : nearestName(name, valueNames(checker));
  if (near === undefined) {
    sayOnce(checker, name, span);
    const type = remarks.length > 0 ? undefined : nearestName(name, typeNames(checker), 1);
    const hint = type === undefined ? '' : `; did you mean '${type}'?`;
    return checker.wrong(span, `use of undeclared identifier '${name}'${hint}`, remarks);
  }
  const binding = checker.scopes.lookup(near);
  const message = `use of undeclared identifier '${name}'; did you mean '${near}'?`;
  checker.error(span, message, declaredHere(near, binding));
  // The program goes on as if the suggestion had been written, so that later uses are checked too.
  return binding?.kind === 'variable' ? reference(binding, span) : errorExpression(span);
}

/** The note under an error that there would not be in a later version of the language; see {@link Dialect.remarkOnLater}. */
export function laterVersionNotes(checker: Checker, word: string, span: Span): Note[] {
  const message = checker.dialect.remarkOnLater?.(word);
  return message === undefined ? [] : [{ message, span }];
}

/** One message for all uses of a name in this scope. */
function sayOnce(checker: Checker, name: string, span: Span): void {
  if (checker.scopes.lookupHere(name) !== undefined) return;
  checker.scopes.declare({ kind: 'poisoned', name, span, isUndeclared: true });
}

function* valueNames(checker: Checker): Iterable<string> {
  for (const binding of checker.scopes.names()) {
    if (binding.kind !== 'typedef' && binding.kind !== 'poisoned') yield binding.name;
  }
}

function* typeNames(checker: Checker): Iterable<string> {
  for (const [name, { kind }] of checker.dialect.keywords) if (kind === 'specifier') yield name;
  for (const binding of checker.scopes.names()) if (binding.kind === 'typedef') yield binding.name;
}

/** The note that shows a suggested name. */
function declaredHere(name: string, binding: Binding | undefined): { message: string; span: Span }[] {
  if (binding === undefined || binding.span.file.text === '') return [];
  return [{ message: `'${name}' declared here`, span: binding.span }];
}

/** A function that is called but nowhere declared. */
export function undeclaredFunction(checker: Checker, name: string, span: Span): Expression {
  if (checker.diagnostics.isFull) return errorExpression(span);
  if (isPerhapsLost(checker, name, span)) return errorExpression(span);
  sayOnce(checker, name, span);
  const remarks = laterVersionNotes(checker, name, span);
  const near = remarks.length > 0 ? undefined : nearCallable(checker, name);
  const { language } = checker.dialect;
  if (near === undefined) {
    return checker.wrong(
      span,
      `implicit declaration of function '${name}' is invalid in ${language}`,
      remarks,
    );
  }
  const binding = checker.scopes.lookup(near);
  return checker.wrong(
    span,
    `implicit declaration of function '${name}' is invalid in ${language}; did you mean '${near}'?`,
    declaredHere(near, binding),
  );
}

/** A name that a declaration may have declared that was passed over. */
function isPerhapsLost(checker: Checker, name: string, span: Span): boolean {
  if (checker.hasLostDeclarations) sayOnce(checker, name, span);
  return checker.hasLostDeclarations;
}

/** C's `sinf` is `sin` where functions are overloaded; else the nearest name. */
function nearCallable(checker: Checker, name: string): string | undefined {
  const short = name.slice(0, -1);
  if (name.endsWith('f') && checker.dialect.builtins.isBuiltinName(short)) return short;
  return (
    nearestName(name, callableNames(checker)) ?? nearestName(name, ['while', 'switch', 'return', 'sizeof'])
  );
}

function* callableNames(checker: Checker): Iterable<string> {
  for (const binding of checker.scopes.names()) {
    if (binding.kind === 'functions') yield binding.name;
  }
  yield* checker.dialect.builtins.builtinNames();
}
