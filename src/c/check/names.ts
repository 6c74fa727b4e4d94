/** Names in expressions: what they refer to, and what was probably meant when they refer to nothing. */
import type { Note } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';
import type { Expression, FunctionDeclaration, VariableDeclaration } from '../ast.ts';
import { captured } from './blocks.ts';
import { type Checker, errorExpression } from './checker.ts';
import { functionName } from './literals.ts';
import type { Binding } from './scopes.ts';
import { nearestName } from './suggestions.ts';

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
  const remarks = laterVersionNotes(checker, name, span);
  const near = remarks.length > 0 ? undefined : nearestName(name, valueNames(checker));
  if (near === undefined) {
    sayOnce(checker, name, span);
    return checker.wrong(span, `use of undeclared identifier '${name}'`, remarks);
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

/** The note that shows a suggested name. */
function declaredHere(name: string, binding: Binding | undefined): { message: string; span: Span }[] {
  if (binding === undefined || binding.span.file.text === '') return [];
  return [{ message: `'${name}' declared here`, span: binding.span }];
}

/** A function that is called but nowhere declared. */
export function undeclaredFunction(checker: Checker, name: string, span: Span): Expression {
  if (checker.diagnostics.isFull) return errorExpression(span);
  sayOnce(checker, name, span);
  const remarks = laterVersionNotes(checker, name, span);
  const near = remarks.length > 0 ? undefined : nearestName(name, callableNames(checker));
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

function* callableNames(checker: Checker): Iterable<string> {
  for (const binding of checker.scopes.names()) {
    if (binding.kind === 'functions') yield binding.name;
  }
  yield* checker.dialect.builtins.builtinNames();
}
