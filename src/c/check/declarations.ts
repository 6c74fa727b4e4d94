/** Declarations of variables and type names (C99, 6.7). */
import type { Span } from '../../source/span.ts';
import type { Attribute, Expression, StorageClass, TypedefDeclaration, VariableDeclaration } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import type { SpacePlace } from '../dialect.ts';
import { alignOfObject, isComplete, sameType, withSpace } from '../type-facts.ts';
import { type AddressSpace, type QualifiedType, qualifiedType } from '../types.ts';
import { alignmentOf, applyTypeAttributes, checkAttributes } from './attributes.ts';
import type { Checker, Mutable } from './checker.ts';
import { checkInitializer, type Initializer } from './initializers.ts';
import type { Binding } from './scopes.ts';

/** What the specifiers before a declarator say. */
export interface Specifiers {
  readonly type: QualifiedType;
  readonly storage: StorageClass;
  readonly isThreadLocal?: boolean | undefined;
  readonly isInline: boolean;
  readonly isKernel: boolean;
  readonly access: VariableDeclaration['accessQualifier'];
  readonly attributes: readonly Attribute[];
  readonly span: Span;
  /** They were wrong, and what they declare is poisoned. */
  readonly isWrong: boolean;
}

/** A name that could not be declared rightly: its uses say nothing more. */
export function poison(checker: Checker, name: string | undefined, span: Span): void {
  if (name === undefined || checker.scopes.lookupHere(name) !== undefined) return;
  checker.scopes.declare({ kind: 'poisoned', name, span });
}

export function declareTypedef(
  checker: Checker,
  name: string,
  span: Span,
  written: QualifiedType,
  attributeList: readonly Attribute[],
): TypedefDeclaration | undefined {
  const attributes = checkAttributes(checker, attributeList, 'typedef');
  const type = applyTypeAttributes(checker, written, attributes);
  const known = checker.scopes.lookupHere(name);
  if (known !== undefined) {
    if (known.kind !== 'typedef') {
      if (known.kind !== 'poisoned') redefinedKind(checker, name, span, known);
      return undefined;
    }
    if (!sameType(known.type.type, type.type)) {
      checker.error(
        span,
        `typedef redefinition with different types ('${checker.show(type)}' vs '${checker.show({ ...known.type, alias: undefined })}')`,
        [{ message: 'previous definition is here', span: known.span }],
      );
      return undefined;
    }
  }
  const align = alignmentOf(attributes) || type.align;
  const declaration: TypedefDeclaration = { kind: 'typedef', name, type: renamed(type, name, align), span };
  checker.scopes.declare(declaration);
  return declaration;
}

function renamed(
  { type, isConst, isVolatile, isRestrict, space }: QualifiedType,
  alias: string,
  align: number | undefined,
): QualifiedType {
  return qualifiedType(type, isConst, isVolatile, isRestrict, space, alias, align);
}

export function redefinedKind(checker: Checker, name: string, span: Span, known: Binding): void {
  checker.error(span, `redefinition of '${name}' as different kind of symbol`, [
    { message: 'previous definition is here', span: known.span },
  ]);
}

function placeOf(checker: Checker, storage: StorageClass): SpacePlace {
  if (checker.scopes.isProgram) return 'program';
  return storage === 'static' || storage === 'extern' ? 'static' : 'local';
}

/**
 * Declares a variable; its initializer comes later, with the variable already in scope, by
 * {@link initializeVariable}. Undefined if it is wrong, which has been reported, and its name poisoned.
 */
export function declareVariable(
  checker: Checker,
  name: string,
  span: Span,
  written: QualifiedType,
  specifiers: Specifiers,
  attributeList: readonly Attribute[],
  hasInitializer: boolean,
): VariableDeclaration | undefined {
  const attributes = checkAttributes(checker, attributeList, 'variable');
  const writtenSpace = written.space;
  const typed = applyTypeAttributes(checker, written, attributes);
  const space: AddressSpace =
    writtenSpace ?? checker.dialect.defaultSpace(placeOf(checker, specifiers.storage), typed.type);
  const type = withSpace(typed, space);
  const { addressBytes } = checker.dialect;
  const variable: VariableDeclaration = {
    kind: 'variable',
    name,
    type,
    storage: specifiers.storage,
    scope: checker.scopes.isProgram ? 'program' : 'function',
    align: Math.max(alignOfObject(type, addressBytes), alignmentOf(attributes)),
    initializer: undefined,
    accessQualifier: specifiers.access,
    ...(specifiers.isThreadLocal ? { isThreadLocal: true } : {}),
    span,
  };
  const known = checker.scopes.lookupHere(name);
  const isFine =
    checkStorage(checker, specifiers, span) &&
    checkObjectType(checker, variable, hasInitializer) &&
    checker.dialect.rules.storageOnly(type.type, 'declare', span, checker) &&
    checker.dialect.rules.variable(
      {
        variable,
        writtenSpace,
        inKernel: checker.function?.declaration.isKernel ?? false,
        inOutermostBlock: checker.scopes.isOutermostBlock,
        hasInitializer,
      },
      checker,
    );
  if (known !== undefined) return redeclare(checker, variable, known, hasInitializer);
  if (!isFine) {
    poison(checker, name, span);
    return undefined;
  }
  checker.scopes.declare(variable);
  if (variable.scope === 'program') checker.declarations.push(variable);
  return variable;
}

function checkStorage(checker: Checker, specifiers: Specifiers, span: Span): boolean {
  const { storage } = specifiers;
  if (specifiers.isInline) {
    checker.error(span, "'inline' can only appear on functions");
    return false;
  }
  if (specifiers.isKernel) {
    checker.error(span, "'kernel' attribute only applies to functions");
    return false;
  }
  if (specifiers.isThreadLocal && !checker.scopes.isProgram && storage !== 'static' && storage !== 'extern') {
    checker.error(span, "'_Thread_local' variables must have global storage");
    return false;
  }
  if ((storage === 'auto' || storage === 'register') && checker.scopes.isProgram) {
    checker.error(span, 'illegal storage class on file-scoped variable');
    return false;
  }
  return true;
}

function checkObjectType(checker: Checker, variable: VariableDeclaration, hasInitializer: boolean): boolean {
  const { type } = variable;
  const inner = type.type;
  if (isComplete(inner)) return true;
  if (variable.storage === 'extern' && !hasInitializer) return true;
  if (inner.kind === 'array' && inner.length === undefined) {
    if (inner.count !== undefined) return checkVariableLength(checker, variable, hasInitializer);
    if (hasInitializer) return true;
    checker.error(
      variable.span,
      'definition of variable with array type needs an explicit size or an initializer',
    );
    return false;
  }
  const notes =
    inner.kind === 'record' || inner.kind === 'enum'
      ? [{ message: `forward declaration of '${checker.showType(inner)}'`, span: inner.span }]
      : [];
  checker.error(variable.span, `variable has incomplete type '${checker.show(type)}'`, notes);
  return false;
}

/** An array of variable length is a local variable without an initializer (C99, 6.7.5.2 2 and 6.7.8 3). */
function checkVariableLength(
  checker: Checker,
  { storage, scope, name, span }: VariableDeclaration,
  hasInitializer: boolean,
): boolean {
  if (hasInitializer) {
    checker.error(span, 'variable-sized object may not be initialized');
    return false;
  }
  if (scope === 'function' && storage !== 'static' && storage !== 'extern') return true;
  checker.error(span, `'${name}' may not be an array of variable length here`);
  return false;
}

/** A second declaration of a name in one scope: fine at program scope while only one defines it. */
function redeclare(
  checker: Checker,
  variable: VariableDeclaration,
  known: Binding,
  hasInitializer: boolean,
): VariableDeclaration | undefined {
  const { name, span } = variable;
  if (known.kind === 'poisoned') return undefined;
  if (known.kind !== 'variable') {
    redefinedKind(checker, name, span, known);
    return undefined;
  }
  const note = [{ message: 'previous definition is here', span: known.span }];
  if (!sameType(known.type.type, variable.type.type)) {
    checker.error(
      span,
      `redefinition of '${name}' with a different type: '${checker.show(variable.type)}' vs '${checker.show(known.type)}'`,
      note,
    );
    return undefined;
  }
  const isTentative =
    variable.scope === 'program' || (variable.storage === 'extern' && known.storage === 'extern');
  if (!isTentative || (hasInitializer && known.initializer !== undefined)) {
    checker.error(span, `redefinition of '${name}'`, note);
    return undefined;
  }
  const first = known as Mutable<VariableDeclaration>;
  if (first.storage === 'extern') first.storage = variable.storage;
  if (isComplete(variable.type.type)) first.type = variable.type;
  return known;
}

/** Gives a declared variable its initializer. */
export function initializeVariable(
  checker: Checker,
  variable: VariableDeclaration,
  initializer: Initializer,
): void {
  const isStatic =
    variable.scope === 'program' || variable.storage === 'static' || variable.type.space === 'constant';
  if (variable.storage === 'extern' && variable.scope === 'function') {
    checker.error(
      variable.span,
      'declaration of block scope identifier with linkage cannot have an initializer',
    );
    return;
  }
  const checked = checkInitializer(checker, variable.type, initializer);
  if (checked === undefined) {
    variable.initializer = undefined;
    checker.scopes.declare({ kind: 'poisoned', name: variable.name, span: variable.span });
    return;
  }
  (variable as Mutable<VariableDeclaration>).type = checked.type;
  if (isStatic && !checkConstantInitializer(checker, checked.initializer)) {
    checker.scopes.declare({ kind: 'poisoned', name: variable.name, span: variable.span });
    return;
  }
  variable.initializer = checked.initializer;
}

/** What is initialized before the program runs is initialized with constants (C99, 6.7.8 4). */
function checkConstantInitializer(checker: Checker, initializer: Expression): boolean {
  const { addressBytes } = checker.dialect;
  if (initializer.type.type.kind === 'block') return true;
  if (initializer.kind === 'initializer-list') {
    return initializer.entries.every(
      (entry) => entry.value.kind === 'string-literal' || checkConstantInitializer(checker, entry.value),
    );
  }
  if (initializer.kind === 'string-literal' || evaluateConstant(initializer, addressBytes) !== undefined)
    return true;
  if (initializer.kind === 'cast' && initializer.type.type.kind === 'opaque') {
    return checkConstantInitializer(checker, initializer.operand);
  }
  if (
    initializer.kind === 'cast' &&
    initializer.cast === 'load' &&
    initializer.operand.kind === 'compound-literal'
  ) {
    return checkConstantInitializer(checker, initializer.operand.initializer);
  }
  checker.error(initializer.span, 'initializer element is not a compile-time constant');
  return false;
}
